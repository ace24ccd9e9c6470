//! Tests of the circuit board's files: they match the code, their nets are connected, and the voltage drop is small.
//!
//! They need no KiCad. `cargo pcb --order` runs KiCad's rule check, and checks the gerbers.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::sync::LazyLock;

use hardware::pcb::board::{Board, BoardError};
use hardware::pcb::copper::Track;
use hardware::pcb::footprints::Drill;
use hardware::pcb::geometry::{Point, um};
use hardware::pcb::mechanics::{BACK_HEIGHT, BATTERY_BAY, BOARD, bodies, key};
use hardware::pcb::netlist::{self, CELLS};
use hardware::pcb::obstacles::{self, Obstacle};
use hardware::pcb::parts::{Face, Kind};
use hardware::pcb::placement::Placed;
use hardware::pcb::readback::{self, Found};
use hardware::pcb::{drop, lists, project, schematic};
use hardware::{HEADER, LedOrder, Role, SIDE, Wiring, pin_name};

fn wiring() -> Wiring {
    Wiring::of_firmware().expect("the firmware's pins can be wired")
}

fn text_of(path: &str) -> String {
    fs::read_to_string(setup::root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

static DRAWN: LazyLock<Board> = LazyLock::new(|| Board::draw(&wiring()).expect("a board for the firmware's pins"));

static FOUND: LazyLock<Found> =
    LazyLock::new(|| readback::read(&text_of(&project::board_path())).expect("the board's file can be read"));

#[test]
fn files_match_the_code() {
    for product in project::products(&DRAWN) {
        let fresh = project::is_fresh(&product, &text_of(&product.path));
        assert!(fresh, "{} does not match the code: run `cargo pcb --order`", product.path);
    }
    assert_eq!(text_of("hardware/pcb/order/parts.csv"), lists::parts(&DRAWN), "run `cargo pcb --order`");
    assert_eq!(text_of("hardware/pcb/order/placement.csv"), lists::placement(&DRAWN), "run `cargo pcb --order`");
}

#[test]
fn drill_file_matches_the_board() {
    let millimetres = |text: &str| text.parse::<f64>().ok().map(um);
    let hole = |line: &str| {
        let (x, y) = line.strip_prefix('X')?.split_once('Y')?;
        Some(Point { x: millimetres(x)?, y: -millimetres(y)? })
    };
    let drilled: BTreeSet<Point> = text_of("hardware/pcb/order/lights-out-PTH.drl").lines().filter_map(hole).collect();
    let pads = DRAWN.parts.iter().flat_map(Placed::pads).filter(|pad| matches!(pad.hole, Drill::Plated(_)));
    let expected: BTreeSet<Point> = pads.map(|pad| pad.at).chain(DRAWN.copper.vias.iter().map(|via| via.at)).collect();
    assert_eq!(drilled, expected, "run `cargo pcb --order`");
}

/// Tracks that are closer to an obstacle of another net than a cheap board house allows: 0.15 mm, and 0.25 mm to holes
/// and edges.
fn too_near(board: &Board) -> Vec<String> {
    const STEP: i64 = 100;
    let obstacles = obstacles::all(&board.parts, &board.copper);
    let near = |track: &&Track| {
        let (from, way) = (track.from, track.to - track.from);
        // The obstacles have a margin of 0.05 mm more than this check requires.
        let radius = track.width / 2 - um(0.05);
        let steps = 1 + way.x.abs().max(way.y.abs()) / STEP;
        let place = |step: i64| from + Point { x: way.x * step / steps, y: way.y * step / steps };
        let beside = |obstacle: &&Obstacle| {
            let (low, high) = obstacle.reach(radius);
            let apart = |a: i64, b: i64, low: i64, high: i64| a.max(b) < low || a.min(b) > high;
            !apart(from.x, track.to.x, low.x, high.x) && !apart(from.y, track.to.y, low.y, high.y)
        };
        obstacles
            .iter()
            .filter(beside)
            .any(|obstacle| (0..=steps).any(|step| obstacle.bars(&track.net, track.face, place(step), radius)))
    };
    board.copper.tracks.iter().filter(near).map(|track| format!("{} at {:?}", track.net, track.from)).collect()
}

#[test]
fn tracks_keep_their_distance() {
    assert_eq!(too_near(&DRAWN), [""; 0]);
    let mut wider = DRAWN.clone();
    wider.copper.tracks.iter_mut().for_each(|track| track.width += um(0.4));
    assert!(!too_near(&wider).is_empty());
}

/// The expected nets of the Pico's pins, the matrix and the LED chain, written independently of the netlist.
fn wired(wiring: &Wiring) -> BTreeMap<String, BTreeSet<String>> {
    let pico = |name: &str| {
        let pins = HEADER.iter().enumerate().filter(|(_, pin)| **pin == name);
        pins.map(|(index, _)| format!("U1.{}", index + 1)).collect::<BTreeSet<_>>()
    };
    let mut nets = BTreeMap::new();
    for (role, gpio) in wiring.pins() {
        let mut pads = pico(&pin_name(gpio));
        assert_eq!(pads.len(), 1);
        let (net, others): (String, Vec<String>) = match role {
            Role::Row(row) => (format!("ROW{row}"), (0..SIDE).map(|c| format!("D{}.1", SIDE * row + c)).collect()),
            Role::Column(c) => (format!("COL{c}"), (0..SIDE).map(|row| format!("K{}.1", SIDE * row + c)).collect()),
            Role::LedData => ("LED_DATA".into(), vec!["U2.2".into()]),
            Role::LedSupply => ("LED_SUPPLY".into(), vec!["U3.3".into(), "R4.1".into()]),
            Role::Piezo => ("PIEZO".into(), vec!["R5.1".into()]),
        };
        pads.extend(others);
        nets.insert(net, pads);
    }
    for cell in 0..CELLS {
        nets.insert(format!("KEY{cell}"), [format!("K{cell}.2"), format!("D{cell}.2")].into());
    }
    let chain: Vec<usize> = wiring.chain().collect();
    for (place, pair) in chain.windows(2).enumerate() {
        nets.insert(format!("DATA{}", place + 1), [format!("L{}.2", pair[0]), format!("L{}.4", pair[1])].into());
    }
    nets.insert("DATA0".into(), ["R1.2".to_owned(), format!("L{}.4", chain[0])].into());
    nets
}

#[test]
fn board_is_wired_like_the_code() {
    let found = FOUND.claimed();
    for (net, pads) in wired(&wiring()) {
        assert_eq!(found.get(&net), Some(&pads), "{net}");
    }
    let names: BTreeSet<&str> = found.keys().map(String::as_str).collect();
    let expected = wired(&wiring());
    let rest: BTreeSet<&str> = names.into_iter().filter(|name| !expected.contains_key(*name)).collect();
    let supply = ["BATT", "CELLS", "GND", "LED_DATA_5V", "POWER", "RISE", "SOUND", "VBUS", "VLED", "VSYS"];
    assert_eq!(rest, BTreeSet::from(supply));
}

#[test]
fn board_and_schematic_have_the_same_nets() {
    let circuit = netlist::circuit(&wiring());
    assert_eq!(FOUND.claimed(), netlist::nets(&circuit));
    assert_eq!(schematic::nets(&text_of("hardware/pcb/lights-out.kicad_sch")), Some(netlist::nets(&circuit)));
}

#[test]
fn every_net_is_connected() {
    for net in FOUND.claimed().keys() {
        assert_eq!(FOUND.groups(net).len(), 1, "{net} is not connected: {:?}", FOUND.groups(net));
    }
    assert!(FOUND.fills.len() >= 2, "the ground areas are not filled: run `cargo pcb --order`");
}

#[test]
fn cut_track_and_swapped_net_are_found() {
    let mut cut = FOUND.clone();
    let index = cut.tracks.iter().position(|track| track.net == "ROW3").expect("a track of row 3");
    cut.tracks.remove(index);
    assert!(cut.groups("ROW3").len() > 1);
    // The first occurrence of a net's name is in the list of nets.
    let swapped = text_of(&project::board_path()).replacen("\"ROW0\"", "\"COL0\"", 1);
    assert_ne!(readback::read(&swapped).expect("a board").claimed(), FOUND.claimed());
}

#[test]
fn voltage_drop_to_the_lights_is_small() {
    let each = f64::from(wiring().current_cap) / 1000.0 / CELLS as f64;
    let sinks = |pad: usize| (0..CELLS).map(|cell| (format!("L{cell}.{pad}"), each)).collect::<Vec<_>>();
    let worst = |drops: Vec<f64>| drops.into_iter().fold(0.0, f64::max);
    let whole = each * CELLS as f64;
    // From the Pico through the load switch, which is no copper, to the lights, and back to the battery connector.
    let before = worst(drop::drops(&FOUND, "VSYS", "U1.39", &[("U3.1".into(), whole)]));
    let there = worst(drop::drops(&FOUND, "VLED", "U3.6", &sinks(1)));
    let back = worst(drop::drops(&FOUND, "GND", "J1.2", &sinks(3)));
    println!("lost at {whole} A, in mV: VSYS {:.1}, VLED {:.1}, GND {:.1}", before * 1e3, there * 1e3, back * 1e3);
    assert!(before + there + back < 0.1, "{before} + {there} + {back} V");
    assert!(before > 0.0 && there > 0.001 && back > 0.0001, "copper has a resistance");
}

#[test]
fn square_of_copper_has_half_a_milliohm() {
    let mut strip = Found::default();
    let pad = |name: &str, x: f64| readback::ReadPad {
        name: name.into(),
        net: "N".into(),
        at: Point { x: um(x), y: um(10.0) },
        size: Point { x: um(0.5), y: um(2.0) },
        face: Some(Face::Back),
    };
    strip.pads = vec![pad("A.1", 10.0), pad("B.1", 30.0)];
    let ends = (Point { x: um(10.0), y: um(10.0) }, Point { x: um(30.0), y: um(10.0) });
    strip.tracks = vec![readback::ReadTrack { net: "N".into(), ends, width: um(2.0), face: Face::Back }];
    // 19.5 mm between the pads at 2 mm of width, 0.49 mOhm a square.
    let lost = drop::drops(&strip, "N", "A.1", &[("B.1".into(), 1.0)])[0];
    assert!((lost - 0.0048).abs() < 0.0003, "{lost} V");
    strip.tracks.clear();
    assert_eq!(drop::drops(&strip, "N", "A.1", &[("B.1".into(), 1.0)]), [f64::INFINITY]);
}

#[test]
fn parts_do_not_collide_and_are_on_the_board() {
    let overlap = |a: [f64; 4], b: [f64; 4]| {
        let apart = |low: f64, size: f64, other: f64, other_size: f64| low + size <= other || other + other_size <= low;
        !apart(a[0], a[2], b[0], b[2]) && !apart(a[1], a[3], b[1], b[3])
    };
    let bodies = bodies();
    let flat = |[x, y, w, h, _]: [f64; 5]| [x, y, w, h];
    for (index, (name, body)) in bodies.iter().enumerate() {
        for (other, other_body) in &bodies[..index] {
            assert!(!overlap(flat(*body), flat(*other_body)), "{name} and {other}");
        }
        let [x, y, w, h, height] = *body;
        assert!(x >= 0.0 && y >= 0.0 && x + w <= BOARD.0 && y + h <= BOARD.1, "{name} extends over the edge");
        for cell in 0..CELLS {
            let (kx, ky) = key(cell).in_mm();
            // The housing is 15.6 mm wide; a pressed cap, 18 mm wide, comes down to 7.5 mm above the board.
            assert!(!overlap(flat(*body), [kx - 7.8, ky - 7.8, 15.6, 15.6]), "{name} and key {cell}");
            let under_cap = overlap(flat(*body), [kx - 9.0, ky - 9.0, 18.0, 18.0]);
            assert!(!under_cap || height < 7.5, "{name} and the cap of key {cell}");
        }
    }
    for part in &DRAWN.parts {
        let kind = part.part.kind;
        if kind.face() == Face::Back {
            assert!(kind.facts().height <= BACK_HEIGHT, "{} is too tall for the back", part.part.name);
        }
        for pad in part.pads() {
            let half = Point { x: pad.size.x / 2, y: pad.size.y / 2 };
            let (low, high) = (pad.at - half, pad.at + half);
            let inside = low.x > um(0.3) && low.y > um(0.3) && high.x < um(BOARD.0 - 0.3) && high.y < um(BOARD.1 - 0.3);
            assert!(inside, "{} is at the edge", pad.name);
            // Under the battery, only covered vias go through the board.
            let [left, top, width, height] = BATTERY_BAY.map(um);
            let under = high.x > left && low.x < left + width && high.y > top && low.y < top + height;
            assert!(!under || pad.hole == Drill::None, "{} is under the battery", pad.name);
        }
    }
}

#[test]
fn other_pins_give_a_board_with_correct_nets() {
    // Rows and columns exchanged, and the lights on the left of the Pico.
    let other = Wiring {
        rows: wiring().columns,
        columns: [18, 19, 20, 21, 22],
        led_data: 2,
        led_supply: 3,
        piezo: 26,
        ..wiring()
    };
    let board = Board::draw(&other).expect("a board for these pins");
    let nets: BTreeMap<String, BTreeSet<String>> = {
        let circuit: Vec<_> = board.parts.iter().map(|Placed { part, .. }| part.clone()).collect();
        netlist::nets(&circuit)
    };
    for (net, pads) in wired(&other) {
        assert_eq!(nets.get(&net), Some(&pads), "{net}");
    }
    assert_eq!(too_near(&board), [""; 0]);
    let file = &project::products(&board)[0].text;
    let found = readback::read(file).expect("a board");
    // Ground is connected by its filled areas, which KiCad adds.
    for net in found.claimed().keys().filter(|net| *net != "GND") {
        assert_eq!(found.groups(net).len(), 1, "{net}");
    }
}

#[test]
fn other_led_order_is_refused() {
    let serpentine = Wiring { led_order: LedOrder::Serpentine, ..wiring() };
    let error = Board::draw(&serpentine).expect_err("its lights follow each other row by row");
    assert_eq!(error, BoardError::LedOrder);
    assert!(error.to_string().contains("LED_ORDER"));
}

#[test]
fn page_lists_every_part_once() {
    let page = text_of("hardware/pcb/README.md");
    let mut listed: BTreeMap<String, usize> = BTreeMap::new();
    for line in page.lines().filter_map(|line| line.strip_prefix('|')) {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [part, names, number, order, lcsc, ..] = cells[..] else { continue };
        let names = hardware::tables::parts::names(names);
        for name in &names {
            let placed = DRAWN.parts.iter().find(|placed| placed.part.name == *name);
            let kind = placed.unwrap_or_else(|| panic!("there is no {name}")).part.kind;
            let facts = kind.facts();
            assert!(part.contains(facts.value), "{name} is {}, not {part}", facts.value);
            assert_eq!(number, names.len().to_string(), "{part}");
            assert_eq!(order, facts.order, "{name}");
            let expected = if facts.lcsc.is_empty() { "to be looked up" } else { facts.lcsc };
            assert_eq!(lcsc, expected, "{name}");
            *listed.entry(name.clone()).or_default() += 1;
        }
    }
    for part in DRAWN.parts.iter().filter(|part| part.part.kind != Kind::ScrewHole) {
        assert_eq!(listed.get(&part.part.name), Some(&1), "{}", part.part.name);
    }
}
