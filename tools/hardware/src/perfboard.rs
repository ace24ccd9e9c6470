//! The perfboard layout: a board of 9 by 15 cm with 31 by 55 holes, drawn to scale, seen from the component side.
//!
//! A cell of 6 by 7 holes holds a light, a key and its diode. All 25 cells are the same:
//!
//! ```text
//!        0 1 2 3 4 5      column of holes in the cell
//!     0  r r r r r r      row wire of the cells above
//!     1  c L L L L .      legs of the light: data in, 5 V, GND, data out; on the back, 100 nF from 5 V to GND
//!     2  . . . . . .      return wire of the data, at the end of a row
//!     3  c K . . K .      the key: its upper left leg goes to the column wire at 0,
//!     4  c . . . . .
//!     5  c K . . K .      its lower right leg to the diode
//!     6  c D - - D .      the diode: anode at the key's leg; ring on the left, that leg bent down to the row wire
//! ```
//!
//! The legs of a key are 6.5 and 4.5 mm apart, so the key fits only in this orientation or turned by 180 degrees. In
//! keys of every make, diagonal legs are the two sides of the contact. Row wires are bare, on the back; wires that
//! cross them are insulated.
//!
//! `plan` defines and checks the positions of parts and wires, `bodies` the sizes of the parts.

mod beside;
mod bodies;
mod plan;
mod wires;

use bodies::Outline;
use plan::{Hole, Net};
use wires::Wire;

use crate::pico::{HEADER, OTHER_BOARDS, pin_number};
use crate::svg::{Anchor, Position, Svg};
use crate::tables::parts;
use crate::{SIDE, Wiring, pin_name};

/// Number of holes across and down.
const HOLES: (i32, i32) = (31, 55);
const SHEET: Position = (1150, 1120);
/// The top left hole of the first cell, and the size of a cell in holes.
const FIRST: Position = (1, 1);
const CELL: Position = (6, 7);
/// The leftmost pin of the Pico's upper row, and the distance to its lower row, in holes.
const PICO: Position = (11, 40);
const PICO_HEIGHT: i32 = 7;

/// The scale of a drawing, and the position of its first hole on the sheet.
#[derive(Clone, Copy)]
struct Scale {
    origin: Position,
    /// Distance from hole to hole, in pixels.
    pitch: i32,
}

const BOARD: Scale = Scale { origin: (100, 180), pitch: 16 };

impl Scale {
    fn hole(self, (x, y): Hole) -> Position {
        (self.origin.0 + self.pitch * x, self.origin.1 + self.pitch * y)
    }

    /// Converts hundredths of a millimetre to pixels.
    fn length(self, length: i32) -> i32 {
        (2 * length * self.pitch / bodies::PITCH + 1) / 2
    }

    fn path(self, holes: &[Hole]) -> Vec<Position> {
        holes.iter().map(|&hole| self.hole(hole)).collect()
    }

    fn place(self, at: Position) -> Position {
        (self.origin.0 + self.length(at.0), self.origin.1 + self.length(at.1))
    }

    fn outline(self, svg: &mut Svg, class: &str, body: &Outline, corner: i32) {
        let (x, y) = self.place(body.at);
        let (width, height) = (self.length(body.size.0), self.length(body.size.1));
        if body.round {
            svg.circle(class, (x, y), width / 2);
        } else {
            svg.rectangle(class, (x - width / 2, y - height / 2), (width, height), corner);
        }
    }
}

