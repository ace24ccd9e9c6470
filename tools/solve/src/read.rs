//! Parses a board: any bytes give a matrix, or an error with line and column.
//!
//! The text has one row of 0 and 1 per line, with or without spaces and tabs. Blank lines, lines that end in CR LF, a
//! missing line end after the last line, and a UTF-8 byte order mark at the start are accepted.
//!
//! The parser takes one byte at a time and stops at the first one that cannot belong to a board. So it needs memory for
//! one matrix and one buffer, however long the input is. Only blanks could continue without end; [`MAX_BYTES`] limits
//! them. All text before an error is ASCII, so a column counted in bytes is also the column counted in characters. A
//! tab counts as one column, the byte order mark as none.

use std::fmt;
use std::io::{self, Read};

use crate::matrix::{MAX_SIZE, Matrix};

/// The limit for the length of the input: 1 MiB. The largest board takes 10 KB, or 20 KB with spaces.
pub const MAX_BYTES: usize = 1 << 20;

const BYTE_ORDER_MARK: [u8; 3] = [0xEF, 0xBB, 0xBF];

/// A position in the input. Line and column are counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The line. Lines end at a line feed.
    pub line: usize,
    /// The column. The end of the line is one past the last column.
    pub column: usize,
}

/// What is wrong with the text at a [`Position`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Problem {
    /// The input has no 0 or 1.
    NoBoard,
    /// This byte is neither 0 nor 1 nor blank.
    NotADigit(u8),
    /// The first row has more than [`MAX_SIZE`] columns.
    TooManyColumns,
    /// The line has fewer columns than the first row.
    RowTooShort {
        /// Columns in this row.
        found: usize,
        /// Columns in the first row.
        expected: usize,
        /// The line of the first row.
        first_line: usize,
    },
    /// The line has more columns than the first row.
    RowTooLong {
        /// Columns in the first row.
        expected: usize,
        /// The line of the first row.
        first_line: usize,
    },
    /// The input has fewer rows than columns.
    TooFewRows {
        /// Rows in the input.
        found: usize,
        /// Columns in each row.
        expected: usize,
    },
    /// The input has more rows than columns.
    TooManyRows {
        /// Columns in each row.
        expected: usize,
    },
    /// The input is longer than [`MAX_BYTES`].
    InputTooLong,
}

/// Why the input could not be parsed.
#[derive(Debug)]
pub enum ReadError {
    /// The input could not be read.
    Io(io::Error),
    /// The input is not a board.
    Bad {
        /// The position of the error.
        at: Position,
        /// What is wrong there.
        problem: Problem,
    },
}

impl Matrix {
    /// Reads a board to the end of `input`.
    pub fn read(mut input: impl Read) -> Result<Self, ReadError> {
        let mut parser = Parser::new();
        let mut buffer = [0; 8 * 1024];
        loop {
            match input.read(&mut buffer) {
                Ok(0) => return parser.finish(),
                Ok(length) => buffer[..length].iter().try_for_each(|&byte| parser.take(byte))?,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(ReadError::Io(error)),
            }
        }
    }
}

/// The state of the parser between two bytes.
struct Parser {
    /// The position of the next byte.
    at: Position,
    bytes_taken: usize,
    /// Number of bytes of a byte order mark found at the start of the input. 3 after the mark, or if there is none.
    mark: usize,
    /// The last byte was a carriage return. Only a line feed or the end of the input may follow.
    after_return: bool,
    /// Finished rows. The first one sets the number of columns.
    rows: Vec<u128>,
    columns: usize,
    first_line: usize,
    /// The row of the current line, and the number of its columns so far.
    row: u128,
    filled: usize,
}

impl Parser {
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

    /// Ends the search for a byte order mark. An incomplete mark is an error.
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
fn counted(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::NoBoard => write!(f, "the input has no 0 or 1"),
            Self::NotADigit(byte) if byte.is_ascii_graphic() => {
                write!(f, "expected 0 or 1, found '{}'", char::from(byte))
            }
            Self::NotADigit(byte) => write!(f, "expected 0 or 1, found byte 0x{byte:02x}"),
            Self::TooManyColumns => write!(f, "more than {MAX_SIZE} columns"),
            Self::RowTooShort { found, expected, first_line } => {
                write!(f, "the row has {}, but line {first_line} has {expected}", counted(found, "column"))
            }
            Self::RowTooLong { expected, first_line } => {
                write!(f, "the row has more than the {} of line {first_line}", counted(expected, "column"))
            }
            Self::TooFewRows { found, expected } => {
                write!(
                    f,
                    "the input ends after {}, but the board has {}",
                    counted(found, "row"),
                    counted(expected, "column")
                )
            }
            Self::TooManyRows { expected } => {
                write!(f, "more rows than the {}", counted(expected, "column"))
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
