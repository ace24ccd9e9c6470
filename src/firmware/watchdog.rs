//! Sees that every task is alive, and lets the hardware watchdog restart the chip when one is not.

use core::sync::atomic::{AtomicBool, Ordering};

use embassy_rp::watchdog::Watchdog;
use embassy_time::{Duration, Timer};

use super::Heartbeats;

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
/// and this one the time since the first of them, in milliseconds.
const UPTIME: usize = 1;
/// So many crashes within [`CRASH_WINDOW`] are too many.
const MAX_CRASHES: u32 = 3;
/// In milliseconds of play; the seconds that the red cross is seen do not count.
const CRASH_WINDOW: u32 = 60_000;

/// Called once after start-up: whether this start is one crash too many.
pub fn too_many_crashes(watchdog: &mut Watchdog) -> bool {
    let in_window = watchdog.get_scratch(UPTIME) <= CRASH_WINDOW;
    let crashes = match watchdog.reset_reason() {
        Some(_) if in_window => watchdog.get_scratch(CRASHES).saturating_add(1),
        Some(_) => 1,
        None => 0,
    };
    let too_many = crashes >= MAX_CRASHES;
    if crashes > 0 {
        defmt::warn!("restarted by the watchdog, {=u32} in a minute", crashes);
    }
    watchdog.set_scratch(CRASHES, if too_many { 0 } else { crashes });
    if !in_window || crashes == 0 || too_many {
        watchdog.set_scratch(UPTIME, 0);
    }
    too_many
}

#[embassy_executor::task]
pub async fn task(mut watchdog: Watchdog, heartbeats: &'static Heartbeats) -> ! {
    let Heartbeats { scan, game, leds, sound, storage } = heartbeats;
    let all = [("scan", scan), ("game", game), ("leds", leds), ("sound", sound), ("storage", storage)];
    watchdog.pause_on_debug(true);
    watchdog.start(TIMEOUT);
    loop {
        Timer::after(ROUND).await;
        let uptime = watchdog.get_scratch(UPTIME).saturating_add(ROUND.as_millis() as u32);
        watchdog.set_scratch(UPTIME, uptime);
        match all.iter().find(|(_, heartbeat)| !heartbeat.was_beating()) {
            None => watchdog.feed(TIMEOUT),
            Some((name, _)) => defmt::error!("the task {=str} gives no sign of life", name),
        }
        all.iter().for_each(|(_, heartbeat)| heartbeat.forget());
    }
}
