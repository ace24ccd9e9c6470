//! The LED chain: 25 LEDs on one wire, decoded from the edges of the pin.
//!
//! Twenty-four bits are one LED, most significant bit first, 600 are a frame. What a bit looks like, and on which parts, is
//! told in `wire_times`. A long silence makes the chain show what it has got ("latch"); parts differ in how long (50 us old
//! ones, 280 us new ones), so 300 us are asked for, measured from the end of the last bit: that is one bit's length after
//! its rise, as the bits before it were long. Whatever breaks these rules is kept as a [`WireFault`]: a real chain may or may
//! not show it.
//!
//! The LEDs have a **supply** that is switched on and rises slowly. Until it has been up without a break for its rise time
//! they hear nothing; a frame that has begun before that is lost, however well it was sent. Without supply they are dark,
//! and they stay dark until the next frame: they have forgotten the last one.
//!
//! A frame counts as shown when its 600th bit has arrived: the light changes at the latch, but the wire's work is done.
//! Pure: edges with their time in, frames out.

use crate::frame::{Frame, Rgb};
use crate::matrix::CELLS;
use crate::supply::INRUSH_MILLIAMPS;
use crate::wire_times::{BitTime, DataSheet, WireTimes, is_one};
use core::time::Duration;
use lights_out::layout::{LedPosition, Lights};

/// Bits of a LED, and of a whole frame.
const LED_BITS: u32 = 24;
pub const FRAME_BITS: u32 = LED_BITS * CELLS as u32;

/// The length of a bit as long as none has been seen, in ns: the longest that data sheets print as typical.
const BIT: u64 = 1250;
/// No part takes a low this short for a latch; no part is sure to take a longer one for a part of the frame.
const SURELY_INSIDE: u64 = 5_000;
/// Faults kept in full; more are only counted.
const KEEP: usize = 1000;

/// Frames that are recorded between two takings: an hour of them.
const MOST_FRAMES: usize = 1 << 18;

/// Something on the LED wire that a data sheet does not allow.
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
    /// A part of a bit is shorter or longer than a data sheet allows.
    Time {
        /// Whose data sheet.
        sheet: DataSheet,
        /// Which part of the bit.
        time: BitTime,
        /// How long it was.
        ns: u64,
    },
    /// A frame that is not 600 bits.
    Bits(u32),
    /// Two frames with less silence between them than a latch takes, in ns.
    Gap(u64),
}

/// How noise on the wire spoils a frame. Bits count from 0; what is not in the frame spoils nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spoil {
    /// One bit is read wrong.
    FlipBit(u32),
    /// One pulse is not seen: all bits after it are taken for the one before, and the last LED keeps its colour.
    DropPulse(u32),
}

/// What kind of chain it is.
#[derive(Clone, Copy, Debug)]
pub struct ChainKind {
    /// The silence it asks for between frames.
    pub latch: Duration,
    /// Where each LED is, and in which order it takes its colours.
    pub lights: Lights,
    /// From the supply's switch to LEDs that listen.
    pub supply_rise: Duration,
}

