//! The firmware. This is where a reader begins: what runs, and what passes between.
//!
//! ```text
//! keys -> scan -- INPUTS --> game -- PICTURES --> leds -> LEDs
//!          | ^               | \-- SOUNDS ----> sound -> piezo
//!          | |               \---- SAVES -----> storage -> flash
//!          | +-- SLEEP: lights are out (leds), all is saved (storage)
//!          | +-- RECORDING: what the keys did while flash was erased (storage)
//!          | +-- LEARNED: where keys and lights are, when it was taught (game); also --> leds
//!          +---- SLEEP: nobody plays; KEY_NEWS: a press is likely, keys are up --> leds, storage
//!
//! game -- BATTERY_ASKED --> battery -- INPUTS --> game -- SLEEP: it is empty --> scan
//! battery, flash (before each write) -- METER --> cells
//!
//! scan, game, leds, sound, storage -- HEARTBEATS --> watchdog
//! ```
//! One task, one file, in `firmware/`; none of them decides what the game does. `scan` runs above the others, in an interrupt, so
//! that nothing they do can make it late.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(target_os = "none")]
mod firmware;

/// Takes the chip apart into one set of resources per task, starts the tasks, and gets out of the way.
#[cfg(target_os = "none")]
// SAFETY: the start-up code calls this once, and nothing else has the name. (It is not marked as the entry in the usual way, which
// would put it among the code that is copied.)
#[unsafe(export_name = "main")]
extern "C" fn start() -> ! {
    let started = firmware::board::start();
    firmware::ram_code::copy();
    let parts = firmware::board::Parts::of(started);
    firmware::executor::run(|spawner, urgent| begin(parts, spawner, urgent))
}

#[cfg(target_os = "none")]
// SAFETY: a section of code like any other. By its name it stays in flash: it runs once, and is large.
#[unsafe(link_section = ".text.begin")]
#[inline(never)]
fn begin(parts: firmware::board::Parts, spawner: embassy_executor::Spawner, urgent: embassy_executor::SendSpawner) {
    use firmware::battery::METER;
    use firmware::channels::{
        Answers, BATTERY_ASKED, HEARTBEATS, INPUTS, KEY_NEWS, LEARNED, PICTURES, SAVES, SLEEP, SOUNDS,
    };
    use firmware::flash::Flash;
    use firmware::recorder::RECORDING;
    use firmware::{battery, board, game, leds, scan, seed, sound, storage, version, watchdog};
    use lights_out::layout::Layout;

    let board::Parts { keys, leds, piezo, flash, battery, mut watchdog } = parts;
    defmt::info!("lights-out {=str} starts", version::VERSION);
    let only_results = watchdog::too_many_crashes(&mut watchdog);
    METER.connect(battery);
    let mut flash = Flash::new(flash, &RECORDING, &METER);
    let seed = seed::gather(&mut flash);
    let (journal, saved) = storage::open(&mut flash);
    let layout = saved.as_ref().and_then(|saved| saved.layout).unwrap_or(Layout::REFERENCE);
    LEARNED.set(&layout);
    let start = game::Start { seed, saved, layout, only_results };

    // Each task is spawned once, so there is room for it.
    urgent.spawn(
        scan::task(keys, &LEARNED, &RECORDING, &INPUTS, &KEY_NEWS, &SLEEP, &HEARTBEATS.scan).expect("spawned once"),
    );
    let answers = Answers { keys: &KEY_NEWS, inputs: &INPUTS };
    let outputs = game::Outputs {
        pictures: &PICTURES,
        sounds: &SOUNDS,
        saves: &SAVES,
        learned: &LEARNED,
        battery: &BATTERY_ASKED,
        sleep: &SLEEP,
    };
    spawner.spawn(game::task(start, &INPUTS, answers, outputs, &HEARTBEATS.game).expect("spawned once"));
    spawner.spawn(leds::task(leds, &PICTURES, &LEARNED, answers, &SLEEP, &HEARTBEATS.leds).expect("spawned once"));
    spawner.spawn(sound::task(piezo, &SOUNDS, &HEARTBEATS.sound).expect("spawned once"));
    spawner.spawn(storage::task(flash, journal, &SAVES, &KEY_NEWS, &SLEEP, &HEARTBEATS.storage).expect("spawned once"));
    spawner.spawn(battery::task(&METER, &BATTERY_ASKED, &INPUTS).expect("spawned once"));
    spawner.spawn(watchdog::task(watchdog, &HEARTBEATS).expect("spawned once"));
}

/// The firmware cannot run on a computer; whoever tries is told what does.
#[cfg(not(target_os = "none"))]
fn main() {
    eprintln!("lights-out is firmware for a Raspberry Pi Pico.");
    eprintln!("  cargo run --release   flashes one through a debug probe");
    eprintln!("  cargo host-tests      runs every test on this computer");
    std::process::exit(2);
}
