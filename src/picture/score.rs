//! The score after a win: moves, a dash, par, scrolling from right to left in digits of three by five. The moves are
//! white, and green when they are par; the par is green. The order tells them apart without the colours.

use smart_leds::RGB8;

use crate::board::{Cell, SIDE};
use crate::picture::{Colour, Frame};
use crate::time::{Micros, ms};

/// How long the text takes to move by one column: slow enough for a child to read.
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
const GLYPH_WIDTH: usize = 3;
/// One empty column after each glyph.
const ADVANCE: usize = GLYPH_WIDTH + 1;
/// Ten digits for each number, and the dash.
const MAX_GLYPHS: usize = 21;

type Text = heapless::Vec<(u16, RGB8), MAX_GLYPHS>;

fn text(moves: u32, par: u32) -> Text {
    let mut text = Text::new();
    let moves_colour = if moves == par { Colour::GOOD } else { Colour::DIGIT };
    // MAX_GLYPHS covers the longest numbers.
    let _ = text.extend_from_slice(&number(moves, moves_colour));
    let _ = text.push((DASH, Colour::DIGIT));
    let _ = text.extend_from_slice(&number(par, Colour::GOOD));
    text
}

fn number(number: u32, colour: RGB8) -> Text {
    let digits = number.checked_ilog10().unwrap_or(0) + 1;
    (0..digits).rev().map(|place| (DIGITS[(number / 10_u32.pow(place) % 10) as usize], colour)).collect()
}

/// How long the score takes to go by.
pub fn duration(moves: u32, par: u32) -> Micros {
    COLUMN_TIME * (SIDE + ADVANCE * text(moves, par).len()) as Micros
}

/// The score at this time after it began.
pub fn frame(moves: u32, par: u32, elapsed: Micros) -> Frame {
    let text = text(moves, par);
    // The column of the text that is in the leftmost column of the grid, SIDE more than that so that it is never negative.
    let scrolled = (elapsed / COLUMN_TIME) as usize + 1;
    let mut frame = Frame::DARK;
    for cell in Cell::all() {
        let Some(column) = (scrolled + cell.column()).checked_sub(SIDE) else { continue };
        let Some(&(shape, colour)) = text.get(column / ADVANCE) else { continue };
        let dot = column % ADVANCE;
        if dot < GLYPH_WIDTH && shape >> ((SIDE - 1 - cell.row()) * GLYPH_WIDTH + GLYPH_WIDTH - 1 - dot) & 1 == 1 {
            frame.set(cell, colour);
        }
    }
    frame
}
