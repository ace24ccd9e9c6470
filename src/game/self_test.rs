//! The self-test for makers: it finds a bad solder joint without an oscilloscope. It starts if the centre key is held
//! while the handheld is switched on.
//!
//! First it shows every LED in red, green, blue and white: see [`colour_test`](crate::game::colour_test). On battery it
//! then shows the voltage: green, amber when the battery is low, red when it is empty. Then it shows the keys as the
//! matrix sees them, without a filter, each key at the cell that the [layout](crate::layout) gives it:
//!
//! | colour of the cell               | what it means                                                  |
//! | -------------------------------- | -------------------------------------------------------------- |
//! | white                            | the key is closed now                                          |
//! | green                            | the key was pressed, and it worked                             |
//! | dark                             | the key was not pressed yet, or it does not work               |
//! | violet                           | the key closed in the same scan as another one: a short        |
//! | red, one cell pulses             | the key was never open: it is stuck, or there is a short       |
//! | red, a row or column pulses      | all other keys worked, and none of these: a bad joint          |
//!
//! The log reports each finding in words.
//!
//! Only the self-test can start the chip's bootloader without opening the case: hold the bottom two corners, and no
//! other key, for [`BOOTLOADER_AFTER`]. An arrow that points down announces it, and fills from its top until the
//! bootloader starts.

use smart_leds::RGB8;

use crate::battery::{Battery, Charge};
use crate::board::{Cell, Cells, SIDE};
use crate::display::{Colour, Frame, Text};
use crate::game::colour_test::ColourTest;
use crate::game::events::GameEvent;
use crate::game::screen::{Context, Screen, View};
use crate::game::status::{Scene, Status};
use crate::gesture::{Command, HOLD};
use crate::layout::KeyMap;
use crate::matrix::{Column, Contact, Contacts};
use crate::time::{Micros, seconds};

/// A key that was not open within this time after the start of the test is stuck. This is five seconds after the
/// colours: by then the maker has released the centre key.
const STUCK_AFTER: Micros = seconds(9);
/// Rows and columns are judged when no key was pressed for this long.
const VERDICT_AFTER: Micros = seconds(3);
/// The test ends after this time.
const DURATION: Micros = seconds(3 * 60);

/// How long the bottom two corners have to be held, without another key, until the bootloader starts.
pub const BOOTLOADER_AFTER: Micros = seconds(3);
/// How long they have to be held until the arrow appears: as long as for a command. A shorter press only tests the
/// keys.
const ANNOUNCED_AFTER: Micros = HOLD;
/// An arrow that points down.
const ARROW: Cells = Cells::from_bits(0b00100_01110_10101_00100_00100);

/// A finding of the self-test. Inside the test a key is a [`Contact`], outside it is a [`Cell`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Finding<Key = Cell> {
    /// These two keys closed in the same scan.
    ClosedTogether(Key, Key),
    /// This key was never open.
    Stuck(Key),
    /// No key of this row of the matrix was ever closed, and all others were.
    DeadRow(usize),
    /// No key of this column of the matrix was ever closed, and all others were.
    DeadColumn(usize),
    /// Every key was closed on its own.
    AllWork,
}

impl Finding<Contact> {
    /// This finding with the cells of its keys.
    fn at_cells(self, keys: &KeyMap) -> Finding {
        match self {
            Self::ClosedTogether(a, b) => Finding::ClosedTogether(keys.cell_of_contact(a), keys.cell_of_contact(b)),
            Self::Stuck(key) => Finding::Stuck(keys.cell_of_contact(key)),
            Self::DeadRow(row) => Finding::DeadRow(row),
            Self::DeadColumn(column) => Finding::DeadColumn(column),
            Self::AllWork => Finding::AllWork,
        }
    }
}

/// The self-test while it runs.
#[derive(Clone, Debug)]
pub struct SelfTest {
    /// When the test began.
    began: Micros,
    colours: ColourTest,
    /// Keys that are closed now.
    closed: Contacts,
    /// Keys that were open at some time since the test began.
    opened: Contacts,
    /// Keys that were closed after they had been open.
    worked: Contacts,
    /// Keys that closed in the same scan as another one.
    closed_together: Contacts,
    /// Keys that were found to be stuck.
    stuck: Contacts,
    /// Keys of the rows and columns that were found to be dead.
    dead: Contacts,
    /// When a key was last closed.
    last_press: Micros,
    battery: Option<Battery>,
    /// Since when the bottom two corners, and no other keys, are closed.
    pair_since: Option<Micros>,
    /// The bootloader was requested.
    is_leaving: bool,
}

impl SelfTest {
    /// Begins with these keys closed. One of them is the centre key.
    pub fn new(now: Micros, closed: Contacts) -> Self {
        Self {
            began: now,
            colours: ColourTest::new(now),
            closed,
            opened: !closed,
            worked: Contacts::EMPTY,
            closed_together: Contacts::EMPTY,
            stuck: Contacts::EMPTY,
            dead: Contacts::EMPTY,
            last_press: now,
            battery: None,
            pair_since: None,
            is_leaving: false,
        }
    }

    /// Whether the time of the test is over.
    const fn is_over(&self, now: Micros) -> bool {
        now - self.began >= DURATION
    }

    /// Takes the contacts that are closed now.
    pub fn update_contacts(&mut self, now: Micros, closed: Contacts) -> Option<Finding<Contact>> {
        let went_down = closed & !self.closed;
        self.closed = closed;
        self.opened |= !closed;
        self.stuck &= closed;
        self.dead &= !went_down;
        let first = went_down.first()?;
        self.last_press = now;
        if let Some(second) = went_down.iter().nth(1) {
            self.closed_together |= went_down;
            return Some(Finding::ClosedTogether(first, second));
        }
        let had_worked = self.worked;
        self.worked |= went_down & self.opened;
        (self.worked == Contacts::ALL && had_worked != Contacts::ALL).then_some(Finding::AllWork)
    }

