//! Words of play, for tests and measurements.
//!
//! A [`Player`] presses keys and looks at lights, and does not know what is behind them: a [`Device`] is the game as a
//! library ([`CoreDevice`]), or the real firmware on a [`emulator::Handheld`]. So a scenario is written once and
//! played on both.
//!
//! ```
//! use lights_out::solver::CLASSIC;
//! use player::{CoreDevice, Player, cell};
//!
//! let mut player = Player::new(CoreDevice::new(7));
//! let board = player.random_puzzle();
//! player.tap(cell(2, 3));
//! player.expect_board(CLASSIC.press(board, cell(2, 3)));
//! ```
//!
//! [`Dice`] decide where it does not matter which key is pressed. [`limits`] has every figure that is promised, once:
//! the tests and `cargo measure` judge by the same. [`mock_flash`] is a flash chip for tests of the journal.
#![forbid(unsafe_code)]

mod core_device;
mod device;
mod dice;
mod handheld;
pub mod limits;
mod maker;
pub mod mock_flash;
mod player;

pub use core_device::{CoreDevice, PutOut, command, handled, tap, ticked};
pub use device::{Device, cell, ms, us};
pub use dice::Dice;
pub use handheld::{firmware, firmware_file};
pub use maker::{HOLD_TO_TEACH, TEACH_PRESSES};
pub use player::{HOLD, Player, Unseen, WIPED};
