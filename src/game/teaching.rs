//! The teaching of the wiring, for makers whose keys and LEDs are not wired as planned: swapped, mirrored, turned, in a
//! serpentine, or in any other order. It starts if [any key](crate::keys::TEACH_AFTER) is held while the handheld is
//! switched on. It runs the [colour test](crate::game::colour_test) and then asks for each of the 25 keys twice. 25
//! presses are not enough: there are 25! orders of the keys times 25! orders of the LEDs, and 25 presses can give at
//! most 25^25 answers.
//!
//! | on the lights                              | what the maker does, and what the handheld learns                   |
//! | ------------------------------------------ | ------------------------------------------------------------------- |
//! | one LED pulses, those done are green       | press the key at this LED: its contact and this LED are at one cell |
//! | all LEDs are on                            | press the keys in reading order from the top left: the cell of each |
//! | all LEDs are red for a moment              | the press was refused: a second press of a key, or two keys down    |
//! | green, one after the other, reading order  | done; if they come on in another order, teach again                 |
//!
//! Nothing is stored before the last key. Without a press for [`TIMEOUT`] the layout stays as it was. If a press has no
//! effect, the key does not work.

use heapless::Vec;
use smart_leds::RGB8;

use crate::board::{CELLS, Cell, Cells};
use crate::display::{Colour, Frame};
use crate::game::colour_test::ColourTest;
use crate::game::events::GameEvent;
use crate::game::screen::{Context, Screen, View};
use crate::game::status::{Scene, Status};
use crate::gesture::Command;
use crate::layout::{Layout, LedLayout, LedPosition};
use crate::matrix::{Contact, Contacts};
use crate::sound::Sound;
use crate::time::{Micros, ms, seconds};

/// The teaching ends without a result if no key is pressed for this long.
pub const TIMEOUT: Micros = seconds(30);
/// How long the LEDs are red after a refused press. With this time all LEDs together cannot flash more than three times
/// a second, however fast the maker presses keys.
const REFUSAL: Micros = ms(400);
/// The time from one LED to the next when they come on at the end.
const RUN_STEP: Micros = ms(60);
/// The time from the first of them to the end of the teaching.
const RUN: Micros = ms(2000);

/// The teaching while it runs.
#[derive(Clone, Debug)]
pub struct Teaching {
    colours: ColourTest,
    /// The contacts that were pressed: for each LED in the order of the chain, then for each cell in reading order.
    pressed: Vec<Contact, { 2 * CELLS }, u8>,
    /// The contacts that are closed now.
    closed: Contacts,
    last_press: Micros,
    /// The last press was refused.
    is_refused: bool,
}

impl Teaching {
    /// Begins with all keys up.
    pub const fn new(now: Micros) -> Self {
        Self {
            colours: ColourTest::new(now),
            pressed: Vec::new(),
            closed: Contacts::EMPTY,
            last_press: now,
            is_refused: false,
        }
    }

    /// The contacts that were pressed for the LEDs, and those for the cells.
    fn pressed(&self) -> (&[Contact], &[Contact]) {
        self.pressed.split_at(self.pressed.len().min(CELLS))
    }

    /// Whether this contact can be the next one: no other key is down, and it was not pressed before.
    fn is_acceptable(&self, contact: Contact) -> bool {
        let (for_leds, for_cells) = self.pressed();
        let this_time = if for_leds.len() < CELLS { for_leds } else { for_cells };
        self.closed.is_subset(contact.bit()) && !this_time.contains(&contact)
    }

    /// The layout, after every key was pressed twice.
    fn learned(&self, before: &Layout) -> Option<Layout> {
        let (for_leds, for_cells) = self.pressed();
        let (mut keys, mut chain) = ([Cell::FIRST; CELLS], [Cell::FIRST; CELLS]);
        if for_cells.len() < CELLS {
            return None;
        }
        for (cell, contact) in Cell::all().zip(for_cells) {
            keys[contact.index()] = cell;
        }
        for (cell, contact) in chain.iter_mut().zip(for_leds) {
            *cell = keys[contact.index()];
        }
        let leds = LedLayout { map: chain.try_into().ok()?, ..before.leds };
        Some(Layout { keys: keys.try_into().ok()?, leds })
    }

    /// The colour of an LED before the teaching is done.
    fn colour(&self, position: LedPosition, now: Micros) -> RGB8 {
        let (for_leds, for_cells) = self.pressed();
        match for_leds.get(position.index()) {
            _ if self.is_refused && now - self.last_press < REFUSAL => Colour::BAD,
            None if position.index() == for_leds.len() => Colour::pulse(Colour::WHITE, now - self.last_press),
            None => Colour::OFF,
            Some(_) if for_leds.len() < CELLS => Colour::dim(Colour::GOOD),
            Some(contact) if for_cells.contains(contact) => Colour::OFF,
            Some(_) => Colour::LIGHT,
        }
    }

    fn is_done(&self) -> bool {
        self.pressed.is_full()
    }
}

impl Screen for Teaching {
    fn tap(&mut self, cx: &mut Context<'_>, key: Cell) {
        (self.last_press, self.is_refused) = (cx.now, false);
        let contact = cx.layout.keys.contact_of_cell(key);
        if self.is_done() {
            cx.close_with_wipe();
        } else if self.colours.frame(cx.now).is_some() {
            self.colours.tap(cx);
        } else if self.is_acceptable(contact) && self.pressed.push(contact).is_ok() {
            cx.play(Sound::Tap);
            if let Some(layout) = self.learned(cx.layout) {
                cx.play(Sound::Win);
                cx.learn(layout);
            }
        } else {
            self.is_refused = true;
            cx.refuse();
        }
    }

    /// There are no commands: the cells of the keys are not known yet.
    fn command(&mut self, _: &mut Context<'_>, _: Command) {}

    fn menu(&mut self, _: &mut Context<'_>) {}

    fn contacts_changed(&mut self, _: &mut Context<'_>, closed: Contacts) {
        self.closed = closed;
    }

    fn tick(&mut self, cx: &mut Context<'_>) {
        let timeout = if self.is_done() { RUN } else { TIMEOUT };
        if cx.now - self.last_press >= timeout {
            if !self.is_done() {
                cx.report(GameEvent::TeachingTimedOut);
            }
            cx.close_with_wipe();
        }
    }

    fn deadline(&self, view: &View<'_>) -> Option<Micros> {
        Some(view.next_frame(self.last_press))
    }

    fn draw(&self, view: &View<'_>) -> Frame {
        if self.is_done() {
            let count = (view.now - self.last_press) / RUN_STEP + 1;
            return Frame::of_cells(Cells::from_bits((1 << count.min(CELLS as Micros)) - 1), Colour::GOOD);
        }
        self.colours.frame(view.now).unwrap_or_else(|| {
            let mut frame = Frame::DARK;
            for position in LedPosition::all() {
                frame.set(view.layout.leds.map.cell_of_led(position), self.colour(position, view.now));
            }
            frame
        })
    }

    fn status(&self, view: &View<'_>) -> Status {
        Status { moves: self.pressed.len() as u32, ..view.status(Scene::Teaching) }
    }
}
