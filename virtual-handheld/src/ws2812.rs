//! The LED chain: 25 WS2812B on one wire, decoded from the edges of the pin.
//!
//! A bit is a high pulse and the low that follows, 1.25 us together: 0.40 us high is a zero, 0.80 us a one, each +-0.15 us.
//! Twenty-four bits are one LED, green first, most significant bit first. A long silence makes the chain show what it
//! has got ("latch"); parts differ in how long (50 us old ones, 280 us new ones), so 300 us are asked for, measured from
//! the end of the last bit. Whatever breaks these rules is kept as a [`WireFault`]: a real chain may or may not show it.
//!
//! A frame counts as shown when its 600th bit has arrived: the light changes at the latch, but the wire's work is done.
//! Pure: edges with their time in, frames out.

use crate::matrix::CELLS;
use core::time::Duration;

/// Bits of a whole frame.
pub const FRAME_BITS: u32 = 24 * CELLS as u32;

/// Nanoseconds of a bit.
const BIT: u64 = 1250;
/// A bit may be this much shorter or longer. The limit is the datasheet's, and generous: only the pulse is critical.
const BIT_TOLERANCE: u64 = 600;
const ZERO_HIGH: u64 = 400;
const ONE_HIGH: u64 = 800;
/// The datasheet's 150 ns, and one cycle of the Pico's clock for the rounding of a PIO's fractional divider. (The program
/// of embassy-rp has a T0H of exactly 250 ns: it is at the limit.)
const PULSE_TOLERANCE: u64 = 150 + 8;
/// No part takes a pause this short for a latch; no part is sure to take a longer one for a part of the frame.
const SURELY_INSIDE: u64 = 5_000;
/// Faults kept in full; more are only counted.
const KEEP: usize = 1000;

/// A colour as sent on the wire.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rgb {
    /// Red.
    pub r: u8,
    /// Green.
    pub g: u8,
    /// Blue.
    pub b: u8,
}

impl Rgb {
    /// Whether the LED gives any light at all.
    pub fn is_lit(self) -> bool {
        self != Self::default()
    }

    /// Red + green + blue, 0 to 765: what the current follows.
    pub fn sum(self) -> u32 {
        u32::from(self.r) + u32::from(self.g) + u32::from(self.b)
    }
}

/// One whole picture, as it arrived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The colours, by position on the wire.
    pub leds: [Rgb; CELLS],
    /// The first edge, since power-on.
    pub started: Duration,
    /// The end of the last bit, since power-on.
    pub ended: Duration,
}

impl Frame {
    /// Bit n: LED n gives light.
    pub fn lit(&self) -> u32 {
        (0..CELLS).filter(|&cell| self.leds[cell].is_lit()).fold(0, |mask, cell| mask | 1 << cell)
    }

    /// Current of the whole handheld while this frame is shown: 25 mA for the board, 1 mA for each LED, and 55 mA more for a
    /// white one at full level, and in between in proportion.
    pub fn milliamps(&self) -> f32 {
        let light: u32 = self.leds.iter().map(|led| led.sum()).sum();
        25.0 + CELLS as f32 + light as f32 * 55.0 / 765.0
    }
}

/// Something on the LED wire that the datasheet does not allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WireFault {
    /// When, since power-on.
    pub at: Duration,
    /// What.
    pub kind: WireFaultKind,
}

/// What was wrong on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WireFaultKind {
    /// A high pulse that is neither a zero nor a one, in ns.
    Pulse(u64),
    /// A bit that is too short or too long, in ns from edge to edge.
    Period(u64),
    /// A frame that is not 600 bits.
    Bits(u32),
    /// Two frames with less silence between them than a latch takes, in ns.
    Gap(u64),
}

/// The decoder of the wire.
#[derive(Clone, Debug)]
pub struct Chain {
    latch: u64,
    /// When the line rose for the bit in progress or the last one.
    rose: u64,
    high: bool,
    /// Bits since the last latch, and the time of the first.
    bits: u32,
    started: u64,
    wire: [u8; 3 * CELLS],
    frames: u64,
    newest: Option<Frame>,
    recording: Option<Vec<Frame>>,
    shortest_gap: Option<u64>,
    faults: Vec<WireFault>,
    fault_count: u64,
}

impl Chain {
    /// A chain that latches after `latch` of silence.
    pub fn new(latch: Duration) -> Self {
        Self {
            latch: u64::try_from(latch.as_nanos()).unwrap_or(u64::MAX),
            rose: 0,
            high: false,
            bits: 0,
            started: 0,
            wire: [0; 3 * CELLS],
            frames: 0,
            newest: None,
            recording: None,
            shortest_gap: None,
            faults: Vec::new(),
            fault_count: 0,
        }
    }

