//! What of a part would hang in the air while it is printed?
//!
//! A printer lays each layer on the one below. A surface that leans out by up to 45 degrees still rests on it. One that is flatter
//! and faces the bed, without lying on it, has nothing below: it can be bridged if it is short. Such triangles that touch are
//! taken together, and the shorter side of the box around them is the bridge.

use std::collections::HashMap;

use super::mesh::{Mesh, Point, bounds, normal};

/// The cosine of 45 degrees, and a degree for rounding.
const STEEP: f32 = 0.72;
/// Below this it lies on the bed, in mm.
const ON_THE_BED: f32 = 0.01;

/// The longest bridge and where it begins; 0 where there is none.
pub fn longest_bridge(mesh: &Mesh) -> (f32, Point) {
    let hangs =
        |triangle: &&[Point; 3]| normal(triangle)[2] < -STEEP && triangle.iter().any(|corner| corner[2] > ON_THE_BED);
    let hanging: Vec<&[Point; 3]> = mesh.triangles.iter().filter(hangs).collect();
    let mut groups = Groups((0..hanging.len()).collect());
    let mut owners = HashMap::new();
    for (index, triangle) in hanging.iter().enumerate() {
        for corner in *triangle {
            let owner = *owners.entry(corner.map(f32::to_bits)).or_insert(index);
            groups.join(owner, index);
        }
    }
    let mut members: HashMap<usize, Vec<&[Point; 3]>> = HashMap::new();
    for (index, triangle) in hanging.iter().enumerate() {
        members.entry(groups.head(index)).or_default().push(triangle);
    }
    let span = |triangles: Vec<&[Point; 3]>| {
        let (low, high) = bounds(triangles.into_iter().flatten());
        ((high[0] - low[0]).min(high[1] - low[1]), low)
    };
    members.into_values().map(span).max_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or_default()
}

/// Which things belong together: each points to another of its group, and the head to itself.
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
    fn what_lies_on_the_bed_does_not_hang() {
        assert_eq!(longest_bridge(&Mesh::new(block([0.0; 3], [40.0, 30.0, 20.0]))).0, 0.0);
    }

    #[test]
    fn a_hollow_has_a_ceiling_to_bridge() {
        let mut triangles = block([0.0; 3], [40.0, 30.0, 20.0]);
        let inside = block([2.0, 2.0, 2.0], [12.0, 28.0, 18.0]);
        triangles.extend(inside.into_iter().map(|[a, b, c]| [a, c, b]));
        let (bridge, place) = longest_bridge(&Mesh::new(triangles));
        assert!((bridge - 10.0).abs() < 1e-4, "{bridge}");
        assert_eq!(place, [2.0, 2.0, 18.0]);
    }
}
