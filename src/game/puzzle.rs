//! A board in play, as several modes have it: the round, and what goes on beside it (a hint, a demo, a win). What comes
//! after a win is the mode's business.

use crate::board::{Board, Cell, Presses, SIDE};
use crate::game::round::Round;
use crate::game::screen::{Context, News, View};
use crate::game::status::{self, Status};
use crate::gesture::Command;
use crate::picture::{Colour, Frame, Text};
use crate::rules::{Size, Variant};
use crate::solver::Solver;
use crate::sound::Sound;
use crate::time::{Micros, ms};

/// How long the demo shows the dark board before it gives the player's back.
const DEMO_REST: Micros = ms(1000);
/// How long the ripple of a win takes, before the score.
const WIN_RIPPLE: Micros = ms(1000);

/// Where the ripple of a win begins when the last key is not known.
const CENTRE: Cell = match Cell::at(SIDE / 2, SIDE / 2) {
    Some(cell) => cell,
    None => panic!("the grid has a centre"),
};

/// How long each press of the demo takes: larger boards take more looking.
const fn demo_step(size: Size) -> Micros {
    ms(100 + 100 * size.side() as u64)
}

/// What is going on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Scene {
    /// The board, and nothing else.
    Playing,
    /// This key pulses until the next press.
    Hint { key: Cell, since: Micros },
    /// A solution is played press by press. The round does not change: only the picture does.
    Demo { presses: Presses, since: Micros },
    /// All lights are out: a ripple from the last key, then the score.
    Won { last: Cell, since: Micros },
}

/// Whether the mode has to do something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// It goes on.
    Going,
    /// The puzzle has just been solved; the celebration begins.
    Solved,
    /// The celebration is over.
    Over,
}

/// A board in play.
#[derive(Clone, Debug)]
pub struct Puzzle {
    round: Round,
    scene: Scene,
    /// Shown after moves and par.
    number: Option<u32>,
}

impl Puzzle {
    /// Begins with this board. `number` is shown with the score.
    pub fn new(cx: &mut Context<'_>, variant: Variant, start: Board, number: Option<u32>) -> Self {
        let round = Round::new(cx.solvers.prepare(variant), start);
        cx.tell(News::Dealt { variant, board: start, par: round.par() });
        cx.changed();
        cx.new_picture();
        Self::at_start(round, number)
    }

    /// Begins without a word.
    pub const fn at_start(round: Round, number: Option<u32>) -> Self {
        Self { round, scene: Scene::Playing, number }
    }

    /// Goes on with a round that was saved. One that was won is celebrated again, and goes on from there.
    pub fn restore(now: Micros, round: Round, number: Option<u32>) -> Self {
        let scene = if round.board().is_dark() { Scene::Won { last: CENTRE, since: now } } else { Scene::Playing };
        Self { round, scene, number }
    }

    /// The puzzle.
    pub fn round(&self) -> &Round {
        &self.round
    }

    /// Whether the player is at it: no demo, no celebration.
    pub fn is_quiet(&self) -> bool {
        matches!(self.scene, Scene::Playing | Scene::Hint { .. })
    }

    /// A key went down: a move, or the end of what was going on.
    pub fn tap(&mut self, cx: &mut Context<'_>, key: Cell) -> Outcome {
        match self.scene {
            Scene::Playing | Scene::Hint { .. } => self.press(cx, key),
            Scene::Demo { .. } => {
                self.scene = Scene::Playing;
                Outcome::Going
            }
            Scene::Won { .. } => Outcome::Over,
        }
    }

    fn press(&mut self, cx: &mut Context<'_>, key: Cell) -> Outcome {
        if !self.round.press(cx.solvers.prepare(self.round.variant()), key) {
            return Outcome::Going;
        }
        if !self.round.board().is_dark() {
            cx.play(Sound::Tap);
            self.scene = Scene::Playing;
            return Outcome::Going;
        }
        self.scene = Scene::Won { last: key, since: cx.now };
        cx.play(Sound::Win);
        cx.tell(News::Won { moves: self.round.moves(), par: self.round.par() });
        Outcome::Solved
    }

