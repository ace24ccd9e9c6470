//! Firmware files that once stopped the page's emulator: each runs for as long as it is let, or is refused.
//!
//! | file                     | what it does                                                                       |
//! | ------------------------ | ---------------------------------------------------------------------------------- |
//! | hang-erase0-2040.uf2     | calls a flash function of length 0 that returns to itself: no time passed           |
//! | alloc-program4g-2040.uf2 | programs 4 GB: all of it was collected first                                       |
//! | dma-wfi-2040.uf2         | lets the DMA write while the core sleeps: each write was remembered                |
//! | bootram-2350.uf2         | reads a word across the end of boot RAM: a panic in rp2350-emu                     |
//! | defmt-iso8601.elf        | logs a date beyond the year 9999: a panic in defmt-decoder                         |
//! | rtt-grow.elf             | fills a log buffer without a table of messages: the bytes were kept                |
//!
//! The tests of `emulator` have the same and others of their kinds in small. `stuck.flash` and `wrap.flash` are
//! tried in `session`.

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
const A_WHILE: Duration = Duration::from_millis(50);
/// More turns than there are cycles in that time: they run on the ring oscillator.
const MOST_TURNS: u64 = 1_000_000;

#[test]
fn hostile_files_run_for_as_long_as_they_are_let() {
    for (name, content) in FILES {
        let firmware = file::read(content, Chip::Rp2040).unwrap_or_else(|error| panic!("{name}: {error}"));
        let mut handheld = Handheld::power_on(&firmware, Options::default());
        let mut turns = 0;
        handheld.run_until(A_WHILE, |_| {
            turns += 1;
            assert!(turns < MOST_TURNS, "{name}: time stands still");
            false
        });
        assert!(handheld.now() >= A_WHILE || handheld.death().is_some(), "{name}");
        assert!(handheld.logs().len() < 1_000, "{name}");
    }
}

#[test]
fn a_hostile_file_leaves_the_session_as_it_was() {
    let mut session = Session::default();
    for (name, content) in FILES {
        // None of them lights a light.
        assert!(load(&mut session, content).is_err(), "{name}");
        session.power_on(1);
        session.run(A_WHILE);
        assert_eq!(session.figures().state, 0.0, "{name}");
    }
}
