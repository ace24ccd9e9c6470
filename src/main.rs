//! The firmware. This is where a reader begins: what runs, and what passes between.
//!
//! ```text
//! keys -> scan -- INPUTS --> game -- PICTURES --> leds -> LEDs
//!          | ^               | \-- SOUNDS ----> sound -> piezo
//!          | |               \---- SAVES -----> storage -> flash
//!          | +-- SLEEP: lights are out (leds), all is saved (storage)
//!          | +-- LEARNED: where keys and lights are, when it was taught (game); also --> leds
//!          +---- SLEEP: nobody plays --> storage; KEY_NEWS: a press is likely --> leds
//!
//! game -- BOOTLOADER_ASKED --> storage -> boot ROM
//! game -- BATTERY_ASKED --> battery -- INPUTS --> game -- SLEEP: it is empty --> scan
//! battery, flash (before each write) -- METER --> cells
//!
//! scan, game, leds, sound, storage -- HEARTBEATS --> watchdog
//! ```
//! One task, one file, in `firmware/`; none of them decides what the game does. `scan` interrupts all others; `game`, `leds` and
//! `sound` interrupt `storage`, `battery` and `watchdog`. So nothing that the flash does makes a key or a light late.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(target_os = "none")]
mod firmware;

/// Takes the chip apart into one set of resources per task, and starts the tasks.
#[cfg(target_os = "none")]
#[cortex_m_rt::entry]
fn main() -> ! {
    let parts = firmware::board::Parts::of(firmware::board::start());
    firmware::executor::run(|levels| begin(parts, levels))
}

#[cfg(target_os = "none")]
fn begin(parts: firmware::board::Parts, levels: firmware::executor::Levels) {
    use firmware::battery::METER;
    use firmware::channels::{
        Answers, BATTERY_ASKED, BOOTLOADER_ASKED, HEARTBEATS, INPUTS, KEY_NEWS, LEARNED, PICTURES, SAVES, SLEEP, SOUNDS,
    };
    use firmware::flash::Flash;
    use firmware::{battery, board, game, leds, scan, seed, sound, storage, version, watchdog};
    use lights_out::layout::Layout;

    let board::Parts { keys, leds, piezo, flash, battery, mut watchdog, watchdog_found } = parts;
    defmt::info!("lights-out {=str} starts", version::VERSION);
    let only_results = watchdog::too_many_crashes(&mut watchdog, watchdog_found);
    METER.connect(battery);
    let mut flash = Flash::new(flash, &METER);
    let seed = seed::gather(&mut flash);
    let (journal, saved) = storage::open(&mut flash);
    let layout = saved.as_ref().and_then(|saved| saved.layout).unwrap_or(Layout::REFERENCE);
    LEARNED.set(&layout);
    let start = game::Start { seed, saved, layout, only_results };

    // Each task is spawned once, so there is room for it.
    levels.scan.spawn(scan::task(keys, &LEARNED, &INPUTS, &KEY_NEWS, &SLEEP, &HEARTBEATS.scan).expect("spawned once"));
    let answers = Answers { keys: &KEY_NEWS, inputs: &INPUTS };
    let outputs = game::Outputs {
        pictures: &PICTURES,
        sounds: &SOUNDS,
        saves: &SAVES,
        learned: &LEARNED,
        battery: &BATTERY_ASKED,
        sleep: &SLEEP,
        bootloader: &BOOTLOADER_ASKED,
    };
    levels.play.spawn(game::task(start, &INPUTS, answers, outputs, &HEARTBEATS.game).expect("spawned once"));
    levels.play.spawn(leds::task(leds, &PICTURES, &LEARNED, answers, &SLEEP, &HEARTBEATS.leds).expect("spawned once"));
    levels.play.spawn(sound::task(piezo, &SOUNDS, &HEARTBEATS.sound).expect("spawned once"));
    levels.thread.spawn(
        storage::task(flash, journal, &SAVES, &BOOTLOADER_ASKED, &SLEEP, &HEARTBEATS.storage).expect("spawned once"),
    );
    levels.thread.spawn(battery::task(&METER, &BATTERY_ASKED, &INPUTS).expect("spawned once"));
    levels.thread.spawn(watchdog::task(watchdog, &HEARTBEATS).expect("spawned once"));
}

/// The firmware cannot run on a computer; whoever tries is told what does.
#[cfg(not(target_os = "none"))]
fn main() {
    eprintln!("lights-out is firmware for a Raspberry Pi Pico.");
    eprintln!("  cargo run --release   flashes one through a debug probe");
    eprintln!("  cargo host-tests      runs every test on this computer");
    std::process::exit(2);
}
