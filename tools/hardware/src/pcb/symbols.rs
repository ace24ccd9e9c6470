//! The symbols of the schematic: positions of the pins, and lines.
//!
//! Lengths are in micrometres on KiCad's grid of 1.27 mm, with y down as on the sheet; the file of a symbol has y up.

use super::geometry::{Point, at, um};
use super::parts::Kind;
use super::sexpr::{Expr, length, list, text, word};
use crate::{HEADER, Side, pico};

/// Between two pins.
const GRID: f64 = 2.54;

/// Where the end of a pin looks to, away from the part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Looks {
    /// To the right.
    Right,
    /// Up.
    Up,
    /// To the left.
    Left,
    /// Down.
    Down,
}

impl Looks {
    /// The angle of a label that continues the pin.
    pub fn label_angle(self) -> u16 {
        match self {
            Self::Right => 0,
            Self::Up => 90,
            Self::Left => 180,
            Self::Down => 270,
        }
    }
}

/// A pin.
#[derive(Clone, Debug)]
pub struct Pin {
    /// The number of its pad.
    pub number: usize,
    /// What it is called.
    pub name: String,
    /// Its end, from the middle of the symbol.
    pub at: Point,
    /// Which way its end looks.
    pub looks: Looks,
}

/// A symbol.
#[derive(Clone, Debug)]
pub struct Symbol {
    /// Its pins.
    pub pins: Vec<Pin>,
    /// Half the size of its box. None: lines instead.
    pub body: Option<Point>,
    /// Lines through places.
    pub lines: Vec<Vec<Point>>,
    /// Where its name stands, and where its value does, to the right of there.
    pub words: [Point; 2],
}

fn pin(number: usize, name: &str, (x, y): (f64, f64), looks: Looks) -> Pin {
    Pin { number, name: name.into(), at: at(x, y), looks }
}

