//! Rules: which lights a key flips. A variant of the game is a rule on a square board of two to five cells a side. It
//! is represented by one table of toggle masks on the grid. Everything else (which boards can be solved, in how many
//! presses, and how) is derived from this table, by code that does not depend on the rule: see
//! [`Solver`](crate::solver::Solver).
//!
//! A smaller board is in the middle of the grid. A board of an even size is nearer to the top left.

use serde::{Deserialize, Serialize};

use crate::board::{CELLS, Cell, Cells, SIDE};
use crate::listed::listed;

listed! {
    /// A rule: the positions of the lights that a key flips, relative to the key. The variants are in the order of the
    /// menu.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
    pub enum Rule {
        /// The light of the key and the four beside it: the classic game.
        Plus,
        /// The light of the key and the four diagonal ones.
        Cross,
        /// The plus, on a board whose opposite edges are joined.
        PlusTorus,
        /// The cross, on a board whose opposite edges are joined.
        CrossTorus,
        /// The four lights beside the key, without its own light.
        Ring,
    }
}

impl Rule {
    const fn offsets(self) -> &'static [(isize, isize)] {
        match self {
            Self::Plus | Self::PlusTorus => &[(0, 0), (-1, 0), (0, -1), (0, 1), (1, 0)],
            Self::Cross | Self::CrossTorus => &[(0, 0), (-1, -1), (-1, 1), (1, -1), (1, 1)],
            Self::Ring => &[(-1, 0), (0, -1), (0, 1), (1, 0)],
        }
    }

    const fn wraps(self) -> bool {
        matches!(self, Self::PlusTorus | Self::CrossTorus)
    }
}

listed! {
    /// The size of a board: cells on a side. The variants are in the order of the menu.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
    pub enum Size {
        /// 2 x 2
        Two,
        /// 3 x 3
        Three,
        /// 4 x 4
        Four,
        /// 5 x 5
        Five,
    }
}

impl Size {
    /// Cells on a side.
    pub const fn side(self) -> usize {
        self as usize + 2
    }

    /// The first row of the board on the grid, which is also its first column.
    pub const fn origin(self) -> usize {
        (SIDE - self.side()) / 2
    }
}

/// A variant of the game: a rule on a board of a size.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Variant {
    /// Which lights a key flips.
    pub rule: Rule,
    /// How large the board is.
    pub size: Size,
}

impl Variant {
    /// The classic game, published in 1995: the plus on five by five.
    pub const CLASSIC: Self = Self { rule: Rule::Plus, size: Size::Five };

    /// Every rule on every size.
    pub fn all() -> impl Iterator<Item = Self> {
        Rule::ALL.into_iter().flat_map(|rule| Size::ALL.into_iter().map(move |size| Self { rule, size }))
    }

    /// The cells that belong to the board.
    pub const fn cells(self) -> Cells {
        let (side, origin) = (self.size.side(), self.size.origin());
        let row = ((1 << side) - 1) << origin;
        let (mut cells, mut r) = (0, 0);
        while r < side {
            cells |= row << (SIDE * (origin + r));
            r += 1;
        }
        Cells::from_bits(cells)
    }

    /// For each cell of the grid the lights that its key flips. Empty for a cell that is not on the board.
    ///
    /// A key flips a light at most once, even where it reaches the light in two ways: on a torus of two by two, the
    /// left neighbour is also the right one.
    pub const fn toggles(self) -> [Cells; CELLS] {
        let (side, origin) = (self.size.side() as isize, self.size.origin() as isize);
        let offsets = self.rule.offsets();
        let mut masks = [Cells::EMPTY; CELLS];
        let mut key = 0;
        while key < side * side {
            let (row, column) = (key / side, key % side);
            let mut mask = 0;
            let mut i = 0;
            while i < offsets.len() {
                let (mut r, mut c) = (row + offsets[i].0, column + offsets[i].1);
                if self.rule.wraps() {
                    (r, c) = (r.rem_euclid(side), c.rem_euclid(side));
                }
                if r >= 0 && r < side && c >= 0 && c < side {
                    mask |= 1 << grid_index(origin + r, origin + c);
                }
                i += 1;
            }
            masks[grid_index(origin + row, origin + column)] = Cells::from_bits(mask);
            key += 1;
        }
        masks
    }

    /// The highest par of all boards of this variant. There are boards of every par from 0 to this one.
    ///
    /// The values were found by an exhaustive search, which would take too long on the chip. A test repeats the search.
    pub const fn hardest_par(self) -> u32 {
        const HARDEST: [[u8; Size::COUNT]; Rule::COUNT] =
            [[4, 9, 7, 15], [2, 9, 8, 13], [4, 3, 16, 8], [2, 3, 16, 8], [2, 4, 8, 12]];
        HARDEST[self.rule as usize][self.size as usize] as u32
    }
}

const fn grid_index(row: isize, column: isize) -> usize {
    match Cell::at(row as usize, column as usize) {
        Some(cell) => cell.index(),
        None => panic!("a board is inside the grid"),
    }
}
