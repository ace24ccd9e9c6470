//! Levels: 75 fixed boards of the classic game that are unlocked in order, and the level picker.
//!
//! The picker shows 25 levels a page. A locked level is faint, the open one pulses, a solved one is lit, and one solved
//! at par is bright. The commands next and undo turn the page. A new page shows its number first.

use serde::{Deserialize, Serialize};

use crate::board::{Board, CELLS, Cell};
use crate::display::{Colour, Frame};
use crate::game::modes::GameMode;
use crate::game::puzzle::{Outcome, Puzzle};
use crate::game::records::{Progress, Records};
use crate::game::round::Round;
use crate::game::screen::{Context, Screen, View};
use crate::game::solvers::Solvers;
use crate::game::status::{Scene, Status};
use crate::gesture::Command;
use crate::level_boards;
use crate::rules::Variant;
use crate::sound::Sound;
use crate::time::{Micros, ms};

/// The number of pages of the picker.
const PAGES: usize = level_boards::COUNT / CELLS;
/// How long the number of a new page is shown.
const PAGE_NUMBER: Micros = ms(900);

/// The saved data of the mode.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SavedLevels {
    /// The level that was chosen last.
    pub level: u8,
    /// Its round, while it is in play.
    pub round: Option<Round>,
}

/// The mode.
#[derive(Clone, Debug)]
pub struct Levels {
    level: usize,
    /// The level in play. None while the picker shows the page of `level`.
    puzzle: Option<Puzzle>,
    /// When the page was turned.
    turned: Option<Micros>,
}

impl Levels {
    /// Opens the picker at the page of the first open level.
    fn picker(cx: &mut Context<'_>) -> Self {
        cx.wipe();
        Self { level: cx.records.first_open(), puzzle: None, turned: None }
    }

    /// Starts the first open level.
    pub(in crate::game) fn first_open(records: &Records, solvers: &mut Solvers) -> Self {
        let level = records.first_open();
        let board = level_boards::board(level).unwrap_or(Board::DARK);
        let round = Round::new(solvers.prepare(Variant::CLASSIC), board);
        Self { level, puzzle: Some(Puzzle::at_start(round, number(level))), turned: None }
    }

    /// Starts a level. Opens the picker if the level does not exist.
    fn at(cx: &mut Context<'_>, level: usize) -> Self {
        match level_boards::board(level) {
            Some(board) => {
                Self { level, puzzle: Some(Puzzle::new(cx, Variant::CLASSIC, board, number(level))), turned: None }
            }
            None => Self::picker(cx),
        }
    }

    /// The level in play, or a level on the page of the picker.
    pub fn level(&self) -> usize {
        self.level
    }

    /// The puzzle in play. None while the picker is open.
    pub fn puzzle(&self) -> Option<&Puzzle> {
        self.puzzle.as_ref()
    }

    fn react(&mut self, cx: &mut Context<'_>, outcome: Outcome) {
        match outcome {
            Outcome::Continues => {}
            Outcome::Solved => {
                if let Some(puzzle) = &self.puzzle {
                    cx.records.solved(self.level, puzzle.round().moves());
                }
            }
            Outcome::Over => *self = Self::at(cx, self.level + 1),
        }
    }

    /// Starts a level if it is unlocked.
    fn start_unlocked(&mut self, cx: &mut Context<'_>, level: usize) {
        if level < level_boards::COUNT && cx.records.progress(level) != Progress::Locked {
            *self = Self::at(cx, level);
        } else {
            cx.refuse();
        }
    }

    fn turn_page(&mut self, cx: &mut Context<'_>, by: usize) {
        self.level = (self.level / CELLS + by) % PAGES * CELLS;
        self.turned = Some(cx.now);
        cx.play(Sound::Menu);
        cx.wipe();
    }

    fn draw_picker(&self, view: &View<'_>) -> Frame {
        let page = self.level / CELLS;
        if self.turned.is_some_and(|since| view.now - since < PAGE_NUMBER) {
            return Frame::of_digit(page + 1, Colour::DIGIT);
        }
        let mut frame = Frame::DARK;
        for cell in Cell::all() {
            let colour = match view.records.progress(page * CELLS + cell.index()) {
                Progress::Locked => Colour::FAINT,
                Progress::Open => Colour::pulse(Colour::POINTER, view.now),
                Progress::Solved => Colour::mix(Colour::OFF, Colour::LIGHT, 150),
                Progress::AtPar => Colour::GOOD,
            };
            frame.set(cell, colour);
        }
        frame
    }
}

/// The number of a level for the player, counted from 1. It is shown on the score screen.
fn number(level: usize) -> Option<u32> {
    Some(level as u32 + 1)
}

impl GameMode for Levels {
    type Saved = SavedLevels;

    fn start(cx: &mut Context<'_>) -> Self {
        Self::picker(cx)
    }

    fn save(&self) -> SavedLevels {
        SavedLevels { level: self.level as u8, round: self.puzzle.as_ref().map(|puzzle| puzzle.round().clone()) }
    }

    fn restore(now: Micros, saved: SavedLevels, _: &Records, solvers: &mut Solvers) -> Option<Self> {
        let level = saved.level.into();
        let board = level_boards::board(level)?;
        if saved.round.as_ref().is_some_and(|round| !round.is_valid_from(Variant::CLASSIC, board, solvers)) {
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
                self.react(cx, outcome);
            }
            None => self.start_unlocked(cx, self.level / CELLS * CELLS + key.index()),
        }
    }

    fn command(&mut self, cx: &mut Context<'_>, command: Command) {
        match (&mut self.puzzle, command) {
            (Some(_), Command::Next) => self.start_unlocked(cx, self.level + 1),
            (Some(puzzle), _) => puzzle.command(cx, command),
            (None, Command::Next) => self.turn_page(cx, 1),
            (None, Command::Undo) => self.turn_page(cx, PAGES - 1),
            (None, _) => cx.refuse(),
        }
    }

    fn tick(&mut self, cx: &mut Context<'_>) {
        if let Some(puzzle) = &mut self.puzzle {
            let outcome = puzzle.tick(cx);
            self.react(cx, outcome);
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
