//! Writes footprints in the format of KiCad 6: those on the board, and their library.

use std::collections::BTreeMap;

use super::LIBRARY;
use super::footprints::{self, Drill, Footprint, Ink, Pad, Shape, Stroke};
use super::geometry::{Point, um};
use super::parts::{Face, Kind};
use super::placement::Placed;
use super::sexpr::{Expr, length, list, named, place, stamp, text, word};

/// The version of the format: KiCad 6.
pub const VERSION: &str = "20211014";
/// Printed lines.
pub const SILK_WIDTH: f64 = 0.15;

/// KiCad's name for the copper of a face.
pub fn copper_layer(face: Face) -> &'static str {
    match face {
        Face::Front => "F.Cu",
        Face::Back => "B.Cu",
    }
}

/// A drawn line of the board (`gr`) or of a footprint (`fp`). Words are no lines.
pub fn stroke(prefix: &str, layer: &str, width: f64, stroke: Stroke, id: &str) -> Option<Expr> {
    let end = [named("layer", layer), list("width", [word(width)])];
    let tail = [list("tstamp", [stamp(id)])];
    let (name, mut items) = match stroke {
        Stroke::Line(a, b) => ("line", vec![place("start", a), place("end", b)]),
        Stroke::Circle(centre, radius) => {
            ("circle", vec![place("center", centre), place("end", centre + Point { x: radius, y: 0 })])
        }
        Stroke::Arc(a, b, c) => ("arc", vec![place("start", a), place("mid", b), place("end", c)]),
        Stroke::Word(..) => return None,
    };
    items.extend(end);
    if name == "circle" {
        items.push(list("fill", [word("none")]));
    }
    items.extend(tail);
    Some(list(&format!("{prefix}_{name}"), items))
}

/// How letters look.
pub fn effects(height: i64, mirrored: bool, justify: &str) -> Expr {
    let size = list("size", [length(height), length(height)]);
    let font = list("font", [size, list("thickness", [length((height * 16 / 100).max(um(SILK_WIDTH)))])]);
    let mut words: Vec<Expr> = Vec::new();
    if !justify.is_empty() {
        words.push(word(justify));
    }
    if mirrored {
        words.push(word("mirror"));
    }
    let justify = (!words.is_empty()).then(|| list("justify", words));
    list("effects", [font].into_iter().chain(justify))
}

/// A part on the board.
pub fn on_board(part: &Placed, numbers: &BTreeMap<String, usize>) -> Expr {
    let kind = part.part.kind;
    let facts = kind.facts();
    let turn = (part.turn > 0).then(|| word(part.turn));
    let mut items = vec![
        text(format_args!("{LIBRARY}:{}", facts.footprint)),
        named("layer", copper_layer(kind.face())),
        list("tstamp", [stamp(&part.part.name)]),
        list("at", [length(part.at.x), length(part.at.y)].into_iter().chain(turn)),
    ];
    if kind != Kind::ScrewHole {
        items.push(list("path", [text(format_args!("/{}", stamp(&format!("symbol {}", part.part.name)).value()))]));
    }
    items.extend(content(
        kind,
        part.footprint(),
        &part.part.name,
        part.turn,
        &|place| part.turned_over(place),
        &|pad| {
            let net = part.net(pad);
            numbers.get(&net).map(|number| list("net", [word(number), text(&net)]))
        },
    ));
    list("footprint", items)
}

/// A footprint as a file of the library.
pub fn library_file(kind: Kind) -> String {
    let facts = kind.facts();
    let mut items = vec![
        text(facts.footprint),
        list("version", [word(VERSION)]),
        list("generator", [word("cargo_pcb")]),
        named("layer", "F.Cu"),
        named("descr", facts.order),
    ];
    items.extend(content(kind, footprints::of(kind), "REF**", 0, &|place| place, &|_| None));
    // In a library everything is drawn for the front.
    list("footprint", items).file().replace("\"B.", "\"F.").replace(" (justify mirror)", "")
}

