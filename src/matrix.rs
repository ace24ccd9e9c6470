//! Scans the key matrix, and rejects contacts that may be ghosts.
//!
//! Five rows are driven. They are open drain, so that two pressed keys never short two rows. Five columns are read
//! through pull-ups. A pressed key pulls its column low while its row is low. Between scans **all rows are low**: one
//! read of the columns covers all 25 keys, and while no key is pressed, a scan is only this read. The rows are driven
//! one by one only while a column is low.
//!
//! On a board without diodes, three pressed keys at the corners of a rectangle connect the row and the column of the
//! fourth corner. The fourth key then looks closed: a ghost. With any ghost, two rows share at least two columns. So
//! the contacts of two such rows are doubtful in this scan (the keyboard firmware QMK has the same rule). A real press
//! of this kind is reported as soon as the rows are no longer doubtful. A key that is up is never reported as down.

use embedded_hal::delay::DelayNs;
use embedded_hal::digital::{InputPin, OutputPin};

use crate::board::{CELLS, SIDE};
use crate::mask::{Mask, indexed};

indexed! {
    /// A crossing of the matrix, where a key connects a row with a column. Its index is `5 * row + column` of the two
    /// wires. The [`KeyMap`](crate::layout::KeyMap) gives the cell of this key.
    pub struct Contact, CELLS
}

/// A set of contacts.
pub type Contacts = Mask<Contact>;

indexed! {
    /// A column of the matrix.
    pub struct Column, SIDE
}

/// A set of columns of the matrix.
pub type Columns = Mask<Column>;

impl Contact {
    /// The row that its key connects.
    pub const fn row(self) -> usize {
        self.0 as usize / SIDE
    }

    /// The column that its key connects.
    pub const fn column(self) -> Column {
        Column(self.0 % SIDE as u8)
    }
}

impl Contacts {
    /// The contacts of this row in these columns.
    pub const fn of_row(row: usize, columns: Columns) -> Self {
        Self::from_bits(columns.bits() << (SIDE * row))
    }

    /// All contacts of a row.
    pub const fn in_row(row: usize) -> Self {
        Self::of_row(row, Columns::ALL)
    }

    /// All contacts of a column.
    pub const fn in_column(column: Column) -> Self {
        Self::from_bits((1 | 1 << SIDE | 1 << (2 * SIDE) | 1 << (3 * SIDE) | 1 << (4 * SIDE)) << column.index())
    }

    /// The columns of the contacts that are in this row.
    pub const fn row(self, row: usize) -> Columns {
        Columns::from_bits(self.bits() >> (SIDE * row))
    }

    /// The columns of all contacts.
    pub fn columns(self) -> Columns {
        (0..SIDE).fold(Columns::EMPTY, |columns, row| columns | self.row(row))
    }
}

/// One scan, with its doubtful contacts marked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Reading {
    /// Contacts that are closed for certain.
    pub closed: Contacts,
    /// Contacts that may be open or closed: this scan cannot decide.
    pub doubtful: Contacts,
}

impl Reading {
    /// Finds the doubtful contacts of a raw scan.
    pub fn judge(raw: Contacts) -> Self {
        // The common case: a single key cannot have a ghost.
        if !raw.has_several() {
            return Self { closed: raw, doubtful: Contacts::EMPTY };
        }
        let mut doubtful = Contacts::EMPTY;
        for a in 0..SIDE {
            for b in 0..a {
                if (raw.row(a) & raw.row(b)).has_several() {
                    doubtful |= Contacts::in_row(a) | Contacts::in_row(b);
                }
            }
        }
        Self { closed: raw & !doubtful, doubtful }
    }
}

/// The longest wait for the columns to rise, in steps of [`RISE_STEP_NS`]: 60 us. The pull-up (50 to 80 kohm) charges
/// the column, and a row that is connected to it through a closed key. That takes 12 us with the long wires of arcade
/// buttons (200 pF). A column that takes longer than the limit is held low by something else.
const RISE_LIMIT: u32 = 240;
/// The time between two reads of columns that rise, in nanoseconds.
const RISE_STEP_NS: u32 = 250;
/// The time that a column needs to fall, in nanoseconds: a driven row pulls it low at once.
const FALL_NS: u32 = 250;

/// The pins of the columns, read all at once. Any five input pins implement it. A chip may have a faster way.
pub trait ColumnPins {
    /// Why a pin cannot be read.
    type Error;

    /// The columns that are low.
    fn low(&mut self) -> Result<Columns, Self::Error>;
}

impl<Pin: InputPin> ColumnPins for [Pin; SIDE] {
    type Error = Pin::Error;

    fn low(&mut self) -> Result<Columns, Pin::Error> {
        let mut low = Columns::EMPTY;
        for (column, pin) in Column::all().zip(self) {
            if pin.is_low()? {
                low |= column.bit();
            }
        }
        Ok(low)
    }
}

/// The matrix on its pins. `Row` is an open-drain output: high releases the line.
pub struct Matrix<Row, Cols, Delay> {
    rows: [Row; SIDE],
    columns: Cols,
    delay: Delay,
}

impl<Row, Cols, Delay, Error> Matrix<Row, Cols, Delay>
where
    Row: OutputPin<Error = Error>,
    Cols: ColumnPins<Error = Error>,
    Delay: DelayNs,
{
    /// Takes the pins, and drives all rows low.
    pub fn new(rows: [Row; SIDE], columns: Cols, delay: Delay) -> Result<Self, Error> {
        let mut matrix = Self { rows, columns, delay };
        matrix.rows.iter_mut().try_for_each(OutputPin::set_low)?;
        Ok(matrix)
    }

    /// The contacts that seem closed.
    pub fn scan(&mut self) -> Result<Contacts, Error> {
        if self.columns.low()?.is_empty() {
            return Ok(Contacts::EMPTY);
        }
        self.rows.iter_mut().try_for_each(OutputPin::set_high)?;
        let mut raw = Contacts::EMPTY;
        for r in 0..SIDE {
            // A column that is still low from the row before would be read as a closed key of this row.
            self.wait_for_columns_to_rise()?;
            self.rows[r].set_low()?;
            self.delay.delay_ns(FALL_NS);
            raw |= Contacts::of_row(r, self.columns.low()?);
            self.rows[r].set_high()?;
        }
        self.rows.iter_mut().try_for_each(OutputPin::set_low)?;
        Ok(raw)
    }

    /// The pins of the columns. Between scans all rows are low, so any pressed key pulls one of them low.
    pub fn columns(&mut self) -> &mut Cols {
        &mut self.columns
    }

    /// Waits until all columns are high. A fixed time would have to be long enough for the longest wires.
    fn wait_for_columns_to_rise(&mut self) -> Result<(), Error> {
        for _ in 0..RISE_LIMIT {
            if self.columns.low()?.is_empty() {
                break;
            }
            self.delay.delay_ns(RISE_STEP_NS);
        }
        Ok(())
    }
}
