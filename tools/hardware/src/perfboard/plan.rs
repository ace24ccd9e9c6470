//! The layout as data: which leg is in which hole. It is drawn and checked from this, and from the
//! [`wires`](super::wires) on the back.

use super::{CELL, FIRST, PICO, PICO_HEIGHT};
use crate::pico::HEADER;
use crate::{LedOrder, SIDE, Wiring};

/// A hole, counted from the top left one.
pub(super) type Hole = (i32, i32);

/// A net: everything that is connected to one voltage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Net {
    /// A row of the matrix. Its wire to the Pico is not drawn, but labelled.
    Row(usize),
    /// A column of the matrix. Its wire to the Pico is not drawn, but labelled.
    Column(usize),
    /// From a key to its diode.
    Key(usize),
    /// The data input of the light at this LED position.
    Data(usize),
    /// Ground.
    Ground,
    /// 5 V from USB: turns the battery's MOSFET off.
    Vbus,
    /// The supply of Pico and lights, from USB or from the battery.
    Vsys,
    /// The supply of the lights and the buffer, behind the supply switch.
    Vled,
    /// From the battery to its fuse.
    Battery,
    /// From the fuse to the battery's MOSFET.
    Fused,
    /// From the buffer to its resistor.
    Buffered,
    /// The gate of the supply switch.
    Gate,
    /// From the gate's resistor to the transistor that pulls it down.
    Collector,
    /// The base of that transistor.
    Base,
    /// From the piezo's resistor to the piezo.
    Piezo,
    /// A pin of the Pico that `src/wiring.rs` selects. Its wire is not drawn, but labelled.
    Pin(u8),
    /// Not connected.
    Open,
}

/// A leg of a part.
#[derive(Clone, Debug)]
pub(super) struct Leg {
    pub part: String,
    pub net: Net,
    pub at: Hole,
}

/// The hole at column `x` and row `y` of a cell.
pub(super) fn in_cell(cell: usize, x: i32, y: i32) -> Hole {
    let (row, column) = ((cell / SIDE) as i32, (cell % SIDE) as i32);
    (FIRST.0 + CELL.0 * column + x, FIRST.1 + CELL.1 * row + y)
}

/// The hole of a pin of the Pico. Its USB is on the right; from the left, pins 20 to 1 are above, pins 21 to 40 below.
pub(super) fn pico_pin(number: usize) -> Hole {
    let number = number as i32;
    if number <= 20 { (PICO.0 + 20 - number, PICO.1) } else { (PICO.0 + number - 21, PICO.1 + PICO_HEIGHT) }
}

/// The hole of a pin of the buffer's adapter: pins 1 to 3 below, from the left; pins 4 to 6 above, from the right.
pub(super) fn buffer_pin(number: i32) -> Hole {
    if number <= 3 { (3 + number, 50) } else { (10 - number, 47) }
}

/// The columns of a light's legs in its cell: data in, 5 V, GND, data out. Where the chain runs to the left, the light
/// is turned by 180 degrees.
pub(super) fn light_legs(wiring: &Wiring, cell: usize) -> [i32; 4] {
    let turned = wiring.led_order == LedOrder::Serpentine && cell / SIDE % 2 == 1;
    if turned { [4, 3, 2, 1] } else { [1, 2, 3, 4] }
}

/// The legs of all parts in a cell, whose LED is at this position in the chain.
fn cell_legs(wiring: &Wiring, cell: usize, position: usize) -> Vec<Leg> {
    let (row, column) = (cell / SIDE, cell % SIDE);
    let [data_in, plus, minus, data_out] = light_legs(wiring, cell);
    let out = if position + 1 < SIDE * SIDE { Net::Data(position + 1) } else { Net::Open };
    [
        ("L", Net::Data(position), (data_in, 1)),
        ("L", Net::Vled, (plus, 1)),
        ("L", Net::Ground, (minus, 1)),
        ("L", out, (data_out, 1)),
        ("C", Net::Vled, (plus, 1)),
        ("C", Net::Ground, (minus, 1)),
        ("K", Net::Column(column), (1, 3)),
        ("K", Net::Open, (4, 3)),
        ("K", Net::Open, (1, 5)),
        ("K", Net::Key(cell), (4, 5)),
        ("D", Net::Key(cell), (4, 6)),
        ("D", Net::Row(row), (1, 6)),
    ]
    .map(|(kind, net, (x, y))| Leg { part: format!("{kind}{cell}"), net, at: in_cell(cell, x, y) })
    .into()
}

