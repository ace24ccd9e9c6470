//! The firmware around the game library: one task per file, and what the tasks share. `src/main.rs` shows how they are
//! connected.

pub(crate) mod battery;
pub(crate) mod board;
pub(crate) mod boot;
pub(crate) mod channels;
pub(crate) mod chip;
pub(crate) mod executor;
pub(crate) mod flash;
pub(crate) mod game;
pub(crate) mod leds;
pub(crate) mod scan;
pub(crate) mod seed;
pub(crate) mod sound;
pub(crate) mod storage;
pub(crate) mod version;
pub(crate) mod watchdog;

mod fault;
mod led_wire;
mod slow_clock;

use defmt_rtt as _;
use embassy_time::Instant;
use panic_probe as _;

defmt::timestamp!("{=u64:us}", Instant::now().as_micros());
