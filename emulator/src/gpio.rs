//! The pins: who drives each one, the level that results on the board, and the interrupts that follow from it.
//!
//! A pin is driven by the block its function select names (SIO, a PIO block or PWM; others do not matter here) or else pulled
//! by its pad: [`PinSettings`] is what a chip's registers say about that. On top of that come the keys: a line of the matrix that is not driven and hangs on a low one is low. The
//! emulators know neither pulls nor pin interrupts, so both are done here. The Pico's own wire from VBUS is stronger than any pull.
//!
//! **Slow edges.** A line of the matrix falls at once, because something drives it low. It rises only as fast as a pull-up of
//! 50 to 80 kOhm charges it: until the rise time has passed since it was let go, it is low. A line without any pull-up, its
//! own or that of a column it hangs on through closed keys, never rises. A slow edge passes the input's threshold so slowly
//! that a pad without Schmitt trigger chatters: in that part of the rise each read gives 0 or 1 as chance has it, and at its
//! end both edges are latched. (embassy-rp switches the Schmitt trigger off when it takes a pin.)
//!
//! **Erratum RP2350-E9.** A pad of that chip with its input enabled and no pull-up lets a current out while it is between low and high, which is
//! more than its own pull-down takes: a pin that was high and is let go stays high (at some 2.2 V) until something drives it low or
//! the input is switched off. (Fixed in the chip's revision A4.)
//!
//! Pin interrupts: four bits a pin (level low, level high, edge low, edge high), eight pins a register. Levels follow the
//! pins, edges are latched until the firmware writes them to INTR.

use crate::bits::bits;
use crate::matrix::{Lines, Matrix};
use crate::silicon::ChipBus;
use crate::vsys_pin::{Drive, PicoBoard};
use lights_out::wiring::{PicoPins, Wiring};
use rand_core::Rng;
use rand_pcg::Pcg32;

/// Pins of the chip.
pub const PINS: usize = 30;
const VBUS: u32 = 1 << PicoPins::ALL.vbus;
const VSYS: u32 = 1 << PicoPins::ALL.vsys;
/// The radio's chip select, where there is one.
const RADIO_SELECT: u32 = 1 << PicoPins::ALL.select;
/// An input is sure to read low below 0.8 V and high above 2.0 V. A line that charges to 3.3 V is at 0.8 V after this share
/// of the time that it takes to 2.0 V: 30 %.
const CHATTER_FROM: (u64, u64) = (3, 10);

/// What a chip's registers say about its pins. Bit = pin.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PinSettings {
    /// Which block drives each of them.
    pub sio: u32,
    pub pio: [u32; 3],
    pub pwm: u32,
    /// Pads with a pull-up, with a pull-down, with a Schmitt trigger, set up for the analogue converter; whose input
    /// reaches the chip; whose output reaches the pin; and those that erratum RP2350-E9 applies to.
    pub pull_up: u32,
    pub pull_down: u32,
    pub schmitt: u32,
    pub analogue: u32,
    pub input: u32,
    pub output: u32,
    pub sticky: u32,
    /// The interrupts to core 0, and those that end dormant sleep.
    pub core: PinInterrupts,
    pub wake: PinInterrupts,
}

/// A set of interrupt registers, eight pins each.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PinInterrupts {
    pub enabled: [u32; 4],
    pub forced: [u32; 4],
}

/// The pins for which something holds, as a mask.
pub(crate) fn pins_where(holds: impl Fn(usize) -> bool) -> u32 {
    (0..PINS).filter(|&pin| holds(pin)).fold(0, |mask, pin| mask | 1 << pin)
}

