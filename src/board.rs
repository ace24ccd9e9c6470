//! Cells and boards. The grid is five by five; a cell's number is `5 * row + column` from the top left, and the same
//! number is its key, its LED and its bit. A board is the set of lights that are on; a set of presses, or the lights
//! that a key flips, is the same kind of set and travels as a plain `u32` mask.

use core::fmt;

use serde::{Deserialize, Serialize};

/// Rows and columns of the grid.
pub const SIDE: usize = 5;
/// Cells of the grid.
pub const CELLS: usize = SIDE * SIDE;
/// The mask with every cell of the grid in it.
pub const ALL_CELLS: u32 = (1 << CELLS) - 1;

/// One place on the grid.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "u8")]
pub struct Cell(u8);

/// There is no cell of this number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoSuchCell(pub u8);

impl fmt::Display for NoSuchCell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no cell {}", self.0)
    }
}

impl TryFrom<u8> for Cell {
    type Error = NoSuchCell;

    fn try_from(index: u8) -> Result<Self, NoSuchCell> {
        Self::new(index.into()).ok_or(NoSuchCell(index))
    }
}

impl Cell {
    /// The top left.
    pub const FIRST: Self = Self(0);

    /// The cell with this number, if there is one.
    pub const fn new(index: usize) -> Option<Self> {
        if index < CELLS { Some(Self(index as u8)) } else { None }
    }

    /// The cell in this row and column, both counted from 0, if there is one.
    pub const fn at(row: usize, column: usize) -> Option<Self> {
        if row < SIDE && column < SIDE { Self::new(SIDE * row + column) } else { None }
    }

    /// Every cell, in reading order.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        (0..CELLS as u8).map(Self)
    }

    /// The cells of a mask, in reading order; bits outside the grid are no cells.
    pub fn of_mask(mask: u32) -> impl Iterator<Item = Self> {
        let mut rest = mask & ALL_CELLS;
        core::iter::from_fn(move || {
            let cell = Self::first_of_mask(rest)?;
            rest &= rest - 1;
            Some(cell)
        })
    }

    /// The first cell of a mask in reading order.
    pub const fn first_of_mask(mask: u32) -> Option<Self> {
        Self::new(mask.trailing_zeros() as usize)
    }

    /// Its number.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Its row, from the top.
    pub const fn row(self) -> usize {
        self.0 as usize / SIDE
    }

    /// Its column, from the left.
    pub const fn column(self) -> usize {
        self.0 as usize % SIDE
    }

    /// The mask with only this cell in it.
    pub const fn bit(self) -> u32 {
        1 << self.0
    }
}

/// The cells of one row of the grid.
pub const fn row_mask(row: usize) -> u32 {
    ((1 << SIDE) - 1) << (SIDE * row)
}

/// The cells of the first column of the grid; shifted, of any other.
pub const COLUMN: u32 = 1 | 1 << SIDE | 1 << (2 * SIDE) | 1 << (3 * SIDE) | 1 << (4 * SIDE);

/// Which lights are on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(from = "u32")]
pub struct Board(u32);

impl From<u32> for Board {
    fn from(bits: u32) -> Self {
        Self::from_bits(bits)
    }
}

impl Board {
    /// All lights out: the goal of the game.
    pub const DARK: Self = Self(0);

    /// The board with the lights of this mask on; bits outside the grid are dropped.
    pub const fn from_bits(bits: u32) -> Self {
        Self(bits & ALL_CELLS)
    }

    /// Its lights as a mask.
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// Whether all lights are out.
    pub const fn is_dark(self) -> bool {
        self.0 == 0
    }

    /// Whether this light is on.
    pub const fn is_lit(self, cell: Cell) -> bool {
        self.0 & cell.bit() != 0
    }

    /// How many lights are on.
    pub const fn lit_count(self) -> u32 {
        self.0.count_ones()
    }

    /// The board after the lights of this mask flipped.
    #[must_use]
    pub const fn flipped(self, mask: u32) -> Self {
        Self::from_bits(self.0 ^ mask)
    }

    /// Reads the text form: 25 of `#` (on) and `.` (off) in reading order; white space is free.
    pub const fn parse(text: &str) -> Option<Self> {
        let bytes = text.as_bytes();
        let (mut bits, mut cells, mut i) = (0, 0, 0);
        while i < bytes.len() {
            let lit = match bytes[i] {
                b'#' => Some(1),
                b'.' => Some(0),
                other if other.is_ascii_whitespace() => None,
                _ => return None,
            };
            if let Some(lit) = lit {
                if cells == CELLS {
                    return None;
                }
                bits |= lit << cells;
                cells += 1;
            }
            i += 1;
        }
        if cells == CELLS { Some(Self(bits)) } else { None }
    }
}

/// The text form: five groups, one a row, on one line.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for cell in Cell::all() {
            if cell.column() == 0 && cell.row() > 0 {
                f.write_str(" ")?;
            }
            f.write_str(if self.is_lit(cell) { "#" } else { "." })?;
        }
        Ok(())
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Board({self})")
    }
}
