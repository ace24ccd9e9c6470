//! Parts that are assembled share no space.
//!
//! assembly.scad lays what each pair shares side by side, a slot for each. The first pair is a board out of place, which must
//! collide: a test that cannot fail would tell nothing.

use super::mesh::{Mesh, Point};

/// The pairs, in the order of assembly.scad.
pub const PAIRS: [[&str; 2]; 9] = [
    ["body", "board out of place"],
    ["top", "body"],
    ["top", "door"],
    ["top", "ways of the caps"],
    ["top", "contents"],
    ["body", "contents"],
    ["door", "contents"],
    ["cap", "key"],
    ["pressed cap", "housing"],
];
/// The way from one slot to the next, in mm, as in assembly.scad.
const SLOT: f32 = 1000.0;

/// What is wrong with what OpenSCAD found, if anything.
pub fn check(overlaps: &Mesh) -> Result<(), String> {
    let mut shared = [0; PAIRS.len()];
    let mut place: Option<(usize, Point)> = None;
    for triangle in &overlaps.triangles {
        // A part begins left of its slot's start by less than half a slot.
        let slot = (triangle[0][0] / SLOT).round() as usize;
        let count = shared.get_mut(slot).ok_or("a collision of a pair that is not in the list")?;
        *count += 1;
        if slot > 0 {
            place.get_or_insert((slot, triangle[0]));
        }
    }
    if shared[0] == 0 {
        return Err("a board out of place was not noticed".to_owned());
    }
    match place {
        None => Ok(()),
        Some((slot, [x, y, z])) => {
            let [a, b] = PAIRS[slot];
            Err(format!("{a} and {b} collide at {:.1}, {y:.1}, {z:.1}", x - slot as f32 * SLOT))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::mesh::tests::block;

    fn at(x: f32) -> Vec<[Point; 3]> {
        block([x, 0.0, 0.0], [x + 90.0, 1.0, 1.0])
    }

    #[test]
    fn only_the_board_out_of_place_may_collide() {
        assert_eq!(check(&Mesh::new(at(-3.0))), Ok(()));
        let error = check(&Mesh::new([at(-3.0), at(1997.0)].concat())).unwrap_err();
        assert!(error.starts_with("top and door collide"), "{error}");
        assert!(check(&Mesh::new(Vec::new())).is_err());
        assert!(check(&Mesh::new(at(2000.0))).is_err());
    }
}
