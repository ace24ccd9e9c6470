//! A solid as the triangles of its surface, and the STL files that hold one.
//!
//! Reading, writing and the test for holes are those of the crate `stl_io`: it knows both forms of STL, needs no other crate,
//! and its `validate` is what "watertight" means here: each edge of a triangle is shared by exactly one other that runs along it
//! the other way, and no triangle is empty.

use std::io::{Cursor, Read, Seek};

use stl_io::{IndexedMesh, Normal, Triangle, Vertex};

/// A place or a direction, in mm.
pub type Point = [f32; 3];

/// A triangle narrower than this, in mm, is a line: what the files round by may turn it anywhere.
const SLIVER: f32 = 1e-3;
/// How often slivers are looked for.
const PASSES: usize = 4;

/// A solid's surface. Seen from outside, each triangle's corners go round counter-clockwise.
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh {
    /// Three corners each, in an order that depends on nothing but the solid.
    pub triangles: Vec<[Point; 3]>,
}

impl Mesh {
    /// Puts triangles in order, so that the same solid gives the same file however it was computed. Those that rounding has
    /// shrunk to a line or a point are left out.
    pub fn new(triangles: Vec<[Point; 3]>) -> Self {
        let key = |point: &Point| point.map(|value| (value * 1e5) as i64);
        let mut triangles: Vec<_> = triangles
            .into_iter()
            .filter(|[a, b, c]| a != b && b != c && c != a)
            .map(|mut corners| {
                let first = (0..3).min_by_key(|&i| key(&corners[i])).unwrap_or(0);
                corners.rotate_left(first);
                corners
            })
            .collect();
        triangles.sort_by_key(|corners| corners.each_ref().map(key));
        Self { triangles }
    }

    /// Reads an STL file of either form.
    pub fn read(mut file: impl Read + Seek) -> std::io::Result<Self> {
        let indexed = stl_io::read_stl(&mut file)?;
        // Adding zero makes a zero of a negative zero, which would be another corner.
        let corner = |index: usize| indexed.vertices[index].0.map(|value| value + 0.0);
        let mut mesh = Self::new(indexed.faces.iter().map(|face| face.vertices.map(corner)).collect());
        if mesh.mend_slivers() > 0 {
            mesh = Self::new(mesh.triangles);
        }
        Ok(mesh)
    }

    /// Where a corner lies on another triangle's edge, OpenSCAD fills the gap of no width with a triangle of no width. Its long
    /// side's neighbour is cut at that corner instead, and the two become two that are wide. Gives how many there were.
    fn mend_slivers(&mut self) -> usize {
        let mut found = 0;
        // A neighbour may be a sliver too, and then the next pass goes on.
        for _ in 0..PASSES {
            for index in 0..self.triangles.len() {
                found += usize::from(is_sliver(&self.triangles[index]) && self.mend(index));
            }
        }
        found
    }

    fn mend(&mut self, index: usize) -> bool {
        let [from, to, between] = long_side_first(self.triangles[index]);
        let runs_back = |corners: &[Point; 3]| (0..3).find(|&i| corners[i] == to && corners[(i + 1) % 3] == from);
        let neighbour = (0..self.triangles.len()).find_map(|i| runs_back(&self.triangles[i]).map(|side| (i, side)));
        let Some((other, side)) = neighbour else { return false };
        let far = self.triangles[other][(side + 2) % 3];
        self.triangles[index] = [from, far, between];
        self.triangles[other] = [far, to, between];
        true
    }

    /// The file, in binary form.
    pub fn write(&self) -> Vec<u8> {
        let triangle = |corners: &[Point; 3]| Triangle {
            normal: Normal::new(normal(corners)),
            vertices: corners.map(Vertex::new),
        };
        let mut file = Vec::new();
        // Writing to memory cannot fail.
        let _ = stl_io::write_stl(&mut file, self.triangles.iter().map(triangle));
        file
    }

    /// Whether it is watertight.
    pub fn check_closed(&self) -> Result<(), String> {
        let read = || -> std::io::Result<IndexedMesh> { stl_io::read_stl(&mut Cursor::new(self.write())) };
        read().and_then(|mesh| mesh.validate()).map_err(|error| format!("not watertight: {error}"))
    }

    /// The smallest and the largest coordinates.
    pub fn bounds(&self) -> (Point, Point) {
        bounds(self.triangles.iter().flatten())
    }

    /// In cubic mm: the sum of the pyramids from the origin to each triangle, those seen from inside counting negative.
    pub fn volume(&self) -> f32 {
        let six_times = |[a, b, c]: &[Point; 3]| f64::from(dot(*a, cross(*b, *c)));
        (self.triangles.iter().map(six_times).sum::<f64>() / 6.0) as f32
    }
}

/// The smallest and the largest coordinates of some points.
pub fn bounds<'a>(points: impl Iterator<Item = &'a Point>) -> (Point, Point) {
    let (mut low, mut high) = ([f32::MAX; 3], [f32::MIN; 3]);
    for point in points {
        for axis in 0..3 {
            low[axis] = low[axis].min(point[axis]);
            high[axis] = high[axis].max(point[axis]);
        }
    }
    (low, high)
}

