//! Every test of the game and of the real firmware, in one program: it is linked once, and its tests share the cores.
//!
//! - The library: [`solver`], [`generator`], [`levels`] and [`chase`] are the puzzle, [`codes`] its boards in a few characters,
//!   [`daily`] the puzzle of the day; [`keys`] go from contacts to what the player means; [`game`] and [`modes`] are played
//!   through keys; [`history`] is what can be taken back, [`status`] what is going on; [`pictures`] go to the wire; [`journal`]
//!   and [`saves`] are what is remembered; [`selftest`] is for makers.
//! - The real firmware in an emulated Pico: [`firmware_image`] is the file; [`firmware_play`] and [`firmware_modes`] play
//!   it; [`firmware_log`] reads what it tells; [`firmware_pins`] moves its pins; [`firmware_silicon`] has parts as unkind as real
//!   ones; [`firmware_keys`] has ghosts and wild fingers; [`firmware_timing`] how fast it is; [`firmware_power`] power cuts,
//!   saves and sleep; [`firmware_faults`] crashes and hangs.
//! - What goes out: [`manual`] draws the pictures in docs; [`browser`] opens the web page, [`page_scripts`] runs its scripts without one; [`project`] has the files that
//!   are promised.
//!
//! [`scenarios`] are told once and played on the library and on the firmware, in the words of the crate `test-player`.
//! [`support`] is what several of these need.

mod browser;
mod chase;
mod codes;
mod contacts;
mod daily;
mod firmware_faults;
mod firmware_image;
mod firmware_keys;
mod firmware_log;
mod firmware_modes;
mod firmware_pins;
mod firmware_play;
mod firmware_power;
mod firmware_silicon;
mod firmware_timing;
mod game;
mod generator;
mod gestures;
mod history;
mod journal;
mod keys;
mod levels;
mod manual;
mod modes;
mod page_scripts;
mod pictures;
mod project;
mod saves;
mod scenarios;
mod selftest;
mod solver;
mod status;
mod support;
