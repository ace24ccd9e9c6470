//! Levels: 75 fixed boards of the classic game, opened one after the other, and the picker to choose among them.
//!
//! The picker shows 25 levels a page. A level that is not open yet glows faintly; the open one pulses; a solved one is lit, one
//! solved at par brightly. Next and undo turn the pages, and a turned page shows its number first.

use crate::board::{CELLS, Cell};
use crate::game::puzzle::{Outcome, Puzzle};
use crate::game::records::Progress;
use crate::game::round::Round;
use crate::game::screen::{Context, Screen, View};
use crate::gesture::Command;
use crate::level_boards;
use crate::picture::{Colour, Frame};
use crate::rules::Variant;
use crate::save::ModeSnapshot;
use crate::sound::Sound;
use crate::time::{Micros, ms};

const PAGES: usize = level_boards::COUNT / CELLS;
/// How long the number of a page that was turned to is shown.
const PAGE_NUMBER: Micros = ms(900);

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

    /// Goes straight to a level; the picker opens for one that does not exist.
    pub fn at(cx: &mut Context<'_>, level: usize) -> Self {
        match level_boards::board(level) {
            Some(board) => {
                let number = Some(level as u32 + 1);
                Self { level, puzzle: Some(Puzzle::new(cx, Variant::CLASSIC, board, number)), turned: None }
            }
            None => Self::picker(cx),
        }
    }

    /// What is saved.
    pub fn snapshot(&self) -> ModeSnapshot {
        ModeSnapshot::Levels {
            level: self.level as u8,
            round: self.puzzle.as_ref().map(|puzzle| puzzle.round().clone()),
        }
    }

    /// Goes on with what was saved.
    pub fn restore(now: Micros, level: u8, round: Option<Round>) -> Self {
        let number = u32::from(level) + 1;
        let puzzle = round.map(|round| Puzzle::restore(now, round, Some(number)));
        Self { level: level.into(), puzzle, turned: None }
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
            cx.play(Sound::Error);
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

impl Screen for Levels {
    fn variant(&self) -> Variant {
        Variant::CLASSIC
    }

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
            (None, _) => cx.play(Sound::Error),
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
}
