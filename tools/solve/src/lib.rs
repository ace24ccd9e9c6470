//! Lights Out on any square board from 1x1 to 100x100: which keys to press so that every light goes out.
//!
//! A press toggles the light of the key and the lights above, below, left and right of it. A second press of a key
//! cancels the first, and the order does not matter. So a solution is a set of keys: a matrix of 0 and 1 of the board's
//! size.
//!
//! The modules, in the order in which a board passes through them:
//!
//! - [`matrix`]: lights or presses as one `u128` for each row, and their text form.
//! - [`read`]: parses untrusted text into a matrix, or an error with line and column.
//! - [`chase`]: light chasing. The presses of the top row determine all others, so only n of the n² unknowns remain.
//! - [`gf2`]: elimination, which finds the top row, and every top row that changes no light.
//! - [`shortest`]: the number of presses of all 2^d solutions at once, by a Walsh-Hadamard transform.
//! - [`handheld`]: boards of the handheld, with their codes and rules.
//! - [`solver`]: combines these parts. [`solve`] is the shortest way to use it.
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
