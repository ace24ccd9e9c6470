//! How this handheld is built: where each key and each light is, and in which order the lights take their colours. It begins
//! as [`wiring`](crate::wiring) says; where the maker did otherwise, the handheld is [taught](crate::game::teaching), and what it
//! learned is kept with the save.
//!
//! Keys and lights are numbered as the chip finds them. A **contact** is where a key sits in the matrix: 5 * row + column of
//! its two wires. A light's number is its place in the chain. Both travel as a [`Cell`] or as a mask of cells, for they are as
//! many; only [`Places`] turns one kind of number into the other, and it does so in two places: behind the debouncer of
//! [`Keys`](crate::keys::Keys), and in [`wire::encode`](crate::picture::wire::encode).

use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};

use crate::board::{CELLS, Cell};
use crate::picture::wire::{ColourOrder, LedOrder};
use crate::wiring::{COLOUR_ORDER, LED_ORDER};

/// Where on the grid each of 25 things is. Each has a cell of its own: no other value can be made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Places([Cell; CELLS]);

/// Two things would be in one place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SamePlace;

impl core::fmt::Display for SamePlace {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("two things in one place")
    }
}

impl TryFrom<[Cell; CELLS]> for Places {
    type Error = SamePlace;

    /// The place of each thing, in the order of their numbers.
    fn try_from(cells: [Cell; CELLS]) -> Result<Self, SamePlace> {
        let taken = cells.iter().fold(0_u32, |taken, cell| taken | cell.bit());
        if taken.count_ones() as usize == CELLS { Ok(Self(cells)) } else { Err(SamePlace) }
    }
}

/// As bytes, because for an array serde's own code would go through 25 elements one by one.
impl Serialize for Places {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0.map(|cell| cell.index() as u8))
    }
}

impl<'de> Deserialize<'de> for Places {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let bytes = <&[u8]>::deserialize(deserializer)?;
        let mut cells = [Cell::FIRST; CELLS];
        if bytes.len() != CELLS {
            return Err(Error::invalid_length(bytes.len(), &"a place for each of 25"));
        }
        for (cell, &byte) in cells.iter_mut().zip(bytes) {
            *cell = byte.try_into().map_err(Error::custom)?;
        }
        cells.try_into().map_err(Error::custom)
    }
}

impl Places {
    /// Of the lights, when the chain runs like this; row by row is also how the contacts are by the plan.
    pub const fn of_chain(order: LedOrder) -> Self {
        // Each cell is written: the order leaves none out.
        let mut places = [Cell::FIRST; CELLS];
        let mut index = 0;
        while let Some(cell) = Cell::new(index) {
            places[order.position(cell)] = cell;
            index += 1;
        }
        Self(places)
    }

    /// The place of one thing.
    pub const fn place_of(&self, thing: Cell) -> Cell {
        self.0[thing.index()]
    }

    /// The places of these things.
    // Not where it is called from, which is in several places: most of the time there is nothing to do.
    #[inline(never)]
    pub fn places_of(&self, things: u32) -> u32 {
        Cell::of_mask(things).fold(0, |cells, thing| cells | self.place_of(thing).bit())
    }

    /// The thing at this place.
    pub fn thing_at(&self, place: Cell) -> Cell {
        // Something is at every place.
        Cell::all().find(|&thing| self.place_of(thing) == place).unwrap_or(place)
    }

    /// The things at these places.
    #[inline(never)]
    pub fn things_at(&self, places: u32) -> u32 {
        Cell::of_mask(places).fold(0, |things, place| things | self.thing_at(place).bit())
    }
}

/// The lights: where each of the chain is, and how they take a colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Lights {
    /// Where each light of the chain is.
    pub places: Places,
    /// In which order they take their colours.
    pub colours: ColourOrder,
}

/// Keys and lights.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Layout {
    /// Where the key of each contact is.
    pub keys: Places,
    /// The lights.
    pub lights: Lights,
}

impl Layout {
    /// A board that is wired by the plan.
    pub const REFERENCE: Self = Self {
        keys: Places::of_chain(LedOrder::RowMajor),
        lights: Lights { places: Places::of_chain(LED_ORDER), colours: COLOUR_ORDER },
    };
}
