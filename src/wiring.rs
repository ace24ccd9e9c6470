//! The wiring: the function of each pin, and the part that is connected to it. This is the only file that names a pin.
//! The firmware's drivers, the drawings for makers and the emulated handheld take the pins from here.
//!
//! | part                                          | pins                     |
//! | --------------------------------------------- | ------------------------ |
//! | matrix rows 0..4, open drain, active low      | GP2 GP3 GP4 GP5 GP6      |
//! | matrix columns 0..4, read, internal pull-up   | GP7 GP8 GP9 GP10 GP11    |
//! | WS2812B data, 25 LEDs                         | GP16                     |
//! | LED supply switch, high = on (optional part)  | GP17                     |
//! | piezo, PWM (optional part)                    | GP15                     |
//! | on the Pico itself: VBUS sense, VSYS / 3      | GP24 GP29                |
//! | on a Pico with radio: selects VSYS / 3        | GP25                     |

use crate::board::SIDE;
use crate::display::wire::{ColourOrder, LedOrder};

/// Passes the pins to another macro, with the names of embassy-rp's peripherals. Each pin has its own type there.
/// So two parts on one pin do not compile, and neither does a piezo on a PWM channel that is not connected to its pin.
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

/// Passes the pins that are wired on the Pico itself to another macro. These cannot be changed: GP24 is high while USB
/// supplies power, and GP29 has a third of VSYS, through a divider of two resistors.
///
/// On a Pico W and a Pico 2 W, these pins and GP23 and GP25 are connected to the radio. The radio is never switched on
/// (GP23 stays low, by a resistor on the board), so it ignores them. GP24 does not depend on VBUS there. A transistor
/// connects the divider to GP29 while GP25 is high. On a board without radio, GP25 is the board's LED.
#[macro_export]
macro_rules! with_pico_pins {
    ($callback:ident) => {
        $callback! { vbus: PIN_24, vsys: PIN_29, select: PIN_25 }
    };
}

/// The pins by their numbers. GP0 is 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wiring {
    /// The rows of the key matrix, from the top.
    pub rows: [u8; SIDE],
    /// The columns of the key matrix, from the left.
    pub columns: [u8; SIDE],
    /// The data line of the LED chain.
    pub leds: u8,
    /// The switch of the LED supply.
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

/// The pins that are wired on the Pico itself, by their numbers: see [`with_pico_pins`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PicoPins {
    /// High while USB supplies power, on a board without radio.
    pub vbus: u8,
    /// A third of VSYS. On a board with radio only while `select` is high.
    pub vsys: u8,
    /// On a board with radio: connects the divider of VSYS to `vsys`.
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
    /// The same pins on every Pico.
    pub const ALL: Self = with_pico_pins!(pico_numbers);
}

/// The order of the LED chain, unless the handheld was [taught](crate::game::teaching) another.
pub const LED_ORDER: LedOrder = LedOrder::RowMajor;
/// The order in which the LEDs take their colours, unless the handheld was taught another.
pub const COLOUR_ORDER: ColourOrder = ColourOrder::Grb;
/// The highest current of board and LEDs together, in milliamperes. USB supplies 500 mA.
pub const CURRENT_CAP: u32 = 400;
/// The highest current while the battery is low, in milliamperes: the rest of the charge lasts longer, and the voltage
/// drops less.
pub(crate) const LOW_CURRENT_CAP: u32 = 150;

/// The number in the name of a pin, such as `PIN_16`.
const fn number(name: &str) -> u8 {
    let bytes = name.as_bytes();
    let (mut number, mut i) = (0, "PIN_".len());
    while i < bytes.len() {
        assert!(bytes[i].is_ascii_digit(), "the name of a pin is PIN_ and its number");
        number = 10 * number + bytes[i] - b'0';
        i += 1;
    }
    number
}
