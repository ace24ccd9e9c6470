//! The footprints, drawn from data sheets: pads, holes and silkscreen.
//!
//! Each is drawn as seen from the side it is soldered on, as in KiCad's libraries. [`super::placement`] mirrors those
//! that belong to the back.

use super::geometry::{Point, at, um};
use super::mechanics::{PICO, PIEZO, SCREW_HOLE};
use super::parts::Kind;
use crate::pico;

/// Pads and drawings.
#[derive(Clone, Debug, Default)]
pub struct Footprint {
    /// Copper and holes.
    pub pads: Vec<Pad>,
    /// What is printed or cut.
    pub strokes: Vec<(Ink, Stroke)>,
    /// Where the part's name stands, in the middle of it, and how tall its letters are. None: not printed.
    pub label: Option<(Point, i64)>,
}

/// A pad, or a hole without copper.
#[derive(Clone, Copy, Debug)]
pub struct Pad {
    /// Its number; 0 for one that is not connected.
    pub number: usize,
    /// Its middle.
    pub at: Point,
    /// Width and height.
    pub size: Point,
    /// Its form.
    pub shape: Shape,
    /// Its hole.
    pub hole: Drill,
}

/// The form of a pad.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Corners.
    Rect,
    /// Round ends.
    Oval,
}

/// The hole in a pad.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drill {
    /// None: for a flat part.
    None,
    /// For a leg, by its diameter.
    Plated(i64),
    /// A mere hole, by its diameter.
    Bare(i64),
}

/// What a stroke is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// Printed on the board.
    Silk,
    /// The part's body, for drawings.
    Body,
    /// The room that the part claims.
    Room,
    /// Milled.
    Cut,
}

/// A line of a drawing.
#[derive(Clone, Copy, Debug)]
pub enum Stroke {
    /// Straight.
    Line(Point, Point),
    /// By its middle and radius.
    Circle(Point, i64),
    /// From, over, to.
    Arc(Point, Point, Point),
    /// A word in the middle of its place, and the height of its letters.
    Word(Point, &'static str, i64),
}

impl Footprint {
    fn pad(mut self, number: usize, (x, y): (f64, f64), (w, h): (f64, f64), shape: Shape, hole: Drill) -> Self {
        self.pads.push(Pad { number, at: at(x, y), size: at(w, h), shape, hole });
        self
    }

    fn flat(self, number: usize, place: (f64, f64), size: (f64, f64)) -> Self {
        self.pad(number, place, size, Shape::Rect, Drill::None)
    }

    /// A pad for a leg. Number 1 has corners.
    fn leg(self, number: usize, place: (f64, f64), size: (f64, f64), hole: f64) -> Self {
        let shape = if number == 1 { Shape::Rect } else { Shape::Oval };
        self.pad(number, place, size, shape, Drill::Plated(um(hole)))
    }

    fn bare(self, place: (f64, f64), hole: f64) -> Self {
        self.pad(0, place, (hole, hole), Shape::Oval, Drill::Bare(um(hole)))
    }

    fn line(mut self, ink: Ink, from: (f64, f64), to: (f64, f64)) -> Self {
        self.strokes.push((ink, Stroke::Line(at(from.0, from.1), at(to.0, to.1))));
        self
    }

    fn circle(mut self, ink: Ink, (x, y): (f64, f64), radius: f64) -> Self {
        self.strokes.push((ink, Stroke::Circle(at(x, y), um(radius))));
        self
    }

    fn word(mut self, (x, y): (f64, f64), word: &'static str, height: f64) -> Self {
        self.strokes.push((Ink::Silk, Stroke::Word(at(x, y), word, um(height))));
        self
    }

    fn rectangle(self, ink: Ink, (x0, y0): (f64, f64), (x1, y1): (f64, f64)) -> Self {
        let corners = [(x0, y0), (x1, y0), (x1, y1), (x0, y1)];
        (0..4).fold(self, |drawing, corner| drawing.line(ink, corners[corner], corners[(corner + 1) % 4]))
    }

