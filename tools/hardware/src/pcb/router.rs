//! The router: finds paths from the Pico's pins to the regular copper, on a grid on both layers.
//!
//! Each connection takes the cheapest path around the copper so far (A*; a via costs as much as a few millimetres, a
//! corner a little). If a connection finds no path, it becomes the first one and routing starts again. With a dozen
//! signals on a board with this much space, a few rounds are enough for any choice of pins.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::copper::{Copper, SIGNAL, VIA};
use super::geometry::{Point, at, um};
use super::obstacles::{Obstacle, of_copper};
use super::parts::Face;

/// From grid point to grid point.
const STEP: f64 = 0.25;
/// The part of the board that is searched: all above the second row of keys.
const REGION: (f64, f64) = (99.0, 76.0);
/// Costs, in thousandths of a grid step.
const STRAIGHT: u32 = 1000;
const DIAGONAL: u32 = 1414;
const CORNER: u32 = 300;
const VIA_COST: u32 = 12_000;
/// How often it begins anew.
const ROUNDS: usize = 60;
/// Between two grid points a track may come nearer to a corner than at them: by so much on a straight step, and on a
/// diagonal one, in micrometres.
const SLACK: [i64; 2] = [26, 50];

/// An end of a connection: a place and the layers it can be reached on.
#[derive(Clone, Copy, Debug)]
pub struct Terminal {
    /// Where.
    pub at: Point,
    /// The layer; none: both.
    pub face: Option<Face>,
}

/// Two ends to be joined.
#[derive(Clone, Debug)]
pub struct Connection {
    /// The net.
    pub net: String,
    /// The ends.
    pub ends: [Terminal; 2],
}

/// The copper that joins all of them, or the first net that cannot be joined.
pub fn route(connections: &[Connection], fixed: &[Obstacle]) -> Result<Copper, String> {
    let mut order: Vec<&Connection> = connections.iter().collect();
    let mut stuck = String::new();
    for _ in 0..ROUNDS {
        let mut copper = Copper::default();
        let failed = order.iter().position(|connection| {
            let way = Grid::around(connection, fixed, &copper).search(connection);
            let found = way.is_some();
            way.into_iter().for_each(|way| copper.add(way));
            !found
        });
        match failed {
            None => return Ok(copper),
            Some(index) => {
                stuck.clone_from(&order[index].net);
                let first = order.remove(index);
                order.insert(0, first);
            }
        }
    }
    Err(stuck)
}

/// What is free for one connection.
struct Grid {
    wide: usize,
    high: usize,
    /// For each layer: whether a track may pass straight on, and whether diagonally.
    passable: [[Vec<bool>; 2]; 2],
    /// Whether a via may be set.
    drillable: Vec<bool>,
}

const FACES: [Face; 2] = [Face::Front, Face::Back];

impl Grid {
    fn around(connection: &Connection, fixed: &[Obstacle], copper: &Copper) -> Self {
        let (wide, high) = ((REGION.0 / STEP) as usize + 1, (REGION.1 / STEP) as usize + 1);
        let free = vec![true; wide * high];
        let layer = || [free.clone(), free.clone()];
        let mut grid = Self { wide, high, passable: [layer(), layer()], drillable: free.clone() };
        let laid = of_copper(copper);
        let (tracks, via) = (SLACK.map(|slack| um(SIGNAL) / 2 + slack), um(VIA.1) / 2);
        for obstacle in fixed.iter().chain(&laid) {
            let (low, high_corner) = obstacle.reach(via);
            let range = |low: i64, high: i64, count: usize| {
                let step = um(STEP);
                let last = count as i64 - 1;
                (low / step).clamp(0, last) as usize..=(high / step + 1).clamp(0, last) as usize
            };
            for y in range(low.y, high_corner.y, grid.high) {
                for x in range(low.x, high_corner.x, grid.wide) {
                    let place = grid.place(x, y);
                    let index = y * grid.wide + x;
                    for (layer, face) in FACES.into_iter().enumerate() {
                        for (way, track) in tracks.into_iter().enumerate() {
                            if obstacle.bars(&connection.net, face, place, track) {
                                grid.passable[layer][way][index] = false;
                            }
                        }
                        let net = if obstacle.solid { "" } else { connection.net.as_str() };
                        if obstacle.bars(net, face, place, via) {
                            grid.drillable[index] = false;
                        }
                    }
                }
            }
        }
        grid
    }

    fn place(&self, x: usize, y: usize) -> Point {
        at(x as f64 * STEP, y as f64 * STEP)
    }

