//! The pins: their drivers, the levels on the board, and the pin interrupts.
//!
//! A pin is driven by the block that its function select names (SIO, a PIO block or PWM; the others are not modelled).
//! A pin that is not driven is pulled by its pad. [`PinSettings`] has the settings from the chip's registers. A line of
//! the matrix that is not driven is low if a closed key connects it to a low line. The emulator crates model neither
//! pulls nor pin interrupts, so both are modelled here. The Pico's connection from VBUS to GP24 is stronger than any
//! pull.
//!
//! **Slow edges.** A line of the matrix falls at once, because something drives it low. It rises slowly, because a
//! pull-up of 50 to 80 kOhm charges it: it stays low until the rise time has passed since it was released. A line
//! without any pull-up never rises; the pull-up of a column also counts for the rows that closed keys connect to it. A
//! slow edge passes the threshold of the input so slowly that a pad without Schmitt trigger chatters: in that part of
//! the rise each read returns a random 0 or 1, and at its end both edges are latched. (embassy-rp switches the Schmitt
//! trigger off when it configures a pin.)
//!
//! **Erratum RP2350-E9.** A pad of the RP2350 with its input enabled and without pull-up sources a current while its
//! voltage is between low and high. This current is stronger than the pad's own pull-down. So a pin that was high and
//! is released stays high (at about 2.2 V) until something drives it low or its input is disabled. (Fixed in revision
//! A4 of the chip.)
//!
//! **Pin interrupts** have four bits for each pin (level low, level high, edge low, edge high) and eight pins in a
//! register. Level bits follow the pins. Edge bits are latched until the firmware writes them to INTR.

use crate::bits::bits;
use crate::chip_interface::ChipBus;
use crate::matrix::{Matrix, MatrixLines};
use crate::vsys_pin::{Drive, PicoBoard};
use lights_out::wiring::{PicoPins, Wiring};
use rand_core::Rng;
use rand_pcg::Pcg32;

/// Number of pins.
pub(crate) const PINS: usize = 30;
const VBUS: u32 = 1 << PicoPins::ALL.vbus;
const VSYS: u32 = 1 << PicoPins::ALL.vsys;
/// The chip select of the radio, on boards with radio.
const RADIO_SELECT: u32 = 1 << PicoPins::ALL.select;
/// The part of the rise time after which an input can chatter: 30 %. An input is guaranteed to read low below 0.8 V and
/// high above 2.0 V. A line that charges towards 3.3 V reaches 0.8 V after 30 % of its time to 2.0 V.
const CHATTER_FROM: (u64, u64) = (3, 10);

/// The pin settings from the chip's registers. Bit = pin.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PinSettings {
    /// Pins whose function select is SIO.
    pub sio: u32,
    /// Pins whose function select is the PIO block with this index.
    pub pio: [u32; 3],
    /// Pins whose function select is PWM.
    pub pwm: u32,
    pub pull_up: u32,
    pub pull_down: u32,
    /// Pads with the Schmitt trigger on.
    pub schmitt: u32,
    /// Pads that are set up for the ADC.
    pub analogue: u32,
    /// Pads with the input enabled.
    pub input: u32,
    /// Pads with the output enabled.
    pub output: u32,
    /// Pads to which erratum RP2350-E9 applies.
    pub sticky: u32,
    /// The interrupts to core 0.
    pub core: PinInterrupts,
    /// The interrupts that end dormant sleep.
    pub wake: PinInterrupts,
}

/// A set of pin interrupt registers, eight pins each.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PinInterrupts {
    pub enabled: [u32; 4],
    pub forced: [u32; 4],
}

/// A mask of the pins for which `holds` returns true.
pub(crate) fn pins_where(holds: impl Fn(usize) -> bool) -> u32 {
    (0..PINS).filter(|&pin| holds(pin)).fold(0, |mask, pin| mask | 1 << pin)
}

/// Settings, levels and latched edges of all pins. Bit = pin.
#[derive(Clone, Debug)]
pub(crate) struct Pins {
    wiring: Wiring,
    /// The pins of all lines of the matrix.
    lines: u32,
    /// Rise time of a line, in ns.
    rise: u64,
    seed: u64,
    settings: PinSettings,
    levels: u32,
    /// Pins that are driven.
    driven: u32,
    /// Pins that are driven high.
    driven_high: u32,
    /// Whether VBUS has a voltage.
    pub has_vbus: bool,
    /// The kind of board, which determines the parts at GP24, GP25 and GP29.
    board: PicoBoard,
    /// Lines that were released and have not risen yet.
    rising: u32,
    /// When each rising line was released, ns since power-on.
    since: [u64; PINS],
    /// When the next line has risen, ns since power-on.
    next_rise: Option<u64>,
    edges: [u32; 4],
    /// Whether closed keys connect a row that is driven high to one that is driven low.
    pub conflict: bool,
}

/// Converts a mask of pins to a mask of lines: bit n is the level of `pins[n]`.
fn gather(mask: u32, pins: &[u8; 5]) -> u8 {
    pins.iter().enumerate().fold(0, |lines, (line, pin)| lines | ((mask >> pin & 1) as u8) << line)
}

