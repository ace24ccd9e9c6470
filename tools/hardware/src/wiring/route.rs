//! Routes the wires between a part and its pin.
//!
//! Each wire has its own vertical lane beside the Pico, so that no two wires overlap for any choice of pins. The
//! lanes are chosen so that wires of one bundle do not cross: of two wires that go up to their pins, the lower one
//! takes the lane nearer to the Pico; of two that go down, the upper one. Wires to a pin on the far side pass below the
//! Pico.

use super::pad;
use crate::pico::{Side, place};
use crate::svg::Position;

/// Distance from lane to lane.
const STEP: i32 = 10;
/// Distance from the Pico's edge to the lane of the piezo, which is the nearest lane.
pub(super) const PIEZO_LANE: i32 = 16;
/// The vertical position of the first wire that passes below the Pico, and the distance of its lane from the far edge.
const UNDERPASS: i32 = 870;
const FAR_LANE: i32 = 22;

/// The lane of each wire of a bundle, counted from the outermost one. `ends` are the vertical positions of part and
/// pin.
pub(super) fn lanes_beside(ends: &[(i32, i32)]) -> Vec<i32> {
    let mut order: Vec<usize> = (0..ends.len()).collect();
    order.sort_by_key(|&wire| {
        let (part, pin) = ends[wire];
        if part > pin { (1, part) } else { (0, -part) }
    });
    ranks(&order)
}

/// The lane of each wire of a bundle that comes from below.
pub(super) fn lanes_from_below(pins: &[usize]) -> Vec<i32> {
    let mut order: Vec<usize> = (0..pins.len()).collect();
    order.sort_by_key(|&wire| {
        let (side, above) = place(pins[wire]);
        (side == Side::Right, above)
    });
    ranks(&order)
}

fn ranks(order: &[usize]) -> Vec<i32> {
    let mut ranks = vec![0; order.len()];
    for (rank, &wire) in order.iter().enumerate() {
        ranks[wire] = rank as i32;
    }
    ranks
}

/// The path from a position on `side` of the Pico, through the lane at `lane`, to a pin. Wires that pass below the Pico
/// are separated by `number`.
pub(super) fn to_pin(from: Position, side: Side, lane: i32, pin: usize, number: usize) -> Vec<Position> {
    let (x, y) = pad(pin);
    let mut points = vec![from, (lane, from.1)];
    if place(pin).0 == side {
        points.push((lane, y));
    } else {
        let below = UNDERPASS + 4 * number as i32;
        let outwards = if side == Side::Left { 1 } else { -1 };
        let far = x + outwards * (FAR_LANE + 4 * number as i32);
        points.extend([(lane, below), (far, below), (far, y)]);
    }
    points.push((x, y));
    points
}

/// The horizontal position of a lane. `rank` is counted from the outermost lane, which is at `first`.
pub(super) fn lane(first: i32, rank: i32) -> i32 {
    first + STEP * rank
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_wire_has_its_own_lane() {
        let mut lanes = lanes_beside(&[(100, 150), (200, 160), (300, 170), (400, 180), (90, 500)]);
        lanes.sort_unstable();
        assert_eq!(lanes, [0, 1, 2, 3, 4]);
    }

    #[test]
    fn lower_of_two_rising_wires_is_nearer_to_the_pico() {
        assert_eq!(lanes_beside(&[(300, 100), (400, 120)]), [0, 1]);
        assert_eq!(lanes_beside(&[(100, 300), (120, 400)]), [1, 0]);
    }

    #[test]
    fn wire_ends_at_its_pin() {
        for pin in 1..=40 {
            let route = to_pin((500, 400), Side::Left, 550, pin, 3);
            assert_eq!(route.last(), Some(&pad(pin)));
            assert!(route.windows(2).all(|ends| ends[0].0 == ends[1].0 || ends[0].1 == ends[1].1), "{pin}");
        }
    }
}
