//! The wiring plan: the Pico in the middle, the keys to its left, the lights to its right.
//!
//! ```text
//!                               VBUS -- MOSFET -- battery
//!   columns                     VSYS -- switch -- VLED -- capacitors
//!   keys, rows  -- lanes -- Pico              lights
//!   lanes under the keys    piezo -- buffer -- resistor
//! ```
//!
//! The positions of the parts are fixed. The wires are routed to the pins that the code names (module `route`).

mod lights;
mod matrix;
mod route;
mod supply;
mod symbols;

use crate::pico::{HEADER, OTHER_BOARDS, PINS_A_SIDE, Side, pin_number, place};
use crate::svg::{Anchor, Position, Svg};
use crate::{Wiring, pin_name};

const SHEET: Position = (1610, 930);
/// The top left corner of the Pico's board, and its size.
const PICO: Position = (640, 140);
const PICO_SIZE: Position = (200, 580);
/// The vertical position of the uppermost pins, and the distance from pin to pin.
const FIRST_PIN: i32 = 180;
const PIN_PITCH: i32 = 26;

/// The centre of a pad on the Pico's edge.
fn pad(number: usize) -> Position {
    let (side, above) = place(number);
    let x = match side {
        Side::Left => PICO.0,
        Side::Right => PICO.0 + PICO_SIZE.0,
    };
    (x, FIRST_PIN + PIN_PITCH * above as i32)
}

/// Draws the plan.
pub fn draw(wiring: &Wiring) -> String {
    let list: Vec<String> = wiring.pins().map(|(role, gpio)| format!("{role} on {}", pin_name(gpio))).collect();
    let mut svg = Svg::new(SHEET.0, SHEET.1, "Lights Out handheld: wiring plan", &format!("{}.", list.join(", ")));
    svg.text("title", (40, 48), Anchor::Start, "Lights Out handheld: wiring plan");
    svg.text(
        "",
        (40, 72),
        Anchor::Start,
        "Seen from the front. A dot marks a connection. Wires that cross without a dot are not connected.",
    );
    svg.group("keys", |svg| matrix::draw(svg, wiring));
    svg.group("supply", |svg| supply::draw(svg, wiring));
    svg.group("lights", |svg| lights::draw(svg, wiring));
    svg.group("piezo", |svg| piezo(svg, wiring));
    svg.group("pico", |svg| pico(svg, wiring));
    svg.group("table", |svg| table(svg, wiring));
    svg.finish()
}

fn pico(svg: &mut Svg, wiring: &Wiring) {
    let (x, y) = PICO;
    let (width, _) = PICO_SIZE;
    svg.component("U1", |svg| svg.rectangle("board", PICO, PICO_SIZE, 10));
    svg.rectangle("metal", (x + width / 2 - 36, y - 14), (72, 40), 4);
    svg.text("small", (x + width / 2, y + 10), Anchor::Middle, "USB");
    svg.rectangle("chip", (x + width / 2 - 26, y + 275), (52, 52), 3);
    for (line, down) in [("RP2040", 292), ("or", 304), ("RP2350", 317)] {
        svg.text("small on-board", (x + width / 2, y + down), Anchor::Middle, line);
    }
    svg.text("head on-board", (x + width / 2, y + 559), Anchor::Middle, "Raspberry Pi Pico");
    svg.text("small on-board", (x + width / 2, y + 573), Anchor::Middle, OTHER_BOARDS);
    let used: Vec<usize> = wiring.pins().map(|(_, gpio)| pin_number(&pin_name(gpio))).collect();
    for number in 1..=HEADER.len() {
        let (px, py) = pad(number);
        let used = used.contains(&number) || [pin_number("VBUS"), pin_number("VSYS"), 38].contains(&number);
        svg.rectangle(if used { "pad-used" } else { "pad" }, (px - 7, py - 7), (14, 14), 7);
        let (inwards, anchor) = if number <= PINS_A_SIDE { (1, Anchor::Start) } else { (-1, Anchor::End) };
        svg.text("small faint", (px + inwards * 12, py + 4), anchor, number);
        let class = if used { "used" } else { "on-board" };
        svg.text(class, (px + inwards * 32, py + 4), anchor, HEADER[number - 1]);
    }
}

/// A list of the pins, for ticking them off: role, GPIO, pin number.
fn table(svg: &mut Svg, wiring: &Wiring) {
    let (columns, lines) = ([40, 190, 350], 5);
    svg.text("head", (columns[0], 766), Anchor::Start, "Pins of the Pico");
    for (index, (role, gpio)) in wiring.pins().enumerate() {
        let x = columns[index / lines];
        let y = 790 + 20 * (index % lines) as i32;
        let name = pin_name(gpio);
        svg.text("", (x, y), Anchor::Start, format_args!("{role}: {name}, pin {}", pin_number(&name)));
    }
}

