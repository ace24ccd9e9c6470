//! Test support for tests and measurements.
//!
//! A [`Player`] presses keys and looks at lights. Its [`Device`] is either the game as a library ([`CoreDevice`]) or
//! the real firmware on an [`emulator::Handheld`], so a scenario is written once and runs on both.
//!
//! ```
//! use lights_out::solver::CLASSIC;
//! use player::{CoreDevice, Player, cell};
//!
//! let mut player = Player::new(CoreDevice::new(7));
//! let board = player.start_random_puzzle();
//! player.tap(cell(2, 3));
//! player.expect_board(CLASSIC.press(board, cell(2, 3)));
//! ```
//!
//! [`Dice`] makes random choices. [`limits`] has every limit that is promised, for tests and for `cargo measure`.
//! [`mock_flash`] is a flash chip for tests of the journal.
#![forbid(unsafe_code)]

mod core_device;
mod device;
mod dice;
mod handheld;
pub mod limits;
mod maker;
pub mod mock_flash;
mod player;

pub use core_device::{CoreDevice, Outputs, command, handle_input, tap, tick_game};
pub use device::{Device, cell, ms, us};
pub use dice::Dice;
pub use handheld::{firmware, firmware_file};
pub use maker::TEACH_PRESSES;
pub use player::{HOLD, MissingScreen, Player, WIPE_TIME};
