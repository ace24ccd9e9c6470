//! The LED chain: 25 LEDs on one data line, decoded from the edges of the pin.
//!
//! An LED takes 24 bits, most significant bit first; a frame has 600 bits. The module `led_timing` has the bit times. A
//! long gap after the last bit makes the LEDs show the frame (latch). Parts need different gaps (old parts 50 us, new
//! parts 280 us), so the default of the required gap is 300 us. The gap starts at the end of the last bit, which is one
//! bit length after its rising edge; the bit length is the mean of the bits before it. Each violation of these rules is
//! recorded as a [`WireFault`]: real LEDs may or may not show such a frame.
//!
//! The LEDs have a **supply** that is switched on and rises slowly. They receive nothing until the supply has been on
//! for its rise time without interruption. A frame that starts earlier is lost. Without supply the LEDs are dark. They
//! stay dark until the next frame, because they lose their frame without supply.
//!
//! A frame counts as shown when its 600th bit has arrived, although real LEDs change at the latch. This module only
//! computes frames from edges and their times.

use crate::frame::{Frame, Rgb};
use crate::led_timing::{BitTime, DataSheet, WireTimes, is_one};
use crate::matrix::CELLS;
use crate::supply::INRUSH_MILLIAMPS;
use core::time::Duration;
use lights_out::layout::{LedLayout, LedPosition};

/// Number of bits of an LED.
const LED_BITS: u32 = 24;
/// Number of bits of a frame.
pub(crate) const FRAME_BITS: u32 = LED_BITS * CELLS as u32;

/// Length of a bit in ns before the first one is measured: the longest typical value in the data sheets.
const BIT: u64 = 1250;
/// Longest low time inside a frame, in ns. For every part, a shorter low time belongs to the frame. For some parts, a
/// longer one can be a latch.
const LONGEST_LOW: u64 = 5_000;
/// Limit of the recorded faults. Further ones are only counted.
const MOST_FAULTS: usize = 1000;

/// Limit of the recorded frames: one hour of them.
const MOST_FRAMES: usize = 1 << 18;

/// A violation of a data sheet on the LED wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WireFault {
    /// Time since power-on.
    pub at: Duration,
    /// Kind of violation.
    pub kind: WireFaultKind,
}

/// The kinds of violations on the LED wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WireFaultKind {
    /// A bit time is shorter or longer than a data sheet allows.
    Time {
        /// The violated data sheet.
        sheet: DataSheet,
        /// The bit time.
        time: BitTime,
        /// Its measured length.
        ns: u64,
    },
    /// The number of bits of a frame is not 600.
    Bits(u32),
    /// The gap between two frames is too short for a latch. Its length in ns.
    Gap(u64),
}

/// A corruption of a frame by noise on the data line. Bits count from 0. A bit outside the frame has no effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameCorruption {
    /// One bit is inverted.
    FlipBit(u32),
    /// One pulse is lost: all later bits move forward by one, and the last LED keeps its colour.
    DropPulse(u32),
}

/// The parameters of a chain.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChainKind {
    /// The gap between frames that the LEDs need.
    pub latch: Duration,
    /// The cell of each LED position, and the colour order.
    pub leds: LedLayout,
    /// Time from switching the supply on until the LEDs can receive.
    pub supply_rise: Duration,
}

/// The decoder of the data line.
#[derive(Clone, Debug)]
pub(crate) struct Chain {
    latch: u64,
    leds: LedLayout,
    supply_rise: u64,
    /// When the supply was switched on; `None` while it is off.
    supplied: Option<u64>,
    high: bool,
    /// Rising edge of the current or last bit.
    rose: u64,
    /// Falling edge of that bit.
    fell: u64,
    /// Whether that bit is a one.
    one: bool,
    /// Number of bits since the last latch.
    bits: u32,
    /// Rising edge of the first bit since the last latch.
    started: u64,
    /// Mean bit length of the last frame.
    bit: u64,
    /// Whether the LEDs have had their supply since the start of the frame.
    is_received: bool,
    /// The bits of the frame that the LEDs have received.
    received: [u8; 3 * CELLS],
    /// Number of these bits: fewer than were sent if a pulse was lost.
    taken: u32,
    /// Corruption of the next frame that the LEDs receive.
    next_corruption: Option<FrameCorruption>,
    /// Corruption of the current frame.
    corruption: Option<FrameCorruption>,
    /// Number of complete frames that the LEDs have received.
    frames: u64,
    /// Number of complete frames that were lost without supply.
    lost: u64,
    shown: Option<Frame>,
    recording: Option<Vec<Frame>>,
    shortest_gap: Option<u64>,
    times: WireTimes,
    faults: Vec<WireFault>,
    fault_count: u64,
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

impl Chain {
    /// A chain without supply.
    pub(crate) fn new(kind: ChainKind) -> Self {
        Self {
            latch: nanoseconds(kind.latch),
            leds: kind.leds,
            supply_rise: nanoseconds(kind.supply_rise),
            supplied: None,
            high: false,
            rose: 0,
            fell: 0,
            one: false,
            bits: 0,
            started: 0,
            bit: BIT,
            is_received: false,
            received: [0; 3 * CELLS],
            taken: 0,
            next_corruption: None,
            corruption: None,
            frames: 0,
            lost: 0,
            shown: None,
            recording: None,
            shortest_gap: None,
            times: WireTimes::default(),
            faults: Vec::new(),
            fault_count: 0,
        }
    }

