//! Flash operations: the boot ROM erases and programs the flash while the core waits.
//!
//! A call of a flash function in the boot ROM is split into units of one sector or one page. The core waits for each
//! unit. The peripherals keep running meanwhile, and interrupts are taken. After the last unit the emulator crate gets
//! the changed image and the boot ROM returns. A power cut during a unit tears it: see `power_cut`.

use crate::chip_interface::Position;
use crate::flash::{FlashCall, Unit};
use crate::machine::Machine;
use crate::power_cut::PowerCut;
use crate::profiler::FlashWork;

/// Cycles of a flash function with a length of 0: the call and its return.
const EMPTY_CALL: u64 = 30;

/// A flash operation in progress.
#[derive(Debug)]
pub(crate) struct FlashOperation {
    /// The unit in progress.
    pub unit: Option<Unit>,
    /// The rest of the call.
    call: FlashCall,
    /// The position at which the core waits.
    pub caller: Position,
    /// Start of the unit, ns since power-on.
    pub began: u64,
    /// End of the unit, ns since power-on.
    pub ends: u64,
}

impl Machine {
    /// Starts a call of a flash function.
    pub(crate) fn start_flash_operation(&mut self, call: FlashCall) {
        if call.is_done() {
            return self.return_from_rom(EMPTY_CALL);
        }
        self.chip.flash_guard.is_busy = true;
        self.profiler.flash_operation_started(if call.is_erase() { FlashWork::Erase } else { FlashWork::Program });
        let now = self.now();
        let vsys = self.chip.vsys(now, false);
        self.lowest_write = Some(self.lowest_write.map_or(vsys, |lowest| lowest.min(vsys)));
        self.work =
            Some(FlashOperation { unit: None, call, caller: self.chip_model.position(), began: now, ends: now });
        self.start_unit();
    }

    /// Starts the next unit. After the last one the boot ROM returns.
    fn start_unit(&mut self) {
        let now = self.now();
        let Some(work) = &mut self.work else { return };
        let chip_model = &self.chip_model;
        work.unit = work.call.next_unit(self.flash.image().len(), |address| chip_model.peek8(address));
        let Some(unit) = &work.unit else {
            self.work = None;
            self.chip.flash_guard.is_busy = false;
            self.chip_model.load_flash(self.flash.image());
            return self.chip_model.return_from_rom();
        };
        let time = self.times.of(unit, self.flash.operations());
        work.began = now;
        work.ends = now + time.as_nanos() as u64;
    }

    /// Lets time pass up to `stop`, or to the end of the unit at `ends`. Then the unit takes effect and the next one
    /// starts.
    pub(crate) fn wait_for_flash(&mut self, stop: u64, ends: u64) {
        if self.now() >= ends {
            if let Some(unit) = self.work.as_mut().and_then(|work| work.unit.take()) {
                self.flash.apply(&unit);
                if let Some(PowerCut::Operation { after, .. }) = &mut self.cut {
                    *after = after.saturating_sub(1);
                }
            }
            return self.start_unit();
        }
        self.chip_model.raise_interrupts(&mut self.chip);
        if self.chip_model.is_interrupted(&mut self.chip) {
            self.run_core(self.now());
        } else {
            self.wait_awake(stop.min(ends));
        }
    }
}
