//! The layout as data: which leg is in which hole, and which wire connects which holes. It is drawn and checked from
//! this.
//!
//! A bare wire touches every hole on its path, an insulated wire only the holes at its two ends. So tests can check
//! that everything that belongs together is connected, and nothing else.

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
    /// The 5 V input.
    Input,
    /// 5 V behind the supply switch.
    Lights,
    /// From the battery to the Pico.
    Vsys,
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

/// A wire on the back.
#[derive(Clone, Debug)]
pub(super) struct Wire {
    pub net: Net,
    pub insulated: bool,
    pub path: Vec<Hole>,
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

/// The hole of a pin of the buffer: pins 1 to 7 below, from the left; pins 8 to 14 above, from the right.
pub(super) fn buffer_pin(number: i32) -> Hole {
    if number <= 7 { (1 + number, 49) } else { (16 - number, 46) }
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
        ("L", Net::Lights, (plus, 1)),
        ("L", Net::Ground, (minus, 1)),
        ("L", out, (data_out, 1)),
        ("C", Net::Lights, (plus, 1)),
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
            "VBUS" => Net::Input,
            "VSYS" => Net::Vsys,
            _ => Net::Open,
        };
        add("U1", net, pico_pin(index + 1));
    }
    for number in 1..=14 {
        let net = match number {
            1 | 5 | 7 | 9 | 12 => Net::Ground,
            2 => Net::Pin(wiring.led_data),
            3 => Net::Buffered,
            4 | 10 | 13 | 14 => Net::Lights,
            _ => Net::Open,
        };
        add("U2", net, buffer_pin(number));
    }
    for (part, ends) in [
        ("C25", [(Net::Lights, (2, 45)), (Net::Ground, (3, 45))]),
        ("C26", [(Net::Lights, (2, 40)), (Net::Ground, (2, 42))]),
        ("C27", [(Net::Gate, (19, 53)), (Net::Lights, (20, 53))]),
        ("R1", [(Net::Buffered, (4, 53)), (Net::Data(0), (0, 53))]),
        ("R2", [(Net::Collector, (15, 51)), (Net::Gate, (19, 51))]),
        ("R3", [(Net::Gate, (19, 52)), (Net::Input, (25, 52))]),
        ("R4", [(Net::Pin(wiring.led_supply), (12, 49)), (Net::Base, (12, 53))]),
        ("R5", [(Net::Base, (14, 53)), (Net::Ground, (18, 53))]),
        ("R6", [(Net::Pin(wiring.piezo), (9, 44)), (Net::Piezo, (5, 44))]),
        ("P1", [(Net::Piezo, (6, 41)), (Net::Ground, (8, 41))]),
        ("D25", [(Net::Vsys, (26, 51)), (Net::Input, (30, 51))]),
        ("B2", [(Net::Input, (30, 50)), (Net::Ground, (30, 54))]),
    ] {
        for (net, at) in ends {
            add(part, net, at);
        }
    }
    for (net, x) in [(Net::Gate, 19), (Net::Lights, 20), (Net::Input, 21)] {
        add("Q1", net, (x, 49));
    }
    for (net, x) in [(Net::Ground, 13), (Net::Base, 14), (Net::Collector, 15)] {
        add("Q2", net, (x, 49));
    }
    legs
}

/// All wires on the back, except those to the Pico that are only labelled.
pub(super) fn wires(wiring: &Wiring) -> Vec<Wire> {
    let mut wires = supply_wires(wiring);
    wires.extend(data_wires(wiring));
    wires.extend(matrix_wires());
    wires.extend(small_wires());
    wires
}

fn bare(net: Net, path: &[Hole]) -> Wire {
    Wire { net, insulated: false, path: path.to_vec() }
}

fn insulated(net: Net, path: &[Hole]) -> Wire {
    Wire { net, insulated: true, path: path.to_vec() }
}

