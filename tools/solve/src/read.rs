//! Reading a board: any bytes whatever become a matrix, or an error that names line and column.
//!
//! The text is a row to a line, 0 and 1, with or without spaces and tabs. Blank lines, lines that end in CR LF, a
//! missing last line end and a UTF-8 byte order mark at the start are all accepted.
//!
//! Bytes are taken one at a time and the first one that cannot belong to a board ends the reading, so the memory
//! needed is one matrix and one buffer, however long the input is. Only blanks could go on for ever, and [`MAX_BYTES`]
//! bounds them. Since nothing but ASCII can stand before an error, a column counted in bytes is also one counted in
//! characters; a tab is one column, and the byte order mark is none.

use std::fmt;
use std::io::{self, Read};

use crate::matrix::{MAX_SIZE, Matrix};

/// The most input that is read: 1 MiB. The largest board takes 10 KB, or 20 KB with spaces.
pub const MAX_BYTES: usize = 1 << 20;

const BYTE_ORDER_MARK: [u8; 3] = [0xEF, 0xBB, 0xBF];

/// A place in the input, both counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// Lines end at a line feed.
    pub line: usize,
    /// One past the last column is the end of the line.
    pub column: usize,
}

/// What is wrong with the text at a [`Position`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Problem {
    /// The input ended and there was no 0 or 1 in it.
    NoBoard,
    /// Neither 0 nor 1 nor blank.
    NotADigit(u8),
    /// The first row goes on after [`MAX_SIZE`] columns.
    TooManyColumns,
    /// The line ended after fewer columns than the first row has.
    RowTooShort {
        /// Columns in this row.
        found: usize,
        /// Columns in the first row.
        expected: usize,
        /// The line of the first row.
        first_line: usize,
    },
    /// The line goes on after the columns that the first row has.
    RowTooLong {
        /// Columns in the first row.
        expected: usize,
        /// The line of the first row.
        first_line: usize,
    },
    /// The input ended after fewer rows than columns.
    TooFewRows {
        /// Rows in the input.
        found: usize,
        /// Columns in each row.
        expected: usize,
    },
    /// One more row begins, after as many rows as columns.
    TooManyRows {
        /// Columns in each row.
        expected: usize,
    },
    /// The input goes on after [`MAX_BYTES`].
    InputTooLong,
}

/// Why there is no matrix.
#[derive(Debug)]
pub enum ReadError {
    /// The input could not be read.
    Io(io::Error),
    /// The input is not a board.
    Bad {
        /// Where it stops being one.
        at: Position,
        /// In what way.
        problem: Problem,
    },
}

impl Matrix {
    /// Reads a board to the end of `input`.
    pub fn read(mut input: impl Read) -> Result<Self, ReadError> {
        let mut reader = Reader::new();
        let mut buffer = [0; 8 * 1024];
        loop {
            match input.read(&mut buffer) {
                Ok(0) => return reader.finish(),
                Ok(length) => buffer[..length].iter().try_for_each(|&byte| reader.take(byte))?,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(ReadError::Io(error)),
            }
        }
    }
}

/// The state between two bytes.
struct Reader {
    /// Where the next byte stands.
    at: Position,
    bytes_taken: usize,
    /// Bytes of a byte order mark seen at the very start; 3 once it is known whether there is one.
    mark: usize,
    /// The last byte was a carriage return, which only a line feed or the end may follow.
    after_return: bool,
    /// Finished rows. The first one sets the number of columns.
    rows: Vec<u128>,
    columns: usize,
    first_line: usize,
    /// The row of the current line and its columns so far.
    row: u128,
    filled: usize,
}

impl Reader {
    fn new() -> Self {
        Self {
            at: Position { line: 1, column: 1 },
            bytes_taken: 0,
            mark: 0,
            after_return: false,
            rows: Vec::with_capacity(MAX_SIZE),
            columns: 0,
            first_line: 1,
            row: 0,
            filled: 0,
        }
    }

    fn bad<T>(&self, problem: Problem) -> Result<T, ReadError> {
        Err(ReadError::Bad { at: self.at, problem })
    }

