//! Tests that the parts list and the two drawings have the same parts, and that a change in only one of them is found.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use hardware::tables::parts::{names, value};

const LIST: &str = "hardware/parts.md";
/// The drawings, and whether they show sockets. The wiring plan has none.
const DRAWINGS: [(&str, bool); 2] = [("hardware/wiring.svg", false), ("hardware/perfboard.svg", true)];

fn text_of(path: &str) -> String {
    fs::read_to_string(setup::root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// A row of the list: the kind of part, the names of the parts, and how many to buy.
struct Row {
    part: String,
    names: Vec<String>,
    number: String,
}

fn rows(list: &str) -> Vec<Row> {
    let row = |line: &str| {
        let cells: Vec<String> = line.strip_prefix('|')?.split('|').map(|cell| cell.trim().to_owned()).collect();
        let names = names(cells.get(1)?);
        (!names.is_empty()).then(|| Row { part: cells[0].clone(), names, number: cells[2].clone() })
    };
    list.lines().filter_map(row).collect()
}

/// The values of the parts in a drawing, by name.
fn drawn(drawing: &str) -> BTreeMap<String, String> {
    let mut parts = BTreeMap::new();
    for line in drawing.lines().filter_map(|line| line.strip_prefix("<g data-part=\"")) {
        let (names, rest) = line.split_once("\" data-value=\"").expect("a part has a value");
        for name in names.split(' ') {
            let before = parts.insert(name.to_owned(), rest.trim_end_matches("\">").to_owned());
            assert_eq!(before, None, "{name} is drawn twice");
        }
    }
    parts
}

/// The differences between the list and a drawing.
fn differences(list: &str, drawing: &str, with_sockets: bool) -> Vec<String> {
    let rows = rows(list);
    let drawn = drawn(drawing);
    let listed: BTreeSet<&String> =
        rows.iter().flat_map(|row| &row.names).filter(|name| with_sockets || !name.starts_with('X')).collect();
    let mut wrong: Vec<String> = Vec::new();
    wrong.extend(listed.iter().filter(|name| !drawn.contains_key(**name)).map(|name| format!("{name} is not drawn")));
    wrong.extend(drawn.keys().filter(|name| !listed.contains(name)).map(|name| format!("{name} is not in the list")));
    for row in &rows {
        for name in &row.names {
            if drawn.get(name).is_some_and(|value| !row.part.contains(value.as_str())) {
                wrong.push(format!("{name} is {} on the drawing, {} in the list", drawn[name], row.part));
            }
        }
    }
    wrong
}

#[test]
fn drawings_and_list_have_the_same_parts() {
    for (path, with_sockets) in DRAWINGS {
        assert_eq!(differences(&text_of(LIST), &text_of(path), with_sockets), [""; 0], "{path} and {LIST}");
    }
}

#[test]
fn list_counts_and_names_are_consistent() {
    let mut seen = BTreeSet::new();
    for row in rows(&text_of(LIST)) {
        assert_eq!(row.number, row.names.len().to_string(), "{}", row.part);
        for name in row.names {
            assert!(row.part.contains(value(&name)), "{name} is {}, not {}", value(&name), row.part);
            assert!(seen.insert(name.clone()), "{name} is listed twice");
        }
    }
}

#[test]
fn part_missing_from_list_or_drawing_is_found() {
    let list = text_of(LIST);
    for (path, with_sockets) in DRAWINGS {
        let drawing = text_of(path);
        for row in rows(&list).iter().filter(|row| with_sockets || !row.names[0].starts_with('X')) {
            let shorter: Vec<&str> = list.lines().filter(|line| !line.contains(row.part.as_str())).collect();
            assert!(!differences(&shorter.join("\n"), &drawing, with_sockets).is_empty(), "{} unlisted", row.part);
            let marks = [&row.names[0], &row.names.join(" ")].map(|names| format!("<g data-part=\"{names}\""));
            let shorter: Vec<&str> =
                drawing.lines().filter(|line| !marks.iter().any(|mark| line.starts_with(mark.as_str()))).collect();
            assert!(!differences(&list, &shorter.join("\n"), with_sockets).is_empty(), "{} not in {path}", row.part);
        }
    }
}

#[test]
fn wrong_value_in_the_list_is_found() {
    let list = text_of(LIST).replace("330 ohm", "33 ohm");
    assert_eq!(differences(&list, &text_of("hardware/wiring.svg"), false).len(), 1);
}

#[test]
fn assembly_page_mentions_every_part() {
    let page = text_of("hardware/assembly.md");
    let page = page.replace("**", "");
    let mentioned: BTreeSet<String> = page.split(['(', ')', ';', ':', '.']).flat_map(names_within).collect();
    for row in rows(&text_of(LIST)) {
        for name in row.names.iter().filter(|name| !name.starts_with('X')) {
            assert!(mentioned.contains(name), "hardware/assembly.md does not mention {name}");
        }
    }
}

#[test]
fn pages_name_only_listed_parts() {
    let list = text_of(LIST);
    let listed: BTreeSet<String> = rows(&list).into_iter().flat_map(|row| row.names).collect();
    let letters: BTreeSet<&str> = listed.iter().map(|name| &name[..1]).collect();
    for path in ["parts", "wiring", "power", "assembly"].map(|page| format!("hardware/{page}.md")) {
        let page = text_of(&path);
        let named: Vec<String> = page.split(|c: char| !c.is_ascii_alphanumeric() && c != '-').flat_map(names).collect();
        assert!(named.len() > 20, "{path} names {} parts", named.len());
        let unknown = named.iter().find(|name| letters.contains(&name[..1]) && !listed.contains(*name));
        assert_eq!(unknown, None, "{path} names a part that is not in {LIST}");
    }
}

/// The names in a text: single names, and ranges such as `R2 to R5`.
fn names_within(text: &str) -> Vec<String> {
    let words: Vec<&str> = text.split([' ', ',', '\n']).filter(|word| !word.is_empty()).collect();
    let mut found: Vec<String> = words.iter().flat_map(|word| names(word)).collect();
    for window in words.windows(3).filter(|window| window[1] == "to") {
        found.extend(names(&window.join(" ")));
    }
    found
}
