//! Writes the board in the format of KiCad 6.

use std::collections::BTreeMap;

use super::board::Board;
use super::copper::VIA;
use super::footprint_file::{SILK_WIDTH, VERSION, copper_layer, effects, on_board, stroke};
use super::footprints::Stroke;
use super::geometry::{at, um};
use super::mechanics::{BOARD, CORNER, THICKNESS};
use super::parts::Face;
use super::sexpr::{Expr, length, list, named, place, stamp, text, word};
use super::{REVISION, TITLE, print};

/// The numbers of the nets, 0 being none.
fn numbers(board: &Board) -> BTreeMap<String, usize> {
    let mut names: Vec<String> =
        board.parts.iter().flat_map(|part| &part.part.nets).map(|(_, net)| net.clone()).collect();
    names.sort();
    names.dedup();
    names.into_iter().enumerate().map(|(index, name)| (name, index + 1)).collect()
}

/// The board's file without the pours' copper: that is KiCad's to find.
#[expect(clippy::too_many_lines, reason = "one entry after another of a file, without branches")]
pub fn board_file(board: &Board) -> Expr {
    let numbers = numbers(board);
    let number = |net: &str| list("net", [word(numbers.get(net).copied().unwrap_or(0))]);
    let mut items = vec![
        list("version", [word(VERSION)]),
        list("generator", [word("cargo_pcb")]),
        list("general", [list("thickness", [word(THICKNESS)])]),
        named("paper", "A4"),
        list(
            "title_block",
            [named("title", TITLE), named("rev", REVISION), comment(1, "Made by `cargo pcb` from src/wiring.rs")],
        ),
        layers(),
        setup(),
        list("net", [word(0), text("")]),
    ];
    items.extend(numbers.iter().map(|(name, number)| list("net", [word(number), text(name)])));
    items.extend(board.parts.iter().map(|part| on_board(part, &numbers)));
    items.extend(outline());
    items.extend(print::texts().iter().enumerate().map(|(index, words)| gr_text(index, words)));
    items.extend(print::pictures().into_iter().enumerate().map(|(index, (from, to))| {
        list(
            "gr_rect",
            [
                place("start", from),
                place("end", to),
                named("layer", "F.SilkS"),
                list("width", [length(um(SILK_WIDTH))]),
                list("fill", [word("solid")]),
                list("tstamp", [stamp(&format!("picture {index}"))]),
            ],
        )
    }));
    for (index, track) in board.copper.tracks.iter().enumerate() {
        items.push(list(
            "segment",
            [
                place("start", track.from),
                place("end", track.to),
                list("width", [length(track.width)]),
                named("layer", copper_layer(track.face)),
                number(&track.net),
                list("tstamp", [stamp(&format!("track {index}"))]),
            ],
        ));
    }
    for (index, via) in board.copper.vias.iter().enumerate() {
        items.push(list(
            "via",
            [
                place("at", via.at),
                list("size", [length(um(VIA.1))]),
                list("drill", [length(um(VIA.0))]),
                list("layers", [text("F.Cu"), text("B.Cu")]),
                number(&via.net),
                list("tstamp", [stamp(&format!("via {index}"))]),
            ],
        ));
    }
    for face in [Face::Front, Face::Back] {
        items.push(ground(face, numbers.get("GND").copied().unwrap_or(0)));
    }
    list("kicad_pcb", items)
}

fn comment(number: usize, words: &str) -> Expr {
    list("comment", [word(number), text(words)])
}

