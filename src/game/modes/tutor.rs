//! Tutor: a lesson in [light chasing](crate::chase) on a random board of the plus rule, in the chosen size. The light
//! to chase is white, and the key that turns it off pulses. When only lights of the bottom row are left, the keys of
//! the top row that solve them pulse. The player may press the right keys in any order. A wrong key turns red for a
//! moment, and is not a move.

use serde::{Deserialize, Serialize};

use crate::board::{Cell, Cells, Presses, SIDE};
use crate::chase::{Chase, ChaseStep};
use crate::display::{Colour, Frame};
use crate::game::modes::GameMode;
use crate::game::puzzle::{Outcome, Puzzle};
use crate::game::records::Records;
use crate::game::round::Round;
use crate::game::screen::{Context, Screen, View};
use crate::game::solvers::Solvers;
use crate::game::status::{Scene, Status};
use crate::generator;
use crate::gesture::Command;
use crate::rules::{Rule, Variant};
use crate::solver::Solver;
use crate::time::{Micros, ms};

/// How long a wrong key is red.
const WRONG_GLOW: Micros = ms(400);

/// The saved data of the mode.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SavedTutor {
    /// The puzzle of the lesson.
    pub round: Round,
}

/// The mode.
#[derive(Clone, Debug)]
pub struct Tutor {
    puzzle: Puzzle,
    /// Keys of the top row that the player still has to press before the next chase.
    top_row: Presses,
    /// The last key, if it was wrong, and when it was pressed.
    wrong: Option<(Cell, Micros)>,
    /// When the pulse began.
    began: Micros,
}

/// The next task of the lesson.
struct Task {
    /// The light to chase. None for the keys of the top row.
    light: Option<Cell>,
    /// The keys that pulse.
    pulsing: Presses,
    /// All keys that are right.
    right: Presses,
}

impl Tutor {
    /// The puzzle of the lesson.
    pub fn puzzle(&self) -> &Puzzle {
        &self.puzzle
    }

    fn task(&self, solver: &Solver) -> Task {
        if !self.top_row.is_empty() {
            return Task { light: None, pulsing: self.top_row, right: self.top_row };
        }
        let board = self.puzzle.round().board();
        match Chase::new(solver).map(|chase| chase.next(board)) {
            Some(ChaseStep::Chase { light, key }) => {
                // The keys below all lights of that row: the order within the row does not matter.
                let lights = board.lit() & Cells::in_row(light.row());
                let right = Presses::from_bits(lights.bits() << SIDE);
                Task { light: Some(light), pulsing: Presses::from([key]), right }
            }
            Some(ChaseStep::TopRow(keys)) => Task { light: None, pulsing: keys, right: keys },
            // A board that is dark or cannot be solved, or a rule that cannot be chased. None of them occurs in play.
            Some(ChaseStep::Done | ChaseStep::Stuck) | None => {
                Task { light: None, pulsing: Presses::EMPTY, right: Presses::ALL }
            }
        }
    }

    /// The keys that the lesson accepts now.
    pub fn right_keys(&self, solver: &Solver) -> Presses {
        self.task(solver).right
    }
}

impl GameMode for Tutor {
    type Saved = SavedTutor;

    /// A new lesson on a random board.
    fn start(cx: &mut Context<'_>) -> Self {
        let variant = cx.settings.plus_variant();
        let board = generator::solvable(cx.solvers.prepare(variant), cx.rng);
        Self { puzzle: Puzzle::new(cx, variant, board, None), top_row: Presses::EMPTY, wrong: None, began: cx.now }
    }

    fn save(&self) -> SavedTutor {
        SavedTutor { round: self.puzzle.round().clone() }
    }

    /// Restores the board. The next task is derived from it.
    fn restore(now: Micros, saved: SavedTutor, _: &Records, solvers: &mut Solvers) -> Option<Self> {
        let round = saved.round;
        let is_valid = round.variant().rule == Rule::Plus && round.is_valid(solvers);
        is_valid.then(|| Self {
            puzzle: Puzzle::restore(now, round, None),
            top_row: Presses::EMPTY,
            wrong: None,
            began: now,
        })
    }
}

impl Screen for Tutor {
    fn variant(&self) -> Variant {
        self.puzzle.round().variant()
    }

    fn tap(&mut self, cx: &mut Context<'_>, key: Cell) {
        self.wrong = None;
        if self.puzzle.is_in_play() {
            let solver = cx.solvers.prepare(self.variant());
            if !solver.cells().contains(key) {
                return;
            }
            let task = self.task(solver);
            if !task.right.contains(key) {
                self.wrong = Some((key, cx.now));
                return cx.refuse();
            }
            // The keys of the top row are one task: the player presses all of them.
            self.top_row = if task.light.is_none() {
                task.right & !Presses::from([key]) & Presses::on(solver.cells())
            } else {
                Presses::EMPTY
            };
        }
        if self.puzzle.tap(cx, key) == Outcome::Over {
            *self = Self::start(cx);
        }
    }

    fn command(&mut self, cx: &mut Context<'_>, command: Command) {
        self.wrong = None;
        match command {
            Command::Next => *self = Self::start(cx),
            // The lesson is a hint already, so its pulse only restarts.
            Command::Hint if self.puzzle.is_in_play() => self.began = cx.now,
            Command::Hint | Command::Demo => self.puzzle.command(cx, command),
            Command::Undo | Command::Restart | Command::Menu => {
                // The board changes outside of the task, so the next task is derived from the board alone.
                self.top_row = Presses::EMPTY;
                self.puzzle.command(cx, command);
            }
        }
    }

    fn tick(&mut self, cx: &mut Context<'_>) {
        self.wrong = self.wrong.filter(|(_, since)| cx.now - since < WRONG_GLOW);
        if self.puzzle.tick(cx) == Outcome::Over {
            *self = Self::start(cx);
        }
    }

    fn deadline(&self, view: &View<'_>) -> Option<Micros> {
        self.puzzle.deadline(view).or_else(|| Some(view.next_frame(self.began)))
    }

    fn draw(&self, view: &View<'_>) -> Frame {
        let mut frame = self.puzzle.draw(view);
        if self.puzzle.is_in_play() {
            let task = self.task(view.solver);
            if let Some(light) = task.light {
                frame.set(light, Colour::DIGIT);
            }
            for key in task.pulsing {
                frame.point_out(key, view.now - self.began);
            }
            if let Some((key, _)) = self.wrong {
                frame.set(key, Colour::dim(Colour::BAD));
            }
        }
        frame
    }

    fn status(&self, view: &View<'_>) -> Status {
        let status = self.puzzle.status(view);
        if !self.puzzle.is_in_play() {
            return status;
        }
        let task = self.task(view.solver);
        let scene = if task.light.is_some() { Scene::Chase } else { Scene::TopRow };
        Status { scene, key: task.pulsing.first(), ..status }
    }
}
