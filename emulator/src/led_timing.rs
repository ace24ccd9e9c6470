//! The bit times on the LED wire, and their limits in the data sheets of the parts that makers buy.
//!
//! A bit is a high pulse and the low time after it. The length of the pulse distinguishes a zero from a one. Parts that
//! are sold as "WS2812B" follow three different data sheets, and a maker cannot know which one applies. So a firmware
//! must meet all three. The low times of the newest part differ between versions of its data sheet, so only its high
//! times are checked.
//!
//! The limits are those of the data sheets, without a tolerance for the rounding of a PIO's fractional divider. A pulse
//! that is nominally at a limit can exceed it by one cycle.

use core::time::Duration;

/// Shortest pulse that is decoded as a one, in ns. It is between the longest zero and the shortest one of every part
/// but the oldest, whose limits leave no room for a common threshold.
const ONE: u64 = 500;

/// The data sheets that are checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DataSheet {
    /// WS2812B, the first edition.
    Ws2812b,
    /// SK6812 and SK6812MINI-E.
    Sk6812,
    /// WS2812B V5 and newer.
    Ws2812bV5,
}

/// The four bit times that a data sheet specifies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BitTime {
    /// T0H: high time of a zero.
    ZeroHigh,
    /// T1H: high time of a one.
    OneHigh,
    /// T0L: low time of a zero.
    ZeroLow,
    /// T1L: low time of a one.
    OneLow,
}

impl DataSheet {
    /// All data sheets.
    pub const ALL: [Self; 3] = [Self::Ws2812b, Self::Sk6812, Self::Ws2812bV5];

    /// The shortest and the longest allowed time, in ns; `None` if it is not checked.
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

    /// Whether this data sheet allows a time of `ns`.
    pub const fn allows(self, time: BitTime, ns: u64) -> bool {
        match self.limits(time) {
            Some((least, most)) => least <= ns && ns <= most,
            None => true,
        }
    }
}

/// The limits of a time that the data sheet gives as a typical value +-150 ns.
const fn close_to(typical: u64) -> Option<(u64, u64)> {
    Some((typical - 150, typical + 150))
}

/// Whether a pulse of this length in ns is decoded as a one.
pub(crate) const fn is_one(pulse: u64) -> bool {
    pulse >= ONE
}

/// The shortest and the longest of several times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extremes {
    /// The shortest.
    pub least: Duration,
    /// The longest.
    pub most: Duration,
}

/// The extremes of the four bit times. Only low times inside a frame count, so the last bit of a frame has none.
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
    /// Adds a measured time.
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

    /// The data sheets that do not allow these high and low times of a zero and a one, in ns.
    fn violations(zero: (u64, u64), one: (u64, u64)) -> Vec<(DataSheet, BitTime)> {
        let times = [
            (BitTime::ZeroHigh, zero.0),
            (BitTime::ZeroLow, zero.1),
            (BitTime::OneHigh, one.0),
            (BitTime::OneLow, one.1),
        ];
        let checked = times.iter().flat_map(|&(time, ns)| DataSheet::ALL.map(|sheet| (sheet, time, ns)));
        checked.filter(|&(sheet, time, ns)| !sheet.allows(time, ns)).map(|(sheet, time, _)| (sheet, time)).collect()
    }

    #[test]
    fn sixteen_ticks_split_4_5_7_meet_every_data_sheet() {
        assert_eq!(violations((312, 938), (703, 547)), []);
    }

    #[test]
    fn ten_ticks_split_2_5_3_violate_data_sheets() {
        // A T0H of 0.25 us is a limit of the WS2812B: one cycle of rounding exceeds it.
        let sk6812 = [(DataSheet::Sk6812, BitTime::OneHigh), (DataSheet::Sk6812, BitTime::OneLow)];
        assert_eq!(violations((250, 1000), (875, 375)), sk6812);
        assert_eq!(violations((248, 1000), (875, 375))[0], (DataSheet::Ws2812b, BitTime::ZeroHigh));
    }

    #[test]
    fn extremes_are_kept_for_each_bit_time() {
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
