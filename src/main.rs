//! The firmware. Start reading here: the tasks, and the channels between them.
//!
//! ```text
//! keys -> scan -- INPUTS --> game -- LATEST_FRAME --> leds -> LEDs
//!          | ^               | \---- SOUNDS --------> sound -> piezo
//!          | |               \------ SAVES ---------> storage -> flash
//!          | +-- SLEEP: lights are off (leds), everything is saved (storage)
//!          | +-- LAYOUT: positions of keys and LEDs after teaching (game); also --> leds
//!          +---- SLEEP: the handheld is idle --> storage; KEY_ACTIVITY: a press is pending --> leds, game
//!
//! game -- BOOTLOADER_REQUEST --> storage -> boot ROM
//! game -- BATTERY_REQUEST --> battery -- INPUTS --> game -- SLEEP: the battery is empty --> scan
//! battery, flash (before each write) -- METER --> supply voltage
//!
//! scan, game, leds, sound, storage -- HEARTBEATS --> watchdog
//! ```
//! There is one file in `firmware/` for each task. The tasks forward values; all decisions are in the library. Tasks
//! have three priorities: `scan` preempts all others; `game`, `leds` and `sound` preempt `storage`, `battery` and
//! `watchdog`. So flash operations delay neither keys nor lights.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(target_os = "none")]
mod firmware;

/// Splits the chip into one set of resources per task, and starts the tasks.
#[cfg(target_os = "none")]
#[cortex_m_rt::entry]
fn main() -> ! {
    let parts = firmware::board::Parts::new(firmware::board::start());
    firmware::executor::run(|spawners| spawn_tasks(parts, spawners))
}

#[cfg(target_os = "none")]
fn spawn_tasks(parts: firmware::board::Parts, spawners: firmware::executor::Spawners) {
    use firmware::battery::METER;
    use firmware::channels::{
        BATTERY_REQUEST, BOOTLOADER_REQUEST, HEARTBEATS, INPUTS, KEY_ACTIVITY, LATEST_FRAME, LAYOUT, PressMonitor,
        SAVES, SLEEP, SOUNDS,
    };
    use firmware::flash::Flash;
    use firmware::{battery, board, game, leds, scan, seed, sound, storage, version, watchdog};
    use lights_out::layout::Layout;

    let board::Parts { keys, leds, piezo, flash, battery, mut watchdog, watchdog_before } = parts;
    defmt::info!("lights-out {=str} starts", version::VERSION);
    let only_results = watchdog::has_crashed_too_often(&mut watchdog, watchdog_before);
    METER.connect(battery);
    let mut flash = Flash::new(flash, &METER);
    let seed = seed::gather(&mut flash);
    let (journal, saved) = storage::open(&mut flash);
    let layout = saved.as_ref().and_then(|saved| saved.layout).unwrap_or(Layout::REFERENCE);
    LAYOUT.set(&layout);
    let start = game::Start { seed, saved, layout, only_results };

    // Spawning fails only when a task is spawned twice.
    spawners
        .scan
        .spawn(scan::task(keys, &LAYOUT, &INPUTS, &KEY_ACTIVITY, &SLEEP, &HEARTBEATS.scan).expect("spawned once"));
    let presses = PressMonitor { activity: &KEY_ACTIVITY, inputs: &INPUTS };
    let outputs = game::Outputs {
        frame: &LATEST_FRAME,
        sounds: &SOUNDS,
        saves: &SAVES,
        layout: &LAYOUT,
        battery: &BATTERY_REQUEST,
        sleep: &SLEEP,
        bootloader: &BOOTLOADER_REQUEST,
    };
    spawners.play.spawn(game::task(start, &INPUTS, presses, outputs, &HEARTBEATS.game).expect("spawned once"));
    spawners
        .play
        .spawn(leds::task(leds, &LATEST_FRAME, &LAYOUT, presses, &SLEEP, &HEARTBEATS.leds).expect("spawned once"));
    spawners.play.spawn(sound::task(piezo, &SOUNDS, &HEARTBEATS.sound).expect("spawned once"));
    spawners.thread.spawn(
        storage::task(flash, journal, &SAVES, &BOOTLOADER_REQUEST, &SLEEP, &HEARTBEATS.storage).expect("spawned once"),
    );
    spawners.thread.spawn(battery::task(&METER, &BATTERY_REQUEST, &INPUTS).expect("spawned once"));
    spawners.thread.spawn(watchdog::task(watchdog, &HEARTBEATS).expect("spawned once"));
}

/// The firmware cannot run on a computer. This program names the commands that work there.
#[cfg(not(target_os = "none"))]
fn main() {
    eprintln!("lights-out is firmware for a Raspberry Pi Pico.");
    eprintln!("  cargo run --release   flashes it with a debug probe");
    eprintln!("  cargo play            runs it in an emulated Pico on a web page");
    eprintln!("  cargo host-tests      runs all tests on this computer");
    std::process::exit(2);
}
