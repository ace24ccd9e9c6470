//! The supply in the wiring plan, and the optional switch that turns off the supply of the lights during sleep.
//!
//! The switch, from the left: VSYS is at the source of a P-channel MOSFET. R3 pulls its gate to VSYS too, so it is off.
//! GP17 high turns on Q2, which pulls the gate down through R2. C27 limits how fast the output rises: the current
//! through R2 must recharge it.

use super::lights::{PANEL, PANEL_SIZE};
use super::{pad, route, symbols};
use crate::pico::{Side, pin_number};
use crate::svg::{Anchor, Position, Svg};
use crate::tables::parts;
use crate::{Wiring, pin_name};

/// The vertical position of the supply wire.
const RAIL: i32 = super::FIRST_PIN;
/// The centres of the switch's MOSFET, of the transistor that switches it, and of the battery's MOSFET.
const Q1: Position = (1052, RAIL);
const Q2: Position = (1052, 338);
const Q3: Position = (1000, 62);
/// The vertical position of the gate's wire, with R3 on its left and C27 on its right.
const GATE: i32 = 236;
/// The start and the end of the switch on the supply wire.
const SWITCH: (i32, i32) = (962, 1136);
/// The frames around the switch and around the battery.
const FRAME: (Position, Position) = ((917, 128), (255, 296));
const BATTERY: (Position, Position) = ((922, 8), (660, 110));
/// The lanes up from VBUS, and from VSYS to the supply wire and the battery.
const VBUS_LANE: i32 = 868;
const VSYS_LANE: i32 = 900;

pub(super) fn draw(svg: &mut Svg, wiring: &Wiring) {
    rail(svg);
    switch(svg, wiring);
    battery(svg);
    let ground = pad(38);
    svg.line("ground", &[ground, (ground.0 + 24, ground.1), (ground.0 + 24, ground.1 + 6)]);
    symbols::ground(svg, (ground.0 + 24, ground.1 + 6));
}

/// The wire from VSYS to the switch, and the supply of the lights after the switch, with capacitors.
fn rail(svg: &mut Svg) {
    let panel = PANEL.0 + PANEL_SIZE.0 - 40;
    let vsys = pad(pin_number("VSYS"));
    svg.wire("power", &[vsys, (VSYS_LANE, vsys.1), (VSYS_LANE, RAIL), (Q1.0 - 28, RAIL)]);
    svg.wire("power", &[(Q1.0 + 28, RAIL), (panel, RAIL), (panel, PANEL.1)]);
    svg.text("", (1190, RAIL - 12), Anchor::Start, "VLED, the supply of LEDs and buffer");
    svg.text("", (panel - 8, PANEL.1 - 10), Anchor::End, "VLED to 5 V of every LED");
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

/// The battery, from the right: cells, switch, fuse, and a MOSFET that disconnects them while USB supplies power. Its
/// gate is at VBUS; R7 pulls the gate down without USB.
fn battery(svg: &mut Svg) {
    let (corner, size) = BATTERY;
    let y = Q3.1;
    let gate = (Q3.0, y + 32);
    svg.rectangle("optional", corner, size, 8);
    let note = "optional: battery. On USB alone leave out all parts in this frame.";
    svg.text("small", (corner.0 + size.0 - 8, corner.1 + 15), Anchor::End, note);
    svg.wire("power", &[(VSYS_LANE, RAIL), (VSYS_LANE, y), (Q3.0 - 28, y)]);
    symbols::dot(svg, (VSYS_LANE, RAIL));
    let vbus = pad(pin_number("VBUS"));
    svg.wire("power", &[vbus, (VBUS_LANE, vbus.1), (VBUS_LANE, gate.1), gate, (gate.0, y + 20)]);
    symbols::transistor(svg, Q3, "Q3", &[("S", (-20, 0)), ("D", (20, 0)), ("G", (0, 12)), ("Q3", (0, -8))]);
    svg.text("small", (Q3.0, y - 26), Anchor::Middle, parts::value("Q3"));
    svg.line("power", &[gate, (gate.0 + 44, gate.1)]);
    svg.line("ground", &[(gate.0 + 88, gate.1), (gate.0 + 110, gate.1)]);
    symbols::dot(svg, gate);
    symbols::resistor(svg, (gate.0 + 66, gate.1), "R7");
    symbols::ground(svg, (gate.0 + 110, gate.1));
    svg.line("power", &[(Q3.0 + 28, y), (1270, y)]);
    symbols::fuse(svg, (1180, y), "F1");
    svg.component("S1", |svg| symbols::key(svg, (1270, y), (1314, y)));
    svg.text("small", (1292, y + 18), Anchor::Middle, parts::label("S1"));
    svg.line("power", &[(1314, y), (1380, y)]);
    svg.component("B1", |svg| {
        svg.rectangle("part", (1380, y - 24), (150, 48), 4);
        svg.text("small", (1455, y + 4), Anchor::Middle, parts::label("B1"));
        svg.text("", (1388, y + 4), Anchor::Start, "+");
    });
    symbols::ground(svg, (1516, y + 24));
}
