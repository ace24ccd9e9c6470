//! The drawings beside the board: the battery, one cell enlarged, and the legend.

use super::{BOARD, CELL, Scale, cell_parts, plan};
use crate::svg::{Anchor, Svg};
use crate::{LedOrder, Wiring};

/// The left edge of the column of text.
const LEFT: i32 = 780;

/// The battery, which is connected to the board by wires.
pub(super) fn battery(svg: &mut Svg) {
    let (plus, minus) = (BOARD.hole((30, 52)), BOARD.hole((30, 54)));
    let (left, switch, right) = (690, 720, 960);
    svg.rectangle("optional", (left - 14, plus.1 - 62), (right - left + 14, 122), 8);
    for (line, text) in ["optional: battery. On USB alone leave", "out B1, S1, F1, Q3 and R7."].into_iter().enumerate()
    {
        svg.text("", (left, plus.1 - 44 + 16 * line as i32), Anchor::Start, text);
    }
    svg.component("S1", |svg| {
        svg.line("power insulated", &[plus, (switch, plus.1)]);
        svg.line("line", &[(switch + 2, plus.1 - 3), (switch + 42, plus.1 - 16)]);
        svg.circle("part", (switch, plus.1), 3);
        svg.circle("part", (switch + 46, plus.1), 3);
        svg.line("power insulated", &[(switch + 49, plus.1), (switch + 96, plus.1)]);
        svg.text("", (switch + 23, plus.1 + 20), Anchor::Middle, "S1 on-off");
    });
    svg.component("B1", |svg| {
        svg.line("ground insulated", &[minus, (switch + 96, minus.1)]);
        svg.circle("leg", plus, 4);
        svg.circle("leg", minus, 4);
        svg.rectangle("part", (switch + 96, plus.1 - 16), (134, 64), 4);
        svg.text("", (switch + 104, plus.1 + 4), Anchor::Start, "+");
        svg.text("", (switch + 104, minus.1 + 4), Anchor::Start, "\u{2212}");
        for (line, text) in ["B1 three", "AAA cells"].into_iter().enumerate() {
            svg.text("", (switch + 172, plus.1 + 12 + 16 * line as i32), Anchor::Middle, text);
        }
    });
}

/// One cell, enlarged to show the names of the legs.
pub(super) fn enlarged(svg: &mut Svg, wiring: &Wiring) {
    const PITCH: i32 = 30;
    // A cell of the first row: there the chain runs to the right in every LED order.
    let cell = 1;
    let (x, y) = plan::in_cell(cell, 0, 0);
    let scale = Scale { origin: (LEFT + 22 - PITCH * x, 180 - PITCH * y), pitch: PITCH };
    let at = |x: i32, y: i32| scale.hole(plan::in_cell(cell, x, y));
    svg.text("head", (LEFT, 112), Anchor::Start, "One cell, enlarged");
    svg.text("", (LEFT, 130), Anchor::Start, "also seen from the component side");
    svg.rectangle("perfboard", (at(0, 0).0 - 22, at(0, 0).1 - 22), (5 * PITCH + 44, 7 * PITCH + 44), 6);
    for hole in (0..=CELL.1).flat_map(|y| (0..CELL.0).map(move |x| (x, y))) {
        svg.circle("hole", at(hole.0, hole.1), 4);
    }
    svg.line("row", &[at(0, 0), at(5, 0)]);
    svg.line("row", &[at(0, 7), at(5, 7)]);
    svg.line("row", &[at(1, 6), at(1, 7)]);
    svg.line("column insulated", &[at(0, 0), at(0, 7)]);
    svg.line("column", &[at(0, 3), at(1, 3)]);
    svg.line("power insulated", &[at(2, 0), at(2, 7)]);
    svg.line("ground insulated", &[at(3, 0), at(3, 7)]);
    svg.line("data", &[(at(0, 1).0 - 22, at(0, 1).1), at(1, 1)]);
    svg.line("data", &[at(4, 1), (at(5, 1).0 + 22, at(5, 1).1)]);
    svg.line("line", &[at(4, 5), at(4, 6)]);
    // The same drawing as on the board, but without the part names: these are not additional parts.
    let mut copy = Svg::piece();
    cell_parts(&mut copy, scale, wiring, cell);
    svg.add_piece(&copy);
    for (x, text) in [(1, "in"), (2, "5 V"), (3, "GND"), (4, "out")] {
        let (x, y) = at(x, 1);
        svg.text("small", (x, y - 12), Anchor::Middle, text);
    }
    let right = at(5, 0).0 + 30;
    for (y, text) in [
        (at(0, 0).1, "row wire of the cell above"),
        (at(0, 1).1 - 4, "light; on the back, across"),
        (at(0, 1).1 + 12, "its 5 V and GND, 100 nF"),
        (at(0, 4).1 + 4, "key"),
        (at(0, 6).1 + 4, "diode, ring to the left"),
        (at(0, 7).1 + 4, "row wire"),
    ] {
        svg.text("", (right, y), Anchor::Start, text);
    }
}

pub(super) fn legend(svg: &mut Svg, wiring: &Wiring) {
    let x = LEFT;
    let mut y = 500;
    svg.text("head", (x, y), Anchor::Start, "On the back");
    for (class, text) in [
        ("row", "bare: rows"),
        ("column insulated", "insulated: columns"),
        ("power", "supply: bare"),
        ("power insulated", "supply: insulated where dashed"),
        ("ground", "GND: the same"),
        ("data", "bare: data, light to light"),
        ("data insulated", "insulated: data, row to row"),
        ("supply", "bare: in the supply switch"),
    ] {
        y += 20;
        svg.line(class, &[(x, y - 4), (x + 34, y - 4)]);
        svg.text("", (x + 42, y), Anchor::Start, text);
    }
    let chain = match wiring.led_order {
        LedOrder::RowMajor => "data in, 5 V, GND, data out.",
        LedOrder::Serpentine => "in, 5 V, GND, out; rows 1, 3 turned.",
    };
    y += 32;
    svg.text("head", (x, y), Anchor::Start, "A light's legs, from the left");
    for text in [chain, "Other makes have other orders:", "check yours before bending the legs."] {
        y += 17;
        svg.text("", (x, y), Anchor::Start, text);
    }
    y += 30;
    svg.text("head", (x, y), Anchor::Start, "To the Pico, insulated");
    for text in ["rows and columns, as labelled at the edge,", "and all legs with a pin name in red."] {
        y += 17;
        svg.text("", (x, y), Anchor::Start, text);
    }
    y += 30;
    svg.text("head", (x, y), Anchor::Start, "No supply switch?");
    for text in ["Connect D and S of Q1; leave out Q1, Q2,", "R2 to R5 and C27."] {
        y += 17;
        svg.text("", (x, y), Anchor::Start, text);
    }
}
