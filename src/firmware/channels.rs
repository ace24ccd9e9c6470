//! What passes between the tasks. Each is handed to those who use it as an argument; `main` is the only place that names the
//! statics.

use core::cell::Cell;
use core::sync::atomic::{AtomicBool, Ordering};

use embassy_sync::blocking_mutex::Mutex;
use embassy_sync::blocking_mutex::raw::CriticalSectionRawMutex;
use embassy_sync::channel::Channel;
use embassy_sync::signal::Signal;
use lights_out::keys::Input;
use lights_out::layout::{KeyMap, Layout, Lights};
use lights_out::picture::Frame;
use lights_out::save::Save;
use lights_out::sound::Sound;
use lights_out::time::Micros;

use super::watchdog::Heartbeat;

/// What the player did, and when. Produced by `scan`, and by `battery`, which adds what it found; consumed by `game`. When it is
/// full, which takes more keys than a player has fingers, `scan` drops the newest and says so in the log, and `battery` waits; a
/// command and what it takes back are one message, so they come or go together.
pub type Inputs = Channel<CriticalSectionRawMutex, (Micros, Input), 32>;
pub static INPUTS: Inputs = Channel::new();

/// What the lights are to show.
#[derive(Clone, Copy, PartialEq)]
pub struct Picture {
    pub frame: Frame,
    /// Of 255.
    pub brightness: u8,
    /// Whether anybody looks: if not, the supply of the lights is cut.
    pub is_lit: bool,
    /// What it may draw together with the board, in milliamperes.
    pub cap: u32,
}

/// The newest picture. Produced by `game`, consumed by `leds`; one that was not sent in time is replaced.
pub struct Pictures {
    newest: Mutex<CriticalSectionRawMutex, Cell<Picture>>,
    /// Whether it answers the player, who waits for it. The picture is not in here, because a signal copies what it carries
    /// several times on its way.
    changed: Signal<CriticalSectionRawMutex, bool>,
}
pub static PICTURES: Pictures = Pictures {
    newest: Mutex::new(Cell::new(Picture { frame: Frame::DARK, brightness: 0, is_lit: false, cap: 0 })),
    changed: Signal::new(),
};

impl Pictures {
    /// By `game`.
    pub fn show(&self, picture: &Picture, is_answer: bool) {
        self.newest.lock(|newest| newest.set(*picture));
        self.changed.signal(is_answer);
    }

    /// For `leds`: waits for another picture, and tells whether it is an answer.
    pub async fn changed(&self) -> bool {
        self.changed.wait().await
    }

    /// For `leds`.
    pub fn newest(&self) -> Picture {
        self.newest.lock(Cell::get)
    }
}

/// Where keys and lights are. Set at start from the save, and by `game` when it was taught otherwise.
pub struct Learned {
    keys: Signal<CriticalSectionRawMutex, KeyMap>,
    lights: Mutex<CriticalSectionRawMutex, Cell<Lights>>,
}
pub static LEARNED: Learned = Learned { keys: Signal::new(), lights: Mutex::new(Cell::new(Layout::REFERENCE.lights)) };

impl Learned {
    pub fn set(&self, layout: &Layout) {
        self.keys.signal(layout.keys);
        self.lights.lock(|lights| lights.set(layout.lights));
    }

    /// For `scan`: where the keys are, if that is news.
    pub fn new_keys(&self) -> Option<KeyMap> {
        self.keys.try_take()
    }

    /// For `leds` with each new picture, of which there is one after every lesson, and for the fault handler.
    pub fn lights(&self) -> Lights {
        self.lights.lock(Cell::get)
    }
}

/// The newest sound. Produced by `game`, consumed by `sound`; it cuts short the one before.
pub type Sounds = Signal<CriticalSectionRawMutex, Sound>;
pub static SOUNDS: Sounds = Signal::new();

/// The newest save. Produced by `game`, consumed by `storage`; one that was not written in time is replaced.
pub type Saves = Signal<CriticalSectionRawMutex, Save>;
pub static SAVES: Saves = Signal::new();

/// The battery is to be read. Produced by `game`, consumed by `battery`; asking twice is asking once.
pub type BatteryAsked = Signal<CriticalSectionRawMutex, ()>;
pub static BATTERY_ASKED: BatteryAsked = Signal::new();

/// The bootloader is to start. Produced by `game`, consumed by `storage`: it owns the flash, so it knows that no write or erase is
/// under way, which the restart would tear.
pub type BootloaderAsked = Signal<CriticalSectionRawMutex, ()>;
pub static BOOTLOADER_ASKED: BootloaderAsked = Signal::new();