/// The symbol of a kind of part, none for a mere hole.
#[expect(clippy::too_many_lines, reason = "one entry after another of a file, without branches")]
pub fn of(kind: Kind) -> Option<Symbol> {
    use Looks::{Down, Left, Right, Up};
    let boxed = |pins: Vec<Pin>, (w, h): (f64, f64)| Symbol {
        pins,
        body: Some(at(w, h)),
        lines: Vec::new(),
        words: [at(-w, -h - 1.5), at(-w, h + 1.5)],
    };
    let upright = |lines: Vec<Vec<Point>>| Symbol {
        pins: vec![pin(1, "", (0.0, -3.81), Up), pin(2, "", (0.0, 3.81), Down)],
        body: None,
        lines,
        words: [at(2.2, -0.9), at(2.2, 0.9)],
    };
    let path = |places: &[(f64, f64)]| places.iter().map(|&(x, y)| at(x, y)).collect::<Vec<_>>();
    Some(match kind {
        Kind::ScrewHole => return None,
        Kind::Pico => {
            let pins = (1..=HEADER.len()).map(|number| {
                let (side, above) = pico::place(number);
                let y = GRID * above as f64 - 24.13;
                match side {
                    Side::Left => pin(number, HEADER[number - 1], (-20.32, y), Left),
                    Side::Right => pin(number, HEADER[number - 1], (20.32, y), Right),
                }
            });
            boxed(pins.collect(), (15.24, 26.67))
        }
        Kind::Buffer => {
            let sides = [
                pin(1, "OE", (-7.62, 2.54), Left),
                pin(2, "A", (-7.62, -2.54), Left),
                pin(4, "Y", (7.62, -2.54), Right),
            ];
            let supply = [pin(5, "VCC", (0.0, -7.62), Up), pin(3, "GND", (0.0, 7.62), Down)];
            Symbol {
                words: [at(2.0, -6.2), at(2.0, 6.2)],
                ..boxed(sides.into_iter().chain(supply).collect(), (5.08, 5.08))
            }
        }
        Kind::LoadSwitch => {
            let left = [
                pin(1, "VIN", (-10.16, -2.54), Left),
                pin(3, "ON", (-10.16, 0.0), Left),
                pin(4, "CT", (-10.16, 2.54), Left),
            ];
            let right = [
                pin(6, "VOUT", (10.16, -2.54), Right),
                pin(5, "QOD", (10.16, 0.0), Right),
                pin(2, "GND", (0.0, 7.62), Down),
            ];
            boxed(left.into_iter().chain(right).collect(), (7.62, 5.08))
        }
        Kind::Light => {
            let data = [pin(4, "DIN", (-10.16, 0.0), Left), pin(2, "DOUT", (10.16, 0.0), Right)];
            let supply = [pin(1, "VDD", (0.0, -7.62), Up), pin(3, "GND", (0.0, 7.62), Down)];
            Symbol {
                words: [at(2.0, -6.2), at(2.0, 6.2)],
                ..boxed(data.into_iter().chain(supply).collect(), (7.62, 5.08))
            }
        }
        Kind::Mosfet => {
            let pins =
                vec![pin(1, "G", (-7.62, 0.0), Left), pin(2, "S", (0.0, -5.08), Up), pin(3, "D", (0.0, 5.08), Down)];
            Symbol { words: [at(4.0, -0.9), at(4.0, 0.9)], ..boxed(pins, (3.81, 2.54)) }
        }
        Kind::SlideSwitch => {
            let pins = vec![
                pin(1, "on", (-7.62, -2.54), Left),
                pin(2, "", (7.62, 0.0), Right),
                pin(3, "off", (-7.62, 2.54), Left),
            ];
            boxed(pins, (5.08, 5.08))
        }
        Kind::Connector => {
            boxed(vec![pin(1, "+", (7.62, -1.27), Right), pin(2, "-", (7.62, 1.27), Right)], (5.08, 3.81))
        }
        Kind::Piezo => {
            Symbol { words: [at(4.4, -0.9), at(4.4, 0.9)], body: Some(at(3.81, 1.27)), ..upright(Vec::new()) }
        }
        Kind::Capacitor100n | Kind::Capacitor2n2 | Kind::Capacitor1u | Kind::Capacitor22u => upright(vec![
            path(&[(-1.9, -0.6), (1.9, -0.6)]),
            path(&[(-1.9, 0.6), (1.9, 0.6)]),
            path(&[(0.0, -1.27), (0.0, -0.6)]),
            path(&[(0.0, 0.6), (0.0, 1.27)]),
        ]),
        Kind::Resistor100 | Kind::Resistor330 | Kind::Resistor10k | Kind::Resistor100k => {
            Symbol { body: Some(at(0.9, 1.27)), ..upright(Vec::new()) }
        }
        // The diode lies to the right of its key and begins where the key ends.
        Kind::Diode => Symbol {
            pins: vec![pin(1, "", (3.81, 0.0), Right), pin(2, "", (-3.81, 0.0), Left)],
            body: None,
            lines: vec![
                path(&[(-1.27, -1.27), (-1.27, 1.27), (1.27, 0.0), (-1.27, -1.27)]),
                path(&[(1.27, -1.27), (1.27, 1.27)]),
            ],
            words: [at(-1.9, -2.6), at(-1.9, 2.6)],
        },
        Kind::Key => Symbol {
            pins: vec![pin(1, "", (-5.08, 0.0), Left), pin(2, "", (5.08, 0.0), Right)],
            body: None,
            lines: vec![path(&[(-2.54, 0.0), (-1.9, 0.0), (1.6, -1.6)]), path(&[(1.9, 0.0), (2.54, 0.0)])],
            words: [at(-2.5, -3.4), at(-2.5, 2.6)],
        },
    })
}

/// What a symbol is called in the library.
pub fn name(kind: Kind) -> String {
    kind.facts().value.replace(' ', "_")
}

/// How letters look.
pub fn letters(height: f64, justify: &str, hidden: bool) -> Expr {
    let font = list("font", [list("size", [length(um(height)), length(um(height))])]);
    let justify = (!justify.is_empty()).then(|| list("justify", [word(justify)]));
    let hide = hidden.then(|| word("hide"));
    list("effects", [font].into_iter().chain(justify).chain(hide))
}

