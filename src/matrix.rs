//! Reads the key matrix, and tells what of the reading can be believed.
//!
//! Five rows are driven (open drain, so that two pressed keys never short two rows), five columns are read through
//! pull-ups; a pressed key pulls its column down while its row is low. At rest **all rows are low**: then one look at
//! the columns covers all 25 keys, and as long as none is pressed a scan is no more than that look. Only when a column is
//! down are the rows driven one by one.
//!
//! Without diodes three pressed keys at the corners of a rectangle pull down the fourth as well, through each other. Any
//! such ghost makes two rows share at least two columns; so rows that do are not believed (the rule is QMK's). Real
//! presses of that kind wait until the doubt is over; a key that is up is never reported.

use embedded_hal::digital::{InputPin, OutputPin};

use crate::board::SIDE;

/// One scan, with what is not to be believed marked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Reading {
    /// Keys that are surely closed.
    pub closed: u32,
    /// Keys about which this scan says nothing.
    pub doubtful: u32,
}

impl Reading {
    /// Judges a raw scan, a mask of the keys that seem closed.
    pub fn judge(raw: u32) -> Self {
        let row = |r: usize| raw >> (SIDE * r) & ROW;
        let mut doubtful = 0;
        for a in 0..SIDE {
            for b in 0..a {
                let shared = row(a) & row(b);
                // Two or more bits set.
                if shared & shared.wrapping_sub(1) != 0 {
                    doubtful |= ROW << (SIDE * a) | ROW << (SIDE * b);
                }
            }
        }
        Self { closed: raw & !doubtful, doubtful }
    }
}

/// The keys of the first row.
const ROW: u32 = (1 << SIDE) - 1;

/// The matrix on its pins. `Row` is an open-drain output: high lets go of the line.
pub struct Matrix<Row, Column, Settle> {
    rows: [Row; SIDE],
    columns: [Column; SIDE],
    settle: Settle,
}

impl<Row, Column, Settle, Error> Matrix<Row, Column, Settle>
where
    Row: OutputPin<Error = Error>,
    Column: InputPin<Error = Error>,
    Settle: FnMut(),
{
    /// Takes the pins and pulls all rows down. `settle` waits until the pull-ups have raised the columns.
    pub fn new(rows: [Row; SIDE], columns: [Column; SIDE], settle: Settle) -> Result<Self, Error> {
        let mut matrix = Self { rows, columns, settle };
        matrix.rows.iter_mut().try_for_each(OutputPin::set_low)?;
        Ok(matrix)
    }

    /// The keys that seem closed.
    pub fn scan(&mut self) -> Result<u32, Error> {
        if self.low_columns()? == 0 {
            return Ok(0);
        }
        self.rows.iter_mut().try_for_each(OutputPin::set_high)?;
        let mut raw = 0;
        for r in 0..SIDE {
            self.rows[r].set_low()?;
            // Long enough for the columns of the row before to rise; those of this row fall at once.
            (self.settle)();
            raw |= self.low_columns()? << (SIDE * r);
            self.rows[r].set_high()?;
        }
        self.rows.iter_mut().try_for_each(OutputPin::set_low)?;
        Ok(raw)
    }

    /// The columns. With all rows low, as between scans, any key pulls one of them down.
    pub fn columns(&mut self) -> &mut [Column; SIDE] {
        &mut self.columns
    }

    fn low_columns(&mut self) -> Result<u32, Error> {
        let mut low = 0;
        for (c, column) in self.columns.iter_mut().enumerate() {
            low |= u32::from(column.is_low()?) << c;
        }
        Ok(low)
    }
}
