//! Finds the longest bridge of a part: a surface without support while it is printed.
//!
//! A printer lays each layer on the one below. A surface that leans outwards by up to 45 degrees is still supported. A
//! flatter surface that faces the bed, but does not lie on it, has no support: the printer must bridge it, and can do
//! so if it is short. Triangles of such a surface that touch form a group. The bridge is the shorter side of the box
//! around a group.

use std::collections::HashMap;

use super::mesh::{Mesh, Vector, bounds, normal};

/// The cosine of 45 degrees, with a degree of tolerance.
const STEEP: f32 = 0.72;
/// A corner at this height or lower, in mm, lies on the bed.
const ON_THE_BED: f32 = 0.01;

/// The length of the longest bridge, and its lowest corner; 0 if there is none.
pub fn longest_bridge(mesh: &Mesh) -> (f32, Vector) {
    let hangs =
        |triangle: &&[Vector; 3]| normal(triangle)[2] < -STEEP && triangle.iter().any(|corner| corner[2] > ON_THE_BED);
    let hanging: Vec<&[Vector; 3]> = mesh.triangles.iter().filter(hangs).collect();
    let mut groups = Groups((0..hanging.len()).collect());
    let mut owners = HashMap::new();
    for (index, triangle) in hanging.iter().enumerate() {
        for corner in *triangle {
            let owner = *owners.entry(corner.map(f32::to_bits)).or_insert(index);
            groups.join(owner, index);
        }
    }
    let mut members: HashMap<usize, Vec<&[Vector; 3]>> = HashMap::new();
    for (index, triangle) in hanging.iter().enumerate() {
        members.entry(groups.head(index)).or_default().push(triangle);
    }
    let span = |triangles: Vec<&[Vector; 3]>| {
        let (low, high) = bounds(triangles.into_iter().flatten());
        ((high[0] - low[0]).min(high[1] - low[1]), low)
    };
    members.into_values().map(span).max_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or_default()
}

/// Groups of indices (union-find). Each index refers to another one of its group; the head refers to itself.
struct Groups(Vec<usize>);

impl Groups {
    fn head(&mut self, mut index: usize) -> usize {
        while self.0[index] != index {
            self.0[index] = self.0[self.0[index]];
            index = self.0[index];
        }
        index
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.head(a), self.head(b));
        self.0[a] = b;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::mesh::tests::block;

    #[test]
    fn surface_on_the_bed_is_no_bridge() {
        assert_eq!(longest_bridge(&Mesh::new(block([0.0; 3], [40.0, 30.0, 20.0]))).0, 0.0);
    }

    #[test]
    fn ceiling_of_a_hollow_is_a_bridge() {
        let mut triangles = block([0.0; 3], [40.0, 30.0, 20.0]);
        let inside = block([2.0, 2.0, 2.0], [12.0, 28.0, 18.0]);
        triangles.extend(inside.into_iter().map(|[a, b, c]| [a, c, b]));
        let (bridge, place) = longest_bridge(&Mesh::new(triangles));
        assert!((bridge - 10.0).abs() < 1e-4, "{bridge}");
        assert_eq!(place, [2.0, 2.0, 18.0]);
    }
}
