//! The firmware around the game library: one task per file, and what the tasks share. `src/main.rs` shows how they are
//! connected.

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
