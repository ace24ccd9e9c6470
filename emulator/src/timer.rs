//! The microsecond timer with its four alarms. It replaces the one of the emulator crates.
//!
//! The emulator crates derive it from the system clock, so its time jumps when the firmware slows that clock down, as
//! for dormant sleep. The real timer counts ticks that the watchdog's TICK register derives from clk_ref, independent
//! of the system clock. An alarm compares the lower 32 bits, so an alarm that is set to a time in the past fires up to
//! 71 minutes later.
//!
//! Times are nanoseconds since power-on. Registers are addressed by their offset in the block at 0x4005_4000.

/// Nanoseconds in a second.
const SECOND: u128 = 1_000_000_000;

/// Counter, alarms and interrupt registers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Timer {
    /// The count at the time `since`. It increases from then on if there are ticks.
    count: u64,
    since: u64,
    /// Frequency of clk_ref.
    hz: u32,
    /// Cycles of clk_ref per tick; 0: no ticks.
    cycles: u32,
    /// TIMEHR, latched by the last read of TIMELR.
    latched: u32,
    /// TIMEHW as last written.
    written: u32,
    alarms: [u32; 4],
    /// The count at which each armed alarm fires.
    due: [Option<u64>; 4],
    raised: u32,
    enabled: u32,
    forced: u32,
}

impl Timer {
    /// The count at `ns`.
    fn count_at(&self, ns: u64) -> u64 {
        let passed = ns.saturating_sub(self.since);
        let ticks = if self.cycles == 0 || self.hz == 0 {
            0
        } else if self.is_microseconds() {
            passed / 1_000
        } else {
            (u128::from(passed) * u128::from(self.hz) / (u128::from(self.cycles) * SECOND)) as u64
        };
        self.count.wrapping_add(ticks)
    }

    /// Whether a tick is a microsecond, which is the usual case.
    fn is_microseconds(&self) -> bool {
        u64::from(self.hz) == u64::from(self.cycles) * 1_000_000
    }

    /// When the counter reaches `count`, ns since power-on.
    fn time_of(&self, count: u64) -> Option<u64> {
        let ticks = count.saturating_sub(self.count);
        if self.cycles == 0 || self.hz == 0 {
            None
        } else if self.is_microseconds() {
            Some(self.since.saturating_add(ticks.saturating_mul(1_000)))
        } else {
            let ns = (u128::from(ticks) * u128::from(self.cycles) * SECOND).div_ceil(u128::from(self.hz));
            Some(self.since.saturating_add(u64::try_from(ns).unwrap_or(u64::MAX)))
        }
    }

    /// Sets the tick rate: one tick every `cycles` of a clock of `hz`.
    pub(crate) fn set_rate(&mut self, hz: u32, cycles: u32, ns: u64) {
        if (hz, cycles) != (self.hz, self.cycles) {
            self.count = self.count_at(ns);
            self.since = ns;
            (self.hz, self.cycles) = (hz, cycles);
        }
    }

    /// Resets the block.
    pub(crate) fn reset(&mut self, ns: u64) {
        *self = Self { since: ns, hz: self.hz, cycles: self.cycles, ..Self::default() };
    }

    /// Skips a time in which the clocks were stopped.
    pub(crate) fn sleep(&mut self, ns: u64) {
        self.since += ns;
    }

    /// When the next alarm raises its interrupt, ns since power-on.
    pub(crate) fn next(&self) -> Option<u64> {
        let alarms = (0..4).filter(|alarm| self.enabled >> alarm & 1 != 0);
        alarms.filter_map(|alarm| self.due[alarm].and_then(|due| self.time_of(due))).min()
    }

    /// Fires the alarms that are due. Returns the interrupt lines that are high.
    pub(crate) fn poll(&mut self, ns: u64) -> u32 {
        if self.due != [None; 4] {
            let now = self.count_at(ns);
            for (alarm, due) in self.due.iter_mut().enumerate() {
                if due.is_some_and(|due| due <= now) {
                    *due = None;
                    self.raised |= 1 << alarm;
                }
            }
        }
        (self.raised | self.forced) & self.enabled
    }

