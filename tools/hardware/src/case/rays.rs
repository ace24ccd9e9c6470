//! Finds the first triangle that a ray hits.
//!
//! The triangles are sorted into a tree of boxes, each split at the middle of its longest side until it has few
//! triangles. A ray that misses a box misses all triangles in it.

use super::mesh::{Vector, bounds, cross, dot, minus};

/// No box with so few triangles is halved again.
const FEW: usize = 4;

/// Triangles, sorted for rays.
#[derive(Debug)]
pub struct Scene {
    triangles: Vec<[Vector; 3]>,
    /// Where each triangle stood in the list that was given.
    names: Vec<usize>,
    nodes: Vec<Node>,
}

/// A box. Its two halves are nodes, or it has triangles.
#[derive(Debug)]
struct Node {
    low: Vector,
    high: Vector,
    content: Content,
}

#[derive(Debug)]
enum Content {
    Triangles(std::ops::Range<usize>),
    /// Two nodes, the first of them the next: sorted along an axis, so that the nearer can be looked at first.
    Halves {
        second: usize,
        axis: usize,
    },
}

/// Where a ray ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// How far away, in lengths of the ray's direction.
    pub distance: f32,
    /// Which triangle, in the order that the scene was made of.
    pub triangle: usize,
}

impl Scene {
    /// Sorts triangles.
    pub fn new(triangles: &[[Vector; 3]]) -> Self {
        let mut names: Vec<usize> = (0..triangles.len()).collect();
        let mut nodes = Vec::new();
        let all = 0..names.len();
        halve(triangles, &mut names, all, &mut nodes);
        Self { triangles: names.iter().map(|&name| triangles[name]).collect(), names, nodes }
    }

    /// The first triangle on the way, from either side, beyond `from` lengths of the direction and before `until`.
    pub fn first(&self, origin: Vector, direction: Vector, from: f32, until: f32) -> Option<Hit> {
        let mut best = Hit { distance: until, triangle: usize::MAX };
        self.walk(origin, direction, until, |index| {
            if let Some(distance) = meets(&self.triangles[index], origin, direction)
                && distance > from
                && distance < best.distance
            {
                best = Hit { distance, triangle: self.names[index] };
            }
            Some(best.distance)
        });
        (best.triangle != usize::MAX).then_some(best)
    }

    /// Whether anything is in the way.
    pub fn blocked(&self, origin: Vector, direction: Vector, from: f32, until: f32) -> bool {
        let mut blocked = false;
        self.walk(origin, direction, until, |index| {
            blocked |= meets(&self.triangles[index], origin, direction).is_some_and(|far| far > from && far < until);
            (!blocked).then_some(until)
        });
        blocked
    }

    /// Offers each triangle that the ray may meet before `limit`, until there is no answer; an answer is the new limit.
    fn walk(&self, origin: Vector, direction: Vector, mut limit: f32, mut offer: impl FnMut(usize) -> Option<f32>) {
        let inverse = direction.map(|value| 1.0 / value);
        let mut to_do = [0; 64];
        let mut left = usize::from(!self.nodes.is_empty());
        while left > 0 {
            left -= 1;
            let index = to_do[left];
            let node = &self.nodes[index];
            if !node.meets(origin, inverse, limit) {
                continue;
            }
            match &node.content {
                Content::Triangles(range) => {
                    for triangle in range.clone() {
                        match offer(triangle) {
                            Some(far) => limit = far,
                            None => return,
                        }
                    }
                }
                Content::Halves { second, axis } => {
                    let halves = [*second, index + 1];
                    let forwards = direction[*axis] >= 0.0;
                    to_do[left] = halves[usize::from(!forwards)];
                    to_do[left + 1] = halves[usize::from(forwards)];
                    left += 2;
                }
            }
        }
    }
}

impl Node {
    fn meets(&self, origin: Vector, inverse: Vector, limit: f32) -> bool {
        let (mut enter, mut leave) = (0.0_f32, limit);
        for axis in 0..3 {
            let a = (self.low[axis] - origin[axis]) * inverse[axis];
            let b = (self.high[axis] - origin[axis]) * inverse[axis];
            // A ray within the plane of a side gives no number, which `min` and `max` pass over.
            enter = enter.max(a.min(b));
            leave = leave.min(a.max(b));
        }
        enter <= leave
    }
}

fn halve(triangles: &[[Vector; 3]], names: &mut [usize], range: std::ops::Range<usize>, nodes: &mut Vec<Node>) {
    let part = &mut names[range.clone()];
    let (low, high) = bounds(part.iter().flat_map(|&name| &triangles[name]));
    // A hair larger, for rays along a flat box.
    let (low, high) = (low.map(|value| value - 1e-3), high.map(|value| value + 1e-3));
    let index = nodes.len();
    nodes.push(Node { low, high, content: Content::Triangles(range.clone()) });
    if part.len() <= FEW {
        return;
    }
    let longest = (0..3).max_by(|&a, &b| (high[a] - low[a]).total_cmp(&(high[b] - low[b]))).unwrap_or(0);
    let place = |name: usize| triangles[name].iter().map(|corner| corner[longest]).sum::<f32>();
    part.sort_by(|&a, &b| place(a).total_cmp(&place(b)).then(a.cmp(&b)));
    let middle = range.start + part.len() / 2;
    halve(triangles, names, range.start..middle, nodes);
    nodes[index].content = Content::Halves { second: nodes.len(), axis: longest };
    halve(triangles, names, middle..range.end, nodes);
}

/// How far along the ray a triangle is, after Möller and Trumbore.
fn meets([a, b, c]: &[Vector; 3], origin: Vector, direction: Vector) -> Option<f32> {
    let (ab, ac) = (minus(*b, *a), minus(*c, *a));
    let across = cross(direction, ac);
    let determinant = dot(ab, across);
    if determinant.abs() < 1e-9 {
        return None;
    }
    let from_a = minus(origin, *a);
    let u = dot(from_a, across) / determinant;
    let around = cross(from_a, ab);
    let v = dot(direction, around) / determinant;
    (u >= -1e-5 && v >= -1e-5 && u + v <= 1.0 + 1e-5).then(|| dot(ac, around) / determinant)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::mesh::tests::block;

    #[test]
    fn nearest_triangle_is_hit() {
        let mut triangles = Vec::new();
        for i in 0..20 {
            let x = i as f32 * 10.0;
            triangles.extend(block([x, 0.0, 0.0], [x + 5.0, 5.0, 5.0]));
        }
        let scene = Scene::new(&triangles);
        for i in 0..19 {
            let x = i as f32 * 10.0;
            let hit = scene.first([x + 6.0, 2.2, 3.1], [1.0, 0.0, 0.0], 0.0, 1000.0).unwrap();
            assert!((hit.distance - 4.0).abs() < 1e-4);
            assert_eq!(hit.triangle / 12, i + 1);
            assert!(scene.blocked([x + 6.0, 2.2, 3.1], [1.0, 0.0, 0.0], 0.0, 5.0));
            assert!(!scene.blocked([x + 6.0, 2.2, 3.1], [1.0, 0.0, 0.0], 0.0, 3.0));
        }
        assert_eq!(scene.first([-1.0, 7.0, 2.0], [1.0, 0.0, 0.0], 0.0, 1000.0), None);
    }
}