    /// The line changes to `high` at `ns`.
    pub fn edge(&mut self, ns: u64, high: bool) {
        if high == self.high {
            return;
        }
        self.high = high;
        if high {
            self.rise(ns);
        } else {
            self.fall(ns);
        }
    }

    fn rise(&mut self, ns: u64) {
        if self.bits > 0 {
            let period = ns - self.rose;
            let silence = period.saturating_sub(BIT);
            if silence >= SURELY_INSIDE {
                self.end_of_frame(ns, Some(silence));
            } else if !(BIT - BIT_TOLERANCE..=BIT + BIT_TOLERANCE).contains(&period) {
                self.fault(ns, WireFaultKind::Period(period));
            }
        } else if self.frames > 0 {
            self.gap(ns, (ns - self.rose).saturating_sub(BIT));
        }
        if self.bits == 0 {
            self.started = ns;
        }
        self.rose = ns;
    }

    fn fall(&mut self, ns: u64) {
        let pulse = ns - self.rose;
        let one = pulse > (ZERO_HIGH + ONE_HIGH) / 2;
        if pulse.abs_diff(if one { ONE_HIGH } else { ZERO_HIGH }) > PULSE_TOLERANCE {
            self.fault(ns, WireFaultKind::Pulse(pulse));
        }
        if self.bits < FRAME_BITS {
            let byte = &mut self.wire[self.bits as usize / 8];
            *byte = *byte << 1 | u8::from(one);
        }
        self.bits += 1;
        if self.bits == FRAME_BITS {
            let mut leds = [Rgb::default(); CELLS];
            for (led, grb) in leds.iter_mut().zip(self.wire.chunks_exact(3)) {
                *led = Rgb { r: grb[1], g: grb[0], b: grb[2] };
            }
            let frame = Frame {
                leds,
                started: Duration::from_nanos(self.started),
                ended: Duration::from_nanos(self.rose + BIT),
            };
            self.frames += 1;
            if let Some(frames) = &mut self.recording {
                frames.push(frame.clone());
            }
            self.newest = Some(frame);
        }
    }

    /// Time has come to `ns`: a silence that is long enough closes the frame, so that a short one is noticed even when no
    /// other follows.
    pub fn until(&mut self, ns: u64) {
        if self.bits > 0 && !self.high && ns.saturating_sub(self.rose + BIT) >= self.latch {
            self.end_of_frame(ns, None);
        }
    }

    /// `silence`: the next frame has begun after so little.
    fn end_of_frame(&mut self, ns: u64, silence: Option<u64>) {
        if self.bits != FRAME_BITS {
            self.fault(ns, WireFaultKind::Bits(self.bits));
        }
        self.bits = 0;
        if let Some(silence) = silence {
            self.gap(ns, silence);
        }
    }

    fn gap(&mut self, ns: u64, silence: u64) {
        self.shortest_gap = Some(self.shortest_gap.map_or(silence, |shortest| shortest.min(silence)));
        if silence < self.latch {
            self.fault(ns, WireFaultKind::Gap(silence));
        }
    }

    fn fault(&mut self, ns: u64, kind: WireFaultKind) {
        self.fault_count += 1;
        if self.faults.len() < KEEP {
            self.faults.push(WireFault { at: Duration::from_nanos(ns), kind });
        }
    }

    /// The newest whole frame.
    pub fn newest(&self) -> Option<&Frame> {
        self.newest.as_ref()
    }

    /// Whole frames since power-on.
    pub fn frames(&self) -> u64 {
        self.frames
    }

    /// Starts a list of all frames from now on.
    pub fn record(&mut self) {
        self.recording = Some(Vec::new());
    }

    /// The frames recorded since the last call of this or of [`Chain::record`]; recording goes on if it was on.
    pub fn take_recorded(&mut self) -> Vec<Frame> {
        self.recording.as_mut().map(core::mem::take).unwrap_or_default()
    }

    /// The shortest silence between two frames so far.
    pub fn shortest_gap(&self) -> Option<Duration> {
        self.shortest_gap.map(Duration::from_nanos)
    }

    /// The first thousand faults.
    pub fn faults(&self) -> &[WireFault] {
        &self.faults
    }

    /// All faults, kept or not.
    pub fn fault_count(&self) -> u64 {
        self.fault_count
    }

