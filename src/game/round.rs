//! One puzzle from its first press to its last: the rules of play. Nothing here knows of time or pictures.

use serde::{Deserialize, Serialize};

use crate::board::{Board, Cell};
use crate::game::history::{Effects, History, Position, Step};
use crate::game::solvers::Solvers;
use crate::rules::Variant;
use crate::solver::Solver;

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
            history: History::NONE,
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
        let on_board = solver.cells().contains(key);
        if on_board {
            self.push(solver, Step::Key(key));
        }
        on_board
    }

    /// Back to the start, and tells whether it was anywhere else.
    pub fn restart(&mut self, solver: &Solver) -> bool {
        let has_begun = self.position() != Position::start(self.start);
        if has_begun {
            self.push(solver, Step::Restart);
        }
        has_begun
    }

    /// Takes the last step back, and tells which it was, if there was one.
    pub fn undo(&mut self, solver: &Solver) -> Option<Step> {
        let (step, before) =
            self.history.undo(self.position(), Effects { start: self.start, flips: &|key| solver.toggles(key) })?;
        self.go_to(before);
        Some(step)
    }

    /// Back to the start for another go, with nothing left to take back.
    pub fn begin_again(&mut self) {
        self.go_to(Position::start(self.start));
        self.history = History::NONE;
    }

    /// Whether it can have come about in play.
    pub fn is_sound(&self, solvers: &mut Solvers) -> bool {
        let solver = solvers.prepare(self.variant);
        let began_soundly =
            |base: Position| solver.is_solvable(base.board) && (base.moves > 0 || base == Position::start(self.start));
        solver.par(self.start) == Some(self.par)
            && self.par > 0
            && solver.is_solvable(self.board)
            && self
                .history
                .base(self.position(), Effects { start: self.start, flips: &|key| solver.toggles(key) })
                .is_some_and(began_soundly)
    }

    /// Whether it can have come about in play from this board of this variant.
    pub fn is_sound_from(&self, variant: Variant, start: Board, solvers: &mut Solvers) -> bool {
        self.variant == variant && self.start == start && self.is_sound(solvers)
    }

    fn push(&mut self, solver: &Solver, step: Step) {
        let after =
            self.history.push(self.position(), step, Effects { start: self.start, flips: &|key| solver.toggles(key) });
        self.go_to(after);
    }

    fn position(&self) -> Position {
        Position { board: self.board, moves: self.moves }
    }

    fn go_to(&mut self, Position { board, moves }: Position) {
        (self.board, self.moves) = (board, moves);
    }
}