/// The decoder of the wire.
#[derive(Clone, Debug)]
pub struct Chain {
    latch: u64,
    lights: Lights,
    supply_rise: u64,
    /// Since when the supply has been on.
    supplied: Option<u64>,
    high: bool,
    /// When the line rose for the bit in progress or the last one, when it fell, and whether that bit is a one.
    rose: u64,
    fell: u64,
    one: bool,
    /// Bits since the last latch, and the time of the first.
    bits: u32,
    started: u64,
    /// The length of a bit in the last frame.
    bit: u64,
    /// The LEDs have been listening since the frame began.
    heard: bool,
    /// What the LEDs have taken of it, and how many bits that are: fewer than were sent if a pulse was dropped.
    wire: [u8; 3 * CELLS],
    taken: u32,
    spoil_next: Option<Spoil>,
    spoil: Option<Spoil>,
    /// Whole frames on the wire: `frames` that the LEDs have taken, and those they have not.
    frames: u64,
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
    pub fn new(kind: ChainKind) -> Self {
        Self {
            latch: nanoseconds(kind.latch),
            lights: kind.lights,
            supply_rise: nanoseconds(kind.supply_rise),
            supplied: None,
            high: false,
            rose: 0,
            fell: 0,
            one: false,
            bits: 0,
            started: 0,
            bit: BIT,
            heard: false,
            wire: [0; 3 * CELLS],
            taken: 0,
            spoil_next: None,
            spoil: None,
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

    /// The supply is on or off from `ns` on.
    pub fn supply(&mut self, ns: u64, on: bool) {
        if !on {
            self.supplied = None;
            self.heard = false;
            self.shown = None;
        } else if self.supplied.is_none() {
            self.supplied = Some(ns);
        }
    }

    /// Whether the supply has risen.
    pub fn listens(&self, ns: u64) -> bool {
        self.supplied.is_some_and(|since| ns >= since.saturating_add(self.supply_rise))
    }

    /// What the LEDs draw, and their capacitor while it fills.
    pub fn milliamps(&self, ns: u64) -> f32 {
        match (&self.supplied, &self.shown) {
            (None, _) => 0.0,
            (Some(_), _) if !self.listens(ns) => INRUSH_MILLIAMPS,
            (Some(_), None) => CELLS as f32,
            (Some(_), Some(frame)) => frame.led_milliamps(),
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

    /// The mean length of the bits of this frame so far; before there are two, that of the last frame.
    fn bit_length(&self) -> u64 {
        if self.bits > 1 { self.rose.saturating_sub(self.started) / u64::from(self.bits - 1) } else { self.bit }
    }

    /// The silence from the end of the last bit to `ns`.
    fn silence(&self, ns: u64) -> u64 {
        ns.saturating_sub(self.rose + self.bit_length())
    }

    fn rise(&mut self, ns: u64) {
        let silence = self.silence(ns);
        if self.bits > 0 {
            let low = ns.saturating_sub(self.fell);
            if low >= SURELY_INSIDE {
                self.end_of_frame(ns, Some(silence));
            } else {
                self.judge(ns, if self.one { BitTime::OneLow } else { BitTime::ZeroLow }, low);
            }
        } else if self.frames + self.lost > 0 {
            self.gap(ns, silence);
        }
        if self.bits == 0 {
            self.started = ns;
            self.heard = self.listens(ns);
            self.taken = 0;
            self.spoil = if self.heard { self.spoil_next.take() } else { None };
        }
        self.rose = ns;
    }

    fn fall(&mut self, ns: u64) {
        let pulse = ns.saturating_sub(self.rose);
        self.fell = ns;
        self.one = is_one(pulse);
        self.judge(ns, if self.one { BitTime::OneHigh } else { BitTime::ZeroHigh }, pulse);
        if self.bits < FRAME_BITS {
            self.take_bit();
        }
        self.bits = self.bits.saturating_add(1);
        if self.bits == FRAME_BITS {
            self.take_frame();
        }
    }

    fn take_bit(&mut self) {
        let one = match self.spoil {
            Some(Spoil::DropPulse(bit)) if bit == self.bits => return,
            Some(Spoil::FlipBit(bit)) => self.one ^ (bit == self.bits),
            _ => self.one,
        };
        let byte = &mut self.wire[self.taken as usize / 8];
        *byte = *byte << 1 | u8::from(one);
        self.taken += 1;
    }

    fn take_frame(&mut self) {
        if !self.heard {
            self.lost += 1;
            return;
        }
        let mut leds = self.shown.as_ref().map_or([Rgb::default(); CELLS], |frame| frame.leds);
        let whole = (self.taken / LED_BITS) as usize;
        for (led, bytes) in LedPosition::all().zip(self.wire.chunks_exact(3)).take(whole) {
            let colour = self.lights.colours.unpack(u32::from_be_bytes([bytes[0], bytes[1], bytes[2], 0]));
            leds[self.lights.map.cell_of_led(led).index()] = Rgb { r: colour.r, g: colour.g, b: colour.b };
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

    fn judge(&mut self, ns: u64, time: BitTime, length: u64) {
        self.times.add(time, length);
        for sheet in DataSheet::ALL {
            if !sheet.allows(time, length) {
                self.fault(ns, WireFaultKind::Time { sheet, time, ns: length });
            }
        }
    }

    /// Time has come to `ns`: a silence that is long enough closes the frame, so that a short one is noticed even when no
    /// other follows.
    pub fn until(&mut self, ns: u64) {
        if self.bits > 0 && !self.high && self.silence(ns) >= self.latch {
            self.end_of_frame(ns, None);
        }
    }

    /// `silence`: the next frame has begun after so little.
    fn end_of_frame(&mut self, ns: u64, silence: Option<u64>) {
        if self.bits != FRAME_BITS {
            self.fault(ns, WireFaultKind::Bits(self.bits));
        }
        self.bit = self.bit_length();
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

    /// What the LEDs show: the newest whole frame since they have their supply.
    pub fn shown(&self) -> Option<&Frame> {
        self.shown.as_ref()
    }

    /// Whole frames that the LEDs have taken since power-on.
    pub fn frames(&self) -> u64 {
        self.frames
    }

    /// Whole frames that were sent before the LEDs could listen.
    pub fn lost(&self) -> u64 {
        self.lost
    }

    /// The next frame that the LEDs hear is spoilt.
    pub fn spoil(&mut self, how: Spoil) {
        self.spoil_next = Some(how);
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

    /// The extreme times of the bits so far.
    pub fn times(&self) -> WireTimes {
        self.times
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
