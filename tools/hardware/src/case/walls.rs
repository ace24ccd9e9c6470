//! Finds the thinnest wall of a part.
//!
//! From many points of the surface a ray goes straight inwards. If it leaves the solid through a face that is about
//! parallel to the first one (within 40 degrees), the two faces are the sides of a wall, and the distance between them
//! is its thickness. If the angle is larger, the faces meet in an edge, as at a bevel of 45 degrees. An edge becomes
//! infinitely thin, and does not count as a wall.

use super::mesh::{Mesh, Vector, area, dot, minus, normal, plus, times};
use super::rays::Scene;

/// The average distance between the points, in mm: shorter than any wall is long.
const PITCH: f32 = 0.5;
/// The cosine of 40 degrees.
const PARALLEL: f32 = 0.766;
/// A ray starts this far inside the solid, in mm, so that it does not hit its own face.
const SKIN: f32 = 1e-3;

/// The thickness of the thinnest wall, and its position.
pub fn thinnest(mesh: &Mesh) -> (f32, Vector) {
    let scene = Scene::new(&mesh.triangles);
    let normals: Vec<Vector> = mesh.triangles.iter().map(normal).collect();
    let mut best = (f32::MAX, [0.0; 3]);
    for (triangle, &outwards) in mesh.triangles.iter().zip(&normals) {
        let inwards = times(outwards, -1.0);
        for point in points(triangle) {
            if let Some(hit) = scene.first(point, inwards, SKIN, best.0)
                && dot(normals[hit.triangle], inwards) > PARALLEL
            {
                best = (hit.distance, point);
            }
        }
    }
    best
}

/// Points spread over a triangle, none of them on its edges.
fn points(&[a, b, c]: &[Vector; 3]) -> Vec<Vector> {
    let (ab, ac) = (minus(b, a), minus(c, a));
    // The number depends on the area only. A long triangle gets few points along its length, but its neighbours have
    // more.
    let steps = ((2.0 * area(&[a, b, c])).sqrt() / PITCH).ceil().max(1.0) as usize;
    let mut found = Vec::new();
    for i in 0..steps {
        for j in 0..steps - i {
            let share = |step: usize| (step as f32 + 1.0 / 3.0) / steps as f32;
            found.push(plus(a, plus(times(ab, share(i)), times(ac, share(j)))));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::mesh::tests::block;

    #[test]
    fn thinnest_wall_of_a_box_is_its_shortest_side() {
        let (wall, _) = thinnest(&Mesh::new(block([0.0; 3], [40.0, 1.3, 20.0])));
        assert!((wall - 1.3).abs() < 1e-3, "{wall}");
    }

    #[test]
    fn wall_between_two_hollows_is_found() {
        let mut triangles = block([0.0; 3], [40.0, 20.0, 20.0]);
        for x in [2.0, 20.0] {
            // A hollow is a box with its triangles reversed. The wall between the two is 20 - 19 = 1.
            let inside = block([x, 2.0, 2.0], [if x < 10.0 { 19.0 } else { 38.0 }, 18.0, 18.0]);
            triangles.extend(inside.into_iter().map(|[a, b, c]| [a, c, b]));
        }
        let (wall, place) = thinnest(&Mesh::new(triangles));
        assert!((wall - 1.0).abs() < 1e-3, "{wall}");
        assert!((19.0..=20.0).contains(&place[0]));
    }
}
