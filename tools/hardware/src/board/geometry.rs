//! Positions on the board, in whole micrometres.
//!
//! Everything is seen from the front: x to the right, y down. The top left corner of the board is the origin.

use std::ops::{Add, Sub};

/// A position, or the vector from one position to another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Point {
    /// To the right.
    pub x: i64,
    /// Down.
    pub y: i64,
}

/// Converts millimetres to micrometres.
pub fn um(mm: f64) -> i64 {
    (mm * 1000.0).round() as i64
}

/// A position in millimetres.
pub fn at(x: f64, y: f64) -> Point {
    Point { x: um(x), y: um(y) }
}

impl Point {
    /// Rotated about the origin, counter-clockwise as seen from the front, which is KiCad's direction.
    pub fn rotated(self, degrees: f64) -> Self {
        let (sin, cos) = degrees.to_radians().sin_cos();
        let (x, y) = (self.x as f64, self.y as f64);
        Self { x: (x * cos + y * sin).round() as i64, y: (y * cos - x * sin).round() as i64 }
    }

    /// In millimetres: x and y.
    pub fn in_mm(self) -> (f64, f64) {
        (self.x as f64 / 1000.0, self.y as f64 / 1000.0)
    }

    /// The distance to another position, in micrometres.
    pub fn distance(self, other: Self) -> f64 {
        let way = self - other;
        (way.x as f64).hypot(way.y as f64)
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

/// The distance from a position to a straight line between two others, in micrometres.
pub fn distance(point: Point, (from, to): (Point, Point)) -> f64 {
    let (way, offset) = (to - from, point - from);
    let (wx, wy, ox, oy) = (way.x as f64, way.y as f64, offset.x as f64, offset.y as f64);
    let length = wx * wx + wy * wy;
    let along = if length == 0.0 { 0.0 } else { ((ox * wx + oy * wy) / length).clamp(0.0, 1.0) };
    (ox - along * wx).hypot(oy - along * wy)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quarter_turn_moves_right_to_up() {
        assert_eq!(at(1.0, 0.0).rotated(90.0), at(0.0, -1.0));
        assert_eq!(at(1.0, 2.0).rotated(90.0).rotated(270.0), at(1.0, 2.0));
        assert_eq!(at(1.0, 0.0).rotated(-180.0), at(-1.0, 0.0));
    }

    #[test]
    fn distance_is_to_the_nearest_point_of_the_line() {
        let line = (at(0.0, 0.0), at(4.0, 0.0));
        assert_eq!(distance(at(2.0, 3.0), line), 3000.0);
        assert_eq!(distance(at(7.0, 4.0), line), 5000.0);
        assert_eq!(at(0.0, 0.0).distance(at(3.0, 4.0)), 5000.0);
    }
}
