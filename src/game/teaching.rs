//! The teaching, for makers whose keys and lights are not wired by the plan: swapped, mirrored, turned, to and fro, or anyhow.
//! [Any key](crate::keys::TEACH_AFTER) that is held while switching on leads here. It asks for the [colours](ColourTest), and then
//! for 25 keys twice: there are 25! ways to wire the keys times 25! to wire the lights, more than the 25^25 things that 25 presses
//! can say.
//!
//! | on the lights                               | what to do, and what is learned from it                             |
//! | ------------------------------------------- | ------------------------------------------------------------------- |
//! | one pulses, those that are done glow green  | press the key at it: this light and this contact are in one place   |
//! | all are on                                  | put them out in reading order, from the top left: in which place    |
//! | all red for a moment                        | nothing: the key was there before, or another is down               |
//! | green, one after the other in reading order | all is learned; if they run otherwise, teach it again               |
//!
//! Nothing counts before the last key. Without a press for [`PATIENCE`] everything is as it was. A press that is not answered is a
//! key that does not work.

use heapless::Vec;
use smart_leds::RGB8;

use crate::board::{CELLS, Cell, Cells};
use crate::game::colour_test::ColourTest;
use crate::game::screen::{Context, News, Screen, View};
use crate::game::status::{Scene, Status};
use crate::gesture::Command;
use crate::layout::{Layout, LedPosition, Lights};
use crate::matrix::{Contact, Contacts};
use crate::picture::{Colour, Frame};
use crate::sound::Sound;
use crate::time::{Micros, ms, seconds};

/// Without a press for this long, it gives up.
pub const PATIENCE: Micros = seconds(30);
/// How long the sign of a refused press is seen: so long that all lights cannot flash more than three times a second, however
/// fast somebody presses.
const REFUSAL: Micros = ms(400);
/// At the end the lights come on so fast, one after the other,
const RUN_STEP: Micros = ms(60);
/// and this long after the first it is over.
const RUN: Micros = ms(2000);

/// The teaching at work.
#[derive(Clone, Debug)]
pub struct Teaching {
    colours: ColourTest,
    /// The contacts that were pressed: for each light of the chain, then for each place in reading order.
    pressed: Vec<Contact, { 2 * CELLS }, u8>,
    closed: Contacts,
    last_press: Micros,
    refused: bool,
}

impl Teaching {
    /// Begins with all keys up.
    pub const fn new(now: Micros) -> Self {
        Self {
            colours: ColourTest::new(now),
            pressed: Vec::new(),
            closed: Contacts::EMPTY,
            last_press: now,
            refused: false,
        }
    }

    /// The contacts that were pressed at the lights, and at the places.
    fn pressed(&self) -> (&[Contact], &[Contact]) {
        self.pressed.split_at(self.pressed.len().min(CELLS))
    }

    /// Whether this contact can be the next.
    fn makes_sense(&self, contact: Contact) -> bool {
        let (lights, places) = self.pressed();
        let this_time = if lights.len() < CELLS { lights } else { places };
        self.closed.is_subset(contact.bit()) && !this_time.contains(&contact)
    }

    /// What was learned, once every key was pressed twice.
    fn learned(&self, before: &Layout) -> Option<Layout> {
        let (lights, places) = self.pressed();
        let (mut keys, mut chain) = ([Cell::FIRST; CELLS], [Cell::FIRST; CELLS]);
        if places.len() < CELLS {
            return None;
        }
        for (place, contact) in Cell::all().zip(places) {
            keys[contact.index()] = place;
        }
        for (place, contact) in chain.iter_mut().zip(lights) {
            *place = keys[contact.index()];
        }
        let lights = Lights { map: chain.try_into().ok()?, ..before.lights };
        Some(Layout { keys: keys.try_into().ok()?, lights })
    }

    /// The colour of each LED of the chain while it learns.
    fn colour(&self, position: LedPosition, now: Micros) -> RGB8 {
        let (lights, places) = self.pressed();
        match lights.get(position.index()) {
            _ if self.refused && now - self.last_press < REFUSAL => Colour::BAD,
            None if position.index() == lights.len() => Colour::pulse(Colour::WHITE, now - self.last_press),
            None => Colour::OFF,
            Some(_) if lights.len() < CELLS => Colour::dim(Colour::GOOD),
            Some(contact) if places.contains(contact) => Colour::OFF,
            Some(_) => Colour::LIGHT,
        }
    }

    fn is_done(&self) -> bool {
        self.pressed.is_full()
    }
}

impl Screen for Teaching {
    fn tap(&mut self, cx: &mut Context<'_>, key: Cell) {
        (self.last_press, self.refused) = (cx.now, false);
        let contact = cx.layout.keys.contact_of_cell(key);
        if self.is_done() {
            cx.give_way();
        } else if self.colours.picture(cx.now).is_some() {
            self.colours.tap(cx);
        } else if self.makes_sense(contact) {
            // There is room, or it would be done.
            let _ = self.pressed.push(contact);
            cx.play(Sound::Tap);
            if let Some(layout) = self.learned(cx.layout) {
                cx.play(Sound::Win);
                cx.learn(layout);
            }
        } else {
            self.refused = true;
            cx.refuse();
        }
    }

    /// Two keys held together are no command here: nobody knows where they are.
    fn command(&mut self, _: &mut Context<'_>, _: Command) {}

    fn menu(&mut self, _: &mut Context<'_>) {}

    fn contacts(&mut self, _: &mut Context<'_>, closed: Contacts) {
        self.closed = closed;
    }

    fn tick(&mut self, cx: &mut Context<'_>) {
        let patience = if self.is_done() { RUN } else { PATIENCE };
        if cx.now - self.last_press >= patience {
            if !self.is_done() {
                cx.tell(News::GaveUp);
            }
            cx.give_way();
        }
    }

    fn deadline(&self, view: &View<'_>) -> Option<Micros> {
        Some(view.next_frame(self.last_press))
    }

    fn draw(&self, view: &View<'_>) -> Frame {
        if self.is_done() {
            let come_on = (view.now - self.last_press) / RUN_STEP + 1;
            return Frame::of_cells(Cells::from_bits((1 << come_on.min(CELLS as Micros)) - 1), Colour::GOOD);
        }
        self.colours.picture(view.now).unwrap_or_else(|| {
            let mut frame = Frame::DARK;
            for position in LedPosition::all() {
                frame.set(view.layout.lights.map.cell_of_led(position), self.colour(position, view.now));
            }
            frame
        })
    }

    fn status(&self, view: &View<'_>) -> Status {
        Status { moves: self.pressed.len() as u32, ..view.status(Scene::Teaching) }
    }
}
