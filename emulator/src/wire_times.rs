//! How long a bit on the LED wire may be high and low, by the data sheets of the parts that makers buy.
//!
//! A bit is a high pulse and the low that follows. How long the pulse is tells a zero from a one. The parts that are sold
//! as "WS2812B" follow three data sheets, and nobody knows which of them is on the reel: a good firmware keeps all three.
//! Low times of the newest part are printed in more than one version, so only its pulses are judged.
//!
//! Limits are taken as printed, with nothing added for the rounding of a PIO's fractional divider: a pulse that is at a limit
//! on paper is one cycle beyond it on the pin.

use core::time::Duration;

/// From here on a pulse is read as a one, in ns: between the longest zero and the shortest one of every part but the
/// oldest, whose limits leave no room for a common threshold.
const ONE: u64 = 500;

/// Whose data sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DataSheet {
    /// WS2812B, the first edition.
    Ws2812b,
    /// SK6812 and SK6812MINI-E.
    Sk6812,
    /// WS2812B V5 and newer.
    Ws2812bV5,
}

/// One of the four times that a data sheet prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BitTime {
    /// T0H: a zero is high.
    ZeroHigh,
    /// T1H: a one is high.
    OneHigh,
    /// T0L: a zero is low after that.
    ZeroLow,
    /// T1L: a one is low after that.
    OneLow,
}

impl DataSheet {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Ws2812b, Self::Sk6812, Self::Ws2812bV5];

    /// The shortest and the longest time allowed, in ns; `None` where the sheet is not judged.
    pub const fn limits(self, time: BitTime) -> Option<(u64, u64)> {
        match (self, time) {
            (Self::Ws2812b, BitTime::ZeroHigh) => close_to(400),
            (Self::Ws2812b, BitTime::OneHigh) => close_to(800),
            (Self::Ws2812b, BitTime::ZeroLow) => close_to(850),
            (Self::Ws2812b, BitTime::OneLow) => close_to(450),
            (Self::Sk6812, BitTime::ZeroHigh) => close_to(300),
            (Self::Sk6812, BitTime::OneHigh | BitTime::OneLow) => close_to(600),
            (Self::Sk6812, BitTime::ZeroLow) => close_to(900),
            (Self::Ws2812bV5, BitTime::ZeroHigh) => Some((220, 380)),
            (Self::Ws2812bV5, BitTime::OneHigh) => Some((580, 1000)),
            (Self::Ws2812bV5, _) => None,
        }
    }

    /// Whether this sheet allows the time.
    pub const fn allows(self, time: BitTime, ns: u64) -> bool {
        match self.limits(time) {
            Some((least, most)) => least <= ns && ns <= most,
            None => true,
        }
    }
}

/// Most times are printed as a typical one, +-150 ns.
const fn close_to(typical: u64) -> Option<(u64, u64)> {
    Some((typical - 150, typical + 150))
}

/// Whether a pulse of so many ns is taken for a one.
pub(crate) const fn is_one(pulse: u64) -> bool {
    pulse >= ONE
}

/// The shortest and the longest of some times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extremes {
    /// The shortest.
    pub least: Duration,
    /// The longest.
    pub most: Duration,
}

/// The extremes of all bits seen so far. Low times are those inside a frame: the last bit of one has none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WireTimes {
    /// T0H.
    pub zero_high: Option<Extremes>,
    /// T1H.
    pub one_high: Option<Extremes>,
    /// T0L.
    pub zero_low: Option<Extremes>,
    /// T1L.
    pub one_low: Option<Extremes>,
}

impl WireTimes {
    /// One more.
    pub(crate) fn add(&mut self, time: BitTime, ns: u64) {
        let seen = match time {
            BitTime::ZeroHigh => &mut self.zero_high,
            BitTime::OneHigh => &mut self.one_high,
            BitTime::ZeroLow => &mut self.zero_low,
            BitTime::OneLow => &mut self.one_low,
        };
        let ns = Duration::from_nanos(ns);
        let extremes = seen.get_or_insert(Extremes { least: ns, most: ns });
        *extremes = Extremes { least: extremes.least.min(ns), most: extremes.most.max(ns) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sheets that refuse a zero and a one of these lengths, high and low, in ns.
    fn refusing(zero: (u64, u64), one: (u64, u64)) -> Vec<(DataSheet, BitTime)> {
        let times = [
            (BitTime::ZeroHigh, zero.0),
            (BitTime::ZeroLow, zero.1),
            (BitTime::OneHigh, one.0),
            (BitTime::OneLow, one.1),
        ];
        let judged = times.iter().flat_map(|&(time, ns)| DataSheet::ALL.map(|sheet| (sheet, time, ns)));
        judged.filter(|&(sheet, time, ns)| !sheet.allows(time, ns)).map(|(sheet, time, _)| (sheet, time)).collect()
    }

    #[test]
    fn sixteen_ticks_split_4_5_7_suit_every_part() {
        assert_eq!(refusing((312, 938), (703, 547)), []);
    }

    #[test]
    fn ten_ticks_split_2_5_3_do_not() {
        // T0H 0.25 is a limit of the WS2812B: one cycle of rounding is too much.
        let sk6812 = [(DataSheet::Sk6812, BitTime::OneHigh), (DataSheet::Sk6812, BitTime::OneLow)];
        assert_eq!(refusing((250, 1000), (875, 375)), sk6812);
        assert_eq!(refusing((248, 1000), (875, 375))[0], (DataSheet::Ws2812b, BitTime::ZeroHigh));
    }

    #[test]
    fn extremes_are_kept_for_each_of_the_four() {
        let mut times = WireTimes::default();
        for ns in [300, 280, 320] {
            times.add(BitTime::ZeroHigh, ns);
        }
        times.add(BitTime::OneLow, 500);
        let [least, most, low] = [280, 320, 500].map(Duration::from_nanos);
        assert_eq!(times.zero_high, Some(Extremes { least, most }));
        assert_eq!(times.one_low, Some(Extremes { least: low, most: low }));
        assert_eq!((times.one_high, times.zero_low), (None, None));
    }
}
