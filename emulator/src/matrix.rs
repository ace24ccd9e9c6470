//! The key matrix: which lines are low, for a set of closed keys and the lines that the firmware drives low.
//!
//! The contact (r, c) connects column c to row r. With diodes (cathode to the row) current flows from column to row
//! only: a row that is driven low pulls the columns of its own closed keys low, and no other line. Without diodes a
//! closed key conducts both ways, so a low level spreads through all connected closed keys, to rows and columns. That
//! is the cause of a "ghost": the fourth corner of a rectangle reads as closed when the other three corners are.
//!
//! Tests press the key of a cell. The board's layout assigns a contact to each cell.
//!
//! This module only computes levels from levels. Drivers and pull-ups are in [`crate::gpio`].

use lights_out::board::Cell;
use lights_out::layout::KeyMap;
use lights_out::matrix::Contacts;

/// Number of rows of the matrix.
pub const ROWS: usize = 5;
/// Number of columns of the matrix.
pub const COLUMNS: usize = 5;
/// Number of cells, each with a key and an LED. Cell = `5 * row + column`.
pub const CELLS: usize = ROWS * COLUMNS;

/// A set of lines of the matrix.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MatrixLines {
    /// Bit r: row r.
    pub rows: u8,
    /// Bit c: column c.
    pub columns: u8,
}

/// The keys as soldered, and which of them are closed.
#[derive(Clone, Debug)]
pub(crate) struct Matrix {
    diodes: bool,
    /// The cell of each contact.
    keys: KeyMap,
    closed: Contacts,
    /// Lines that a bad solder joint disconnects from the Pico.
    open: MatrixLines,
}

impl Matrix {
    /// A matrix with no key pressed.
    pub(crate) fn new(diodes: bool, open: MatrixLines, keys: KeyMap) -> Self {
        Self { diodes, keys, closed: Contacts::EMPTY, open }
    }

    /// The closed keys, bit = cell.
    pub(crate) fn closed(&self) -> u32 {
        self.keys.cells_of_contacts(self.closed).bits()
    }

    /// Closes or opens the key of a cell. Ignored if the cell does not exist.
    pub(crate) fn set(&mut self, cell: usize, closed: bool) {
        if let Some(cell) = Cell::new(cell) {
            let bit = self.keys.contact_of_cell(cell).bit();
            self.closed = if closed { self.closed | bit } else { self.closed & !bit };
        }
    }

    /// Closed keys of a row, bit = column.
    fn row(&self, row: usize) -> u8 {
        self.closed.row(row).bits() as u8
    }

    /// All lines that are low while the firmware drives `driven` low. A disconnected line is low only if it is driven.
    pub(crate) fn low(&self, driven: MatrixLines) -> MatrixLines {
        self.spread(driven, true, !self.diodes)
    }

    /// All lines that are pulled up while the lines `own` have a pull-up: through a diode, the pull-up of a column also
    /// charges the rows of its closed keys.
    pub(crate) fn pulled_up(&self, own: MatrixLines) -> MatrixLines {
        self.spread(own, !self.diodes, true)
    }

