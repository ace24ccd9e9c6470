//! The pins: who drives each one, the level that results on the board, and the interrupts that follow from it.
//!
//! A pin is driven by the block its function select names (SIO, PIO0 or PIO1; others do not matter here) or else pulled by
//! its pad. On top of that come the keys: a line of the matrix that is not driven and hangs on a low one is low. The
//! emulator knows neither pulls nor pin interrupts, so both are done here.
//!
//! Pin interrupts: four bits a pin (level low, level high, edge low, edge high), eight pins a register. Levels follow the
//! pins, edges are latched until the firmware writes them to INTR.

use crate::matrix::{Lines, Matrix};
use rp2040_emu::Bus;

/// First pin of the rows; they go up from there.
pub const ROW_PIN: u32 = 2;
/// First pin of the columns.
pub const COLUMN_PIN: u32 = 7;
/// The LED chain.
pub const LED_PIN: u32 = 16;
/// The switch of the LED supply.
pub const SUPPLY_PIN: u32 = 17;
/// The piezo.
pub const PIEZO_PIN: u32 = 15;

/// Pins of the chip.
const PINS: usize = 30;
/// All five lines of one side of the matrix.
const LINES: u32 = 0x1F;
const FUNCTION_SIO: u32 = 5;
const FUNCTION_PIO0: u32 = 6;
const FUNCTION_PIO1: u32 = 7;
const PAD_PULL_UP: u32 = 1 << 3;
/// Offsets in IO_BANK0 of the interrupt registers: raw, and the sets of core 0 and of the dormant wake.
const INTR: u32 = 0x0F0;
const CORE0: u32 = 0x100;
const WAKE: u32 = 0x160;

/// Function selects and pulls as masks, the levels that follow, and the latched edges.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pins {
    sio: u32,
    pio: [u32; 2],
    pull_up: u32,
    levels: u32,
    edges: [u32; 4],
    /// Closed keys tie a row that is driven high to one that is driven low.
    pub conflict: bool,
}

impl Pins {
    /// Reads function selects and pads again, after the firmware wrote one.
    pub fn configure(&mut self, bus: &Bus) {
        let mask = |function| {
            (0..PINS).filter(|&pin| bus.io_bank0.funcsel(pin) == function).fold(0, |mask, pin| mask | 1 << pin)
        };
        self.sio = mask(FUNCTION_SIO);
        self.pio = [mask(FUNCTION_PIO0), mask(FUNCTION_PIO1)];
        self.pull_up = (0..PINS).fold(0, |up, pin| up | u32::from(bus.pads_bank0.pads[pin] & PAD_PULL_UP != 0) << pin);
    }

    /// Which PIO block drives the LED pin, if one does.
    pub fn led_block(&self) -> Option<usize> {
        self.pio.iter().position(|mask| mask >> LED_PIN & 1 != 0)
    }

    /// Works out all levels; latches edges.
    pub fn refresh(&mut self, bus: &Bus, matrix: &Matrix) {
        let mut enable = bus.sio.gpio_oe & self.sio;
        let mut out = bus.sio.gpio_out & self.sio;
        for (mask, pio) in self.pio.iter().zip(&bus.pio) {
            enable |= pio.pad_oe & mask;
            out |= pio.pad_out & mask;
        }
        let driven_low = enable & !out;
        let low = matrix.low(Lines {
            rows: (driven_low >> ROW_PIN & LINES) as u8,
            columns: (driven_low >> COLUMN_PIN & LINES) as u8,
        });
        let low = u32::from(low.rows) << ROW_PIN | u32::from(low.columns) << COLUMN_PIN;
        self.conflict = low & enable & out != 0;
        let levels = (enable & out | !enable & self.pull_up) & !low;
        let changed = levels ^ self.levels;
        if changed != 0 {
            for pin in (0..PINS).filter(|pin| changed >> pin & 1 != 0) {
                let event = if levels >> pin & 1 == 0 { 4 } else { 8 };
                self.edges[pin / 8] |= event << (pin % 8 * 4);
            }
            self.levels = levels;
        }
    }

