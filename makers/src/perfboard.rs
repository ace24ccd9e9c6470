//! The perfboard layout: all on one board of 9 by 15 cm, 31 by 55 holes, drawn from the side of the parts.
//!
//! A cell of 6 by 7 holes holds a light, a key and its diode, and is the same 25 times:
//!
//! ```text
//!        0 1 2 3 4 5      column of holes in the cell
//!     0  r r r r r r      the row wire of the cells above
//!     1  c L L L L .      the light's legs: data in, 5 V, GND, data out
//!     2  . . . . . .      way back of the data, at the end of a row
//!     3  c K . . K .      the key's upper legs, which are one inside: to the column wire at 0
//!     4  c . . . . .
//!     5  c K . . K .      its lower legs, one as well: to the diode
//!     6  c D - - D .      the diode: anode at the key's leg, ring to the left, bent down to the row wire
//! ```
//!
//! Rows run bare on the back; whatever crosses them is insulated.

use crate::pico::{HEADER, pin_number};
use crate::svg::{Anchor, Point, Svg};
use crate::{LedOrder, SIDE, Wiring, pin_name};

/// Holes across and down.
const HOLES: (i32, i32) = (31, 55);
/// From hole to hole, in pixels: 2.54 mm.
const PITCH: i32 = 16;
/// The top left hole.
const ORIGIN: Point = (70, 150);
const SHEET: Point = (820, 1080);
/// The first cell's top left hole, and the size of a cell.
const FIRST: Point = (1, 1);
const CELL: Point = (6, 7);
/// The Pico's upper row of pins, its leftmost pin, and from its upper row to the lower one.
const PICO: Point = (10, 40);
const PICO_HEIGHT: i32 = 7;
/// The legs of the capacitor, plus and minus: plus in the line of the first 5 V wire.
const CAPACITOR: (Point, Point) = ((3, 41), (5, 41));

/// A hole's place on the sheet.
fn hole(x: i32, y: i32) -> Point {
    (ORIGIN.0 + PITCH * x, ORIGIN.1 + PITCH * y)
}

/// A hole in a cell.
fn in_cell(cell: usize, x: i32, y: i32) -> Point {
    let (row, column) = ((cell / SIDE) as i32, (cell % SIDE) as i32);
    hole(FIRST.0 + CELL.0 * column + x, FIRST.1 + CELL.1 * row + y)
}

/// Draws the layout.
pub fn draw(wiring: &Wiring) -> String {
    let title = "Lights Out handheld: perfboard layout";
    let mut svg =
        Svg::new(SHEET.0, SHEET.1, title, "31 by 55 holes: 25 cells of light, key and diode; below them the Pico.");
    svg.text("title", (40, 44), Anchor::Start, title);
    svg.text(
        "",
        (40, 66),
        Anchor::Start,
        "9 x 15 cm, 31 x 55 holes of 2.54 mm, seen from the side of the parts. The wires are on the back.",
    );
    board(&mut svg);
    svg.group("supply", |svg| supply_wires(svg, wiring));
    svg.group("data", |svg| data_wires(svg, wiring));
    svg.group("matrix", |svg| matrix_wires(svg, wiring));
    svg.group("parts", |svg| (0..SIDE * SIDE).for_each(|cell| cell_parts(svg, cell)));
    svg.group("pico", |svg| pico(svg, wiring));
    svg.group("small-parts", |svg| small_parts(svg, wiring));
    legend(&mut svg, wiring);
    svg.finish()
}

fn board(svg: &mut Svg) {
    let (right, bottom) = hole(HOLES.0 - 1, HOLES.1 - 1);
    let edge = 14;
    svg.rectangle(
        "perfboard",
        (ORIGIN.0 - edge, ORIGIN.1 - edge),
        (right - ORIGIN.0 + 2 * edge, bottom - ORIGIN.1 + 2 * edge),
        6,
    );
    svg.holes(ORIGIN, PITCH, HOLES);
}

/// The holes of a light's legs in its cell: data in, 5 V, GND, data out. Where the chain runs to the left, lights are turned.
fn light_legs(wiring: &Wiring, cell: usize) -> [i32; 4] {
    let turned = wiring.led_order == LedOrder::Serpentine && cell / SIDE % 2 == 1;
    if turned { [4, 3, 2, 1] } else { [1, 2, 3, 4] }
}

/// 5 V and GND, down from light to light in every column of cells, joined below them, and on to the capacitor.
fn supply_wires(svg: &mut Svg, wiring: &Wiring) {
    let bottom = |column: usize| SIDE * (SIDE - 1) + column;
    for (class, leg, aside, below) in [("power", 1, 4, CELL.1 + 1), ("ground", 2, 5, CELL.1 + 2)] {
        let last = |column: usize| in_cell(bottom(column), light_legs(wiring, bottom(column))[leg], below);
        for column in 0..SIDE {
            let mut points = Vec::new();
            for cell in (0..SIDE).map(|row| SIDE * row + column) {
                let x = light_legs(wiring, cell)[leg];
                points.extend(points.last().map(|&(_, y)| (in_cell(cell, x, 0).0, y)));
                points.extend([in_cell(cell, x, 1), in_cell(cell, x, aside)]);
            }
            points.push(last(column));
            svg.line(&format!("{class} insulated"), &points);
            svg.circle("leg", last(column), 3);
        }
        svg.line(class, &[last(0), last(SIDE - 1)]);
    }
    let (plus, minus) = CAPACITOR;
    svg.line("power", &[hole(plus.0, 37), hole(plus.0, plus.1)]);
    svg.line("ground", &[hole(minus.0, 38), hole(minus.0, minus.1)]);
}

