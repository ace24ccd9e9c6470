//! The watchdog: a counter that resets the chip when the firmware stops feeding it. The emulator crates do not have it.
//!
//! A write to LOAD sets the counter. Each tick decrements it, by two on the RP2040 (erratum RP2040-E1) and by one on
//! the RP2350. Ticks are derived from clk_ref, one tick in a number of cycles, on the RP2040 by the register TICK of
//! this block, on the RP2350 by the TICKS block. So a tick is a microsecond only if that number fits the frequency of
//! clk_ref, whose source is the ring oscillator after a reset and the crystal later. Without ticks, or without
//! CTRL.ENABLE, the counter does not change. The bits that pause it for a debugger are stored but have no effect.
//!
//! The register WDSEL of the power-on state machine (PSM) selects what the watchdog resets. It has a bit for each
//! stage, in the order in which the stages leave reset. A reset of a stage also resets all later stages. If no bit is
//! set, nothing is reset. WDSEL is 0 after a reset. The reset does not change SRAM, the SCRATCH registers and REASON.
//! REASON distinguishes a timeout (bit 0) from a forced reset (bit 1, by CTRL.TRIGGER). The crystal is stopped only if
//! WDSEL selects it.
//!
//! Times are nanoseconds since power-on. Registers are addressed by their offset in the block.

use crate::chip_interface::Chip;

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
    /// Timeout of the watchdog.
    Watchdog,
    /// The firmware requested it through the watchdog's TRIGGER bit.
    Forced,
    /// The firmware or a debug probe requested it through the core's SYSRESETREQ.
    System,
}

/// The registers of the block.
#[derive(Clone, Debug)]
pub(crate) struct Watchdog {
    chip: Chip,
    control: u32,
    /// TICK of the RP2040. On the RP2350: the setting of the TICKS block in the same form.
    tick: u32,
    /// Frequency of clk_ref.
    reference: u32,
    /// WDSEL of the PSM.
    selected: u32,
    reason: u32,
    scratch: [u32; 8],
    /// The counter at the time `since`. It decreases from then on if it runs.
    counter: u32,
    since: u64,
    triggered: bool,
}

