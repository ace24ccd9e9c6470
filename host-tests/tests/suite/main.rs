//! Every test of the game and of the real firmware, in one program: it is linked once, and its tests share the cores.
//!
//! - The library: [`solver`], [`generator`], [`levels`] and [`chase`] are the puzzle, [`codes`] its boards in a few characters,
//!   [`daily`] the puzzle of the day; [`keys`] go from contacts to what the player means; [`game`] and [`modes`] are played
//!   through keys; [`history`] is what can be taken back, [`status`] what is going on; [`pictures`] go to the wire; [`journal`]
//!   and [`saves`] are what is remembered, [`foreign`] what else can be in flash, [`kept`] the saves of a newer firmware; [`battery`]
//!   is what its voltage does, [`board_probe`] which board it is on; [`selftest`] and [`teaching`] are for makers.
//! - The real firmware in an emulated Pico and Pico 2: [`rp2040`] and [`rp2350`], both by what stands in the folder `firmware`;
//!   [`firmware_built_otherwise`] moves its pins and compiles it otherwise.
//! - What goes out: [`manual`] draws the pictures in docs; [`project`] has the files that are promised. The web page's tests are
//!   JavaScript, in `web/tests`.
//!
//! [`scenarios`] are told once and played on the library and on the firmware, in the words of the crate `player`.
//! [`support`] is what several of these need.
#![expect(clippy::duplicate_mod, reason = "the tests of the firmware are there once for each chip")]

mod battery;
mod board_probe;
mod chase;
mod codes;
mod contacts;
mod daily;
mod firmware_built_otherwise;
mod foreign;
mod game;
mod generator;
mod gestures;
mod history;
mod journal;
mod kept;
mod keys;
mod levels;
mod manual;
mod modes;
mod pictures;
mod project;
mod rp2040;
mod rp2350;
mod saves;
mod scenarios;
mod selftest;
mod solver;
mod status;
mod support;
mod teaching;
