//! Boards of the handheld: 2 to 5 cells a side, with one of its rules. Each has a [`code`]. They are solved by the same
//! tables as on the handheld.

use lights_out::board::{Board, Cell, Presses};
use lights_out::code::{self, Code, CodeError};
use lights_out::daily;
use lights_out::mask::{Kind, Mask};
use lights_out::rules::{Rule, Size, Variant};
use lights_out::solver;

use crate::{Matrix, Solution};

/// A board of the handheld.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HandheldBoard {
    variant: Variant,
    board: Board,
}

impl HandheldBoard {
    /// The board of a code.
    pub fn of_code(text: &str) -> Result<Self, CodeError> {
        code::parse(text).map(|(variant, board)| Self { variant, board })
    }

    /// The puzzle of the day; `day` is the number of days since 1 January 1970.
    pub fn of_day(day: u32) -> Self {
        let (variant, board) = daily::puzzle(day);
        Self { variant, board }
    }

    /// The same board on the handheld, with the plus rule; `None` if the handheld has no boards of this size.
    pub fn of_matrix(matrix: &Matrix) -> Option<Self> {
        let size = Size::ALL.into_iter().find(|size| size.side() == matrix.size())?;
        let variant = Variant { rule: Rule::Plus, size };
        let lit = cells_of(variant).filter(|&(_, row, column)| matrix.get(row, column));
        Some(Self { variant, board: Board::of(lit.map(|(cell, ..)| cell).collect()) })
    }

    /// Its code.
    pub fn code(&self) -> Code {
        Code::of(self.variant, self.board)
    }

    /// Its lights.
    pub fn lights(&self) -> Matrix {
        self.matrix_of(self.board.lit())
    }

    /// The name of its rule, for people.
    pub fn rule_name(&self) -> &'static str {
        match self.variant.rule {
            Rule::Plus => "plus",
            Rule::Cross => "cross",
            Rule::PlusTorus => "plus on a torus",
            Rule::CrossTorus => "cross on a torus",
            Rule::Ring => "plus without its centre",
        }
    }

    /// All solutions, the shortest first, at most 256; `None` if there is no solution.
    pub fn solutions(&self) -> Option<Vec<Solution>> {
        let solver = solver::Solver::new(self.variant);
        let best = solver.shortest(self.board)?;
        let quiet = solver.quiet_patterns();
        let mut all = vec![best.presses];
        for &pattern in quiet {
            all.extend_from_within(..);
            let half = all.len() / 2;
            all[half..].iter_mut().for_each(|presses| *presses ^= pattern);
        }
        // The sort is stable: the solution that the handheld shows stays the first.
        all.sort_by_key(|presses| presses.len());
        let solution = |presses: Presses| Solution {
            presses: self.matrix_of(presses),
            count: presses.len(),
            proven_shortest: presses.len() == best.par,
            nullity: quiet.len(),
        };
        Some(all.into_iter().map(solution).collect())
    }

    /// A set of cells of the 5x5 grid as a matrix of the board's size.
    fn matrix_of<K: Kind<Item = Cell>>(&self, cells: Mask<K>) -> Matrix {
        let mut rows = vec![0; self.variant.size.side()];
        for (_, row, column) in cells_of(self.variant).filter(|(cell, ..)| cells.contains(*cell)) {
            rows[row] |= 1 << column;
        }
        Matrix::from_rows(rows)
    }
}

/// The cells of a board on the 5x5 grid, each with its row and column on the board.
fn cells_of(variant: Variant) -> impl Iterator<Item = (Cell, usize, usize)> {
    let origin = variant.size.origin();
    variant.cells().iter().map(move |cell| (cell, cell.row() - origin, cell.column() - origin))
}
