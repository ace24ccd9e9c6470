//! Light chasing: a method to solve the game that a person can learn.
//!
//! The player goes down row by row and turns off each light with the key directly below it. Then only the bottom row
//! can have lights. They determine some keys of the top row: after these are pressed, chasing again ends with a dark
//! board.
//!
//! The method works for every rule in which the key below a light flips that light, and no other light in the same row
//! or above it. The rule's table determines whether the method works, and which keys of the top row are needed.

use crate::board::{Board, Cell, Cells, Presses, SIDE};
use crate::solver::Solver;

/// The next step of the method.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChaseStep {
    /// Press `key` to turn off `light`, which is directly above it.
    Chase {
        /// The first light that is on, in reading order.
        light: Cell,
        /// The key that turns it off.
        key: Cell,
    },
    /// Only the bottom row has lights: press these keys of the top row, then chase again.
    TopRow(Presses),
    /// All lights are off.
    Done,
    /// Only the bottom row has lights, and no keys of the top row turn them off: the board has no solution.
    Stuck,
}

/// Light chasing for one variant.
#[derive(Clone, Copy, Debug)]
pub struct Chase<'a> {
    solver: &'a Solver,
    top: Presses,
    /// All rows but the bottom one: the lights that can be chased.
    chased: Cells,
    /// For the top-row key of each column: the lights that remain in the bottom row after its press on a dark board was
    /// chased down. Chasing is linear: several keys leave the XOR of what each of them leaves.
    left_over: [Cells; SIDE],
}

impl<'a> Chase<'a> {
    /// Light chasing with these tables. None if the method does not work for the rule.
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

    /// The next step on this board.
    pub fn next(&self, board: Board) -> ChaseStep {
        if let Some((light, key)) = self.first_chase(board) {
            ChaseStep::Chase { light, key }
        } else if board.is_dark() {
            ChaseStep::Done
        } else {
            self.top_row(board).map_or(ChaseStep::Stuck, ChaseStep::TopRow)
        }
    }

    /// The keys of the top row that solve a board with lights only in its bottom row, followed by chasing. The smallest
    /// such set; of several, the leftmost.
    fn top_row(&self, board: Board) -> Option<Presses> {
        // All subsets of the top row in rising order. The loop ends when it is back at the empty set.
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

    /// The board after chasing all rows: only the bottom row can have lights.
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
