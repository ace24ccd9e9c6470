//! The mechanics of the board: its outline and holes, and the positions and heights of keys, lights and tall parts.
//! [`scad`] writes them to `hardware/case/board.scad`, which the models of the case include.
//!
//! These positions are constants, because the case depends on them. [`super::placement`] places the small parts.

use std::fmt::Write;

use super::geometry::{Point, at, mm, um};
use crate::SIDE;

/// Width and height of the board.
pub const BOARD: (f64, f64) = (99.0, 149.0);
/// Thickness of the board: FR4 with copper and solder mask.
pub const THICKNESS: f64 = 1.6;
/// Radius of the board's corners.
pub const CORNER: f64 = 3.0;
/// Distance from key to key: the usual pitch, which caps are made for.
pub const PITCH: f64 = 19.05;
/// Diameter of the holes for M2 screws.
pub const SCREW_HOLE: f64 = 2.2;
/// Distance from the centre of a key to its light, which is below the slot of the key's housing.
pub const LIGHT_BELOW_KEY: f64 = 5.08;
/// Width and height of the Pico.
pub const PICO: (f64, f64) = (21.0, 51.0);
/// Distance from the board to the Pico: the height of the plastic of the pin headers.
pub const PICO_STANDOFF: f64 = 2.54;
/// Left, top, width and height of the area for the holder of three battery cells (AAA).
pub const BATTERY_BAY: [f64; 4] = [40.0, 4.0, 52.0, 37.0];
/// Height of the battery holder with its battery cells.
pub const BATTERY_HEIGHT: f64 = 14.0;
/// Body of the slide switch: size across the board, size along its edge, height.
pub const SWITCH_BODY: [f64; 3] = [4.4, 8.6, 4.7];
/// Length of the lever outside the body, and its travel.
pub const SWITCH_LEVER: (f64, f64) = (4.0, 2.0);
/// Diameter and height of the piezo.
pub const PIEZO: (f64, f64) = (12.2, 6.5);
/// Height of the pins of the keys at the back, which are 3.3 mm long, with their solder. Every part there is lower.
pub const BACK_HEIGHT: f64 = 2.0;

/// The centre of a key.
pub fn key(cell: usize) -> Point {
    at(11.4 + PITCH * (cell % SIDE) as f64, 61.4 + PITCH * (cell / SIDE) as f64)
}

/// The centre of a light.
pub fn light(cell: usize) -> Point {
    key(cell) + at(0.0, LIGHT_BELOW_KEY)
}

/// The centres of the screw holes: two at the top, and two between the keys, where the player presses.
pub fn screws() -> [Point; 4] {
    [at(3.5, 3.5), at(95.5, 3.5), at(20.925, 128.075), at(78.075, 128.075)]
}

/// The centre of the Pico. Its edge with the USB connector is flush with the edge of the board.
pub fn pico() -> Point {
    at(19.0, PICO.1 / 2.0)
}

/// The centre of the switch's pins.
pub fn switch() -> Point {
    at(96.4, 45.0)
}

/// The centre of the piezo.
pub fn piezo() -> Point {
    at(59.0, 47.2)
}

/// Pin 1 (plus) of the battery connector.
pub fn connector() -> Point {
    at(37.3, 45.5)
}

