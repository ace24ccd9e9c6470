//! The 5 V supply in the wiring plan, and the optional switch that turns off the supply of the lights during sleep.
//!
//! The switch, from the left: 5 V is at the source of a P-channel MOSFET. R3 pulls its gate to 5 V too, so it is off.
//! GP17 high turns on Q2, which pulls the gate down through R2. C27 limits how fast the output rises: the current
//! through R2 must recharge it.

use super::lights::{PANEL, PANEL_SIZE};
use super::{pad, route, symbols};
use crate::pico::{Side, pin_number};
use crate::svg::{Anchor, Position, Svg};
use crate::tables::parts;
use crate::{Wiring, pin_name};

/// The vertical position of the 5 V wire, the same as that of VBUS.
const RAIL: i32 = super::FIRST_PIN;
/// The centres of the MOSFET and of the transistor that switches it.
const Q1: Position = (1052, RAIL);
const Q2: Position = (1052, 338);
/// The vertical position of the gate's wire, with R3 on its left and C27 on its right.
const GATE: i32 = 236;
/// The start and the end of the switch on the 5 V wire.
const SWITCH: (i32, i32) = (962, 1136);
/// The frames around the switch and around the battery.
const FRAME: (Position, Position) = ((917, 128), (255, 296));
const BATTERY: (Position, Position) = ((922, 8), (660, 100));
/// The vertical position of the battery's wire, and the lanes down to VSYS and to the 5 V wire.
const BATTERY_WIRE: i32 = 62;
const VSYS_LANE: i32 = 868;
const INPUT_LANE: i32 = 900;

pub(super) fn draw(svg: &mut Svg, wiring: &Wiring) {
    rail(svg);
    switch(svg, wiring);
    battery(svg);
    let ground = pad(38);
    svg.line("ground", &[ground, (ground.0 + 24, ground.1), (ground.0 + 24, ground.1 + 6)]);
    symbols::ground(svg, (ground.0 + 24, ground.1 + 6));
}

/// The 5 V wire from VBUS to the switch, and the 5 V of the lights after the switch, with capacitors.
fn rail(svg: &mut Svg) {
    let panel = PANEL.0 + PANEL_SIZE.0 - 40;
    svg.wire("power", &[pad(pin_number("VBUS")), (Q1.0 - 28, RAIL)]);
    svg.wire("power", &[(Q1.0 + 28, RAIL), (panel, RAIL), (panel, PANEL.1)]);
    svg.text("", (1190, RAIL - 12), Anchor::Start, "5 V for LEDs and buffer (\"5 V LED\")");
    svg.text("", (panel - 8, PANEL.1 - 10), Anchor::End, "5 V of every LED");
    for x in [1220, 1380] {
        symbols::dot(svg, (x, RAIL));
    }
    symbols::electrolytic(svg, (1220, RAIL), "C26");
    svg.text("", (1242, RAIL + 22), Anchor::Start, parts::label("C26"));
    svg.text("small", (1242, RAIL + 36), Anchor::Start, "6.3 V or more");
    symbols::capacitor(svg, (1380, RAIL), "C0 to C24");
    svg.text("", (1402, RAIL + 22), Anchor::Start, format_args!("C0 to C24 {}", parts::value("C0")));
    svg.text("small", (1402, RAIL + 36), Anchor::Start, "one at every LED");
}

