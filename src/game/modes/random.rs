//! Random: one random puzzle after the other. The par is drawn uniformly among the pars of the chosen difficulty, and
//! the board uniformly among all boards of that par. The score ends with the number of the round.

use serde::{Deserialize, Serialize};

use crate::board::Cell;
use crate::display::Frame;
use crate::game::modes::GameMode;
use crate::game::puzzle::{Outcome, Puzzle};
use crate::game::records::Records;
use crate::game::round::Round;
use crate::game::screen::{Context, Screen, View};
use crate::game::solvers::Solvers;
use crate::game::status::Status;
use crate::generator;
use crate::gesture::Command;
use crate::rules::Variant;
use crate::time::Micros;

/// The saved data of the mode.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SavedRandom {
    /// The puzzle in play.
    pub round: Round,
}

/// The mode.
#[derive(Clone, Debug)]
pub struct Random {
    puzzle: Puzzle,
}

impl Random {
    /// The puzzle in play.
    pub fn puzzle(&self) -> &Puzzle {
        &self.puzzle
    }

    fn react(&mut self, cx: &mut Context<'_>, outcome: Outcome) {
        match outcome {
            Outcome::Continues => {}
            Outcome::Solved => cx.records.rounds = cx.records.rounds.saturating_add(1),
            Outcome::Over => self.puzzle = new_puzzle(cx),
        }
    }
}

/// A random puzzle by the settings as they are now.
fn new_puzzle(cx: &mut Context<'_>) -> Puzzle {
    let (variant, pars) = (cx.settings.variant, cx.settings.pars());
    let solver = cx.solvers.prepare(variant);
    let par = pars.start() + generator::below(pars.end() - pars.start() + 1, cx.rng);
    // There are boards of every par that can be chosen.
    let board = generator::of_par(solver, par, cx.rng).unwrap_or_else(|| generator::solvable(solver, cx.rng));
    let round = cx.records.rounds.saturating_add(1);
    Puzzle::new(cx, variant, board, Some(round))
}

impl GameMode for Random {
    type Saved = SavedRandom;

    fn start(cx: &mut Context<'_>) -> Self {
        Self { puzzle: new_puzzle(cx) }
    }

    fn save(&self) -> SavedRandom {
        SavedRandom { round: self.puzzle.round().clone() }
    }

    fn restore(now: Micros, saved: SavedRandom, records: &Records, solvers: &mut Solvers) -> Option<Self> {
        let round = saved.round;
        // A solved round is counted already.
        let number = records.rounds.saturating_add(u32::from(!round.board().is_dark()));
        round.is_valid(solvers).then(|| Self { puzzle: Puzzle::restore(now, round, Some(number)) })
    }
}

impl Screen for Random {
    fn variant(&self) -> Variant {
        self.puzzle.round().variant()
    }

    fn tap(&mut self, cx: &mut Context<'_>, key: Cell) {
        let outcome = self.puzzle.tap(cx, key);
        self.react(cx, outcome);
    }

    fn command(&mut self, cx: &mut Context<'_>, command: Command) {
        match command {
            Command::Next => self.puzzle = new_puzzle(cx),
            _ => self.puzzle.command(cx, command),
        }
    }

    fn tick(&mut self, cx: &mut Context<'_>) {
        let outcome = self.puzzle.tick(cx);
        self.react(cx, outcome);
    }

    fn deadline(&self, view: &View<'_>) -> Option<Micros> {
        self.puzzle.deadline(view)
    }

    fn draw(&self, view: &View<'_>) -> Frame {
        self.puzzle.draw(view)
    }

    fn status(&self, view: &View<'_>) -> Status {
        self.puzzle.status(view)
    }
}
