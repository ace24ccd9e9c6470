//! Numbers as text: digits of three by five lights that scroll from right to left.

use smart_leds::RGB8;

use crate::board::{Cell, SIDE};
use crate::display::Frame;
use crate::time::{Micros, ms};

/// The time in which the text moves by one column: slow enough for a child to read.
const COLUMN_TIME: Micros = ms(150);

/// Digits as five rows of three dots, the top row in the highest bits.
const DIGITS: [u16; 10] = [
    0b111_101_101_101_111,
    0b010_110_010_010_111,
    0b111_001_111_100_111,
    0b111_001_111_001_111,
    0b101_101_111_001_001,
    0b111_100_111_001_111,
    0b111_100_111_101_111,
    0b111_001_010_010_010,
    0b111_101_111_101_111,
    0b111_101_111_001_111,
];
const DASH: u16 = 0b000_000_110_000_000;
const POINT: u16 = 0b000_000_000_000_010;
const SPACE: u16 = 0;
const GLYPH_WIDTH: usize = 3;
/// One empty column after each glyph.
const ADVANCE: usize = GLYPH_WIDTH + 1;
/// Three of the longest numbers, a dash and a space.
const MAX_GLYPHS: usize = 3 * 10 + 2;

impl Frame {
    /// One digit that does not move, in the middle: the last digit of the number.
    pub(crate) fn of_digit(number: usize, colour: RGB8) -> Self {
        let mut text = Text::new();
        text.glyph(DIGITS[number % 10], colour);
        // The time at which its three columns and the empty one after them are visible.
        text.frame(COLUMN_TIME * ADVANCE as Micros - COLUMN_TIME)
    }
}

/// A line of text. Glyphs beyond its capacity are left out.
#[derive(Clone, Debug, Default)]
pub struct Text(heapless::Vec<(u16, RGB8), MAX_GLYPHS>);

impl Text {
    /// The empty text.
    pub const fn new() -> Self {
        Self(heapless::Vec::new())
    }

    /// Adds a number.
    pub fn number(&mut self, number: u32, colour: RGB8) {
        let digits = number.checked_ilog10().unwrap_or(0) + 1;
        for place in (0..digits).rev() {
            self.glyph(DIGITS[(number / 10_u32.pow(place) % 10) as usize], colour);
        }
    }

    /// Adds a number of tenths, with a decimal point.
    pub fn tenths(&mut self, tenths: u32, colour: RGB8) {
        self.number(tenths / 10, colour);
        self.glyph(POINT, colour);
        self.number(tenths % 10, colour);
    }

    /// Adds a dash.
    pub fn dash(&mut self, colour: RGB8) {
        self.glyph(DASH, colour);
    }

    /// Adds a space.
    pub fn space(&mut self) {
        self.glyph(SPACE, RGB8::default());
    }

    fn glyph(&mut self, shape: u16, colour: RGB8) {
        let _ = self.0.push((shape, colour));
    }

    /// The time until the whole text has scrolled out.
    pub fn duration(&self) -> Micros {
        COLUMN_TIME * (SIDE + ADVANCE * self.0.len()) as Micros
    }

    /// The frame at this time. At time 0, the first column of the text is at the right edge.
    pub fn frame(&self, elapsed: Micros) -> Frame {
        // The number of columns that have scrolled in.
        let scrolled = (elapsed / COLUMN_TIME) as usize + 1;
        let mut frame = Frame::DARK;
        for cell in Cell::all() {
            let Some(column) = (scrolled + cell.column()).checked_sub(SIDE) else { continue };
            let Some(&(shape, colour)) = self.0.get(column / ADVANCE) else { continue };
            let dot = column % ADVANCE;
            if dot < GLYPH_WIDTH && shape >> ((SIDE - 1 - cell.row()) * GLYPH_WIDTH + GLYPH_WIDTH - 1 - dot) & 1 == 1 {
                frame.set(cell, colour);
            }
        }
        frame
    }
}
