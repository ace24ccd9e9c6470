//! The silkscreen besides outlines and names of parts: notes for makers.

use super::geometry::{Point, at, um};
use super::mechanics::BATTERY_BAY;
use super::parts::Face;
use super::{REVISION, TITLE};

/// A line of text.
#[derive(Clone, Debug)]
pub struct Words {
    /// What it says.
    pub text: String,
    /// Where.
    pub at: Point,
    /// By how many degrees it is turned.
    pub turn: u16,
    /// On which face.
    pub face: Face,
    /// How tall its letters are.
    pub height: i64,
    /// KiCad's word for what of it is at its place: `left`, `right`, or nothing for the middle.
    pub justify: &'static str,
}

/// The middle of the place for the battery, which is also the middle of the name.
fn bay() -> (f64, f64) {
    let [left, top, width, height] = BATTERY_BAY;
    (left + width / 2.0, top + height / 2.0)
}

/// Whether a via here would spoil what is printed.
pub fn spoiled(place: Point) -> bool {
    let (x, y) = place.in_mm();
    (43.0..89.0).contains(&x) && (5.0..33.0).contains(&y)
}

/// All lines of text.
pub fn texts() -> Vec<Words> {
    let mut all = Vec::new();
    let mut print = |face, (x, y): (f64, f64), height: f64, justify, text: String| {
        all.push(Words { text, at: at(x, y), turn: 0, face, height: um(height), justify });
    };
    let (x, y) = bay();
    print(Face::Front, (x + 9.0, y - 4.6), 4.6, "", "LIGHTS".into());
    print(Face::Front, (x + 9.0, y + 2.6), 4.6, "", "OUT".into());
    print(Face::Front, (x + 9.0, y + 8.4), 1.3, "", format!("revision {REVISION}"));
    print(Face::Front, (x, y + 15.6), 1.3, "", "3 x AAA in a holder, up to 52 x 37 mm".into());
    print(Face::Front, (93.6, 43.0), 1.1, "right", "ON".into());
    print(Face::Front, (93.6, 47.0), 1.1, "right", "OFF".into());
    print(Face::Front, (45.2, 45.5), 1.1, "left", "3 x AAA".into());

    print(Face::Back, (66.0, 8.0), 2.6, "", format!("{TITLE}, revision {REVISION}"));
    let notes = [
        "Set this side first: all flat parts are here.",
        "G marks a light's ground: its cut corner.",
        "The bar of a diode is its cathode: at the row.",
        "Then, from the front: keys, Pico, J1, S1, P1.",
        "Cut every leg to 2 mm.",
    ];
    for (line, note) in notes.into_iter().enumerate() {
        print(Face::Back, (66.0, 13.0 + 2.6 * line as f64), 1.3, "", note.into());
    }
    all
}

/// A board of the game beside the name, cells that are lit filled: rectangles by two corners.
pub fn pictures() -> Vec<(Point, Point)> {
    /// What one press in the middle lights.
    const PLUS: [usize; 5] = [7, 11, 12, 13, 17];
    let (x, y) = bay();
    let (pitch, size) = (4.0, 3.2);
    let cell = |cell: usize| {
        let (left, top) = (x - 22.0 + pitch * (cell % 5) as f64, y - 10.0 + pitch * (cell / 5) as f64);
        (left, top)
    };
    let lit = PLUS.into_iter().map(|lit| {
        let (left, top) = cell(lit);
        (at(left, top), at(left + size, top + size))
    });
    // An unlit cell is a small square.
    let dark = (0..25).filter(|dark| !PLUS.contains(dark)).map(|dark| {
        let (left, top) = cell(dark);
        let inset = size / 2.0 - 0.4;
        (at(left + inset, top + inset), at(left + inset + 0.8, top + inset + 0.8))
    });
    lit.chain(dark).collect()
}