    /// Hint, demo, undo, restart. After a win there is only another go at the same puzzle.
    pub fn command(&mut self, cx: &mut Context<'_>, command: Command) {
        let was_won = matches!(self.scene, Scene::Won { .. });
        if was_won && command != Command::Restart {
            return;
        }
        let solver = cx.solvers.prepare(self.round.variant());
        self.scene = Scene::Playing;
        let done = match command {
            Command::Hint => solver.hint(self.round.board()).map(|key| Scene::Hint { key, since: cx.now }),
            Command::Demo => {
                solver.shortest(self.round.board()).map(|best| Scene::Demo { presses: best.presses, since: cx.now })
            }
            Command::Undo => self.round.undo(solver).map(|step| {
                cx.tell(News::TookBack(step));
                Scene::Playing
            }),
            // A win counts, and stands: there is no way back to before it.
            Command::Restart if was_won => {
                self.round.begin_again();
                Some(Scene::Playing)
            }
            Command::Restart => self.round.restart(solver).then_some(Scene::Playing),
            Command::Menu | Command::Next => None,
        };
        match done {
            Some(scene) => self.scene = scene,
            None => cx.refuse(),
        }
    }

    /// Time has gone by.
    pub fn tick(&mut self, cx: &mut Context<'_>) -> Outcome {
        if self.end().is_none_or(|end| cx.now < end) {
            return Outcome::Going;
        }
        match self.scene {
            Scene::Won { .. } => Outcome::Over,
            _ => {
                self.scene = Scene::Playing;
                Outcome::Going
            }
        }
    }

    /// When what goes on is over, if it ever is by itself.
    fn end(&self) -> Option<Micros> {
        match self.scene {
            Scene::Playing | Scene::Hint { .. } => None,
            Scene::Demo { presses, since } => {
                let step = demo_step(self.round.variant().size);
                Some(since + step * Micros::from(presses.len()) + DEMO_REST)
            }
            Scene::Won { since, .. } => Some(since + WIN_RIPPLE + self.score().duration()),
        }
    }

    /// When it wants to be woken.
    pub fn deadline(&self, view: &View<'_>) -> Option<Micros> {
        let next = match self.scene {
            Scene::Playing => return None,
            Scene::Hint { since, .. } | Scene::Demo { since, .. } | Scene::Won { since, .. } => view.next_frame(since),
        };
        Some(self.end().map_or(next, |end| next.min(end)))
    }

    /// Its picture.
    pub fn draw(&self, view: &View<'_>) -> Frame {
        let board = self.round.board();
        match self.scene {
            Scene::Playing => Frame::of_board(board),
            Scene::Hint { key, since } => {
                let mut frame = Frame::of_board(board);
                frame.point_out(key, view.now - since);
                frame
            }
            Scene::Demo { presses, since } => demo(view.solver, board, presses, view.now - since),
            Scene::Won { last, since } if view.now - since < WIN_RIPPLE => {
                Frame::ripple(last, view.now - since, WIN_RIPPLE, Colour::GOOD)
            }
            Scene::Won { since, .. } => self.score().frame(view.now - since - WIN_RIPPLE),
        }
    }

    /// What it shows, as words and numbers. The best result is the mode's business.
    pub fn status(&self, view: &View<'_>) -> Status {
        let (scene, key) = match self.scene {
            Scene::Playing => (status::Scene::Play, None),
            Scene::Hint { key, .. } => (status::Scene::Hint, Some(key)),
            Scene::Demo { .. } => (status::Scene::Demo, None),
            Scene::Won { since, .. } if view.now - since < WIN_RIPPLE => (status::Scene::Won, None),
            Scene::Won { .. } => (status::Scene::Score, None),
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

    /// Moves, a dash, par; and the number. Moves at par are green like the par; the order tells the numbers apart.
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

/// The demo at a moment: most of each step its key is pointed out, then its lights flip.
fn demo(solver: &Solver, mut board: Board, presses: Presses, elapsed: Micros) -> Frame {
    let step = demo_step(solver.variant().size);
    let (done, into) = (elapsed / step, elapsed % step);
    let pointing = into < step * 2 / 3;
    let mut pointed = None;
    for (n, key) in (0..).zip(presses) {
        if n < done || n == done && !pointing {
            board = solver.press(board, key);
        } else if n == done {
            pointed = Some(key);
        }
    }
    let mut frame = Frame::of_board(board);
    if let Some(key) = pointed {
        frame.set(key, Colour::POINTER);
    }
    frame
}
