//! The position and rotation of each part, and the positions of its pads.
//!
//! All cells of the matrix are the same, at a distance of 19.05 mm. Seen from the front, with the key at the centre:
//!
//! ```text
//!        row line, back  ---------------*------   y = -7.2
//!                              (2)      D
//!              (1)              `-------'
//!     column,   |   hole  O  hole
//!     front     |
//!               |  GND [ light ] out ---------->   next light
//!        data --->  in [       ] VDD
//!        supply, back  ========*===============   y = 7.5
//!                              C
//!        return, back  ------------------------   y = 11.05, from the last light of a row to the first of the next
//! ```

use super::footprints::{self, Drill, Footprint, Pad, Shape};
use super::geometry::{Point, at, um};
use super::mechanics::{connector, key, light, pico, piezo, screws, switch};
use super::netlist::{BULK_A_ROW, Component};
use super::parts::Face;
use crate::SIDE;

/// A part in its place.
#[derive(Clone, Debug)]
pub struct Placed {
    /// What it is and where its pads lead to.
    pub part: Component,
    /// Its middle, or pin 1 where its data sheet counts from there.
    pub at: Point,
    /// By how many degrees it is turned, after it was turned over.
    pub turn: u16,
}

/// A pad in its place.
#[derive(Clone, Debug)]
pub struct PlacedPad {
    /// The part and the number: `K0.1`.
    pub name: String,
    /// The net. Empty where it leads nowhere.
    pub net: String,
    /// Its middle.
    pub at: Point,
    /// Width and height, as it lies.
    pub size: Point,
    /// Its form.
    pub shape: Shape,
    /// Its hole.
    pub hole: Drill,
    /// The face of a flat pad.
    pub face: Face,
}

/// Puts every part in its place.
pub fn place(circuit: Vec<Component>) -> Vec<Placed> {
    let placed = |part: Component| {
        let (at, turn) = place_of(&part.name);
        Placed { part, at, turn }
    };
    circuit.into_iter().map(placed).collect()
}

/// Place and turn of a part.
fn place_of(name: &str) -> (Point, u16) {
    let (letter, number) = name.split_at(1);
    let number: usize = number.parse().unwrap_or_else(|_| panic!("{name} is a letter and a number"));
    match (letter, number) {
        ("K", cell) => (key(cell), 0),
        ("L", cell) => (light(cell), 0),
        // Cathode up, at the row.
        ("D", cell) => (key(cell) + at(5.6, -5.55), 270),
        // Upright below the light's VDD, on the supply of the row.
        ("C", cell @ 0..25) => (key(cell) + at(2.8, 8.975), 270),
        // Where there is no screw between the keys: right of columns 1 and 2.
        ("C", 29..) => {
            let (row, column) = ((number - 29) / BULK_A_ROW, 1 + (number - 29) % BULK_A_ROW);
            (key(SIDE * row + column) + at(9.525, 9.2), 270)
        }
        ("H", screw) => (screws()[screw - 1], 0),
        ("U", 1) => (pico(), 0),
        ("J", 1) => (connector(), 0),
        ("P", 1) => (piezo(), 0),
        ("S", 1) => (switch(), 0),
        // The way of the cells' current: straight up from the connector.
        ("Q", 2) => (at(38.25, 40.5), 90),
        ("R", 3) => (at(38.25, 43.4), 0),
        ("Q", 1) => (at(38.25, 36.0), 270),
        ("R", 2) => (at(34.8, 35.062), 180),
        // Load switch: VSYS on its right, VLED on its left.
        ("U", 3) => (at(34.2, 28.0), 180),
        ("C", 26) => (at(33.835, 31.0), 0),
        ("R", 4) => (at(36.8, 31.0), 0),
        ("C", 27) => (at(36.6, 24.6), 180),
        ("C", 28) => (at(36.4, 21.6), 180),
        // Buffer: supply on its left.
        ("U", 2) => (at(34.2, 47.0), 180),
        ("C", 25) => (at(33.6, 42.0), 0),
        ("R", 1) => (at(34.0, 50.0), 0),
        ("R", 5) => (at(52.6, 47.2), 0),
        _ => panic!("nobody said where {name} goes"),
    }
}

impl Placed {
    /// From a place in the footprint to a place on the board. What is on the back is turned over about its x axis
    /// first, as KiCad does it.
    pub fn on_board(&self, place: Point) -> Point {
        self.at + self.turned_over(place).turned(self.turn)
    }

    /// As the footprint stands in the board's file: turned over, not turned.
    pub fn turned_over(&self, place: Point) -> Point {
        match self.part.kind.face() {
            Face::Front => place,
            Face::Back => Point { x: place.x, y: -place.y },
        }
    }

    /// Its footprint, with the name where there is room for it.
    pub fn footprint(&self) -> Footprint {
        let mut footprint = footprints::of(self.part.kind);
        if self.part.name == "R3" {
            footprint.label = Some((at(-2.4, 0.0), um(0.8)));
        }
        footprint
    }

    /// The net of a pad. Empty where it leads nowhere.
    pub fn net(&self, pad: &Pad) -> String {
        let number = pad.number.to_string();
        self.part.nets.iter().find(|(of, _)| *of == number).map_or(String::new(), |(_, net)| net.clone())
    }

    /// Its pads in their places.
    pub fn pads(&self) -> Vec<PlacedPad> {
        let placed = |pad: &Pad| {
            let upright = self.turn % 180 == 90;
            let size = if upright { Point { x: pad.size.y, y: pad.size.x } } else { pad.size };
            PlacedPad {
                name: format!("{}.{}", self.part.name, pad.number),
                net: self.net(pad),
                at: self.on_board(pad.at),
                size,
                shape: pad.shape,
                hole: pad.hole,
                face: self.part.kind.face(),
            }
        };
        self.footprint().pads.iter().map(placed).collect()
    }
}
