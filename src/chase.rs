//! Light chasing: the way to solve the game that a person can learn. Going down row by row, each light is put out by the
//! key right below it; what is left in the bottom row calls for certain keys in the top row, after which chasing again
//! ends dark.
//!
//! It works for every rule in which the key below a light flips it and nothing else in that row or above; whether it does,
//! and what the bottom row calls for, is read off the rule's table.

use crate::board::{Board, Cell, Cells, Presses, SIDE};
use crate::solver::Solver;

/// What to do next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// Put out `light` by pressing `key`, right below it.
    Chase {
        /// The first light that is on, in reading order.
        light: Cell,
        /// The key that puts it out.
        key: Cell,
    },
    /// Only the bottom row is left: press these keys of the top row, then chase again.
    TopRow(Presses),
    /// All lights are out.
    Done,
    /// Only the bottom row is left, and no keys of the top row help: the board cannot be solved.
    Stuck,
}

/// The lesson for one puzzle.
#[derive(Clone, Copy, Debug)]
pub struct Chase<'a> {
    solver: &'a Solver,
    top: Presses,
    /// All rows but the bottom one: the lights that can be chased.
    chased: Cells,
    /// For the top-row key of each column: what is left in the bottom row of its lights, chased down. Chasing is linear, so
    /// what several keys leave is the XOR of what each leaves.
    left_over: [Cells; SIDE],
}

impl<'a> Chase<'a> {
    /// The lesson, if the puzzle's rule can be chased.
    pub fn new(solver: &'a Solver) -> Option<Self> {
        let (cells, size) = (solver.cells(), solver.variant().size);
        let top = Presses::on(cells & Cells::in_row(size.origin()));
        let chased = cells & !Cells::in_row(size.origin() + size.side() - 1);
        let chasable = chased.iter().all(|light| {
            let down_to_light = Cells::from_bits((1 << (SIDE * (light.row() + 1))) - 1);
            key_below(light).is_some_and(|key| solver.toggles(key) & down_to_light == light.bit())
        });
        chasable.then(|| {
            let mut chase = Self { solver, top, chased, left_over: [Cells::EMPTY; SIDE] };
            for key in top {
                chase.left_over[key.column()] = chase.chase_down(solver.press(Board::DARK, key)).lit();
            }
            chase
        })
    }

    /// The next thing to do on this board.
    pub fn next(&self, board: Board) -> Step {
        if let Some((light, key)) = self.first_chase(board) {
            Step::Chase { light, key }
        } else if board.is_dark() {
            Step::Done
        } else {
            self.top_row(board).map_or(Step::Stuck, Step::TopRow)
        }
    }

    /// The keys of the top row that a board with lights in its bottom row only calls for: the fewest that do, and the
    /// leftmost of equals.
    fn top_row(&self, board: Board) -> Option<Presses> {
        // All subsets of the top row in rising order; the walk ends where it began, at the empty one.
        let top = self.top.bits();
        let mut subset = 0_u32;
        let mut best = None;
        loop {
            subset = subset.wrapping_sub(top) & top;
            if subset == 0 {
                return best;
            }
            let keys = Presses::from_bits(subset);
            let left = keys.iter().fold(Cells::EMPTY, |left, key| left ^ self.left_over[key.column()]);
            if left == board.lit() && best.is_none_or(|best: Presses| keys.len() < best.len()) {
                best = Some(keys);
            }
        }
    }

    /// The board after chasing all the way down: lights are left in the bottom row at most.
    fn chase_down(&self, mut board: Board) -> Board {
        while let Some((_, key)) = self.first_chase(board) {
            board = self.solver.press(board, key);
        }
        board
    }

    fn first_chase(&self, board: Board) -> Option<(Cell, Cell)> {
        let light = (board.lit() & self.chased).first()?;
        Some((light, key_below(light)?))
    }
}

fn key_below(light: Cell) -> Option<Cell> {
    Cell::at(light.row() + 1, light.column())
}