    /// Checks whether the bottom two corners are held. A key that was never open is stuck, and does not count.
    fn update_pair(&mut self, now: Micros, keys: &KeyMap) {
        let is_pair = keys.cells_of_contacts(self.closed & self.opened) == Command::Demo.keys()
            && self.closed.is_subset(self.opened);
        self.pair_since = if is_pair { self.pair_since.or(Some(now)) } else { None };
    }

    /// When the bootloader starts if the bottom two corners stay closed. While the colours are shown, a key is an
    /// answer to them, so the time counts from their end.
    fn bootloader_at(&self) -> Option<Micros> {
        self.pair_since.map(|since| since.max(self.colours.end()) + BOOTLOADER_AFTER)
    }

    /// The frame that announces the bootloader. The rows of the arrow turn from dim to white as the time passes.
    fn arrow(&self, now: Micros) -> Option<Frame> {
        const FILLING: Micros = BOOTLOADER_AFTER - ANNOUNCED_AFTER;
        let elapsed = (now + FILLING).checked_sub(self.bootloader_at()?)?;
        let rows = ((elapsed * SIDE as Micros / FILLING) as usize + 1).min(SIDE);
        let mut frame = Frame::of_cells(ARROW, Colour::dim(Colour::POINTER));
        ARROW.iter().filter(|cell| cell.row() < rows).for_each(|cell| frame.set(cell, Colour::WHITE));
        Some(frame)
    }

    /// Judges the keys that did not work until now.
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

    /// A row, a column, or one of each, if none of their keys worked and all other keys did.
    fn dead_lines(&self) -> impl Iterator<Item = (Contacts, Finding<Contact>)> {
        let unseen = !(self.worked | self.closed_together | self.stuck);
        let rows = (0..SIDE).map(|row| (Contacts::in_row(row), Finding::DeadRow(row)));
        let columns = Column::all().map(|column| (Contacts::in_column(column), Finding::DeadColumn(column.index())));
        let lines = rows.chain(columns).filter(move |(line, _)| line.is_subset(unseen));
        // If more keys are missing, the maker has not pressed all keys yet.
        let covered = lines.clone().fold(Contacts::EMPTY, |covered, (line, _)| covered | line);
        let is_plausible = covered == unseen && unseen.len() < 2 * SIDE as u32;
        lines.filter(move |_| is_plausible)
    }

    /// Its frame at a moment, with the keys at the cells that this map gives them.
    pub fn frame(&self, now: Micros, keys: &KeyMap) -> Frame {
        if let Some(colours) = self.colours.frame(now) {
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
            frame.set(keys.cell_of_contact(contact), self.colour(contact, now));
        }
        frame
    }

    /// The colour of the key with this contact.
    fn colour(&self, contact: Contact, now: Micros) -> RGB8 {
        if (self.stuck | self.dead).contains(contact) {
            Colour::pulse(Colour::BAD, now)
        } else if self.closed_together.contains(contact) {
            Colour::VIOLET
        } else if self.closed.contains(contact) {
            Colour::WHITE
        } else if self.worked.contains(contact) {
            Colour::GOOD
        } else {
            Colour::OFF
        }
    }

    /// The voltage of the battery, which scrolls once.
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

fn report(cx: &mut Context<'_>, found: Option<Finding<Contact>>) {
    if let Some(finding) = found {
        cx.report(GameEvent::Found(finding.at_cells(&cx.layout.keys)));
    }
}

impl Screen for SelfTest {
    /// A tap only answers the colour test. Everything else comes from the contacts.
    fn tap(&mut self, cx: &mut Context<'_>, _: Cell) {
        self.colours.tap(cx);
    }

    fn command(&mut self, _: &mut Context<'_>, _: Command) {}

    fn menu(&mut self, cx: &mut Context<'_>) {
        cx.close();
    }

    /// The observations of the contacts are not rolled back.
    fn can_roll_back(&self) -> bool {
        false
    }

    fn contacts_changed(&mut self, cx: &mut Context<'_>, closed: Contacts) {
        let found = self.update_contacts(cx.now, closed);
        report(cx, found);
        self.update_pair(cx.now, &cx.layout.keys);
    }

    fn battery_measured(&mut self, _: &mut Context<'_>, battery: Battery) {
        self.battery = Some(battery);
    }

    fn tick(&mut self, cx: &mut Context<'_>) {
        if self.bootloader_at().is_some_and(|at| cx.now >= at) {
            if !self.is_leaving {
                self.is_leaving = true;
                cx.start_bootloader();
            }
        } else if self.is_over(cx.now) {
            cx.close();
        } else {
            let found = self.judge(cx.now);
            report(cx, found);
        }
    }

    /// Restarts the time of the corners: below another overlay, the test does not get the contacts.
    fn resume(&mut self, _: Micros) {
        self.pair_since = None;
    }

    fn deadline(&self, view: &View<'_>) -> Option<Micros> {
        let bootloader = self.bootloader_at().filter(|&at| at > view.now);
        bootloader.into_iter().chain([view.next_frame(self.began)]).min()
    }

    fn draw(&self, view: &View<'_>) -> Frame {
        self.frame(view.now, &view.layout.keys)
    }

    fn status(&self, view: &View<'_>) -> Status {
        view.status(Scene::SelfTest)
    }
}
