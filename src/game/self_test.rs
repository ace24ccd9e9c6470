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
use crate::board::{Cell, Cells, SIDE};
use crate::game::colour_test::ColourTest;
use crate::game::screen::{Context, News, Screen, View};
use crate::game::status::{Scene, Status};
use crate::gesture::{Command, HOLD};
use crate::layout::KeyMap;
use crate::matrix::{Column, Contact, Contacts};
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
const ARROW: Cells = Cells::from_bits(0b00100_01110_10101_00100_00100);

/// What was found. Keys are contacts inside the test, and cells outside of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Finding<Key = Cell> {
    /// These two keys closed in the same moment.
    Twins(Key, Key),
    /// This key was never open.
    Stuck(Key),
    /// No key on this row of the matrix was ever seen, all others were.
    DeadRow(usize),
    /// No key on this column of the matrix was ever seen, all others were.
    DeadColumn(usize),
    /// Every key was seen on its own.
    AllWork,
}

impl Finding<Contact> {
    /// The same, with the cells of the keys.
    fn at_cells(self, keys: &KeyMap) -> Finding {
        match self {
            Self::Twins(a, b) => Finding::Twins(keys.cell_of_contact(a), keys.cell_of_contact(b)),
            Self::Stuck(key) => Finding::Stuck(keys.cell_of_contact(key)),
            Self::DeadRow(row) => Finding::DeadRow(row),
            Self::DeadColumn(column) => Finding::DeadColumn(column),
            Self::AllWork => Finding::AllWork,
        }
    }
}

/// The test at work.
#[derive(Clone, Debug)]
pub struct SelfTest {
    began: Micros,
    colours: ColourTest,
    closed: Contacts,
    /// Keys that were open at some time since the test began.
    opened: Contacts,
    /// Keys that were closed after they had been open.
    worked: Contacts,
    twins: Contacts,
    stuck: Contacts,
    /// Keys of rows and columns that were never seen.
    dead: Contacts,
    last_press: Micros,
    battery: Option<Battery>,
    /// Since when the bottom two corners are closed, and nothing else is.
    pair_since: Option<Micros>,
    /// The bootloader is about to start.
    leaves: bool,
}

impl SelfTest {
    /// Begins with these keys closed; one of them is the centre key.
    pub fn new(now: Micros, closed: Contacts) -> Self {
        Self {
            began: now,
            colours: ColourTest::new(now),
            closed,
            opened: !closed,
            worked: Contacts::EMPTY,
            twins: Contacts::EMPTY,
            stuck: Contacts::EMPTY,
            dead: Contacts::EMPTY,
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
    pub fn see(&mut self, now: Micros, closed: Contacts) -> Option<Finding<Contact>> {
        let went_down = closed & !self.closed;
        self.closed = closed;
        self.opened |= !closed;
        self.stuck &= closed;
        self.dead &= !went_down;
        let first = went_down.first()?;
        self.last_press = now;
        if let Some(second) = went_down.iter().nth(1) {
            self.twins |= went_down;
            return Some(Finding::Twins(first, second));
        }
        let had_worked = self.worked;
        self.worked |= went_down & self.opened;
        (self.worked == Contacts::ALL && had_worked != Contacts::ALL).then_some(Finding::AllWork)
    }

    /// The same, by the places of the keys: are they the bottom two corners? Keys that were never open are stuck, and do not count.
    fn follow_pair(&mut self, now: Micros, keys: &KeyMap) {
        let is_pair = keys.cells_of_contacts(self.closed & self.opened) == Command::Demo.keys()
            && self.closed.is_subset(self.opened);
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
        let mut frame = Frame::of_cells(ARROW, Colour::dim(Colour::POINTER));
        ARROW.iter().filter(|cell| cell.row() < rows).for_each(|cell| frame.set(cell, Colour::WHITE));
        Some(frame)
    }

    /// Time has gone by: what was not seen until now?
    pub fn judge(&mut self, now: Micros) -> Option<Finding<Contact>> {
        if now - self.began < STUCK_AFTER {
            return None;
        }
        if let Some(stuck) = (self.closed & !self.opened & !self.stuck).first() {
            self.stuck |= stuck.bit();
            return Some(Finding::Stuck(stuck));
        }
        if now - self.last_press < VERDICT_AFTER {
            return None;
        }
        let (line, finding) = self.dead_lines().find(|(line, _)| !line.is_subset(self.dead))?;
        self.dead |= line;
        Some(finding)
    }

    /// A row, a column, or one of each, of which no key was ever seen, while all other keys were.
    fn dead_lines(&self) -> impl Iterator<Item = (Contacts, Finding<Contact>)> {
        let unseen = !(self.worked | self.twins | self.stuck);
        let rows = (0..SIDE).map(|row| (Contacts::in_row(row), Finding::DeadRow(row)));
        let columns = Column::all().map(|column| (Contacts::in_column(column), Finding::DeadColumn(column.index())));
        let lines = rows.chain(columns).filter(move |(line, _)| line.is_subset(unseen));
        // More than that, and the maker has just not pressed all the keys yet.
        let covered = lines.clone().fold(Contacts::EMPTY, |covered, (line, _)| covered | line);
        let few = covered == unseen && unseen.len() < 2 * SIDE as u32;
        lines.filter(move |_| few)
    }

    /// Its picture at a moment, with the keys where this map says.
    pub fn picture(&self, now: Micros, keys: &KeyMap) -> Frame {
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
        for contact in Contact::all() {
            let is = |mask: Contacts| mask.contains(contact);
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
            frame.set(keys.cell_of_contact(contact), colour);
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

fn tell(cx: &mut Context<'_>, found: Option<Finding<Contact>>) {
    if let Some(finding) = found {
        cx.tell(News::Found(finding.at_cells(&cx.layout.keys)));
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

    fn contacts(&mut self, cx: &mut Context<'_>, closed: Contacts) {
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