/// Draws the layout.
pub fn draw(wiring: &Wiring) -> String {
    let title = "Lights Out handheld: perfboard layout";
    let mut svg =
        Svg::new(SHEET.0, SHEET.1, title, "31 by 55 holes: 25 cells of light, key and diode; below them the Pico.");
    svg.text("title", (56, 44), Anchor::Start, title);
    svg.text(
        "",
        (56, 66),
        Anchor::Start,
        "9 x 15 cm, 31 x 55 holes of 2.54 mm, to scale, seen from the component side. The wires are on the back.",
    );
    board(&mut svg);
    svg.group("wires", |svg| wires::wires(wiring).iter().for_each(|wire| draw_wire(svg, BOARD, wire)));
    svg.group("matrix", |svg| matrix_labels(svg, wiring));
    svg.group("cells", |svg| (0..SIDE * SIDE).for_each(|cell| cell_parts(svg, BOARD, wiring, cell)));
    svg.group("pico", |svg| pico(svg, wiring));
    svg.group("small-parts", |svg| small_parts(svg, wiring));
    svg.group("battery", beside::battery);
    svg.group("enlarged", |svg| beside::enlarged(svg, wiring));
    svg.group("legend", |svg| beside::legend(svg, wiring));
    svg.finish()
}

fn board(svg: &mut Svg) {
    let ((left, top), (right, bottom)) = (BOARD.origin, BOARD.hole((HOLES.0 - 1, HOLES.1 - 1)));
    let (width, height) = (BOARD.length(9000), BOARD.length(15000));
    let corner = ((left + right - width) / 2, (top + bottom - height) / 2);
    svg.rectangle("perfboard", corner, (width, height), 6);
    svg.holes(BOARD.origin, BOARD.pitch, HOLES);
}

fn draw_wire(svg: &mut Svg, scale: Scale, wire: &Wire) {
    let class = match wire.net {
        Net::Row(_) => "row",
        Net::Column(_) => "column",
        Net::Data(_) | Net::Buffered => "data",
        Net::Vbus | Net::Vsys | Net::Vled | Net::Battery | Net::Fused => "power",
        Net::Ground => "ground",
        Net::Gate | Net::Collector | Net::Base => "supply",
        Net::Piezo => "sound",
        Net::Key(_) | Net::Pin(_) | Net::Open => "line",
    };
    let class = if wire.insulated { format!("{class} insulated") } else { class.to_owned() };
    svg.line(&class, &scale.path(&wire.path));
    for hole in [wire.path[0], wire.path[wire.path.len() - 1]] {
        svg.circle("leg", scale.hole(hole), scale.pitch / 5);
    }
}

/// The wires of rows and columns that go to the Pico, and their labels.
fn matrix_labels(svg: &mut Svg, wiring: &Wiring) {
    for row in 0..SIDE {
        let (x, y) = BOARD.hole(plan::in_cell(SIDE * row + SIDE - 1, 5, CELL.1));
        svg.line("row", &[(x, y), (x + 50, y)]);
        svg.text("", (x + 56, y + 4), Anchor::Start, format_args!("row {row}: {}", with_number(wiring.rows[row])));
    }
    for column in 0..SIDE {
        let (x, y) = BOARD.hole(plan::in_cell(column, 0, 3));
        svg.line("column insulated", &[(x, y), (x, 134)]);
        svg.text("", (x - 6, 112), Anchor::Start, format_args!("column {column}"));
        svg.text("", (x - 6, 127), Anchor::Start, with_number(wiring.columns[column]));
    }
}

fn with_number(gpio: u8) -> String {
    format!("{}, pin {}", pin_name(gpio), pin_number(&pin_name(gpio)))
}

fn leg(svg: &mut Svg, scale: Scale, hole: Hole) {
    svg.circle("leg", scale.hole(hole), scale.pitch / 5);
}

/// The legs of a part.
fn legs(svg: &mut Svg, scale: Scale, wiring: &Wiring, part: &str) {
    for found in plan::legs(wiring).iter().filter(|leg| leg.part == part) {
        leg(svg, scale, found.at);
    }
}

