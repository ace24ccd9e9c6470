//! Levels: 75 fixed boards of the classic game, opened one after the other, and the picker to choose among them.
//!
//! The picker shows 25 levels a page. A level that is not open yet glows faintly; the open one pulses; a solved one is lit, one
//! solved at par brightly. Next and undo turn the pages, and a turned page shows its number first.

use serde::{Deserialize, Serialize};

use crate::board::{Board, CELLS, Cell};
use crate::game::modes::GameMode;
use crate::game::puzzle::{Outcome, Puzzle};
use crate::game::records::{Progress, Records};
use crate::game::round::Round;
use crate::game::screen::{Context, Screen, View};
use crate::game::solvers::Solvers;
use crate::game::status::{Scene, Status};
use crate::gesture::Command;
use crate::level_boards;
use crate::picture::{Colour, Frame};
use crate::rules::Variant;
use crate::sound::Sound;
use crate::time::{Micros, ms};

const PAGES: usize = level_boards::COUNT / CELLS;
/// How long the number of a page that was turned to is shown.
const PAGE_NUMBER: Micros = ms(900);

/// What is saved: the level that was chosen last, and the puzzle if it is in play.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[expect(missing_docs, reason = "told above")]
pub struct Saved {
    pub level: u8,
    pub round: Option<Round>,
}

/// The mode.
#[derive(Clone, Debug)]
pub struct Levels {
    level: usize,
    /// The level in play; without one the picker is open, at the page of `level`.
    puzzle: Option<Puzzle>,
    /// The picker shows the number of its page from this moment on.
    turned: Option<Micros>,
}

impl Levels {
    /// Opens the picker where the player will go on.
    pub fn picker(cx: &mut Context<'_>) -> Self {
        cx.new_picture();
        Self { level: cx.records.first_open(), puzzle: None, turned: None }
    }

    /// Where a player begins who has these results: at the first level that is open.
    pub fn first_open(records: &Records, solvers: &mut Solvers) -> Self {
        let level = records.first_open();
        let board = level_boards::board(level).unwrap_or(Board::DARK);
        let round = Round::new(solvers.prepare(Variant::CLASSIC), board);
        Self { level, puzzle: Some(Puzzle::at_start(round, number(level))), turned: None }
    }

    /// Goes straight to a level; the picker opens for one that does not exist.
    pub fn at(cx: &mut Context<'_>, level: usize) -> Self {
        match level_boards::board(level) {
            Some(board) => {
                Self { level, puzzle: Some(Puzzle::new(cx, Variant::CLASSIC, board, number(level))), turned: None }
            }
            None => Self::picker(cx),
        }
    }

    /// The level in play, or the one that the picker has in sight.
    pub fn level(&self) -> usize {
        self.level
    }

    /// The puzzle in play.
    pub fn puzzle(&self) -> Option<&Puzzle> {
        self.puzzle.as_ref()
    }

    fn go(&mut self, cx: &mut Context<'_>, outcome: Outcome) {
        match outcome {
            Outcome::Going => {}
            Outcome::Solved => {
                if let Some(puzzle) = &self.puzzle {
                    cx.records.solved(self.level, puzzle.round().moves());
                }
            }
            Outcome::Over => *self = Self::at(cx, self.level + 1),
        }
    }

    fn start(&mut self, cx: &mut Context<'_>, level: usize) {
        if level < level_boards::COUNT && cx.records.progress(level) != Progress::Unopened {
            *self = Self::at(cx, level);
        } else {
            cx.refuse();
        }
    }

    fn turn_page(&mut self, cx: &mut Context<'_>, by: usize) {
        self.level = (self.level / CELLS + by) % PAGES * CELLS;
        self.turned = Some(cx.now);
        cx.play(Sound::Menu);
        cx.new_picture();
    }

    fn draw_picker(&self, view: &View<'_>) -> Frame {
        let page = self.level / CELLS;
        if self.turned.is_some_and(|since| view.now - since < PAGE_NUMBER) {
            return Frame::of_digit(page + 1, Colour::DIGIT);
        }
        let mut frame = Frame::DARK;
        for cell in Cell::all() {
            let colour = match view.records.progress(page * CELLS + cell.index()) {
                Progress::Unopened => Colour::FAINT,
                Progress::Open => Colour::pulse(Colour::POINTER, view.now),
                Progress::Solved => Colour::mix(Colour::OFF, Colour::LIGHT, 150),
                Progress::AtPar => Colour::GOOD,
            };
            frame.set(cell, colour);
        }
        frame
    }
}

/// The number of a level as people count, which is shown with the score.
fn number(level: usize) -> Option<u32> {
    Some(level as u32 + 1)
}

impl GameMode for Levels {
    type Saved = Saved;

    fn start(cx: &mut Context<'_>) -> Self {
        Self::picker(cx)
    }

    fn save(&self) -> Saved {
        Saved { level: self.level as u8, round: self.puzzle.as_ref().map(|puzzle| puzzle.round().clone()) }
    }

    fn restore(now: Micros, saved: Saved, _: &Records, solvers: &mut Solvers) -> Option<Self> {
        let level = saved.level.into();
        let board = level_boards::board(level)?;
        if saved.round.as_ref().is_some_and(|round| !round.is_sound_from(Variant::CLASSIC, board, solvers)) {
            return None;
        }
        let puzzle = saved.round.map(|round| Puzzle::restore(now, round, number(level)));
        Some(Self { level, puzzle, turned: None })
    }
}

impl Screen for Levels {
    fn tap(&mut self, cx: &mut Context<'_>, key: Cell) {
        match &mut self.puzzle {
            Some(puzzle) => {
                let outcome = puzzle.tap(cx, key);
                self.go(cx, outcome);
            }
            None => self.start(cx, self.level / CELLS * CELLS + key.index()),
        }
    }

    fn command(&mut self, cx: &mut Context<'_>, command: Command) {
        match (&mut self.puzzle, command) {
            (Some(_), Command::Next) => self.start(cx, self.level + 1),
            (Some(puzzle), _) => puzzle.command(cx, command),
            (None, Command::Next) => self.turn_page(cx, 1),
            (None, Command::Undo) => self.turn_page(cx, PAGES - 1),
            (None, _) => cx.refuse(),
        }
    }

    fn tick(&mut self, cx: &mut Context<'_>) {
        if let Some(puzzle) = &mut self.puzzle {
            let outcome = puzzle.tick(cx);
            self.go(cx, outcome);
        }
    }

    fn deadline(&self, view: &View<'_>) -> Option<Micros> {
        match &self.puzzle {
            Some(puzzle) => puzzle.deadline(view),
            None => Some(view.next_frame(0)),
        }
    }

    fn draw(&self, view: &View<'_>) -> Frame {
        self.puzzle.as_ref().map_or_else(|| self.draw_picker(view), |puzzle| puzzle.draw(view))
    }

    fn status(&self, view: &View<'_>) -> Status {
        match &self.puzzle {
            Some(puzzle) => Status { best: view.records.best_moves(self.level).unwrap_or(0), ..puzzle.status(view) },
            None => Status { number: (self.level / CELLS) as u32 + 1, ..view.status(Scene::Picker) },
        }
    }
}