/// A box around a part on the front: name; left, top, width, height on the board, and height above the board.
pub type Body = (&'static str, [f64; 5]);

/// The parts on the front, without the keys.
pub fn bodies() -> Vec<Body> {
    let centred = |(x, y): (f64, f64), w: f64, h: f64, height: f64| [x - w / 2.0, y - h / 2.0, w, h, height];
    let (x, y) = connector().in_mm();
    let [left, top, width, height] = BATTERY_BAY;
    vec![
        ("Pico", centred(pico().in_mm(), PICO.0, PICO.1, PICO_STANDOFF + 1.0 + 2.7)),
        ("battery", [left, top, width, height, BATTERY_HEIGHT]),
        // With its plug.
        ("connector", [x - 1.95, y - 1.7, 5.9, 4.5, 8.0]),
        ("piezo", centred(piezo().in_mm(), PIEZO.0, PIEZO.0, PIEZO.1)),
        ("switch", centred(switch().in_mm(), SWITCH_BODY[0], SWITCH_BODY[1], SWITCH_BODY[2])),
    ]
}

/// The text of board.scad: the sizes and positions that the case needs.
pub fn scad() -> String {
    let pair = |place: Point| format!("[{}, {}]", mm(place.x), mm(place.y));
    let list = |places: Vec<Point>| places.into_iter().map(pair).collect::<Vec<_>>().join(", ");
    let plain = |numbers: &[f64]| numbers.iter().map(|&n| mm(um(n))).collect::<Vec<_>>().join(", ");
    let cells = SIDE * SIDE;
    let (switch_x, switch_y) = switch().in_mm();
    let lever = [switch_x + SWITCH_BODY[0] / 2.0 + SWITCH_LEVER.0, switch_y, SWITCH_BODY[2] / 2.0];
    let (connector_x, connector_y) = connector().in_mm();
    let values = [
        ("board_size", format!("[{}]", plain(&[BOARD.0, BOARD.1])), ""),
        ("board_thickness", plain(&[THICKNESS]), ""),
        ("board_corner", plain(&[CORNER]), "radius"),
        ("key_pitch", plain(&[PITCH]), ""),
        ("keys", format!("[{}]", list((0..cells).map(key).collect())), "centres, cell by cell"),
        ("lights", format!("[{}]", list((0..cells).map(light).collect())), "centres"),
        ("holes", format!("[{}]", list(screws().to_vec())), "for M2 screws"),
        ("hole_diameter", plain(&[SCREW_HOLE]), ""),
        ("pico", pair(pico()), "centre"),
        ("pico_size", format!("[{}]", plain(&[PICO.0, PICO.1])), ""),
        ("pico_standoff", plain(&[PICO_STANDOFF]), "from the board to the Pico's underside"),
        ("pico_bootsel", pair(pico() + at(-3.0, -12.75)), "the button's centre, within half a millimetre"),
        ("pico_usb", pair(at(pico().in_mm().0, -1.3)), "middle of the connector's front edge"),
        ("battery_bay", format!("[{}]", plain(&BATTERY_BAY)), "left, top, width, height"),
        ("battery_connector", pair(at(connector_x + 1.0, connector_y)), "between its two pins"),
        ("switch_at", pair(switch()), "middle of its pins"),
        ("switch_body", format!("[{}]", plain(&SWITCH_BODY)), "width, height, height above the board"),
        ("switch_lever", format!("[{}]", plain(&lever)), "its tip, in the middle of its travel"),
        ("switch_travel", plain(&[SWITCH_LEVER.1]), "along y, from one end to the other"),
        ("piezo_at", pair(piezo()), "centre"),
        ("piezo_size", format!("[{}]", plain(&[PIEZO.0, PIEZO.1])), "diameter, height"),
        ("back_height", plain(&[BACK_HEIGHT]), "the tallest part at the back, with its solder"),
    ];
    let mut text = String::from(
        "// Made by `cargo pcb`. Do not edit this file: change tools/hardware/src/pcb/mechanics.rs.\n\
         // Millimetres, seen from the front. The board's top left corner is the origin; x right, y down, z up.\n",
    );
    for (name, value, note) in values {
        let note = if note.is_empty() { String::new() } else { format!(" // {note}") };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{name} = {value};{note}");
    }
    text.push_str(
        "// Parts on the front, without the keys: left, top, width, height, and the height above the board.\n",
    );
    text.push_str("front_parts = [\n");
    for (name, body) in bodies() {
        let _ = writeln!(text, "    [{}], // {name}", plain(&body));
    }
    text.push_str("];\n");
    text
}