    fn label(mut self, (x, y): (f64, f64), height: f64) -> Self {
        self.label = Some((at(x, y), um(height)));
        self
    }

    /// A milled hole with round corners, as the cutter leaves them.
    fn cut_out(mut self, (w, h): (f64, f64), radius: f64) -> Self {
        let (x, y, diagonal) = (w / 2.0, h / 2.0, radius * (1.0 - 0.5_f64.sqrt()));
        for (sx, sy) in [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)] {
            let corner = |dx: f64, dy: f64| at(sx * (x - dx), sy * (y - dy));
            let mut ends = [corner(0.0, radius), corner(radius, 0.0)];
            // Clockwise once turned over, as the edge of the board is: KiCad 6 plots the arcs of a footprint one way
            // only.
            if sx * sy > 0.0 {
                ends.reverse();
            }
            self.strokes.push((Ink::Cut, Stroke::Arc(ends[0], corner(diagonal, diagonal), ends[1])));
        }
        for s in [1.0, -1.0] {
            self = self.line(Ink::Cut, (s * x, radius - y), (s * x, y - radius));
            self = self.line(Ink::Cut, (radius - x, s * y), (x - radius, s * y));
        }
        self
    }
}

/// The footprint of a kind of part.
pub fn of(kind: Kind) -> Footprint {
    let new = Footprint::default();
    match kind {
        Kind::Pico => pico_on_headers(),
        Kind::Key => key(),
        Kind::Light => light(),
        // SOD-123; pad 1 is the cathode, with the bar.
        Kind::Diode => new
            .flat(1, (-1.65, 0.0), (0.9, 1.2))
            .flat(2, (1.65, 0.0), (0.9, 1.2))
            .line(Ink::Silk, (-2.35, -0.85), (-2.35, 0.85))
            .line(Ink::Silk, (-2.35, -0.95), (1.2, -0.95))
            .line(Ink::Silk, (-2.35, 0.95), (1.2, 0.95))
            .rectangle(Ink::Body, (-1.35, -0.8), (1.35, 0.8))
            .rectangle(Ink::Room, (-2.5, -1.1), (2.4, 1.1))
            .label((0.0, 1.75), 0.8),
        Kind::Capacitor100n | Kind::Capacitor2n2 | Kind::Capacitor1u => chip(0.775, (0.9, 0.95), (1.6, 0.8)),
        Kind::Resistor100 | Kind::Resistor330 | Kind::Resistor10k | Kind::Resistor100k => {
            chip(0.825, (0.8, 0.95), (1.6, 0.8))
        }
        Kind::Capacitor22u => chip(0.95, (1.0, 1.45), (2.0, 1.25)),
        Kind::Buffer => small_outline(&[1, 2, 3], &[5, 0, 4], (1.1375, 1.325), 0.95),
        Kind::LoadSwitch => small_outline(&[1, 2, 3], &[6, 5, 4], (1.1375, 1.325), 0.95),
        Kind::Mosfet => small_outline(&[1, 0, 2], &[0, 3, 0], (0.9375, 1.475), 0.95).label((0.0, 2.5), 0.9),
        // C&K OS102011MA1QN1: three pins 2 mm apart, the ears of its frame 8.2 mm apart. The lever is to the right.
        Kind::SlideSwitch => new
            .leg(1, (0.0, -2.0), (2.5, 1.4), 0.9)
            .leg(2, (0.0, 0.0), (2.5, 1.4), 0.9)
            .leg(3, (0.0, 2.0), (2.5, 1.4), 0.9)
            .leg(0, (0.0, -4.1), (3.5, 2.2), 1.5)
            .leg(0, (0.0, 4.1), (3.5, 2.2), 1.5)
            .line(Ink::Silk, (-2.3, -4.4), (-2.3, 4.4))
            .rectangle(Ink::Body, (-2.2, -4.3), (2.2, 4.3))
            .rectangle(Ink::Body, (2.2, -1.0), (6.2, 1.0))
            .rectangle(Ink::Room, (-2.6, -5.5), (2.6, 5.5))
            .label((0.0, -6.3), 1.0),
        // JST B2B-PH-K: two pins 2 mm apart; plus is pad 1.
        Kind::Connector => new
            .leg(1, (0.0, 0.0), (1.2, 1.75), 0.75)
            .leg(2, (2.0, 0.0), (1.2, 1.75), 0.75)
            .rectangle(Ink::Silk, (-2.1, -1.85), (4.1, 2.95))
            .rectangle(Ink::Body, (-1.95, -1.7), (3.95, 2.8))
            .rectangle(Ink::Room, (-2.4, -2.2), (4.4, 3.2))
            .word((-3.1, 0.0), "+", 1.5)
            .word((5.1, 0.0), "-", 1.5)
            .label((1.0, 2.0), 0.9),
        Kind::Piezo => new
            .leg(1, (-2.5, 0.0), (2.0, 2.0), 1.0)
            .leg(2, (2.5, 0.0), (2.0, 2.0), 1.0)
            .circle(Ink::Silk, (0.0, 0.0), PIEZO.0 / 2.0 + 0.1)
            .circle(Ink::Body, (0.0, 0.0), PIEZO.0 / 2.0)
            .circle(Ink::Room, (0.0, 0.0), PIEZO.0 / 2.0 + 0.25)
            .label((0.0, -3.4), 1.0),
        Kind::ScrewHole => {
            new.bare((0.0, 0.0), SCREW_HOLE).circle(Ink::Room, (0.0, 0.0), 2.2).circle(Ink::Silk, (0.0, 0.0), 2.2)
        }
    }
}