impl Watchdog {
    /// The state after power-on.
    pub(crate) fn new(chip: Chip) -> Self {
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

    /// The decrement of the counter at each tick.
    fn counts_per_tick(&self) -> u64 {
        match self.chip {
            Chip::Rp2040 => 2,
            Chip::Rp2350 => 1,
        }
    }

    /// Sets the cycles of clk_ref per tick, if another block generates the ticks; 0: no ticks.
    pub(crate) fn set_ticks(&mut self, cycles: u32, ns: u64) {
        self.settle(ns);
        self.tick = if cycles == 0 { 0 } else { TICK_ENABLE | cycles & TICK_CYCLES };
    }

    /// Sets the frequency of clk_ref; 0: stopped.
    pub(crate) fn set_reference(&mut self, hz: u32, ns: u64) {
        if hz != self.reference {
            self.settle(ns);
            self.reference = hz;
        }
    }

    /// Writes WDSEL. `alias` as for [`Watchdog::write`].
    pub(crate) fn select(&mut self, value: u32, alias: u32) {
        self.selected = crate::chip::alias(self.selected, value, alias) & (self.last_stage() * 2 - 1);
    }

    /// Reads WDSEL.
    pub(crate) fn selected(&self) -> u32 {
        self.selected
    }

    /// The bit of the last stage, the second core.
    fn last_stage(&self) -> u32 {
        match self.chip {
            Chip::Rp2040 => 1 << 16,
            Chip::Rp2350 => 1 << 24,
        }
    }

    /// Whether a reset includes the first core, which runs the firmware. Every stage except the last includes it.
    fn resets_core(&self) -> bool {
        self.selected & (self.last_stage() - 1) != 0
    }

    /// Whether a reset includes the crystal oscillator.
    pub(crate) fn resets_crystal(&self) -> bool {
        let up_to_crystal = match self.chip {
            Chip::Rp2040 => 0b11,
            Chip::Rp2350 => 0b1111,
        };
        self.selected & up_to_crystal != 0
    }

    fn runs(&self) -> bool {
        self.control & ENABLE != 0 && self.tick_cycles() != 0 && self.reference != 0
    }

    /// Cycles of clk_ref per tick, which the timer uses as well; 0 without ticks.
    pub(crate) fn tick_cycles(&self) -> u32 {
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

    /// When the watchdog resets the chip if nothing feeds it, ns since power-on.
    pub(crate) fn deadline(&self) -> Option<u64> {
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
    pub(crate) fn read(&self, offset: u32, ns: u64) -> u32 {
        match offset {
            0x00 => self.control & (ENABLE | PAUSE) | self.counter_at(ns),
            0x08 => self.reason,
            0x0C..=0x28 => self.scratch[(offset as usize - 0x0C) / 4],
            // RUNNING follows ENABLE.
            0x2C if self.chip == Chip::Rp2040 => self.tick | (self.tick & TICK_ENABLE) << 1,
            _ => 0,
        }
    }

    /// Writes the register at `offset`. `alias` is the alias of the bus: 0 write, 1 xor, 2 set, 3 clear.
    pub(crate) fn write(&mut self, offset: u32, value: u32, alias: u32, ns: u64) {
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

    /// Updates the counter before its tick rate or its enable changes.
    fn settle(&mut self, ns: u64) {
        self.counter = self.counter_at(ns);
        self.since = ns;
    }

    /// Resets the block. REASON gets the cause (SYSRESETREQ does not change it on the RP2040, and clears it on the
    /// RP2350). SCRATCH keeps its content. All other registers, including TICK, have their values after power-on.
    pub(crate) fn reset(&mut self, cause: ResetCause) {
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

    /// Clears SCRATCH, as after an update: the power was off before it, and the boot ROM clears SCRATCH4 at its end, so
    /// that the next boot does not find an entry point there. (It does not change the other SCRATCH registers.)
    pub(crate) fn clear_scratch(&mut self) {
        self.scratch = [0; 8];
    }

    /// Skips a time in which the clocks were stopped.
    pub(crate) fn sleep(&mut self, ns: u64) {
        self.since += ns;
    }

    /// The reset that is due at `ns`, if any.
    pub(crate) fn due(&self, ns: u64) -> Option<ResetCause> {
        let cause = if self.triggered { ResetCause::Forced } else { ResetCause::Watchdog };
        self.deadline().filter(|&deadline| deadline <= ns).map(|_| cause)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1_000_000;

    fn started(load: u32) -> Watchdog {
        let mut watchdog = Watchdog::new(Chip::Rp2040);
        watchdog.set_reference(12_000_000, 0);
        watchdog.select(0x1_FFFC, 0);
        watchdog.write(0x2C, TICK_ENABLE | 12, 0, 0);
        watchdog.write(0x04, load, 0, 0);
        watchdog.write(0x00, ENABLE, 2, 0);
        watchdog
    }

    #[test]
    fn tick_length_follows_clk_ref() {
        let mut watchdog = started(4_000);
        watchdog.set_reference(6_000_000, MS);
        assert_eq!(watchdog.deadline(), Some(3 * MS), "the second half takes twice as long");
        watchdog.write(0x2C, TICK_ENABLE | 6, 0, 2 * MS);
        assert_eq!(watchdog.deadline(), Some(2 * MS + MS / 2), "the last quarter is as fast as at first");
        watchdog.set_reference(0, 2 * MS);
        assert_eq!(watchdog.due(u64::MAX), None, "the counter stops without clk_ref");
    }

    #[test]
    fn only_selected_stages_are_reset() {
        let mut watchdog = started(2_000);
        for (selected, resets_core, resets_crystal) in [
            (0, false, false),
            (1 << 16, false, false),
            (1 << 15, true, false),
            (0b100, true, false),
            (0b10, true, true),
        ] {
            watchdog.select(selected, 0);
            assert_eq!(watchdog.due(MS).is_some(), resets_core, "{selected:#x}");
            assert_eq!(watchdog.resets_crystal(), resets_crystal, "{selected:#x}");
        }
        watchdog.reset(ResetCause::Watchdog);
        assert_eq!(watchdog.selected(), 0);
        let mut watchdog = Watchdog::new(Chip::Rp2350);
        watchdog.select(0x1_FFFC, 0);
        assert!(watchdog.resets_crystal(), "the mask of the RP2040 includes both oscillators of the RP2350");
    }

    #[test]
    fn rp2040_times_out_after_load_half_microseconds() {
        let watchdog = started(4_000_000);
        assert_eq!(watchdog.deadline(), Some(2_000 * MS));
        assert_eq!(watchdog.due(2_000 * MS - 1), None);
        assert_eq!(watchdog.due(2_000 * MS), Some(ResetCause::Watchdog));
        assert_eq!(watchdog.read(0x00, 1_000 * MS) & COUNTER, 2_000_000);
    }

    #[test]
    fn rp2350_counts_single_ticks_of_the_ticks_block() {
        let mut watchdog = Watchdog::new(Chip::Rp2350);
        watchdog.set_reference(12_000_000, 0);
        watchdog.select(1 << 23, 0);
        watchdog.write(0x2C, TICK_ENABLE | 12, 0, 0);
        watchdog.write(0x04, 2_000, 0, 0);
        watchdog.write(0x00, ENABLE, 2, 0);
        assert_eq!((watchdog.deadline(), watchdog.read(0x2C, 0)), (None, 0));
        watchdog.set_ticks(12, MS);
        assert_eq!(watchdog.deadline(), Some(3 * MS));
        watchdog.set_ticks(0, 2 * MS);
        assert_eq!((watchdog.deadline(), watchdog.read(0x00, 5 * MS) & COUNTER), (None, 1_000));
    }

    #[test]
    fn feeding_moves_the_deadline_and_disabling_removes_it() {
        let mut watchdog = started(2_000);
        watchdog.write(0x04, 2_000, 0, MS / 2);
        assert_eq!(watchdog.deadline(), Some(MS / 2 + MS));
        watchdog.write(0x00, ENABLE, 3, MS);
        assert_eq!(watchdog.deadline(), None);
        watchdog.write(0x00, ENABLE, 2, 10 * MS);
        assert_eq!(watchdog.deadline(), Some(10 * MS + MS / 2), "the counter continues where it stopped");
    }

    #[test]
    fn no_reset_without_ticks() {
        let mut watchdog = started(2_000);
        watchdog.write(0x2C, 12, 0, 0);
        assert_eq!(watchdog.due(u64::MAX), None);
    }

    #[test]
    fn system_reset_clears_reason_on_the_rp2350_only() {
        for (chip, reason) in [(Chip::Rp2040, 1), (Chip::Rp2350, 0)] {
            let mut watchdog = Watchdog::new(chip);
            watchdog.reset(ResetCause::Watchdog);
            watchdog.reset(ResetCause::System);
            assert_eq!(watchdog.read(0x08, 0), reason, "{chip:?}");
        }
    }

    #[test]
    fn scratch_and_reason_survive_a_reset() {
        let mut watchdog = started(2_000);
        watchdog.write(0x0C, 7, 0, 0);
        watchdog.write(0x28, 0xF0, 0, 0);
        watchdog.write(0x28, 0x0F, 2, 0);
        watchdog.reset(ResetCause::Watchdog);
        assert_eq!((watchdog.read(0x08, 0), watchdog.read(0x0C, 0), watchdog.read(0x28, 0)), (1, 7, 0xFF));
        assert_eq!(watchdog.deadline(), None);
        watchdog.write(0x00, TRIGGER, 0, 0);
        assert_eq!(watchdog.due(0), None, "nothing is selected");
        watchdog.select(0x1_FFFC, 0);
        assert_eq!(watchdog.due(0), Some(ResetCause::Forced));
        watchdog.reset(ResetCause::Forced);
        assert_eq!(watchdog.read(0x08, 0), 2);
    }
}
