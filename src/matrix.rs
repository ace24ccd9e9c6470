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

use embedded_hal::delay::DelayNs;
use embedded_hal::digital::{InputPin, OutputPin};

use crate::board::{CELLS, SIDE};
use crate::mask::{Mask, indexed};

indexed! {
    /// A crossing of the matrix, where a key connects a row with a column: its index is `5 * row + column` of the two wires. At
    /// which cell this key is, the [`KeyMap`](crate::layout::KeyMap) knows.
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

/// One scan, with what is not to be believed marked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Reading {
    /// Contacts that are surely closed.
    pub closed: Contacts,
    /// Contacts about which this scan says nothing.
    pub doubtful: Contacts,
}

impl Reading {
    /// Judges a raw scan: the contacts that seem closed.
    pub fn judge(raw: Contacts) -> Self {
        // One key alone, which is most of play, has nothing to be confused with.
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

/// How long the columns may take to rise, in steps of [`RISE_STEP`]: 60 us. The pull-up (50 to 80 kOhm) has to charge the column, and a row that
/// hangs on it through a closed key: 12 us with the long wires of arcade buttons (200 pF). One that takes longer than this is
/// held down by something else.
const RISE_LIMIT: u32 = 240;
/// In nanoseconds.
const RISE_STEP: u32 = 250;
/// How long a column takes to fall, in nanoseconds: a driven row pulls it down at once.
const FALL: u32 = 250;

/// The pins of the columns, read all at once. Any five input pins are; a chip may have a faster way.
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

/// The matrix on its pins. `Row` is an open-drain output: high lets go of the line.
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
    /// Takes the pins and pulls all rows down.
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
            // What the row before has pulled down must be up again, or its keys would be seen in this row.
            self.let_columns_rise()?;
            self.rows[r].set_low()?;
            self.delay.delay_ns(FALL);
            raw |= Contacts::of_row(r, self.columns.low()?);
            self.rows[r].set_high()?;
        }
        self.rows.iter_mut().try_for_each(OutputPin::set_low)?;
        Ok(raw)
    }

    /// The columns. With all rows low, as between scans, any key pulls one of them down.
    pub fn columns(&mut self) -> &mut Cols {
        &mut self.columns
    }

    /// Waits for the columns themselves, not for a time that would do for the longest wires.
    fn let_columns_rise(&mut self) -> Result<(), Error> {
        for _ in 0..RISE_LIMIT {
            if self.columns.low()?.is_empty() {
                break;
            }
            self.delay.delay_ns(RISE_STEP);
        }
        Ok(())
    }
}
