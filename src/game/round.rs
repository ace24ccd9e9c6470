//! One puzzle from its first press to its last: the rules of play. Nothing here knows of time or pictures.

use heapless::Deque;

use crate::board::{Board, Cell};
use crate::solver::Puzzle;

/// How many moves can be taken back. Pressing a key twice is the longest way to waste moves, and no board needs more than
/// 15; whoever made 128 moves has long lost the thread.
pub const UNDO_DEPTH: usize = 128;

/// What a press did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fact {
    /// Lights flipped, some are on.
    Flipped,
    /// All lights are out.
    Won {
        /// The key that did it.
        last: Cell,
    },
}

/// A puzzle in play.
#[derive(Clone, Debug)]
pub struct Round {
    puzzle: &'static Puzzle,
    start: Board,
    board: Board,
    par: u32,
    moves: u32,
    history: Deque<Cell, UNDO_DEPTH>,
}

impl Round {
    /// Begins with this board, which can be solved.
    pub fn new(puzzle: &'static Puzzle, start: Board) -> Self {
        Self { puzzle, start, board: start, par: puzzle.par(start).unwrap_or(0), moves: 0, history: Deque::new() }
    }

    /// The puzzle that is played.
    pub fn puzzle(&self) -> &'static Puzzle {
        self.puzzle
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

    /// Presses a key; nothing happens for one that is not on the board.
    pub fn press(&mut self, key: Cell) -> Option<Fact> {
        if self.puzzle.cells() & key.bit() == 0 {
            return None;
        }
        if self.history.is_full() {
            self.history.pop_front();
        }
        // There is room now.
        let _ = self.history.push_back(key);
        self.board = self.puzzle.press(self.board, key);
        self.moves = self.moves.saturating_add(1);
        Some(if self.board.is_dark() { Fact::Won { last: key } } else { Fact::Flipped })
    }

    /// Takes the last move back, and tells its key; none when there is none to take back.
    pub fn undo(&mut self) -> Option<Cell> {
        let key = self.history.pop_back()?;
        self.board = self.puzzle.press(self.board, key);
        self.moves -= 1;
        Some(key)
    }

    /// Back to the start.
    pub fn restart(&mut self) {
        *self = Self::new(self.puzzle, self.start);
    }

    /// A key that brings the board nearer to dark.
    pub fn hint(&self) -> Option<Cell> {
        self.puzzle.hint(self.board)
    }

    /// A shortest solution from here.
    pub fn solution(&self) -> Option<u32> {
        self.puzzle.shortest(self.board).map(|shortest| shortest.presses)
    }
}
