//! The wide copper of the supply above the keys, drawn by hand. The [`super::router`] routes the signals.

use super::copper::{Copper, SIGNAL};
use super::geometry::{Point, at};
use super::matrix::{CROSSING_WIDTH, SUPPLY_Y, supply_corner};
use super::parts::Face;

/// The middle of VLED on its way down from the load switch, and of VSYS on its way from the transistor to the Pico.
const VLED_X: f64 = 31.3;
const VSYS_X: f64 = 39.2;

/// Draws it; `pad` tells where a pad is.
pub fn draw(pad: impl Fn(&str) -> Point) -> Copper {
    let mut copper = Copper::default();
    let mut run = |net: &str, width: f64, places: &[Point]| copper.run(net, Face::Back, width, places);
    let across = |place: Point, x: f64| at(x, place.in_mm().1);

    // Cells, transistor, transistor, Pico.
    run("BATT", 1.2, &[pad("J1.1"), pad("Q2.2")]);
    run("CELLS", 1.2, &[pad("Q2.3"), pad("Q1.3")]);
    let corner = across(pad("U1.39"), VSYS_X);
    run("VSYS", 1.5, &[pad("Q1.2"), corner, pad("U1.39")]);
    for (name, width) in [("U3.1", 0.6), ("C27.1", 0.6), ("C28.1", 0.8)] {
        run("VSYS", width, &[across(pad(name), VSYS_X), pad(name)]);
    }

    // Load switch, and over to the right edge.
    run("VLED", CROSSING_WIDTH, &[across(pad("U3.6"), VLED_X), at(VLED_X, SUPPLY_Y), supply_corner()]);
    for (name, width) in [("U3.6", 0.6), ("U3.5", 0.6), ("C25.1", 0.6), ("U2.5", 0.5)] {
        run("VLED", width, &[pad(name), across(pad(name), VLED_X)]);
    }

    // Gates and other short ways.
    run("POWER", SIGNAL, &[pad("Q2.1"), at(VSYS_X, 43.4), pad("R3.2")]);
    run("VBUS", SIGNAL, &[pad("R2.1"), pad("Q1.1")]);
    run("RISE", SIGNAL, &[pad("U3.4"), pad("C26.1")]);
    run("LED_SUPPLY", SIGNAL, &[pad("U3.3"), pad("U3.3") + at(0.637, 0.637), pad("R4.1")]);
    run("LED_DATA_5V", SIGNAL, &[pad("U2.4"), pad("R1.1")]);
    run("SOUND", SIGNAL, &[pad("R5.2"), pad("P1.1")]);

    let grounds = [
        ("U3.2", (1.9, 0.0)),
        ("C26.2", (0.0, 2.1)),
        ("R4.2", (0.0, 2.1)),
        ("C27.2", (-1.3, 0.0)),
        ("C28.2", (-1.5, 0.0)),
        ("R2.2", (-1.2, 0.0)),
        ("U2.1", (0.0, -1.0)),
        ("U2.3", (1.06, 0.0)),
        ("C25.2", (0.0, -1.2)),
    ];
    for (name, (x, y)) in grounds {
        copper.to_ground(pad(name), pad(name) + at(x, y));
    }
    copper
}
