//! Computes the voltage drop in the copper of the board's file.
//!
//! The copper of a net is divided into a grid of small squares on both layers. The resistance from a square to its
//! neighbour is that of a square of copper, 35 um thick, which does not depend on its size. Vias and legs connect the
//! layers. With one pad held at 0 V and a current drawn at others, Kirchhoff's law at every square gives the
//! voltages: a large set of equations, solved by conjugate gradients.

use super::geometry::{Point, at, um};
use super::{Board, Face};

/// Width of a square, in millimetres: in a net of tracks, and in a net with filled areas, which has more squares.
const FINE: f64 = 0.25;
const COARSE: f64 = 0.5;
/// Copper at room temperature, in ohm metres, and its thickness ("1 oz"), in metres.
const RESISTIVITY: f64 = 1.72e-8;
const THICKNESS: f64 = 35e-6;
/// A via of 0.3 mm through 1.6 mm, its wall 20 um thick.
const VIA: f64 = RESISTIVITY * 1.6e-3 / (std::f64::consts::PI * 0.3e-3 * 20e-6);
/// The solution is accepted when the square of the error is smaller than at the start by this factor.
const ACCURACY: f64 = 1e-6;

/// The voltage drops from one pad to others, each of which draws a current in amperes. Infinite for a pad that no
/// copper connects to the first one.
pub fn drops(board: &Board, net: &str, source: &str, sinks: &[(String, f64)]) -> Vec<f64> {
    let grid = DropGrid::new(board, net);
    let pad = |name: &str| board.pads().find(|pad| pad.name == name && pad.net == net);
    let squares = |name: &str| pad(name).map_or(Vec::new(), |pad| grid.squares_of(pad.at, pad.size, pad.face));
    let source = squares(source);
    let mut drawn = vec![0.0; grid.copper.len()];
    let places: Vec<Vec<usize>> = sinks.iter().map(|(name, _)| squares(name)).collect();
    for (place, (_, current)) in places.iter().zip(sinks) {
        for &square in place {
            drawn[square] += current / place.len() as f64;
        }
    }
    let reached = grid.reached(&source);
    let voltage = grid.solve(&source, &drawn, &reached);
    let lost = |place: &Vec<usize>| {
        let joined = !place.is_empty() && place.iter().all(|&square| reached[square]);
        if joined {
            place.iter().map(|&square| voltage[square]).sum::<f64>() / place.len() as f64
        } else {
            f64::INFINITY
        }
    };
    places.iter().map(lost).collect()
}

struct DropGrid {
    /// Width of a square.
    square: f64,
    wide: usize,
    /// Squares of the front, then those of the back: whether there is copper.
    copper: Vec<bool>,
    /// Squares where the layers are connected, by their index on the front, and the conductance.
    through: Vec<(usize, f64)>,
}

impl DropGrid {
    fn new(board: &Board, net: &str) -> Self {
        let square = if board.fills.iter().any(|fill| fill.net == net) { COARSE } else { FINE };
        let (width, height) = board.size().in_mm();
        let (wide, high) = ((width / square) as usize, (height / square) as usize);
        let mut grid = Self { square, wide, copper: vec![false; 2 * wide * high], through: Vec::new() };
        for fill in board.fills.iter().filter(|fill| fill.net == net) {
            grid.pour(fill.face, &fill.outline);
        }
        for track in board.tracks.iter().filter(|track| track.net == net) {
            let (a, b) = track.ends;
            let reach = Point { x: track.width / 2, y: track.width / 2 };
            let low = Point { x: a.x.min(b.x), y: a.y.min(b.y) } - reach;
            let high = Point { x: a.x.max(b.x), y: a.y.max(b.y) } + reach;
            grid.mark(Some(track.face), low, high, |place| track.covers(place));
        }
        for pad in board.pads().filter(|pad| pad.net == net) {
            let half = Point { x: pad.size.x / 2, y: pad.size.y / 2 };
            grid.mark(pad.face, pad.at - half, pad.at + half, |place| pad.covers(place));
            if pad.face.is_none() {
                // A leg and the solder around it conduct like four vias.
                grid.join(pad.at, 4.0 / VIA);
            }
        }
        for &(_, via) in board.vias.iter().filter(|(of, _)| of == net) {
            let half = Point { x: 300, y: 300 };
            grid.mark(None, via - half, via + half, |_| true);
            grid.join(via, 1.0 / VIA);
        }
        grid
    }

