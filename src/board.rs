//! Cells, boards and sets of presses. The grid is five by five; a cell's index is `5 * row + column` from the top left.
//! The key under a cell and the light of a cell are named by the cell.

use core::fmt;

use serde::{Deserialize, Serialize};

use crate::mask::{Kind, Mask, indexed};

/// Rows and columns of the grid.
pub const SIDE: usize = 5;
/// Cells of the grid.
pub const CELLS: usize = SIDE * SIDE;

indexed! {
    /// A cell of the grid: one key and its light.
    pub struct Cell, CELLS
}

/// A set of cells.
pub type Cells = Mask<Cell>;

impl Cell {
    /// The cell in the middle of the grid.
    pub const CENTRE: Self = Self((CELLS / 2) as u8);

    /// The cell in this row and column, both counted from 0, if there is one.
    pub const fn at(row: usize, column: usize) -> Option<Self> {
        if row < SIDE && column < SIDE { Self::new(SIDE * row + column) } else { None }
    }

    /// Its row, from the top.
    pub const fn row(self) -> usize {
        self.0 as usize / SIDE
    }

    /// Its column, from the left.
    pub const fn column(self) -> usize {
        self.0 as usize % SIDE
    }
}

impl Cells {
    /// The cells of one row of the grid.
    pub const fn in_row(row: usize) -> Self {
        Self::from_bits(((1 << SIDE) - 1) << (SIDE * row))
    }
}

/// The kind of [`Presses`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Press {}

impl Kind for Press {
    type Item = Cell;
}

/// A set of keys to press, each once, in any order: a solution of a board, or a quiet pattern. Each key is named by its
/// cell.
pub type Presses = Mask<Press>;

impl Presses {
    /// The keys of these cells.
    pub const fn on(cells: Cells) -> Self {
        Self::from_valid_bits(cells.bits())
    }
}

/// The lights that are on.
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

    /// The board with the lights of these cells on.
    pub const fn of(lit: Cells) -> Self {
        Self(lit.bits())
    }

    /// The board with these lights on, bit = index of the cell. Bits outside the grid are dropped.
    pub const fn from_bits(bits: u32) -> Self {
        Self::of(Cells::from_bits(bits))
    }

    /// Its lights as bits, bit = index of the cell.
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// The cells whose lights are on.
    pub const fn lit(self) -> Cells {
        Cells::from_valid_bits(self.0)
    }

    /// Whether all lights are out.
    pub const fn is_dark(self) -> bool {
        self.0 == 0
    }

    /// Whether this light is on.
    pub const fn is_lit(self, cell: Cell) -> bool {
        self.lit().has_index(cell.index())
    }

    /// How many lights are on.
    pub const fn lit_count(self) -> u32 {
        self.0.count_ones()
    }

    /// The board after the lights of these cells flipped.
    #[must_use]
    pub const fn flipped(self, cells: Cells) -> Self {
        Self(self.0 ^ cells.bits())
    }

    /// Reads the text form: 25 of `#` (on) and `.` (off) in reading order. White space is ignored.
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

/// The text form on one line: five groups, one for each row.
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