fn data_wires(svg: &mut Svg, wiring: &Wiring) {
    let chain: Vec<usize> = wiring.chain().collect();
    for pair in chain.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        let [_, _, _, out] = light_legs(wiring, from);
        let start = in_cell(from, out, 1);
        let end = in_cell(to, light_legs(wiring, to)[0], 1);
        let beside = if out == 4 { in_cell(from, 5, 1).0 } else { in_cell(from, -1, 1).0 };
        if start.1 == end.1 {
            svg.line("data", &[start, end]);
        } else if from % SIDE == to % SIDE {
            svg.line("data insulated", &[start, (beside, start.1), (beside, end.1), end]);
        } else {
            let (left, back) = (in_cell(to, -1, 1).0, in_cell(from, 0, 2).1);
            svg.line("data insulated", &[start, (beside, start.1), (beside, back), (left, back), (left, end.1), end]);
        }
    }
}

fn matrix_wires(svg: &mut Svg, wiring: &Wiring) {
    for row in 0..SIDE {
        let (first, last) = (SIDE * row, SIDE * row + SIDE - 1);
        let (start, end) = (in_cell(first, 1, CELL.1), in_cell(last, 5, CELL.1));
        svg.line("row", &[start, end]);
        for cell in first..=last {
            svg.line("row", &[in_cell(cell, 1, 6), in_cell(cell, 1, CELL.1)]);
        }
        let gpio = wiring.rows[row];
        svg.line("row", &[end, (end.0 + 34, end.1)]);
        svg.text("", (end.0 + 40, end.1 + 4), Anchor::Start, format_args!("row {row}: {}", with_number(gpio)));
    }
    for column in 0..SIDE {
        let last = SIDE * (SIDE - 1) + column;
        let (start, end) = (in_cell(column, 0, -1), in_cell(last, 0, 3));
        svg.line("column insulated", &[(start.0, start.1 - 22), end]);
        for row in 0..SIDE {
            let cell = SIDE * row + column;
            svg.line("column", &[in_cell(cell, 0, 3), in_cell(cell, 1, 3)]);
            svg.circle("leg", in_cell(cell, 0, 3), 3);
        }
        let label = (start.0 - 6, start.1 - 42);
        svg.text("", label, Anchor::Start, format_args!("column {column}"));
        svg.text("", (label.0, label.1 + 14), Anchor::Start, with_number(wiring.columns[column]));
    }
}

fn with_number(gpio: u8) -> String {
    format!("{}, pin {}", pin_name(gpio), pin_number(&pin_name(gpio)))
}

fn cell_parts(svg: &mut Svg, cell: usize) {
    let light = in_cell(cell, 2, 1);
    let middle = (light.0 + PITCH / 2, light.1);
    svg.rectangle("light", (middle.0 - 32, middle.1 - 8), (64, 16), 8);
    let key = in_cell(cell, 1, 3);
    svg.rectangle("key", (key.0 + 5, key.1 - 4), (38, 40), 4);
    svg.circle("cap", (key.0 + 24, key.1 + PITCH), 11);
    svg.text("small on-board", (key.0 + 24, key.1 + PITCH + 4), Anchor::Middle, cell);
    let cathode = in_cell(cell, 1, 6);
    let anode = in_cell(cell, 4, 6);
    svg.line("line", &[cathode, anode]);
    svg.line("line", &[in_cell(cell, 4, 5), anode]);
    svg.rectangle("glass", (cathode.0 + 10, cathode.1 - 5), (28, 10), 4);
    svg.rectangle("band", (cathode.0 + 14, cathode.1 - 5), (4, 10), 0);
    let legs = [(1, 1), (2, 1), (3, 1), (4, 1), (1, 3), (4, 3), (1, 5), (4, 5), (1, 6), (4, 6)];
    for (x, y) in legs {
        svg.circle("leg", in_cell(cell, x, y), 3);
    }
}

