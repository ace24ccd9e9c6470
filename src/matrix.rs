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
        // One key alone, which is most of play, has nothing to be confused with.
        if raw & raw.wrapping_sub(1) == 0 {
            return Self { closed: raw, doubtful: 0 };
        }
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

/// How long the columns may take to rise, in steps of [`RISE_STEP`]: 60 us. The pull-up (50 to 80 kOhm) has to charge the column, and a row that
/// hangs on it through a closed key: 12 us with the long wires of arcade buttons (200 pF). One that takes longer than this is
/// held down by something else.
const RISE_LIMIT: u32 = 240;
/// In nanoseconds.
const RISE_STEP: u32 = 250;
/// How long a column takes to fall, in nanoseconds: a driven row pulls it down at once.
const FALL: u32 = 250;

/// The columns, looked at all at once. Any five pins are; a chip may be faster.
pub trait Columns {
    /// Why a pin cannot be read.
    type Error;

    /// The columns that are down, bit = column.
    fn low(&mut self) -> Result<u32, Self::Error>;
}

impl<Pin: InputPin> Columns for [Pin; SIDE] {
    type Error = Pin::Error;

    fn low(&mut self) -> Result<u32, Pin::Error> {
        let mut low = 0;
        for (c, column) in self.iter_mut().enumerate() {
            low |= u32::from(column.is_low()?) << c;
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
    Cols: Columns<Error = Error>,
    Delay: DelayNs,
{
    /// Takes the pins and pulls all rows down.
    pub fn new(rows: [Row; SIDE], columns: Cols, delay: Delay) -> Result<Self, Error> {
        let mut matrix = Self { rows, columns, delay };
        matrix.rows.iter_mut().try_for_each(OutputPin::set_low)?;
        Ok(matrix)
    }

    /// The keys that seem closed.
    pub fn scan(&mut self) -> Result<u32, Error> {
        if self.columns.low()? == 0 {
            return Ok(0);
        }
        self.rows.iter_mut().try_for_each(OutputPin::set_high)?;
        let mut raw = 0;
        for r in 0..SIDE {
            // What the row before has pulled down must be up again, or its keys would be seen in this row.
            self.let_columns_rise()?;
            self.rows[r].set_low()?;
            self.delay.delay_ns(FALL);
            raw |= self.columns.low()? << (SIDE * r);
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
            if self.columns.low()? == 0 {
                break;
            }
            self.delay.delay_ns(RISE_STEP);
        }
        Ok(())
    }
}
