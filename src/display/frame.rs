//! A frame: the colours of the 25 cells, as the eye should see them. A value of 128 looks half as bright as 255.
//! [`wire`](crate::display::wire) turns them into the values that the LEDs need for that.

use smart_leds::RGB8;

use crate::board::{Board, CELLS, Cell, Cells, SIDE};
use crate::time::{Micros, ms};

/// The time between frames of an animation: 30 frames a second.
pub const FRAME_TIME: Micros = ms(33);

/// The duration of a wipe from one screen to another.
pub const WIPE: Micros = ms(300);

/// The colours of the game. No meaning depends on the hue alone: brightness, pulse or shape also shows it.
pub struct Colour;

impl Colour {
    /// A light that is off.
    pub const OFF: RGB8 = RGB8::new(0, 0, 0);
    /// A light of the board that is on: a warm, bright colour.
    pub const LIGHT: RGB8 = RGB8::new(255, 170, 40);
    /// The key that a hint or the demo points out.
    pub const POINTER: RGB8 = RGB8::new(60, 150, 255);
    /// Success: par, and the ripple of a win.
    pub const GOOD: RGB8 = RGB8::new(40, 255, 90);
    /// An error. It is always shown with a second sign: a cross, a pulse, a lost game or the symbol of a battery.
    pub const BAD: RGB8 = RGB8::new(255, 0, 0);
    /// For the self-test of the LEDs.
    pub const PURE_GREEN: RGB8 = RGB8::new(0, 255, 0);
    /// For the self-test of the LEDs.
    pub const PURE_BLUE: RGB8 = RGB8::new(0, 0, 255);
    /// For the self-test of the LEDs.
    pub const WHITE: RGB8 = RGB8::new(255, 255, 255);
    /// Difficulty, in the menu.
    pub const VIOLET: RGB8 = RGB8::new(190, 60, 255);
    /// A locked level in the level picker: barely visible.
    pub(crate) const FAINT: RGB8 = RGB8::new(60, 60, 60);
    /// Digits.
    pub const DIGIT: RGB8 = RGB8::new(220, 220, 220);

    /// The dim shade of a colour, for choices that are not selected.
    pub fn dim(colour: RGB8) -> RGB8 {
        Self::mix(Self::OFF, colour, 90)
    }

    /// A pulse between a colour and its dim shade, once a second.
    pub fn pulse(colour: RGB8, elapsed: Micros) -> RGB8 {
        Self::mix(Self::dim(colour), colour, triangle(elapsed))
    }

    /// A mix of two colours: `from` for a share of 0, `to` for 255.
    pub fn mix(from: RGB8, to: RGB8, share: u8) -> RGB8 {
        let channel = |a: u8, b: u8| {
            let (a, b, share) = (i32::from(a), i32::from(b), i32::from(share));
            (a + (b - a) * share / 255) as u8
        };
        RGB8::new(channel(from.r, to.r), channel(from.g, to.g), channel(from.b, to.b))
    }
}

/// A triangle wave from 255 down to 0 and back, once a second. It starts at 255, so that a pulse is visible at once.
fn triangle(elapsed: Micros) -> u8 {
    const PERIOD: Micros = ms(1000);
    ((elapsed % PERIOD) * 510 / PERIOD).abs_diff(255) as u8
}

/// One frame. It is aligned so that it is copied by words, because it is copied after every press.
#[repr(align(4))]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Frame(pub [RGB8; CELLS]);

impl Frame {
    /// All lights off.
    pub const DARK: Self = Self([Colour::OFF; CELLS]);

    /// A red cross: a drawing that cannot be played, or a crash.
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

    /// The symbol of a low battery: upright, with some charge at its bottom.
    pub const BATTERY_LOW: Self = Self::battery(Cells::from_bits(0b01110_01110_01010_01110_00100));
    /// The symbol of an empty battery.
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

    /// A board in play.
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

    /// Sets the colour of one cell.
    pub fn set(&mut self, cell: Cell, colour: RGB8) {
        self.0[cell.index()] = colour;
    }

    /// Lets one cell pulse once a second between the pointer's colour and its own colour at low brightness. The pulse
    /// is visible by its brightness alone, and the state of the light can still be recognised.
    pub fn point_out(&mut self, cell: Cell, elapsed: Micros) {
        let glow = Colour::mix(Colour::OFF, self.0[cell.index()], 100);
        self.set(cell, Colour::mix(glow, Colour::POINTER, triangle(elapsed)));
    }

    /// This frame while it replaces another one in a diagonal wipe.
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

    /// The greeting: a wave of light that moves from one corner to the opposite one.
    pub fn greeting(elapsed: Micros, duration: Micros) -> Self {
        Self::wave(elapsed, duration, Colour::LIGHT, 8, |cell| cell.row() + cell.column())
    }

    /// The ripple of a win: a wave that starts at a key and moves beyond the edges.
    pub fn ripple(from: Cell, elapsed: Micros, duration: Micros, colour: RGB8) -> Self {
        Self::wave(elapsed, duration, colour, 8, |cell| {
            cell.row().abs_diff(from.row()) + cell.column().abs_diff(from.column())
        })
    }

    /// A wave whose crest moves over all distances from 0 to `farthest`, and beyond, in the given time.
    fn wave(
        elapsed: Micros,
        duration: Micros,
        colour: RGB8,
        farthest: usize,
        distance: impl Fn(Cell) -> usize,
    ) -> Self {
        /// Each light rises, and falls, while the crest moves by this many cells.
        const WIDTH: i64 = 3;
        // In units of 1/256 of a cell. At time 0 the crest is one cell before distance 0, so the first frame is not
        // dark.
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
