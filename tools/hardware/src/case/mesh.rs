//! The surface of a solid as triangles, and its STL file.
//!
//! The crate `stl_io` reads and writes both forms of STL, and finds holes. Its `validate` defines "watertight" here:
//! each edge of a triangle belongs to exactly one other triangle, which passes it in the opposite direction, and no
//! triangle is empty.

use std::io::{Cursor, Read, Seek};

use stl_io::{IndexedMesh, Normal, Triangle, Vertex};

/// A position or a direction, in mm.
pub type Vector = [f32; 3];

/// A triangle that is narrower than this, in mm, counts as a line: rounding in the file may turn its normal anywhere.
const SLIVER: f32 = 1e-3;
/// The number of passes that remove slivers.
const PASSES: usize = 4;

/// The surface of a solid. Seen from outside, the corners of each triangle are in counter-clockwise order.
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh {
    /// Three corners each, in an order that depends only on the solid.
    pub triangles: Vec<[Vector; 3]>,
}

impl Mesh {
    /// Sorts triangles, so that the same solid always gives the same file. Triangles that rounding has reduced to a
    /// line or a point are left out.
    pub fn new(triangles: Vec<[Vector; 3]>) -> Self {
        let key = |point: &Vector| point.map(|value| (value * 1e5) as i64);
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
        // Adding 0 turns -0 into 0. Otherwise these would be two different corners.
        let corner = |index: usize| indexed.vertices[index].0.map(|value| value + 0.0);
        let mut mesh = Self::new(indexed.faces.iter().map(|face| face.vertices.map(corner)).collect());
        if mesh.mend_slivers() > 0 {
            mesh = Self::new(mesh.triangles);
        }
        Ok(mesh)
    }

    /// Replaces slivers, and returns their number.
    ///
    /// If a corner lies on the edge of another triangle, OpenSCAD fills the gap with a triangle of zero width, a
    /// sliver. This function splits the neighbour at the sliver's long side at that corner instead, so that two wide
    /// triangles result.
    fn mend_slivers(&mut self) -> usize {
        let mut found = 0;
        // A neighbour may be a sliver too; then the next pass replaces it.
        for _ in 0..PASSES {
            for index in 0..self.triangles.len() {
                found += usize::from(is_sliver(&self.triangles[index]) && self.mend(index));
            }
        }
        found
    }

    fn mend(&mut self, index: usize) -> bool {
        let [from, to, between] = long_side_first(self.triangles[index]);
        let runs_back = |corners: &[Vector; 3]| (0..3).find(|&i| corners[i] == to && corners[(i + 1) % 3] == from);
        let neighbour = (0..self.triangles.len()).find_map(|i| runs_back(&self.triangles[i]).map(|side| (i, side)));
        let Some((other, side)) = neighbour else { return false };
        let far = self.triangles[other][(side + 2) % 3];
        self.triangles[index] = [from, far, between];
        self.triangles[other] = [far, to, between];
        true
    }

    /// The content of a binary STL file.
    pub fn write(&self) -> Vec<u8> {
        let triangle = |corners: &[Vector; 3]| Triangle {
            normal: Normal::new(normal(corners)),
            vertices: corners.map(Vertex::new),
        };
        let mut file = Vec::new();
        // Writing to memory cannot fail.
        let _ = stl_io::write_stl(&mut file, self.triangles.iter().map(triangle));
        file
    }

    /// Checks that the surface is watertight.
    pub fn check_closed(&self) -> Result<(), String> {
        let read = || -> std::io::Result<IndexedMesh> { stl_io::read_stl(&mut Cursor::new(self.write())) };
        read().and_then(|mesh| mesh.validate()).map_err(|error| format!("not watertight: {error}"))
    }

    /// The smallest and the largest coordinates.
    pub fn bounds(&self) -> (Vector, Vector) {
        bounds(self.triangles.iter().flatten())
    }

    /// The volume in cubic mm: the sum of the pyramids from the origin to each triangle. A triangle that is seen from
    /// inside counts as negative.
    pub fn volume(&self) -> f32 {
        let six_times = |[a, b, c]: &[Vector; 3]| f64::from(dot(*a, cross(*b, *c)));
        (self.triangles.iter().map(six_times).sum::<f64>() / 6.0) as f32
    }
}

/// The smallest and the largest coordinates of some points.
pub fn bounds<'a>(points: impl Iterator<Item = &'a Vector>) -> (Vector, Vector) {
    let (mut low, mut high) = ([f32::MAX; 3], [f32::MIN; 3]);
    for point in points {
        for axis in 0..3 {
            low[axis] = low[axis].min(point[axis]);
            high[axis] = high[axis].max(point[axis]);
        }
    }
    (low, high)
}

