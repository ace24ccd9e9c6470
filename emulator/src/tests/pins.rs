//! Pins with keys, without a core.

use crate::chip_interface::ChipBus;
use crate::gpio::Pins;
use crate::matrix::{Matrix, MatrixLines};
use lights_out::layout::Layout;
use lights_out::wiring::Wiring;
use rp2040_emu::Bus;

const SIO: u32 = 5;
const SCHMITT: u32 = 1 << 1;
const PULL_UP: u32 = 1 << 3;
/// Offsets of the interrupt enable registers for core 0 and for the end of dormant sleep.
const CORE0: u32 = 0x100;
const WAKE: u32 = 0x160;
/// The rise time of a line, in ns.
const RISE: u64 = 2_000;

struct Board {
    bus: Bus,
    pins: Pins,
    matrix: Matrix,
    wiring: Wiring,
}

impl Board {
    /// A board whose rows are SIO outputs (enabled while driven low) and whose columns have pull-ups and Schmitt
    /// triggers.
    fn new(wiring: Wiring, rise: u64, diodes: bool) -> Self {
        let mut bus = Bus::new();
        for pin in wiring.rows.into_iter().chain(wiring.columns).map(usize::from) {
            bus.io_bank0.ctrl[pin] = SIO;
            bus.pads_bank0.pads[pin] = SCHMITT | 1 << 6;
        }
        for pin in wiring.columns.map(usize::from) {
            bus.pads_bank0.pads[pin] |= PULL_UP;
        }
        let mut pins = Pins::new(wiring, crate::PicoBoard::Plain, rise, 7);
        pins.configure(bus.pin_settings());
        let mut board =
            Self { bus, pins, matrix: Matrix::new(diodes, MatrixLines::default(), Layout::REFERENCE.keys), wiring };
        // At power-on all lines are low.
        board.at(0);
        board.at(rise);
        board
    }

    fn reference() -> Self {
        Self::new(Wiring::REFERENCE, 0, true)
    }

    fn at(&mut self, ns: u64) {
        self.pins.refresh(&self.bus, &self.matrix, 0, ns);
    }

    /// Drives these rows low from the time `ns` on. Bit n is row n.
    fn drive(&mut self, rows: u8, ns: u64) {
        let pins = self.wiring.rows.iter().enumerate();
        self.bus.sio.gpio_oe = pins.fold(0, |mask, (row, pin)| mask | u32::from(rows >> row & 1) << pin);
        self.at(ns);
    }

    fn key(&mut self, cell: usize, closed: bool, ns: u64) {
        self.matrix.set(cell, closed);
        self.at(ns);
    }

    /// The levels of the columns, column 0 first.
    fn columns(&self) -> [u8; 5] {
        self.wiring.columns.map(|pin| (self.pins.levels() >> pin & 1) as u8)
    }

    /// The latched edges of column 0: 1 falling, 2 rising.
    fn edges(&self) -> u32 {
        let pin = u32::from(self.wiring.columns[0]);
        self.pins.raw(pin as usize / 8) >> (pin % 8 * 4 + 2) & 3
    }

    fn clear_edges(&mut self) {
        (0..4).for_each(|bank| self.pins.acknowledge(bank, !0));
    }
}

#[test]
fn pressed_key_is_seen_only_while_its_row_is_low() {
    let scattered = Wiring { rows: [28, 3, 14, 0, 22], columns: [9, 26, 1, 20, 13], ..Wiring::REFERENCE };
    for wiring in [Wiring::REFERENCE, scattered] {
        let mut board = Board::new(wiring, 0, true);
        board.key(5 * 3 + 4, true, 1);
        assert_eq!(board.columns(), [1, 1, 1, 1, 1]);
        board.drive(1 << 3, 2);
        assert_eq!(board.columns(), [1, 1, 1, 1, 0]);
        board.drive(1 << 0, 3);
        assert_eq!(board.columns(), [1, 1, 1, 1, 1]);
        assert!(!board.pins.conflict);
    }
}

#[test]
fn column_without_pull_up_reads_low() {
    let mut board = Board::reference();
    board.bus.pads_bank0.pads[usize::from(board.wiring.columns[1])] &= !PULL_UP;
    board.pins.configure(board.bus.pin_settings());
    board.at(1);
    assert_eq!(board.columns(), [1, 0, 1, 1, 1]);
}

#[test]
fn rows_driven_high_and_low_conflict_without_diodes() {
    for (diodes, conflict) in [(true, false), (false, true)] {
        let mut board = Board::new(Wiring::REFERENCE, 0, diodes);
        board.key(0, true, 1);
        board.key(5, true, 1);
        board.drive(0x1F, 1);
        board.bus.sio.gpio_out = !(1 << board.wiring.rows[0]);
        board.at(2);
        assert_eq!(board.pins.conflict, conflict);
        assert_eq!(board.columns(), [0, 1, 1, 1, 1]);
    }
}

