//! The pins: who drives each one, the level that results on the board, and the interrupts that follow from it.
//!
//! A pin is driven by the block its function select names (SIO, PIO0, PIO1 or PWM; others do not matter here) or else pulled
//! by its pad. On top of that come the keys: a line of the matrix that is not driven and hangs on a low one is low. The
//! emulator knows neither pulls nor pin interrupts, so both are done here.
//!
//! **Slow edges.** A line of the matrix falls at once, because something drives it low. It rises only as fast as a pull-up of
//! 50 to 80 kOhm charges it: until the rise time has passed since it was let go, it is low. A line without any pull-up, its
//! own or that of a column it hangs on through closed keys, never rises. A slow edge passes the input's threshold so slowly
//! that a pad without Schmitt trigger chatters: in that part of the rise each read gives 0 or 1 as chance has it, and at its
//! end both edges are latched. (embassy-rp switches the Schmitt trigger off when it takes a pin.)
//!
//! Pin interrupts: four bits a pin (level low, level high, edge low, edge high), eight pins a register. Levels follow the
//! pins, edges are latched until the firmware writes them to INTR.

use crate::matrix::{Lines, Matrix};
use lights_out::wiring::Wiring;
use rand_core::Rng;
use rand_pcg::Pcg32;
use rp2040_emu::Bus;

/// Pins of the chip.
pub const PINS: usize = 30;
const FUNCTION_PWM: u32 = 4;
const FUNCTION_SIO: u32 = 5;
const FUNCTION_PIO0: u32 = 6;
const FUNCTION_PIO1: u32 = 7;
const PAD_SCHMITT: u32 = 1 << 1;
const PAD_PULL_UP: u32 = 1 << 3;
/// Offsets in IO_BANK0 of the interrupt registers: raw, and the sets of core 0 and of the dormant wake.
const INTR: u32 = 0x0F0;
const CORE0: u32 = 0x100;
const WAKE: u32 = 0x160;
/// An input is sure to read low below 0.8 V and high above 2.0 V. A line that charges to 3.3 V is at 0.8 V after this share
/// of the time that it takes to 2.0 V: 30 %.
const CHATTER_FROM: (u64, u64) = (3, 10);

/// Function selects and pads as masks, the levels that follow, and the latched edges. Bit = pin.
#[derive(Clone, Debug)]
pub(crate) struct Pins {
    wiring: Wiring,
    /// All lines of the matrix, and how long one takes to rise, in ns.
    lines: u32,
    rise: u64,
    seed: u64,
    sio: u32,
    pio: [u32; 2],
    pwm: u32,
    pull_up: u32,
    schmitt: u32,
    levels: u32,
    /// Lines that were let go and have not risen yet, and since when each of them rises.
    rising: u32,
    since: [u64; PINS],
    next_rise: Option<u64>,
    edges: [u32; 4],
    /// Closed keys tie a row that is driven high to one that is driven low.
    pub conflict: bool,
}

/// The pins whose bits are set.
fn each(mask: u32) -> impl Iterator<Item = usize> {
    (0..PINS).filter(move |pin| mask >> pin & 1 != 0)
}

/// The bits of these pins, as the lines they are.
fn gather(mask: u32, pins: &[u8; 5]) -> u8 {
    pins.iter().enumerate().fold(0, |lines, (line, pin)| lines | ((mask >> pin & 1) as u8) << line)
}

/// The lines' bits, at their pins.
fn scatter(lines: u8, pins: &[u8; 5]) -> u32 {
    pins.iter().enumerate().fold(0, |mask, (line, pin)| mask | u32::from(lines >> line & 1) << pin)
}

impl Pins {
    /// Pins that nobody has configured.
    pub fn new(wiring: Wiring, rise: u64, seed: u64) -> Self {
        Self {
            wiring,
            lines: scatter(0x1F, &wiring.rows) | scatter(0x1F, &wiring.columns),
            rise,
            seed,
            sio: 0,
            pio: [0; 2],
            pwm: 0,
            pull_up: 0,
            schmitt: 0,
            levels: 0,
            rising: 0,
            since: [0; PINS],
            next_rise: None,
            edges: [0; 4],
            conflict: false,
        }
    }

    /// Which pin does what.
    pub fn wiring(&self) -> &Wiring {
        &self.wiring
    }

    /// Reads function selects and pads again, after the firmware wrote one.
    pub fn configure(&mut self, bus: &Bus) {
        let function = |function| {
            (0..PINS).filter(|&pin| bus.io_bank0.funcsel(pin) == function).fold(0, |mask, pin| mask | 1 << pin)
        };
        let pad = |bit| (0..PINS).fold(0, |mask, pin| mask | u32::from(bus.pads_bank0.pads[pin] & bit != 0) << pin);
        self.sio = function(FUNCTION_SIO);
        self.pio = [function(FUNCTION_PIO0), function(FUNCTION_PIO1)];
        self.pwm = function(FUNCTION_PWM);
        self.pull_up = pad(PAD_PULL_UP);
        self.schmitt = pad(PAD_SCHMITT);
    }

    /// Which PIO block drives the LED pin, if one does.
    pub fn led_block(&self) -> Option<usize> {
        self.pio.iter().position(|mask| mask >> self.wiring.leds & 1 != 0)
    }

