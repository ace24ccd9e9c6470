//! Light chasing: the way to solve the game that a person can learn. Going down row by row, each light is put out by the
//! key right below it; what is left in the bottom row calls for certain keys in the top row, after which chasing again
//! ends dark.
//!
//! It works for every rule in which the key below a light flips it and nothing else in that row or above; whether it does,
//! and what the bottom row calls for, is read off the rule's table.

use crate::board::{Board, Cell, SIDE, row_mask};
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
    TopRow(u32),
    /// All lights are out.
    Done,
    /// Only the bottom row is left, and no keys of the top row help: the board cannot be solved.
    Stuck,
}

/// The lesson for one puzzle.
#[derive(Clone, Copy, Debug)]
pub struct Chase<'a> {
    solver: &'a Solver,
    top: u32,
    /// All rows but the bottom one: the lights that can be chased.
    chased: u32,
    /// For the top-row key of each column: what is left in the bottom row of its lights, chased down. Chasing is linear, so
    /// what several keys leave is the XOR of what each leaves.
    left_over: [u32; SIDE],
}

impl<'a> Chase<'a> {
    /// The lesson, if the puzzle's rule can be chased.
    pub fn new(solver: &'a Solver) -> Option<Self> {
        let (cells, size) = (solver.cells(), solver.variant().size);
        let top = cells & row_mask(size.origin());
        let chased = cells & !row_mask(size.origin() + size.side() - 1);
        let chasable = Cell::of_mask(chased).all(|light| {
            let down_to_light = (1 << (SIDE * (light.row() + 1))) - 1;
            key_below(light).is_some_and(|key| solver.toggles(key) & down_to_light == light.bit())
        });
        chasable.then(|| {
            let mut chase = Self { solver, top, chased, left_over: [0; SIDE] };
            for key in Cell::of_mask(top) {
                chase.left_over[key.column()] = chase.chase_down(solver.press(Board::DARK, key)).bits();
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
    fn top_row(&self, board: Board) -> Option<u32> {
        // All subsets of the top row in rising order; the walk ends where it began, at the empty one.
        let mut keys = 0_u32;
        let mut best = None;
        loop {
            keys = keys.wrapping_sub(self.top) & self.top;
            if keys == 0 {
                return best;
            }
            let left = Cell::of_mask(keys).fold(0, |left, key| left ^ self.left_over[key.column()]);
            if left == board.bits() && best.is_none_or(|best: u32| keys.count_ones() < best.count_ones()) {
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
        let light = Cell::first_of_mask(board.bits() & self.chased)?;
        Some((light, key_below(light)?))
    }
}

fn key_below(light: Cell) -> Option<Cell> {
    Cell::at(light.row() + 1, light.column())
}