fn cell_parts(svg: &mut Svg, scale: Scale, wiring: &Wiring, cell: usize) {
    let [light, key, diode] = bodies::cell(cell, bodies::LED_5_MM);
    let at = |x: i32, y: i32| scale.hole(plan::in_cell(cell, x, y));
    svg.component(&light.part, |svg| {
        scale.outline(svg, "light", &light, 0);
        legs(svg, scale, wiring, &light.part);
    });
    // The capacitor is on the back, between the two middle legs of the light.
    svg.component(&format!("C{cell}"), |svg| {
        let ((x, y), half) = (scale.place(light.at), scale.pitch / 4);
        svg.rectangle("on-back", (x - half - 1, y - half), (2 * half + 2, 2 * half), 1);
    });
    svg.component(&key.part, |svg| {
        scale.outline(svg, "key", &key, 4);
        let middle = scale.place(key.at);
        svg.circle("cap", middle, scale.length(175));
        svg.text("small on-board", (middle.0, middle.1 + 4), Anchor::Middle, cell);
        legs(svg, scale, wiring, &key.part);
    });
    svg.component(&diode.part, |svg| {
        svg.line("line", &[at(1, 6), at(4, 6)]);
        with_ring(svg, scale, &diode);
        legs(svg, scale, wiring, &diode.part);
    });
}

/// The body of a diode, with its ring on the left.
fn with_ring(svg: &mut Svg, scale: Scale, body: &Outline) {
    scale.outline(svg, "glass", body, scale.pitch / 4);
    let ((x, y), (width, height)) = (scale.place(body.at), (scale.length(body.size.0), scale.length(body.size.1)));
    svg.rectangle("band", (x - width / 2 + width / 6, y - height / 2), (width / 7, height), 0);
}

/// The Pico, horizontal, with USB on the right, in its two socket strips.
fn pico(svg: &mut Svg, wiring: &Wiring) {
    let ((left, top), (right, bottom)) = (BOARD.hole(plan::pico_pin(20)), BOARD.hole(plan::pico_pin(40)));
    let middle = (top + bottom) / 2;
    svg.component("U1", |svg| {
        let body = bodies::below().into_iter().find(|body| body.part == "U1").expect("the Pico has a body");
        BOARD.outline(svg, "board", &body, 6);
        svg.rectangle("metal", (right - 8, middle - 17), (26, 34), 3);
        svg.text("small", (right + 5, middle + 4), Anchor::Middle, "USB");
        svg.text("head on-board", ((left + right) / 2 - 20, middle), Anchor::Middle, parts::value("U1"));
        svg.text("small on-board", ((left + right) / 2 - 20, middle + 16), Anchor::Middle, OTHER_BOARDS);
    });
    for (name, y) in [("X1", top), ("X2", bottom)] {
        svg.component(name, |svg| svg.rectangle("socket", (left - 8, y - 8), (right - left + 16, 16), 2));
    }
    for number in 1..=HEADER.len() {
        let name = HEADER[number - 1];
        let (x, y) = BOARD.hole(plan::pico_pin(number));
        let power = matches!(name, "VBUS" | "VSYS" | "GND");
        let used = wiring.pins().any(|(_, gpio)| pin_name(gpio) == name) || power;
        svg.circle(if used { "pad-used" } else { "pad" }, (x, y), 5);
        if used {
            let down = if number <= 20 { 14 + 6 * name.len() as i32 } else { -12 };
            svg.upright_text("small on-board", (x + 4, y + down), name);
        }
    }
    for (number, below) in [(1, -14), (20, -14), (21, 22), (40, 22)] {
        let (x, y) = BOARD.hole(plan::pico_pin(number));
        let aside = if number <= 20 { 0 } else { 10 };
        svg.text("small", (x - aside, y + below), Anchor::Middle, number);
    }
}

