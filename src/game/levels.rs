//! Levels: 75 fixed boards of the classic game, opened one after the other, and the picker to choose among them.
//!
//! The picker shows 25 levels a page. A level that is not open yet glows faintly; the open one pulses; a solved one is lit, one
//! solved at par brightly. Next and undo turn the pages, and a turned page shows its number first.

use crate::board::{CELLS, Cell};
use crate::game::play::{Outcome, Play};
use crate::game::records::Progress;
use crate::game::round::Round;
use crate::game::screen::{Context, Screen, View};
use crate::gesture::Command;
use crate::levels;
use crate::picture::{Colour, Frame};
use crate::rules::Rule;
use crate::save::ModeSnapshot;
use crate::sound::Sound;
use crate::time::{Micros, ms};

const PAGES: usize = levels::COUNT / CELLS;
/// How long the number of a page that was turned to is shown.
const PAGE_NUMBER: Micros = ms(900);

/// The mode.
#[derive(Clone, Debug)]
pub struct Levels {
    level: usize,
    /// The level in play; without one the picker is open, at the page of `level`.
    play: Option<Play>,
    /// The picker shows the number of its page from this moment on.
    turned: Option<Micros>,
}

impl Levels {
    /// Opens the picker where the player will go on.
    pub fn picker(cx: &mut Context<'_>) -> Self {
        cx.new_picture();
        Self { level: cx.records.first_open(), play: None, turned: None }
    }

    /// Goes straight to a level; the picker opens for one that does not exist.
    pub fn at(cx: &mut Context<'_>, level: usize) -> Self {
        match levels::board(level) {
            Some(board) => {
                let number = Some(level as u32 + 1);
                Self { level, play: Some(Play::new(cx, Rule::CLASSIC, board, number)), turned: None }
            }
            None => Self::picker(cx),
        }
    }

    /// What is saved.
    pub fn snapshot(&self) -> ModeSnapshot {
        ModeSnapshot::Levels { level: self.level as u8, round: self.play.as_ref().map(|play| play.round().clone()) }
    }

    /// Goes on with what was saved.
    pub fn restore(now: Micros, level: u8, round: Option<Round>) -> Self {
        let number = u32::from(level) + 1;
        let play = round.map(|round| Play::restore(now, round, Some(number)));
        Self { level: level.into(), play, turned: None }
    }

    /// The level in play, or the one that the picker has in sight.
    pub fn level(&self) -> usize {
        self.level
    }

    /// The puzzle in play.
    pub fn play(&self) -> Option<&Play> {
        self.play.as_ref()
    }

    fn go(&mut self, cx: &mut Context<'_>, outcome: Outcome) {
        match outcome {
            Outcome::Going => {}
            Outcome::Solved => {
                if let Some(play) = &self.play {
                    cx.records.solved(self.level, play.round().moves());
                }
            }
            Outcome::Over => *self = Self::at(cx, self.level + 1),
        }
    }

    fn start(&mut self, cx: &mut Context<'_>, level: usize) {
        if level < levels::COUNT && cx.records.progress(level) != Progress::Unopened {
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
    fn rule(&self) -> Rule {
        Rule::CLASSIC
    }

    fn tap(&mut self, cx: &mut Context<'_>, key: Cell) {
        match &mut self.play {
            Some(play) => {
                let outcome = play.tap(cx, key);
                self.go(cx, outcome);
            }
            None => self.start(cx, self.level / CELLS * CELLS + key.index()),
        }
    }

    fn command(&mut self, cx: &mut Context<'_>, command: Command) {
        match (&mut self.play, command) {
            (Some(_), Command::Next) => self.start(cx, self.level + 1),
            (Some(play), _) => play.command(cx, command),
            (None, Command::Next) => self.turn_page(cx, 1),
            (None, Command::Undo) => self.turn_page(cx, PAGES - 1),
            (None, _) => cx.play(Sound::Error),
        }
    }

    fn wake(&mut self, cx: &mut Context<'_>) {
        if let Some(play) = &mut self.play {
            let outcome = play.wake(cx);
            self.go(cx, outcome);
        }
    }

    fn deadline(&self, view: &View<'_>) -> Option<Micros> {
        match &self.play {
            Some(play) => play.deadline(view),
            None => Some(view.next_frame(0)),
        }
    }

    fn draw(&self, view: &View<'_>) -> Frame {
        self.play.as_ref().map_or_else(|| self.draw_picker(view), |play| play.draw(view))
    }
}
