//! A board in play, for several modes: the round, and a hint, a demo or a win that is shown with it. The mode decides
//! what follows a win.

use crate::board::{Board, Cell, Presses};
use crate::display::{Colour, Frame, Text};
use crate::game::events::GameEvent;
use crate::game::round::Round;
use crate::game::screen::{Context, View};
use crate::game::status::{self, Status};
use crate::gesture::Command;
use crate::rules::{Size, Variant};
use crate::solver::Solver;
use crate::sound::Sound;
use crate::time::{Micros, ms};

/// How long the demo shows the solved board before it restores the player's board.
const DEMO_REST: Micros = ms(1000);
/// The duration of the ripple after a win. The score comes after it.
const WIN_RIPPLE: Micros = ms(1000);

/// The duration of each press of the demo: a larger board takes the player longer to read.
const fn demo_step(size: Size) -> Micros {
    ms(100 + 100 * size.side() as u64)
}

/// What the puzzle shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Activity {
    /// The board.
    Playing,
    /// The board with a key that pulses until the next press.
    Hint { key: Cell, since: Micros },
    /// The demo: a solution, press by press. The round itself does not change.
    Demo { presses: Presses, since: Micros },
    /// The end of a solved puzzle: a ripple from the last key, then the score.
    Won { last: Cell, since: Micros },
}

/// What the mode has to do after a tap or a tick.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Nothing: the puzzle continues.
    Continues,
    /// Record the result: the puzzle has just been solved, and the ripple begins.
    Solved,
    /// Leave the puzzle: ripple and score are over.
    Over,
}

/// A board in play.
#[derive(Clone, Debug)]
pub struct Puzzle {
    round: Round,
    activity: Activity,
    /// Shown on the score screen after moves and par.
    number: Option<u32>,
}

impl Puzzle {
    /// A new puzzle with this board. `number` is shown on the score screen.
    pub fn new(cx: &mut Context<'_>, variant: Variant, start: Board, number: Option<u32>) -> Self {
        let round = Round::new(cx.solvers.prepare(variant), start);
        cx.report(GameEvent::NewPuzzle { variant, board: start, par: round.par() });
        cx.needs_save();
        cx.wipe();
        Self::at_start(round, number)
    }

    /// A puzzle at the start of this round, without an event.
    pub(super) const fn at_start(round: Round, number: Option<u32>) -> Self {
        Self { round, activity: Activity::Playing, number }
    }

    /// A puzzle with a saved round. If it was already solved, ripple and score are shown again. The ripple then begins
    /// at the centre, because the last key is not saved.
    pub fn restore(now: Micros, round: Round, number: Option<u32>) -> Self {
        let activity =
            if round.board().is_dark() { Activity::Won { last: Cell::CENTRE, since: now } } else { Activity::Playing };
        Self { round, activity, number }
    }

    /// The round.
    pub fn round(&self) -> &Round {
        &self.round
    }

    /// Whether a tap is a move: there is no demo, ripple or score.
    pub fn is_in_play(&self) -> bool {
        matches!(self.activity, Activity::Playing | Activity::Hint { .. })
    }

    /// A key was pressed. It is a move, or it ends the demo or the score.
    pub fn tap(&mut self, cx: &mut Context<'_>, key: Cell) -> Outcome {
        match self.activity {
            Activity::Playing | Activity::Hint { .. } => self.press(cx, key),
            Activity::Demo { .. } => {
                self.activity = Activity::Playing;
                Outcome::Continues
            }
            Activity::Won { .. } => Outcome::Over,
        }
    }

    fn press(&mut self, cx: &mut Context<'_>, key: Cell) -> Outcome {
        if !self.round.press(cx.solvers.prepare(self.round.variant()), key) {
            return Outcome::Continues;
        }
        if !self.round.board().is_dark() {
            cx.play(Sound::Tap);
            self.activity = Activity::Playing;
            return Outcome::Continues;
        }
        self.activity = Activity::Won { last: key, since: cx.now };
        cx.play(Sound::Win);
        cx.report(GameEvent::Won { moves: self.round.moves(), par: self.round.par() });
        Outcome::Solved
    }

