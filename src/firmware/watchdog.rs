//! Sees that every task is alive, and lets the hardware watchdog restart the chip when one is not. The boot stage has started the
//! hardware watchdog, so that it guards start-up as well.

use core::sync::atomic::{AtomicBool, Ordering};

use embassy_rp::pac;
use embassy_rp::watchdog::Watchdog;
use embassy_time::{Duration, Timer};

use super::channels::Heartbeats;
use super::chip::WATCHDOG_RESETS;

/// A task with nothing to do gives its sign of life at least this often.
pub const PULSE: Duration = Duration::from_millis(250);
/// How often the signs are looked at: each task has given at least one in between.
const ROUND: Duration = Duration::from_millis(500);
/// The chip restarts this long after the last time that all were alive.
const TIMEOUT: Duration = Duration::from_millis(2000);

/// The sign of life of one task. A flag, because the Cortex-M0+ cannot count atomically.
pub struct Heartbeat(AtomicBool);

impl Heartbeat {
    pub const fn new() -> Self {
        Self(AtomicBool::new(false))
    }

    /// Called by the task whenever it comes round its loop.
    pub fn beat(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    fn was_beating(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    fn forget(&self) {
        self.0.store(false, Ordering::Relaxed);
    }
}

/// Scratch registers keep their values through a restart by the watchdog, and lose them with the power. This one counts
/// crashes;
const CRASHES: usize = 0;
/// this one the time since the first of them, in milliseconds;
const UPTIME: usize = 1;
/// and this one says how things stood last. The chip's own word is not enough: it calls it a watchdog's restart as well when
/// the boot ROM leaves after an update over USB, and goes on saying so when a probe resets the core later. The RP2350's boot ROM writes
/// over this one when it leaves after an update (scratch 2 and 3 are what it hands to itself then), which is no crash; it uses 4 to 7 else.
const MARK: usize = 2;
/// We armed the watchdog, and the chip had not been restarted by it before: if it says so now, that was a crash.
const ARMED: u32 = 0x4C69_6768;
/// We armed it, but the chip said so already: now it may have been a crash, or a probe.
const ARMED_AGAIN: u32 = 0x7473_2D4F;
/// We saw the crash.
const CRASHED: u32 = 0x7574_2121;

/// What a crash counts, and a restart that may have been one.
const CRASH: u32 = 4;
const DOUBTFUL: u32 = 1;
/// Three crashes within [`CRASH_WINDOW`] are too many.
const TOO_MANY: u32 = 3 * CRASH;
/// In milliseconds of play; the seconds that the red cross is seen do not count.
const CRASH_WINDOW: u32 = 60_000;

/// How the boot stage found the hardware watchdog.
#[derive(Clone, Copy)]
pub struct Found(pac::watchdog::regs::Ctrl);

impl Found {
    /// Once, when lights can be driven: from now on a fault is shown instead of a restart.
    pub fn take() -> Self {
        let found = pac::WATCHDOG.scratch3().read();
        pac::WATCHDOG.scratch3().write_value(0);
        Self(pac::watchdog::regs::Ctrl(found))
    }

    /// Whether a reset left it running. A debugger's reset does, its own does not.
    fn is_running(self) -> bool {
        self.0.enable() && self.0.time() > 0
    }
}

/// Whether the boot stage has begun and [`Found::take`] was not called yet.
pub fn is_starting() -> bool {
    pac::WATCHDOG.scratch3().read() != 0
}

/// Called once after start-up: whether this start is one crash too many.
pub fn too_many_crashes(watchdog: &mut Watchdog, found: Found) -> bool {
    let crash = last_crash(watchdog, found);
    let in_window = watchdog.get_scratch(UPTIME) <= CRASH_WINDOW;
    let before = if crash > 0 && in_window { watchdog.get_scratch(CRASHES) } else { 0 };
    let crashes = before.saturating_add(crash);
    let too_many = crashes >= TOO_MANY;
    if crash > 0 {
        defmt::warn!("restarted by the watchdog, {=u32} in a minute", crashes.div_ceil(CRASH));
    }
    watchdog.set_scratch(MARK, 0);
    watchdog.set_scratch(CRASHES, if too_many { 0 } else { crashes });
    if before == 0 || too_many {
        watchdog.set_scratch(UPTIME, 0);
    }
    too_many
}

/// What the last restart counts.
fn last_crash(watchdog: &mut Watchdog, found: Found) -> u32 {
    match watchdog.get_scratch(MARK) {
        CRASHED => CRASH,
        ARMED if watchdog.reset_reason().is_some() => CRASH,
        ARMED_AGAIN if watchdog.reset_reason().is_some() && !found.is_running() => DOUBTFUL,
        _ => 0,
    }
}

/// For the fault handler: remembers the crash, and restarts the chip after a while.
pub fn restart_after_crash(watchdog: &mut Watchdog, after: Duration) {
    watchdog.set_scratch(MARK, CRASHED);
    start(watchdog, after);
}

/// Starts it, or starts it again with another timeout.
fn start(watchdog: &mut Watchdog, timeout: Duration) {
    watchdog.start(timeout);
    // The driver writes the RP2040's bits on both chips, and leaves the crystal out.
    pac::PSM.wdsel().write_value(pac::psm::regs::Wdsel(WATCHDOG_RESETS));
}

#[embassy_executor::task]
pub async fn task(mut watchdog: Watchdog, heartbeats: &'static Heartbeats) -> ! {
    let Heartbeats { scan, game, leds, sound, storage } = heartbeats;
    let all = [("scan", scan), ("game", game), ("leds", leds), ("sound", sound), ("storage", storage)];
    watchdog.pause_on_debug(true);
    let armed = if watchdog.reset_reason().is_none() { ARMED } else { ARMED_AGAIN };
    watchdog.set_scratch(MARK, armed);
    start(&mut watchdog, TIMEOUT);
    loop {
        Timer::after(ROUND).await;
        let uptime = watchdog.get_scratch(UPTIME).saturating_add(ROUND.as_millis() as u32);
        watchdog.set_scratch(UPTIME, uptime);
        match all.iter().find(|(_, heartbeat)| !heartbeat.was_beating()) {
            None => {
                watchdog.set_scratch(MARK, armed);
                watchdog.feed(TIMEOUT);
            }
            Some((name, _)) => {
                defmt::error!("the task {=str} gives no sign of life", name);
                watchdog.set_scratch(MARK, CRASHED);
            }
        }
        all.iter().for_each(|(_, heartbeat)| heartbeat.forget());
    }
}
