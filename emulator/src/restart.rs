//! Ends and beginnings: the boot ROM's time, resets, an update of the firmware, dormant sleep.

use crate::firmware::Firmware;
use crate::machine::{Death, Machine};
use crate::watchdog::ResetCause;
use core::time::Duration;

/// Resets kept in full; more are only counted.
const MOST_RESETS: usize = 10_000;

/// A reset of the chip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reset {
    /// When, since power-on.
    pub at: Duration,
    /// Why.
    pub cause: ResetCause,
}

impl Machine {
    /// The chip begins anew: the boot ROM runs for its time, on the ring oscillator, then the firmware.
    pub fn boot(&mut self) {
        if !self.silicon.boot(&mut self.chip) {
            self.death = Some(Death::BootRom);
        }
        self.starts = self.now() + self.boot_rom;
    }

    /// The chip is reset. Its RAM stays, and the flash chip with all it holds.
    pub fn reset(&mut self, cause: ResetCause) {
        self.read_log();
        self.log.restart();
        self.meter.abandon();
        // The flash chip is not reset: it finishes what it is doing.
        if let Some(unit) = self.work.take().and_then(|work| work.unit) {
            self.flash.apply(&unit);
            self.silicon.load_flash(self.flash.image());
        }
        self.reset_count += 1;
        if self.resets.len() < MOST_RESETS {
            self.resets.push(Reset { at: Duration::from_nanos(self.now()), cause });
        }
        if cause != ResetCause::System && self.chip.watchdog.resets_crystal() {
            self.chip.stop_oscillators();
        }
        self.chip.watchdog.reset(cause);
        self.boot();
        self.listen();
    }

    /// The boot ROM has written a firmware that came by USB, with BOOTSEL held while the power came on, and leaves by its own
    /// watchdog.
    pub fn update(&mut self, firmware: &Firmware) {
        self.read_log();
        let log = core::mem::take(&mut self.log).moved(firmware.symbol("_SEGGER_RTT").map(|symbol| symbol.address));
        self.firmware = firmware.clone();
        self.flash.install(firmware);
        self.silicon.load_flash(self.flash.image());
        self.reset(ResetCause::Watchdog);
        self.chip.watchdog.forget();
        self.log = log;
    }

    /// Clocks are stopped: only time passes, until a pin wakes the chip or `until` is reached.
    pub fn stay_dormant(&mut self, until: u64) {
        let chip = &mut self.chip;
        if chip.pins.wakes() {
            chip.dormant = false;
            return;
        }
        let slept = until.saturating_sub(chip.clock.now_ns());
        chip.clock.sleep(slept);
        chip.watchdog.sleep(slept);
        chip.timer.sleep(slept);
    }
}
