//! The encoding of a frame for the LEDs: gamma correction, brightness, current limit, the order of LEDs and colours.

use serde::{Deserialize, Serialize};
use smart_leds::{RGB8, gamma};

use crate::board::{CELLS, Cell, SIDE};
use crate::display::{Colour, Frame};
use crate::layout::{LedLayout, LedPosition};
use crate::listed::listed;

/// The order of the LED chain on the grid, from the top left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LedOrder {
    /// Every row from left to right.
    RowMajor,
    /// Every second row from right to left, as LED strips are laid.
    Serpentine,
}

impl LedOrder {
    /// The position of a cell's LED in the chain.
    pub const fn position(self, cell: Cell) -> LedPosition {
        let index = match self {
            Self::Serpentine if cell.row() % 2 == 1 => SIDE * cell.row() + SIDE - 1 - cell.column(),
            Self::RowMajor | Self::Serpentine => cell.index(),
        };
        match LedPosition::new(index) {
            Some(position) => position,
            None => panic!("there is an LED for each cell"),
        }
    }
}

listed! {
    /// The order in which an LED takes its three colours.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
    pub enum ColourOrder {
        /// Green, red, blue: nearly all WS2812B.
        Grb,
        /// Red, green, blue: many through-hole LEDs.
        Rgb,
        /// Red, blue, green.
        Rbg,
        /// Green, blue, red.
        Gbr,
        /// Blue, red, green.
        Brg,
        /// Blue, green, red.
        Bgr,
    }
}

impl ColourOrder {
    /// The name of the order.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Grb => "GRB",
            Self::Rgb => "RGB",
            Self::Rbg => "RBG",
            Self::Gbr => "GBR",
            Self::Brg => "BRG",
            Self::Bgr => "BGR",
        }
    }

    /// The lowest bits of red, green and blue in the word for an LED. The word has its 24 bits at the top, and the top
    /// bit is sent first.
    const fn shifts(self) -> [u32; 3] {
        const FIRST: u32 = 24;
        const SECOND: u32 = 16;
        const THIRD: u32 = 8;
        match self {
            Self::Grb => [SECOND, FIRST, THIRD],
            Self::Rgb => [FIRST, SECOND, THIRD],
            Self::Rbg => [FIRST, THIRD, SECOND],
            Self::Gbr => [THIRD, FIRST, SECOND],
            Self::Brg => [SECOND, THIRD, FIRST],
            Self::Bgr => [THIRD, SECOND, FIRST],
        }
    }

    /// A function that packs a colour into the word for an LED. The order is looked up once, not for each LED.
    pub fn packing(self) -> impl Fn(RGB8) -> u32 {
        let [red, green, blue] = self.shifts();
        move |colour| u32::from(colour.r) << red | u32::from(colour.g) << green | u32::from(colour.b) << blue
    }

    /// The colour that an LED with this order shows for a word.
    pub const fn unpack(self, word: u32) -> RGB8 {
        let [red, green, blue] = self.shifts();
        RGB8::new((word >> red) as u8, (word >> green) as u8, (word >> blue) as u8)
    }

    /// The real order of LEDs that were driven with this order. `channels` are the channels that were sent (0 is red,
    /// 1 is green, 2 is blue) when the LEDs looked red, green and blue. None if `channels` has a channel twice.
    pub fn corrected(self, channels: [usize; 3]) -> Option<Self> {
        let shifts = self.shifts();
        Self::ALL.into_iter().find(|order| order.shifts() == channels.map(|channel| shifts[channel % 3]))
    }
}

/// The current of the LEDs in milliamperes, estimated as in the LED firmware WLED.
pub mod current {
    use super::{CELLS, RGB8};

    /// The current of the Pico itself.
    pub const BOARD: u32 = 25;
    /// The current of a dark LED.
    pub const DARK_LED: u32 = 1;
    /// The additional current of an LED at full white.
    pub const WHITE_LED: u32 = 55;
    /// The current with all LEDs dark.
    const IDLE: u32 = BOARD + CELLS as u32 * DARK_LED;

    /// The sum of the channels of an LED at full white.
    const WHITE: u32 = 3 * 255;

    /// The current for these values of the LEDs, rounded up.
    pub fn drawn(leds: &[RGB8; CELLS]) -> u32 {
        IDLE + (sum(leds) * WHITE_LED).div_ceil(WHITE)
    }

    /// The largest sum of all channels whose current is within `cap`.
    pub(super) const fn budget(cap: u32) -> u32 {
        cap.saturating_sub(IDLE) * WHITE / WHITE_LED
    }

    pub(super) fn sum(leds: &[RGB8; CELLS]) -> u32 {
        leds.iter().map(|led| u32::from(led.r) + u32::from(led.g) + u32::from(led.b)).sum()
    }
}

/// Encodes a frame: calls `put` with the word for each position of the chain. The current of board and LEDs together
/// is at most `cap` milliamperes.
///
/// A light that is on stays on at the lowest brightness. Only the current limit may turn it off.
pub fn encode(frame: &Frame, brightness: u8, cap: u32, layout: &LedLayout, mut put: impl FnMut(LedPosition, u32)) {
    let mut leds = [RGB8::default(); CELLS];
    // Most frames have only one colour, so the last one is cached.
    let mut last = (Colour::OFF, Colour::OFF);
    for (led, &colour) in leds.iter_mut().zip(&frame.0) {
        if colour != last.0 && colour != Colour::OFF {
            last = (colour, shade(colour, brightness));
        }
        *led = if colour == Colour::OFF { Colour::OFF } else { last.1 };
    }
    let (sum, budget) = (current::sum(&leds), current::budget(cap));
    if sum > budget {
        // Rounding down keeps the new sum within the budget. The products do not overflow: both sums are below 2^15.
        let scaled = |channel: u8| (u32::from(channel) * budget / sum) as u8;
        for led in &mut leds {
            *led = RGB8::new(scaled(led.r), scaled(led.g), scaled(led.b));
        }
    }
    let pack = layout.colours.packing();
    for position in LedPosition::all() {
        put(position, pack(leds[layout.map.cell_of_led(position).index()]));
    }
}

/// A colour after gamma correction and brightness.
fn shade(colour: RGB8, brightness: u8) -> RGB8 {
    // A brightness of 255 is full brightness. The product is rounded up, so that a light stays on. It is divided by a
    // power of two, because the Cortex-M0+ has no divide instruction.
    let scaled = |channel: u8| (u32::from(channel) * (u32::from(brightness) + 1)).div_ceil(256) as u8;
    gamma(core::iter::once(colour))
        .next()
        .map_or(Colour::OFF, |colour| RGB8::new(scaled(colour.r), scaled(colour.g), scaled(colour.b)))
}

/// The words of a frame in the order of the chain: see [`encode`].
pub fn encoded(frame: &Frame, brightness: u8, cap: u32, layout: &LedLayout) -> [u32; CELLS] {
    let mut words = [0; CELLS];
    encode(frame, brightness, cap, layout, |position, word| words[position.index()] = word);
    words
}
