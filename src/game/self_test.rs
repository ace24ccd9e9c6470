//! The self-test for makers, who hold the centre key while switching on: a way to find a bad joint without an oscilloscope.
//!
//! First every LED in red, green, blue and white. Then the keys, as the matrix sees them, with nothing filtered out:
//!
//! | on the lights                    | what it means                                               |
//! | -------------------------------- | ----------------------------------------------------------- |
//! | white                            | this key is closed now                                      |
//! | green                            | it was pressed, and it worked                               |
//! | dark                             | it was not pressed yet, or it does not work                 |
//! | violet                           | it closed in the same moment as another: a short            |
//! | red, pulsing alone               | it was never open: stuck, or a short                        |
//! | red, pulsing in a row or column  | all others were pressed, and of these none: a bad joint     |
//!
//! What is found is told in words in the log as well.

use crate::board::{ALL_CELLS, COLUMN, Cell, SIDE, row_mask};
use crate::game::screen::{Context, News, Screen, View};
use crate::game::status::{Scene, Status};
use crate::gesture::Command;
use crate::picture::{Colour, Frame};
use crate::time::{Micros, ms, seconds};

/// How long each colour is shown.
const COLOUR_TIME: Micros = ms(1000);
/// Red, green, blue, white.
const COLOURS: usize = 4;
/// A key that was never open this long after the colours is stuck. The centre key is let go by then.
const STUCK_AFTER: Micros = seconds(5);
/// When no key was pressed for this long, what was not seen until then is judged.
const VERDICT_AFTER: Micros = seconds(3);
/// The test ends by itself.
pub const DURATION: Micros = seconds(3 * 60);

/// What was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Finding {
    /// These two keys closed in the same moment.
    Twins(Cell, Cell),
    /// This key was never open.
    Stuck(Cell),
    /// No key of this row was ever seen, all others were.
    DeadRow(usize),
    /// No key of this column was ever seen, all others were.
    DeadColumn(usize),
    /// Every key was seen on its own.
    AllWork,
}

/// The test at work.
#[derive(Clone, Debug)]
pub struct SelfTest {
    began: Micros,
    closed: u32,
    /// Keys that were open at some time since the test began.
    opened: u32,
    /// Keys that were closed after they had been open.
    worked: u32,
    twins: u32,
    stuck: u32,
    /// Keys of rows and columns that were never seen.
    dead: u32,
    last_press: Micros,
}

impl SelfTest {
    /// Begins with these keys closed; one of them is the centre key.
    pub const fn new(now: Micros, closed: u32) -> Self {
        Self {
            began: now,
            closed,
            opened: ALL_CELLS & !closed,
            worked: 0,
            twins: 0,
            stuck: 0,
            dead: 0,
            last_press: now,
        }
    }

    /// Whether it is over by itself.
    pub const fn is_over(&self, now: Micros) -> bool {
        now - self.began >= DURATION
    }

    const fn in_colours(&self, now: Micros) -> bool {
        now - self.began < COLOUR_TIME * COLOURS as Micros
    }

    /// The keys that seem closed have changed.
    pub fn see(&mut self, now: Micros, closed: u32) -> Option<Finding> {
        let went_down = closed & !self.closed;
        self.closed = closed;
        self.opened |= ALL_CELLS & !closed;
        self.stuck &= closed;
        self.dead &= !went_down;
        let first = Cell::first_of_mask(went_down)?;
        self.last_press = now;
        if let Some(second) = Cell::of_mask(went_down).nth(1) {
            self.twins |= went_down;
            return Some(Finding::Twins(first, second));
        }
        let had_worked = self.worked;
        self.worked |= went_down & self.opened;
        (self.worked == ALL_CELLS && had_worked != ALL_CELLS).then_some(Finding::AllWork)
    }

    /// Time has gone by: what was not seen until now?
    pub fn judge(&mut self, now: Micros) -> Option<Finding> {
        if now - self.began < COLOUR_TIME * COLOURS as Micros + STUCK_AFTER {
            return None;
        }
        if let Some(stuck) = Cell::first_of_mask(self.closed & !self.opened & !self.stuck) {
            self.stuck |= stuck.bit();
            return Some(Finding::Stuck(stuck));
        }
        if now - self.last_press < VERDICT_AFTER {
            return None;
        }
        let (line, finding) = self.dead_lines().find(|(line, _)| self.dead & line != *line)?;
        self.dead |= line;
        Some(finding)
    }

    /// A row, a column, or one of each, of which no key was ever seen, while all other keys were.
    fn dead_lines(&self) -> impl Iterator<Item = (u32, Finding)> {
        let unseen = ALL_CELLS & !(self.worked | self.twins | self.stuck);
        let rows = (0..SIDE).map(|row| (row_mask(row), Finding::DeadRow(row)));
        let columns = (0..SIDE).map(|column| (COLUMN << column, Finding::DeadColumn(column)));
        let lines = rows.chain(columns).filter(move |(line, _)| unseen & line == *line);
        // More than that, and the maker has just not pressed all the keys yet.
        let covered = lines.clone().fold(0, |covered, (line, _)| covered | line);
        let few = covered == unseen && unseen.count_ones() < 2 * SIDE as u32;
        lines.filter(move |_| few)
    }

    /// Its picture at a moment.
    pub fn picture(&self, now: Micros) -> Frame {
        let colours = [Colour::BAD, Colour::PURE_GREEN, Colour::PURE_BLUE, Colour::WHITE];
        if self.in_colours(now) {
            let shown = ((now - self.began) / COLOUR_TIME) as usize;
            return Frame::of_mask(ALL_CELLS, colours[shown % COLOURS]);
        }
        let mut frame = Frame::DARK;
        for cell in Cell::all() {
            let is = |mask: u32| mask & cell.bit() != 0;
            let colour = if is(self.stuck | self.dead) {
                Colour::pulse(Colour::BAD, now)
            } else if is(self.twins) {
                Colour::VIOLET
            } else if is(self.closed) {
                Colour::WHITE
            } else if is(self.worked) {
                Colour::GOOD
            } else {
                Colour::OFF
            };
            frame.set(cell, colour);
        }
        frame
    }
}

impl Screen for SelfTest {
    /// What a key means is of no interest here, only what its contact does.
    fn tap(&mut self, _: &mut Context<'_>, _: Cell) {}

    fn command(&mut self, _: &mut Context<'_>, _: Command) {}

    fn menu(&mut self, cx: &mut Context<'_>) {
        cx.close();
    }

    fn contacts(&mut self, cx: &mut Context<'_>, closed: u32) {
        self.see(cx.now, closed).into_iter().for_each(|finding| cx.tell(News::Found(finding)));
    }

    fn tick(&mut self, cx: &mut Context<'_>) {
        if self.is_over(cx.now) {
            cx.close();
        } else {
            self.judge(cx.now).into_iter().for_each(|finding| cx.tell(News::Found(finding)));
        }
    }

    fn deadline(&self, view: &View<'_>) -> Option<Micros> {
        Some(view.next_frame(self.began))
    }

    fn draw(&self, view: &View<'_>) -> Frame {
        self.picture(view.now)
    }

    fn status(&self, view: &View<'_>) -> Status {
        view.status(Scene::SelfTest)
    }
}
