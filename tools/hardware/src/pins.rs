//! The wiring that the drawings are made from.
//!
//! It comes from [`lights_out::wiring`], as the firmware's pins do. There the compiler rejects two parts on one pin,
//! but it does not know which GPIOs have a pin on the Pico's edge. [`Wiring::check`] checks both.

use std::fmt;

use lights_out::board::Cell;
pub use lights_out::display::wire::{ColourOrder, LedOrder};
use lights_out::wiring::{self, COLOUR_ORDER, CURRENT_CAP, LED_ORDER};

use crate::{SIDE, is_on_header, pin_name};

/// What a pin is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A row of the key matrix, from the top.
    Row(usize),
    /// A column of the key matrix, from the left.
    Column(usize),
    /// The data line of the LED chain.
    LedData,
    /// The switch of the LED supply.
    LedSupply,
    /// The piezo.
    Piezo,
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Row(row) => write!(f, "row {row}"),
            Self::Column(column) => write!(f, "column {column}"),
            Self::LedData => f.write_str("LED data"),
            Self::LedSupply => f.write_str("LED supply switch"),
            Self::Piezo => f.write_str("piezo"),
        }
    }
}

/// The GPIO of each part, and the properties of the LEDs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wiring {
    /// The rows of the key matrix, from the top.
    pub rows: [u8; SIDE],
    /// The columns of the key matrix, from the left.
    pub columns: [u8; SIDE],
    /// The data line of the LED chain.
    pub led_data: u8,
    /// The switch of the LED supply.
    pub led_supply: u8,
    /// The piezo.
    pub piezo: u8,
    /// The order of the LEDs in the chain.
    pub led_order: LedOrder,
    /// The order of the colours in the data.
    pub colour_order: ColourOrder,
    /// The limit for the current of board and LEDs together, in milliamperes.
    pub current_cap: u32,
}

/// Why a wiring cannot be built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WiringError {
    /// Two parts use this GPIO.
    Shared(u8),
    /// This GPIO has no pin on the Pico's edge.
    NotOnHeader(u8),
}

impl fmt::Display for WiringError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Shared(gpio) => write!(f, "two parts use {}", pin_name(*gpio)),
            Self::NotOnHeader(gpio) => write!(f, "{} is not a pin of the Pico", pin_name(*gpio)),
        }
    }
}

impl std::error::Error for WiringError {}

impl Wiring {
    /// The wiring that the firmware is built for.
    pub fn of_firmware() -> Result<Self, WiringError> {
        let wiring::Wiring { rows, columns, leds, supply, piezo } = wiring::Wiring::REFERENCE;
        let wiring = Self {
            rows,
            columns,
            led_data: leds,
            led_supply: supply,
            piezo,
            led_order: LED_ORDER,
            colour_order: COLOUR_ORDER,
            current_cap: CURRENT_CAP,
        };
        wiring.check().map(|()| wiring)
    }

    /// Checks that every part has its own pin on the Pico's edge.
    pub fn check(&self) -> Result<(), WiringError> {
        let gpios: Vec<u8> = self.pins().map(|(_, gpio)| gpio).collect();
        for (index, &gpio) in gpios.iter().enumerate() {
            if gpios[..index].contains(&gpio) {
                return Err(WiringError::Shared(gpio));
            }
            if !is_on_header(gpio) {
                return Err(WiringError::NotOnHeader(gpio));
            }
        }
        Ok(())
    }

    /// All pins in use, and what they are used for.
    pub fn pins(&self) -> impl Iterator<Item = (Role, u8)> {
        let rows = self.rows.into_iter().enumerate().map(|(row, gpio)| (Role::Row(row), gpio));
        let columns = self.columns.into_iter().enumerate().map(|(column, gpio)| (Role::Column(column), gpio));
        let single = [(Role::LedData, self.led_data), (Role::LedSupply, self.led_supply), (Role::Piezo, self.piezo)];
        rows.chain(columns).chain(single)
    }

    /// The cells in the order of the LED chain.
    pub fn chain(&self) -> impl Iterator<Item = usize> {
        let mut cells: Vec<Cell> = Cell::all().collect();
        cells.sort_by_key(|&cell| self.led_order.position(cell));
        cells.into_iter().map(Cell::index)
    }
}