    /// All lines that are connected to `from` through closed keys, from rows to columns, from columns to rows, or both.
    fn spread(&self, from: MatrixLines, to_columns: bool, to_rows: bool) -> MatrixLines {
        if self.closed.is_empty() {
            return from;
        }
        let mut reached = MatrixLines { rows: from.rows & !self.open.rows, columns: from.columns & !self.open.columns };
        loop {
            let before = reached;
            for row in 0..ROWS {
                let keys = self.row(row);
                if to_columns && reached.rows >> row & 1 != 0 {
                    reached.columns |= keys;
                } else if to_rows && keys & reached.columns != 0 {
                    reached.rows |= 1 << row;
                }
            }
            // One direction needs one round. Both directions need rounds until nothing changes.
            if to_columns != to_rows || reached == before {
                break;
            }
        }
        MatrixLines {
            rows: reached.rows & !self.open.rows | from.rows,
            columns: reached.columns & !self.open.columns | from.columns,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lights_out::layout::Layout;

    fn with_keys(diodes: bool, keys: &[usize]) -> Matrix {
        let mut matrix = Matrix::new(diodes, MatrixLines::default(), Layout::REFERENCE.keys);
        for &key in keys {
            matrix.set(key, true);
        }
        matrix
    }

    /// The result of a scan of all rows, bit = cell.
    fn scan(matrix: &Matrix) -> u32 {
        (0..ROWS).fold(0, |seen, row| {
            let columns = matrix.low(MatrixLines { rows: 1 << row, columns: 0 }).columns;
            seen | u32::from(columns) << (COLUMNS * row)
        })
    }

    #[test]
    fn each_single_key_is_read_with_and_without_diodes() {
        for cell in 0..CELLS {
            assert_eq!(scan(&with_keys(true, &[cell])), 1 << cell);
            assert_eq!(scan(&with_keys(false, &[cell])), 1 << cell);
        }
    }

    #[test]
    fn three_corners_ghost_the_fourth_only_without_diodes() {
        let corners = [0, 3, 10];
        assert_eq!(scan(&with_keys(true, &corners)), 1 | 1 << 3 | 1 << 10);
        assert_eq!(scan(&with_keys(false, &corners)), 1 | 1 << 3 | 1 << 10 | 1 << 13);
    }

    #[test]
    fn three_keys_have_a_ghost_in_400_cases() {
        let mut ghosts = 0;
        for a in 0..CELLS {
            for b in a + 1..CELLS {
                let two = with_keys(false, &[a, b]);
                assert_eq!(scan(&two), two.closed(), "two keys never ghost");
                for c in b + 1..CELLS {
                    let three = with_keys(false, &[a, b, c]);
                    assert_eq!(scan(&with_keys(true, &[a, b, c])), three.closed());
                    ghosts += u32::from(scan(&three) != three.closed());
                }
            }
        }
        assert_eq!(ghosts, 400);
    }

    #[test]
    fn low_level_spreads_through_several_keys() {
        // Row 0 -> column 1 -> row 1 -> column 2 -> row 2 -> column 4.
        let matrix = with_keys(false, &[1, 6, 7, 12, 14]);
        let low = matrix.low(MatrixLines { rows: 1, columns: 0 });
        assert_eq!(low, MatrixLines { rows: 0b00111, columns: 0b10110 });
    }

    #[test]
    fn diode_blocks_from_low_column_to_row() {
        let driven = MatrixLines { rows: 0, columns: 1 };
        assert_eq!(with_keys(true, &[0]).low(driven), driven);
        assert_eq!(with_keys(false, &[0]).low(driven), MatrixLines { rows: 1, columns: 1 });
    }

    #[test]
    fn pull_up_charges_all_connected_lines() {
        let columns = MatrixLines { rows: 0, columns: 0b00110 };
        // Keys (0, 1) and (2, 1), and key (2, 4), whose column has no pull-up.
        let keys = [1, 11, 14];
        assert_eq!(with_keys(true, &keys).pulled_up(columns), MatrixLines { rows: 0b00101, columns: 0b00110 });
        assert_eq!(with_keys(false, &keys).pulled_up(columns), MatrixLines { rows: 0b00101, columns: 0b10110 });
        assert_eq!(with_keys(true, &[]).pulled_up(columns), columns);
    }

    #[test]
    fn bad_joint_disconnects_its_line() {
        let mut matrix = Matrix::new(true, MatrixLines { rows: 0, columns: 1 << 2 }, Layout::REFERENCE.keys);
        for cell in 0..CELLS {
            matrix.set(cell, true);
        }
        assert_eq!(matrix.low(MatrixLines { rows: 1, columns: 0 }).columns, 0b11011);
        matrix.set(99, true);
        assert_eq!(matrix.closed(), (1 << CELLS) - 1);
    }
}
