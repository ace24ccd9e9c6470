//! The schematic: one sheet in blocks. Every pin has a label that names its net, and there are no wires: pins with the
//! same label are connected.

use std::collections::{BTreeMap, BTreeSet};

use super::geometry::{Point, at};
use super::netlist::Component;
use super::parts::Kind;
use super::sexpr::{Expr, length, list, named, place, stamp, text, word};
use super::symbols::{self, Looks, letters, property};
use super::{LIBRARY, REVISION, TITLE};
use crate::SIDE;

/// KiCad 6.
const VERSION: &str = "20211123";

/// The headings of the blocks and where they stand.
const HEADINGS: [(&str, &str, (f64, f64)); 5] = [
    ("Raspberry Pi Pico", "Pico, Pico W, Pico 2 or Pico 2 W. The pins are those of src/wiring.rs.", (25.4, 25.4)),
    (
        "Supply",
        "Cells through Q2 (on, off) and Q1 (off while USB is in) to VSYS; VSYS through U3, slowly, to the lights.",
        (165.1, 25.4),
    ),
    ("Data and sound", "3.3 V data made as high as the lights' supply. The piezo has its own pin.", (431.8, 25.4)),
    (
        "Keys",
        "Rows are driven low one by one, columns are read. Diodes let three keys be pressed at once.",
        (25.4, 139.7),
    ),
    ("Lights", "One chain, row by row from the top left. 100 nF at each, 2 x 22 uF at each row.", (304.8, 139.7)),
];

/// Where a part's symbol stands, on the grid of 1.27 mm.
fn place_of(name: &str) -> (f64, f64) {
    let (letter, number) = name.split_at(1);
    let number: usize = number.parse().unwrap_or(0);
    let cell = |x: f64, y: f64, across: f64, down: f64, cell: usize| {
        (x + across * (cell % SIDE) as f64, y + down * (cell / SIDE) as f64)
    };
    match (letter, number) {
        ("K", key) => cell(48.26, 166.37, 52.07, 45.72, key),
        // Its anode's end is the key's second end.
        ("D", key) => cell(48.26 + 8.89, 166.37, 52.07, 45.72, key),
        ("L", light) => cell(328.93, 167.64, 53.34, 45.72, light),
        ("C", light @ 0..25) => cell(328.93 + 26.67, 176.53, 53.34, 45.72, light),
        ("C", 29..) => (173.99 + 17.78 * (number - 29) as f64, 116.84),
        ("U", 1) => (78.74, 69.85),
        ("J", _) => (180.34, 63.5),
        ("Q", 2) => (223.52, 63.5),
        ("R", 3) => (203.2, 81.28),
        ("S", _) => (180.34, 83.82),
        ("Q", 1) => (266.7, 63.5),
        ("R", 2) => (248.92, 83.82),
        ("U", 3) => (330.2, 63.5),
        ("C", 26) => (309.88, 83.82),
        ("R", 4) => (289.56, 83.82),
        ("C", 27) => (370.84, 63.5),
        ("C", 28) => (391.16, 63.5),
        ("U", 2) => (462.28, 58.42),
        ("C", 25) => (485.14, 78.74),
        ("R", 1) => (497.84, 58.42),
        ("R", 5) => (533.4, 53.34),
        ("P", _) => (533.4, 83.82),
        _ => panic!("nobody said where {name} is drawn"),
    }
}

/// The whole sheet.
pub fn file(circuit: &[Component]) -> String {
    let comment = list("comment", [word(1), text("Made by `cargo pcb` from src/wiring.rs")]);
    let title = list("title_block", [named("title", TITLE), named("rev", REVISION), comment]);
    let kinds = Kind::ALL.into_iter().filter_map(|kind| symbols::file(kind, &format!("{LIBRARY}:")));
    let mut items = vec![
        list("version", [word(VERSION)]),
        list("generator", [word("cargo_pcb")]),
        list("uuid", [stamp("schematic")]),
        named("paper", "A2"),
        title,
        list("lib_symbols", kinds),
    ];
    for (heading, note, (x, y)) in HEADINGS {
        items.push(words(heading, at(x, y), 4.0));
        items.push(words(note, at(x, y + 5.08), 1.8));
    }
    let mut labelled: BTreeSet<Point> = BTreeSet::new();
    let mut instances = Vec::new();
    for part in circuit {
        let Some(symbol) = symbols::of(part.kind) else { continue };
        let (x, y) = place_of(&part.name);
        let middle = at(x, y);
        for pin in &symbol.pins {
            let end = middle + pin.at;
            let net = part.nets.iter().find(|(pad, _)| *pad == pin.number.to_string()).map(|(_, net)| net);
            match net {
                // Where two ends meet, one label is enough; it stands upright there.
                Some(net) if labelled.insert(end) => {
                    let between = matches!((part.kind, pin.number), (Kind::Key, 2));
                    items.push(label(net, end, if between { Looks::Up } else { pin.looks }));
                }
                Some(_) => {}
                None => items.push(list(
                    "no_connect",
                    [place("at", end), list("uuid", [stamp(&format!("{} {}", part.name, pin.number))])],
                )),
            }
        }
        items.push(instance(part, middle, symbol.words));
        instances.push(symbol_instance(part));
    }
    items.push(list("sheet_instances", [list("path", [text("/"), named("page", "1")])]));
    items.push(list("symbol_instances", instances));
    list("kicad_sch", items).file()
}

