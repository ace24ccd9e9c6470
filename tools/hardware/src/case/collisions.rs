//! Checks that assembled parts do not overlap.
//!
//! assembly.scad computes the overlap of each pair of parts, and puts them side by side, one slot for each pair. The
//! first pair contains a misplaced board, which must overlap. It proves that the check can fail.

use super::mesh::{Mesh, Vector};

/// The pairs, in the order of assembly.scad.
pub const PAIRS: [[&str; 2]; 9] = [
    ["body", "misplaced board"],
    ["top", "body"],
    ["top", "door"],
    ["top", "paths of the caps"],
    ["top", "contents"],
    ["body", "contents"],
    ["door", "contents"],
    ["cap", "key"],
    ["pressed cap", "housing"],
];
/// The distance from one slot to the next, in mm, as in assembly.scad.
const SLOT: f32 = 1000.0;

/// Checks the overlaps that OpenSCAD has computed. The error names the colliding parts.
pub fn check(overlaps: &Mesh) -> Result<(), String> {
    let mut triangles_of = [0; PAIRS.len()];
    let mut place: Option<(usize, Vector)> = None;
    for triangle in &overlaps.triangles {
        // A part starts to the left of its slot by less than half a slot.
        let slot = (triangle[0][0] / SLOT).round() as usize;
        let count = triangles_of.get_mut(slot).ok_or("an overlap of a pair that is not in the list")?;
        *count += 1;
        if slot > 0 {
            place.get_or_insert((slot, triangle[0]));
        }
    }
    if triangles_of[0] == 0 {
        return Err("the overlap of the misplaced board was not found".to_owned());
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

    fn at(x: f32) -> Vec<[Vector; 3]> {
        block([x, 0.0, 0.0], [x + 90.0, 1.0, 1.0])
    }

    #[test]
    fn only_the_misplaced_board_may_collide() {
        assert_eq!(check(&Mesh::new(at(-3.0))), Ok(()));
        let error = check(&Mesh::new([at(-3.0), at(1997.0)].concat())).unwrap_err();
        assert!(error.starts_with("top and door collide"), "{error}");
        assert!(check(&Mesh::new(Vec::new())).is_err());
        assert!(check(&Mesh::new(at(2000.0))).is_err());
    }
}
