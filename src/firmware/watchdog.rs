//! Feeds the hardware watchdog while every task sends its heartbeat. When a task stops, the hardware watchdog resets
//! the chip. The boot stage starts the hardware watchdog, so it covers start-up as well.

use core::sync::atomic::{AtomicBool, Ordering};

use embassy_rp::pac;
use embassy_rp::watchdog::Watchdog;
use embassy_time::{Duration, Timer};

use super::channels::Heartbeats;
use super::chip::WATCHDOG_RESETS;

/// Longest time between two heartbeats of an idle task.
pub(crate) const HEARTBEAT_PERIOD: Duration = Duration::from_millis(250);
/// Period at which the heartbeats are checked. Each task has sent at least one in between.
const CHECK_PERIOD: Duration = Duration::from_millis(500);
/// The chip is reset when no check was successful for this time.
const TIMEOUT: Duration = Duration::from_millis(2000);

/// The heartbeat of one task. A flag, because the Cortex-M0+ has no atomic increment.
pub(crate) struct Heartbeat(AtomicBool);

impl Heartbeat {
    pub(crate) const fn new() -> Self {
        Self(AtomicBool::new(false))
    }

    /// Called by the task in each pass of its loop.
    pub(crate) fn beat(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    fn has_beaten(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    fn clear(&self) {
        self.0.store(false, Ordering::Relaxed);
    }
}

// Scratch registers keep their values through a watchdog reset, and lose them with the power.

/// Scratch register: the weighted number of crashes.
const CRASHES: usize = 0;
/// Scratch register: the time since the first of these crashes, in milliseconds.
const UPTIME: usize = 1;
/// Scratch register: one of the marks below, or 0.
///
/// The chip's REASON register alone does not identify a crash. It also reports a watchdog reset when the boot ROM
/// leaves after an update over USB, and keeps that value when a probe resets the core later. The RP2350's boot ROM
/// overwrites this scratch register when it leaves after an update, because it uses registers 2 and 3 for its own
/// parameters. So an update does not count as a crash. Otherwise the boot ROM uses registers 4 to 7.
const MARK: usize = 2;
/// Mark: the watchdog runs, and REASON was 0. If REASON is set at the next start, that was a crash.
const ARMED: u32 = 0x4C69_6768;
/// Mark: the watchdog runs, but REASON was set already. The next start may follow a crash or a reset by a probe.
const ARMED_AGAIN: u32 = 0x7473_2D4F;
/// Mark: a crash was detected.
const CRASHED: u32 = 0x7574_2121;

/// Weight of a crash.
const CRASH: u32 = 4;
/// Weight of a reset that may have been a crash.
const DOUBTFUL: u32 = 1;
/// Limit of the weighted number within [`CRASH_WINDOW`]: three crashes.
const TOO_MANY: u32 = 3 * CRASH;
/// The time within which crashes are counted, in milliseconds of play. The time of the fault screen does not count.
const CRASH_WINDOW: u32 = 60_000;

/// The state of the hardware watchdog before the boot stage started it.
#[derive(Clone, Copy)]
pub(crate) struct StateBeforeBoot(pac::watchdog::regs::Ctrl);

impl StateBeforeBoot {
    /// Called once, when the LEDs can be driven. From then on a fault shows the fault screen instead of resetting at
    /// once.
    pub(crate) fn take() -> Self {
        let found = pac::WATCHDOG.scratch3().read();
        pac::WATCHDOG.scratch3().write_value(0);
        Self(pac::watchdog::regs::Ctrl(found))
    }

    /// Whether the watchdog was running: yes after a reset by a debugger, no after a watchdog reset.
    fn is_running(self) -> bool {
        self.0.enable() && self.0.time() > 0
    }
}

/// Whether the chip is between the boot stage and [`StateBeforeBoot::take`].
pub(crate) fn is_starting() -> bool {
    pac::WATCHDOG.scratch3().read() != 0
}

/// Called once after start-up: counts a crash, and returns whether there were too many within the window.
pub(crate) fn has_crashed_too_often(watchdog: &mut Watchdog, before: StateBeforeBoot) -> bool {
    let crash = weight_of_last_reset(watchdog, before);
    let in_window = watchdog.get_scratch(UPTIME) <= CRASH_WINDOW;
    let earlier = if crash > 0 && in_window { watchdog.get_scratch(CRASHES) } else { 0 };
    let crashes = earlier.saturating_add(crash);
    let too_many = crashes >= TOO_MANY;
    if crash > 0 {
        defmt::warn!("watchdog reset, {=u32} within a minute", crashes.div_ceil(CRASH));
    }
    watchdog.set_scratch(MARK, 0);
    watchdog.set_scratch(CRASHES, if too_many { 0 } else { crashes });
    if earlier == 0 || too_many {
        watchdog.set_scratch(UPTIME, 0);
    }
    too_many
}

/// The weight of the last reset as a crash.
fn weight_of_last_reset(watchdog: &mut Watchdog, before: StateBeforeBoot) -> u32 {
    match watchdog.get_scratch(MARK) {
        CRASHED => CRASH,
        ARMED if watchdog.reset_reason().is_some() => CRASH,
        ARMED_AGAIN if watchdog.reset_reason().is_some() && !before.is_running() => DOUBTFUL,
        _ => 0,
    }
}

/// Called by the fault handler: marks the crash, and resets the chip after this time.
pub(crate) fn restart_after_crash(watchdog: &mut Watchdog, after: Duration) {
    watchdog.set_scratch(MARK, CRASHED);
    start(watchdog, after);
}

/// Starts the hardware watchdog, or restarts it with another timeout.
fn start(watchdog: &mut Watchdog, timeout: Duration) {
    watchdog.start(timeout);
    // embassy-rp writes the RP2040's bits on both chips, and omits the crystal oscillator.
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
        Timer::after(CHECK_PERIOD).await;
        let uptime = watchdog.get_scratch(UPTIME).saturating_add(CHECK_PERIOD.as_millis() as u32);
        watchdog.set_scratch(UPTIME, uptime);
        match all.iter().find(|(_, heartbeat)| !heartbeat.has_beaten()) {
            None => {
                watchdog.set_scratch(MARK, armed);
                watchdog.feed(TIMEOUT);
            }
            Some((name, _)) => {
                defmt::error!("no heartbeat from task {=str}", name);
                watchdog.set_scratch(MARK, CRASHED);
            }
        }
        all.iter().for_each(|(_, heartbeat)| heartbeat.clear());
    }
}