    /// Reads the register at `offset`.
    pub(crate) fn read(&mut self, offset: u32, ns: u64) -> u32 {
        let count = self.count_at(ns);
        match offset {
            0x08 => self.latched,
            0x0C => {
                self.latched = (count >> 32) as u32;
                count as u32
            }
            0x10..=0x1C => self.alarms[(offset as usize - 0x10) / 4],
            0x20 => (0..4).fold(0, |armed, alarm| armed | u32::from(self.due[alarm].is_some()) << alarm),
            0x24 => (count >> 32) as u32,
            0x28 => count as u32,
            0x34 => {
                self.poll(ns);
                self.raised
            }
            0x38 => self.enabled,
            0x3C => self.forced,
            0x40 => self.poll(ns),
            _ => 0,
        }
    }

    /// Writes the register at `offset`. `alias` is the alias of the bus: 0 write, 1 xor, 2 set, 3 clear.
    pub(crate) fn write(&mut self, offset: u32, value: u32, alias: u32, ns: u64) {
        self.poll(ns);
        let value = crate::chip::alias(self.read(offset, ns), value, alias);
        match offset {
            0x00 => self.written = value,
            0x04 => {
                self.count = u64::from(self.written) << 32 | u64::from(value);
                self.since = ns;
            }
            0x10..=0x1C => {
                let alarm = (offset as usize - 0x10) / 4;
                let now = self.count_at(ns);
                self.alarms[alarm] = value;
                self.due[alarm] = Some(now.wrapping_add(u64::from(value.wrapping_sub(now as u32))));
            }
            0x20 => {
                for alarm in (0..4).filter(|alarm| value >> alarm & 1 != 0) {
                    self.due[alarm] = None;
                }
            }
            0x34 => self.raised &= !value,
            0x38 => self.enabled = value & 0xF,
            0x3C => self.forced = value & 0xF,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1_000_000;

    fn running() -> Timer {
        let mut timer = Timer::default();
        timer.set_rate(12_000_000, 12, 0);
        timer
    }

    #[test]
    fn counter_follows_the_tick_rate() {
        let mut timer = running();
        assert_eq!(timer.read(0x28, 5 * MS + 999), 5_000);
        timer.set_rate(6_500_000, 12, 5 * MS);
        assert_eq!(timer.read(0x28, 5 * MS + 12 * MS), 5_000 + 6_500);
        timer.set_rate(12_000_000, 0, 17 * MS);
        assert_eq!(timer.read(0x28, 99 * MS), 11_500, "the counter stops without ticks");
        timer.sleep(82 * MS);
        timer.set_rate(12_000_000, 12, 99 * MS);
        assert_eq!(timer.read(0x28, 100 * MS), 12_500);
    }

    #[test]
    fn alarm_fires_once_and_stays_raised_until_cleared() {
        let mut timer = running();
        timer.write(0x38, 1 << 2, 2, 0);
        timer.write(0x18, 1_500, 0, MS);
        assert_eq!(timer.next(), Some(1_500_000));
        assert_eq!(timer.read(0x20, MS), 1 << 2);
        assert_eq!(timer.poll(1_499_999), 0);
        assert_eq!(timer.poll(1_500_000), 1 << 2);
        assert_eq!((timer.next(), timer.read(0x40, 2 * MS)), (None, 1 << 2));
        timer.write(0x34, 1 << 2, 0, 2 * MS);
        assert_eq!(timer.poll(3 * MS), 0);
    }

    #[test]
    fn alarm_in_the_past_fires_after_the_lower_half_wraps() {
        let mut timer = running();
        timer.write(0x38, 1, 0, 0);
        timer.write(0x10, 999, 0, MS);
        assert_eq!(timer.next(), Some(((1 << 32) + 999) * 1_000));
        timer.write(0x20, 1, 0, MS);
        assert_eq!(timer.next(), None, "disarmed");
    }

    #[test]
    fn upper_half_is_latched_with_the_lower() {
        let mut timer = running();
        timer.write(0x00, 7, 0, 0);
        timer.write(0x04, u32::MAX, 0, 0);
        assert_eq!((timer.read(0x0C, 0), timer.read(0x08, 0)), (u32::MAX, 7));
        assert_eq!((timer.read(0x08, 2_000), timer.read(0x24, 2_000)), (7, 8));
        timer.write(0x3C, 2, 0, 0);
        assert_eq!(timer.poll(0), 0, "forced but not enabled");
        timer.write(0x38, 2, 0, 0);
        assert_eq!(timer.poll(0), 2);
        timer.reset(MS);
        assert_eq!((timer.read(0x28, 2 * MS), timer.poll(2 * MS)), (1_000, 0));
    }
}