    /// Forgets the faults, for a test that provoked one on purpose.
    pub fn clear_faults(&mut self) {
        self.faults.clear();
        self.fault_count = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chain() -> Chain {
        Chain::new(Duration::from_micros(300))
    }

    /// Sends bits from `ns` on with the given times of a zero, and gives the time of the end.
    fn send(chain: &mut Chain, mut ns: u64, bits: impl IntoIterator<Item = bool>, zero: u64, one: u64) -> u64 {
        for bit in bits {
            chain.edge(ns, true);
            chain.edge(ns + if bit { one } else { zero }, false);
            ns += BIT;
        }
        ns
    }

    fn picture(leds: &[Rgb; CELLS]) -> Vec<bool> {
        leds.iter()
            .flat_map(|led| [led.g, led.r, led.b])
            .flat_map(|byte| (0..8).rev().map(move |bit| byte >> bit & 1 != 0))
            .collect()
    }

    fn rainbow() -> [Rgb; CELLS] {
        core::array::from_fn(|cell| Rgb { r: cell as u8, g: 0x80 + cell as u8, b: 0xFF - cell as u8 })
    }

    #[test]
    fn a_frame_is_complete_with_its_600th_bit_and_colours_are_in_order() {
        let mut chain = chain();
        let mut bits = picture(&rainbow());
        let last = bits.pop();
        let end = send(&mut chain, 1_000, bits, 400, 800);
        assert_eq!(chain.newest(), None);
        let end = send(&mut chain, end, last, 400, 800);
        let frame = chain.newest().expect("600 bits have arrived");
        assert_eq!(frame.leds, rainbow());
        assert_eq!(frame.started, Duration::from_nanos(1_000));
        assert_eq!(frame.ended, Duration::from_nanos(end));
        assert_eq!(end, 1_000 + 750_000);
        assert_eq!(chain.faults(), []);
    }

    #[test]
    fn pulses_at_the_limits_pass_and_beyond_are_faults() {
        for (zero, one, faults) in [(250, 650, 0), (550, 950, 0), (230, 800, 1), (400, 970, 1)] {
            let mut chain = chain();
            let mut leds = [Rgb::default(); CELLS];
            leds[0].g = 0x80;
            let bits: Vec<bool> = picture(&leds).into_iter().take(2).collect();
            send(&mut chain, 0, bits, zero, one);
            assert_eq!(chain.fault_count(), faults, "{zero} {one}");
        }
    }

    #[test]
    fn a_short_gap_a_short_frame_and_a_stretched_bit_are_faults() {
        let mut chain = chain();
        let end = send(&mut chain, 0, picture(&rainbow()), 400, 800);
        let end = send(&mut chain, end + 100_000, picture(&rainbow()), 400, 800);
        assert_eq!(chain.faults().last().map(|fault| fault.kind), Some(WireFaultKind::Gap(100_000)));
        assert_eq!((chain.frames(), chain.fault_count()), (2, 1));

        let end = send(&mut chain, end + 300_000, [true; 23], 400, 800);
        chain.until(end + 299_999);
        assert_eq!(chain.fault_count(), 1);
        chain.until(end + 300_000);
        assert_eq!(chain.faults().last().map(|fault| fault.kind), Some(WireFaultKind::Bits(23)));

        chain.clear_faults();
        let end = send(&mut chain, end + 400_000, [true], 400, 800);
        send(&mut chain, end + 700, [true], 400, 800);
        assert_eq!(chain.faults().last().map(|fault| fault.kind), Some(WireFaultKind::Period(1_950)));
        assert_eq!(chain.fault_count(), 1);
        assert_eq!(chain.shortest_gap(), Some(Duration::from_micros(100)));
    }

    #[test]
    fn a_bit_too_many_is_a_fault_and_does_not_change_the_picture() {
        let mut chain = chain();
        let end = send(&mut chain, 0, picture(&rainbow()), 400, 800);
        let end = send(&mut chain, end, [true], 400, 800);
        chain.until(end + 1_000_000);
        assert_eq!(chain.faults().last().map(|fault| fault.kind), Some(WireFaultKind::Bits(601)));
        assert_eq!(chain.newest().map(|frame| frame.leds), Some(rainbow()));
    }

    #[test]
    fn current_follows_the_light() {
        let mut frame = Frame { leds: [Rgb::default(); CELLS], started: Duration::ZERO, ended: Duration::ZERO };
        assert_eq!(frame.milliamps(), 50.0);
        assert_eq!(frame.lit(), 0);
        frame.leds = [Rgb { r: 255, g: 255, b: 255 }; CELLS];
        assert_eq!(frame.milliamps(), 50.0 + 25.0 * 55.0);
        assert_eq!(frame.lit(), (1 << 25) - 1);
    }

    #[test]
    fn recording_gives_each_frame_once() {
        let mut chain = chain();
        let end = send(&mut chain, 0, picture(&rainbow()), 400, 800);
        assert!(chain.take_recorded().is_empty());
        chain.record();
        send(&mut chain, end + 300_000, picture(&rainbow()), 400, 800);
        assert_eq!(chain.take_recorded().len(), 1);
        assert!(chain.take_recorded().is_empty());
    }
}
