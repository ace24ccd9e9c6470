//! The menu. Its rows are mode, rule, size, difficulty, and brightness with sound. The chosen key of a row is bright,
//! the others are dim. A tap chooses a key. A tap on the chosen mode starts it.
//!
//! The row of the modes is full: it has five keys for five modes. A sixth mode needs a second page:
//! - `Menu` stores the page;
//! - `Menu::row` and `Menu::tap` count the modes from the first mode of the page;
//! - a key turns the page: the last key in the row of the sizes is free, because there are four sizes;
//! - the assertion in `modes/mod.rs` counts both pages.

use smart_leds::RGB8;

use crate::board::{Cell, SIDE};
use crate::display::{Colour, Frame};
use crate::game::modes::ModeKind;
use crate::game::screen::{Context, Screen, View};
use crate::game::settings::{BRIGHTNESSES, DIFFICULTIES, Settings};
use crate::game::status::{Scene, Status};
use crate::gesture::Command;
use crate::rules::{Rule, Size};
use crate::sound::Sound;
use crate::time::Micros;

/// The colours of the rows.
const ROW_COLOURS: [RGB8; SIDE] = [Colour::LIGHT, Colour::POINTER, Colour::GOOD, Colour::VIOLET, Colour::DIGIT];
/// The column of the sound in the last row. The columns before it are the brightness.
const SOUND_COLUMN: usize = SIDE - 1;

/// The menu while it is open.
#[derive(Clone, Debug)]
pub(super) struct Menu {
    /// The mode that is chosen.
    mode: ModeKind,
}

impl Menu {
    /// Opens with the mode that runs.
    pub(super) const fn new(mode: ModeKind) -> Self {
        Self { mode }
    }

    /// How many columns of a row can be chosen, and the mask of those that are.
    fn row(&self, settings: &Settings, row: usize) -> (usize, u32) {
        match row {
            0 => (ModeKind::COUNT, 1 << self.mode as usize),
            1 => (Rule::COUNT, 1 << settings.variant.rule as usize),
            2 => (Size::COUNT, 1 << settings.variant.size as usize),
            3 => (DIFFICULTIES, 1 << settings.difficulty),
            _ => (SIDE, 1 << settings.brightness | u32::from(settings.sound) << SOUND_COLUMN),
        }
    }
}

impl Screen for Menu {
    fn tap(&mut self, cx: &mut Context<'_>, key: Cell) {
        let (row, column) = (key.row(), key.column());
        if column >= self.row(cx.settings, row).0 {
            return;
        }
        match row {
            0 if ModeKind::ALL[column] == self.mode => cx.start(self.mode),
            0 => self.mode = ModeKind::ALL[column],
            1 => cx.settings.variant.rule = Rule::ALL[column],
            2 => cx.settings.variant.size = Size::ALL[column],
            3 => cx.settings.difficulty = column,
            _ if column < BRIGHTNESSES => cx.settings.brightness = column,
            _ => cx.settings.sound = !cx.settings.sound,
        }
        cx.play(Sound::Menu);
    }

    fn command(&mut self, cx: &mut Context<'_>, _: Command) {
        cx.refuse();
    }

    fn menu(&mut self, cx: &mut Context<'_>) {
        cx.close_with_wipe();
    }

    fn tick(&mut self, _: &mut Context<'_>) {}

    fn deadline(&self, _: &View<'_>) -> Option<Micros> {
        None
    }

    fn draw(&self, view: &View<'_>) -> Frame {
        let mut frame = Frame::DARK;
        for cell in Cell::all() {
            let (columns, chosen) = self.row(view.settings, cell.row());
            if cell.column() < columns {
                let is_chosen = chosen >> cell.column() & 1 == 1;
                frame.set(cell, if is_chosen { ROW_COLOURS[cell.row()] } else { Colour::dim(ROW_COLOURS[cell.row()]) });
            }
        }
        frame
    }

    fn status(&self, _: &View<'_>) -> Status {
        Status::of(Scene::Menu, self.mode)
    }
}