fn switch(svg: &mut Svg, wiring: &Wiring) {
    let (corner, size) = FRAME;
    svg.rectangle("optional", corner, size, 8);
    svg.text("small", (corner.0 + 8, corner.1 + 14), Anchor::Start, "optional: supply switch; without it join S and D");
    // Source to gate, and gate to drain.
    svg.line("power", &[(SWITCH.0, RAIL), (SWITCH.0, GATE), (978, GATE)]);
    svg.line("supply", &[(1022, GATE), (1052, GATE)]);
    svg.line("supply", &[(1052, RAIL + 20), (1052, GATE)]);
    svg.line("supply", &[(1052, GATE), (1078, GATE)]);
    svg.line("power", &[(1114, GATE), (SWITCH.1, GATE), (SWITCH.1, RAIL)]);
    symbols::resistor(svg, (1000, GATE), "R3");
    symbols::horizontal_capacitor(svg, (1096, GATE), "C27");
    symbols::transistor(svg, Q1, "Q1", &[("S", (-20, 0)), ("D", (20, 0)), ("G", (0, 12)), ("Q1", (0, -8))]);
    // From the gate to ground, when GP17 is high.
    symbols::vertical_resistor(svg, "supply", (1052, GATE + 20), "R2", Anchor::Start);
    svg.line("supply", &[(1052, GATE), (1052, GATE + 20)]);
    svg.line("supply", &[(1052, GATE + 76), (1052, Q2.1 - 20)]);
    symbols::transistor(svg, Q2, "Q2", &[("B", (-20, 0)), ("C", (0, -11)), ("E", (0, 12)), ("Q2", (17, 0))]);
    symbols::ground(svg, (Q2.0, Q2.1 + 20));
    svg.text("small", (Q2.0 + 34, Q2.1 + 4), Anchor::Start, parts::value("Q2"));
    svg.text("small", (Q1.0, RAIL - 26), Anchor::Middle, parts::value("Q1"));

    let base = (1004, Q2.1);
    let number = pin_number(&pin_name(wiring.led_supply));
    svg.wire("supply", &route::to_pin((942, Q2.1), Side::Right, 880, number, 10));
    svg.line("supply", &[(986, Q2.1), (Q2.0 - 28, Q2.1)]);
    symbols::resistor(svg, (964, Q2.1), "R4");
    symbols::vertical_resistor(svg, "supply", base, "R5", Anchor::End);
    symbols::ground(svg, (base.0, base.1 + 56));
    for joint in [(SWITCH.0, RAIL), (SWITCH.1, RAIL), (1052, GATE), base] {
        symbols::dot(svg, joint);
    }
    svg.text("", (914, Q2.1 + 18), Anchor::End, pin_name(wiring.led_supply));
}

/// The battery, from the right: lithium cell with charger, switch, boost converter. Then to the lights, and through a
/// diode to the Pico.
fn battery(svg: &mut Svg) {
    let (corner, size) = BATTERY;
    let (y, right) = (BATTERY_WIRE, corner.0 + size.0);
    svg.rectangle("optional", corner, size, 8);
    let note = "optional: battery instead of USB. If you use it, leave out the wire at VBUS.";
    svg.text("small", (corner.0 + 8, corner.1 + 15), Anchor::Start, note);
    svg.wire("power", &[pad(pin_number("VSYS")), (VSYS_LANE, pad(pin_number("VSYS")).1), (VSYS_LANE, y), (953, y)]);
    symbols::horizontal_diode(svg, (968, y), "D25");
    svg.line("power", &[(983, y), (1060, y)]);
    svg.wire("power", &[(1014, y), (1014, 118), (INPUT_LANE, 118), (INPUT_LANE, RAIL)]);
    symbols::dot(svg, (1014, y));
    symbols::dot(svg, (INPUT_LANE, RAIL));
    let module = |svg: &mut Svg, name: &str, left: i32, lines: [&str; 2]| {
        svg.component(name, |svg| {
            svg.rectangle("part", (left, y - 24), (150, 48), 4);
            svg.text("small", (left + 75, y - 2), Anchor::Middle, lines[0]);
            svg.text("small", (left + 75, y + 12), Anchor::Middle, lines[1]);
        });
        symbols::ground(svg, (left + 136, y + 24));
    };
    module(svg, "B2", 1060, ["B2 boost converter", "to 5 V"]);
    svg.line("power", &[(1210, y), (1270, y)]);
    svg.component("S1", |svg| symbols::key(svg, (1270, y), (1314, y)));
    svg.text("small", (1292, y + 18), Anchor::Middle, parts::label("S1"));
    svg.line("power", &[(1314, y), (right - 200, y)]);
    module(svg, "B1", right - 200, ["B1 lithium cell with", "protection and charger"]);
}
