//! The game of Lights Out, without a clock, a chip or an allocator: time, keys and randomness come in as arguments, and
//! pictures go out as values. The firmware around it (`src/main.rs`) only carries them to and from the pins.
//!
//! The rooms:
//! - the puzzle, pure functions on `u32` masks: [`board`], [`rules`], [`solver`], [`generator`], [`chase`], [`levels`];
//! - from the pins to what the player means: [`matrix`], [`debounce`], [`gesture`];
//! - [`game`]: the state machine that plays;
//! - [`picture`]: what it looks like, and what goes over the wire to the LEDs; [`sound`]: what it sounds like;
//! - [`save`]: what is remembered, as bytes; [`journal`]: how it survives in flash;
//! - [`selftest`]: the test for makers;
//! - [`seed`]: a good start for the random numbers from several poor ones; [`time`]: what a moment is.
//!
//! To follow a key press, read [`matrix`], [`debounce`], [`gesture`], [`game`] and [`picture`] in this order.
#![no_std]
#![forbid(unsafe_code)]

pub mod board;
pub mod chase;
pub mod debounce;
pub mod game;
pub mod generator;
pub mod gesture;
pub mod journal;
pub mod level_boards;
pub mod matrix;
pub mod picture;
pub mod rules;
pub mod save;
pub mod seed;
pub mod selftest;
pub mod solver;
pub mod sound;
pub mod time;
pub mod wiring;
