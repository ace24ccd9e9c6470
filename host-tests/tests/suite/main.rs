//! All tests of the game and of the real firmware, in one program: the program is linked once, and its tests share the
//! cores.
//!
//! - Puzzle: [`solver`], [`generator`], [`levels`], [`chase`], [`codes`] and [`daily`].
//! - Input: [`contacts`], [`keys`] and [`gestures`], from the contacts of the matrix to taps and commands.
//! - Game: [`game`], [`modes`], [`history`], [`status`], [`frames`]; [`selftest`] and [`teaching`] are for makers.
//! - Saves: [`journal`], [`saves`], [`flash_content`] (other data in flash) and [`newer_saves`] (saves of a newer
//!   firmware).
//! - Hardware around the chip: [`battery`] and [`board_probe`].
//! - Real firmware on the emulated handheld: [`firmware`], on both chips; [`modified_firmware`], with other pins and
//!   compiled with other options.
//! - Project: [`manual`] draws the pictures in `docs`; [`project`] checks files and folders. The tests of the web page
//!   are JavaScript, in `web/tests`.
//!
//! [`scenarios`] run on the library and on the firmware. [`support`] is shared by several modules; the crate `player`
//! has the test support that other crates use, too.

mod battery;
mod board_probe;
mod chase;
mod codes;
mod contacts;
mod daily;
mod firmware;
mod flash_content;
mod frames;
mod game;
mod generator;
mod gestures;
mod history;
mod journal;
mod keys;
mod levels;
mod manual;
mod modes;
mod modified_firmware;
mod newer_saves;
mod project;
mod saves;
mod scenarios;
mod selftest;
mod solver;
mod status;
mod support;
mod teaching;
