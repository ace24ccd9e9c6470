//! A frame is 25 colours as the eye should see them: 128 looks half as bright as 255. What the LEDs need for that is the
//! business of [`wire`](crate::picture::wire).

use smart_leds::RGB8;

use crate::board::{Board, CELLS, Cell, Cells, SIDE};
use crate::time::{Micros, ms};

/// While something moves, a picture is due this often: 30 a second.
pub const FRAME_TIME: Micros = ms(33);

/// How long one picture takes to wipe away another.
pub const WIPE: Micros = ms(300);

/// The colours of the game. Meaning never rests on hue alone: see where each is used.
pub struct Colour;

impl Colour {
    /// No light.
    pub const OFF: RGB8 = RGB8::new(0, 0, 0);
    /// A light of the board that is on: warm, and plainly lit.
    pub const LIGHT: RGB8 = RGB8::new(255, 170, 40);
    /// The key that a hint or the demo points at.
    pub const POINTER: RGB8 = RGB8::new(60, 150, 255);
    /// All is well: par, and the ripple of a win.
    pub const GOOD: RGB8 = RGB8::new(40, 255, 90);
    /// Something is wrong; always with a cross, a pulse, a loss or a battery beside it.
    pub const BAD: RGB8 = RGB8::new(255, 0, 0);
    /// For the self-test of the LEDs.
    pub const PURE_GREEN: RGB8 = RGB8::new(0, 255, 0);
    /// For the self-test of the LEDs.
    pub const PURE_BLUE: RGB8 = RGB8::new(0, 0, 255);
    /// For the self-test of the LEDs.
    pub const WHITE: RGB8 = RGB8::new(255, 255, 255);
    /// Difficulty, in the menu.
    pub const VIOLET: RGB8 = RGB8::new(190, 60, 255);
    /// Hardly there: a place that means nothing yet.
    pub const FAINT: RGB8 = RGB8::new(60, 60, 60);
    /// Digits.
    pub const DIGIT: RGB8 = RGB8::new(220, 220, 220);

    /// The same colour, but plainly not chosen.
    pub fn dim(colour: RGB8) -> RGB8 {
        Self::mix(Self::OFF, colour, 90)
    }

    /// The same colour, pulsing once a second between itself and its dim shade.
    pub fn pulse(colour: RGB8, elapsed: Micros) -> RGB8 {
        Self::mix(Self::dim(colour), colour, triangle(elapsed))
    }

    /// Between `from` (0) and `to` (255).
    pub fn mix(from: RGB8, to: RGB8, share: u8) -> RGB8 {
        let channel = |a: u8, b: u8| {
            let (a, b, share) = (i32::from(a), i32::from(b), i32::from(share));
            (a + (b - a) * share / 255) as u8
        };
        RGB8::new(channel(from.r, to.r), channel(from.g, to.g), channel(from.b, to.b))
    }
}

/// From 255 down to 0 and back, once a second: beginning at its height, so that what pulses is seen at once.
fn triangle(elapsed: Micros) -> u8 {
    const PERIOD: Micros = ms(1000);
    ((elapsed % PERIOD) * 510 / PERIOD).abs_diff(255) as u8
}

/// One picture. Aligned, so that it is copied by words: it is handed on with every press.
#[repr(align(4))]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Frame(pub [RGB8; CELLS]);

impl Frame {
    /// All dark.
    pub const DARK: Self = Self([Colour::OFF; CELLS]);

    /// A red cross: this cannot be, or the handheld has crashed.
    pub const CROSS: Self = {
        let mut frame = Self::DARK;
        let mut i = 0;
        while i < SIDE {
            frame.0[SIDE * i + i] = Colour::BAD;
            frame.0[SIDE * i + SIDE - 1 - i] = Colour::BAD;
            i += 1;
        }
        frame
    };

    /// A battery that stands upright, with a little at its bottom: it is low.
    pub const BATTERY_LOW: Self = Self::battery(Cells::from_bits(0b01110_01110_01010_01110_00100));
    /// The same with nothing in it: it is empty.
    pub const BATTERY_EMPTY: Self = Self::battery(Cells::from_bits(0b01110_01010_01010_01110_00100));

    const fn battery(cells: Cells) -> Self {
        let mut frame = Self::DARK;
        let mut index = 0;
        while index < CELLS {
            if cells.has_index(index) {
                frame.0[index] = Colour::BAD;
            }
            index += 1;
        }
        frame
    }

    /// A board in play: on is lit, off is dark.
    pub fn of_board(board: Board) -> Self {
        Self::of_cells(board.lit(), Colour::LIGHT)
    }

    /// These cells in one colour.
    pub fn of_cells(cells: Cells, colour: RGB8) -> Self {
        let mut frame = Self::DARK;
        for cell in cells {
            frame.set(cell, colour);
        }
        frame
    }

    /// Paints one light.
    pub fn set(&mut self, cell: Cell, colour: RGB8) {
        self.0[cell.index()] = colour;
    }

    /// Lets one light pulse between the pointer's colour and a dim glow of what it is, once a second: seen by its brightness
    /// alone, and on or off can still be told.
    pub fn point_out(&mut self, cell: Cell, elapsed: Micros) {
        let glow = Colour::mix(Colour::OFF, self.0[cell.index()], 100);
        self.set(cell, Colour::mix(glow, Colour::POINTER, triangle(elapsed)));
    }

    /// This picture, wiping away another from corner to corner.
    #[must_use]
    pub fn wiped_in(mut self, old: &Self, elapsed: Micros) -> Self {
        let farthest = 2 * (SIDE as Micros - 1);
        for cell in Cell::all() {
            if ((cell.row() + cell.column()) as Micros + 1) * WIPE > elapsed * (farthest + 1) {
                self.0[cell.index()] = old.0[cell.index()];
            }
        }
        self
    }

    /// A wave of light over the diagonal, from one corner to the other: hello.
    pub fn greeting(elapsed: Micros, duration: Micros) -> Self {
        Self::wave(elapsed, duration, Colour::LIGHT, 8, |cell| cell.row() + cell.column())
    }

    /// A wave that starts at a key and runs out over the edges: well done.
    pub fn ripple(from: Cell, elapsed: Micros, duration: Micros, colour: RGB8) -> Self {
        Self::wave(elapsed, duration, colour, 8, |cell| {
            cell.row().abs_diff(from.row()) + cell.column().abs_diff(from.column())
        })
    }

    /// A wave crest that runs over all distances from 0 to `farthest` and beyond in the given time.
    fn wave(
        elapsed: Micros,
        duration: Micros,
        colour: RGB8,
        farthest: usize,
        distance: impl Fn(Cell) -> usize,
    ) -> Self {
        /// Each light rises and falls while the crest runs this many cells.
        const WIDTH: i64 = 3;
        // In 1/256 of a cell; it begins a little inside, so that the first picture is not dark.
        let crest =
            (elapsed * 256 * (farthest as u64 + 2 * WIDTH as u64 - 1) / duration) as i64 + 256 - 256 * WIDTH + 256;
        let mut frame = Self::DARK;
        for cell in Cell::all() {
            let away = (crest - 256 * distance(cell) as i64).abs();
            let share = (255 - away * 255 / (256 * WIDTH)).max(0);
            frame.set(cell, Colour::mix(Colour::OFF, colour, share as u8));
        }
        frame
    }
}