    fn take(&mut self, byte: u8) -> Result<(), ReadError> {
        if self.bytes_taken == MAX_BYTES {
            return self.bad(Problem::InputTooLong);
        }
        self.bytes_taken += 1;
        if self.mark < BYTE_ORDER_MARK.len() {
            if byte == BYTE_ORDER_MARK[self.mark] {
                self.mark += 1;
                return Ok(());
            }
            self.end_mark()?;
        }
        if self.after_return && byte != b'\n' {
            self.at.column -= 1;
            return self.bad(Problem::NotADigit(b'\r'));
        }
        match byte {
            b'0' | b'1' => self.take_digit(byte == b'1')?,
            b' ' | b'\t' => {}
            b'\r' => self.after_return = true,
            b'\n' => return self.end_line(),
            other => return self.bad(Problem::NotADigit(other)),
        }
        self.at.column += 1;
        Ok(())
    }

    /// The mark is whole, or it was never begun, or its first bytes were something else.
    fn end_mark(&mut self) -> Result<(), ReadError> {
        if (1..BYTE_ORDER_MARK.len()).contains(&self.mark) {
            return self.bad(Problem::NotADigit(BYTE_ORDER_MARK[0]));
        }
        self.mark = BYTE_ORDER_MARK.len();
        Ok(())
    }

    fn take_digit(&mut self, one: bool) -> Result<(), ReadError> {
        let (expected, first_line) = (self.columns, self.first_line);
        if self.rows.is_empty() {
            if self.filled == MAX_SIZE {
                return self.bad(Problem::TooManyColumns);
            }
        } else if self.rows.len() == expected {
            return self.bad(Problem::TooManyRows { expected });
        } else if self.filled == expected {
            return self.bad(Problem::RowTooLong { expected, first_line });
        }
        self.row |= u128::from(one) << self.filled;
        self.filled += 1;
        Ok(())
    }

    fn end_line(&mut self) -> Result<(), ReadError> {
        self.end_row()?;
        self.at = Position { line: self.at.line + 1, column: 1 };
        self.after_return = false;
        Ok(())
    }

    fn end_row(&mut self) -> Result<(), ReadError> {
        if self.filled == 0 {
            return Ok(());
        }
        if self.rows.is_empty() {
            self.columns = self.filled;
            self.first_line = self.at.line;
        } else if self.filled < self.columns {
            self.at.column -= usize::from(self.after_return);
            let (found, expected, first_line) = (self.filled, self.columns, self.first_line);
            return self.bad(Problem::RowTooShort { found, expected, first_line });
        }
        self.rows.push(self.row);
        self.row = 0;
        self.filled = 0;
        Ok(())
    }

    fn finish(mut self) -> Result<Matrix, ReadError> {
        self.end_mark()?;
        self.end_row()?;
        if self.rows.is_empty() {
            return self.bad(Problem::NoBoard);
        }
        if self.rows.len() < self.columns {
            return self.bad(Problem::TooFewRows { found: self.rows.len(), expected: self.columns });
        }
        Ok(Matrix::from_rows(self.rows))
    }
}

/// `1 row`, `2 rows`.
fn counted(number: usize, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::NoBoard => write!(f, "the input ends without a 0 or 1"),
            Self::NotADigit(byte) if byte.is_ascii_graphic() => {
                write!(f, "expected 0 or 1, found '{}'", char::from(byte))
            }
            Self::NotADigit(byte) => write!(f, "expected 0 or 1, found byte 0x{byte:02x}"),
            Self::TooManyColumns => write!(f, "more than {MAX_SIZE} columns"),
            Self::RowTooShort { found, expected, first_line } => {
                write!(f, "row ends after {}, line {first_line} has {expected}", counted(found, "column"))
            }
            Self::RowTooLong { expected, first_line } => {
                write!(f, "row goes on after {}, as many as line {first_line} has", counted(expected, "column"))
            }
            Self::TooFewRows { found, expected } => {
                write!(f, "the input ends after {} of {}", counted(found, "row"), counted(expected, "column"))
            }
            Self::TooManyRows { expected } => {
                write!(f, "one row too many for {}", counted(expected, "column"))
            }
            Self::InputTooLong => write!(f, "more than {} MiB of input", MAX_BYTES >> 20),
        }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => write!(f, "cannot read: {error}"),
            Self::Bad { at, problem } => write!(f, "line {}, column {}: {problem}", at.line, at.column),
        }
    }
}

impl std::error::Error for ReadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            Self::Bad { .. } => None,
        }
    }
}
