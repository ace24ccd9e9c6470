//! The wiring: which pin does what, and what is soldered to it. The only place that names a pin; whoever needs one, from the
//! firmware's drivers to the drawings for makers and the emulated board, takes it from here.
//!
//! | part                                          | pins                     |
//! | --------------------------------------------- | ------------------------ |
//! | matrix rows 0..4, open drain, active low      | GP2 GP3 GP4 GP5 GP6      |
//! | matrix columns 0..4, read, internal pull-up   | GP7 GP8 GP9 GP10 GP11    |
//! | WS2812B data, 25 LEDs                         | GP16                     |
//! | LED supply switch, high = on (optional part)  | GP17                     |
//! | piezo, PWM (optional part)                    | GP15                     |
//! | on the Pico itself: VBUS sense, VSYS / 3      | GP24 GP29                |
//! | on a Pico with radio: the way to VSYS / 3     | GP25                     |

use crate::board::SIDE;
use crate::picture::wire::{ColourOrder, LedOrder};

/// Hands the pins to another macro, by the names that embassy-rp's peripherals have: each of its pins is a type of its own, so
/// that two parts on one pin, or a piezo on a PWM channel that does not reach its pin, do not compile.
#[macro_export]
macro_rules! with_pins {
    ($callback:ident) => {
        $callback! {
            rows: [PIN_2, PIN_3, PIN_4, PIN_5, PIN_6],
            columns: [PIN_7, PIN_8, PIN_9, PIN_10, PIN_11],
            leds: PIN_16,
            supply: PIN_17,
            piezo: PIN_15 of PWM_SLICE7 by new_output_b,
        }
    };
}

/// The same for what the Pico has wired itself, so that no other pin could do: GP24 is high while USB gives power, and GP29 gets a
/// third of VSYS, by two resistors.
///
/// On a Pico W and a Pico 2 W these and GP23 and GP25 belong to the radio. We never switch it on (GP23 stays low, by a resistor on the
/// board), and then it minds none of them. GP24 says nothing about VBUS there; and the divider is connected to GP29 by a transistor, while
/// GP25 is high. On a board without radio GP25 is its lamp.
#[macro_export]
macro_rules! with_pico_pins {
    ($callback:ident) => {
        $callback! { vbus: PIN_24, vsys: PIN_29, select: PIN_25 }
    };
}

/// The pins by their numbers, GP0 being 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wiring {
    /// The rows of the key matrix, from the top.
    pub rows: [u8; SIDE],
    /// The columns of the key matrix, from the left.
    pub columns: [u8; SIDE],
    /// The data line of the LED chain.
    pub leds: u8,
    /// The switch of the LEDs' supply.
    pub supply: u8,
    /// The piezo.
    pub piezo: u8,
}

macro_rules! numbers {
    (
        rows: [$($row:ident),*],
        columns: [$($column:ident),*],
        leds: $leds:ident,
        supply: $supply:ident,
        piezo: $piezo:ident of $slice:ident by $output:ident,
    ) => {
        Wiring {
            rows: [$(number(stringify!($row))),*],
            columns: [$(number(stringify!($column))),*],
            leds: number(stringify!($leds)),
            supply: number(stringify!($supply)),
            piezo: number(stringify!($piezo)),
        }
    };
}

impl Wiring {
    /// The reference hardware.
    pub const REFERENCE: Self = with_pins!(numbers);
}

/// The Pico's own pins by their numbers: see [`with_pico_pins`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PicoPins {
    /// High while USB gives power, on a board without radio.
    pub vbus: u8,
    /// A third of VSYS; on a board with radio only while `select` is high.
    pub vsys: u8,
    /// Selects the radio, or the divider of VSYS.
    pub select: u8,
}

macro_rules! pico_numbers {
    (vbus: $vbus:ident, vsys: $vsys:ident, select: $select:ident) => {
        PicoPins {
            vbus: number(stringify!($vbus)),
            vsys: number(stringify!($vsys)),
            select: number(stringify!($select)),
        }
    };
}

impl PicoPins {
    /// Of every Pico.
    pub const ALL: Self = with_pico_pins!(pico_numbers);
}

/// How the LED chain runs over the grid, until the handheld is [taught](crate::game::teaching) otherwise.
pub const LED_ORDER: LedOrder = LedOrder::RowMajor;
/// In which order the LEDs take their colours, until the handheld is told otherwise.
pub const COLOUR_ORDER: ColourOrder = ColourOrder::Grb;
/// What board and LEDs may draw together, in milliamperes: USB gives 500.
pub const CURRENT_CAP: u32 = 400;
/// The same while the battery is low: what is left of it lasts longer, and sags less.
pub const LOW_CURRENT_CAP: u32 = 150;

/// The number in a name such as `PIN_16`.
const fn number(name: &str) -> u8 {
    let bytes = name.as_bytes();
    let (mut number, mut i) = (0, "PIN_".len());
    while i < bytes.len() {
        assert!(bytes[i].is_ascii_digit(), "a pin is named PIN_ and its number");
        number = 10 * number + bytes[i] - b'0';
        i += 1;
    }
    number
}