/// The piezo, below the Pico. Its wire leaves towards the side of its pin.
fn piezo(svg: &mut Svg, wiring: &Wiring) {
    let number = pin_number(&pin_name(wiring.piezo));
    let (side, _) = place(number);
    let outwards = if side == Side::Left { -1 } else { 1 };
    let middle = PICO.0 + PICO_SIZE.0 / 2;
    let y = 800;
    svg.rectangle("optional", (middle - 110, y - 50), (220, 110), 8);
    svg.text("small", (middle, y + 54), Anchor::Middle, "optional: sound");
    let at = |along: i32, down: i32| (middle + outwards * along, y + down);
    let lane = pad(number).0 + outwards * route::PIEZO_LANE;
    svg.wire("sound", &[pad(number), (lane, pad(number).1), (lane, y), at(70, 0)]);
    symbols::resistor(svg, at(50, 0), "R6");
    svg.line("sound", &[at(28, 0), at(-4, 0)]);
    svg.component("P1", |svg| {
        svg.circle("part", at(-24, 0), 20);
        svg.text("small", (at(-24, 0).0, y + 4), Anchor::Middle, "piezo");
        svg.text("small", (at(-24, 0).0, y - 26), Anchor::Middle, "P1");
    });
    svg.line("ground", &[at(-44, 0), at(-72, 0), at(-72, 10)]);
    symbols::ground(svg, at(-72, 10));
    let label = (lane + outwards * 8, y + 4);
    svg.text("", label, if outwards < 0 { Anchor::End } else { Anchor::Start }, pin_name(wiring.piezo));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Role;

    /// Wirings from simple to difficult: the reference, its mirror image, and one with the pins of each group on both
    /// sides.
    fn wirings() -> [Wiring; 3] {
        let reference = Wiring::of_firmware().expect("the reference wiring is valid");
        let mirror = Wiring {
            rows: [28, 27, 26, 22, 21],
            columns: [20, 19, 18, 17, 16],
            led_data: 0,
            led_supply: 1,
            piezo: 2,
            ..reference.clone()
        };
        let mixed = Wiring { rows: [11, 28, 0, 19, 3], columns: [22, 1, 14, 2, 26], led_data: 12, ..reference.clone() };
        [reference, mirror, mixed]
    }

    /// The class of each line, and its corners.
    fn lines(drawing: &str) -> Vec<(String, Vec<Position>)> {
        let attribute =
            |line: &str, name: &str| Some(line.split_once(&format!(" {name}=\""))?.1.split_once('"')?.0.to_owned());
        let point = |text: &str| -> Option<Position> {
            let (x, y) = text.split_once(' ')?;
            Some((x.parse().ok()?, y.parse().ok()?))
        };
        let line = |line: &str| {
            let path = attribute(line, "d")?;
            Some((attribute(line, "class")?, path.trim_start_matches('M').split(" L").filter_map(point).collect()))
        };
        let paths = drawing.lines().filter(|line| line.starts_with("<path"));
        paths.filter_map(line).filter(|(class, _)| class != "edge").collect()
    }

    /// Whether two lines overlap in more than single points.
    fn overlap(one: &[Position], other: &[Position]) -> bool {
        let apart = |a: (i32, i32), b: (i32, i32)| a.0.max(a.1) <= b.0.min(b.1) || b.0.max(b.1) <= a.0.min(a.1);
        one.windows(2).any(|a| {
            other.windows(2).any(|b| {
                let ([a0, a1], [b0, b1]) = ([a[0], a[1]], [b[0], b[1]]);
                let upright = a0.0 == a1.0 && b0.0 == b1.0 && a0.0 == b0.0 && !apart((a0.1, a1.1), (b0.1, b1.1));
                let level = a0.1 == a1.1 && b0.1 == b1.1 && a0.1 == b0.1 && !apart((a0.0, a1.0), (b0.0, b1.0));
                upright || level
            })
        })
    }

    #[test]
    fn wires_do_not_overlap() {
        for wiring in wirings() {
            let mut lines = lines(&draw(&wiring));
            lines.retain(|(class, _)| {
                matches!(class.as_str(), "row" | "column" | "data" | "supply" | "sound" | "power")
            });
            for (index, (class, line)) in lines.iter().enumerate() {
                for (other_class, other) in &lines[..index] {
                    assert!(!overlap(line, other), "{class} {line:?} and {other_class} {other:?}");
                }
            }
        }
    }

    #[test]
    fn exactly_the_used_pins_have_wires() {
        for wiring in wirings() {
            let lines = lines(&draw(&wiring));
            for number in 1..=HEADER.len() {
                let name = HEADER[number - 1];
                let role = wiring.pins().find(|&(_, gpio)| pin_name(gpio) == name).map(|(role, _)| role);
                let expected: &[&str] = match role {
                    Some(Role::Row(_)) => &["row"],
                    Some(Role::Column(_)) => &["column"],
                    Some(Role::LedData) => &["data"],
                    Some(Role::LedSupply) => &["supply"],
                    Some(Role::Piezo) => &["sound"],
                    None if matches!(name, "VBUS" | "VSYS") => &["power"],
                    None if number == 38 => &["ground"],
                    None => &[],
                };
                let touches = |line: &[Position]| [line.first(), line.last()].contains(&Some(&pad(number)));
                let touching: Vec<&str> =
                    lines.iter().filter(|(_, line)| touches(line)).map(|(class, _)| class.as_str()).collect();
                assert_eq!(touching, expected, "pin {number}, {name}");
            }
        }
    }

    #[test]
    fn rows_and_columns_end_at_their_pins() {
        for wiring in wirings() {
            let lines = lines(&draw(&wiring));
            for (role, gpio) in wiring.pins() {
                let pin = pad(pin_number(&pin_name(gpio)));
                let (_, line) =
                    lines.iter().find(|(_, line)| line.last() == Some(&pin) || line[0] == pin).expect("a wire");
                let start = line[0];
                match role {
                    Role::Row(row) => assert_eq!(start.1, matrix::crossing(row, 0).1),
                    Role::Column(column) => assert_eq!(start.0, matrix::crossing(0, column).0),
                    _ => {}
                }
            }
        }
    }
}