fn words(said: &str, at: Point, height: f64) -> Expr {
    let place = list("at", [length(at.x), length(at.y), word(0)]);
    list("text", [text(said), place, letters(height, "left", false), list("uuid", [stamp(said)])])
}

fn label(net: &str, at: Point, looks: Looks) -> Expr {
    let justify = if matches!(looks, Looks::Right | Looks::Up) { "left" } else { "right" };
    let angle = looks.label_angle();
    list(
        "global_label",
        [
            text(net),
            list("shape", [word("passive")]),
            list("at", [length(at.x), length(at.y), word(angle)]),
            list("fields_autoplaced", []),
            letters(1.27, justify, false),
            list("uuid", [stamp(&format!("label {net} {} {}", at.x, at.y))]),
        ],
    )
}

fn id(part: &Component) -> Expr {
    stamp(&format!("symbol {}", part.name))
}

fn instance(part: &Component, middle: Point, [name_at, value_at]: [Point; 2]) -> Expr {
    let facts = part.kind.facts();
    let footprint = format!("{LIBRARY}:{}", facts.footprint);
    let pins = part
        .nets
        .iter()
        .map(|(pad, _)| list("pin", [text(pad), list("uuid", [stamp(&format!("pin {} {pad}", part.name))])]));
    let head = [
        list("lib_id", [text(format_args!("{LIBRARY}:{}", symbols::name(part.kind)))]),
        list("at", [length(middle.x), length(middle.y), word(0)]),
        list("unit", [word(1)]),
        list("in_bom", [word("yes")]),
        list("on_board", [word("yes")]),
        list("uuid", [id(part)]),
        property("Reference", &part.name, 0, middle + name_at, false),
        property("Value", facts.value, 1, middle + value_at, false),
        property("Footprint", &footprint, 2, middle, true),
        property("Datasheet", "", 3, middle, true),
        property("Order", facts.order, 4, middle, true),
        property("LCSC", facts.lcsc, 5, middle, true),
    ];
    list("symbol", head.into_iter().chain(pins))
}

fn symbol_instance(part: &Component) -> Expr {
    let facts = part.kind.facts();
    list(
        "path",
        [
            text(format_args!("/{}", id(part).value())),
            named("reference", &part.name),
            list("unit", [word(1)]),
            named("value", facts.value),
            named("footprint", format_args!("{LIBRARY}:{}", facts.footprint)),
        ],
    )
}

/// The nets of a sheet, read back: ends of pins, and the labels that stand on them. `None` where it is no sheet.
pub fn nets(file: &str) -> Option<BTreeMap<String, BTreeSet<String>>> {
    let sheet = Expr::read(file).filter(|sheet| sheet.name() == "kicad_sch")?;
    let point = |list: &Expr| at(list.number(1), list.number(2));
    let labels: Vec<(Point, String)> = sheet
        .all("global_label")
        .map(|label| Some((point(label.get("at")?), label.word(1).to_owned())))
        .collect::<Option<_>>()?;
    let library = sheet.get("lib_symbols")?;
    let mut nets: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for part in sheet.all("symbol") {
        let kind = part.get("lib_id")?.word(1);
        let name = part.all("property").find(|property| property.word(1) == "Reference")?.word(2);
        let symbol = library.all("symbol").find(|symbol| symbol.word(1) == kind)?;
        for pin in symbol.all("symbol").flat_map(|unit| unit.all("pin")) {
            let end = point(pin.get("at")?);
            let place = point(part.get("at")?) + Point { x: end.x, y: -end.y };
            for (_, net) in labels.iter().filter(|(at, _)| *at == place) {
                let pad = format!("{name}.{}", pin.get("number")?.word(1));
                nets.entry(net.clone()).or_default().insert(pad);
            }
        }
    }
    Some(nets)
}
