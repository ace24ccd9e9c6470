//! Lights Out on any square board from 1x1 to 100x100: which keys to press so that every light goes out.
//!
//! Pressing a key toggles its light and the lights above, below, left and right of it. Pressing twice is pressing not
//! at all and the order does not matter, so a solution is a set of keys: a matrix of 0 and 1 of the board's size.
//!
//! A tour, in the order in which a board travels:
//!
//! - [`matrix`]: lights or presses as one `u128` for each row, and their text.
//! - [`read`]: text of unknown origin becomes a matrix, or an error that names line and column.
//! - [`chase`]: light chasing. The top row of presses decides all the others, so n unknowns are left of n².
//! - [`gf2`]: elimination, which finds the top row and every top row that changes nothing.
//! - [`shortest`]: the number of presses of all 2^d solutions at once, by a Walsh-Hadamard transform.
//! - [`handheld`]: boards of the handheld, with their codes and with any of its rules.
//! - [`solver`]: the parts put together. [`solve`] is the short way in.
//!
//! ```
//! let board = solve::Matrix::read("110\n100\n011\n".as_bytes()).unwrap();
//! let solution = solve::solve(&board).unwrap();
//! assert_eq!(solution.presses.to_string(), "000\n110\n101\n");
//! assert_eq!(solution.count, 4);
//! assert!(solution.proven_shortest);
//! ```

#![forbid(unsafe_code)]

pub mod chase;
pub mod gf2;
pub mod handheld;
pub mod matrix;
pub mod read;
pub mod shortest;
pub mod solver;

pub use handheld::HandheldBoard;
pub use matrix::{MAX_SIZE, Matrix};
pub use read::ReadError;
pub use solver::{Solution, Solutions, Solver, solve};
