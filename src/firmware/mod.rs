//! The thin shell around the game: one task, one file. Nothing here decides what the game does.
//!
//! ```text
//! keys -> scan -- INPUTS --> play -- PICTURES --> leds -> LEDs
//!           \                 | \-- SOUNDS ----> sound -> piezo
//!            \                |  \-- SAVES ----> storage -> flash
//!            \_______________ | ________________/
//!                        HEARTBEATS -> watchdog
//! ```
//! `scan` runs above the others, in an interrupt, so that nothing they do can make it late.

mod board;
mod fault;
mod game;
mod leds;
mod scan;
mod seed;
mod sound;
mod storage;
mod version;
mod watchdog;

use defmt_rtt as _;
use panic_probe as _;

use embassy_executor::{InterruptExecutor, Spawner};
use embassy_rp::interrupt;
use embassy_rp::interrupt::{InterruptExt, Priority};
use embassy_sync::blocking_mutex::raw::CriticalSectionRawMutex;
use embassy_sync::channel::Channel;
use embassy_sync::signal::Signal;
use embassy_time::Instant;
use lights_out::gesture::Input;
use lights_out::picture::Frame;
use lights_out::save::Save;
use lights_out::sound::Sound;
use lights_out::time::Micros;

use storage::KeysUp;
use watchdog::Heartbeat;

/// What the player did, and when. Produced by `scan`, consumed by `play`. When it is full, which takes more keys than a
/// player has fingers, `scan` drops the newest and says so in the log.
type Inputs = Channel<CriticalSectionRawMutex, (Micros, Input), 32>;
static INPUTS: Inputs = Channel::new();

/// What the lights are to show.
#[derive(Clone, Copy, PartialEq)]
struct Picture {
    frame: Frame,
    /// Of 255.
    brightness: u8,
    /// Whether anybody looks: if not, the supply of the lights is cut.
    awake: bool,
}

/// The newest picture. Produced by `play`, consumed by `leds`; one that was not sent in time is replaced.
type Pictures = Signal<CriticalSectionRawMutex, Picture>;
static PICTURES: Pictures = Signal::new();

/// The newest sound. Produced by `play`, consumed by `sound`; it cuts short the one before.
type Sounds = Signal<CriticalSectionRawMutex, Sound>;
static SOUNDS: Sounds = Signal::new();

/// The newest save. Produced by `play`, consumed by `storage`; one that was not written in time is replaced.
type Saves = Signal<CriticalSectionRawMutex, Save>;
static SAVES: Saves = Signal::new();

/// Since when all keys are up. Set by `scan`, read by `storage`.
static KEYS_UP: KeysUp = KeysUp::new();

/// Signs of life. Each is set by the task of its name and read by `watchdog`.
struct Heartbeats {
    scan: Heartbeat,
    game: Heartbeat,
    leds: Heartbeat,
    sound: Heartbeat,
    storage: Heartbeat,
}
static HEARTBEATS: Heartbeats = Heartbeats {
    scan: Heartbeat::new(),
    game: Heartbeat::new(),
    leds: Heartbeat::new(),
    sound: Heartbeat::new(),
    storage: Heartbeat::new(),
};

/// Runs `scan`, in a software interrupt.
static SCAN_EXECUTOR: InterruptExecutor = InterruptExecutor::new();

#[interrupt]
unsafe fn SWI_IRQ_0() {
    // SAFETY: this is the handler of the interrupt that the executor was started on, and nothing else calls it.
    unsafe { SCAN_EXECUTOR.on_interrupt() }
}

defmt::timestamp!("{=u64:us}", Instant::now().as_micros());

#[embassy_executor::main]
async fn main(spawner: Spawner) {
    let board::Board { keys, leds, piezo, mut flash, mut watchdog } = board::Board::take();
    defmt::info!("lights-out {=str} starts", version::VERSION);
    let seed = seed::gather(&mut flash);
    let (journal, saved) = storage::open(&mut flash);
    let start = game::Start { seed, saved, only_results: watchdog::too_many_crashes(&mut watchdog) };

    // Below the timer's own interrupt, so that it can be late by no more than a scan.
    interrupt::SWI_IRQ_0.set_priority(Priority::P2);
    let scan_spawner = SCAN_EXECUTOR.start(interrupt::SWI_IRQ_0);
    // Each task is spawned once, so there is room for it.
    scan_spawner.spawn(scan::task(keys, &INPUTS, &KEYS_UP, &HEARTBEATS.scan).expect("spawned once"));
    spawner.spawn(game::task(start, &INPUTS, &PICTURES, &SOUNDS, &SAVES, &HEARTBEATS.game).expect("spawned once"));
    spawner.spawn(leds::task(leds, &PICTURES, &HEARTBEATS.leds).expect("spawned once"));
    spawner.spawn(sound::task(piezo, &SOUNDS, &HEARTBEATS.sound).expect("spawned once"));
    spawner.spawn(storage::task(flash, journal, &SAVES, &KEYS_UP, &HEARTBEATS.storage).expect("spawned once"));
    spawner.spawn(watchdog::task(watchdog, &HEARTBEATS).expect("spawned once"));
}