/// KiCad's numbers and names of layers.
fn layers() -> Expr {
    let user = [
        (32, "B.Adhes", "B.Adhesive"),
        (33, "F.Adhes", "F.Adhesive"),
        (34, "B.Paste", ""),
        (35, "F.Paste", ""),
        (36, "B.SilkS", "B.Silkscreen"),
        (37, "F.SilkS", "F.Silkscreen"),
        (38, "B.Mask", ""),
        (39, "F.Mask", ""),
        (40, "Dwgs.User", "User.Drawings"),
        (41, "Cmts.User", "User.Comments"),
        (44, "Edge.Cuts", ""),
        (45, "Margin", ""),
        (46, "B.CrtYd", "B.Courtyard"),
        (47, "F.CrtYd", "F.Courtyard"),
        (48, "B.Fab", ""),
        (49, "F.Fab", ""),
    ];
    let copper =
        [(0, "F.Cu"), (31, "B.Cu")].map(|(number, name)| list(&number.to_string(), [text(name), word("signal")]));
    let user = user.map(|(number, name, shown)| {
        let shown = (!shown.is_empty()).then(|| text(shown));
        list(&number.to_string(), [text(name), word("user")].into_iter().chain(shown))
    });
    list("layers", copper.into_iter().chain(user))
}

fn setup() -> Expr {
    list("setup", [list("pad_to_mask_clearance", [word(0.05)]), place("aux_axis_origin", at(0.0, BOARD.1))])
}

/// The board's edge.
fn outline() -> Vec<Expr> {
    let (w, h, r) = (BOARD.0, BOARD.1, CORNER);
    let inset = r * (1.0 - 0.5_f64.sqrt());
    let lines = [
        (at(r, 0.0), at(w - r, 0.0)),
        (at(w, r), at(w, h - r)),
        (at(w - r, h), at(r, h)),
        (at(0.0, h - r), at(0.0, r)),
    ];
    let arcs = [
        (at(w - r, 0.0), at(w - inset, inset), at(w, r)),
        (at(w, h - r), at(w - inset, h - inset), at(w - r, h)),
        (at(r, h), at(inset, h - inset), at(0.0, h - r)),
        (at(0.0, r), at(inset, inset), at(r, 0.0)),
    ];
    let strokes = lines.map(|(a, b)| Stroke::Line(a, b)).into_iter().chain(arcs.map(|(a, b, c)| Stroke::Arc(a, b, c)));
    strokes.enumerate().filter_map(|(index, it)| stroke("gr", "Edge.Cuts", 0.1, it, &format!("edge {index}"))).collect()
}

fn gr_text(index: usize, words: &print::Words) -> Expr {
    let layer = if words.face == Face::Front { "F.SilkS" } else { "B.SilkS" };
    let turn = (words.turn > 0).then(|| word(words.turn));
    list(
        "gr_text",
        [
            text(&words.text),
            list("at", [length(words.at.x), length(words.at.y)].into_iter().chain(turn)),
            named("layer", layer),
            effects(words.height, words.face == Face::Back, words.justify),
            list("tstamp", [stamp(&format!("text {index}"))]),
        ],
    )
}

/// Ground, poured over a whole layer.
fn ground(face: Face, number: usize) -> Expr {
    let (w, h, inset) = (BOARD.0, BOARD.1, 0.5);
    // The corners of the pour are cut off where the board's are round.
    let cut = CORNER * 0.6 + inset;
    let corners = [
        (cut, inset),
        (w - cut, inset),
        (w - inset, cut),
        (w - inset, h - cut),
        (w - cut, h - inset),
        (cut, h - inset),
        (inset, h - cut),
        (inset, cut),
    ];
    list(
        "zone",
        [
            list("net", [word(number)]),
            named("net_name", "GND"),
            named("layer", copper_layer(face)),
            list("tstamp", [stamp(copper_layer(face))]),
            list("hatch", [word("edge"), word(0.5)]),
            list("connect_pads", [list("clearance", [word(0.25)])]),
            list("min_thickness", [word(0.25)]),
            list("filled_areas_thickness", [word("no")]),
            list("fill", [word("yes"), list("thermal_gap", [word(0.3)]), list("thermal_bridge_width", [word(0.5)])]),
            list("polygon", [list("pts", corners.map(|(x, y)| place("xy", at(x, y))))]),
        ],
    )
}
