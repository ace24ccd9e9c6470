//! The watchdog, which the emulators leave out: a counter that resets the chip when the firmware stops feeding it.
//!
//! Writing LOAD sets the counter, which falls with each tick: by two on the RP2040 (erratum RP2040-E1), by one on the RP2350. Ticks are
//! made from clk_ref, one in so many of its cycles, on the RP2040 by the register TICK of this block, on the RP2350 by the TICKS block. So
//! they are microseconds only if those cycles fit the frequency of clk_ref: the ring oscillator's after a reset, the crystal's later. Without
//! ticks, or without CTRL.ENABLE, the counter stands still. Bits that pause it for a debugger are stored and mean nothing here.
//!
//! What the watchdog resets is chosen by WDSEL in the power-on state machine, PSM: a bit for each stage, in the order in which they come out
//! of reset; a stage that is reset takes those behind it along. With no bit set, nothing happens. WDSEL is 0 after a reset. The reset
//! takes everything but SRAM, the SCRATCH registers and REASON, which tells a timeout (bit 0) from a forced reset (bit 1, by CTRL.TRIGGER),
//! and it stops the crystal only if WDSEL says so.
//!
//! Time comes in as nanoseconds since power-on; registers are addressed by their offset in the block.

use crate::silicon::Chip;

/// The counter has 24 bits.
const COUNTER: u32 = 0x00FF_FFFF;
const ENABLE: u32 = 1 << 30;
const TRIGGER: u32 = 1 << 31;
const PAUSE: u32 = 0b111 << 24;
const TICK_ENABLE: u32 = 1 << 9;
const TICK_CYCLES: u32 = 0x1FF;
/// Nanoseconds in a second.
const SECOND: u128 = 1_000_000_000;

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
    /// TICK of the RP2040, and on the RP2350 what the TICKS block says in the same form.
    tick: u32,
    /// Frequency of clk_ref.
    reference: u32,
    /// WDSEL of the PSM.
    selected: u32,
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
        Self {
            chip,
            control: 0,
            tick: 0,
            reference: 0,
            selected: 0,
            reason: 0,
            scratch: [0; 8],
            counter: 0,
            since: 0,
            triggered: false,
        }
    }

    /// By how much the counter falls with each tick.
    fn counts_per_tick(&self) -> u64 {
        match self.chip {
            Chip::Rp2040 => 2,
            Chip::Rp2350 => 1,
        }
    }

    /// Another block makes its ticks, from so many cycles of clk_ref each; 0: none.
    pub fn set_ticks(&mut self, cycles: u32, ns: u64) {
        self.settle(ns);
        self.tick = if cycles == 0 { 0 } else { TICK_ENABLE | cycles & TICK_CYCLES };
    }

    /// clk_ref has this frequency from now on; 0: it stands still.
    pub fn set_reference(&mut self, hz: u32, ns: u64) {
        if hz != self.reference {
            self.settle(ns);
            self.reference = hz;
        }
    }

    /// WDSEL is written; `alias` as for [`Watchdog::write`].
    pub fn select(&mut self, value: u32, alias: u32) {
        self.selected = crate::chip::alias(self.selected, value, alias) & (self.last_stage() * 2 - 1);
    }

    /// WDSEL.
    pub fn selected(&self) -> u32 {
        self.selected
    }

    /// The bit of the second core, the last stage.
    fn last_stage(&self) -> u32 {
        match self.chip {
            Chip::Rp2040 => 1 << 16,
            Chip::Rp2350 => 1 << 24,
        }
    }

    /// Whether a reset takes the first core, which runs the firmware: every stage but the last does.
    fn resets_core(&self) -> bool {
        self.selected & (self.last_stage() - 1) != 0
    }

    /// Whether a reset takes the crystal oscillator.
    pub fn resets_crystal(&self) -> bool {
        let up_to_crystal = match self.chip {
            Chip::Rp2040 => 0b11,
            Chip::Rp2350 => 0b1111,
        };
        self.selected & up_to_crystal != 0
    }

    fn runs(&self) -> bool {
        self.control & ENABLE != 0 && self.tick_cycles() != 0 && self.reference != 0
    }

    /// Cycles of clk_ref from one tick to the next, which the timer counts as well; 0 without ticks.
    pub fn tick_cycles(&self) -> u32 {
        if self.tick & TICK_ENABLE != 0 { self.tick & TICK_CYCLES } else { 0 }
    }

    fn counter_at(&self, ns: u64) -> u32 {
        if !self.runs() {
            return self.counter;
        }
        let passed = u128::from(ns.saturating_sub(self.since));
        let ticks = passed * u128::from(self.reference) / (u128::from(self.tick_cycles()) * SECOND);
        let fallen = u64::try_from(ticks).unwrap_or(u64::MAX).saturating_mul(self.counts_per_tick());
        u32::try_from(u64::from(self.counter).saturating_sub(fallen)).unwrap_or(0)
    }

    /// When it will reset the chip if nothing feeds it, in ns since power-on.
    pub fn deadline(&self) -> Option<u64> {
        if !self.resets_core() {
            return None;
        }
        if self.triggered {
            return Some(0);
        }
        self.runs().then(|| {
            let ticks = u64::from(self.counter).div_ceil(self.counts_per_tick());
            let cycles = u128::from(ticks) * u128::from(self.tick_cycles());
            let ns = (cycles * SECOND).div_ceil(u128::from(self.reference));
            self.since.saturating_add(u64::try_from(ns).unwrap_or(u64::MAX))
        })
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

    /// The chip is reset for `cause`: REASON tells it (SYSRESETREQ leaves it on the RP2040, and clears it on the
    /// RP2350), SCRATCH stays, the rest is as after power-on. (TICK too: the ticks come back when the firmware sets
    /// them up again.)
    pub fn reset(&mut self, cause: ResetCause) {
        let reason = match cause {
            ResetCause::Watchdog => 1,
            ResetCause::Forced => 2,
            ResetCause::System => match self.chip {
                Chip::Rp2040 => self.reason,
                Chip::Rp2350 => 0,
            },
        };
        *self = Self { reason, scratch: self.scratch, reference: self.reference, ..Self::new(self.chip) };
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
        let cause = if self.triggered { ResetCause::Forced } else { ResetCause::Watchdog };
        self.deadline().filter(|&deadline| deadline <= ns).map(|_| cause)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1_000_000;

    fn started(load: u32) -> Watchdog {
        let mut dog = Watchdog::new(Chip::Rp2040);
        dog.set_reference(12_000_000, 0);
        dog.select(0x1_FFFC, 0);
        dog.write(0x2C, TICK_ENABLE | 12, 0, 0);
        dog.write(0x04, load, 0, 0);
        dog.write(0x00, ENABLE, 2, 0);
        dog
    }

    #[test]
    fn a_tick_lasts_as_long_as_clk_ref_makes_it() {
        let mut dog = started(4_000);
        dog.set_reference(6_000_000, MS);
        assert_eq!(dog.deadline(), Some(3 * MS), "the second half takes twice as long");
        dog.write(0x2C, TICK_ENABLE | 6, 0, 2 * MS);
        assert_eq!(dog.deadline(), Some(2 * MS + MS / 2), "and the last quarter as long as at first");
        dog.set_reference(0, 2 * MS);
        assert_eq!(dog.due(u64::MAX), None, "without clk_ref it stands still");
    }

    #[test]
    fn it_resets_only_what_is_selected() {
        let mut dog = started(2_000);
        for (selected, resets_core, resets_crystal) in [
            (0, false, false),
            (1 << 16, false, false),
            (1 << 15, true, false),
            (0b100, true, false),
            (0b10, true, true),
        ] {
            dog.select(selected, 0);
            assert_eq!(dog.due(MS).is_some(), resets_core, "{selected:#x}");
            assert_eq!(dog.resets_crystal(), resets_crystal, "{selected:#x}");
        }
        dog.reset(ResetCause::Watchdog);
        assert_eq!(dog.selected(), 0);
        let mut dog = Watchdog::new(Chip::Rp2350);
        dog.select(0x1_FFFC, 0);
        assert!(dog.resets_crystal(), "the mask of the RP2040 takes both oscillators of the RP2350 along");
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
        dog.set_reference(12_000_000, 0);
        dog.select(1 << 23, 0);
        dog.write(0x2C, TICK_ENABLE | 12, 0, 0);
        dog.write(0x04, 2_000, 0, 0);
        dog.write(0x00, ENABLE, 2, 0);
        assert_eq!((dog.deadline(), dog.read(0x2C, 0)), (None, 0));
        dog.set_ticks(12, MS);
        assert_eq!(dog.deadline(), Some(3 * MS));
        dog.set_ticks(0, 2 * MS);
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
    fn system_reset_clears_reason_on_the_rp2350_only() {
        for (chip, reason) in [(Chip::Rp2040, 1), (Chip::Rp2350, 0)] {
            let mut dog = Watchdog::new(chip);
            dog.reset(ResetCause::Watchdog);
            dog.reset(ResetCause::System);
            assert_eq!(dog.read(0x08, 0), reason, "{chip:?}");
        }
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
        assert_eq!(dog.due(0), None, "nothing is selected");
        dog.select(0x1_FFFC, 0);
        assert_eq!(dog.due(0), Some(ResetCause::Forced));
        dog.reset(ResetCause::Forced);
        assert_eq!(dog.read(0x08, 0), 2);
    }
}
