//! Emulated time: cycles of the system clock, and the nanoseconds that they take.
//!
//! The system clock changes its frequency while the firmware starts (6.5 MHz ring oscillator, 12 MHz crystal, 125 MHz
//! PLL). So time is a base plus the cycles since the last change. The base advances by whole seconds, before the
//! product of cycles and 10^9 can overflow. No rounding error accumulates, at any frequency.

/// Nanoseconds in a second.
const SECOND: u64 = 1_000_000_000;

/// Limit of the system clock, in Hz. A program can set a PLL to more than a real chip can run at, and each emulated
/// second would then take that many cycles to emulate.
const FASTEST: u64 = 400_000_000;

/// Counter of cycles and of time.
#[derive(Clone, Debug)]
pub(crate) struct Clock {
    /// Cycles since power-on. A reset does not clear them.
    cycles: u64,
    hz: u64,
    base_cycles: u64,
    base_ns: u64,
}

impl Clock {
    /// A clock of `hz` at time 0.
    pub(crate) fn new(hz: u32) -> Self {
        Self { cycles: 0, hz: u64::from(hz).max(1), base_cycles: 0, base_ns: 0 }
    }

    /// The present frequency.
    pub(crate) fn hz(&self) -> u32 {
        self.hz as u32
    }

    /// Cycles since power-on.
    pub(crate) fn cycles(&self) -> u64 {
        self.cycles
    }

    /// Counts cycles.
    pub(crate) fn advance(&mut self, cycles: u64) {
        self.cycles += cycles;
        let since = self.cycles - self.base_cycles;
        if since >= self.hz {
            let seconds = since / self.hz;
            self.base_cycles += seconds * self.hz;
            self.base_ns += seconds * SECOND;
        }
    }

    /// Changes the frequency, to at most 400 MHz.
    pub(crate) fn set_frequency(&mut self, hz: u32) {
        let hz = u64::from(hz).clamp(1, FASTEST);
        if hz != self.hz {
            self.base_ns = self.now_ns();
            self.base_cycles = self.cycles;
            self.hz = hz;
        }
    }

    /// Counts time in which the clock is stopped.
    pub(crate) fn sleep(&mut self, ns: u64) {
        self.base_ns += ns;
    }

    /// Nanoseconds since power-on.
    pub(crate) fn now_ns(&self) -> u64 {
        self.ns_after(0)
    }

    /// Nanoseconds since power-on, `cycles` from now. For a time more than about 10 s ahead, the result saturates.
    pub(crate) fn ns_after(&self, cycles: u64) -> u64 {
        let since = self.cycles - self.base_cycles + cycles;
        self.base_ns + since.saturating_mul(SECOND) / self.hz
    }

    /// The cycles from now to the time `ns`; 0 if that time is in the past. For a time more than 10 s ahead, the result
    /// saturates.
    pub(crate) fn cycles_until(&self, ns: u64) -> u64 {
        let target = ns.saturating_sub(self.base_ns).min(10 * SECOND);
        let total = (target * self.hz).div_ceil(SECOND);
        (self.base_cycles + total).saturating_sub(self.cycles)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycles_at_125_mhz_accumulate_no_rounding_error() {
        let mut clock = Clock::new(125_000_000);
        for _ in 0..10_000 {
            clock.advance(125_000_007);
        }
        assert_eq!(clock.now_ns(), 8 * 125_000_007 * 10_000);
    }

    #[test]
    fn frequency_change_keeps_the_time() {
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
    fn frequency_is_limited_to_400_mhz() {
        let mut clock = Clock::new(1);
        clock.set_frequency(u32::MAX);
        assert_eq!(clock.hz(), 400_000_000);
        clock.set_frequency(0);
        assert_eq!(clock.hz(), 1);
    }

    #[test]
    fn cycles_until_ends_exactly_at_the_time() {
        let mut clock = Clock::new(12_000_000);
        let wait = clock.cycles_until(1_000);
        assert_eq!(wait, 12);
        clock.advance(wait);
        assert_eq!(clock.now_ns(), 1_000);
        assert_eq!(clock.cycles_until(500), 0);
    }
}