/// What others have to know of the keys before the game does. Set by `scan`.
pub struct KeyNews {
    press_is_likely: AtomicBool,
}
pub static KEY_NEWS: KeyNews = KeyNews { press_is_likely: AtomicBool::new(false) };

impl KeyNews {
    pub fn set(&self, press_is_likely: bool) {
        self.press_is_likely.store(press_is_likely, Ordering::Relaxed);
    }

    /// Read through [`Answers`]: whether a press is half seen, so that the next picture may have to go out within a millisecond.
    pub fn press_is_likely(&self) -> bool {
        self.press_is_likely.load(Ordering::Relaxed)
    }
}

/// Tells `leds` and `game` whether a picture may have to go out within a millisecond: what can wait waits for it.
#[derive(Clone, Copy)]
pub struct Answers {
    pub keys: &'static KeyNews,
    pub inputs: &'static Inputs,
}

impl Answers {
    /// A press is half seen, or whole and not taken by the game yet; once it is taken, its picture is there.
    pub fn may_come(&self) -> bool {
        self.keys.press_is_likely() || !self.inputs.is_empty()
    }
}

/// How the tasks go to sleep together: when nobody has touched a key for long, or `game` wants it because the battery is empty,
/// `scan` says that nobody plays, `leds` that the lights are out, and `storage`, after it used the time to erase flash, that there
/// is nothing left to do. Then `scan` stops the clocks.
pub struct Sleep {
    is_wanted: Signal<CriticalSectionRawMutex, ()>,
    /// For `storage`, the only one who waits for what is below.
    changed: Signal<CriticalSectionRawMutex, ()>,
    nobody_plays: AtomicBool,
    lights_are_out: AtomicBool,
    all_is_saved: AtomicBool,
}
pub static SLEEP: Sleep = Sleep {
    is_wanted: Signal::new(),
    changed: Signal::new(),
    nobody_plays: AtomicBool::new(false),
    lights_are_out: AtomicBool::new(false),
    all_is_saved: AtomicBool::new(false),
};

impl Sleep {
    /// By `game`: it is time.
    pub fn want(&self) {
        self.is_wanted.signal(());
    }

    /// For `scan`: whether `game` wanted it since it was last asked.
    pub fn take_wanted(&self) -> bool {
        self.is_wanted.try_take().is_some()
    }

    /// For `scan`: waits for it.
    pub async fn wanted(&self) {
        self.is_wanted.wait().await;
        self.is_wanted.signal(());
    }

    /// By `scan`: nobody plays, or somebody does again.
    pub fn set_nobody_plays(&self, nobody: bool) {
        self.all_is_saved.store(false, Ordering::Relaxed);
        self.nobody_plays.store(nobody, Ordering::Relaxed);
        self.changed.signal(());
    }

    /// By `leds`.
    pub fn set_lights_are_out(&self, out: bool) {
        // At every frame: the signal costs more than the look.
        if self.lights_are_out.load(Ordering::Relaxed) != out {
            self.lights_are_out.store(out, Ordering::Relaxed);
            self.changed.signal(());
        }
    }

    /// By `storage`.
    pub fn set_all_is_saved(&self) {
        self.all_is_saved.store(true, Ordering::Relaxed);
    }

    /// For `storage`: nobody plays and nobody sees a light. The lights go out after the last save was handed over.
    pub fn has_begun(&self) -> bool {
        self.nobody_plays.load(Ordering::Relaxed) && self.lights_are_out.load(Ordering::Relaxed)
    }

    /// For `storage`: waits until that may be different.
    pub async fn changed(&self) {
        self.changed.wait().await;
    }

    /// For `scan`: everybody is ready.
    pub fn is_complete(&self) -> bool {
        self.has_begun() && self.all_is_saved.load(Ordering::Relaxed)
    }
}

/// Signs of life. Each is set by the task of its name and read by `watchdog`.
pub struct Heartbeats {
    pub scan: Heartbeat,
    pub game: Heartbeat,
    pub leds: Heartbeat,
    pub sound: Heartbeat,
    pub storage: Heartbeat,
}
pub static HEARTBEATS: Heartbeats = Heartbeats {
    scan: Heartbeat::new(),
    game: Heartbeat::new(),
    leds: Heartbeat::new(),
    sound: Heartbeat::new(),
    storage: Heartbeat::new(),
};
