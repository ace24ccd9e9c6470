//! Flash work, and the power cut that tears it.
//!
//! A flash function of the boot ROM is a row of units, one sector or one page each. The core waits while a unit takes its
//! time; the rest of the chip goes on, and interrupts are taken. After the last unit the changed image is given to the emulator and the boot ROM
//! returns. A planned power cut, or cells that give way, end everything at their moment: whatever unit is at work then is left half
//! done.

use crate::flash::{FlashCall, Unit};
use crate::machine::{Death, Machine};
use crate::meter::FlashWork;
use crate::silicon::Position;
use core::time::Duration;

/// When and how the power fails.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PowerCut {
    /// During a flash operation (one sector erased or one page programmed).
    Operation {
        /// How many operations are still to finish before: 0 is the next one.
        after: u64,
        /// How much of its time has passed, 0 to 1.
        fraction: f64,
        /// Which bits are torn.
        seed: u64,
    },
    /// At a moment since power-on; a flash operation at work then is torn.
    At {
        /// When.
        time: Duration,
        /// Which bits are torn.
        seed: u64,
    },
}

/// Cycles of a flash function that is told to do nothing: a call and its return.
const EMPTY_CALL: u64 = 30;

/// The boot ROM is waiting for the flash chip.
#[derive(Debug)]
pub(crate) struct Work {
    /// The unit at work, and the call that it is a part of.
    pub unit: Option<Unit>,
    call: FlashCall,
    /// Where the core waits for it.
    pub caller: Position,
    pub began: u64,
    pub ends: u64,
}

impl Machine {
    /// The boot ROM was told to write or erase.
    pub fn begin_work(&mut self, call: FlashCall) {
        if call.is_done() {
            return self.return_from_rom(EMPTY_CALL);
        }
        self.chip.flash_guard.is_busy = true;
        self.meter.flash_works(if call.erases() { FlashWork::Erase } else { FlashWork::Program });
        let now = self.now();
        let vsys = self.chip.vsys(now, false);
        self.lowest_write = Some(self.lowest_write.map_or(vsys, |lowest| lowest.min(vsys)));
        self.work = Some(Work { unit: None, call, caller: self.silicon.position(), began: now, ends: now });
        self.begin_unit();
    }

    /// The next unit of the flash work starts; after the last, the boot ROM returns.
    fn begin_unit(&mut self) {
        let now = self.now();
        let Some(work) = &mut self.work else { return };
        let silicon = &self.silicon;
        work.unit = work.call.next_unit(self.flash.image().len(), |address| silicon.peek8(address));
        let Some(unit) = &work.unit else {
            self.work = None;
            self.chip.flash_guard.is_busy = false;
            self.silicon.load_flash(self.flash.image());
            return self.silicon.return_from_rom();
        };
        let time = self.times.of(unit, self.flash.operations());
        work.began = now;
        work.ends = now + time.as_nanos() as u64;
    }

    pub fn wait_for_flash(&mut self, stop: u64, ends: u64) {
        if self.now() >= ends {
            if let Some(unit) = self.work.as_mut().and_then(|work| work.unit.take()) {
                self.flash.apply(&unit);
                if let Some(PowerCut::Operation { after, .. }) = &mut self.cut {
                    *after = after.saturating_sub(1);
                }
            }
            return self.begin_unit();
        }
        self.silicon.raise_interrupts(&mut self.chip);
        if self.silicon.is_interrupted(&mut self.chip) {
            self.run_core(self.now());
        } else {
            self.wait_awake(stop.min(ends));
        }
    }

    /// When the planned cut comes, as far as it is known.
    pub fn cut_time(&self) -> Option<u64> {
        match (self.cut?, &self.work) {
            (PowerCut::At { time, .. }, _) => Some(time.as_nanos() as u64),
            (PowerCut::Operation { after: 0, fraction, .. }, Some(work)) => {
                Some(work.began + ((work.ends - work.began) as f64 * fraction.clamp(0.0, 1.0)) as u64)
            }
            _ => None,
        }
    }

    /// The power is gone, as planned or not.
    pub fn cut_power(&mut self, death: Death) {
        let now = self.now();
        if let Some(work) = self.work.take()
            && let Some(unit) = &work.unit
        {
            let length = (work.ends - work.began).max(1) as f64;
            let passed = (now - work.began) as f64 / length;
            let (fraction, seed) = match self.cut.filter(|_| death == Death::PowerCut) {
                Some(PowerCut::Operation { fraction, seed, .. }) => (fraction, seed),
                Some(PowerCut::At { seed, .. }) => (passed, seed),
                None => (passed, now),
            };
            self.flash.tear(unit, fraction, seed);
        }
        self.read_log();
        self.death = Some(death);
    }
}
