//! The key matrix: which lines are pulled low, for a set of closed switches and the lines the firmware drives low.
//!
//! Key (r, c) joins column c to row r. With diodes (cathode to the row) current flows from column to row only: a row that
//! is driven low pulls down the columns of its own closed keys, and nothing else. Without diodes a closed key is a plain
//! wire, so a low level floods through every closed key it can reach, rows and columns alike: that is where the "ghost"
//! comes from, the fourth corner of a rectangle whose other three keys are down.
//!
//! A hand presses the key at a place; which contact that is, the board's layout says.
//!
//! Pure: levels in, levels out. Who drives what, and the pull-ups, are the business of [`crate::gpio`].

use lights_out::board::Cell;
use lights_out::layout::KeyMap;
use lights_out::matrix::Contacts;

/// Rows of the matrix.
pub const ROWS: usize = 5;
/// Columns of the matrix.
pub const COLUMNS: usize = 5;
/// Keys, and as many LEDs. Cell = `5 * row + column`.
pub const CELLS: usize = ROWS * COLUMNS;

/// Lines of the matrix that are low: bit r of `rows`, bit c of `columns`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lines {
    /// Bit r: row r.
    pub rows: u8,
    /// Bit c: column c.
    pub columns: u8,
}

/// The switches as soldered, and which of them are closed.
#[derive(Clone, Debug)]
pub struct Matrix {
    diodes: bool,
    /// Where the key of each contact is.
    keys: KeyMap,
    closed: Contacts,
    /// Lines that a bad joint keeps from reaching the Pico.
    open: Lines,
}

impl Matrix {
    /// A matrix with no key pressed.
    pub fn new(diodes: bool, open: Lines, keys: KeyMap) -> Self {
        Self { diodes, keys, closed: Contacts::EMPTY, open }
    }

    /// The closed switches, bit = cell.
    pub fn closed(&self) -> u32 {
        self.keys.cells_of_contacts(self.closed).bits()
    }

    /// Closes or opens one switch; a cell that does not exist is ignored.
    pub fn set(&mut self, cell: usize, closed: bool) {
        if let Some(cell) = Cell::new(cell) {
            let bit = self.keys.contact_of_cell(cell).bit();
            self.closed = if closed { self.closed | bit } else { self.closed & !bit };
        }
    }

    /// Closed keys of a row, bit = column.
    fn row(&self, row: usize) -> u8 {
        self.closed.row(row).bits() as u8
    }

    /// Every line that is low when the firmware drives `driven` low. A line with a bad joint stays as it is at the Pico.
    pub fn low(&self, driven: Lines) -> Lines {
        self.spread(driven, true, !self.diodes)
    }

    /// Every line that is pulled up when these are by themselves: a diode lets the pull-up of a column charge the rows of its
    /// closed keys too.
    pub fn pulled_up(&self, own: Lines) -> Lines {
        self.spread(own, !self.diodes, true)
    }

    /// What reaches which lines through the closed keys, from rows to columns and from columns to rows.
    fn spread(&self, from: Lines, to_columns: bool, to_rows: bool) -> Lines {
        if self.closed.is_empty() {
            return from;
        }
        let mut reached = Lines { rows: from.rows & !self.open.rows, columns: from.columns & !self.open.columns };
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
            // One way, one round is all there is; both ways, the flood ends when nothing changes any more.
            if to_columns != to_rows || reached == before {
                break;
            }
        }
        Lines {
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
        let mut matrix = Matrix::new(diodes, Lines::default(), Layout::REFERENCE.keys);
        for &key in keys {
            matrix.set(key, true);
        }
        matrix
    }

    /// What a scan of all rows reads, bit = cell.
    fn scan(matrix: &Matrix) -> u32 {
        (0..ROWS).fold(0, |seen, row| {
            let columns = matrix.low(Lines { rows: 1 << row, columns: 0 }).columns;
            seen | u32::from(columns) << (COLUMNS * row)
        })
    }

    #[test]
    fn every_single_key_is_seen_with_and_without_diodes() {
        for cell in 0..CELLS {
            assert_eq!(scan(&with_keys(true, &[cell])), 1 << cell);
            assert_eq!(scan(&with_keys(false, &[cell])), 1 << cell);
        }
    }

    #[test]
    fn three_corners_of_a_rectangle_ghost_the_fourth_without_diodes_only() {
        let corners = [0, 3, 10];
        assert_eq!(scan(&with_keys(true, &corners)), 1 | 1 << 3 | 1 << 10);
        assert_eq!(scan(&with_keys(false, &corners)), 1 | 1 << 3 | 1 << 10 | 1 << 13);
    }

    #[test]
    fn four_hundred_of_the_three_key_states_ghost() {
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
    fn a_low_level_floods_through_several_keys() {
        // Row 0 -> column 1 -> row 1 -> column 2 -> row 2 -> column 4.
        let matrix = with_keys(false, &[1, 6, 7, 12, 14]);
        let low = matrix.low(Lines { rows: 1, columns: 0 });
        assert_eq!(low, Lines { rows: 0b00111, columns: 0b10110 });
    }

    #[test]
    fn a_column_driven_low_does_not_reach_a_row_through_a_diode() {
        let driven = Lines { rows: 0, columns: 1 };
        assert_eq!(with_keys(true, &[0]).low(driven), driven);
        assert_eq!(with_keys(false, &[0]).low(driven), Lines { rows: 1, columns: 1 });
    }

    #[test]
    fn a_pull_up_charges_what_hangs_on_its_line() {
        let columns = Lines { rows: 0, columns: 0b00110 };
        // Keys (0, 1) and (2, 1), and (2, 4) whose column has no pull-up of its own.
        let keys = [1, 11, 14];
        assert_eq!(with_keys(true, &keys).pulled_up(columns), Lines { rows: 0b00101, columns: 0b00110 });
        assert_eq!(with_keys(false, &keys).pulled_up(columns), Lines { rows: 0b00101, columns: 0b10110 });
        assert_eq!(with_keys(true, &[]).pulled_up(columns), columns);
    }

    #[test]
    fn a_bad_joint_silences_its_line() {
        let mut matrix = Matrix::new(true, Lines { rows: 0, columns: 1 << 2 }, Layout::REFERENCE.keys);
        for cell in 0..CELLS {
            matrix.set(cell, true);
        }
        assert_eq!(matrix.low(Lines { rows: 1, columns: 0 }).columns, 0b11011);
        matrix.set(99, true);
        assert_eq!(matrix.closed(), (1 << CELLS) - 1);
    }
}