    fn area(&self) -> usize {
        self.copper.len() / 2
    }

    fn square_at(&self, place: Point) -> usize {
        let index = |um_: i64| (um_ / um(self.square)) as usize;
        index(place.y) * self.wide + index(place.x)
    }

    fn join(&mut self, place: Point, conductance: f64) {
        let square = self.square_at(place);
        self.through.push((square, conductance));
    }

    /// The squares whose centre is between two corners, with that centre.
    fn within(&self, low: Point, high: Point) -> impl Iterator<Item = (usize, Point)> + use<> {
        let (wide, tall, side) = (self.wide, self.area() / self.wide, self.square);
        let range = |low: i64, high: i64, count: usize| {
            let index = |um_: i64| (um_ / um(side)).clamp(0, count as i64 - 1) as usize;
            index(low)..=index(high)
        };
        let columns = range(low.x, high.x, wide);
        range(low.y, high.y, tall).flat_map(move |y| {
            columns.clone().map(move |x| (y * wide + x, at((x as f64 + 0.5) * side, (y as f64 + 0.5) * side)))
        })
    }

    fn mark(&mut self, face: Option<Face>, low: Point, high: Point, covers: impl Fn(Point) -> bool) {
        let area = self.area();
        for (square, _) in self.within(low, high).filter(|&(_, middle)| covers(middle)) {
            for (layer, own) in [Face::Front, Face::Back].into_iter().enumerate() {
                if face.is_none_or(|face| face == own) {
                    self.copper[layer * area + square] = true;
                }
            }
        }
    }

    /// Marks the squares inside an outline, one row of squares at a time.
    fn pour(&mut self, face: Face, outline: &[Point]) {
        let offset = if face == Face::Front { 0 } else { self.area() };
        for row in 0..self.area() / self.wide {
            let y = (row as f64 + 0.5) * self.square * 1000.0;
            let ends = (0..outline.len()).map(|index| (outline[index], outline[(index + 1) % outline.len()]));
            let crossed = ends.filter(|(a, b)| (a.y as f64 > y) != (b.y as f64 > y));
            let mut crossings: Vec<f64> =
                crossed.map(|(a, b)| a.x as f64 + (y - a.y as f64) / (b.y - a.y) as f64 * (b.x - a.x) as f64).collect();
            crossings.sort_by(f64::total_cmp);
            for pair in crossings.chunks_exact(2) {
                let index = |x: f64| ((x / (self.square * 1000.0) - 0.5).ceil().max(0.0) as usize).min(self.wide);
                self.copper[offset + row * self.wide..][index(pair[0])..index(pair[1])].fill(true);
            }
        }
    }

    fn squares_of(&self, middle: Point, size: Point, face: Option<Face>) -> Vec<usize> {
        let half = Point { x: size.x / 2, y: size.y / 2 };
        let layers =
            [Face::Front, Face::Back].into_iter().enumerate().filter(|&(_, own)| face.is_none_or(|f| f == own));
        let of = |layer: usize| {
            let inside =
                move |place: Point| (place.x - middle.x).abs() <= half.x && (place.y - middle.y).abs() <= half.y;
            let offset = layer * self.area();
            self.within(middle - half, middle + half)
                .filter(move |&(_, place)| inside(place))
                .map(move |(s, _)| offset + s)
        };
        layers.flat_map(|(layer, _)| of(layer)).collect()
    }

    /// The neighbours of a square on its layer that are copper.
    fn beside(&self, square: usize) -> impl Iterator<Item = usize> {
        let (wide, area) = (self.wide, self.area());
        let (x, within) = (square % area % wide, square % area);
        let candidates = [
            (x > 0).then(|| square - 1),
            (x + 1 < wide).then_some(square + 1),
            (within >= wide).then(|| square - wide),
            (within + wide < area).then_some(square + wide),
        ];
        candidates.into_iter().flatten().filter(|&other| self.copper[other])
    }