/// Converts a mask of lines to a mask of pins.
fn scatter(lines: u8, pins: &[u8; 5]) -> u32 {
    pins.iter().enumerate().fold(0, |mask, (line, pin)| mask | u32::from(lines >> line & 1) << pin)
}

impl Pins {
    /// Pins without any configuration.
    pub(crate) fn new(wiring: Wiring, board: PicoBoard, rise: u64, seed: u64) -> Self {
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

    /// The pin assignment.
    pub(crate) fn wiring(&self) -> &Wiring {
        &self.wiring
    }

    /// Sets function selects, pads and interrupts.
    pub(crate) fn configure(&mut self, settings: PinSettings) {
        self.settings = settings;
    }

    /// Sets the interrupts alone: those to core 0, and those that end dormant sleep.
    pub(crate) fn configure_interrupts(&mut self, [core, wake]: [PinInterrupts; 2]) {
        (self.settings.core, self.settings.wake) = (core, wake);
    }

    /// The PIO block that drives the LED pin, if any.
    pub(crate) fn led_block(&self) -> Option<usize> {
        self.settings.pio.iter().position(|mask| mask >> self.wiring.leds & 1 != 0)
    }

    /// The pins that the PWM drives.
    pub(crate) fn pwm(&self) -> u32 {
        self.settings.pwm
    }

    /// Whether a pin is set up for the ADC.
    pub(crate) fn is_analogue(&self, pin: u8) -> bool {
        self.settings.analogue >> pin & 1 != 0
    }

    /// Computes all levels at `ns` and latches edges. `pwm` has the output levels of the PWM.
    pub(crate) fn refresh(&mut self, bus: &impl ChipBus, matrix: &Matrix, pwm: u32, ns: u64) {
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
        // The parts at GP24, where VBUS is sensed, are stronger than any pull.
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

    fn at_lines(&self, mask: u32) -> MatrixLines {
        MatrixLines { rows: gather(mask, &self.wiring.rows), columns: gather(mask, &self.wiring.columns) }
    }

    fn at_pins(&self, lines: MatrixLines) -> u32 {
        scatter(lines.rows, &self.wiring.rows) | scatter(lines.columns, &self.wiring.columns)
    }

    /// Updates the slow rises. `slow` has the lines that are released but still low. Returns the lines whose rise is
    /// over.
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

    /// When the next slow rise ends, ns since power-on.
    pub(crate) fn next_rise(&self) -> Option<u64> {
        self.next_rise
    }

    /// The levels of all pins, bit = pin.
    pub(crate) fn levels(&self) -> u32 {
        self.levels
    }

    /// The levels of the pins whose pad has the input enabled; 0 for the others.
    pub(crate) fn inputs(&self) -> u32 {
        self.levels & self.settings.input
    }

    /// The state of the pad at GP29, where VSYS is measured.
    pub(crate) fn vsys_drive(&self) -> Drive {
        let has = |pins: u32| pins & VSYS != 0;
        Drive {
            pull_up: has(self.settings.pull_up),
            pull_down: has(self.settings.pull_down),
            output: has(self.driven & !self.settings.analogue).then_some(has(self.driven_high)),
            select: self.driven_high & RADIO_SELECT != 0,
            sticky: has(self.settings.sticky),
        }
    }

    /// The levels that the core reads at `ns`. A slow edge at a pad without Schmitt trigger reads as a random level.
    pub(crate) fn read_levels(&self, ns: u64) -> u32 {
        let chattering = bits(self.rising & !self.settings.schmitt)
            .filter(|&pin| ns.saturating_sub(self.since[pin]) * CHATTER_FROM.1 >= self.rise * CHATTER_FROM.0)
            .fold(0, |mask, pin| mask | 1 << pin);
        if chattering == 0 {
            return self.inputs();
        }
        self.settings.input & (self.levels | chattering & Pcg32::new(self.seed ^ ns, 0xc4a).next_u32())
    }

    /// The INTR register of eight pins.
    pub(crate) fn raw(&self, bank: usize) -> u32 {
        let inputs = self.inputs();
        (0..8).fold(self.edges[bank], |raw, pin| raw | (1 + (inputs >> (8 * bank + pin) & 1)) << (pin * 4))
    }

    /// The interrupt status register of eight pins.
    fn status(&self, set: &PinInterrupts, bank: usize) -> u32 {
        if set.enabled[bank] == 0 { set.forced[bank] } else { self.raw(bank) & set.enabled[bank] | set.forced[bank] }
    }

    /// The interrupt status register of eight pins for core 0.
    pub(crate) fn core_status(&self, bank: usize) -> u32 {
        self.status(&self.settings.core, bank)
    }

    /// The interrupt status register of eight pins for the end of dormant sleep.
    pub(crate) fn wake_status(&self, bank: usize) -> u32 {
        self.status(&self.settings.wake, bank)
    }

    /// The interrupt line to core 0.
    pub(crate) fn interrupt(&self) -> bool {
        (0..4).any(|bank| self.core_status(bank) != 0)
    }

    /// Whether a pin ends dormant sleep.
    pub(crate) fn wakes(&self) -> bool {
        (0..4).any(|bank| self.wake_status(bank) != 0)
    }

    /// Write to INTR: clears the latched edges of eight pins whose bits are set.
    pub(crate) fn acknowledge(&mut self, bank: usize, value: u32) {
        self.edges[bank] &= !value;
    }
}
