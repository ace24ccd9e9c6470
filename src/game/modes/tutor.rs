//! Tutor: a lesson in light chasing on a random board of the plus rule, in the chosen size. The light to chase is white and
//! the key that chases it pulses; when only the bottom row is left, the keys of the top row that it calls for pulse. Any
//! right key will do, in any order; a wrong one glows red for a moment and is no move.

use serde::{Deserialize, Serialize};

use crate::board::{Cell, Cells, Presses, SIDE};
use crate::chase::{Chase, Step};
use crate::game::modes::GameMode;
use crate::game::puzzle::{Outcome, Puzzle};
use crate::game::records::Records;
use crate::game::round::Round;
use crate::game::screen::{Context, Screen, View};
use crate::game::solvers::Solvers;
use crate::game::status::{Scene, Status};
use crate::generator;
use crate::gesture::Command;
use crate::picture::{Colour, Frame};
use crate::rules::{Rule, Variant};
use crate::solver::Solver;
use crate::time::{Micros, ms};

/// How long a wrong key glows.
const WRONG_GLOW: Micros = ms(400);

/// What is saved: the puzzle of the lesson.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[expect(missing_docs, reason = "told above")]
pub struct Saved {
    pub round: Round,
}

/// The mode.
#[derive(Clone, Debug)]
pub struct Tutor {
    puzzle: Puzzle,
    /// Keys of the top row that are still to be pressed before the chase goes on.
    top_row: Presses,
    wrong: Option<(Cell, Micros)>,
    began: Micros,
}

/// What the lesson asks for.
struct Task {
    /// The light to look at.
    light: Option<Cell>,
    /// The keys to point at.
    pointed: Presses,
    /// Every key that is right.
    right: Presses,
}

impl Tutor {
    /// The puzzle of the lesson.
    pub fn puzzle(&self) -> &Puzzle {
        &self.puzzle
    }

    fn task(&self, solver: &Solver) -> Task {
        if !self.top_row.is_empty() {
            return Task { light: None, pointed: self.top_row, right: self.top_row };
        }
        let board = self.puzzle.round().board();
        match Chase::new(solver).map(|chase| chase.next(board)) {
            Some(Step::Chase { light, key }) => {
                // The keys right below all lights of that row: the order within it does not matter.
                let lights = board.lit() & Cells::in_row(light.row());
                let right = Presses::from_bits(lights.bits() << SIDE);
                Task { light: Some(light), pointed: Presses::from([key]), right }
            }
            Some(Step::TopRow(keys)) => Task { light: None, pointed: keys, right: keys },
            // Only a board that cannot be solved, or a rule that cannot be chased: there is none here.
            Some(Step::Done | Step::Stuck) | None => Task { light: None, pointed: Presses::EMPTY, right: Presses::ALL },
        }
    }

    /// The keys that the lesson would accept now.
    pub fn right_keys(&self, solver: &Solver) -> Presses {
        self.task(solver).right
    }
}

impl GameMode for Tutor {
    type Saved = Saved;

    /// A new lesson.
    fn start(cx: &mut Context<'_>) -> Self {
        let variant = cx.settings.plus_variant();
        let board = generator::solvable(cx.solvers.prepare(variant), cx.rng);
        Self { puzzle: Puzzle::new(cx, variant, board, None), top_row: Presses::EMPTY, wrong: None, began: cx.now }
    }

    fn save(&self) -> Saved {
        Saved { round: self.puzzle.round().clone() }
    }

    /// The lesson looks at the board anew.
    fn restore(now: Micros, saved: Saved, _: &Records, solvers: &mut Solvers) -> Option<Self> {
        let round = saved.round;
        let sound = round.variant().rule == Rule::Plus && round.is_sound(solvers);
        sound.then(|| Self {
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
        if self.puzzle.is_quiet() {
            let solver = cx.solvers.prepare(self.variant());
            if !solver.cells().contains(key) {
                return;
            }
            let task = self.task(solver);
            if !task.right.contains(key) {
                self.wrong = Some((key, cx.now));
                return cx.refuse();
            }
            // In the top row all keys asked for belong together.
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
            // The lesson is a hint already: its pulse begins anew.
            Command::Hint if self.puzzle.is_quiet() => self.began = cx.now,
            Command::Hint | Command::Demo => self.puzzle.command(cx, command),
            Command::Undo | Command::Restart | Command::Menu => {
                // The board changes by other ways than the lesson's: it looks at it anew.
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
        if self.puzzle.is_quiet() {
            let task = self.task(view.solver);
            if let Some(light) = task.light {
                frame.set(light, Colour::DIGIT);
            }
            for key in task.pointed {
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
        if !self.puzzle.is_quiet() {
            return status;
        }
        let task = self.task(view.solver);
        let scene = if task.light.is_some() { Scene::Chase } else { Scene::TopRow };
        Status { scene, key: task.pointed.first(), ..status }
    }
}