    /// The squares that copper connects to the given ones.
    fn reached(&self, from: &[usize]) -> Vec<bool> {
        let area = self.area();
        let mut joined = vec![false; area];
        self.through.iter().for_each(|&(square, _)| joined[square] = true);
        let mut reached = vec![false; self.copper.len()];
        let mut waiting: Vec<usize> = from.to_vec();
        while let Some(square) = waiting.pop() {
            if std::mem::replace(&mut reached[square], true) {
                continue;
            }
            waiting.extend(self.beside(square).filter(|&other| !reached[other]));
            let other_side = (square + area) % (2 * area);
            if joined[square % area] && self.copper[other_side] {
                waiting.push(other_side);
            }
        }
        reached
    }

    /// The voltage of every square that is reached, by Kirchhoff's current law.
    fn solve(&self, source: &[usize], drawn: &[f64], reached: &[bool]) -> Vec<f64> {
        let conductance = THICKNESS / RESISTIVITY;
        let mut held = vec![false; self.copper.len()];
        source.iter().for_each(|&square| held[square] = true);
        let unknown: Vec<usize> = (0..self.copper.len()).filter(|&s| reached[s] && !held[s]).collect();
        // One more unknown, which is always 0, stands for a missing neighbour and for the squares that are held at 0 V.
        let grounded = unknown.len();
        let mut place = vec![grounded; self.copper.len()];
        unknown.iter().enumerate().for_each(|(index, &square)| place[square] = index);
        // For every unknown: the sum of its conductances, and its neighbours among the unknowns.
        let mut own = vec![0.0; grounded];
        let mut links = vec![[grounded; 4]; grounded];
        for (index, &square) in unknown.iter().enumerate() {
            for (slot, other) in self.beside(square).filter(|&other| reached[other]).enumerate() {
                own[index] += conductance;
                links[index][slot] = place[other];
            }
        }
        let mut through: Vec<(usize, usize, f64)> = Vec::new();
        for &(square, by) in &self.through {
            let [front, back] = [square, square + self.area()];
            if !reached[front] || !reached[back] {
                continue;
            }
            let ends = [place[front], place[back]];
            ends.into_iter().filter(|&end| end != grounded).for_each(|end| own[end] += by);
            if !ends.contains(&grounded) {
                through.push((ends[0], ends[1], by));
            }
        }
        let apply = |x: &[f64], out: &mut [f64]| {
            for (((out, own), x_own), link) in out.iter_mut().zip(&own).zip(x).zip(&links) {
                *out = own * x_own - conductance * (x[link[0]] + x[link[1]] + x[link[2]] + x[link[3]]);
            }
            for &(a, b, by) in &through {
                out[a] -= by * x[b];
                out[b] -= by * x[a];
            }
        };
        let wanted: Vec<f64> = unknown.iter().map(|&square| drawn[square]).collect();
        let solution = conjugate_gradients(apply, &own, &wanted);
        let mut voltage = vec![0.0; self.copper.len()];
        unknown.iter().zip(solution).for_each(|(&square, volts)| voltage[square] = volts);
        voltage
    }
}

/// Solves a symmetric set of equations by conjugate gradients, with the diagonal as preconditioner. The argument of
/// `apply` has one more element at its end, which is 0. No crate: the matrix is a grid, so its product with a vector is
/// a few lines, and the matrix itself is not needed.
fn conjugate_gradients(apply: impl Fn(&[f64], &mut [f64]), diagonal: &[f64], wanted: &[f64]) -> Vec<f64> {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let mut x = vec![0.0; wanted.len()];
    let mut rest = wanted.to_vec();
    let mut scaled: Vec<f64> = rest.iter().zip(diagonal).map(|(r, d)| r / d).collect();
    let mut way = scaled.clone();
    way.push(0.0);
    let mut image = vec![0.0; wanted.len()];
    let mut size = dot(&rest, &scaled);
    let first = size;
    while size > ACCURACY * first {
        apply(&way, &mut image);
        let step = size / dot(&way, &image);
        x.iter_mut().zip(&way).for_each(|(x, way)| *x += step * way);
        rest.iter_mut().zip(&image).for_each(|(rest, image)| *rest -= step * image);
        scaled
            .iter_mut()
            .zip(rest.iter().zip(diagonal))
            .for_each(|(scaled, (rest, diagonal))| *scaled = rest / diagonal);
        let next = dot(&rest, &scaled);
        let turn = next / size;
        size = next;
        way.iter_mut().zip(&scaled).for_each(|(way, scaled)| *way = scaled + turn * *way);
    }
    x
}
