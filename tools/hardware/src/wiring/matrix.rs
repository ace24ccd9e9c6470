//! The keys in the wiring plan: five rows, five columns, and a diode at every contact.

use super::route::{self, lane};
use super::{pad, symbols};
use crate::pico::{Side, pin_number};
use crate::svg::{Anchor, Position, Svg};
use crate::{SIDE, Wiring, pin_name};

/// The position where the first column crosses the first row, and the distances to the next column and row.
const FIRST: Position = (110, 236);
const PITCH: Position = (76, 88);
/// The distance of a key above its row, and of its diode to the right of its column.
const ABOVE_ROW: i32 = 40;
const BESIDE_COLUMN: i32 = 44;
/// The upper end of the columns, and the right end of the rows.
const TOP: i32 = 156;
const RIGHT: i32 = 476;
/// The outermost vertical lanes of rows and columns, and the uppermost horizontal lane below the keys.
const ROW_LANES: i32 = 492;
const COLUMN_LANES: i32 = 560;
const UNDER_KEYS: i32 = 620;

/// The position where a row and a column cross.
pub(super) fn crossing(row: usize, column: usize) -> Position {
    (FIRST.0 + PITCH.0 * column as i32, FIRST.1 + PITCH.1 * row as i32)
}

pub(super) fn draw(svg: &mut Svg, wiring: &Wiring) {
    svg.text(
        "head",
        (40, 116),
        Anchor::Start,
        "Keys K0 to K24, each with a diode D0 to D24, 1N4148: its ring towards the row",
    );
    rows(svg, wiring);
    columns(svg, wiring);
    for row in 0..SIDE {
        for column in 0..SIDE {
            let (x, y) = crossing(row, column);
            let (key, diode) = ((x, y - ABOVE_ROW), (x + BESIDE_COLUMN, y - ABOVE_ROW));
            symbols::dot(svg, key);
            let cell = SIDE * row + column;
            svg.component(&format!("K{cell}"), |svg| symbols::key(svg, key, diode));
            svg.component(&format!("D{cell}"), |svg| symbols::diode(svg, diode));
            symbols::dot(svg, (diode.0, y));
            svg.text("small", (x + 8, y - ABOVE_ROW + 18), Anchor::Start, cell);
        }
    }
    svg.text(
        "small",
        (40, 706),
        Anchor::Start,
        "The number at a key is also the number of its diode and its light: 5 x row + column.",
    );
}

fn rows(svg: &mut Svg, wiring: &Wiring) {
    let pins = wiring.rows.map(|gpio| pin_number(&pin_name(gpio)));
    let ends: Vec<_> = (0..SIDE).map(|row| (crossing(row, 0).1, pad(pins[row]).1)).collect();
    let ranks = route::lanes_beside(&ends);
    for row in 0..SIDE {
        let (x, y) = crossing(row, 0);
        let start = (x - 20, y);
        let mut points = vec![start];
        points.extend(route::to_pin((RIGHT, y), Side::Left, lane(ROW_LANES, ranks[row]), pins[row], row));
        svg.wire("row", &points);
        svg.text("", (start.0 - 6, y - 2), Anchor::End, format_args!("row {row}"));
        svg.text("small", (start.0 - 6, y + 11), Anchor::End, pin_name(wiring.rows[row]));
    }
}

fn columns(svg: &mut Svg, wiring: &Wiring) {
    let pins = wiring.columns.map(|gpio| pin_number(&pin_name(gpio)));
    let ranks = route::lanes_from_below(&pins);
    for column in 0..SIDE {
        let (x, _) = crossing(0, column);
        let corner = (x, lane(UNDER_KEYS, ranks[column]));
        let mut points = vec![(x, TOP)];
        points.extend(route::to_pin(
            corner,
            Side::Left,
            lane(COLUMN_LANES, ranks[column]),
            pins[column],
            SIDE + column,
        ));
        svg.wire("column", &points);
        svg.text("", (x, TOP - 18), Anchor::Middle, format_args!("column {column}"));
        svg.text("small", (x, TOP - 5), Anchor::Middle, pin_name(wiring.columns[column]));
    }
}