fn is_sliver(corners: &[Vector; 3]) -> bool {
    let [from, to, _] = long_side_first(*corners);
    let side = minus(to, from);
    2.0 * area(corners) < SLIVER * dot(side, side).sqrt()
}

/// The same triangle, starting with its longest side.
fn long_side_first(corners: [Vector; 3]) -> [Vector; 3] {
    let turned = |by: usize| {
        let mut turned = corners;
        turned.rotate_left(by);
        turned
    };
    let length = |[from, to, _]: [Vector; 3]| dot(minus(to, from), minus(to, from));
    [1, 2].map(turned).into_iter().fold(corners, |best, next| if length(next) > length(best) { next } else { best })
}

/// The area of a triangle, in square mm.
pub fn area([a, b, c]: &[Vector; 3]) -> f32 {
    let double = cross(minus(*b, *a), minus(*c, *a));
    dot(double, double).sqrt() / 2.0
}

/// The normal of a triangle: its direction to the outside, of length 1.
pub fn normal([a, b, c]: &[Vector; 3]) -> Vector {
    unit(cross(minus(*b, *a), minus(*c, *a)))
}

/// The sum of two vectors.
pub fn plus(a: Vector, b: Vector) -> Vector {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

/// The difference of two vectors.
pub fn minus(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// A vector times a factor.
pub fn times(a: Vector, factor: f32) -> Vector {
    a.map(|value| value * factor)
}

/// The scalar product.
pub fn dot(a: Vector, b: Vector) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The vector product.
pub fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// The vector of length 1 in the same direction; the zero vector is unchanged.
pub fn unit(a: Vector) -> Vector {
    let length = dot(a, a).sqrt();
    if length > 0.0 { times(a, 1.0 / length) } else { a }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A box from one corner to the other.
    pub(crate) fn block(low: Vector, high: Vector) -> Vec<[Vector; 3]> {
        let corner = |bits: usize| [0, 1, 2].map(|axis| if bits >> axis & 1 == 1 { high[axis] } else { low[axis] });
        // The corners of each side, counter-clockwise from outside. Bit 0 is x, bit 1 is y, bit 2 is z.
        let sides = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
        let halves = |[a, b, c, d]: [usize; 4]| [[a, b, c], [a, c, d]].map(|corners| corners.map(corner));
        sides.into_iter().flat_map(halves).collect()
    }

    #[test]
    fn box_is_closed_and_has_its_volume() {
        let mesh = Mesh::new(block([1.0, 2.0, 0.0], [3.0, 5.0, 4.0]));
        assert_eq!(mesh.check_closed(), Ok(()));
        assert!((mesh.volume() - 24.0).abs() < 1e-4);
        assert_eq!(mesh.bounds(), ([1.0, 2.0, 0.0], [3.0, 5.0, 4.0]));
    }

    #[test]
    fn hole_and_reversed_triangle_are_found() {
        let mut mesh = Mesh::new(block([0.0; 3], [1.0; 3]));
        mesh.triangles[5].swap(0, 1);
        assert!(mesh.check_closed().is_err());
        mesh.triangles.remove(5);
        assert!(mesh.check_closed().is_err());
    }

    #[test]
    fn sliver_is_replaced() {
        // The long side of a triangle gets a corner in its middle, and a sliver fills the gap.
        let mut triangles = block([0.0; 3], [2.0, 2.0, 2.0]);
        let [a, b, c] = triangles[0];
        let middle = times(plus(a, c), 0.5);
        triangles.splice(0..1, [[a, b, middle], [b, c, middle], [a, middle, c]]);
        let mut file = Vec::new();
        let triangle =
            |corners: &[Vector; 3]| Triangle { normal: Normal::new([0.0; 3]), vertices: corners.map(Vertex::new) };
        stl_io::write_stl(&mut file, triangles.iter().map(triangle)).unwrap();
        assert!(Mesh { triangles }.check_closed().is_err());
        let mesh = Mesh::read(Cursor::new(file)).unwrap();
        assert_eq!(mesh.check_closed(), Ok(()));
        assert!((mesh.volume() - 8.0).abs() < 1e-4);
    }

    #[test]
    fn file_does_not_depend_on_triangle_order() {
        let triangles = block([0.0; 3], [1.0, 2.0, 3.0]);
        let mesh = Mesh::new(triangles.clone());
        let mut shuffled = triangles;
        shuffled.reverse();
        shuffled.iter_mut().for_each(|corners| corners.rotate_left(1));
        assert_eq!(Mesh::new(shuffled).write(), mesh.write());
        assert_eq!(Mesh::read(Cursor::new(mesh.write())).unwrap(), mesh);
    }
}
