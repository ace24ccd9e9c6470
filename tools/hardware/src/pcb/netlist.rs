//! The circuit: every part, and the net of each of its pads. It is made from the pins in the code. Schematic and board
//! are made from it.
//!
//! ```text
//! cells -J1-> BATT -Q2-> CELLS -Q1-> VSYS -U3-> VLED -> lights, buffer
//!             S1 opens Q2    ^         ^ Pico (VSYS), which gets VBUS of USB through its own diode
//!                            VBUS at the gate: with USB in, Q1 is off
//! GP16 -> U2 (3.3 V to VLED) -> R1 -> L0 -> L1 ... L24
//! ```
//!
//! - **Neither source feeds the other.** Q1 stands as the Pico's data sheet has it: drain at the cells, gate at VBUS.
//!   With USB its gate is above its source and it is off; its body diode would need cells 0.6 V above VSYS. Cells put
//!   in the wrong way round meet that body diode from behind. R2 is as small as 10 kohm because the Pico's Schottky
//!   diode leaks from VSYS back to VBUS, the more the warmer it is, and must not lift the gate; it takes its half
//!   milliampere from USB only.
//! - **The slide switch carries no current.** It pulls the gate of Q2 down, 50 uA; a switch with a lever to the side
//!   that is rated for half an ampere would be three times as large. Q2 has its body diode towards the cells, so that
//!   open is open.
//! - **The supply of the lights rises slowly**: 2.2 nF at U3's CT make 5.4 ms from 10 to 90 % at 5 V (data sheet), 8 ms
//!   with the delay before it. The firmware waits 20 ms. 220 uF then ask for 0.16 A, not for a spark. Off, U3
//!   discharges them through QOD.
//! - **The buffer hangs on VLED**, behind the load switch: asleep, no data line feeds dark lights through their inputs.
//!   Its own inputs bear a voltage without supply.

use std::collections::{BTreeMap, BTreeSet};

use super::parts::Kind;
use crate::{HEADER, SIDE, Wiring, pin_name};

/// Lights, and keys.
pub const CELLS: usize = SIDE * SIDE;
/// 22 uF at the supply of each row of lights.
pub const BULK_A_ROW: usize = 2;

/// A part and where its pads lead to. A pad that is not named leads nowhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Component {
    /// `K0`
    pub name: String,
    /// What it is.
    pub kind: Kind,
    /// Pads and their nets.
    pub nets: Vec<(String, String)>,
}

/// The whole circuit.
pub fn circuit(wiring: &Wiring) -> Vec<Component> {
    let mut parts = vec![pico(wiring)];
    let mut add = |name: String, kind: Kind, nets: &[(&str, &str)]| {
        let nets = nets.iter().map(|&(pad, net)| (pad.to_owned(), net.to_owned())).collect();
        parts.push(Component { name, kind, nets });
    };
    for cell in 0..CELLS {
        let (row, column) = (format!("ROW{}", cell / SIDE), format!("COL{}", cell % SIDE));
        let between = format!("KEY{cell}");
        add(format!("K{cell}"), Kind::Key, &[("1", &column), ("2", &between)]);
        // Pad 1 is the cathode.
        add(format!("D{cell}"), Kind::Diode, &[("1", &row), ("2", &between)]);
        add(format!("C{cell}"), Kind::Capacitor100n, &[("1", "VLED"), ("2", "GND")]);
    }
    for (place, cell) in wiring.chain().enumerate() {
        let (data_in, data_out) = (format!("DATA{place}"), format!("DATA{}", place + 1));
        let mut nets = vec![("1", "VLED"), ("3", "GND"), ("4", data_in.as_str())];
        if place + 1 < CELLS {
            nets.push(("2", data_out.as_str()));
        }
        add(format!("L{cell}"), Kind::Light, &nets);
    }

    let buffer = [("1", "GND"), ("2", "LED_DATA"), ("3", "GND"), ("4", "LED_DATA_5V"), ("5", "VLED")];
    add("U2".into(), Kind::Buffer, &buffer);
    add("C25".into(), Kind::Capacitor100n, &[("1", "VLED"), ("2", "GND")]);
    add("R1".into(), Kind::Resistor330, &[("1", "LED_DATA_5V"), ("2", "DATA0")]);

    let load_switch = [("1", "VSYS"), ("2", "GND"), ("3", "LED_SUPPLY"), ("4", "RISE"), ("5", "VLED"), ("6", "VLED")];
    add("U3".into(), Kind::LoadSwitch, &load_switch);
    add("C26".into(), Kind::Capacitor2n2, &[("1", "RISE"), ("2", "GND")]);
    add("R4".into(), Kind::Resistor100k, &[("1", "LED_SUPPLY"), ("2", "GND")]);
    add("C27".into(), Kind::Capacitor1u, &[("1", "VSYS"), ("2", "GND")]);
    add("C28".into(), Kind::Capacitor22u, &[("1", "VSYS"), ("2", "GND")]);
    for index in 0..BULK_A_ROW * SIDE {
        add(format!("C{}", 29 + index), Kind::Capacitor22u, &[("1", "VLED"), ("2", "GND")]);
    }

    add("J1".into(), Kind::Connector, &[("1", "BATT"), ("2", "GND")]);
    // Pads of a MOSFET: gate, source, drain.
    add("Q2".into(), Kind::Mosfet, &[("1", "POWER"), ("2", "BATT"), ("3", "CELLS")]);
    add("R3".into(), Kind::Resistor100k, &[("1", "BATT"), ("2", "POWER")]);
    add("S1".into(), Kind::SlideSwitch, &[("1", "GND"), ("2", "POWER")]);
    add("Q1".into(), Kind::Mosfet, &[("1", "VBUS"), ("2", "VSYS"), ("3", "CELLS")]);
    add("R2".into(), Kind::Resistor10k, &[("1", "VBUS"), ("2", "GND")]);

    add("R5".into(), Kind::Resistor100, &[("1", "PIEZO"), ("2", "SOUND")]);
    add("P1".into(), Kind::Piezo, &[("1", "SOUND"), ("2", "GND")]);
    for screw in 1..=4 {
        add(format!("H{screw}"), Kind::ScrewHole, &[]);
    }
    parts
}

fn pico(wiring: &Wiring) -> Component {
    let net = |name: &str| match name {
        "GND" | "VSYS" | "VBUS" => Some(name.to_owned()),
        _ => wiring.pins().find(|&(_, gpio)| pin_name(gpio) == name).map(|(role, _)| net_of(role)),
    };
    let pins = HEADER.iter().enumerate().filter_map(|(index, name)| Some(((index + 1).to_string(), net(name)?)));
    Component { name: "U1".into(), kind: Kind::Pico, nets: pins.collect() }
}

/// What the net at a pin of ours is called.
pub fn net_of(role: crate::Role) -> String {
    use crate::Role;
    match role {
        Role::Row(row) => format!("ROW{row}"),
        Role::Column(column) => format!("COL{column}"),
        Role::LedData => "LED_DATA".into(),
        Role::LedSupply => "LED_SUPPLY".into(),
        Role::Piezo => "PIEZO".into(),
    }
}

/// The nets, each with its pads as `K0.1`.
pub fn nets(parts: &[Component]) -> BTreeMap<String, BTreeSet<String>> {
    let mut nets: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for part in parts {
        for (pad, net) in &part.nets {
            nets.entry(net.clone()).or_default().insert(format!("{}.{pad}", part.name));
        }
    }
    nets
}
