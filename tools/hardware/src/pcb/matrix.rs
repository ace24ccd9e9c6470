//! The copper of the matrix, which is the same in every cell: see the drawing in [`super::placement`].
//!
//! Rows run on the back along the diodes' cathodes, columns on the front from key to key. The rows reach their lines by
//! five trunks along the left edge, the lowest row outermost, so that none crosses another. The supply of the lights
//! comes down the right edge.

use super::copper::{Copper, SIGNAL};
use super::geometry::{Point, at};
use super::mechanics::key;
use super::parts::Face;
use crate::SIDE;

/// The middle of the supply that runs down the right edge.
const SUPPLY_X: f64 = 96.05;
/// Its width.
const SUPPLY_WIDTH: f64 = 2.5;
/// Where the supply crosses over from the load switch, between the parts at the top and the keys.
pub const SUPPLY_Y: f64 = 51.9;
/// The widths of that and of the supply of one row.
pub const CROSSING_WIDTH: f64 = 1.5;
const ROW_SUPPLY_WIDTH: f64 = 1.0;

/// Heights in a cell, from the key's centre.
const ROW_LINE: f64 = -7.2;
const DATA_OUT: f64 = 4.33;
const DATA_IN: f64 = 5.83;
const SUPPLY: f64 = 7.5;
const RETURN: f64 = 11.05;
/// Where the data changes from row to row.
const RETURN_LEFT: f64 = 5.0;
const RETURN_RIGHT: f64 = 92.0;

/// Where the trunk of a row runs.
fn trunk_x(row: usize) -> f64 {
    3.8 - 0.7 * row as f64
}

/// The matrix without the ways to the Pico. `tops` are the heights at which the trunks of the rows begin.
pub fn draw(tops: [f64; SIDE]) -> Copper {
    let mut copper = Copper::default();
    to_first_light(&mut copper, "DATA0", 0, data_begins());
    for (row, top) in tops.into_iter().enumerate() {
        let y = key(SIDE * row).in_mm().1;
        let trunk = trunk_x(row);
        rows(&mut copper, row, &[at(trunk, top), at(trunk, y + ROW_LINE)]);
        for column in 0..SIDE {
            cell(&mut copper, row, column);
        }
        // The supply of this row, from the right edge to its first light.
        let places: Vec<Point> = (0..SIDE).map(|column| key(SIDE * row + column) + at(2.8, SUPPLY)).collect();
        copper.run("VLED", Face::Back, ROW_SUPPLY_WIDTH, &places);
        copper.run("VLED", Face::Back, ROW_SUPPLY_WIDTH, &[places[SIDE - 1], at(SUPPLY_X, y + SUPPLY)]);
        copper.run("VLED", Face::Back, SUPPLY_WIDTH, &[at(SUPPLY_X, supply_above(row)), at(SUPPLY_X, y + SUPPLY)]);
        if row + 1 < SIDE {
            way_back(&mut copper, row, y);
        }
    }
    copper
}

fn supply_above(row: usize) -> f64 {
    if row == 0 { SUPPLY_Y } else { key(SIDE * (row - 1)).in_mm().1 + SUPPLY }
}

/// The end of the crossing at the right edge.
pub fn supply_corner() -> Point {
    at(SUPPLY_X, SUPPLY_Y)
}

/// The upper end of a row's trunk.
pub fn trunk_top(row: usize, height: f64) -> Point {
    at(trunk_x(row), height)
}

fn rows(copper: &mut Copper, row: usize, trunk: &[Point]) {
    let net = format!("ROW{row}");
    let cathodes = (0..SIDE).map(|column| key(SIDE * row + column) + at(5.6, ROW_LINE));
    let places: Vec<Point> = trunk.iter().copied().chain(cathodes).collect();
    copper.run(&net, Face::Back, SIGNAL, &places);
}

fn cell(copper: &mut Copper, row: usize, column: usize) {
    let cell = SIDE * row + column;
    let centre = key(cell);
    let near = |x: f64, y: f64| centre + at(x, y);
    if row + 1 < SIDE {
        let below = key(cell + SIDE) + at(-3.81, -2.54);
        copper.run(&format!("COL{column}"), Face::Front, SIGNAL, &[near(-3.81, -2.54), below]);
    }
    let to_diode = [near(2.54, -5.08), near(4.67, -5.08), near(5.6, -4.15), near(5.6, -3.9)];
    copper.run(&format!("KEY{cell}"), Face::Back, SIGNAL, &to_diode);
    if column + 1 < SIDE {
        // From light to light, past the next one's ground.
        let data = [near(2.8, DATA_OUT), near(13.0, DATA_OUT), near(14.5, DATA_IN), near(16.25, DATA_IN)];
        copper.run(&format!("DATA{}", cell + 1), Face::Back, SIGNAL, &data);
        // Keeps the ground between data and supply from being an island.
        copper.via("GND", near(8.5, 5.7));
    }
    // Light, capacitor and supply.
    copper.run("VLED", Face::Back, 0.6, &[near(2.8, DATA_IN), near(2.8, SUPPLY), near(2.8, 8.2)]);
    copper.to_ground(near(-2.8, DATA_OUT), near(-4.6, DATA_OUT));
    copper.to_ground(near(2.8, 9.75), near(0.6, 9.75));
    if column == 1 || column == 2 {
        copper.run("VLED", Face::Back, 0.8, &[near(9.525, SUPPLY), near(9.525, 8.25)]);
        copper.to_ground(near(9.525, 10.15), near(11.0, 10.15));
    }
}

/// Where the data for the first light is handed over to us, on the front.
pub fn data_begins() -> Point {
    at(RETURN_LEFT, SUPPLY_Y)
}

/// Down to the first light of a row, on the front over the row's line, and to its input.
fn to_first_light(copper: &mut Copper, net: &str, row: usize, from: Point) {
    let first = key(SIDE * row) + at(-2.8, DATA_IN);
    let corner = at(RETURN_LEFT, first.in_mm().1);
    copper.run(net, Face::Front, SIGNAL, &[from, corner]);
    copper.via(net, corner);
    copper.run(net, Face::Back, SIGNAL, &[corner, first]);
}

/// From the last light of a row to the first of the next: over the supply on the front, to the left on the back, then
/// down.
fn way_back(copper: &mut Copper, row: usize, y: f64) {
    let net = format!("DATA{}", SIDE * (row + 1));
    let last = key(SIDE * row + SIDE - 1) + at(2.8, DATA_OUT);
    let corners = [at(RETURN_RIGHT, y + DATA_OUT), at(RETURN_RIGHT, y + RETURN), at(RETURN_LEFT, y + RETURN)];
    copper.run(&net, Face::Back, SIGNAL, &[last, corners[0]]);
    copper.run(&net, Face::Front, SIGNAL, &[corners[0], corners[1]]);
    copper.run(&net, Face::Back, SIGNAL, &[corners[1], corners[2]]);
    for corner in corners {
        copper.via(&net, corner);
    }
    to_first_light(copper, &net, row + 1, corners[2]);
}