    /// The pins that the PWM drives.
    pub fn pwm(&self) -> u32 {
        self.pwm
    }

    /// Works out all levels at `ns`; latches edges. `pwm`: the levels that the PWM gives to its pins.
    pub fn refresh(&mut self, bus: &Bus, matrix: &Matrix, pwm: u32, ns: u64) {
        let mut enable = bus.sio.gpio_oe & self.sio | self.pwm;
        let mut out = bus.sio.gpio_out & self.sio | pwm & self.pwm;
        for (mask, pio) in self.pio.iter().zip(&bus.pio) {
            enable |= pio.pad_oe & mask;
            out |= pio.pad_out & mask;
        }
        let low = self.at_pins(matrix.low(self.at_lines(enable & !out)));
        let pulled_up = self.pull_up & !enable | enable & out;
        let pulled_up = pulled_up | self.at_pins(matrix.pulled_up(self.at_lines(pulled_up)));
        self.conflict = low & enable & out != 0;
        let high = (enable & out | !enable & pulled_up) & !low;
        let risen = self.raise(high & !enable & self.lines & !self.levels, ns);
        let levels = high & !self.rising;
        for pin in each(levels ^ self.levels) {
            self.latch(pin, levels >> pin & 1 == 0);
        }
        for pin in each(risen & !self.schmitt) {
            self.latch(pin, true);
        }
        self.levels = levels;
    }

    fn at_lines(&self, mask: u32) -> Lines {
        Lines { rows: gather(mask, &self.wiring.rows), columns: gather(mask, &self.wiring.columns) }
    }

    fn at_pins(&self, lines: Lines) -> u32 {
        scatter(lines.rows, &self.wiring.rows) | scatter(lines.columns, &self.wiring.columns)
    }

    /// These lines were low and are let go, now or earlier; gives those whose rise is over.
    fn raise(&mut self, slow: u32, ns: u64) -> u32 {
        if self.rise == 0 || slow | self.rising == 0 {
            return 0;
        }
        for pin in each(slow & !self.rising) {
            self.since[pin] = ns;
        }
        let over = each(slow).filter(|&pin| ns >= self.since[pin] + self.rise).fold(0, |mask, pin| mask | 1 << pin);
        self.rising = slow & !over;
        self.next_rise = each(self.rising).map(|pin| self.since[pin] + self.rise).min();
        over
    }

    fn latch(&mut self, pin: usize, falling: bool) {
        self.edges[pin / 8] |= if falling { 4 } else { 8 } << (pin % 8 * 4);
    }

    /// When the next line has risen, ns since power-on.
    pub fn next_rise(&self) -> Option<u64> {
        self.next_rise
    }

    /// Levels of all pins, bit = pin.
    pub fn levels(&self) -> u32 {
        self.levels
    }

    /// The levels as the core reads them at `ns`: a slow edge at a pad without Schmitt trigger reads as chance has it.
    pub fn read_levels(&self, ns: u64) -> u32 {
        let chattering = each(self.rising & !self.schmitt)
            .filter(|&pin| (ns - self.since[pin]) * CHATTER_FROM.1 >= self.rise * CHATTER_FROM.0)
            .fold(0, |mask, pin| mask | 1 << pin);
        if chattering == 0 {
            return self.levels;
        }
        self.levels | chattering & Pcg32::new(self.seed ^ ns, 0xc4a).next_u32()
    }

    /// The INTR register of eight pins.
    fn raw(&self, bank: usize) -> u32 {
        (0..8).fold(self.edges[bank], |raw, pin| raw | (1 + (self.levels >> (8 * bank + pin) & 1)) << (pin * 4))
    }

    /// A set of interrupt registers (enable, force, status follow each other): the status of eight pins.
    fn status(&self, bus: &Bus, set: u32, bank: usize) -> u32 {
        let at = set + 4 * bank as u32;
        self.raw(bank) & bus.io_bank0.read32(at) | bus.io_bank0.read32(at + 0x10)
    }

    /// The interrupt line to core 0.
    pub fn interrupt(&self, bus: &Bus) -> bool {
        (0..4).any(|bank| self.status(bus, CORE0, bank) != 0)
    }

    /// A pin wakes the chip from dormant sleep.
    pub fn wakes(&self, bus: &Bus) -> bool {
        (0..4).any(|bank| self.status(bus, WAKE, bank) != 0)
    }

    /// Reads a register of IO_BANK0 if it is one of those that follow the pins.
    pub fn read(&self, bus: &Bus, offset: u32) -> Option<u32> {
        let bank = (offset >> 2 & 3) as usize;
        match offset & !0xF {
            INTR => Some(self.raw(bank)),
            0x120 => Some(self.status(bus, CORE0, bank)),
            0x180 => Some(self.status(bus, WAKE, bank)),
            _ => None,
        }
    }

    /// The firmware writes INTR: edges whose bits are set are forgotten.
    pub fn acknowledge(&mut self, offset: u32, value: u32) {
        if offset & !0xF == INTR {
            self.edges[(offset >> 2 & 3) as usize] &= !value;
        }
    }
}
