//! Tests of the circuit board's file: it is wired like the firmware, its voltage drop and its margins are right.
//!
//! They need no KiCad. `hardware/make` runs KiCad's own checks.

use std::collections::{BTreeMap, BTreeSet};
use std::f64::consts::PI;
use std::fs;
use std::sync::LazyLock;

use hardware::board::geometry::{Point, at, distance, um};
use hardware::board::{self, Board, Cut, Face, Pad, Track, drop};
use hardware::{HEADER, Role, SIDE, Wiring, case_positions, pin_name};

const CELLS: usize = SIDE * SIDE;

fn wiring() -> Wiring {
    Wiring::of_firmware().expect("the firmware's pins can be wired")
}

fn text_of(path: &str) -> String {
    fs::read_to_string(setup::root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

static BOARD: LazyLock<Board> = LazyLock::new(|| board::load().expect("the board"));

/// The nets that the firmware's pins demand: Pico, key matrix, chain of lights.
fn demanded(wiring: &Wiring) -> BTreeMap<String, BTreeSet<String>> {
    let mut nets = BTreeMap::new();
    for (role, gpio) in wiring.pins() {
        let (net, others): (String, Vec<String>) = match role {
            Role::Row(row) => (format!("ROW{row}"), (0..SIDE).map(|c| format!("D{}.1", SIDE * row + c)).collect()),
            Role::Column(c) => (format!("COL{c}"), (0..SIDE).map(|row| format!("K{}.1", SIDE * row + c)).collect()),
            Role::LedData => ("LED_DATA".into(), vec!["U2.2".into()]),
            Role::LedSupply => ("LED_SUPPLY".into(), vec!["U3.3".into(), "R4.1".into()]),
            Role::Piezo => ("PIEZO".into(), vec!["R5.1".into()]),
        };
        let pin = 1 + HEADER.iter().position(|name| *name == pin_name(gpio)).expect("a pin of the Pico");
        nets.insert(net, others.into_iter().chain([format!("U1.{pin}")]).collect());
    }
    for cell in 0..CELLS {
        nets.insert(format!("KEY{cell}"), [format!("K{cell}.2"), format!("D{cell}.2")].into());
    }
    let chain: Vec<usize> = wiring.chain().collect();
    for (position, pair) in chain.windows(2).enumerate() {
        nets.insert(format!("DATA{}", position + 1), [format!("L{}.2", pair[0]), format!("L{}.4", pair[1])].into());
    }
    nets.insert("DATA0".into(), ["R1.2".to_owned(), format!("L{}.4", chain[0])].into());
    nets
}

/// The nets of supply and sound, which do not depend on the firmware's pins.
fn supply() -> BTreeMap<String, BTreeSet<String>> {
    let pico = |name: &str| {
        let pins = HEADER.iter().enumerate().filter(move |(_, pin)| **pin == name);
        pins.map(|(index, _)| format!("U1.{}", index + 1)).collect::<Vec<_>>()
    };
    let each = |letter: &str, numbers: std::ops::Range<usize>, pad: usize| {
        numbers.map(|number| format!("{letter}{number}.{pad}")).collect::<Vec<_>>()
    };
    let named = |names: &str| names.split(' ').map(str::to_owned).collect::<Vec<_>>();
    // C0 to C24 are at the lights, C25 is at the buffer, C29 to C38 are bulk.
    let at_lights = |pad| [each("C", 0..26, pad), each("C", 29..39, pad)].concat();
    let nets = [
        ("BATT", named("J1.1 F1.1")),
        ("FUSED", named("F1.2 Q2.2 R3.1")),
        ("POWER", named("Q2.1 R3.2 S1.2")),
        ("CELLS", named("Q2.3 Q1.3")),
        ("VBUS", [named("Q1.1 R2.1"), pico("VBUS")].concat()),
        ("VSYS", [named("Q1.2 U3.1 C27.1 C28.1"), pico("VSYS")].concat()),
        ("RISE", named("U3.4 C26.1")),
        ("VLED", [named("U3.5 U3.6 U2.5"), each("L", 0..CELLS, 1), at_lights(1)].concat()),
        ("LED_DATA_5V", named("U2.4 R1.1")),
        ("SOUND", named("R5.2 P1.1")),
        (
            "GND",
            [
                named("J1.2 R2.2 S1.1 S1.MP U2.1 U2.3 U3.2 C26.2 C27.2 C28.2 R4.2 P1.2"),
                pico("GND"),
                each("L", 0..CELLS, 3),
                at_lights(2),
            ]
            .concat(),
        ),
    ];
    nets.map(|(name, pads)| (name.to_owned(), pads.into_iter().collect())).into()
}

#[test]
fn board_is_wired_like_the_firmware() {
    let nets = BOARD.nets();
    let mut expected = demanded(&wiring());
    for (net, pads) in &expected {
        assert_eq!(nets.get(net), Some(pads), "{net} differs from {}", hardware::WIRING_FILE);
    }
    expected.extend(supply());
    assert_eq!(nets, expected);
}

#[test]
fn moved_pin_and_swapped_net_are_found() {
    let moved = Wiring { piezo: 14, ..wiring() };
    assert_ne!(BOARD.nets().get("PIEZO"), demanded(&moved).get("PIEZO"));
    // The first occurrence of a net's name is in the list of nets, the second at a pad.
    let swapped = text_of(board::FILE).replacen("KEY0\")", "KEY1\")", 2);
    assert_ne!(board::parse(&swapped).expect("a board").nets(), BOARD.nets());
}

#[test]
fn positions_for_the_case_are_up_to_date() {
    let product = case_positions().expect("positions");
    assert_eq!(text_of(&product.path), product.text, "{} is out of date: run `cargo wiring`", product.path);
}

/// The revision policy: a changed net or outline is a new letter.
#[test]
fn nets_and_outline_belong_to_the_revision() {
    let changelog = text_of("hardware/pcb/CHANGELOG.md");
    let heading = format!("\n## {}, ", BOARD.revision);
    let (_, section) = changelog.split_once(&heading).unwrap_or_else(|| panic!("the changelog lacks `{heading}`"));
    let section = section.split("\n## ").next().unwrap_or_default();
    let expected = format!("`Nets and outline: {}`", BOARD.fingerprint());
    assert!(
        section.contains(&expected),
        "Revision {} in hardware/pcb/CHANGELOG.md should contain {expected}. If this revision is released, a changed \
         net or outline needs a new letter: in the title blocks of schematic and board, and in the changelog.",
        BOARD.revision
    );
    let schematic = text_of("hardware/pcb/lights-out.kicad_sch");
    assert!(schematic.contains(&format!("(rev \"{}\")", BOARD.revision)), "the schematic is of another revision");
}

#[test]
fn changed_outline_changes_the_fingerprint() {
    let mut board = BOARD.clone();
    board.cuts.reverse();
    board.cuts[0].reverse();
    assert_eq!(board.fingerprint(), BOARD.fingerprint());
    board.cuts[0][0].x += 10;
    assert_ne!(board.fingerprint(), BOARD.fingerprint());
}

#[test]
fn board_names_revision_and_licence() {
    assert!(
        BOARD.comments.iter().any(|comment| comment.contains("CERN-OHL-P-2.0")),
        "title block: {:?}",
        BOARD.comments
    );
    for text in ["${REVISION}", "CERN-OHL-P-2.0"] {
        assert!(BOARD.prints.iter().any(|print| print.text.contains(text)), "{text} is not printed");
    }
}

/// Board houses print letters of 1 mm or more.
#[test]
fn printed_letters_are_tall_enough() {
    assert!(BOARD.prints.len() > 100);
    for print in &BOARD.prints {
        assert!(print.height >= um(1.0), "`{}` is {} um high", print.text, print.height);
    }
}

/// The voltage lost in the copper between the supply and the lights, at the largest current.
#[test]
fn voltage_drop_to_the_lights_is_small() {
    let each = f64::from(wiring().current_cap) / 1000.0 / CELLS as f64;
    let sinks = |pad: usize| (0..CELLS).map(|cell| (format!("L{cell}.{pad}"), each)).collect::<Vec<_>>();
    let worst = |drops: Vec<f64>| drops.into_iter().fold(0.0, f64::max);
    let total = each * CELLS as f64;
    // From the Pico to the load switch, from there to the lights, and back to the battery connector.
    let before = worst(drop::drops(&BOARD, "VSYS", "U1.39", &[("U3.1".into(), total)]));
    let there = worst(drop::drops(&BOARD, "VLED", "U3.6", &sinks(1)));
    let back = worst(drop::drops(&BOARD, "GND", "J1.2", &sinks(3)));
    println!("lost at {total} A, in mV: VSYS {:.1}, VLED {:.1}, GND {:.1}", before * 1e3, there * 1e3, back * 1e3);
    assert!(before + there + back < 0.1, "{before} + {there} + {back} V");
    assert!(before > 0.0 && there > 0.001 && back > 0.0001, "copper has a resistance");
}

#[test]
fn square_of_copper_has_half_a_milliohm() {
    let pad = |name: &str, x: f64| Pad {
        name: name.into(),
        net: "N".into(),
        at: at(x, 10.0),
        size: at(0.5, 2.0),
        face: Some(Face::Back),
        plated: true,
    };
    let mut strip = BOARD.clone();
    strip.parts.truncate(1);
    strip.parts[0].pads = vec![pad("A.1", 10.0), pad("B.1", 30.0)];
    let ends = (at(10.0, 10.0), at(30.0, 10.0));
    strip.tracks = vec![Track { net: "N".into(), ends, width: um(2.0), face: Face::Back }];
    // 19.5 mm between the pads at a width of 2 mm, 0.49 milliohms a square.
    let lost = drop::drops(&strip, "N", "A.1", &[("B.1".into(), 1.0)])[0];
    assert!((lost - 0.0048).abs() < 0.0003, "{lost} V");
    strip.tracks.clear();
    assert_eq!(drop::drops(&strip, "N", "A.1", &[("B.1".into(), 1.0)]), [f64::INFINITY]);
}

/// A milled line as short straight pieces.
fn pieces(cut: &Cut) -> Vec<(Point, Point)> {
    const PIECES: u32 = 32;
    let [(ax, ay), (bx, by), (cx, cy)] = cut.map(Point::in_mm);
    // The centre of the circle through the three points; none if they are on a straight line.
    let double = 2.0 * (ax * (by - cy) + bx * (cy - ay) + cx * (ay - by));
    if double.abs() < 1e-9 {
        return vec![(cut[0], cut[2])];
    }
    let [a, b, c] = [ax * ax + ay * ay, bx * bx + by * by, cx * cx + cy * cy];
    let x = (a * (by - cy) + b * (cy - ay) + c * (ay - by)) / double;
    let y = (a * (cx - bx) + b * (ax - cx) + c * (bx - ax)) / double;
    let radius = (ax - x).hypot(ay - y);
    let start = (ay - y).atan2(ax - x);
    // The arcs of a board turn by less than half a circle.
    let turn = (((cy - y).atan2(cx - x) - start + 3.0 * PI) % (2.0 * PI)) - PI;
    let point = |step: u32| {
        let angle = start + turn * f64::from(step) / f64::from(PIECES);
        at(x + radius * angle.cos(), y + radius * angle.sin())
    };
    (0..PIECES).map(|step| (point(step), point(step + 1))).collect()
}

/// The smallest distance from a corner of a light's body to the milled edge of its cut-out, in micrometres.
fn light_margin(board: &Board, cell: usize) -> f64 {
    /// Half the size of the body.
    const BODY: (f64, f64) = (1.6, 1.4);
    let light = board.part(&format!("L{cell}")).expect("a light");
    let near = board.cuts.iter().filter(|cut| cut.iter().all(|point| point.distance(light.at) < 4000.0));
    let edge: Vec<(Point, Point)> = near.flat_map(pieces).collect();
    assert!(edge.len() > 100, "L{cell} has no cut-out with round corners");
    let corners = [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)];
    let corners = corners.map(|(x, y)| light.at + at(x * BODY.0, y * BODY.1).rotated(light.angle));
    let margins = corners.iter().flat_map(|&corner| edge.iter().map(move |&piece| distance(corner, piece)));
    margins.fold(f64::INFINITY, f64::min)
}

/// 0.1 mm are left at every corner when the cutter is off by 0.1 mm.
#[test]
fn lights_fit_their_cut_outs() {
    const MILLING_TOLERANCE: f64 = 100.0;
    let margin = |board: &Board, cell: usize| light_margin(board, cell) - MILLING_TOLERANCE;
    for cell in 0..CELLS {
        assert!(margin(&BOARD, cell) >= 100.0, "L{cell} has {:.0} um", margin(&BOARD, cell));
    }
    let mut shifted = BOARD.clone();
    shifted.parts.iter_mut().filter(|part| part.name == "L7").for_each(|light| light.at.x += 50);
    assert!(margin(&shifted, 7) < 100.0);
}

/// The numbers of a value in the case's `parameters.scad`, such as `supports = [[1, 2], [3, 4]];`.
fn scad_numbers(name: &str) -> Vec<f64> {
    let text = text_of("hardware/case/parameters.scad");
    let (_, value) = text.split_once(&format!("\n{name} = ")).unwrap_or_else(|| panic!("parameters.scad lacks {name}"));
    let numbers = value.split(';').next().unwrap_or_default().split(|c: char| "[],".contains(c) || c.is_whitespace());
    numbers.filter_map(|number| number.parse().ok()).collect()
}

/// The gaps below `MARGIN` between pads and round posts of the case under the board.
fn crowded(posts: &[Point], diameter: f64) -> Vec<String> {
    const MARGIN: f64 = 400.0;
    let gap = |post: &Point, pad: &Pad| {
        let half = Point { x: pad.size.x / 2, y: pad.size.y / 2 };
        let offset = *post - pad.at;
        let outside = Point { x: (offset.x.abs() - half.x).max(0), y: (offset.y.abs() - half.y).max(0) };
        outside.distance(Point::default()) - diameter * 500.0
    };
    let pads = || BOARD.pads().filter(|pad| pad.plated && pad.face != Some(Face::Front));
    let near = posts.iter().flat_map(|post| pads().map(move |pad| (gap(post, pad), post, pad)));
    let near = near.filter(|&(gap, ..)| gap < MARGIN);
    near.map(|(gap, post, pad)| format!("{}: {gap:.0} um from the post at {post:?}", pad.name)).collect()
}

/// The posts of the case touch bare board only: no pad, no leg, no part.
#[test]
fn posts_of_the_case_touch_no_pad() {
    let supports: Vec<Point> = scad_numbers("supports").chunks_exact(2).map(|pair| at(pair[0], pair[1])).collect();
    let diameter = scad_numbers("support_diameter")[0];
    assert!(supports.len() >= 4);
    assert_eq!(crowded(&supports, diameter), [""; 0]);
    let holes: Vec<Point> = BOARD.parts.iter().filter(|part| part.name.starts_with('H')).map(|hole| hole.at).collect();
    assert_eq!(holes.len(), 4);
    // The standoffs around the screws, at the board.
    assert_eq!(crowded(&holes, 5.1), [""; 0]);
    let light = BOARD.part("L0").expect("a light").at;
    assert!(!crowded(&[light], diameter).is_empty());
}
