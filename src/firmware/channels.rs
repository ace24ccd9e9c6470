//! The channels between the tasks. Each task receives its channels as arguments. Only `main` names the statics, and the
//! fault handler, which takes no arguments.

use core::cell::Cell;
use core::sync::atomic::{AtomicBool, Ordering};

use embassy_sync::blocking_mutex::Mutex;
use embassy_sync::blocking_mutex::raw::CriticalSectionRawMutex;
use embassy_sync::channel::Channel;
use embassy_sync::signal::Signal;
use lights_out::display::Frame;
use lights_out::game::Input;
use lights_out::layout::{KeyMap, Layout, LedLayout};
use lights_out::save::Save;
use lights_out::sound::Sound;
use lights_out::time::Micros;

use super::watchdog::Heartbeat;

/// Inputs of the game with their time. Producers: `scan` and `battery`. Consumer: `game`.
///
/// The channel has room for more inputs than a player causes before `game` takes them. If it is full nevertheless,
/// `scan` drops the newest input and logs a warning, and `battery` waits. A command and its roll-back are one input, so
/// they are never separated.
pub(crate) type Inputs = Channel<CriticalSectionRawMutex, (Micros, Input), 32>;
pub(crate) static INPUTS: Inputs = Channel::new();

/// A frame with everything that the LED chain needs to show it.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct OutputFrame {
    pub frame: Frame,
    /// 0 to 255.
    pub brightness: u8,
    /// Whether the LEDs are in use. If not, their supply is switched off.
    pub is_lit: bool,
    /// The limit of the current of LEDs and board together, in milliamperes.
    pub current_cap: u32,
}

/// The newest frame. Producer: `game`. Consumer: `leds`. A frame that was not sent yet is replaced.
pub(crate) struct LatestFrame {
    frame: Mutex<CriticalSectionRawMutex, Cell<OutputFrame>>,
    /// Whether the frame is the response to an input. The frame itself is not in the signal, because a signal copies
    /// its value several times.
    changed: Signal<CriticalSectionRawMutex, bool>,
}
pub(crate) static LATEST_FRAME: LatestFrame = LatestFrame {
    frame: Mutex::new(Cell::new(OutputFrame { frame: Frame::DARK, brightness: 0, is_lit: false, current_cap: 0 })),
    changed: Signal::new(),
};

impl LatestFrame {
    /// Called by `game`.
    pub(crate) fn set(&self, frame: &OutputFrame, is_response: bool) {
        self.frame.lock(|latest| latest.set(*frame));
        self.changed.signal(is_response);
    }

    /// Called by `leds`: waits for a new frame, and returns whether it is the response to an input.
    pub(crate) async fn changed(&self) -> bool {
        self.changed.wait().await
    }

    /// Called by `leds`.
    pub(crate) fn get(&self) -> OutputFrame {
        self.frame.lock(Cell::get)
    }
}

/// The layout of keys and LEDs. Set at start-up from the save, and by `game` after teaching.
pub(crate) struct CurrentLayout {
    keys: Signal<CriticalSectionRawMutex, KeyMap>,
    leds: Mutex<CriticalSectionRawMutex, Cell<LedLayout>>,
}
pub(crate) static LAYOUT: CurrentLayout =
    CurrentLayout { keys: Signal::new(), leds: Mutex::new(Cell::new(Layout::REFERENCE.leds)) };

impl CurrentLayout {
    pub(crate) fn set(&self, layout: &Layout) {
        self.keys.signal(layout.keys);
        self.leds.lock(|leds| leds.set(layout.leds));
    }

    /// Called by `scan`: the new key map, if it changed since the last call.
    pub(crate) fn take_new_keys(&self) -> Option<KeyMap> {
        self.keys.try_take()
    }

    /// Called by `leds` for each new frame, and by the fault handler.
    pub(crate) fn leds(&self) -> LedLayout {
        self.leds.lock(Cell::get)
    }
}

/// The newest sound. Producer: `game`. Consumer: `sound`. A new sound interrupts the one that is playing.
pub(crate) type Sounds = Signal<CriticalSectionRawMutex, Sound>;
pub(crate) static SOUNDS: Sounds = Signal::new();

/// The newest save. Producer: `game`. Consumer: `storage`. A save that was not written yet is replaced.
pub(crate) type Saves = Signal<CriticalSectionRawMutex, Save>;
pub(crate) static SAVES: Saves = Signal::new();

/// A request to measure the battery. Producer: `game`. Consumer: `battery`. Two pending requests cause one measurement.
pub(crate) type BatteryRequest = Signal<CriticalSectionRawMutex, ()>;
pub(crate) static BATTERY_REQUEST: BatteryRequest = Signal::new();

