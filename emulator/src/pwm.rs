//! The PWM block. It replaces the one of the emulator crates, and computes its counters from registers and time.
//!
//! There are eight slices (twelve on the RP2350, the last four without pins on a Pico 2). Each counts from 0 to TOP and
//! wraps, with one count every DIV cycles of the system clock. An output is high while the counter is below its half of
//! CC. Details that matter for a firmware with a piezo:
//! - CC and TOP are double-buffered. A new value takes effect at the next wrap while the slice runs, and at once
//!   otherwise.
//! - A disabled slice keeps its counter, and its outputs still depend on the comparison. So a pin can stay high.
//! - The counter wraps when it is *equal* to TOP. If the counter is above a new TOP when the slice is enabled again, it
//!   counts to 0xFFFF first: up to 33 ms without sound at 125 MHz and a divider of 64.
//!
//! Not modelled: counting edges of the B pin (such a slice does not count), and phase advance and retard.
//!
//! Times are cycles of the system clock since power-on. Registers are addressed by their offset in the block.

use crate::chip::alias;

/// Number of slices with pins on a Pico. Pins 16 and up use the same slices again.
const WITH_PINS: usize = 8;
/// Offsets of the registers after those of the slices: enables of all slices, and interrupts.
const ENABLES: u32 = 0x00;
const RAISED: u32 = 0x04;
const ENABLED: u32 = 0x08;
const FORCED: u32 = 0x0C;
const STATUS: u32 = 0x10;
/// Bytes from the registers of one slice to those of the next: CSR, DIV, CTR, CC, TOP.
const STRIDE: u32 = 0x14;
const ENABLE: u32 = 1;
const PHASE_CORRECT: u32 = 1 << 1;
/// Inverts output A. The next bit inverts output B.
const INVERT: u32 = 1 << 2;
const DIVIDER_MODE: u32 = 0b11 << 4;
const CONTROL: u32 = 0x3F;
/// The divider has four fractional bits.
const FRACTION: u64 = 16;
/// The counter has 16 bits.
const COUNTS: u64 = 0x1_0000;

/// One slice: registers and counter.
#[derive(Clone, Copy, Debug)]
struct Slice {
    control: u32,
    divider: u32,
    /// CC and TOP as written.
    compare: u32,
    top: u32,
    /// CC and TOP as the counter uses them.
    active_compare: u32,
    active_top: u32,
    /// The counter at the cycle `since`.
    counter: u64,
    /// Whether the counter counts down at that cycle.
    down: bool,
    /// Elapsed part of the count at that cycle, in 1/16 cycles.
    phase: u64,
    since: u64,
}

impl Slice {
    const RESET: Self = Self {
        control: 0,
        divider: 1 << 4,
        compare: 0,
        top: 0xFFFF,
        active_compare: 0,
        active_top: 0xFFFF,
        counter: 0,
        down: false,
        phase: 0,
        since: 0,
    };

    fn runs(&self) -> bool {
        self.control & ENABLE != 0 && self.control & DIVIDER_MODE == 0
    }

    fn top(&self) -> u64 {
        self.active_top.into()
    }

    /// Length of a count, in 1/16 cycles.
    fn count_length(&self) -> u64 {
        u64::from(self.divider.max(1 << 4))
    }

    /// Counts from one wrap to the next. A phase-correct counter counts up and down.
    fn period(&self) -> u64 {
        (self.top() + 1) * if self.control & PHASE_CORRECT != 0 { 2 } else { 1 }
    }

    /// Whether the counter is above TOP, so that it counts to 0xFFFF.
    fn is_above_top(&self) -> bool {
        self.counter > self.top()
    }

    /// Counts since the last wrap.
    fn position(&self) -> u64 {
        if self.down { self.period() - 1 - self.counter } else { self.counter }
    }

    fn counts_to_wrap(&self) -> u64 {
        if self.is_above_top() { COUNTS - self.counter } else { self.period() - self.position() }
    }

