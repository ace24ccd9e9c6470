//! The simulation: the wiring as parts and wires of the simulator Wokwi.
//!
//! It has no buffer, no capacitors and no supply switch: the simulated LEDs accept 3.3 V, and their supply is ideal. A
//! red LED with a resistor shows whether the firmware has switched the LED supply on. It has no diodes either: the
//! firmware must be correct without them. Key `n` is `key{n}`, its light is `led{n}`. Terminal 1 of a key is at its
//! row, terminal 2 at its column. The left and the right end (`.l`, `.r`) of a terminal are connected.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::{SIDE, Wiring, pin_name};

/// Distance from key to key, in pixels.
const PITCH: (i32, i32) = (84, 86);
/// The position of the first key.
const FIRST: (i32, i32) = (160, -40);

const ROW_COLOUR: &str = "blue";
const COLUMN_COLOUR: &str = "orange";
const DATA_COLOUR: &str = "purple";
const POWER_COLOUR: &str = "red";
const GROUND_COLOUR: &str = "black";
const SOUND_COLOUR: &str = "green";

#[derive(Serialize)]
struct DiagramPart {
    #[serde(rename = "type")]
    kind: String,
    id: String,
    top: i32,
    left: i32,
    attrs: BTreeMap<&'static str, &'static str>,
}

/// From, to, colour and path of a wire. The path is empty: the simulator finds one.
#[derive(Serialize)]
struct DiagramWire(String, String, &'static str, [&'static str; 0]);

/// The text of `diagram.json`, with a line for each part and each wire, as the simulator's editor writes it.
pub fn diagram(wiring: &Wiring) -> String {
    format!(
        r#"{{
  "version": 1,
  "author": "Lights Out handheld",
  "editor": "wokwi",
  "parts": [
{}
  ],
  "connections": [
{}
  ]
}}
"#,
        lines(&parts()),
        lines(&connections(wiring)),
    )
}

/// The items of a JSON list, each on a line.
fn lines(items: &[impl Serialize]) -> String {
    let line = |item| format!("    {}", serde_json::to_string(item).expect("strings and numbers have a JSON form"));
    items.iter().map(line).collect::<Vec<_>>().join(",\n")
}

/// The text of `wokwi.toml`. It names files that `cargo uf2` writes: the UF2 file for the Pico alone, because a
/// simulator may ignore which chip a block is for.
pub fn configuration() -> String {
    "\
# Made by `cargo wiring`. Run `cargo uf2` first: it builds both files.
[wokwi]
version = 1
firmware = \"../../target/thumbv6m-none-eabi/release/lights-out.uf2\"
elf = \"../../target/thumbv6m-none-eabi/release/lights-out\"
"
    .to_owned()
}

fn parts() -> Vec<DiagramPart> {
    let part =
        |kind: &str, id: &str, (left, top): (i32, i32), attributes: &[(&'static str, &'static str)]| DiagramPart {
            kind: format!("wokwi-{kind}"),
            id: id.to_owned(),
            top,
            left,
            attrs: attributes.iter().copied().collect(),
        };
    let mut parts = vec![
        part("pi-pico", "pico", (0, 40), &[]),
        part("buzzer", "piezo", (-110, 230), &[("volume", "0.1")]),
        part("resistor", "resistor", (-110, 110), &[("value", "330")]),
        part("led", "supply", (-160, 60), &[("color", "red")]),
    ];
    for cell in 0..SIDE * SIDE {
        let (row, column) = ((cell / SIDE) as i32, (cell % SIDE) as i32);
        let (left, top) = (FIRST.0 + PITCH.0 * column, FIRST.1 + PITCH.1 * row);
        parts.push(part("neopixel", &format!("led{cell}"), (left + 23, top - 26), &[]));
        parts.push(part("pushbutton", &format!("key{cell}"), (left, top), &[("color", "white"), ("xray", "1")]));
    }
    parts
}

fn connections(wiring: &Wiring) -> Vec<DiagramWire> {
    let mut connections = Vec::new();
    let mut join = |from: &str, to: &str, colour: &'static str| {
        connections.push(DiagramWire(from.to_owned(), to.to_owned(), colour, []));
    };
    let pin = |gpio: u8| format!("pico:{}", pin_name(gpio));
    for row in 0..SIDE {
        let key = |column: usize, end: &str| format!("key{}:1.{end}", SIDE * row + column);
        join(&pin(wiring.rows[row]), &key(0, "l"), ROW_COLOUR);
        for column in 1..SIDE {
            join(&key(column - 1, "r"), &key(column, "l"), ROW_COLOUR);
        }
    }
    for column in 0..SIDE {
        let key = |row: usize| format!("key{}:2.l", SIDE * row + column);
        join(&pin(wiring.columns[column]), &key(0), COLUMN_COLOUR);
        for row in 1..SIDE {
            join(&key(row - 1), &key(row), COLUMN_COLOUR);
        }
    }
    let chain: Vec<usize> = wiring.chain().collect();
    join(&pin(wiring.led_data), &format!("led{}:DIN", chain[0]), DATA_COLOUR);
    for pair in chain.windows(2) {
        join(&format!("led{}:DOUT", pair[0]), &format!("led{}:DIN", pair[1]), DATA_COLOUR);
    }
    let (mut power, mut ground) = ("pico:VBUS".to_owned(), "pico:GND.8".to_owned());
    for cell in chain {
        let (next_power, next_ground) = (format!("led{cell}:VDD"), format!("led{cell}:VSS"));
        join(&power, &next_power, POWER_COLOUR);
        join(&ground, &next_ground, GROUND_COLOUR);
        (power, ground) = (next_power, next_ground);
    }
    join(&pin(wiring.led_supply), "resistor:1", POWER_COLOUR);
    join("resistor:2", "supply:A", POWER_COLOUR);
    join("supply:C", "pico:GND.1", GROUND_COLOUR);
    join(&pin(wiring.piezo), "piezo:2", SOUND_COLOUR);
    join("piezo:1", "pico:GND.4", GROUND_COLOUR);
    connections
}