#[test]
fn edges_are_latched_and_levels_are_not() {
    let mut board = Board::reference();
    board.drive(0x1F, 1);
    board.clear_edges();
    // Falling edges of column 0 (pin 7: bank 0, highest four bits).
    board.bus.io_bank0.write32(CORE0, 4 << 28, 0);
    board.pins.configure(board.bus.pin_settings());
    assert!(!board.pins.interrupt());
    board.key(0, true, 2);
    assert!(board.pins.interrupt());
    assert_eq!(board.pins.core_status(0), 4 << 28);
    board.key(0, false, 3);
    assert!(board.pins.interrupt(), "latched");
    board.pins.acknowledge(0, 4 << 28);
    assert!(!board.pins.interrupt());
    // Level low, for the end of dormant sleep.
    board.bus.io_bank0.write32(WAKE, 1 << 28, 0);
    board.pins.configure(board.bus.pin_settings());
    assert!(!board.pins.wakes());
    board.key(0, true, 4);
    assert!(board.pins.wakes());
}

#[test]
fn line_falls_at_once_and_rises_slowly() {
    let mut board = Board::new(Wiring::REFERENCE, RISE, true);
    board.drive(0x1F, 10_000);
    board.clear_edges();
    board.key(0, true, 11_000);
    assert_eq!((board.columns()[0], board.edges(), board.pins.next_rise()), (0, 1, None));
    board.key(0, false, 20_000);
    assert_eq!(board.pins.next_rise(), Some(20_000 + RISE));
    // The key closes again before the end of the rise. The rise starts again, and the line was never high.
    board.key(0, true, 20_000 + RISE - 1);
    board.key(0, false, 30_000);
    board.at(30_000 + RISE - 1);
    assert_eq!((board.columns()[0], board.edges()), (0, 1));
    board.at(30_000 + RISE);
    assert_eq!((board.columns()[0], board.edges(), board.pins.next_rise()), (1, 3, None));
}

#[test]
fn released_row_rises_with_its_column() {
    let mut board = Board::new(Wiring::REFERENCE, RISE, true);
    let row = |board: &Board| board.pins.levels() >> board.wiring.rows[2] & 1;
    board.drive(1 << 2, 5_000);
    board.drive(0, 6_000);
    board.at(20_000);
    assert_eq!(row(&board), 0, "a row has no pull-up");
    board.drive(1 << 2, 21_000);
    board.key(5 * 2, true, 21_000);
    board.drive(0, 22_000);
    board.at(22_000 + RISE - 1);
    assert_eq!((row(&board), board.columns()[0]), (0, 0));
    board.at(22_000 + RISE);
    assert_eq!((row(&board), board.columns()[0]), (1, 1));
}

#[test]
fn slow_edge_chatters_without_a_schmitt_trigger() {
    for schmitt in [true, false] {
        let mut board = Board::new(Wiring::REFERENCE, 100 * RISE, true);
        let pin = board.wiring.columns[0];
        if !schmitt {
            board.bus.pads_bank0.pads[usize::from(pin)] &= !SCHMITT;
            board.pins.configure(board.bus.pin_settings());
        }
        board.drive(1, 1_000_000);
        board.key(0, true, 1_000_000);
        board.clear_edges();
        board.key(0, false, 2_000_000);
        let reads = |from: u64, to: u64| -> u32 {
            (from..to).step_by(1_000).map(|at| board.pins.read_levels(2_000_000 + at) >> pin & 1).sum()
        };
        assert_eq!(reads(0, 60_000), 0, "still below the threshold");
        let chatter = reads(60_000, 200_000);
        assert!(if schmitt { chatter == 0 } else { (40..100).contains(&chatter) }, "{chatter} of 140");
        assert_eq!(chatter, reads(60_000, 200_000), "the same seed gives the same chatter");
        board.at(2_200_000);
        assert_eq!(board.edges(), if schmitt { 2 } else { 3 });
    }
}

#[test]
fn rp2040_pads_pull_down_after_reset() {
    let mut bus = Bus::new();
    let mut pins = Pins::new(Wiring::REFERENCE, crate::PicoBoard::Plain, 0, 7);
    pins.configure(bus.pin_settings());
    let drive = pins.vsys_drive();
    assert!(drive.pull_down && !drive.pull_up && !drive.sticky && drive.output.is_none());
    bus.pads_bank0.pads[29] = 1 << 7;
    pins.configure(bus.pin_settings());
    assert!(!pins.vsys_drive().pull_down && pins.is_analogue(29));
}

#[test]
fn pad_can_disable_input_and_output() {
    const INPUT: u32 = 1 << 6;
    const OUTPUT_DISABLE: u32 = 1 << 7;
    let mut board = Board::reference();
    board.key(0, true, 1);
    board.drive(1, 2);
    assert_eq!(board.columns()[0], 0);
    let (row, column) = (usize::from(board.wiring.rows[0]), usize::from(board.wiring.columns[0]));
    board.bus.pads_bank0.pads[row] |= OUTPUT_DISABLE;
    board.pins.configure(board.bus.pin_settings());
    board.at(3);
    assert_eq!(board.columns()[0], 1, "the row is no longer driven");
    assert_eq!(board.pins.inputs() >> column & 1, 1);
    board.bus.pads_bank0.pads[column] &= !INPUT;
    board.pins.configure(board.bus.pin_settings());
    board.clear_edges();
    board.at(4);
    assert_eq!(
        (board.columns()[0], board.pins.inputs() >> column & 1),
        (1, 0),
        "the line is high, but the input is disabled"
    );
    board.bus.pads_bank0.pads[row] &= !OUTPUT_DISABLE;
    board.pins.configure(board.bus.pin_settings());
    board.at(5);
    assert_eq!((board.columns()[0], board.edges()), (0, 0));
}