fn is_sliver(corners: &[Point; 3]) -> bool {
    let [from, to, _] = long_side_first(*corners);
    let side = minus(to, from);
    2.0 * area(corners) < SLIVER * dot(side, side).sqrt()
}

/// The same triangle, beginning with the longest of its sides.
fn long_side_first(corners: [Point; 3]) -> [Point; 3] {
    let turned = |by: usize| {
        let mut turned = corners;
        turned.rotate_left(by);
        turned
    };
    let length = |[from, to, _]: [Point; 3]| dot(minus(to, from), minus(to, from));
    [1, 2].map(turned).into_iter().fold(corners, |best, next| if length(next) > length(best) { next } else { best })
}

/// A triangle's area, in square mm.
pub fn area([a, b, c]: &[Point; 3]) -> f32 {
    let double = cross(minus(*b, *a), minus(*c, *a));
    dot(double, double).sqrt() / 2.0
}

/// The direction that a triangle faces, of length 1.
pub fn normal([a, b, c]: &[Point; 3]) -> Point {
    unit(cross(minus(*b, *a), minus(*c, *a)))
}

/// The sum.
pub fn plus(a: Point, b: Point) -> Point {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

/// The difference.
pub fn minus(a: Point, b: Point) -> Point {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// So many times as long.
pub fn times(a: Point, factor: f32) -> Point {
    a.map(|value| value * factor)
}

/// The product of the lengths and of the cosine between them.
pub fn dot(a: Point, b: Point) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// At right angles to both.
pub fn cross(a: Point, b: Point) -> Point {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// The same direction, of length 1; nothing stays nothing.
pub fn unit(a: Point) -> Point {
    let length = dot(a, a).sqrt();
    if length > 0.0 { times(a, 1.0 / length) } else { a }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A box from one corner to the other.
    pub(crate) fn block(low: Point, high: Point) -> Vec<[Point; 3]> {
        let corner = |bits: usize| [0, 1, 2].map(|axis| if bits >> axis & 1 == 1 { high[axis] } else { low[axis] });
        // Each side's corners, counter-clockwise from outside; bit 0 is x, bit 1 y, bit 2 z.
        let sides = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
        let halves = |[a, b, c, d]: [usize; 4]| [[a, b, c], [a, c, d]].map(|corners| corners.map(corner));
        sides.into_iter().flat_map(halves).collect()
    }

    #[test]
    fn a_box_is_closed_and_has_the_volume_of_a_box() {
        let mesh = Mesh::new(block([1.0, 2.0, 0.0], [3.0, 5.0, 4.0]));
        assert_eq!(mesh.check_closed(), Ok(()));
        assert!((mesh.volume() - 24.0).abs() < 1e-4);
        assert_eq!(mesh.bounds(), ([1.0, 2.0, 0.0], [3.0, 5.0, 4.0]));
    }

    #[test]
    fn a_hole_is_found_and_so_is_a_triangle_the_wrong_way_round() {
        let mut mesh = Mesh::new(block([0.0; 3], [1.0; 3]));
        mesh.triangles[5].swap(0, 1);
        assert!(mesh.check_closed().is_err());
        mesh.triangles.remove(5);
        assert!(mesh.check_closed().is_err());
    }

    #[test]
    fn a_triangle_of_no_area_is_mended() {
        // The long side of one triangle gets a corner in its middle, and a sliver fills the gap.
        let mut triangles = block([0.0; 3], [2.0, 2.0, 2.0]);
        let [a, b, c] = triangles[0];
        let middle = times(plus(a, c), 0.5);
        triangles.splice(0..1, [[a, b, middle], [b, c, middle], [a, middle, c]]);
        let mut file = Vec::new();
        let triangle =
            |corners: &[Point; 3]| Triangle { normal: Normal::new([0.0; 3]), vertices: corners.map(Vertex::new) };
        stl_io::write_stl(&mut file, triangles.iter().map(triangle)).unwrap();
        assert!(Mesh { triangles }.check_closed().is_err());
        let mesh = Mesh::read(Cursor::new(file)).unwrap();
        assert_eq!(mesh.check_closed(), Ok(()));
        assert!((mesh.volume() - 8.0).abs() < 1e-4);
    }

    #[test]
    fn a_file_comes_back_as_it_was_whatever_the_order() {
        let triangles = block([0.0; 3], [1.0, 2.0, 3.0]);
        let mesh = Mesh::new(triangles.clone());
        let mut shuffled = triangles;
        shuffled.reverse();
        shuffled.iter_mut().for_each(|corners| corners.rotate_left(1));
        assert_eq!(Mesh::new(shuffled).write(), mesh.write());
        assert_eq!(Mesh::read(Cursor::new(mesh.write())).unwrap(), mesh);
    }
}