/// A resistor or capacitor: half the distance of its pads, their size, and its body.
fn chip(half: f64, (w, h): (f64, f64), body: (f64, f64)) -> Footprint {
    let (room_x, room_y) = (half + w / 2.0 + 0.25, h / 2.0 + 0.25);
    Footprint::default()
        .flat(1, (-half, 0.0), (w, h))
        .flat(2, (half, 0.0), (w, h))
        .line(Ink::Silk, (-0.15, -h / 2.0 + 0.05), (0.15, -h / 2.0 + 0.05))
        .line(Ink::Silk, (-0.15, h / 2.0 - 0.05), (0.15, h / 2.0 - 0.05))
        .rectangle(Ink::Body, (-body.0 / 2.0, -body.1 / 2.0), (body.0 / 2.0, body.1 / 2.0))
        .rectangle(Ink::Room, (-room_x, -room_y), (room_x, room_y))
        .label((0.0, -h / 2.0 - 0.75), 0.8)
}

/// A SOT-23 with three to six pins: the numbers on its left from the top, those on its right from the top, 0 for none.
fn small_outline(left: &[usize; 3], right: &[usize; 3], (x, width): (f64, f64), pitch: f64) -> Footprint {
    let mut drawing = Footprint::default();
    for (side, numbers) in [(-x, left), (x, right)] {
        for (&number, row) in numbers.iter().zip([-pitch, 0.0, pitch]).filter(|&(&number, _)| number > 0) {
            drawing = drawing.flat(number, (side, row), (width, 0.6));
        }
    }
    drawing
        .line(Ink::Silk, (-0.8, -1.65), (0.8, -1.65))
        .line(Ink::Silk, (-0.8, 1.65), (0.8, 1.65))
        // Pin 1.
        .circle(Ink::Silk, (-x - 0.35, -1.65), 0.12)
        .rectangle(Ink::Body, (-0.8, -1.5), (0.8, 1.5))
        .rectangle(Ink::Room, (-2.05, -1.9), (2.05, 1.9))
        .label((0.0, -2.5), 0.9)
}

