//! The watchdog, which the emulators leave out: a counter that resets the chip when the firmware stops feeding it.
//!
//! Writing LOAD sets the counter. On the RP2040 it falls by two each microsecond (erratum RP2040-E1), so the deadline is LOAD/2 us
//! away; on the RP2350 it falls by one. The counter runs on the 1 us tick that is made from clk_ref, on the RP2040 by its own
//! register TICK, on the RP2350 by the TICKS block, and only while CTRL.ENABLE is set; bits that pause it for a debugger are stored and
//! mean nothing here. The reset takes everything but SRAM, the SCRATCH registers
//! and REASON, which tells a timeout (bit 0) from a forced reset (bit 1, by CTRL.TRIGGER).
//!
//! Time comes in as nanoseconds since power-on; registers are addressed by their offset in the block.

use crate::silicon::Chip;

/// The counter has 24 bits.
const COUNTER: u32 = 0x00FF_FFFF;
const ENABLE: u32 = 1 << 30;
const TRIGGER: u32 = 1 << 31;
const PAUSE: u32 = 0b111 << 24;
const TICK_ENABLE: u32 = 1 << 9;

/// Why the chip was reset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResetCause {
    /// The watchdog ran out.
    Watchdog,
    /// The firmware asked for it through the watchdog's TRIGGER bit.
    Forced,
    /// The firmware asked for it through the core's SYSRESETREQ.
    System,
}

/// Registers of the block, and when it bites.
#[derive(Clone, Debug)]
pub(crate) struct Watchdog {
    chip: Chip,
    control: u32,
    tick: u32,
    reason: u32,
    scratch: [u32; 8],
    /// Counter at `since`; it has been falling from then on if it runs.
    counter: u32,
    since: u64,
    triggered: bool,
}

impl Watchdog {
    /// As after power-on.
    pub fn new(chip: Chip) -> Self {
        Self { chip, control: 0, tick: 0, reason: 0, scratch: [0; 8], counter: 0, since: 0, triggered: false }
    }

    /// Nanoseconds in which the counter falls by one.
    fn ns_per_count(&self) -> u64 {
        match self.chip {
            Chip::Rp2040 => 500,
            Chip::Rp2350 => 1_000,
        }
    }

    /// Another block makes its ticks, or does not.
    pub fn set_ticks(&mut self, on: bool, ns: u64) {
        self.settle(ns);
        self.tick = if on { TICK_ENABLE } else { 0 };
    }

    fn runs(&self) -> bool {
        self.control & ENABLE != 0 && self.tick & TICK_ENABLE != 0
    }

    /// Cycles of clk_ref from one tick to the next, which the timer counts as well; 0 without ticks.
    pub fn tick_cycles(&self) -> u32 {
        if self.tick & TICK_ENABLE != 0 { self.tick & 0x1FF } else { 0 }
    }

    fn counter_at(&self, ns: u64) -> u32 {
        if !self.runs() {
            return self.counter;
        }
        let fallen = ns.saturating_sub(self.since) / self.ns_per_count();
        u32::try_from(u64::from(self.counter).saturating_sub(fallen)).unwrap_or(0)
    }

    /// When it will reset the chip if nothing feeds it, in ns since power-on.
    pub fn deadline(&self) -> Option<u64> {
        if self.triggered {
            return Some(0);
        }
        self.runs().then(|| self.since + u64::from(self.counter) * self.ns_per_count())
    }

    /// Reads the register at `offset`.
    pub fn read(&self, offset: u32, ns: u64) -> u32 {
        match offset {
            0x00 => self.control & (ENABLE | PAUSE) | self.counter_at(ns),
            0x08 => self.reason,
            0x0C..=0x28 => self.scratch[(offset as usize - 0x0C) / 4],
            // RUNNING follows ENABLE.
            0x2C if self.chip == Chip::Rp2040 => self.tick | (self.tick & TICK_ENABLE) << 1,
            _ => 0,
        }
    }

    /// Writes the register at `offset`; `alias` is the bus's 0 write, 1 xor, 2 set, 3 clear.
    pub fn write(&mut self, offset: u32, value: u32, alias: u32, ns: u64) {
        let value = crate::chip::alias(self.read(offset, ns), value, alias);
        match offset {
            0x00 => {
                self.settle(ns);
                self.control = value & (ENABLE | PAUSE);
                self.triggered |= value & TRIGGER != 0;
            }
            0x04 => {
                self.counter = value & COUNTER;
                self.since = ns;
            }
            0x0C..=0x28 => self.scratch[(offset as usize - 0x0C) / 4] = value,
            0x2C if self.chip == Chip::Rp2040 => {
                self.settle(ns);
                self.tick = value & 0x3FF;
            }
            _ => {}
        }
    }

