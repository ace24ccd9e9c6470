//! Writes `hardware/case/board.scad`: the positions on the board that the case needs.

use std::fmt::Write;

use super::geometry::Point;
use super::{Board, Part};
use crate::SIDE;

/// The text of board.scad.
///
/// # Errors
/// Names what the board lacks.
pub fn scad(board: &Board) -> Result<String, String> {
    let part = |name: &str| board.part(name).ok_or_else(|| format!("the board has no part {name}"));
    let series = |letter: &str| {
        let names = (0..SIDE * SIDE).map(|cell| format!("{letter}{cell}"));
        names.map(|name| part(&name).map(|part| pair(part.at))).collect::<Result<Vec<_>, _>>()
    };
    let mut holes: Vec<&Part> = board.parts.iter().filter(|part| part.name.starts_with('H')).collect();
    holes.sort_by(|a, b| a.name.cmp(&b.name));
    let hole = holes.first().and_then(|hole| hole.pads.first()).ok_or("the board has no screw hole")?;
    let connector = part("J1")?;
    let [plus, minus] = &connector.pads[..] else { return Err("the connector J1 does not have two pads".into()) };
    let middle = Point { x: (plus.at.x + minus.at.x) / 2, y: (plus.at.y + minus.at.y) / 2 };
    let values = [
        ("board_size", pair(board.size()), ""),
        ("board_thickness", mm(board.thickness), ""),
        ("board_corner", mm(corner_radius(board)?), "radius"),
        ("keys", list(series("K")?), "centres, cell by cell"),
        ("lights", list(series("L")?), "centres"),
        ("holes", list(holes.iter().map(|hole| pair(hole.at)).collect()), "for the screws"),
        ("hole_diameter", mm(hole.size.x), ""),
        ("pico", pair(part("U1")?.at), "centre"),
        ("battery_bay", bay(part("BT1")?)?, "left, top, width, height"),
        ("battery_connector", pair(middle), "between its two pins"),
        ("switch_at", pair(part("S1")?.at), "middle of its pins"),
        ("piezo_at", pair(part("P1")?.at), "centre"),
    ];
    let mut text = String::from(
        "// Made by `cargo wiring` from hardware/pcb/lights-out.kicad_pcb. Do not edit.\n\
         // Millimetres, seen from the front. The board's top left corner is the origin; x right, y down.\n",
    );
    for (name, value, note) in values {
        let note = if note.is_empty() { String::new() } else { format!(" // {note}") };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{name} = {value};{note}");
    }
    Ok(text)
}

/// A length in millimetres, without unnecessary zeros.
fn mm(um: i64) -> String {
    (um as f64 / 1000.0).to_string()
}

fn pair(point: Point) -> String {
    format!("[{}, {}]", mm(point.x), mm(point.y))
}

fn list(items: Vec<String>) -> String {
    format!("[{}]", items.join(", "))
}

/// The radius of the board's corners: the distance from the left edge to the start of the top edge.
fn corner_radius(board: &Board) -> Result<i64, String> {
    let ends = board.cuts.iter().flat_map(|cut| [cut[0], cut[2]]);
    let top = ends.filter(|point| point.y == 0).map(|point| point.x).min();
    top.ok_or_else(|| "the board's top edge is not at y = 0".into())
}

/// The rectangle of a part's courtyard.
fn bay(part: &Part) -> Result<String, String> {
    let points: Vec<Point> = part.courtyard.iter().flat_map(|&(from, to)| [from, to]).collect();
    let range = |axis: fn(&Point) -> i64| Some((points.iter().map(axis).min()?, points.iter().map(axis).max()?));
    let rectangle = range(|point| point.x).zip(range(|point| point.y));
    let ((left, right), (top, bottom)) = rectangle.ok_or_else(|| format!("{} has no courtyard", part.name))?;
    Ok(list([left, top, right - left, bottom - top].map(mm).to_vec()))
}
