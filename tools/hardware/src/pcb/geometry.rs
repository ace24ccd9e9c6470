//! Positions on the board, in whole micrometres. They are exact, so that two runs write the same bytes.
//!
//! Everything is seen from the front: x to the right, y down, the board's top left corner is the origin.

use std::ops::{Add, Sub};

/// A place, or the way from one place to another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point {
    /// To the right.
    pub x: i64,
    /// Down.
    pub y: i64,
}

/// Micrometres.
pub fn um(mm: f64) -> i64 {
    (mm * 1000.0).round() as i64
}

/// A place in millimetres.
pub fn at(x: f64, y: f64) -> Point {
    Point { x: um(x), y: um(y) }
}

/// How KiCad and OpenSCAD write a length: millimetres without needless zeros.
pub fn mm(um: i64) -> String {
    let sign = if um < 0 { "-" } else { "" };
    let text = format!("{sign}{}.{:03}", um.abs() / 1000, um.abs() % 1000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

impl Point {
    /// Turned about the origin, counter-clockwise as one looks at it, by a multiple of 90 degrees: KiCad's sense.
    pub fn turned(self, degrees: u16) -> Self {
        let Self { x, y } = self;
        match degrees % 360 {
            0 => self,
            90 => Self { x: y, y: -x },
            180 => Self { x: -x, y: -y },
            270 => Self { x: -y, y: x },
            _ => panic!("parts stand straight, not at {degrees} degrees"),
        }
    }

    /// As millimetres, x and y.
    pub fn in_mm(self) -> (f64, f64) {
        (self.x as f64 / 1000.0, self.y as f64 / 1000.0)
    }
}

impl Add for Point {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self { x: self.x + other.x, y: self.y + other.y }
    }
}

impl Sub for Point {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self { x: self.x - other.x, y: self.y - other.y }
    }
}

/// How far a place is from a straight line between two others, in micrometres.
pub fn distance(place: Point, (from, to): (Point, Point)) -> f64 {
    let (way, off) = (to - from, place - from);
    let (wx, wy, ox, oy) = (way.x as f64, way.y as f64, off.x as f64, off.y as f64);
    let length = wx * wx + wy * wy;
    let along = if length == 0.0 { 0.0 } else { ((ox * wx + oy * wy) / length).clamp(0.0, 1.0) };
    (ox - along * wx).hypot(oy - along * wy)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_written_exactly() {
        assert_eq!([11.4, -0.75, 19.05, 3.0, 0.0].map(um).map(mm), ["11.4", "-0.75", "19.05", "3", "0"]);
    }

    #[test]
    fn quarter_turn_moves_right_to_up() {
        assert_eq!(at(1.0, 0.0).turned(90), at(0.0, -1.0));
        assert_eq!(at(1.0, 2.0).turned(90).turned(270), at(1.0, 2.0));
    }

    #[test]
    fn distance_is_to_the_nearest_point_of_the_line() {
        let line = (at(0.0, 0.0), at(4.0, 0.0));
        assert_eq!(distance(at(2.0, 3.0), line), 3000.0);
        assert_eq!(distance(at(7.0, 4.0), line), 5000.0);
    }
}
