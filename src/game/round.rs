//! One puzzle from its first press to its last: the rules of play. Nothing here knows of time or pictures.

use heapless::Deque;
use serde::{Deserialize, Serialize};

use crate::board::{Board, Cell};
use crate::game::solvers::Solvers;
use crate::rules::Variant;
use crate::solver::Solver;

/// How many moves can be taken back. No board needs more than 16; whoever made 128 moves has long lost the thread.
pub const UNDO_DEPTH: usize = 128;

/// The last keys that were pressed.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct History(Deque<Cell, UNDO_DEPTH>);

impl History {
    /// Nothing pressed yet.
    pub const fn new() -> Self {
        Self(Deque::new())
    }

    /// Remembers a key; the oldest is forgotten when there are too many.
    pub fn push(&mut self, key: Cell) {
        if self.0.is_full() {
            self.0.pop_front();
        }
        // There is room now.
        let _ = self.0.push_back(key);
    }

    /// The last key, which is forgotten.
    pub fn pop(&mut self) -> Option<Cell> {
        self.0.pop_back()
    }
}

/// A puzzle in play. Its methods take the tables of its rule, which are kept once for all.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Round {
    variant: Variant,
    start: Board,
    board: Board,
    par: u32,
    moves: u32,
    history: History,
}

impl Round {
    /// Begins with this board, which can be solved.
    pub fn new(solver: &Solver, start: Board) -> Self {
        Self {
            variant: solver.variant(),
            start,
            board: start,
            par: solver.par(start).unwrap_or(0),
            moves: 0,
            history: History::new(),
        }
    }

    /// The rule that is played.
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// The board that it began with.
    pub fn start(&self) -> Board {
        self.start
    }

    /// The lights as they are.
    pub fn board(&self) -> Board {
        self.board
    }

    /// The fewest presses that solve it from its start.
    pub fn par(&self) -> u32 {
        self.par
    }

    /// Presses so far, those taken back not counted.
    pub fn moves(&self) -> u32 {
        self.moves
    }

    /// Presses a key, and tells whether it was one; a key that is not on the board does nothing.
    pub fn press(&mut self, solver: &Solver, key: Cell) -> bool {
        let on_board = solver.cells() & key.bit() != 0;
        if on_board {
            self.history.push(key);
            self.board = solver.press(self.board, key);
            self.moves = self.moves.saturating_add(1);
        }
        on_board
    }

    /// Takes the last move back, and tells whether there was one.
    pub fn undo(&mut self, solver: &Solver) -> bool {
        let last = self.history.pop();
        if let Some(key) = last {
            self.board = solver.press(self.board, key);
            self.moves -= 1;
        }
        last.is_some()
    }

    /// Whether it can have come about in play.
    pub fn is_sound(&self, solvers: &mut Solvers) -> bool {
        let solver = solvers.prepare(self.variant);
        solver.par(self.start) == Some(self.par)
            && self.par > 0
            && solver.is_solvable(self.board)
            && self.history.0.len() as u64 <= u64::from(self.moves)
    }

    /// Whether it can have come about in play from this board of this variant.
    pub fn is_sound_from(&self, variant: Variant, start: Board, solvers: &mut Solvers) -> bool {
        self.variant == variant && self.start == start && self.is_sound(solvers)
    }

    /// Back to the start.
    pub fn restart(&mut self) {
        self.board = self.start;
        self.moves = 0;
        self.history = History::new();
    }
}
