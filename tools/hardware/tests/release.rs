//! Tests of the released production files in `hardware/release`, and of the parts list for makers: they belong to the
//! circuit board as it is now.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;

use hardware::SIDE;
use hardware::board::geometry::at;
use hardware::board::{self, Board, Face, Part};

const CELLS: usize = SIDE * SIDE;

fn text_of(path: &str) -> String {
    fs::read_to_string(setup::root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

static BOARD: LazyLock<Board> = LazyLock::new(|| board::load().expect("the board"));

/// The path of a released file of this revision, from the root of the project.
fn release(file: &str) -> String {
    format!("hardware/release/revision-{}/{file}", BOARD.revision)
}

/// The parts that are in the schematic.
fn parts() -> impl Iterator<Item = &'static Part> {
    BOARD.parts.iter().filter(|part| !part.is_mechanical)
}

/// Rows of a file with comma-separated values, by the names in its first line.
fn rows(text: &str) -> Vec<BTreeMap<String, String>> {
    csv::Reader::from_reader(text.as_bytes()).deserialize().collect::<Result<_, _>>().expect("comma-separated values")
}

/// Where pad 1 of a part is in JLCPCB's own drawing of it, at rotation 0 and seen from above: x to the right and y up,
/// in millimetres.
fn jlcpcb_pad_1(footprint: &str) -> (f64, f64) {
    match footprint {
        // From another keyboard's production files: the same part at the bottom, with rotation 0, has pad 1 at
        // (-2.8, 0.7).
        "SK6812MINI-E_reverse" => (2.8, 0.7),
        // Turned by 180 degrees, compared with KiCad's drawings.
        "SOT-23" => (0.94, -0.95),
        "SOT-23-5" | "SOT-23-6" => (1.14, -0.95),
        "SOD-123" => (-1.65, 0.0),
        "C_0603" => (-0.775, 0.0),
        "R_0603" => (-0.825, 0.0),
        "C_0805" => (-0.95, 0.0),
        "Fuse_1812" => (-2.35, 0.0),
        other => panic!("unknown footprint {other}: add its pad 1 in JLCPCB's drawing"),
    }
}

/// The faults of a placement list: parts whose pad 1 is more than 0.2 mm from the pad on the board, by JLCPCB's rule.
/// At the bottom JLCPCB rotates counter-clockwise as seen from the bottom, and then mirrors the part to the other side.
fn misplaced(placement: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let mut expected: BTreeSet<&str> =
        parts().filter(|part| part.face == Face::Back).map(|part| part.name.as_str()).collect();
    for row in rows(placement) {
        let name = row["Designator"].as_str();
        let number = |key: &str| row[key].parse::<f64>().expect("a number");
        let Some(part) = BOARD.part(name).filter(|part| part.face == Face::Back && row["Layer"] == "bottom") else {
            faults.push(format!("{name} is not at the bottom"));
            continue;
        };
        expected.remove(name);
        let (x, y) = jlcpcb_pad_1(&part.footprint);
        let (sin, cos) = number("Rotation").to_radians().sin_cos();
        let seen_from_bottom = (x * cos - y * sin, x * sin + y * cos);
        let lands = at(number("Mid X") - seen_from_bottom.0, -(number("Mid Y") + seen_from_bottom.1));
        let pad = part.pads.iter().find(|pad| pad.name == format!("{name}.1")).expect("a pad 1");
        if lands.distance(pad.at) > 200.0 {
            faults.push(format!("pad 1 of {name} lands at {lands:?}, not at {:?}", pad.at));
        }
    }
    faults.extend(expected.into_iter().map(|name| format!("{name} is missing")));
    faults
}

#[test]
fn jlcpcb_places_pad_1_where_the_board_has_it() {
    assert_eq!(misplaced(&text_of(&release("placement-jlcpcb.csv"))), [""; 0]);
}

#[test]
fn kicads_angles_are_wrong_for_jlcpcb() {
    let raw = text_of(&release("placement-kicad.csv"));
    let raw: String =
        raw.replacen("Ref,Val,Package,PosX,PosY,Rot,Side", "Designator,Val,Package,Mid X,Mid Y,Rotation,Layer", 1);
    let faults = misplaced(&raw);
    // All lights and both MOSFETs would be half a turn off.
    for name in (0..CELLS).map(|cell| format!("L{cell}")).chain(["Q1".into(), "Q2".into()]) {
        assert!(faults.iter().any(|fault| fault.contains(&format!("pad 1 of {name} lands"))), "{name}");
    }
}

/// The list for assembly has every flat part once, with its number at the shop.
#[test]
fn assembly_list_has_every_flat_part() {
    let mut listed = BTreeSet::new();
    for row in rows(&text_of(&release("parts-jlcpcb.csv"))) {
        for name in row["Designator"].split(',') {
            let part = BOARD.part(name).unwrap_or_else(|| panic!("there is no {name}"));
            assert_eq!(row["Comment"], part.fields["Value"], "{name}");
            assert_eq!(row["LCSC Part #"], part.fields["LCSC"], "{name}");
            assert!(listed.insert(name.to_owned()), "{name} is listed twice");
        }
    }
    let expected: BTreeSet<String> =
        parts().filter(|part| part.face == Face::Back).map(|part| part.name.clone()).collect();
    assert_eq!(listed, expected);
}

#[test]
fn page_lists_every_part_once() {
    let page = text_of("hardware/pcb/README.md");
    let mut listed = BTreeSet::new();
    for line in page.lines().filter_map(|line| line.strip_prefix('|')) {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [part, names, number, order, lcsc, ..] = cells[..] else { continue };
        let names = hardware::tables::parts::names(names);
        for name in &names {
            let found = BOARD.part(name).unwrap_or_else(|| panic!("there is no {name}"));
            let field = |field: &str| found.fields.get(field).map_or("", String::as_str);
            assert!(part.contains(field("Value")), "{name} is {}, not {part}", field("Value"));
            assert_eq!(number, names.len().to_string(), "{part}");
            assert_eq!(order, field("MPN"), "{name}");
            assert_eq!(lcsc, if field("LCSC").is_empty() { "to be looked up" } else { field("LCSC") }, "{name}");
            assert!(listed.insert(name.clone()), "{name} is listed twice");
        }
    }
    assert_eq!(listed, parts().map(|part| part.name.clone()).collect());
}

/// The released files were made from the sources as they are now.
#[test]
fn released_files_are_up_to_date() {
    let crc = crc::Crc::<u32>::new(&crc::CRC_32_ISO_HDLC);
    let list = text_of(&release("made-from.txt"));
    let mut listed = BTreeSet::new();
    for line in list.lines().filter(|line| !line.starts_with('#')) {
        let (checksum, path) = line.split_once(' ').expect("a checksum and a path");
        let found = fs::read(setup::root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
        assert_eq!(checksum, format!("{:08x}", crc.checksum(&found)), "{path} has changed: run `bash hardware/make`");
        listed.insert(PathBuf::from(path));
    }
    for folder in ["hardware/pcb", "hardware/pcb/lights-out.pretty", "hardware/pcb/models", "hardware/case"] {
        for entry in fs::read_dir(setup::root().join(folder)).expect("a readable folder") {
            let path = PathBuf::from(folder).join(entry.expect("a readable entry").file_name());
            let source = path.extension().is_some_and(|extension| {
                ["kicad_pcb", "kicad_sch", "kicad_mod", "step", "scad"].iter().any(|source| extension == *source)
            });
            assert!(!source || listed.contains(&path), "{} is not in made-from.txt", path.display());
        }
    }
}