    /// Brings the counter up to date before what makes it run changes.
    fn settle(&mut self, ns: u64) {
        self.counter = self.counter_at(ns);
        self.since = ns;
    }

    /// The chip is reset for `cause`: REASON tells it, SCRATCH stays, the rest is as after power-on. (TICK too: the ticks
    /// come back when the firmware sets them up again.)
    pub fn reset(&mut self, cause: ResetCause) {
        let reason = match cause {
            ResetCause::Watchdog => 1,
            ResetCause::Forced => 2,
            ResetCause::System => self.reason,
        };
        *self = Self { reason, scratch: self.scratch, ..Self::new(self.chip) };
    }

    /// SCRATCH is empty: the power was off, and the boot ROM that resets the chip after an update clears SCRATCH4, where the
    /// next boot would look for another place to go to. (It leaves the others alone.)
    pub fn forget(&mut self) {
        self.scratch = [0; 8];
    }

    /// The clocks stood still so long, and the counter with them.
    pub fn sleep(&mut self, ns: u64) {
        self.since += ns;
    }

    /// Which reset is due at `ns`, if any.
    pub fn due(&self, ns: u64) -> Option<ResetCause> {
        if self.triggered {
            return Some(ResetCause::Forced);
        }
        self.deadline().filter(|&deadline| deadline <= ns).map(|_| ResetCause::Watchdog)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1_000_000;

    fn started(load: u32) -> Watchdog {
        let mut dog = Watchdog::new(Chip::Rp2040);
        dog.write(0x2C, TICK_ENABLE | 12, 0, 0);
        dog.write(0x04, load, 0, 0);
        dog.write(0x00, ENABLE, 2, 0);
        dog
    }

    #[test]
    fn it_bites_after_load_half_microseconds() {
        let dog = started(4_000_000);
        assert_eq!(dog.deadline(), Some(2_000 * MS));
        assert_eq!(dog.due(2_000 * MS - 1), None);
        assert_eq!(dog.due(2_000 * MS), Some(ResetCause::Watchdog));
        assert_eq!(dog.read(0x00, 1_000 * MS) & COUNTER, 2_000_000);
    }

    #[test]
    fn the_rp2350_s_takes_twice_as_long_and_its_ticks_from_elsewhere() {
        let mut dog = Watchdog::new(Chip::Rp2350);
        dog.write(0x2C, TICK_ENABLE | 12, 0, 0);
        dog.write(0x04, 2_000, 0, 0);
        dog.write(0x00, ENABLE, 2, 0);
        assert_eq!((dog.deadline(), dog.read(0x2C, 0)), (None, 0));
        dog.set_ticks(true, MS);
        assert_eq!(dog.deadline(), Some(3 * MS));
        dog.set_ticks(false, 2 * MS);
        assert_eq!((dog.deadline(), dog.read(0x00, 5 * MS) & COUNTER), (None, 1_000));
    }

    #[test]
    fn feeding_moves_the_deadline_and_disabling_stops_it() {
        let mut dog = started(2_000);
        dog.write(0x04, 2_000, 0, MS / 2);
        assert_eq!(dog.deadline(), Some(MS / 2 + MS));
        dog.write(0x00, ENABLE, 3, MS);
        assert_eq!(dog.deadline(), None);
        dog.write(0x00, ENABLE, 2, 10 * MS);
        assert_eq!(dog.deadline(), Some(10 * MS + MS / 2), "it goes on where it stopped");
    }

    #[test]
    fn no_tick_no_bite() {
        let mut dog = started(2_000);
        dog.write(0x2C, 12, 0, 0);
        assert_eq!(dog.due(u64::MAX), None);
    }

    #[test]
    fn scratch_and_reason_survive() {
        let mut dog = started(2_000);
        dog.write(0x0C, 7, 0, 0);
        dog.write(0x28, 0xF0, 0, 0);
        dog.write(0x28, 0x0F, 2, 0);
        dog.reset(ResetCause::Watchdog);
        assert_eq!((dog.read(0x08, 0), dog.read(0x0C, 0), dog.read(0x28, 0)), (1, 7, 0xFF));
        assert_eq!(dog.deadline(), None);
        dog.write(0x00, TRIGGER, 0, 0);
        assert_eq!(dog.due(0), Some(ResetCause::Forced));
        dog.reset(ResetCause::Forced);
        assert_eq!(dog.read(0x08, 0), 2);
    }
}
