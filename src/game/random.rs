//! Random: one puzzle after the other, each drawn uniformly among all boards of a par, and the par uniformly among those of
//! the chosen difficulty. The score ends with the number of the round.

use crate::board::Cell;
use crate::game::play::{Outcome, Play};
use crate::game::records::Records;
use crate::game::round::Round;
use crate::game::screen::{Context, Screen, View};
use crate::generator;
use crate::gesture::Command;
use crate::picture::Frame;
use crate::rules::Rule;
use crate::save::ModeSnapshot;
use crate::time::Micros;

/// The mode.
#[derive(Clone, Debug)]
pub struct Random {
    play: Play,
}

impl Random {
    /// Deals the first puzzle.
    pub fn new(cx: &mut Context<'_>) -> Self {
        Self { play: deal(cx) }
    }

    /// What is saved.
    pub fn snapshot(&self) -> ModeSnapshot {
        ModeSnapshot::Random { round: self.play.round().clone() }
    }

    /// Goes on with what was saved.
    pub fn restore(now: Micros, records: &Records, round: Round) -> Self {
        // A round that was won has been counted.
        let number = records.rounds.saturating_add(u32::from(!round.board().is_dark()));
        Self { play: Play::restore(now, round, Some(number)) }
    }

    /// The puzzle in play.
    pub fn play(&self) -> &Play {
        &self.play
    }

    fn go(&mut self, cx: &mut Context<'_>, outcome: Outcome) {
        match outcome {
            Outcome::Going => {}
            Outcome::Solved => cx.records.rounds = cx.records.rounds.saturating_add(1),
            Outcome::Over => self.play = deal(cx),
        }
    }
}

/// A puzzle by the choices of the menu as they are now.
fn deal(cx: &mut Context<'_>) -> Play {
    let (rule, pars) = (cx.settings.rule, cx.settings.pars());
    let puzzle = cx.puzzles.prepare(rule);
    let par = pars.start() + generator::below(pars.end() - pars.start() + 1, cx.rng);
    // There are boards of every par that the choices can name.
    let board = generator::of_par(puzzle, par, cx.rng).unwrap_or_else(|| generator::solvable(puzzle, cx.rng));
    let round = cx.records.rounds.saturating_add(1);
    Play::new(cx, rule, board, Some(round))
}

impl Screen for Random {
    fn rule(&self) -> Rule {
        self.play.round().rule()
    }

    fn tap(&mut self, cx: &mut Context<'_>, key: Cell) {
        let outcome = self.play.tap(cx, key);
        self.go(cx, outcome);
    }

    fn command(&mut self, cx: &mut Context<'_>, command: Command) {
        match command {
            Command::Next => self.play = deal(cx),
            _ => self.play.command(cx, command),
        }
    }

    fn wake(&mut self, cx: &mut Context<'_>) {
        let outcome = self.play.wake(cx);
        self.go(cx, outcome);
    }

    fn deadline(&self, view: &View<'_>) -> Option<Micros> {
        self.play.deadline(view)
    }

    fn draw(&self, view: &View<'_>) -> Frame {
        self.play.draw(view)
    }
}