/// What a footprint holds: names, lines, pads.
fn content(
    kind: Kind,
    footprint: Footprint,
    name: &str,
    turn: u16,
    turned_over: &dyn Fn(Point) -> Point,
    net: &dyn Fn(&Pad) -> Option<Expr>,
) -> Vec<Expr> {
    let Footprint { pads, strokes, label } = footprint;
    let back = kind.face() == Face::Back;
    let side = if back { 'B' } else { 'F' };
    let (silk, fab) = (format!("{side}.SilkS"), format!("{side}.Fab"));
    let id = |what: &str, index: usize| format!("{name} {what} {index}");
    let words = |role: &str, words: &str, at: Point, layer: &str, height: i64, hidden: bool, index: usize| {
        // Letters stand upright whatever the part does.
        let straight = list("at", [length(at.x), length(at.y)].into_iter().chain((turn > 0).then(|| word(turn % 180))));
        let hide = hidden.then(|| word("hide"));
        let items = [word(role), text(words), straight, named("layer", layer)];
        let end = [effects(height, back, ""), list("tstamp", [stamp(&id(role, index))])];
        list("fp_text", items.into_iter().chain(hide).chain(end))
    };
    let mounted = if pads.iter().any(|pad| pad.hole == Drill::None) { "smd" } else { "through_hole" };
    let outside = [word("exclude_from_pos_files"), word("exclude_from_bom")];
    let attributes = match kind {
        Kind::ScrewHole => list("attr", outside),
        _ => list("attr", [word(mounted)]),
    };
    let (at, height) = label.unwrap_or((Point::default(), um(1.0)));
    let mut items = vec![
        attributes,
        words("reference", name, turned_over(at), &silk, height, label.is_none(), 0),
        words("value", kind.facts().value, Point::default(), &fab, um(0.8), true, 0),
    ];
    for (index, (ink, drawn)) in strokes.into_iter().enumerate() {
        let (layer, width) = match ink {
            Ink::Silk => (silk.clone(), SILK_WIDTH),
            Ink::Body => (fab.clone(), 0.1),
            Ink::Room => (format!("{side}.CrtYd"), 0.05),
            Ink::Cut => ("Edge.Cuts".to_owned(), 0.1),
        };
        let drawn = match drawn {
            Stroke::Line(a, b) => Stroke::Line(turned_over(a), turned_over(b)),
            Stroke::Circle(centre, radius) => Stroke::Circle(turned_over(centre), radius),
            Stroke::Arc(a, b, c) => Stroke::Arc(turned_over(a), turned_over(b), turned_over(c)),
            Stroke::Word(at, said, height) => {
                items.push(words("user", said, turned_over(at), &layer, height, false, index));
                continue;
            }
        };
        items.extend(stroke("fp", &layer, width, drawn, &id("stroke", index)));
    }
    for (index, pad) in pads.iter().enumerate() {
        items.push(pad_in_file(pad, turned_over(pad.at), turn, back, net(pad), &id("pad", index)));
    }
    items
}

fn pad_in_file(pad: &Pad, place_: Point, turn: u16, back: bool, net: Option<Expr>, id: &str) -> Expr {
    let number = if pad.number == 0 { String::new() } else { pad.number.to_string() };
    let (kind, layers) = match pad.hole {
        Drill::None if back => ("smd", vec!["B.Cu", "B.Paste", "B.Mask"]),
        Drill::None => ("smd", vec!["F.Cu", "F.Paste", "F.Mask"]),
        Drill::Plated(_) => ("thru_hole", vec!["*.Cu", "*.Mask"]),
        Drill::Bare(_) => ("np_thru_hole", vec!["*.Cu", "*.Mask"]),
    };
    let round = pad.size.x == pad.size.y;
    let shape = match pad.shape {
        Shape::Rect => "rect",
        Shape::Oval if round => "circle",
        Shape::Oval => "oval",
    };
    let mut items = vec![
        text(number),
        word(kind),
        word(shape),
        list("at", [length(place_.x), length(place_.y)].into_iter().chain((turn > 0).then(|| word(turn)))),
        place("size", pad.size),
    ];
    if let Drill::Plated(hole) | Drill::Bare(hole) = pad.hole {
        items.push(list("drill", [length(hole)]));
    }
    items.push(list("layers", layers.into_iter().map(text)));
    items.extend(net);
    items.push(list("tstamp", [stamp(id)]));
    list("pad", items)
}
