//! How thin is a part where it is thinnest?
//!
//! From many points of the surface a ray goes straight inwards. Where it leaves the solid through a face that is about parallel
//! to the first (within 40 degrees), the two are the sides of a wall, and the way between them is how thick it is. Where the
//! other face is more slanted they meet in an edge, as at a bevel of 45 degrees; an edge runs out to nothing and is no wall.

use super::mesh::{Mesh, Point, area, dot, minus, normal, plus, times};
use super::rays::Scene;

/// The distance between points that are looked at, on the average, in mm: less than any wall is long.
const PITCH: f32 = 0.5;
/// The cosine of 40 degrees.
const PARALLEL: f32 = 0.766;
/// Into the solid by so much, in mm, before the way counts.
const SKIN: f32 = 1e-3;

/// The thinnest wall, and where it is.
pub fn thinnest(mesh: &Mesh) -> (f32, Point) {
    let scene = Scene::new(&mesh.triangles);
    let normals: Vec<Point> = mesh.triangles.iter().map(normal).collect();
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

/// Points all over a triangle, none of them on its edges.
fn points(&[a, b, c]: &[Point; 3]) -> Vec<Point> {
    let (ab, ac) = (minus(b, a), minus(c, a));
    // As many as fit the area, whatever its shape: what a long triangle is given too few along its length, its neighbours have.
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
    fn a_boxs_thinnest_wall_is_its_smallest_side() {
        let (wall, _) = thinnest(&Mesh::new(block([0.0; 3], [40.0, 1.3, 20.0])));
        assert!((wall - 1.3).abs() < 1e-3, "{wall}");
    }

    #[test]
    fn a_wall_between_two_hollows_is_found() {
        let mut triangles = block([0.0; 3], [40.0, 20.0, 20.0]);
        for x in [2.0, 20.0] {
            // A hollow is a box turned inside out. The wall between them is 20 - 19 = 1.
            let inside = block([x, 2.0, 2.0], [if x < 10.0 { 19.0 } else { 38.0 }, 18.0, 18.0]);
            triangles.extend(inside.into_iter().map(|[a, b, c]| [a, c, b]));
        }
        let (wall, place) = thinnest(&Mesh::new(triangles));
        assert!((wall - 1.0).abs() < 1e-3, "{wall}");
        assert!((19.0..=20.0).contains(&place[0]));
    }
}