/// MX key for boards: the pin of the housing, two pins beside it, two contacts. The light is below it, as the slot in
/// its housing is.
fn key() -> Footprint {
    let mut drawing = Footprint::default()
        .bare((0.0, 0.0), 4.0)
        .bare((-5.08, 0.0), 1.7)
        .bare((5.08, 0.0), 1.7)
        .pad(1, (-3.81, -2.54), (2.2, 2.2), Shape::Oval, Drill::Plated(um(1.5)))
        .pad(2, (2.54, -5.08), (2.2, 2.2), Shape::Oval, Drill::Plated(um(1.5)))
        .rectangle(Ink::Body, (-7.0, -7.0), (7.0, 7.0))
        .rectangle(Ink::Room, (-7.8, -7.8), (7.8, 7.8))
        .label((-5.0, 5.4), 1.3);
    // The corners of the housing.
    for (sx, sy) in [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)] {
        drawing = drawing.line(Ink::Silk, (sx * 7.1, sy * 7.1), (sx * 5.6, sy * 7.1)).line(
            Ink::Silk,
            (sx * 7.1, sy * 7.1),
            (sx * 7.1, sy * 5.6),
        );
    }
    drawing
}

/// SK6812MINI-E, seen from behind, where its legs are soldered while it shines away through the board: the pads'
/// numbers run the other way round than on its data sheet's view from the front. 1 VDD, 2 data out, 3 GND (cut corner),
/// 4 data in.
fn light() -> Footprint {
    Footprint::default()
        .flat(1, (2.8, -0.75), (1.4, 0.82))
        .flat(2, (2.8, 0.75), (1.4, 0.82))
        .flat(3, (-2.8, 0.75), (1.4, 0.82))
        .flat(4, (-2.8, -0.75), (1.4, 0.82))
        // The body is 3.2 x 2.8 mm. Corners of 0.5 mm are what a cutter of 1 mm leaves, and the body still goes in.
        .cut_out((3.6, 3.0), 0.5)
        .rectangle(Ink::Body, (-1.6, -1.4), (1.6, 1.4))
        .rectangle(Ink::Room, (-3.75, -1.9), (3.75, 1.9))
        .line(Ink::Silk, (-3.7, 1.45), (-2.3, 1.45))
        .line(Ink::Silk, (-3.75, 0.4), (-3.75, 1.45))
        .word((-4.4, 1.5), "G", 0.8)
        .label((4.95, 1.2), 0.9)
}

/// The Pico on two pin headers, its USB connector at the top.
fn pico_on_headers() -> Footprint {
    let (half_width, half_height) = (PICO.0 / 2.0, PICO.1 / 2.0);
    let mut drawing = Footprint::default();
    for number in 1..=2 * pico::PINS_A_SIDE {
        let (side, above) = pico::place(number);
        let x = if side == crate::Side::Left { -8.89 } else { 8.89 };
        drawing = drawing.leg(number, (x, 2.54 * above as f64 - 24.13), (1.7, 1.7), 1.02);
    }
    drawing
        .line(Ink::Silk, (-half_width, -half_height + 0.3), (-half_width, half_height))
        .line(Ink::Silk, (half_width, -half_height + 0.3), (half_width, half_height))
        .line(Ink::Silk, (-half_width, half_height), (half_width, half_height))
        .line(Ink::Silk, (-4.0, -half_height + 0.3), (-4.0, -21.2))
        .line(Ink::Silk, (4.0, -half_height + 0.3), (4.0, -21.2))
        .line(Ink::Silk, (-4.0, -21.2), (4.0, -21.2))
        .rectangle(Ink::Body, (-half_width, -half_height), (half_width, half_height))
        .rectangle(Ink::Room, (-half_width - 0.25, -half_height - 0.25), (half_width + 0.25, half_height + 0.25))
        .word((0.0, -23.3), "USB", 1.4)
        .word((-6.7, -24.13), "1", 1.2)
        .word((6.4, -24.13), "40", 1.2)
        .word((-6.4, 24.13), "20", 1.2)
        .word((6.4, 24.13), "21", 1.2)
        .word((0.0, 2.0), "Raspberry Pi", 1.3)
        .word((0.0, 4.6), "Pico, W or 2", 1.3)
        .label((0.0, -1.2), 1.6)
}
