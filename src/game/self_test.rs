//! The self-test for makers, who hold the centre key while switching on: a way to find a bad joint without an oscilloscope.
//!
//! First every LED in red, green, blue and white: see [`colour_test`](crate::game::colour_test). On cells, their voltage is next:
//! green, amber when it is low, red when empty. Then the keys, as the matrix sees them, with nothing filtered out, each shown
//! where it was [learned](crate::layout) to be:
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
//!
//! From here, and from nowhere else, the chip's bootloader can be reached without opening the case: by the bottom two corners, held
//! alone for [`BOOTLOADER_AFTER`]. An arrow that points down tells of it, and fills from its top until it happens.

use crate::battery::{Battery, Charge};
use crate::board::{ALL_CELLS, COLUMN, Cell, SIDE, row_mask};
use crate::game::colour_test::ColourTest;
use crate::game::screen::{Context, News, Screen, View};
use crate::game::status::{Scene, Status};
use crate::gesture::{Command, HOLD};
use crate::layout::Places;
use crate::picture::{Colour, Frame, Text};
use crate::time::{Micros, seconds};

/// A key that was never open this long after the test began is stuck: that is five seconds after the colours, and the centre key
/// is let go by then.
const STUCK_AFTER: Micros = seconds(9);
/// When no key was pressed for this long, what was not seen until then is judged.
const VERDICT_AFTER: Micros = seconds(3);
/// The test ends by itself.
pub const DURATION: Micros = seconds(3 * 60);

/// The bottom two corners held for this long, and no other key, lead to the bootloader.
pub const BOOTLOADER_AFTER: Micros = seconds(3);
/// From the time of a command on, a picture tells of it: before that, they are keys that are tried.
const ANNOUNCED_AFTER: Micros = HOLD;
/// An arrow that points down: into the board.
const ARROW: u32 = 0b00100_01110_10101_00100_00100;

/// What was found. Keys are contacts to the test, and places to whom it is told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Finding {
    /// These two keys closed in the same moment.
    Twins(Cell, Cell),
    /// This key was never open.
    Stuck(Cell),
    /// No key on this row of the matrix was ever seen, all others were.
    DeadRow(usize),
    /// No key on this column of the matrix was ever seen, all others were.
    DeadColumn(usize),
    /// Every key was seen on its own.
    AllWork,
}

impl Finding {
    /// The same, with the keys told by their places.
    fn placed(self, places: &Places) -> Self {
        match self {
            Self::Twins(a, b) => Self::Twins(places.place_of(a), places.place_of(b)),
            Self::Stuck(key) => Self::Stuck(places.place_of(key)),
            Self::DeadRow(_) | Self::DeadColumn(_) | Self::AllWork => self,
        }
    }
}

/// The test at work. All masks are of contacts.
#[derive(Clone, Debug)]
pub struct SelfTest {
    began: Micros,
    colours: ColourTest,
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
    battery: Option<Battery>,
    /// Since when the bottom two corners are closed, and nothing else is.
    pair_since: Option<Micros>,
    /// The bootloader is about to start.
    leaves: bool,
}

impl SelfTest {
    /// Begins with these keys closed; one of them is the centre key.
    pub const fn new(now: Micros, closed: u32) -> Self {
        Self {
            began: now,
            colours: ColourTest::new(now),
            closed,
            opened: ALL_CELLS & !closed,
            worked: 0,
            twins: 0,
            stuck: 0,
            dead: 0,
            last_press: now,
            battery: None,
            pair_since: None,
            leaves: false,
        }
    }

