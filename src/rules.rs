//! Rules: which lights a key flips. A variant of the game is a rule on a square board of two to five cells a side, and comes out as
//! one table of toggle masks on the grid. Everything else (what can be solved, in how many presses, and how) follows
//! from that table, by code that does not know which rule it is: see [`Solver`](crate::solver::Solver).
//!
//! A smaller board sits in the middle of the grid; of the two middles of an even size it takes the one to the top left.

use serde::{Deserialize, Serialize};

use crate::board::{CELLS, Cell, Cells, SIDE};
use crate::listed::listed;

listed! {
    /// Where the lights that a key flips lie, seen from the key. In the order of the menu.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
    pub enum Rule {
        /// The light itself and the four beside it: the classic game.
        Plus,
        /// The light itself and the four diagonal ones.
        Cross,
        /// The plus, on a board whose opposite edges touch.
        PlusTorus,
        /// The cross, on a board whose opposite edges touch.
        CrossTorus,
        /// The four lights beside it, not its own.
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
    /// Cells on a side of the board. In the order of the menu.
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

    /// The row, and the column, of the grid where the board begins.
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
    /// The game of 1995: the plus on five by five.
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

    /// For each cell of the grid the lights that its key flips; none for a cell that is not on the board.
    ///
    /// A light is either in reach of a key or not. So on a torus of two by two, where the left neighbour is also the
    /// right one, it still flips once.
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

    /// The par of the hardest board of this rule. There are boards of every par from 0 to it.
    ///
    /// Found by going through all boards, which the chip cannot do each time; a test does it again.
    pub const fn hardest_par(self) -> u32 {
        const HARDEST: [[u8; Size::COUNT]; Rule::COUNT] =
            [[4, 9, 7, 15], [2, 9, 8, 13], [4, 3, 16, 8], [2, 3, 16, 8], [2, 4, 8, 12]];
        HARDEST[self.rule as usize][self.size as usize] as u32
    }
}

const fn grid_index(row: isize, column: isize) -> usize {
    match Cell::at(row as usize, column as usize) {
        Some(cell) => cell.index(),
        None => panic!("a board lies inside the grid"),
    }
}