/// A property of a symbol.
pub fn property(name: &str, value: &str, id: usize, at: Point, hidden: bool) -> Expr {
    let place = list("at", [length(at.x), length(at.y), word(0)]);
    list("property", [text(name), text(value), list("id", [word(id)]), place, letters(1.27, "left", hidden)])
}

/// The symbol as KiCad has it, for the library or, with the library's name before its own, for the sheet.
#[expect(clippy::too_many_lines, reason = "one entry after another of a file, without branches")]
pub fn file(kind: Kind, prefix: &str) -> Option<Expr> {
    let symbol = of(kind)?;
    let (name, facts) = (name(kind), kind.facts());
    // Up is up in a symbol.
    let up = |place: Point| Point { x: place.x, y: -place.y };
    let footprint = format!("{}:{}", super::LIBRARY, facts.footprint);
    let drawn = |width: f64| {
        [list(
            "stroke",
            [
                list("width", [word(width)]),
                list("type", [word("default")]),
                list("color", [word(0), word(0), word(0), word(0)]),
            ],
        )]
    };
    let body = symbol.body.map(|half| {
        let corner = |name: &str, place: Point| list(name, [length(place.x), length(place.y)]);
        let low = Point { x: -half.x, y: -half.y };
        let fill = list("fill", [list("type", [word("background")])]);
        list("rectangle", [corner("start", low), corner("end", half)].into_iter().chain(drawn(0.254)).chain([fill]))
    });
    let lines = symbol.lines.iter().map(|places| {
        let places = places.iter().map(|&place| super::sexpr::place("xy", up(place)));
        let fill = list("fill", [list("type", [word("none")])]);
        list("polyline", [list("pts", places)].into_iter().chain(drawn(0.254)).chain([fill]))
    });
    let graphics: Vec<Expr> = body.into_iter().chain(lines).collect();
    let pins = symbol.pins.iter().map(|pin| {
        // A pin's own angle is where it goes from its end: into the part.
        let angle = (pin.looks.label_angle() + 180) % 360;
        let end = up(pin.at);
        let inside = match (symbol.body, pin.looks) {
            (Some(half), Looks::Left | Looks::Right) => pin.at.x.abs() - half.x,
            (Some(half), Looks::Up | Looks::Down) => pin.at.y.abs() - half.y,
            (None, _) => um(2.54),
        };
        let shown = if pin.name.is_empty() { "~" } else { &pin.name };
        let small = || letters(1.0, "", false);
        list(
            "pin",
            [
                word("passive"),
                word("line"),
                list("at", [length(end.x), length(end.y), word(angle)]),
                list("length", [length(inside)]),
                list("name", [text(shown), small()]),
                list("number", [text(pin.number), small()]),
            ],
        )
    });
    let hide_numbers = (symbol.body.is_none() || symbol.pins.len() == 2).then(|| list("pin_numbers", [word("hide")]));
    let head = [text(format_args!("{prefix}{name}"))].into_iter().chain(hide_numbers);
    let items = [
        list("pin_names", [list("offset", [word(0.5)])]),
        list("in_bom", [word("yes")]),
        list("on_board", [word("yes")]),
        property("Reference", kind.letter(), 0, up(symbol.words[0]), false),
        property("Value", facts.value, 1, up(symbol.words[1]), false),
        property("Footprint", &footprint, 2, Point::default(), true),
        property("Datasheet", "", 3, Point::default(), true),
        list("symbol", [text(format_args!("{name}_0_1"))].into_iter().chain(graphics)),
        list("symbol", [text(format_args!("{name}_1_1"))].into_iter().chain(pins)),
    ];
    Some(list("symbol", head.chain(items)))
}

/// The library of the symbols.
pub fn library() -> String {
    let head = [list("version", [word("20211014")]), list("generator", [word("cargo_pcb")])];
    let symbols = Kind::ALL.into_iter().filter_map(|kind| file(kind, ""));
    list("kicad_symbol_lib", head.into_iter().chain(symbols)).file()
}
