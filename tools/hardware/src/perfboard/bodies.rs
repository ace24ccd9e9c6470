//! The outlines of the parts, in hundredths of a millimetre. A test checks that they do not overlap.

use super::plan::{Hole, in_cell, pico_pin};
use crate::svg::Position;

/// Distance from hole to hole.
pub(super) const PITCH: i32 = 254;
/// The diameter of a 5 mm LED with its rim. The rim of an 8 mm LED has 9 mm, which does not fit.
pub(super) const LED_5_MM: i32 = 580;

/// The outline of a part, seen from above.
#[derive(Clone, Debug)]
pub(super) struct Outline {
    pub part: String,
    /// Its centre.
    pub at: Position,
    /// Width and height.
    pub size: Position,
    /// Whether it is a circle; otherwise it is a rectangle.
    pub round: bool,
}

/// The point halfway between two holes.
fn between(one: Hole, other: Hole) -> Position {
    ((one.0 + other.0) * PITCH / 2, (one.1 + other.1) * PITCH / 2)
}

/// The outlines of a cell's parts: light, key, diode. The capacitor is on the back.
pub(super) fn cell(cell: usize, led: i32) -> [Outline; 3] {
    let body = |kind: &str, one: Position, other: Position, size: Position, round: bool| Outline {
        part: format!("{kind}{cell}"),
        at: between(in_cell(cell, one.0, one.1), in_cell(cell, other.0, other.1)),
        size,
        round,
    };
    [
        body("L", (1, 1), (4, 1), (led, led), true),
        body("K", (1, 3), (4, 5), (600, 600), false),
        body("D", (1, 6), (4, 6), (390, 190), false),
    ]
}

/// The outlines of the parts below the cells.
pub(super) fn below() -> Vec<Outline> {
    const RESISTOR: Position = (630, 240);
    const UPRIGHT: Position = (240, 630);
    const BEAD: Position = (250, 450);
    [
        ("U1", pico_pin(20), pico_pin(40), (5100, 2100), false),
        // An adapter board of usual size.
        ("U2", (4, 47), (6, 50), (1000, 1250), false),
        ("C25", (2, 47), (2, 48), BEAD, false),
        ("C26", (2, 40), (2, 42), (1000, 1000), true),
        ("C27", (20, 51), (20, 52), BEAD, false),
        ("R1", (2, 45), (6, 45), RESISTOR, false),
        ("R2", (15, 51), (19, 51), RESISTOR, false),
        ("R3", (19, 53), (23, 53), RESISTOR, false),
        ("R4", (12, 49), (12, 53), UPRIGHT, false),
        ("R5", (14, 53), (18, 53), RESISTOR, false),
        ("R6", (5, 44), (9, 44), RESISTOR, false),
        ("P1", (6, 41), (8, 41), (1220, 1220), true),
        ("R7", (24, 50), (24, 54), UPRIGHT, false),
        ("Q1", (19, 49), (21, 49), (1000, 460), false),
        ("Q2", (13, 49), (15, 49), (480, 380), false),
        ("Q3", (24, 49), (26, 49), (1000, 460), false),
        ("F1", (29, 51), (29, 53), (310, 890), false),
    ]
    .map(|(part, one, other, size, round)| Outline { part: part.to_owned(), at: between(one, other), size, round })
    .into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SIDE;

    /// The smallest allowed gap between two parts.
    const SMALLEST_GAP: i32 = 30;

    /// The distance between two outlines; negative if they overlap.
    fn gap(one: &Outline, other: &Outline) -> i32 {
        let (dx, dy) = ((one.at.0 - other.at.0).abs(), (one.at.1 - other.at.1).abs());
        let radius = |body: &Outline| if body.round { body.size.0 / 2 } else { 0 };
        let half = |body: &Outline| if body.round { (0, 0) } else { (body.size.0 / 2, body.size.1 / 2) };
        let (x, y) = (dx - half(one).0 - half(other).0, dy - half(one).1 - half(other).1);
        let apart = if x > 0 && y > 0 { f64::from(x).hypot(f64::from(y)) as i32 } else { x.max(y) };
        apart - radius(one) - radius(other)
    }

    fn collisions(led: i32) -> Vec<String> {
        let mut bodies: Vec<Outline> = (0..SIDE * SIDE).flat_map(|number| cell(number, led)).collect();
        bodies.extend(below());
        let pairs =
            bodies.iter().enumerate().flat_map(|(index, one)| bodies[..index].iter().map(move |other| (one, other)));
        pairs
            .filter(|(one, other)| gap(one, other) < SMALLEST_GAP)
            .map(|(one, other)| format!("{} and {}: {} um", other.part, one.part, 10 * gap(one, other)))
            .collect()
    }

    #[test]
    fn parts_do_not_overlap() {
        assert_eq!(collisions(LED_5_MM), [""; 0]);
    }

    #[test]
    fn led_of_8_mm_does_not_fit() {
        assert!(collisions(900).len() >= 25);
    }
}