/// The legs of all parts.
pub(super) fn legs(wiring: &Wiring) -> Vec<Leg> {
    let mut legs: Vec<Leg> =
        wiring.chain().enumerate().flat_map(|(position, cell)| cell_legs(wiring, cell, position)).collect();
    let mut add = |part: &str, net: Net, at: Hole| legs.push(Leg { part: part.to_owned(), net, at });
    for (index, &name) in HEADER.iter().enumerate() {
        let net = match name {
            "GND" => Net::Ground,
            "VBUS" => Net::Vbus,
            "VSYS" => Net::Vsys,
            _ => Net::Open,
        };
        add("U1", net, pico_pin(index + 1));
    }
    // The buffer has five legs: its last one, pin 5 of the chip, is pin 6 of an adapter for six.
    for (number, net) in
        [Net::Open, Net::Pin(wiring.led_data), Net::Ground, Net::Buffered, Net::Open, Net::Vled].into_iter().enumerate()
    {
        add("U2", net, buffer_pin(1 + number as i32));
    }
    for (part, ends) in [
        ("C25", [(Net::Vled, (2, 47)), (Net::Ground, (2, 48))]),
        ("C26", [(Net::Vled, (2, 40)), (Net::Ground, (2, 42))]),
        ("C27", [(Net::Vled, (20, 51)), (Net::Gate, (20, 52))]),
        ("R1", [(Net::Buffered, (6, 45)), (Net::Data(0), (2, 45))]),
        ("R2", [(Net::Collector, (15, 51)), (Net::Gate, (19, 51))]),
        ("R3", [(Net::Gate, (19, 53)), (Net::Vsys, (23, 53))]),
        ("R4", [(Net::Pin(wiring.led_supply), (12, 49)), (Net::Base, (12, 53))]),
        ("R5", [(Net::Base, (14, 53)), (Net::Ground, (18, 53))]),
        ("R6", [(Net::Pin(wiring.piezo), (9, 44)), (Net::Piezo, (5, 44))]),
        ("P1", [(Net::Piezo, (6, 41)), (Net::Ground, (8, 41))]),
        ("R7", [(Net::Vbus, (24, 50)), (Net::Ground, (24, 54))]),
        ("F1", [(Net::Fused, (29, 51)), (Net::Battery, (29, 53))]),
        ("B1", [(Net::Battery, (30, 52)), (Net::Ground, (30, 54))]),
    ] {
        for (net, at) in ends {
            add(part, net, at);
        }
    }
    for (part, first, nets) in [
        ("Q1", 19, [Net::Gate, Net::Vled, Net::Vsys]),
        ("Q2", 13, [Net::Ground, Net::Base, Net::Collector]),
        ("Q3", 24, [Net::Vbus, Net::Fused, Net::Vsys]),
    ] {
        for (x, net) in (first..).zip(nets) {
            add(part, net, (x, 49));
        }
    }
    legs
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// The legs on a net, as part and number of the leg: `Q3.2`.
    fn on_net(net: Net) -> Vec<String> {
        let wiring = Wiring::of_firmware().expect("the reference wiring is valid");
        let mut count: BTreeMap<String, usize> = BTreeMap::new();
        let mut found = Vec::new();
        for leg in legs(&wiring) {
            let number = count.entry(leg.part.clone()).or_default();
            *number += 1;
            if leg.net == net {
                found.push(format!("{}.{number}", leg.part));
            }
        }
        found.sort();
        found
    }

    #[test]
    fn battery_goes_through_fuse_and_mosfet() {
        // The legs of a MOSFET are G D S: 1, 2, 3.
        assert_eq!(on_net(Net::Battery), ["B1.1", "F1.2"]);
        assert_eq!(on_net(Net::Fused), ["F1.1", "Q3.2"]);
        assert_eq!(on_net(Net::Vbus), ["Q3.1", "R7.1", "U1.40"]);
        assert_eq!(on_net(Net::Vsys), ["Q1.3", "Q3.3", "R3.2", "U1.39"]);
        assert_eq!(on_net(Net::Gate), ["C27.2", "Q1.1", "R2.2", "R3.1"]);
        let ground = on_net(Net::Ground);
        assert!(["B1.2", "R7.2", "U2.3", "C25.2", "C26.2"].iter().all(|leg| ground.contains(&(*leg).to_owned())));
    }

    #[test]
    fn buffer_is_wired_through_its_adapter() {
        let wiring = Wiring::of_firmware().expect("the reference wiring is valid");
        let nets: Vec<Net> = legs(&wiring).into_iter().filter(|leg| leg.part == "U2").map(|leg| leg.net).collect();
        let data = Net::Pin(wiring.led_data);
        assert_eq!(nets, [Net::Open, data, Net::Ground, Net::Buffered, Net::Open, Net::Vled]);
        // Two rows of three, counted around the chip, 7.62 mm apart: pin 1 is opposite to pin 6, pin 3 to pin 4.
        let holes: Vec<Hole> = (1..=6).map(buffer_pin).collect();
        assert!(holes.windows(2).all(|pair| pair[0] != pair[1]));
        for (one, opposite) in [(1, 6), (2, 5), (3, 4)] {
            let (below, above) = (buffer_pin(one), buffer_pin(opposite));
            assert_eq!((below.0, below.1 - 3), above, "pins {one} and {opposite}");
        }
        assert_eq!(on_net(Net::Buffered), ["R1.1", "U2.4"]);
    }

    #[test]
    fn only_a_light_and_its_capacitor_share_holes() {
        let wiring = Wiring::of_firmware().expect("the reference wiring is valid");
        let mut at: BTreeMap<Hole, String> = BTreeMap::new();
        for leg in legs(&wiring)
            .into_iter()
            .filter(|leg| !(leg.part.starts_with('C') && leg.at.1 < FIRST.1 + SIDE as i32 * CELL.1))
        {
            if let Some(other) = at.insert(leg.at, leg.part.clone()) {
                panic!("{other} and {} share {:?}", leg.part, leg.at);
            }
        }
    }
}