    /// Switches the supply on or off at `ns`.
    pub(crate) fn supply(&mut self, ns: u64, on: bool) {
        if !on {
            self.supplied = None;
            self.is_received = false;
            self.shown = None;
        } else if self.supplied.is_none() {
            self.supplied = Some(ns);
        }
    }

    /// Whether the supply has risen, so that the LEDs can receive.
    pub(crate) fn can_receive(&self, ns: u64) -> bool {
        self.supplied.is_some_and(|since| ns >= since.saturating_add(self.supply_rise))
    }

    /// Current of the LEDs, or of their capacitor while it charges, in milliamperes.
    pub(crate) fn milliamps(&self, ns: u64) -> f32 {
        match (&self.supplied, &self.shown) {
            (None, _) => 0.0,
            (Some(_), _) if !self.can_receive(ns) => INRUSH_MILLIAMPS,
            (Some(_), None) => CELLS as f32,
            (Some(_), Some(frame)) => frame.led_milliamps(),
        }
    }

    /// Processes a change of the line to `high` at `ns`.
    pub(crate) fn edge(&mut self, ns: u64, high: bool) {
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

    /// Mean bit length of this frame so far; of the last frame if this one has fewer than two bits.
    fn bit_length(&self) -> u64 {
        if self.bits > 1 { self.rose.saturating_sub(self.started) / u64::from(self.bits - 1) } else { self.bit }
    }

    /// Length of the gap from the end of the last bit to `ns`.
    fn gap_until(&self, ns: u64) -> u64 {
        ns.saturating_sub(self.rose + self.bit_length())
    }

    fn rise(&mut self, ns: u64) {
        let gap = self.gap_until(ns);
        if self.bits > 0 {
            let low = ns.saturating_sub(self.fell);
            if low >= LONGEST_LOW {
                self.end_frame(ns, Some(gap));
            } else {
                self.check_time(ns, if self.one { BitTime::OneLow } else { BitTime::ZeroLow }, low);
            }
        } else if self.frames + self.lost > 0 {
            self.check_gap(ns, gap);
        }
        if self.bits == 0 {
            self.started = ns;
            self.is_received = self.can_receive(ns);
            self.taken = 0;
            self.corruption = if self.is_received { self.next_corruption.take() } else { None };
        }
        self.rose = ns;
    }

    fn fall(&mut self, ns: u64) {
        let pulse = ns.saturating_sub(self.rose);
        self.fell = ns;
        self.one = is_one(pulse);
        self.check_time(ns, if self.one { BitTime::OneHigh } else { BitTime::ZeroHigh }, pulse);
        if self.bits < FRAME_BITS {
            self.take_bit();
        }
        self.bits = self.bits.saturating_add(1);
        if self.bits == FRAME_BITS {
            self.take_frame();
        }
    }

    /// Stores a bit, with the corruption of the frame.
    fn take_bit(&mut self) {
        let one = match self.corruption {
            Some(FrameCorruption::DropPulse(bit)) if bit == self.bits => return,
            Some(FrameCorruption::FlipBit(bit)) => self.one ^ (bit == self.bits),
            _ => self.one,
        };
        let byte = &mut self.received[self.taken as usize / 8];
        *byte = *byte << 1 | u8::from(one);
        self.taken += 1;
    }

    /// Shows a complete frame, or counts it as lost.
    fn take_frame(&mut self) {
        if !self.is_received {
            self.lost += 1;
            return;
        }
        let mut leds = self.shown.as_ref().map_or([Rgb::default(); CELLS], |frame| frame.leds);
        let whole = (self.taken / LED_BITS) as usize;
        for (led, bytes) in LedPosition::all().zip(self.received.chunks_exact(3)).take(whole) {
            let colour = self.leds.colours.unpack(u32::from_be_bytes([bytes[0], bytes[1], bytes[2], 0]));
            leds[self.leds.map.cell_of_led(led).index()] = Rgb { r: colour.r, g: colour.g, b: colour.b };
        }
        let frame = Frame {
            leds,
            started: Duration::from_nanos(self.started),
            ended: Duration::from_nanos(self.rose + self.bit_length()),
        };
        self.frames += 1;
        if let Some(frames) = self.recording.as_mut().filter(|frames| frames.len() < MOST_FRAMES) {
            frames.push(frame.clone());
        }
        self.shown = Some(frame);
    }

    /// Checks a bit time against all data sheets.
    fn check_time(&mut self, ns: u64, time: BitTime, length: u64) {
        self.times.add(time, length);
        for sheet in DataSheet::ALL {
            if !sheet.allows(time, length) {
                self.fault(ns, WireFaultKind::Time { sheet, time, ns: length });
            }
        }
    }

    /// Ends the frame if the gap up to `ns` is long enough, so that an incomplete frame is recorded even if no other
    /// frame follows.
    pub(crate) fn end_frame_after_gap(&mut self, ns: u64) {
        if self.bits > 0 && !self.high && self.gap_until(ns) >= self.latch {
            self.end_frame(ns, None);
        }
    }

    /// Ends the frame. `gap` is its distance to the next one, if that has begun.
    fn end_frame(&mut self, ns: u64, gap: Option<u64>) {
        if self.bits != FRAME_BITS {
            self.fault(ns, WireFaultKind::Bits(self.bits));
        }
        self.bit = self.bit_length();
        self.bits = 0;
        if let Some(gap) = gap {
            self.check_gap(ns, gap);
        }
    }

    fn check_gap(&mut self, ns: u64, gap: u64) {
        self.shortest_gap = Some(self.shortest_gap.map_or(gap, |shortest| shortest.min(gap)));
        if gap < self.latch {
            self.fault(ns, WireFaultKind::Gap(gap));
        }
    }

    fn fault(&mut self, ns: u64, kind: WireFaultKind) {
        self.fault_count += 1;
        if self.faults.len() < MOST_FAULTS {
            self.faults.push(WireFault { at: Duration::from_nanos(ns), kind });
        }
    }

    /// The frame that the LEDs show: the newest complete one since their supply was switched on.
    pub(crate) fn shown(&self) -> Option<&Frame> {
        self.shown.as_ref()
    }

    /// Number of complete frames that the LEDs have received since power-on.
    pub(crate) fn frames(&self) -> u64 {
        self.frames
    }

    /// Number of complete frames that were lost without supply.
    pub(crate) fn lost(&self) -> u64 {
        self.lost
    }

    /// Corrupts the next frame that the LEDs receive.
    pub(crate) fn corrupt_next(&mut self, how: FrameCorruption) {
        self.next_corruption = Some(how);
    }

    /// Starts recording all frames.
    pub(crate) fn record(&mut self) {
        self.recording = Some(Vec::new());
    }

    /// Takes the frames recorded since the last call. Recording continues.
    pub(crate) fn take_recorded(&mut self) -> Vec<Frame> {
        self.recording.as_mut().map(core::mem::take).unwrap_or_default()
    }

    /// The shortest gap between two frames so far.
    pub(crate) fn shortest_gap(&self) -> Option<Duration> {
        self.shortest_gap.map(Duration::from_nanos)
    }

    /// The shortest and longest bit times so far.
    pub(crate) fn times(&self) -> WireTimes {
        self.times
    }

    /// The first thousand faults.
    pub(crate) fn faults(&self) -> &[WireFault] {
        &self.faults
    }

    /// Number of all faults.
    pub(crate) fn fault_count(&self) -> u64 {
        self.fault_count
    }

    /// Clears the faults, for a test that caused one intentionally.
    pub(crate) fn clear_faults(&mut self) {
        self.faults.clear();
        self.fault_count = 0;
    }
}