fn small_parts(svg: &mut Svg, wiring: &Wiring) {
    for body in bodies::below().into_iter().filter(|body| body.part != "U1") {
        let part = body.part.as_str();
        let (x, y) = BOARD.place(body.at);
        let half = BOARD.length(body.size.1) / 2;
        let ends: Vec<Hole> = plan::legs(wiring).into_iter().filter(|leg| leg.part == part).map(|leg| leg.at).collect();
        svg.component(part, |svg| {
            if let [one, other] = ends[..]
                && !body.round
            {
                svg.line("line", &BOARD.path(&[one, other]));
            }
            match part {
                "U2" => {
                    BOARD.outline(svg, "board see-through", &body, 3);
                    svg.circle("on-board", (x - BOARD.length(body.size.0) / 2 + 5, y + half - 5), 3);
                    svg.text("small on-board", (x, y - 2), Anchor::Middle, part);
                    svg.text("small on-board", (x, y + 10), Anchor::Middle, "adapter");
                }
                "C26" | "P1" => {
                    BOARD.outline(svg, "part see-through", &body, 0);
                    let (name, value) = if part == "C26" { (-1, 9) } else { (-12, 22) };
                    svg.text("small", (x, y + name), Anchor::Middle, part);
                    svg.text("small", (x, y + value), Anchor::Middle, parts::value(part));
                }
                "C25" | "C27" => BOARD.outline(svg, "bead", &body, 6),
                "Q1" | "Q2" | "Q3" => {
                    BOARD.outline(svg, "chip", &body, 2);
                    let side = BOARD.length(body.size.0) / 2 - 3;
                    svg.rectangle("on-board", (x - side, y + half - 4), (2 * side, 2), 0);
                }
                _ => BOARD.outline(svg, "glass", &body, 5),
            }
            if part == "C26" {
                svg.text("", (x + 10, y - 13), Anchor::Middle, "+");
            }
            ends.iter().for_each(|&hole| leg(svg, BOARD, hole));
        });
    }
    for (name, pin) in [("X3", 6), ("X4", 1)] {
        let (x, y) = BOARD.hole(plan::buffer_pin(pin));
        svg.component(name, |svg| svg.rectangle("socket", (x - 8, y - 8), (2 * BOARD.pitch + 16, 16), 2));
    }
    small_labels(svg, wiring);
}

/// Names of parts that are too small to show them.
fn small_labels(svg: &mut Svg, wiring: &Wiring) {
    let mut beside = |hole: Hole, (right, down): Position, anchor: Anchor, text: &str| {
        let (x, y) = BOARD.hole(hole);
        svg.text("small tag", (x + right, y + down), anchor, text);
    };
    for (part, hole, shift) in [
        ("R1", (4, 45), (0, 4)),
        ("R2", (17, 51), (0, 4)),
        ("R3", (21, 53), (0, 4)),
        ("R4", (12, 51), (0, 4)),
        ("R5", (16, 53), (0, 4)),
        ("R6", (7, 44), (0, 4)),
        ("R7", (24, 52), (0, 4)),
        ("F1", (29, 52), (0, 4)),
        ("C25", (1, 48), (-8, 4)),
        ("C27", (21, 52), (9, 4)),
        ("Q1", (22, 50), (8, 4)),
        ("Q2", (16, 49), (2, 4)),
        ("Q3", (27, 48), (6, 8)),
    ] {
        beside(hole, shift, Anchor::Middle, part);
    }
    for (first, letters) in [(19, ["G", "D", "S"]), (13, ["E", "B", "C"]), (24, ["G", "D", "S"])] {
        for (x, letter) in (first..).zip(letters) {
            beside((x, 50), (0, 4), Anchor::Middle, letter);
        }
    }
    // Wires to pins that `src/wiring.rs` selects.
    let buffer = plan::buffer_pin(2);
    svg.line("data insulated", &BOARD.path(&[buffer, (buffer.0, buffer.1 + 2)]));
    for leg in plan::legs(wiring) {
        if let Net::Pin(gpio) = leg.net {
            let (x, y) = BOARD.hole(leg.at);
            let (right, down) = match leg.part.as_str() {
                "U2" => (-5, 36),
                "R6" => (21, -12),
                _ => (-8, 4),
            };
            svg.text("small tag pin", (x + right, y + down), Anchor::End, pin_name(gpio));
        }
    }
}
