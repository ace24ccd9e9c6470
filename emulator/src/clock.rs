//! Emulated time: cycles of the system clock, and the nanoseconds they amount to.
//!
//! The system clock changes its frequency while the firmware starts (6.5 MHz ring oscillator, 12 MHz crystal, 125 MHz
//! PLL), so time is kept as a base plus the cycles since the last change. The base moves on by whole seconds before the
//! product of cycles and 10^9 could overflow: at 125 MHz, or any other frequency, no rounding error ever accumulates.

/// Nanoseconds in a second.
const SECOND: u64 = 1_000_000_000;

/// The fastest system clock, in Hz. A PLL can be set to more than any chip could follow; a second then would take as
/// many cycles to emulate.
const FASTEST: u64 = 400_000_000;

/// Cycles counted, and the time they took.
#[derive(Clone, Debug)]
pub struct Clock {
    /// Cycles since power-on, through every reset.
    cycles: u64,
    hz: u64,
    base_cycles: u64,
    base_ns: u64,
}

impl Clock {
    /// Time zero at `hz`.
    pub fn new(hz: u32) -> Self {
        Self { cycles: 0, hz: u64::from(hz).max(1), base_cycles: 0, base_ns: 0 }
    }

    /// Cycles in a second, from now on.
    pub fn hz(&self) -> u32 {
        self.hz as u32
    }

    /// Cycles since power-on.
    pub fn cycles(&self) -> u64 {
        self.cycles
    }

    /// Lets cycles pass.
    pub fn advance(&mut self, cycles: u64) {
        self.cycles += cycles;
        let since = self.cycles - self.base_cycles;
        if since >= self.hz {
            let seconds = since / self.hz;
            self.base_cycles += seconds * self.hz;
            self.base_ns += seconds * SECOND;
        }
    }

    /// From now on a cycle lasts 1/`hz`, and not less than 2.5 ns.
    pub fn set_frequency(&mut self, hz: u32) {
        let hz = u64::from(hz).clamp(1, FASTEST);
        if hz != self.hz {
            self.base_ns = self.now_ns();
            self.base_cycles = self.cycles;
            self.hz = hz;
        }
    }

    /// Lets time pass in which the clock stands still.
    pub fn sleep(&mut self, ns: u64) {
        self.base_ns += ns;
    }

    /// Nanoseconds since power-on.
    pub fn now_ns(&self) -> u64 {
        self.ns_after(0)
    }

    /// Nanoseconds since power-on at `cycles` from now; far futures (over 10 s) saturate.
    pub fn ns_after(&self, cycles: u64) -> u64 {
        let since = self.cycles - self.base_cycles + cycles;
        self.base_ns + since.saturating_mul(SECOND) / self.hz
    }

    /// The cycles from now until `ns` is reached; 0 when it is past. Far futures saturate.
    pub fn cycles_until(&self, ns: u64) -> u64 {
        let target = ns.saturating_sub(self.base_ns).min(10 * SECOND);
        let total = (target * self.hz).div_ceil(SECOND);
        (self.base_cycles + total).saturating_sub(self.cycles)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cycle_at_125_mhz_is_8_ns_for_hours() {
        let mut clock = Clock::new(125_000_000);
        for _ in 0..10_000 {
            clock.advance(125_000_007);
        }
        assert_eq!(clock.now_ns(), 8 * 125_000_007 * 10_000);
    }

    #[test]
    fn a_change_of_frequency_keeps_the_time() {
        let mut clock = Clock::new(6_500_000);
        clock.advance(6_500);
        assert_eq!(clock.now_ns(), 1_000_000);
        clock.set_frequency(125_000_000);
        assert_eq!(clock.now_ns(), 1_000_000);
        clock.advance(125);
        assert_eq!(clock.now_ns(), 1_001_000);
        assert_eq!(clock.cycles(), 6_625);
    }

    #[test]
    fn no_chip_runs_at_4_ghz() {
        let mut clock = Clock::new(1);
        clock.set_frequency(u32::MAX);
        assert_eq!(clock.hz(), 400_000_000);
        clock.set_frequency(0);
        assert_eq!(clock.hz(), 1);
    }

    #[test]
    fn cycles_until_reaches_the_moment_and_no_more() {
        let mut clock = Clock::new(12_000_000);
        let wait = clock.cycles_until(1_000);
        assert_eq!(wait, 12);
        clock.advance(wait);
        assert_eq!(clock.now_ns(), 1_000);
        assert_eq!(clock.cycles_until(500), 0);
    }
}
