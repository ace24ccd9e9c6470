//! One puzzle from its first press to its last: the rules of play, without time and frames.

use serde::{Deserialize, Serialize};

use crate::board::{Board, Cell, Cells};
use crate::game::history::{History, Position, UndoStep};
use crate::game::solvers::Solvers;
use crate::rules::Variant;
use crate::solver::Solver;

/// A puzzle in play. Its methods take the solver of its variant as an argument, so that the tables are not stored
/// twice.
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
    /// Begins with this board, which must be solvable.
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

    /// The rule and the size.
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// The board at the start.
    pub fn start(&self) -> Board {
        self.start
    }

    /// The board now.
    pub fn board(&self) -> Board {
        self.board
    }

    /// The fewest presses that solve the puzzle from its start.
    pub fn par(&self) -> u32 {
        self.par
    }

    /// Presses so far, without those that were undone.
    pub fn moves(&self) -> u32 {
        self.moves
    }

    /// Presses a key. Returns whether the key is on the board; if not, nothing happens.
    pub fn press(&mut self, solver: &Solver, key: Cell) -> bool {
        let on_board = solver.cells().contains(key);
        if on_board {
            self.push(solver, UndoStep::Key(key));
        }
        on_board
    }

    /// Goes back to the start. Returns false, and does nothing, if the puzzle is at its start.
    pub fn restart(&mut self, solver: &Solver) -> bool {
        let has_begun = self.position() != Position::start(self.start);
        if has_begun {
            self.push(solver, UndoStep::Restart);
        }
        has_begun
    }

    /// Undoes the newest step and returns it, if there is one.
    pub fn undo(&mut self, solver: &Solver) -> Option<UndoStep> {
        let (step, before) = self.effects(&|key| solver.toggles(key)).undo(self.position(), &mut self.history)?;
        self.go_to(before);
        Some(step)
    }

    /// Goes back to the start and clears the history.
    pub fn reset(&mut self) {
        self.go_to(Position::start(self.start));
        self.history = History::NONE;
    }

    /// Whether play can lead to this round.
    pub fn is_valid(&self, solvers: &mut Solvers) -> bool {
        let solver = solvers.prepare(self.variant);
        let is_valid_base =
            |base: Position| solver.is_solvable(base.board) && (base.moves > 0 || base == Position::start(self.start));
        solver.par(self.start) == Some(self.par)
            && self.par > 0
            && solver.is_solvable(self.board)
            && self.effects(&|key| solver.toggles(key)).base(self.position(), &self.history).is_some_and(is_valid_base)
    }

    /// Whether play can lead to this round from this board of this variant.
    pub fn is_valid_from(&self, variant: Variant, start: Board, solvers: &mut Solvers) -> bool {
        self.variant == variant && self.start == start && self.is_valid(solvers)
    }

    fn push(&mut self, solver: &Solver, step: UndoStep) {
        let after = self.effects(&|key| solver.toggles(key)).push(self.position(), &mut self.history, step);
        self.go_to(after);
    }

    fn effects<'a>(&self, flips: &'a dyn Fn(Cell) -> Cells) -> Effects<'a> {
        Effects { start: self.start, flips }
    }

    fn position(&self) -> Position {
        Position { board: self.board, moves: self.moves }
    }

    fn go_to(&mut self, Position { board, moves }: Position) {
        (self.board, self.moves) = (board, moves);
    }
}

/// Applies and undoes steps, for a [`Round`] and for the drawing of Create.
#[derive(Clone, Copy)]
pub(super) struct Effects<'a> {
    /// The board after a restart.
    pub(super) start: Board,
    /// The lights that a key flips.
    pub(super) flips: &'a dyn Fn(Cell) -> Cells,
}

impl Effects<'_> {
    /// Applies a step at this position and adds it to the history. Returns the position after it.
    pub(super) fn push(&self, now: Position, history: &mut History, step: UndoStep) -> Position {
        if step == UndoStep::Restart {
            history.set_base(self.base(now, history));
        }
        if let Some(dropped) = history.push(step) {
            history.set_base(history.base().map(|base| self.after(base, dropped)));
        }
        self.after(now, step)
    }

    /// Undoes the newest step. Returns it, and the position before it.
    pub(super) fn undo(&self, now: Position, history: &mut History) -> Option<(UndoStep, Position)> {
        let step = history.pop()?;
        let before = match step {
            UndoStep::Key(key) => self.before(now, key),
            UndoStep::Restart => history.base().map(|base| self.replayed(base, history)),
        };
        Some((step, before?))
    }

    /// The position at which this history begins, if its steps lead to the position `now`.
    fn base(&self, now: Position, history: &History) -> Option<Position> {
        if let Some(base) = history.base() {
            return (self.replayed(base, history) == now).then_some(base);
        }
        history.steps().rev().try_fold(now, |position, step| match step {
            UndoStep::Key(key) => self.before(position, key),
            UndoStep::Restart => None,
        })
    }

    fn replayed(&self, base: Position, history: &History) -> Position {
        history.steps().fold(base, |position, step| self.after(position, step))
    }

    /// The position after a step.
    fn after(&self, position: Position, step: UndoStep) -> Position {
        match step {
            UndoStep::Key(key) => {
                Position { board: position.board.flipped((self.flips)(key)), moves: position.moves.saturating_add(1) }
            }
            UndoStep::Restart => Position::start(self.start),
        }
    }

    /// The position before a key was pressed; none if no move led to this position.
    fn before(&self, position: Position, key: Cell) -> Option<Position> {
        let moves = position.moves.checked_sub(1)?;
        Some(Position { board: position.board.flipped((self.flips)(key)), moves })
    }
}