/// A request to start the bootloader. Producer: `game`. Consumer: `storage`, because it owns the flash: no write or
/// erase is in progress when it handles the request, so the restart tears no flash operation.
pub(crate) type BootloaderRequest = Signal<CriticalSectionRawMutex, ()>;
pub(crate) static BOOTLOADER_REQUEST: BootloaderRequest = Signal::new();

/// Key activity that other tasks use before the game gets the input. Set by `scan`.
pub(crate) struct KeyActivity {
    is_press_pending: AtomicBool,
}
pub(crate) static KEY_ACTIVITY: KeyActivity = KeyActivity { is_press_pending: AtomicBool::new(false) };

impl KeyActivity {
    pub(crate) fn set(&self, is_press_pending: bool) {
        self.is_press_pending.store(is_press_pending, Ordering::Relaxed);
    }
}

/// For `leds` and `game`: whether a press is pending. The frame that responds to it is due within a millisecond, so
/// other work waits.
#[derive(Clone, Copy)]
pub(crate) struct PressMonitor {
    pub activity: &'static KeyActivity,
    pub inputs: &'static Inputs,
}

impl PressMonitor {
    /// Whether a key is being debounced, or an input waits for the game. Once the game has taken the input, its frame
    /// exists.
    pub(crate) fn is_press_pending(&self) -> bool {
        self.activity.is_press_pending.load(Ordering::Relaxed) || !self.inputs.is_empty()
    }
}

/// The handshake of the tasks before the clocks stop.
///
/// 1. `scan` reports that the handheld is idle: no key was pressed for the idle timeout, or `game` requested sleep
///    because the battery is empty.
/// 2. `leds` reports that the lights are off.
/// 3. `storage` uses the time to erase sectors, then reports that everything is saved.
/// 4. `scan` stops the clocks.
pub(crate) struct SleepHandshake {
    request: Signal<CriticalSectionRawMutex, ()>,
    /// Wakes `storage`, the only task that waits for the flags below.
    changed: Signal<CriticalSectionRawMutex, ()>,
    is_idle: AtomicBool,
    are_lights_off: AtomicBool,
    is_all_saved: AtomicBool,
}
pub(crate) static SLEEP: SleepHandshake = SleepHandshake {
    request: Signal::new(),
    changed: Signal::new(),
    is_idle: AtomicBool::new(false),
    are_lights_off: AtomicBool::new(false),
    is_all_saved: AtomicBool::new(false),
};

impl SleepHandshake {
    /// Called by `game`: requests sleep before the idle timeout.
    pub(crate) fn request(&self) {
        self.request.signal(());
    }

    /// Called by `scan`: whether `game` requested sleep since the last call.
    pub(crate) fn take_request(&self) -> bool {
        self.request.try_take().is_some()
    }

    /// Called by `scan`: waits for a request, and leaves it for [`take_request`](Self::take_request).
    pub(crate) async fn requested(&self) {
        self.request.wait().await;
        self.request.signal(());
    }

    /// Called by `scan` when the handheld becomes idle, and when it is in use again.
    pub(crate) fn set_idle(&self, is_idle: bool) {
        self.is_all_saved.store(false, Ordering::Relaxed);
        self.is_idle.store(is_idle, Ordering::Relaxed);
        self.changed.signal(());
    }

    /// Called by `leds` at every frame.
    pub(crate) fn set_lights_off(&self, are_off: bool) {
        // The comparison is cheaper than the signal.
        if self.are_lights_off.load(Ordering::Relaxed) != are_off {
            self.are_lights_off.store(are_off, Ordering::Relaxed);
            self.changed.signal(());
        }
    }

    /// Called by `storage`.
    pub(crate) fn set_all_saved(&self) {
        self.is_all_saved.store(true, Ordering::Relaxed);
    }

    /// Called by `storage`: whether the handheld is idle and dark. `game` sends the last save before the lights go
    /// off.
    pub(crate) fn has_begun(&self) -> bool {
        self.is_idle.load(Ordering::Relaxed) && self.are_lights_off.load(Ordering::Relaxed)
    }

    /// Called by `storage`: waits until [`has_begun`](Self::has_begun) may have changed.
    pub(crate) async fn changed(&self) {
        self.changed.wait().await;
    }

    /// Called by `scan`: whether the clocks may stop.
    pub(crate) fn is_complete(&self) -> bool {
        self.has_begun() && self.is_all_saved.load(Ordering::Relaxed)
    }
}

/// The heartbeats. Each is set by the task of its name and read by `watchdog`.
pub(crate) struct Heartbeats {
    pub scan: Heartbeat,
    pub game: Heartbeat,
    pub leds: Heartbeat,
    pub sound: Heartbeat,
    pub storage: Heartbeat,
}
pub(crate) static HEARTBEATS: Heartbeats = Heartbeats {
    scan: Heartbeat::new(),
    game: Heartbeat::new(),
    leds: Heartbeat::new(),
    sound: Heartbeat::new(),
    storage: Heartbeat::new(),
};