/// Lying, USB to the right: pins 20 to 1 above, 21 to 40 below, from the left.
fn pico(svg: &mut Svg, wiring: &Wiring) {
    let (left, top) = hole(PICO.0, PICO.1);
    let (right, bottom) = hole(PICO.0 + 19, PICO.1 + PICO_HEIGHT);
    svg.rectangle("board", (left - 12, top - 10), (right - left + 24, bottom - top + 20), 6);
    svg.rectangle("metal", (right - 22, (top + bottom) / 2 - 15), (40, 30), 3);
    svg.text("small", (right - 2, (top + bottom) / 2 + 4), Anchor::Middle, "USB");
    svg.text("head on-board", ((left + right) / 2 - 30, (top + bottom) / 2 + 5), Anchor::Middle, "Raspberry Pi Pico");
    for number in 1..=HEADER.len() {
        let name = HEADER[number - 1];
        let (x, y) = if number <= 20 {
            hole(PICO.0 + 20 - number as i32, PICO.1)
        } else {
            hole(PICO.0 + number as i32 - 21, PICO.1 + PICO_HEIGHT)
        };
        let used = wiring.pins().any(|(_, gpio)| pin_name(gpio) == name) || matches!(name, "VBUS" | "GND");
        svg.circle(if used { "pad-used" } else { "pad" }, (x, y), 5);
        if used {
            let down = if number <= 20 { 10 + 6 * name.len() as i32 } else { -10 };
            svg.upright_text("small on-board", (x + 4, y + down), name);
        }
    }
}

fn small_parts(svg: &mut Svg, wiring: &Wiring) {
    let (plus, minus) = CAPACITOR;
    let (plus, minus) = (hole(plus.0, plus.1), hole(minus.0, minus.1));
    svg.circle("part", ((plus.0 + minus.0) / 2, plus.1), 31);
    svg.circle("leg", plus, 3);
    svg.circle("leg", minus, 3);
    svg.text("", (plus.0 - 4, plus.1 - 6), Anchor::Middle, "+");
    svg.text("small", ((plus.0 + minus.0) / 2, plus.1 + 18), Anchor::Middle, "1000 uF");
    // The buffer, pin 1 at the lower left: pins 1 to 7 below from the left, 8 to 14 above from the right.
    let (upper, lower) = (hole(2, 49), hole(8, 52));
    svg.rectangle("chip", (upper.0 - 6, upper.1 + 5), (lower.0 - upper.0 + 12, lower.1 - upper.1 - 10), 3);
    svg.text("small on-board", ((upper.0 + lower.0) / 2 + 4, (upper.1 + lower.1) / 2 + 4), Anchor::Middle, "74AHCT125");
    svg.circle("on-board", (upper.0 + 2, lower.1 - 12), 3);
    for x in 2..=8 {
        svg.circle("leg", hole(x, 49), 3);
        svg.circle("leg", hole(x, 52), 3);
    }
    svg.text(
        "small",
        (upper.0 - 4, lower.1 + 16),
        Anchor::Start,
        format_args!("1A, pin 2: {}", pin_name(wiring.led_data)),
    );
    // The resistor, from the buffer's output at its pin 3.
    let (from, to) = (hole(11, 52), hole(15, 52));
    svg.line("line", &[from, to]);
    svg.rectangle("glass", (from.0 + 12, from.1 - 6), (40, 12), 5);
    svg.text("small", ((from.0 + to.0) / 2, from.1 - 10), Anchor::Middle, "330 ohm");
    svg.text("small", (from.0 - 6, from.1 + 16), Anchor::Start, "1Y, pin 3, to light 0");
    // The piezo, with its resistor.
    let piezo = hole(27, 51);
    svg.circle("part", piezo, 28);
    svg.text("small", (piezo.0, piezo.1 - 8), Anchor::Middle, "piezo");
    svg.line("line", &[hole(20, 51), hole(24, 51)]);
    svg.rectangle("glass", (hole(20, 51).0 + 12, piezo.1 - 6), (40, 12), 5);
    svg.text("small", (hole(22, 51).0, piezo.1 - 10), Anchor::Middle, "100 ohm");
    svg.text("small", (hole(22, 51).0, piezo.1 + 20), Anchor::Middle, format_args!("from {}", pin_name(wiring.piezo)));
    for leg in [from, to, hole(20, 51), hole(24, 51), hole(26, 51), hole(28, 51)] {
        svg.circle("leg", leg, 3);
    }
}

fn legend(svg: &mut Svg, wiring: &Wiring) {
    let x = hole(HOLES.0, 0).0 + 22;
    let mut y = 776;
    svg.text("head", (x, y), Anchor::Start, "On the back");
    for (class, text) in [
        ("row", "bare: rows"),
        ("column insulated", "insulated: columns"),
        ("power insulated", "5 V; insulated where dashed"),
        ("ground insulated", "GND; the same"),
        ("data", "bare: data, light to light"),
        ("data insulated", "insulated: data, row to row"),
    ] {
        y += 21;
        svg.line(class, &[(x, y - 4), (x + 34, y - 4)]);
        svg.text("", (x + 42, y), Anchor::Start, text);
    }
    y += 34;
    svg.text("head", (x, y), Anchor::Start, "A light's legs, from the left");
    let turned = match wiring.led_order {
        LedOrder::RowMajor => "data in, 5 V, GND, data out.",
        LedOrder::Serpentine => "in, 5 V, GND, out; rows 1, 3 turned.",
    };
    for text in [turned, "Other makes have other orders:", "check yours before bending."] {
        y += 18;
        svg.text("", (x, y), Anchor::Start, text);
    }
    y += 30;
    for text in ["Wires to the Pico, the buffer", "and the capacitor: as in the", "wiring plan, insulated."] {
        svg.text("", (x, y), Anchor::Start, text);
        y += 18;
    }
}
