//! The layout of this handheld: the cell of each key and of each LED, and the colour order of the LEDs. The default is
//! the plan in [`wiring`](crate::wiring). A handheld with other wiring is [taught](crate::game::teaching) its layout,
//! which is then part of the save.
//!
//! The chip and the game number keys and LEDs differently. A [`Contact`] is the crossing of a key in the matrix. An
//! [`LedPosition`] is the position of an LED in the chain. Both are mapped to cells, each at one place in the code:
//! [`KeyMap`] behind the debouncer of [`Keys`](crate::keys::Keys), [`LedMap`] in
//! [`wire::encode`](crate::display::wire::encode).

use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};

use crate::board::{CELLS, Cell, Cells};
use crate::display::wire::{ColourOrder, LedOrder};
use crate::mask::indexed;
use crate::matrix::{Contact, Contacts};
use crate::wiring::{COLOUR_ORDER, LED_ORDER};

indexed! {
    /// A position in the LED chain. The LED at the beginning of the data line has index 0.
    pub struct LedPosition, CELLS
}

/// Two keys, or two LEDs, would be at one cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DuplicateCell;

impl core::fmt::Display for DuplicateCell {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("two entries have the same cell")
    }
}

/// All cells in some order, each exactly once. Other values cannot be constructed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Permutation([Cell; CELLS]);

impl Permutation {
    /// All cells in reading order.
    const IDENTITY: Self = Self::of_chain(LedOrder::RowMajor);

    /// The cells of a chain that runs in this order.
    const fn of_chain(order: LedOrder) -> Self {
        // Every entry is written, because each cell has a different position.
        let mut cells = [Cell::FIRST; CELLS];
        let mut index = 0;
        while let Some(cell) = Cell::new(index) {
            cells[order.position(cell).index()] = cell;
            index += 1;
        }
        Self(cells)
    }
}

impl TryFrom<[Cell; CELLS]> for Permutation {
    type Error = DuplicateCell;

    fn try_from(cells: [Cell; CELLS]) -> Result<Self, DuplicateCell> {
        if Cells::from(cells) == Cells::ALL { Ok(Self(cells)) } else { Err(DuplicateCell) }
    }
}

/// As bytes: serde's own code for an array is larger, because it handles 25 elements one by one.
impl Serialize for Permutation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0.map(|cell| cell.index() as u8))
    }
}

impl<'de> Deserialize<'de> for Permutation {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let bytes = <&[u8]>::deserialize(deserializer)?;
        let mut cells = [Cell::FIRST; CELLS];
        if bytes.len() != CELLS {
            return Err(Error::invalid_length(bytes.len(), &"25 cells"));
        }
        for (cell, &byte) in cells.iter_mut().zip(bytes) {
            *cell = Cell::new(byte.into()).ok_or_else(|| Error::custom("not the index of a cell"))?;
        }
        cells.try_into().map_err(Error::custom)
    }
}

/// The cell of the key of each contact. Each contact has a different cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct KeyMap(Permutation);

impl TryFrom<[Cell; CELLS]> for KeyMap {
    type Error = DuplicateCell;

    /// The cell of each contact, in the order of the contacts.
    fn try_from(cells: [Cell; CELLS]) -> Result<Self, DuplicateCell> {
        cells.try_into().map(Self)
    }
}

impl KeyMap {
    /// The plan: rows and columns of the matrix are rows and columns of the grid.
    pub const REFERENCE: Self = Self(Permutation::IDENTITY);

    /// The cell of the key with this contact.
    pub const fn cell_of_contact(&self, contact: Contact) -> Cell {
        self.0.0[contact.index()]
    }

    /// The cells of the keys with these contacts.
    // Not inlined: it has several callers, and the set is usually empty.
    #[inline(never)]
    pub fn cells_of_contacts(&self, contacts: Contacts) -> Cells {
        contacts.iter().map(|contact| self.cell_of_contact(contact)).collect()
    }

    /// The contact of the key at this cell.
    pub fn contact_of_cell(&self, cell: Cell) -> Contact {
        // Every cell has a contact.
        Contact::all().find(|&contact| self.cell_of_contact(contact) == cell).unwrap_or(Contact::FIRST)
    }

    /// The contacts of the keys at these cells.
    #[inline(never)]
    pub fn contacts_of_cells(&self, cells: Cells) -> Contacts {
        cells.iter().map(|cell| self.contact_of_cell(cell)).collect()
    }
}

/// The cell of the LED at each position of the chain. Each position has a different cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct LedMap(Permutation);

impl TryFrom<[Cell; CELLS]> for LedMap {
    type Error = DuplicateCell;

    /// The cell of each LED, in the order of the chain.
    fn try_from(cells: [Cell; CELLS]) -> Result<Self, DuplicateCell> {
        cells.try_into().map(Self)
    }
}

impl LedMap {
    /// The map of a chain that runs in this order.
    pub const fn of_chain(order: LedOrder) -> Self {
        Self(Permutation::of_chain(order))
    }

    /// The cell of the LED at this position.
    pub const fn cell_of_led(&self, position: LedPosition) -> Cell {
        self.0.0[position.index()]
    }
}

/// The layout of the LEDs: their cells, and their colour order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct LedLayout {
    /// The cell of the LED at each position of the chain.
    pub map: LedMap,
    /// The colour order of the LEDs.
    pub colours: ColourOrder,
}

/// The layout of keys and LEDs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Layout {
    /// The cell of the key of each contact.
    pub keys: KeyMap,
    /// The layout of the LEDs.
    pub leds: LedLayout,
}

impl Layout {
    /// The layout of a handheld that is wired by the plan.
    pub const REFERENCE: Self =
        Self { keys: KeyMap::REFERENCE, leds: LedLayout { map: LedMap::of_chain(LED_ORDER), colours: COLOUR_ORDER } };
}
