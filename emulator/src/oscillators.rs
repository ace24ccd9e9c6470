//! Crystal and PLLs: when each of them runs, and whether a clock was switched to one that does not.

use crate::chip::ChipState;
use crate::ring_oscillator::RingOscillator;
use crate::silicon::Chip;

/// CS, PWR, FBDIV_INT and PRIM of a PLL after a reset, with their offsets.
pub(crate) const PLL_RESET_VALUES: [(u32, u32); 4] = [(0x0, 1), (0x4, 0x2D), (0x8, 0), (0xC, 0x7_7000)];

impl ChipState {
    /// The crystal is switched on. It is stable so many of its own periods after its first swing: the delay in its register STARTUP
    /// counts nothing else.
    fn start_crystal(&mut self, startup: u32, now: u64) {
        /// Frequency of the crystal, and periods to one count of the delay.
        const HZ: u64 = 12_000_000;
        const PERIODS: u64 = 256;
        const X4: u32 = 1 << 20;
        let times = if startup & X4 != 0 { 4 } else { 1 };
        let delay = u64::from(startup & 0x3FFF) * times * PERIODS * 1_000_000_000 / HZ;
        let fails = self.crystal_starts < self.crystal_failures;
        self.crystal_starts = self.crystal_starts.saturating_add(1);
        let swings = if fails { u64::MAX } else { self.crystal_start };
        self.crystal = Some(now.saturating_add(swings).saturating_add(delay));
    }

    /// CTRL of the crystal oscillator is written. A code in ENABLE that is neither on nor off switches it on in the
    /// RP2040, and changes nothing in the RP2350.
    pub fn control_crystal(&mut self, control: u32, startup: u32, now: u64) {
        const ENABLE: u32 = 0xFAB;
        const DISABLE: u32 = 0xD1E;
        match (control >> 12 & 0xFFF, self.kind) {
            (DISABLE, _) => self.crystal = None,
            (ENABLE, _) | (_, Chip::Rp2040) if self.crystal.is_none() => self.start_crystal(startup, now),
            _ => {}
        }
    }

    /// The oscillators are reset: the crystal is off, the ring oscillator runs as it begins.
    pub fn stop_oscillators(&mut self) {
        self.crystal = None;
        self.ring = RingOscillator::new(self.kind);
    }

    /// A PLL was written. It locks a while after it was switched on, or its multiplier set: about the 2000 cycles of
    /// 150 MHz that the emulators take, whose author has seen one unlocked after 1133. Not measured by us. The time is
    /// the PLL's own, whatever the system clock is meanwhile.
    pub fn pll_changed(&mut self, pll: usize, power: u32, multiplier: u32, now: u64) {
        const LOCK_NS: u64 = 15_000;
        /// PD and VCOPD.
        const OFF: u32 = 1 | 1 << 5;
        let runs = power & OFF == 0 && multiplier & 0xFFF != 0;
        self.pll_locks[pll] = runs.then(|| self.pll_locks[pll].unwrap_or(now + LOCK_NS));
    }

    /// Whether a PLL has locked: to the crystal, so not without one.
    pub fn is_locked(&self, pll: usize, now: u64) -> bool {
        [self.crystal, self.pll_locks[pll]].iter().all(|ready| ready.is_some_and(|at| at <= now))
    }

    /// The sources of clk_ref and clk_sys were chosen, as their CTRL registers are now, or one of the sources has
    /// changed: does each of them run? A chip whose clock does not would stand still for ever, or until the crystal
    /// swings.
    pub fn clocks_selected(&mut self, reference: u32, system: u32, now: u64) {
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
        self.dead_clocks += u64::from(!reference_runs || !system_runs);
    }
}
