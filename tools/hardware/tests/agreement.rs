//! Tests that the code, the drawings, the simulation and the tables agree, and that a change in only one of them is
//! found.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use hardware::{
    ColourOrder, HEADER, LedOrder, Role, SIDE, WIRING_FILE, Wiring, WiringError, pin_name, products, tables, wiring,
    wokwi,
};
use lights_out::display::wire::current;
use serde_json::Value;

/// The files with a wiring table. The code has one in its module comment.
const TABLES: [&str; 3] = ["README.md", "hardware/wiring.md", WIRING_FILE];
/// An unused pin, to move other parts to.
const SPARE: u8 = 22;

fn text_of(path: &str) -> String {
    fs::read_to_string(setup::root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn wiring() -> Wiring {
    Wiring::of_firmware().unwrap_or_else(|error| panic!("{WIRING_FILE}: {error}"))
}

/// The wiring with one part on another pin.
fn with_pin_moved(role: Role, to: u8) -> Wiring {
    let mut wiring = wiring();
    *match role {
        Role::Row(row) => &mut wiring.rows[row],
        Role::Column(column) => &mut wiring.columns[column],
        Role::LedData => &mut wiring.led_data,
        Role::LedSupply => &mut wiring.led_supply,
        Role::Piezo => &mut wiring.piezo,
    } = to;
    wiring
}

#[test]
fn files_match_the_code() {
    for product in products(&wiring()) {
        let same = text_of(&product.path) == product.text;
        assert!(same, "{} does not match {WIRING_FILE}: run `cargo wiring`", product.path);
    }
}

#[test]
fn tables_match_the_code() {
    for path in TABLES {
        let wrong = tables::check(&text_of(path), &wiring());
        assert!(wrong.is_empty(), "{path}: {}", wrong.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "));
    }
}

#[test]
fn pin_changed_only_in_the_code_is_found() {
    let original = wiring();
    for (role, gpio) in original.pins() {
        let changed = with_pin_moved(role, SPARE);
        assert_eq!(changed.check(), Ok(()), "{role}");
        assert!(changed.pins().any(|pin| pin == (role, SPARE)), "{role}");
        let drawn = products(&changed);
        for (new, path) in drawn.iter().zip(["wiring.svg", "perfboard.svg", "diagram.json"]) {
            assert!(new.path.ends_with(path));
            assert_ne!(new.text, text_of(&new.path), "{path}: {role}");
        }
        assert_ne!(connected(&text_of("hardware/wokwi/diagram.json")), expected(&changed), "the simulation: {role}");
        for path in TABLES {
            let listed = text_of(path).lines().any(|line| line.contains('|') && line.contains(&pin_name(gpio)));
            let optional = matches!(role, Role::LedSupply | Role::Piezo);
            assert!(listed || optional, "{path} does not list the {role}");
            assert_eq!(tables::check(&text_of(path), &changed).is_empty(), !listed, "{path}: {role}");
        }
    }
}

#[test]
fn pin_changed_only_in_a_table_is_found() {
    for path in TABLES {
        for (role, gpio) in wiring().pins() {
            let text = text_of(path);
            for (number, line) in text.lines().enumerate().filter(|(_, line)| line.contains('|')) {
                let changed: Vec<String> = words(line)
                    .map(|word| if word == pin_name(gpio) { pin_name(SPARE) } else { word.to_owned() })
                    .collect();
                let changed = changed.concat();
                if changed != line {
                    let text = text.lines().enumerate().map(|(at, old)| if at == number { &changed } else { old });
                    let text = text.collect::<Vec<_>>().join("\n");
                    assert!(!tables::check(&text, &wiring()).is_empty(), "{path}: {role} moved in `{line}`");
                }
            }
        }
    }
}

/// The pieces of a line: words of letters and digits, and the text between them.
fn words(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = line;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let plain = |c: char| c.is_ascii_alphanumeric();
        let end = rest.find(|c| plain(c) != plain(first)).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        rest = after;
        Some(word)
    })
}

#[test]
fn pin_numbers_in_the_table_are_correct() {
    let text = text_of("hardware/wiring.md");
    let mut checked = 0;
    for line in text.lines().filter(|line| line.starts_with('|') && line.contains("GP")) {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let number = |name: &str| HEADER.iter().position(|&other| other == name).map(|index| (index + 1).to_string());
        let numbers: Option<Vec<String>> = cells[2].split(' ').map(number).collect();
        if let Some(numbers) = numbers {
            assert_eq!(cells[3], numbers.join(" "), "{line}");
            checked += numbers.len();
        }
    }
    assert_eq!(checked, wiring().pins().count());
}

#[test]
fn power_page_has_the_figures_of_the_code() {
    let (board, dark, white) = (current::BOARD, current::DARK_LED, current::WHITE_LED);
    let cap = wiring().current_cap;
    // Without its line breaks, which may be anywhere.
    let page = text_of("hardware/power.md").split_whitespace().collect::<Vec<_>>().join(" ");
    for figure in [
        format!("({cap} mA for board and LEDs"),
        format!("current = {board} mA (Pico) + 25 x {dark} mA (dark LEDs) + {white} mA x"),
        format!("All 25 at full white would be {} mA", board + 25 * (dark + white)),
    ] {
        assert!(page.contains(&figure), "hardware/power.md should contain: {figure}");
    }
}

#[test]
fn table_without_the_rows_is_found() {
    let text = text_of("README.md");
    let text: Vec<&str> = text.lines().filter(|line| !line.contains("rows 0 to 4")).collect();
    assert_eq!(tables::check(&text.join("\n"), &wiring()), [tables::Disagreement::Missing("rows")]);
}

/// The terminals that are connected to each GPIO of the simulation: `GP2 -> key0:1, key1:1, ...`.
fn connected(diagram: &str) -> BTreeMap<String, BTreeSet<String>> {
    let diagram: Value = serde_json::from_str(diagram).expect("valid JSON");
    let ids: BTreeSet<&str> =
        diagram["parts"].as_array().expect("parts").iter().filter_map(|p| p["id"].as_str()).collect();
    // The left and the right end of a key's terminal are connected.
    let terminal = |name: &str| name.trim_end_matches(".l").trim_end_matches(".r").to_owned();
    let mut wires: Vec<BTreeSet<String>> = Vec::new();
    for wire in diagram["connections"].as_array().expect("connections") {
        let ends = [0, 1].map(|end| wire[end].as_str().expect("the end of a wire"));
        for end in ends {
            let (part, _) = end.split_once(':').expect("part:pin");
            assert!(ids.contains(part), "{end}: unknown part");
        }
        let mut joined: BTreeSet<String> = ends.map(terminal).into();
        wires.retain(|other| {
            let apart = other.is_disjoint(&joined);
            if !apart {
                joined.extend(other.iter().cloned());
            }
            apart
        });
        wires.push(joined);
    }
    let mut nets = BTreeMap::new();
    for wire in wires {
        let (pico, parts): (Vec<_>, Vec<_>) = wire.into_iter().partition(|end| end.starts_with("pico:"));
        let gpios: Vec<_> = pico.iter().filter(|end| end.starts_with("pico:GP")).collect();
        assert!(gpios.len() <= 1 && (gpios.is_empty() || pico.len() == 1), "connected pins: {pico:?}");
        for end in gpios {
            nets.insert(end.trim_start_matches("pico:").to_owned(), parts.iter().cloned().collect());
        }
    }
    nets
}

fn expected(wiring: &Wiring) -> BTreeMap<String, BTreeSet<String>> {
    let key = |row: usize, column: usize, terminal: u8| format!("key{}:{terminal}", SIDE * row + column);
    let net = |(role, gpio): (Role, u8)| {
        let parts: Vec<String> = match role {
            Role::Row(row) => (0..SIDE).map(|column| key(row, column, 1)).collect(),
            Role::Column(column) => (0..SIDE).map(|row| key(row, column, 2)).collect(),
            Role::LedData => vec!["led0:DIN".into()],
            Role::LedSupply => vec!["resistor:1".into()],
            Role::Piezo => vec!["piezo:2".into()],
        };
        (pin_name(gpio), parts.into_iter().collect())
    };
    wiring.pins().map(net).collect()
}

#[test]
fn simulation_matches_the_code() {
    assert_eq!(connected(&text_of("hardware/wokwi/diagram.json")), expected(&wiring()));
}

#[test]
fn wire_changed_only_in_the_simulation_is_found() {
    for (role, gpio) in wiring().pins() {
        let [old, new] = [gpio, SPARE].map(|gpio| format!("\"pico:{}\"", pin_name(gpio)));
        let changed = text_of("hardware/wokwi/diagram.json").replace(&old, &new);
        assert_ne!(connected(&changed), expected(&wiring()), "{role}");
    }
}

#[test]
fn simulated_chain_has_every_light_in_order() {
    for order in [LedOrder::RowMajor, LedOrder::Serpentine] {
        let wiring = Wiring { led_order: order, ..wiring() };
        let diagram: Value = serde_json::from_str(&wokwi::diagram(&wiring)).expect("valid JSON");
        let wires = diagram["connections"].as_array().expect("connections");
        let next = |out: &str| wires.iter().find(|wire| wire[0] == out).and_then(|wire| wire[1].as_str());
        let mut at = next(&format!("pico:{}", pin_name(wiring.led_data)));
        let mut seen = Vec::new();
        while let Some(light) = at {
            let light = light.strip_suffix(":DIN").expect("the data input is DIN");
            seen.push(light.trim_start_matches("led").parse::<usize>().expect("a number"));
            at = next(&format!("{light}:DOUT"));
        }
        assert_eq!(seen, wiring.chain().collect::<Vec<_>>());
    }
    assert_eq!(Wiring { led_order: LedOrder::Serpentine, ..wiring() }.chain().take(11).last(), Some(10));
    assert_eq!(Wiring { led_order: LedOrder::Serpentine, ..wiring() }.chain().nth(5), Some(9));
}

#[test]
fn shared_and_internal_pins_are_errors() {
    let row = wiring().rows[0];
    assert_eq!(with_pin_moved(Role::LedData, row).check(), Err(WiringError::Shared(row)));
    for inside in [23, 24, 25, 29, 30] {
        assert_eq!(with_pin_moved(Role::Column(2), inside).check(), Err(WiringError::NotOnHeader(inside)));
    }
}

#[test]
fn drawing_shows_led_order_colours_and_limit() {
    let serpentine = Wiring { led_order: LedOrder::Serpentine, ..wiring() };
    assert!(wiring::draw(&serpentine).contains("every other from the right"));
    let rgb = Wiring { colour_order: ColourOrder::Rgb, ..wiring() };
    assert!(wiring::draw(&rgb).contains("red, green, blue"));
    assert!(wiring::draw(&Wiring { current_cap: 1000, ..wiring() }).contains("1000 mA"));
}
