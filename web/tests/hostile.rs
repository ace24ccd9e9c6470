//! Firmware files that once stopped the page's emulator. Each runs for a limited time, or is refused.
//!
//! | file                     | effect                                                                             |
//! | ------------------------ | ---------------------------------------------------------------------------------- |
//! | hang-erase0-2040.uf2     | calls a flash function of length 0 that returns to itself: time did not advance     |
//! | alloc-program4g-2040.uf2 | programs 4 GB: the emulator collected all of it first                              |
//! | dma-wfi-2040.uf2         | writes by DMA while the core sleeps: the emulator kept every write                 |
//! | bootram-2350.uf2         | reads a word across the end of boot RAM: a panic in rp2350-emu                     |
//! | defmt-iso8601.elf        | logs a date beyond the year 9999: a panic in defmt-decoder                         |
//! | rtt-grow.elf             | fills a log buffer without a table of messages: the emulator kept the bytes        |
//!
//! The tests of `emulator` have the same cases and similar ones as small programs. The tests in `session` use
//! `stuck.flash` and `wrap.flash`.

mod common;

use std::time::Duration;

use common::load;
use emulator::{Handheld, Options};
use flash_image::Chip;
use web::file;
use web::session::Session;

const FILES: [(&str, &[u8]); 6] = [
    ("hang-erase0", include_bytes!("hostile/hang-erase0-2040.uf2")),
    ("alloc-program4g", include_bytes!("hostile/alloc-program4g-2040.uf2")),
    ("dma-wfi", include_bytes!("hostile/dma-wfi-2040.uf2")),
    ("bootram", include_bytes!("hostile/bootram-2350.uf2")),
    ("defmt-iso8601", include_bytes!("hostile/defmt-iso8601.elf")),
    ("rtt-grow", include_bytes!("hostile/rtt-grow.elf")),
];
const RUN_TIME: Duration = Duration::from_millis(50);
/// More turns than core cycles in that time: the files run on the ring oscillator.
const MAX_TURNS: u64 = 1_000_000;

#[test]
fn hostile_files_run_for_a_limited_time() {
    for (name, content) in FILES {
        let firmware = file::read(content, Chip::Rp2040).unwrap_or_else(|error| panic!("{name}: {error}"));
        let mut handheld = Handheld::power_on(&firmware, Options::default());
        let mut turns = 0;
        handheld.run_until(RUN_TIME, |_| {
            turns += 1;
            assert!(turns < MAX_TURNS, "{name}: time does not advance");
            false
        });
        assert!(handheld.now() >= RUN_TIME || handheld.stop_reason().is_some(), "{name}");
        assert!(handheld.logs().len() < 1_000, "{name}");
    }
}

#[test]
fn hostile_file_does_not_change_the_session() {
    let mut session = Session::default();
    for (name, content) in FILES {
        // None of them drives the LEDs.
        assert!(load(&mut session, content).is_err(), "{name}");
        session.power_on(1);
        session.run(RUN_TIME);
        assert_eq!(session.figures().state, 0.0, "{name}");
    }
}