/// 5 V and ground from light to light in every column of cells, and the two bare wires below that connect the columns.
fn supply_wires(wiring: &Wiring) -> Vec<Wire> {
    let mut wires = Vec::new();
    for (net, leg, aside, below) in [(Net::Lights, 1, 4, CELL.1 + 1), (Net::Ground, 2, 5, CELL.1 + 2)] {
        let leg_of = |cell: usize| light_legs(wiring, cell)[leg];
        for column in 0..SIDE {
            for row in 1..SIDE {
                let (from, to) = (SIDE * (row - 1) + column, SIDE * row + column);
                let (start, end) = (in_cell(from, leg_of(from), 1), in_cell(to, leg_of(to), 1));
                let turn = in_cell(from, 0, aside).1;
                wires.push(insulated(net, &[start, (start.0, turn), (end.0, turn), end]));
            }
        }
        let last = |column: usize| {
            let cell = SIDE * (SIDE - 1) + column;
            (in_cell(cell, leg_of(cell), 1), in_cell(cell, leg_of(cell), below))
        };
        wires.extend((0..SIDE).map(|column| insulated(net, &[last(column).0, last(column).1])));
        wires.push(bare(net, &[last(0).1, last(SIDE - 1).1]));
    }
    wires
}

/// Data from light to light, and from the resistor to the first light.
fn data_wires(wiring: &Wiring) -> Vec<Wire> {
    let chain: Vec<usize> = wiring.chain().collect();
    let first = in_cell(chain[0], light_legs(wiring, chain[0])[0], 1);
    let mut wires = vec![insulated(Net::Data(0), &[(0, 53), (-1, 53), (-1, first.1), first])];
    for (position, pair) in chain.windows(2).enumerate() {
        let (from, to, net) = (pair[0], pair[1], Net::Data(position + 1));
        let [_, _, _, out] = light_legs(wiring, from);
        let start = in_cell(from, out, 1);
        let end = in_cell(to, light_legs(wiring, to)[0], 1);
        let beside = if out == 4 { in_cell(from, 5, 1).0 } else { in_cell(from, -1, 1).0 };
        wires.push(if start.1 == end.1 {
            bare(net, &[start, end])
        } else if from % SIDE == to % SIDE {
            insulated(net, &[start, (beside, start.1), (beside, end.1), end])
        } else {
            let (left, back) = (in_cell(to, -1, 1).0, in_cell(from, 0, 2).1);
            insulated(net, &[start, (beside, start.1), (beside, back), (left, back), (left, end.1), end])
        });
    }
    wires
}

fn matrix_wires() -> Vec<Wire> {
    let mut wires = Vec::new();
    for cell in 0..SIDE * SIDE {
        let (row, column) = (cell / SIDE, cell % SIDE);
        wires.push(bare(Net::Key(cell), &[in_cell(cell, 4, 5), in_cell(cell, 4, 6)]));
        wires.push(bare(Net::Row(row), &[in_cell(cell, 1, 6), in_cell(cell, 1, CELL.1)]));
        wires.push(bare(Net::Column(column), &[in_cell(cell, 0, 3), in_cell(cell, 1, 3)]));
        if row > 0 {
            let above = cell - SIDE;
            wires.push(insulated(Net::Column(column), &[in_cell(above, 0, 3), in_cell(cell, 0, 3)]));
        }
        if column == SIDE - 1 {
            wires.push(bare(Net::Row(row), &[in_cell(SIDE * row, 1, CELL.1), in_cell(cell, 5, CELL.1)]));
        }
    }
    wires
}