    /// Levels of all pins, bit = pin.
    pub fn levels(&self) -> u32 {
        self.levels
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows are SIO outputs (enabled while driven low), columns have pull-ups.
    fn board() -> (Bus, Pins, Matrix) {
        let mut bus = Bus::new();
        for pin in ROW_PIN..COLUMN_PIN + 5 {
            bus.io_bank0.ctrl[pin as usize] = FUNCTION_SIO;
            bus.pads_bank0.pads[pin as usize] |= PAD_PULL_UP;
        }
        let mut pins = Pins::default();
        pins.configure(&bus);
        (bus, pins, Matrix::new(true, Lines::default()))
    }

    fn columns(pins: &Pins) -> u32 {
        pins.levels() >> COLUMN_PIN & LINES
    }

    #[test]
    fn a_pressed_key_shows_only_while_its_row_is_low() {
        let (mut bus, mut pins, mut matrix) = board();
        matrix.set(5 * 3 + 4, true);
        pins.refresh(&bus, &matrix);
        assert_eq!(columns(&pins), 0b11111);
        bus.sio.gpio_oe = 1 << (ROW_PIN + 3);
        pins.refresh(&bus, &matrix);
        assert_eq!(columns(&pins), 0b01111);
        bus.sio.gpio_oe = 1 << ROW_PIN;
        pins.refresh(&bus, &matrix);
        assert_eq!(columns(&pins), 0b11111);
        assert!(!pins.conflict);
    }

    #[test]
    fn without_pull_ups_the_columns_read_low() {
        let (mut bus, mut pins, matrix) = board();
        bus.pads_bank0.pads[COLUMN_PIN as usize + 1] &= !PAD_PULL_UP;
        pins.configure(&bus);
        pins.refresh(&bus, &matrix);
        assert_eq!(columns(&pins), 0b11101);
    }

    #[test]
    fn rows_driven_high_against_low_are_a_conflict_without_diodes() {
        let (mut bus, mut pins, _) = board();
        bus.sio.gpio_oe = LINES << ROW_PIN;
        bus.sio.gpio_out = LINES << ROW_PIN & !(1 << ROW_PIN);
        for (diodes, conflict) in [(true, false), (false, true)] {
            let mut matrix = Matrix::new(diodes, Lines::default());
            matrix.set(0, true);
            matrix.set(5, true);
            pins.refresh(&bus, &matrix);
            assert_eq!(pins.conflict, conflict);
            assert_eq!(columns(&pins), 0b11110);
        }
    }

    #[test]
    fn edges_are_latched_until_acknowledged_and_levels_follow() {
        let (mut bus, mut pins, mut matrix) = board();
        bus.sio.gpio_oe = LINES << ROW_PIN;
        pins.refresh(&bus, &matrix);
        pins.edges = [0; 4];
        // Falling edges of column 0 (pin 7: bank 0, top nibble).
        bus.io_bank0.write32(CORE0, 4 << 28, 0);
        assert!(!pins.interrupt(&bus));
        matrix.set(0, true);
        pins.refresh(&bus, &matrix);
        assert!(pins.interrupt(&bus));
        assert_eq!(pins.read(&bus, 0x120), Some(4 << 28));
        matrix.set(0, false);
        pins.refresh(&bus, &matrix);
        assert!(pins.interrupt(&bus), "latched");
        pins.acknowledge(INTR, 4 << 28);
        assert!(!pins.interrupt(&bus));
        // Level low, for the dormant wake.
        bus.io_bank0.write32(WAKE, 1 << 28, 0);
        assert!(!pins.wakes(&bus));
        matrix.set(0, true);
        pins.refresh(&bus, &matrix);
        assert!(pins.wakes(&bus));
    }
}