    /// Hint, demo, undo or restart. After a win, only restart is possible: it starts the same puzzle again.
    pub fn command(&mut self, cx: &mut Context<'_>, command: Command) {
        let was_won = matches!(self.activity, Activity::Won { .. });
        if was_won && command != Command::Restart {
            return;
        }
        let solver = cx.solvers.prepare(self.round.variant());
        self.activity = Activity::Playing;
        let done = match command {
            Command::Hint => solver.hint(self.round.board()).map(|key| Activity::Hint { key, since: cx.now }),
            Command::Demo => {
                solver.shortest(self.round.board()).map(|best| Activity::Demo { presses: best.presses, since: cx.now })
            }
            Command::Undo => self.round.undo(solver).map(|step| {
                cx.report(GameEvent::Undone(step));
                Activity::Playing
            }),
            // The win is recorded, so it cannot be undone.
            Command::Restart if was_won => {
                self.round.reset();
                Some(Activity::Playing)
            }
            Command::Restart => self.round.restart(solver).then_some(Activity::Playing),
            Command::Menu | Command::Next => None,
        };
        match done {
            Some(activity) => self.activity = activity,
            None => cx.refuse(),
        }
    }

    /// A timeout.
    pub fn tick(&mut self, cx: &mut Context<'_>) -> Outcome {
        if self.end().is_none_or(|end| cx.now < end) {
            return Outcome::Continues;
        }
        match self.activity {
            Activity::Won { .. } => Outcome::Over,
            _ => {
                self.activity = Activity::Playing;
                Outcome::Continues
            }
        }
    }

    /// When the demo or the score ends without a tap.
    fn end(&self) -> Option<Micros> {
        match self.activity {
            Activity::Playing | Activity::Hint { .. } => None,
            Activity::Demo { presses, since } => {
                let step = demo_step(self.round.variant().size);
                Some(since + step * Micros::from(presses.len()) + DEMO_REST)
            }
            Activity::Won { since, .. } => Some(since + WIN_RIPPLE + self.score().duration()),
        }
    }

    /// When the puzzle needs its next tick or its next frame.
    pub fn deadline(&self, view: &View<'_>) -> Option<Micros> {
        let next = match self.activity {
            Activity::Playing => return None,
            Activity::Hint { since, .. } | Activity::Demo { since, .. } | Activity::Won { since, .. } => {
                view.next_frame(since)
            }
        };
        Some(self.end().map_or(next, |end| next.min(end)))
    }

    /// Its frame.
    pub fn draw(&self, view: &View<'_>) -> Frame {
        let board = self.round.board();
        match self.activity {
            Activity::Playing => Frame::of_board(board),
            Activity::Hint { key, since } => {
                let mut frame = Frame::of_board(board);
                frame.point_out(key, view.now - since);
                frame
            }
            Activity::Demo { presses, since } => demo(view.solver, board, presses, view.now - since),
            Activity::Won { last, since } if view.now - since < WIN_RIPPLE => {
                Frame::ripple(last, view.now - since, WIN_RIPPLE, Colour::GOOD)
            }
            Activity::Won { since, .. } => self.score().frame(view.now - since - WIN_RIPPLE),
        }
    }

    /// What its frame shows, as words and numbers. The mode adds the best result.
    pub fn status(&self, view: &View<'_>) -> Status {
        let (scene, key) = match self.activity {
            Activity::Playing => (status::Scene::Play, None),
            Activity::Hint { key, .. } => (status::Scene::Hint, Some(key)),
            Activity::Demo { .. } => (status::Scene::Demo, None),
            Activity::Won { since, .. } if view.now - since < WIN_RIPPLE => (status::Scene::Won, None),
            Activity::Won { .. } => (status::Scene::Score, None),
        };
        Status {
            number: self.number.unwrap_or(0),
            moves: self.round.moves(),
            par: self.round.par(),
            key,
            puzzle: Some((self.round.variant(), self.round.start())),
            ..view.status(scene)
        }
    }

    /// The text of the score screen: moves, a dash, par, and the number. Moves at par are green like the par; the order
    /// tells the numbers apart.
    fn score(&self) -> Text {
        let (moves, par) = (self.round.moves(), self.round.par());
        let mut text = Text::new();
        text.number(moves, if moves == par { Colour::GOOD } else { Colour::DIGIT });
        text.dash(Colour::DIGIT);
        text.number(par, Colour::GOOD);
        if let Some(number) = self.number {
            text.space();
            text.number(number, Colour::POINTER);
        }
        text
    }
}

/// The frame of the demo at a moment. In the first two thirds of each step its key is marked, then its lights flip.
fn demo(solver: &Solver, mut board: Board, presses: Presses, elapsed: Micros) -> Frame {
    let step = demo_step(solver.variant().size);
    let (done, into) = (elapsed / step, elapsed % step);
    let is_pointing = into < step * 2 / 3;
    let mut next_key = None;
    for (n, key) in (0..).zip(presses) {
        if n < done || n == done && !is_pointing {
            board = solver.press(board, key);
        } else if n == done {
            next_key = Some(key);
        }
    }
    let mut frame = Frame::of_board(board);
    if let Some(key) = next_key {
        frame.set(key, Colour::POINTER);
    }
    frame
}
