//! The game of Lights Out, without a clock, a chip or an allocator.
//!
//! The rooms, in the order in which a key press goes through them:
//! - the puzzle, pure functions on `u32` masks: [`board`], [`rules`], [`solver`], [`generator`], [`chase`], [`levels`].
#![no_std]
#![forbid(unsafe_code)]

pub mod board;
pub mod chase;
pub mod generator;
pub mod levels;
pub mod rules;
pub mod solver;