/// Wires below the cells: capacitors, buffer, supply switch, piezo, battery, and the Pico's fixed pins.
fn small_wires() -> Vec<Wire> {
    use Net::{Base, Buffered, Collector, Gate, Ground, Input, Lights, Piezo, Vsys};
    vec![
        // The large capacitor, and the buffer with its own capacitor.
        bare(Lights, &[(3, 37), (3, 40), (1, 40), (1, 45), (2, 45), (2, 46)]),
        bare(Ground, &[(4, 38), (4, 46)]),
        bare(Ground, &[(2, 42), (4, 42)]),
        bare(Ground, &[(3, 45), (9, 45), (9, 49), (8, 49), (8, 50), (2, 50), (2, 49)]),
        bare(Ground, &[(7, 45), (7, 46)]),
        bare(Ground, &[(6, 49), (6, 50)]),
        bare(Lights, &[(2, 46), (3, 46), (3, 47), (6, 47), (6, 46)]),
        bare(Lights, &[(5, 47), (5, 49)]),
        insulated(Buffered, &[(4, 49), (4, 53)]),
        // Ground along the lower edge, and to the Pico on three sides.
        bare(Ground, &[(8, 50), (8, 54), (30, 54)]),
        bare(Ground, &[(13, 38), (13, 40)]),
        bare(Ground, &[(28, 38), (28, 40)]),
        insulated(Ground, &[(28, 47), (28, 54)]),
        // The piezo.
        bare(Piezo, &[(5, 44), (5, 41), (6, 41)]),
        bare(Ground, &[(8, 41), (8, 38)]),
        // The supply switch.
        bare(Input, &[(21, 49), (30, 49)]),
        bare(Input, &[(25, 49), (25, 52)]),
        insulated(Lights, &[(20, 49), (20, 48), (10, 48), (10, 39), (9, 39), (9, 37)]),
        bare(Lights, &[(20, 49), (20, 53)]),
        bare(Gate, &[(19, 49), (19, 53)]),
        bare(Collector, &[(15, 49), (15, 51)]),
        insulated(Ground, &[(13, 47), (13, 49)]),
        bare(Base, &[(14, 49), (14, 53), (12, 53)]),
        bare(Ground, &[(18, 53), (18, 54)]),
        // The 5 V input: from USB, or from the battery.
        bare(Input, &[(30, 47), (30, 49)]),
        bare(Input, &[(30, 49), (30, 51)]),
        insulated(Vsys, &[(26, 51), (26, 48), (29, 48), (29, 47)]),
    ]
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn wirings() -> [Wiring; 2] {
        let wiring = Wiring::of_firmware().expect("the reference wiring is valid");
        [wiring.clone(), Wiring { led_order: LedOrder::Serpentine, ..wiring }]
    }

    /// The holes in which a wire makes contact.
    fn contacts(wire: &Wire) -> Vec<Hole> {
        if wire.insulated {
            return vec![wire.path[0], wire.path[wire.path.len() - 1]];
        }
        let mut holes = vec![wire.path[0]];
        for ends in wire.path.windows(2) {
            let ((x, y), (to_x, to_y)) = (ends[0], ends[1]);
            assert!(x == to_x || y == to_y, "{:?} has a diagonal piece", wire.path);
            let steps = (to_x - x).abs().max((to_y - y).abs());
            let step = ((to_x - x).signum(), (to_y - y).signum());
            holes.extend((1..=steps).map(|n| (x + n * step.0, y + n * step.1)));
        }
        holes
    }

    #[test]
    fn different_nets_do_not_touch() {
        for wiring in wirings() {
            let mut at: BTreeMap<Hole, (Net, String)> = BTreeMap::new();
            let legs = legs(&wiring).into_iter().map(|leg| (leg.at, leg.net, leg.part));
            let wires = wires(&wiring).into_iter().flat_map(|wire| {
                contacts(&wire).into_iter().map(move |hole| (hole, wire.net, format!("a wire {:?}", wire.path)))
            });
            for (hole, net, what) in legs.chain(wires) {
                let (other, first) = at.entry(hole).or_insert((net, what.clone()));
                assert!(*other == net && (net != Net::Open || *first == what), "{what} and {first} meet at {hole:?}");
            }
        }
    }

    #[test]
    fn legs_of_one_net_are_connected() {
        for wiring in wirings() {
            let wires = wires(&wiring);
            let legs = legs(&wiring);
            for leg in legs.iter().filter(|leg| !matches!(leg.net, Net::Open | Net::Pin(_))) {
                let mut reached = vec![legs.iter().find(|other| other.net == leg.net).expect("itself at least").at];
                if leg.net == Net::Ground {
                    // The Pico connects its ground pins.
                    reached
                        .extend(legs.iter().filter(|leg| leg.part == "U1" && leg.net == Net::Ground).map(|leg| leg.at));
                }
                loop {
                    let count = reached.len();
                    for wire in &wires {
                        let contacts = contacts(wire);
                        if contacts.iter().any(|hole| reached.contains(hole)) {
                            reached.extend(
                                contacts.into_iter().filter(|hole| !reached.contains(hole)).collect::<Vec<_>>(),
                            );
                        }
                    }
                    if reached.len() == count {
                        break;
                    }
                }
                assert!(reached.contains(&leg.at), "{} at {:?} is not connected to {:?}", leg.part, leg.at, leg.net);
            }
        }
    }

    #[test]
    fn only_a_light_and_its_capacitor_share_holes() {
        let [wiring, _] = wirings();
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
