//! The wires on the back, as data.
//!
//! A bare wire touches every hole on its path, an insulated wire only the holes at its two ends. So tests can check
//! that everything that belongs together is connected, and nothing else.

use super::CELL;
use super::plan::{Hole, Net, in_cell, light_legs};
use crate::{SIDE, Wiring};

/// A wire on the back.
#[derive(Clone, Debug)]
pub(super) struct Wire {
    pub net: Net,
    pub insulated: bool,
    pub path: Vec<Hole>,
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

/// Supply and ground from light to light in every column of cells, and the two bare wires below that connect the
/// columns.
fn supply_wires(wiring: &Wiring) -> Vec<Wire> {
    let mut wires = Vec::new();
    for (net, leg, aside, below) in [(Net::Vled, 1, 4, CELL.1 + 1), (Net::Ground, 2, 5, CELL.1 + 2)] {
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
    let mut wires = vec![insulated(Net::Data(0), &[(2, 45), (-1, 45), (-1, first.1), first])];
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
    use Net::{Base, Battery, Buffered, Collector, Fused, Gate, Ground, Piezo, Vbus, Vled, Vsys};
    vec![
        // The large capacitor, and the buffer with its own capacitor.
        bare(Vled, &[(3, 37), (3, 40), (1, 40), (1, 47), (4, 47)]),
        bare(Ground, &[(4, 38), (4, 42), (2, 42)]),
        bare(Ground, &[(2, 48), (2, 51), (8, 51)]),
        bare(Ground, &[(6, 50), (6, 51)]),
        bare(Buffered, &[(6, 45), (6, 47)]),
        // Ground past the piezo and along the lower edge, and to the Pico on three sides.
        bare(Ground, &[(8, 38), (8, 54), (30, 54)]),
        bare(Ground, &[(13, 38), (13, 40)]),
        bare(Ground, &[(28, 38), (28, 40)]),
        insulated(Ground, &[(28, 47), (28, 54)]),
        // The piezo.
        bare(Piezo, &[(5, 44), (5, 41), (6, 41)]),
        // The supply switch.
        bare(Vsys, &[(29, 47), (29, 49), (26, 49)]),
        insulated(Vsys, &[(26, 49), (26, 52), (23, 52)]),
        bare(Vsys, &[(21, 49), (21, 51), (23, 51), (23, 53)]),
        insulated(Vled, &[(20, 49), (20, 48), (10, 48), (10, 39), (9, 39), (9, 37)]),
        bare(Vled, &[(20, 49), (20, 51)]),
        bare(Gate, &[(19, 49), (19, 53)]),
        bare(Gate, &[(19, 52), (20, 52)]),
        bare(Collector, &[(15, 49), (15, 51)]),
        insulated(Ground, &[(13, 47), (13, 49)]),
        bare(Base, &[(14, 49), (14, 53), (12, 53)]),
        bare(Ground, &[(18, 53), (18, 54)]),
        // The battery, through its fuse and its MOSFET, which USB turns off.
        bare(Battery, &[(30, 52), (30, 53), (29, 53)]),
        insulated(Fused, &[(29, 51), (25, 51), (25, 49)]),
        bare(Vbus, &[(30, 47), (30, 50), (24, 50), (24, 49)]),
    ]
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::super::plan::legs;
    use super::*;
    use crate::LedOrder;

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
}