    /// The slice at a later cycle, and whether it has wrapped since.
    fn at(mut self, cycle: u64) -> (Self, bool) {
        let passed = (cycle - self.since) * FRACTION + self.phase;
        self.since = cycle;
        if !self.runs() {
            (self.active_compare, self.active_top, self.phase) = (self.compare, self.top, 0);
            return (self, false);
        }
        let mut counts = passed / self.count_length();
        self.phase = passed % self.count_length();
        let to_wrap = self.counts_to_wrap();
        let wraps = counts >= to_wrap;
        if wraps {
            counts -= to_wrap;
            (self.active_compare, self.active_top) = (self.compare, self.top);
            (self.counter, self.down) = (0, false);
            counts %= self.period();
        }
        if self.is_above_top() {
            self.counter += counts;
        } else {
            let position = self.position() + counts;
            self.down = position > self.top();
            self.counter = if self.down { self.period() - 1 - position } else { position };
        }
        (self, wraps)
    }

    fn active_compare(&self, channel: u32) -> u64 {
        u64::from(self.active_compare >> (16 * channel) & 0xFFFF)
    }

    fn level(&self, channel: u32) -> bool {
        (self.counter < self.active_compare(channel)) ^ (self.control & INVERT << channel != 0)
    }

    /// The cycle at which `counts` counts have passed.
    fn cycle_after(&self, counts: u64) -> u64 {
        self.since + (counts * self.count_length() - self.phase).div_ceil(FRACTION)
    }

    /// When the slice next wraps.
    fn next_wrap(&self) -> Option<u64> {
        self.runs().then(|| self.cycle_after(self.counts_to_wrap()))
    }

    /// When an output may next change: at the wrap or before it.
    fn next_toggle(&self, channel: u32) -> Option<u64> {
        let (position, compare) = (self.position(), self.active_compare(channel));
        // A phase-correct counter passes the same value again while it counts down.
        let again = if self.control & PHASE_CORRECT != 0 { self.period().saturating_sub(compare) } else { compare };
        let crossings = [compare, again];
        let crossing = crossings.into_iter().filter(|&at| at > position && !self.is_above_top()).min();
        let counts = crossing.map_or(u64::MAX, |at| at - position).min(self.counts_to_wrap());
        self.runs().then(|| self.cycle_after(counts))
    }

    /// Period of an output's square wave in counts; `None` if the output is constant or the counter is above TOP.
    fn wave(&self, channel: u32) -> Option<u64> {
        let compare = self.active_compare(channel);
        (self.runs() && !self.is_above_top() && compare > 0 && compare <= self.top()).then(|| self.period())
    }

    /// Whether the square wave changes at the next wrap.
    fn changes_at_wrap(&self) -> bool {
        self.is_above_top() || (self.active_compare, self.active_top) != (self.compare, self.top)
    }
}

/// All slices, and their wrap interrupts.
#[derive(Clone, Debug)]
pub(crate) struct Pwm {
    slices: Vec<Slice>,
    raised: u32,
    enabled: u32,
    forced: u32,
}

/// The slice and the channel (0: A, 1: B) of a pin.
fn output(pin: u32) -> (usize, u32) {
    ((pin / 2) as usize % WITH_PINS, pin % 2)
}

impl Pwm {
    /// A block with this number of slices, in the state after power-on.
    pub(crate) fn new(slices: usize) -> Self {
        Self { slices: vec![Slice::RESET; slices], raised: 0, enabled: 0, forced: 0 }
    }

    /// Resets the block at this cycle.
    pub(crate) fn reset(&mut self, cycle: u64) {
        *self = Self::new(self.slices.len());
        self.slices.iter_mut().for_each(|slice| slice.since = cycle);
    }

    fn advance(&mut self, cycle: u64) {
        for (index, slice) in self.slices.iter_mut().enumerate() {
            let (later, wrapped) = slice.at(cycle);
            *slice = later;
            self.raised |= u32::from(wrapped) << index;
        }
    }

