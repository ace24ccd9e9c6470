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

#[embassy_executor::task]
pub async fn task(mut watchdog: Watchdog, heartbeats: &'static Heartbeats) -> ! {
    let all = [("scan", &heartbeats.scan), ("play", &heartbeats.play), ("leds", &heartbeats.leds)];
    watchdog.pause_on_debug(true);
    watchdog.start(TIMEOUT);
    loop {
        Timer::after(ROUND).await;
        match all.iter().find(|(_, heartbeat)| !heartbeat.was_beating()) {
            None => watchdog.feed(TIMEOUT),
            Some((name, _)) => defmt::error!("the task {=str} gives no sign of life", name),
        }
        all.iter().for_each(|(_, heartbeat)| heartbeat.forget());
    }
}
