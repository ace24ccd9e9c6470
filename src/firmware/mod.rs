//! The thin shell around the game: one task, one file, and what they share. `src/main.rs` shows how they hang together.

pub mod battery;
pub mod board;
pub mod boot;
pub mod channels;
pub mod chip;
pub mod executor;
pub mod flash;
pub mod game;
pub mod leds;
pub mod scan;
pub mod seed;
pub mod sound;
pub mod storage;
pub mod version;
pub mod watchdog;

mod fault;
mod led_wire;
mod slow_clock;

use defmt_rtt as _;
use embassy_time::Instant;
use panic_probe as _;

defmt::timestamp!("{=u64:us}", Instant::now().as_micros());
