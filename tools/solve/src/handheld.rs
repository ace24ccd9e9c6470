//! Boards of the handheld: those of 2 to 5 cells a side, each with one of its rules. They have a [`code`],
//! and are solved by the same tables as on the handheld.

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

    /// The puzzle of a day, counted from 1 January 1970.
    pub fn of_day(day: u32) -> Self {
        let (variant, board) = daily::puzzle(day);
        Self { variant, board }
    }

    /// The same board on the handheld, with the plus rule; none if it has no board so small or so large.
    pub fn of_matrix(matrix: &Matrix) -> Option<Self> {
        let size = Size::ALL.into_iter().find(|size| size.side() == matrix.size())?;
        let variant = Variant { rule: Rule::Plus, size };
        let lit = places(variant).filter(|&(_, row, column)| matrix.get(row, column));
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

    /// Its rule, in a word or a few.
    pub fn rule_name(&self) -> &'static str {
        match self.variant.rule {
            Rule::Plus => "plus",
            Rule::Cross => "cross",
            Rule::PlusTorus => "plus on a torus",
            Rule::CrossTorus => "cross on a torus",
            Rule::Ring => "plus without its centre",
        }
    }

    /// Every solution, the shortest first; none where there is no solution. They are 256 at most.
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
        // Stable: the shortest that the handheld shows stays in front.
        all.sort_by_key(|presses| presses.len());
        let solution = |presses: Presses| Solution {
            presses: self.matrix_of(presses),
            count: presses.len(),
            proven_shortest: presses.len() == best.par,
            nullity: quiet.len(),
        };
        Some(all.into_iter().map(solution).collect())
    }

    /// A set of cells as a matrix of the board's own size.
    fn matrix_of<K: Kind<Item = Cell>>(&self, cells: Mask<K>) -> Matrix {
        let mut rows = vec![0; self.variant.size.side()];
        for (_, row, column) in places(self.variant).filter(|(cell, ..)| cells.contains(*cell)) {
            rows[row] |= 1 << column;
        }
        Matrix::from_rows(rows)
    }
}

/// The cells of a board on the grid, with row and column on the board itself.
fn places(variant: Variant) -> impl Iterator<Item = (Cell, usize, usize)> {
    let origin = variant.size.origin();
    variant.cells().iter().map(move |cell| (cell, cell.row() - origin, cell.column() - origin))
}