    /// Whether it is over by itself.
    pub const fn is_over(&self, now: Micros) -> bool {
        now - self.began >= DURATION
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

    /// The same, by the places of the keys: are they the bottom two corners? Keys that were never open are stuck, and do not count.
    fn follow_pair(&mut self, now: Micros, places: &Places) {
        let is_pair =
            places.places_of(self.closed & self.opened) == Command::Demo.keys() && self.closed & !self.opened == 0;
        self.pair_since = if is_pair { self.pair_since.or(Some(now)) } else { None };
    }

    /// When the bootloader starts, if the bottom two corners stay closed. While colours are shown they are an answer, so the time
    /// begins behind them.
    fn bootloader_at(&self) -> Option<Micros> {
        self.pair_since.map(|since| since.max(self.colours.end()) + BOOTLOADER_AFTER)
    }

    /// The picture that tells of the bootloader: dim where the time is still to come.
    fn arrow(&self, now: Micros) -> Option<Frame> {
        const FILLING: Micros = BOOTLOADER_AFTER - ANNOUNCED_AFTER;
        let elapsed = (now + FILLING).checked_sub(self.bootloader_at()?)?;
        let rows = ((elapsed * SIDE as Micros / FILLING) as usize + 1).min(SIDE);
        let mut frame = Frame::of_mask(ARROW, Colour::dim(Colour::POINTER));
        Cell::of_mask(ARROW).filter(|cell| cell.row() < rows).for_each(|cell| frame.set(cell, Colour::WHITE));
        Some(frame)
    }

    /// Time has gone by: what was not seen until now?
    pub fn judge(&mut self, now: Micros) -> Option<Finding> {
        if now - self.began < STUCK_AFTER {
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

    /// Its picture at a moment, with the keys at these places.
    pub fn picture(&self, now: Micros, places: &Places) -> Frame {
        if let Some(colours) = self.colours.picture(now) {
            return colours;
        }
        if let Some(arrow) = self.arrow(now) {
            return arrow;
        }
        if let Some(voltage) = self.voltage(now - self.colours.end()) {
            return voltage;
        }
        let mut frame = Frame::DARK;
        for contact in Cell::all() {
            let is = |mask: u32| mask & contact.bit() != 0;
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
            frame.set(places.place_of(contact), colour);
        }
        frame
    }

    /// The battery's voltage as it scrolls by.
    fn voltage(&self, elapsed: Micros) -> Option<Frame> {
        let Battery { charge, millivolts } = self.battery.filter(|battery| battery.charge != Charge::None)?;
        let colour = match charge {
            Charge::None | Charge::Good => Colour::GOOD,
            Charge::Low => Colour::LIGHT,
            Charge::Empty => Colour::BAD,
        };
        let mut text = Text::new();
        text.tenths((u32::from(millivolts) + 50) / 100, colour);
        (elapsed < text.duration()).then(|| text.frame(elapsed))
    }
}

fn tell(cx: &mut Context<'_>, found: Option<Finding>) {
    if let Some(finding) = found {
        cx.tell(News::Found(finding.placed(&cx.layout.keys)));
    }
}

impl Screen for SelfTest {
    /// What a key means is of no interest here, only what its contact does; but for the answers to the colours.
    fn tap(&mut self, cx: &mut Context<'_>, _: Cell) {
        self.colours.tap(cx);
    }

    fn command(&mut self, _: &mut Context<'_>, _: Command) {}

    fn menu(&mut self, cx: &mut Context<'_>) {
        cx.close();
    }

    /// What was seen of the contacts stays seen.
    fn takes_back(&self) -> bool {
        false
    }

    fn contacts(&mut self, cx: &mut Context<'_>, closed: u32) {
        let found = self.see(cx.now, closed);
        tell(cx, found);
        self.follow_pair(cx.now, &cx.layout.keys);
    }

    fn measured(&mut self, _: &mut Context<'_>, battery: Battery) {
        self.battery = Some(battery);
    }

    fn tick(&mut self, cx: &mut Context<'_>) {
        if self.bootloader_at().is_some_and(|at| cx.now >= at) {
            if !self.leaves {
                self.leaves = true;
                cx.start_bootloader();
            }
        } else if self.is_over(cx.now) {
            cx.close();
        } else {
            let found = self.judge(cx.now);
            tell(cx, found);
        }
    }

    /// What the contacts did while it was covered, nobody has told it.
    fn resume(&mut self, _: Micros) {
        self.pair_since = None;
    }

    fn deadline(&self, view: &View<'_>) -> Option<Micros> {
        let bootloader = self.bootloader_at().filter(|&at| at > view.now);
        bootloader.into_iter().chain([view.next_frame(self.began)]).min()
    }

    fn draw(&self, view: &View<'_>) -> Frame {
        self.picture(view.now, &view.layout.keys)
    }

    fn status(&self, view: &View<'_>) -> Status {
        view.status(Scene::SelfTest)
    }
}