/// The settings, the levels that follow, and the latched edges. Bit = pin.
#[derive(Clone, Debug)]
pub(crate) struct Pins {
    wiring: Wiring,
    /// All lines of the matrix, and how long one takes to rise, in ns.
    lines: u32,
    rise: u64,
    seed: u64,
    settings: PinSettings,
    levels: u32,
    /// Pins that are driven, and those that are driven high.
    driven: u32,
    driven_high: u32,
    /// There is a voltage at VBUS.
    pub has_vbus: bool,
    /// What the board has at the pins that serve the board itself.
    board: PicoBoard,
    /// Lines that were let go and have not risen yet, and since when each of them rises.
    rising: u32,
    since: [u64; PINS],
    next_rise: Option<u64>,
    edges: [u32; 4],
    /// Closed keys tie a row that is driven high to one that is driven low.
    pub conflict: bool,
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
    pub fn new(wiring: Wiring, board: PicoBoard, rise: u64, seed: u64) -> Self {
        Self {
            wiring,
            lines: scatter(0x1F, &wiring.rows) | scatter(0x1F, &wiring.columns),
            rise,
            seed,
            settings: PinSettings::default(),
            levels: 0,
            driven: 0,
            driven_high: 0,
            has_vbus: false,
            board,
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

    /// The firmware has written function selects, pads or interrupts.
    pub fn configure(&mut self, settings: PinSettings) {
        self.settings = settings;
    }

    /// The firmware has written interrupts, to core 0 or those that end dormant sleep, and nothing else.
    pub fn configure_interrupts(&mut self, [core, wake]: [PinInterrupts; 2]) {
        (self.settings.core, self.settings.wake) = (core, wake);
    }

    /// Which PIO block drives the LED pin, if one does.
    pub fn led_block(&self) -> Option<usize> {
        self.settings.pio.iter().position(|mask| mask >> self.wiring.leds & 1 != 0)
    }

    /// The pins that the PWM drives.
    pub fn pwm(&self) -> u32 {
        self.settings.pwm
    }

    /// Whether a pin is set up for the analogue converter.
    pub fn is_analogue(&self, pin: u8) -> bool {
        self.settings.analogue >> pin & 1 != 0
    }

    /// Works out all levels at `ns`; latches edges. `pwm`: the levels that the PWM gives to its pins.
    pub fn refresh(&mut self, bus: &impl ChipBus, matrix: &Matrix, pwm: u32, ns: u64) {
        let settings = self.settings;
        let (sio_enable, sio_out) = bus.outputs();
        let mut enable = sio_enable & settings.sio | settings.pwm;
        let mut out = sio_out & settings.sio | pwm & settings.pwm;
        for (mask, pio) in settings.pio.iter().zip(bus.pio()) {
            enable |= pio.pad_oe & mask;
            out |= pio.pad_out & mask;
        }
        enable &= settings.output;
        let low = self.at_pins(matrix.low(self.at_lines(enable & !out)));
        let pulled_up = settings.pull_up & !enable | enable & out;
        let pulled_up = pulled_up | self.at_pins(matrix.pulled_up(self.at_lines(pulled_up)));
        self.conflict = low & enable & out != 0;
        let mut held = pulled_up | settings.sticky & self.levels;
        // The parts at the pin for VBUS are stronger than any pull.
        let vbus = match self.board {
            PicoBoard::Plain => Some(self.has_vbus),
            PicoBoard::Other { button: true, .. } => Some(true),
            PicoBoard::Radio | PicoBoard::Bare { .. } | PicoBoard::Other { .. } => None,
        };
        if let Some(is_high) = vbus {
            held = if is_high { held | VBUS } else { held & !VBUS };
        }
        let high = (enable & out | !enable & held) & !low;
        (self.driven, self.driven_high) = (enable, enable & out);
        let risen = self.raise(high & !enable & self.lines & !self.levels, ns);
        let levels = high & !self.rising;
        for pin in bits((levels ^ self.levels) & settings.input) {
            self.latch(pin, levels >> pin & 1 == 0);
        }
        for pin in bits(risen & !settings.schmitt & settings.input) {
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
        for pin in bits(slow & !self.rising) {
            self.since[pin] = ns;
        }
        let over = bits(slow).filter(|&pin| ns >= self.since[pin] + self.rise).fold(0, |mask, pin| mask | 1 << pin);
        self.rising = slow & !over;
        self.next_rise = bits(self.rising).map(|pin| self.since[pin] + self.rise).min();
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

    /// The levels as far as pads let them into the chip.
    pub fn inputs(&self) -> u32 {
        self.levels & self.settings.input
    }

    /// What drives the pin for VSYS.
    pub fn vsys_drive(&self) -> Drive {
        let has = |pins: u32| pins & VSYS != 0;
        Drive {
            pull_up: has(self.settings.pull_up),
            pull_down: has(self.settings.pull_down),
            output: has(self.driven & !self.settings.analogue).then_some(has(self.driven_high)),
            select: self.driven_high & RADIO_SELECT != 0,
            sticky: has(self.settings.sticky),
        }
    }

    /// The levels as the core reads them at `ns`: a slow edge at a pad without Schmitt trigger reads as chance has it.
    pub fn read_levels(&self, ns: u64) -> u32 {
        let chattering = bits(self.rising & !self.settings.schmitt)
            .filter(|&pin| ns.saturating_sub(self.since[pin]) * CHATTER_FROM.1 >= self.rise * CHATTER_FROM.0)
            .fold(0, |mask, pin| mask | 1 << pin);
        if chattering == 0 {
            return self.inputs();
        }
        self.settings.input & (self.levels | chattering & Pcg32::new(self.seed ^ ns, 0xc4a).next_u32())
    }

    /// The INTR register of eight pins.
    pub fn raw(&self, bank: usize) -> u32 {
        let inputs = self.inputs();
        (0..8).fold(self.edges[bank], |raw, pin| raw | (1 + (inputs >> (8 * bank + pin) & 1)) << (pin * 4))
    }

    /// The status register of eight pins in a set of interrupts.
    fn status(&self, set: &PinInterrupts, bank: usize) -> u32 {
        if set.enabled[bank] == 0 { set.forced[bank] } else { self.raw(bank) & set.enabled[bank] | set.forced[bank] }
    }

    /// The status register of eight pins for core 0.
    pub fn core_status(&self, bank: usize) -> u32 {
        self.status(&self.settings.core, bank)
    }

    /// The status register of eight pins for the end of dormant sleep.
    pub fn wake_status(&self, bank: usize) -> u32 {
        self.status(&self.settings.wake, bank)
    }

    /// The interrupt line to core 0.
    pub fn interrupt(&self) -> bool {
        (0..4).any(|bank| self.core_status(bank) != 0)
    }

    /// A pin wakes the chip from dormant sleep.
    pub fn wakes(&self) -> bool {
        (0..4).any(|bank| self.wake_status(bank) != 0)
    }

    /// The firmware writes INTR: edges of these eight pins whose bits are set are forgotten.
    pub fn acknowledge(&mut self, bank: usize, value: u32) {
        self.edges[bank] &= !value;
    }
}
