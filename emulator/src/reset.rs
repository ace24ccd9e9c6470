//! Boot, resets, updates of the firmware, and dormant sleep.

use crate::firmware::Firmware;
use crate::machine::{Machine, StopReason};
use crate::watchdog::ResetCause;
use core::time::Duration;

/// Limit of the recorded resets. Further ones are only counted.
const MOST_RESETS: usize = 10_000;

/// A reset of the chip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reset {
    /// Time since power-on.
    pub at: Duration,
    /// Cause of the reset.
    pub cause: ResetCause,
}

impl Machine {
    /// Starts the chip: the boot ROM runs for its time on the ring oscillator, then the firmware starts.
    pub(crate) fn boot(&mut self) {
        if !self.chip_model.boot(&mut self.chip) {
            self.stop_reason = Some(StopReason::BootRom);
        }
        self.starts = self.now() + self.boot_rom;
    }

    /// Resets the chip. RAM and flash keep their content.
    pub(crate) fn reset(&mut self, cause: ResetCause) {
        self.read_log();
        self.log.restart();
        self.profiler.abandon();
        // The flash chip is not reset: it finishes its operation.
        if let Some(unit) = self.work.take().and_then(|work| work.unit) {
            self.flash.apply(&unit);
            self.chip_model.load_flash(self.flash.image());
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
        self.update_tone();
    }

    /// Updates the firmware as the boot ROM does in USB mode (BOOTSEL held at power-on): it writes the flash and ends
    /// with a watchdog reset.
    pub(crate) fn update(&mut self, firmware: &Firmware) {
        self.read_log();
        let log = core::mem::take(&mut self.log).moved(firmware.symbol("_SEGGER_RTT").map(|symbol| symbol.address));
        self.firmware = firmware.clone();
        self.flash.install(firmware);
        self.chip_model.load_flash(self.flash.image());
        self.reset(ResetCause::Watchdog);
        self.chip.watchdog.clear_scratch();
        self.log = log;
    }

    /// Lets time pass in dormant sleep, with all clocks stopped, to `until`. A pin interrupt ends the sleep.
    pub(crate) fn stay_dormant(&mut self, until: u64) {
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