    /// Reads the register at `offset`.
    pub(crate) fn read(&mut self, offset: u32, cycle: u64) -> u32 {
        self.advance(cycle);
        if let Some(slice) = self.slices.get((offset / STRIDE) as usize) {
            return match offset % STRIDE {
                0x00 => slice.control,
                0x04 => slice.divider,
                0x08 => slice.counter as u32,
                0x0C => slice.compare,
                _ => slice.top,
            };
        }
        match offset - self.common_registers() {
            ENABLES => {
                (0..self.slices.len()).fold(0, |all, index| all | (self.slices[index].control & ENABLE) << index)
            }
            RAISED => self.raised,
            ENABLED => self.enabled,
            FORCED => self.forced,
            STATUS => self.status(),
            _ => 0,
        }
    }

    /// Writes the register at `offset`. `kind` is the alias of the bus: 0 write, 1 xor, 2 set, 3 clear.
    pub(crate) fn write(&mut self, offset: u32, value: u32, kind: u32, cycle: u64) {
        let value = alias(self.read(offset, cycle), value, kind);
        if let Some(slice) = self.slices.get_mut((offset / STRIDE) as usize) {
            match offset % STRIDE {
                0x00 => slice.control = value & CONTROL,
                0x04 => slice.divider = value & 0xFFF,
                0x08 => (slice.counter, slice.down) = (u64::from(value & 0xFFFF), false),
                0x0C => slice.compare = value,
                _ => slice.top = value & 0xFFFF,
            }
        } else {
            match offset - self.common_registers() {
                ENABLES => {
                    for (index, slice) in self.slices.iter_mut().enumerate() {
                        slice.control = slice.control & !ENABLE | value >> index & ENABLE;
                    }
                }
                RAISED => self.raised &= !value,
                ENABLED => self.enabled = value & self.all(),
                FORCED => self.forced = value & self.all(),
                _ => {}
            }
        }
        // A slice that does not count uses the new values at once.
        self.advance(cycle);
    }

    /// The interrupt line.
    pub(crate) fn interrupt(&mut self, cycle: u64) -> bool {
        self.enabled != 0 && {
            self.advance(cycle);
            self.status() != 0
        }
    }

    fn status(&self) -> u32 {
        (self.raised | self.forced) & self.enabled
    }

    /// Offset of the first register after those of the slices.
    fn common_registers(&self) -> u32 {
        self.slices.len() as u32 * STRIDE
    }

    /// A mask with a bit for each slice.
    fn all(&self) -> u32 {
        (1 << self.slices.len()) - 1
    }

    /// The output levels of these pins, bit = pin.
    pub(crate) fn levels(&self, pins: u32, cycle: u64) -> u32 {
        (0..32).filter(|pin| pins >> pin & 1 != 0).fold(0, |levels, pin| {
            let (slice, channel) = output(pin);
            levels | u32::from(self.slices[slice].at(cycle).0.level(channel)) << pin
        })
    }

    /// The frequency of a pin's square wave in Hz, at a system clock of `hz`; `None` if the pin is constant.
    pub(crate) fn tone(&self, pin: u32, cycle: u64, hz: u32) -> Option<u32> {
        let (slice, channel) = output(pin);
        let slice = self.slices[slice].at(cycle).0;
        let wave = slice.wave(channel)? * slice.count_length();
        u32::try_from((u64::from(hz) * FRACTION + wave / 2) / wave).ok()
    }

    /// The cycle at which the frequency of a pin changes without a further write.
    pub(crate) fn next_tone(&self, pin: u32, cycle: u64) -> Option<u64> {
        let slice = self.slices[output(pin).0].at(cycle).0;
        slice.next_wrap().filter(|_| slice.changes_at_wrap())
    }

    /// The cycle at which the level of one of these pins may next change.
    pub(crate) fn next_toggle(&self, pins: u32, cycle: u64) -> Option<u64> {
        let pins = (0..32).filter(|pin| pins >> pin & 1 != 0).map(output);
        pins.filter_map(|(slice, channel)| self.slices[slice].at(cycle).0.next_toggle(channel)).min()
    }

    /// The cycle of the next wrap whose interrupt is enabled.
    pub(crate) fn next_interrupt(&self, cycle: u64) -> Option<u64> {
        let slices = (0..self.slices.len()).filter(|index| self.enabled >> index & 1 != 0);
        slices.filter_map(|index| self.slices[index].at(cycle).0.next_wrap()).min()
    }
}
