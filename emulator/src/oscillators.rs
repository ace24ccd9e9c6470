//! The crystal and the PLLs: when each of them runs, and whether a clock uses one that does not run.

use crate::chip::ChipState;
use crate::chip_interface::Chip;
use crate::ring_oscillator::RingOscillator;

/// Offsets and reset values of a PLL's registers CS, PWR, FBDIV_INT and PRIM.
pub(crate) const PLL_RESET_VALUES: [(u32, u32); 4] = [(0x0, 1), (0x4, 0x2D), (0x8, 0), (0xC, 0x7_7000)];

impl ChipState {
    /// Switches the crystal on. It is stable when the delay in its register STARTUP has passed since its first
    /// oscillation. The delay counts periods of the crystal.
    fn start_crystal(&mut self, startup: u32, now: u64) {
        /// Frequency of the crystal.
        const HZ: u64 = 12_000_000;
        /// Periods of the crystal in one count of the delay.
        const PERIODS: u64 = 256;
        const X4: u32 = 1 << 20;
        let times = if startup & X4 != 0 { 4 } else { 1 };
        let delay = u64::from(startup & 0x3FFF) * times * PERIODS * 1_000_000_000 / HZ;
        let fails = self.crystal_starts < self.crystal_failures;
        self.crystal_starts = self.crystal_starts.saturating_add(1);
        let start = if fails { u64::MAX } else { self.crystal_start };
        self.crystal = Some(now.saturating_add(start).saturating_add(delay));
    }

    /// Write to CTRL of the crystal oscillator. A value of ENABLE that is neither the one for on nor the one for off
    /// switches the crystal on in the RP2040, and has no effect in the RP2350.
    pub(crate) fn control_crystal(&mut self, control: u32, startup: u32, now: u64) {
        const ENABLE: u32 = 0xFAB;
        const DISABLE: u32 = 0xD1E;
        match (control >> 12 & 0xFFF, self.kind) {
            (DISABLE, _) => self.crystal = None,
            (ENABLE, _) | (_, Chip::Rp2040) if self.crystal.is_none() => self.start_crystal(startup, now),
            _ => {}
        }
    }

    /// Resets the oscillators: the crystal is off, the ring oscillator runs at its reset frequency.
    pub(crate) fn stop_oscillators(&mut self) {
        self.crystal = None;
        self.ring = RingOscillator::new(self.kind);
    }

    /// Write to a PLL. It locks 15 us after it is switched on or its multiplier is set, independent of the system
    /// clock. That is about the 2000 cycles at 150 MHz of the emulator crates, whose author saw a PLL still unlocked
    /// after 1133 cycles. We have not measured it.
    pub(crate) fn pll_changed(&mut self, pll: usize, power: u32, multiplier: u32, now: u64) {
        const LOCK_NS: u64 = 15_000;
        /// PD and VCOPD.
        const OFF: u32 = 1 | 1 << 5;
        let runs = power & OFF == 0 && multiplier & 0xFFF != 0;
        self.pll_locks[pll] = runs.then(|| self.pll_locks[pll].unwrap_or(now + LOCK_NS));
    }

    /// Whether a PLL has locked. It needs a stable crystal.
    pub(crate) fn is_locked(&self, pll: usize, now: u64) -> bool {
        [self.crystal, self.pll_locks[pll]].iter().all(|ready| ready.is_some_and(|at| at <= now))
    }

    /// Checks that the sources of clk_ref and clk_sys run, after a change of their CTRL registers or of a source. A
    /// real chip stops if a source does not run: permanently, or until the crystal starts.
    pub(crate) fn clocks_selected(&mut self, reference: u32, system: u32, now: u64) {
        const CRYSTAL: u32 = 2;
        const AUXILIARY: u32 = 1;
        const PLL_SYS: u32 = 0;
        const AUXILIARY_CRYSTAL: u32 = 3;
        let crystal = self.crystal.is_some_and(|at| at <= now);
        let reference_runs = reference & 3 != CRYSTAL || crystal;
        let system_runs = system & 1 != AUXILIARY
            || match system >> 5 & 7 {
                PLL_SYS => self.is_locked(0, now),
                AUXILIARY_CRYSTAL => crystal,
                _ => true,
            };
        self.invalid_clock_sources += u64::from(!reference_runs || !system_runs);
    }
}