    fn nearest(&self, place: Point) -> (usize, usize) {
        let index = |um_: i64| ((um_ + um(STEP) / 2) / um(STEP)) as usize;
        (index(place.x), index(place.y))
    }

    /// The grid points of a terminal, as layer and index.
    fn nodes(&self, terminal: Terminal) -> Vec<usize> {
        let (x, y) = self.nearest(terminal.at);
        let layers = FACES.into_iter().enumerate().filter(|&(_, face)| terminal.face.is_none_or(|own| own == face));
        layers.map(|(layer, _)| layer * self.wide * self.high + y * self.wide + x).collect()
    }

    /// The cheapest way between the ends of a connection.
    fn search(&self, connection: &Connection) -> Option<Copper> {
        let area = self.wide * self.high;
        let [start, goal] = connection.ends;
        let goals = self.nodes(goal);
        let (goal_x, goal_y) = self.nearest(goal.at);
        let estimate = |node: usize| {
            let (x, y) = (node % area % self.wide, node % area / self.wide);
            let (dx, dy) = (x.abs_diff(goal_x) as u32, y.abs_diff(goal_y) as u32);
            STRAIGHT * dx.max(dy) + (DIAGONAL - STRAIGHT) * dx.min(dy)
        };
        let mut cost = vec![u32::MAX; 2 * area];
        let mut before = vec![usize::MAX; 2 * area];
        let mut queue = BinaryHeap::new();
        for node in self.nodes(start) {
            cost[node] = 0;
            queue.push(Reverse((estimate(node), node)));
        }
        while let Some(Reverse((guess, node))) = queue.pop() {
            if goals.contains(&node) {
                return Some(self.copper(connection, node, &before));
            }
            if guess > cost[node] + estimate(node) {
                continue;
            }
            let (layer, index) = (node / area, node % area);
            let (x, y) = ((index % self.wide) as i64, (index / self.wide) as i64);
            let heading = match before[node] {
                usize::MAX => None,
                from if from / area != layer => None,
                from => Some((x - (from % area % self.wide) as i64, y - (from % area / self.wide) as i64)),
            };
            let mut visit = |next: usize, price: u32| {
                let total = cost[node] + price;
                if total < cost[next] {
                    cost[next] = total;
                    before[next] = node;
                    queue.push(Reverse((total + estimate(next), next)));
                }
            };
            for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)] {
                let (to_x, to_y) = (x + dx, y + dy);
                if to_x < 0 || to_y < 0 || to_x >= self.wide as i64 || to_y >= self.high as i64 {
                    continue;
                }
                let next = to_y as usize * self.wide + to_x as usize;
                let diagonal = dx != 0 && dy != 0;
                let price = if diagonal { DIAGONAL } else { STRAIGHT };
                let corner = if heading.is_none_or(|heading| heading == (dx, dy)) { 0 } else { CORNER };
                let free = &self.passable[layer][usize::from(diagonal)];
                if free[next] && (free[index] || !diagonal) {
                    visit(layer * area + next, price + corner);
                }
            }
            if self.drillable[index] {
                visit((1 - layer) * area + index, VIA_COST);
            }
        }
        None
    }

    /// Tracks and vias along the way that ends at a node.
    fn copper(&self, connection: &Connection, last: usize, before: &[usize]) -> Copper {
        let area = self.wide * self.high;
        let mut nodes = vec![last];
        while before[nodes[nodes.len() - 1]] != usize::MAX {
            nodes.push(before[nodes[nodes.len() - 1]]);
        }
        nodes.reverse();
        let mut copper = Copper::default();
        let [start, goal] = connection.ends.map(|end| end.at);
        let mut places = vec![start];
        for (index, &node) in nodes.iter().enumerate() {
            let place = self.place(node % area % self.wide, node % area / self.wide);
            let layer = node / area;
            if index > 0 && nodes[index - 1] / area != layer {
                copper.run(&connection.net, FACES[1 - layer], SIGNAL, &corners(&places));
                copper.via(&connection.net, place);
                places = vec![place];
            }
            places.push(place);
        }
        places.push(goal);
        copper.run(&connection.net, FACES[last / area], SIGNAL, &corners(&places));
        copper
    }
}

/// The places where a way changes its direction, and its ends.
fn corners(places: &[Point]) -> Vec<Point> {
    let mut kept: Vec<Point> = Vec::new();
    for &place in places {
        if kept.last() == Some(&place) {
            continue;
        }
        if let [.., a, b] = kept[..] {
            let (first, second) = (b - a, place - b);
            if first.x * second.y == first.y * second.x && first.x * second.x + first.y * second.y > 0 {
                kept.pop();
            }
        }
        kept.push(place);
    }
    kept
}
