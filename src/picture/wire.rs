//! From a picture to what goes over the wire: gamma, brightness, the current cap, the order of LEDs and colours.

use serde::{Deserialize, Serialize};
use smart_leds::{RGB8, gamma};

use crate::board::{CELLS, Cell, SIDE};
use crate::layout::{LedPosition, Lights};
use crate::listed::listed;
use crate::picture::{Colour, Frame};

/// How the LED chain runs over the grid, from the top left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LedOrder {
    /// Every row from left to right.
    RowMajor,
    /// Every other row from right to left, as LED strips are laid.
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
    /// In which order a LED takes its three colours.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
    pub enum ColourOrder {
        /// Green, red, blue: nearly all WS2812B.
        Grb,
        /// Red, green, blue: many LEDs with legs.
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
    /// Its letters.
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

    /// Where red, green and blue begin in the word that goes over the wire: 24 bits at its top, the first to be sent on top.
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

    /// What makes colours into words for the wire. The order is looked up once, not for each light.
    pub fn packing(self) -> impl Fn(RGB8) -> u32 {
        let [red, green, blue] = self.shifts();
        move |colour| u32::from(colour.r) << red | u32::from(colour.g) << green | u32::from(colour.b) << blue
    }

    /// The colour that a LED shows which takes its colours in this order, and got this word.
    pub const fn unpack(self, word: u32) -> RGB8 {
        let [red, green, blue] = self.shifts();
        RGB8::new((word >> red) as u8, (word >> green) as u8, (word >> blue) as u8)
    }

    /// The order of LEDs that look red, green and blue when they are sent, in this order, each of these channels (0 is red, 1
    /// green, 2 blue). None if a channel is there twice.
    pub fn corrected(self, channels: [usize; 3]) -> Option<Self> {
        let shifts = self.shifts();
        Self::ALL.into_iter().find(|order| order.shifts() == channels.map(|channel| shifts[channel % 3]))
    }
}

/// What the LEDs draw, by the formula of WLED: current in milliamperes.
pub mod current {
    use super::{CELLS, RGB8};

    /// The Pico itself.
    pub const BOARD: u32 = 25;
    /// One dark LED.
    pub const DARK_LED: u32 = 1;
    /// One LED at full white, on top of that.
    pub const WHITE_LED: u32 = 55;
    /// What is drawn with all LEDs dark.
    pub const IDLE: u32 = BOARD + CELLS as u32 * DARK_LED;

    /// The sum of the channels of a LED at full white.
    const WHITE: u32 = 3 * 255;

    /// The current that these values on the wire draw, rounded up.
    pub fn drawn(leds: &[RGB8; CELLS]) -> u32 {
        IDLE + (sum(leds) * WHITE_LED).div_ceil(WHITE)
    }

    /// The largest sum of all channels that stays within `cap`.
    pub(super) const fn budget(cap: u32) -> u32 {
        cap.saturating_sub(IDLE) * WHITE / WHITE_LED
    }

    pub(super) fn sum(leds: &[RGB8; CELLS]) -> u32 {
        leds.iter().map(|led| u32::from(led.r) + u32::from(led.g) + u32::from(led.b)).sum()
    }
}

/// Hands out the words for the chain, each with its place in it, drawing no more than `cap` milliamperes together with the
/// board.
///
/// A light that is on at all stays on at the lowest brightness; only the cap may put it out.
pub fn encode(frame: &Frame, brightness: u8, cap: u32, lights: &Lights, mut put: impl FnMut(LedPosition, u32)) {
    let mut leds = [RGB8::default(); CELLS];
    // Most pictures are of one colour.
    let mut last = (Colour::OFF, Colour::OFF);
    for (led, &colour) in leds.iter_mut().zip(&frame.0) {
        if colour != last.0 && colour != Colour::OFF {
            last = (colour, shade(colour, brightness));
        }
        *led = if colour == Colour::OFF { Colour::OFF } else { last.1 };
    }
    let (sum, budget) = (current::sum(&leds), current::budget(cap));
    if sum > budget {
        // Rounding down keeps the new sum within the budget. The products fit: both sums are below 2^15.
        let scaled = |channel: u8| (u32::from(channel) * budget / sum) as u8;
        for led in &mut leds {
            *led = RGB8::new(scaled(led.r), scaled(led.g), scaled(led.b));
        }
    }
    let pack = lights.colours.packing();
    for position in LedPosition::all() {
        put(position, pack(leds[lights.map.cell_of_led(position).index()]));
    }
}

/// A colour as the LEDs take it: gamma and brightness.
fn shade(colour: RGB8, brightness: u8) -> RGB8 {
    // 255 is all of it. Rounded up, and by a shift, because the chip has no division.
    let scaled = |channel: u8| (u32::from(channel) * (u32::from(brightness) + 1)).div_ceil(256) as u8;
    gamma(core::iter::once(colour))
        .next()
        .map_or(Colour::OFF, |colour| RGB8::new(scaled(colour.r), scaled(colour.g), scaled(colour.b)))
}

/// The same as [`encode`], all at once.
pub fn encoded(frame: &Frame, brightness: u8, cap: u32, lights: &Lights) -> [u32; CELLS] {
    let mut words = [0; CELLS];
    encode(frame, brightness, cap, lights, |position, word| words[position.index()] = word);
    words
}
