//! The obstacles for tracks and vias, as shapes with a distance function.

use super::copper::{Copper, EDGE_GAP, GAP, VIA};
use super::footprints::{Drill, Ink, Stroke};
use super::geometry::{Point, at, distance, um};
use super::mechanics::BOARD;
use super::parts::Face;
use super::placement::Placed;

/// Something in the way.
#[derive(Clone, Debug)]
pub struct Obstacle {
    /// Copper of this net is not in the way of itself. Empty: in everybody's way.
    pub net: String,
    /// The layer; none: both.
    pub face: Option<Face>,
    /// A line between two places and how far copper or air reaches around it; a rectangle has corners.
    shape: ObstacleShape,
    /// How far others keep away.
    gap: i64,
    /// Whether a via keeps away from it even if it is of the same net: holes break into holes, and solder runs down
    /// them.
    pub solid: bool,
}

#[derive(Clone, Debug)]
enum ObstacleShape {
    Line(Point, Point, i64),
    Rectangle(Point, Point),
}

impl Obstacle {
    /// From its edge to a place, less than 0 within, in micrometres.
    pub fn distance(&self, place: Point) -> f64 {
        match self.shape {
            ObstacleShape::Line(from, to, reach) => distance(place, (from, to)) - reach as f64,
            ObstacleShape::Rectangle(middle, half) => {
                let off = place - middle;
                let (x, y) = ((off.x.abs() - half.x) as f64, (off.y.abs() - half.y) as f64);
                x.max(0.0).hypot(y.max(0.0)) + x.max(y).min(0.0)
            }
        }
    }

    /// Whether a round piece of copper of a net would come too near.
    pub fn bars(&self, net: &str, face: Face, place: Point, radius: i64) -> bool {
        let same_layer = self.face.is_none_or(|own| own == face);
        let foreign = self.net.is_empty() || self.net != net;
        same_layer && foreign && self.distance(place) < (radius + self.gap) as f64
    }

    /// The box around all places that it bars for copper of a radius.
    pub fn reach(&self, radius: i64) -> (Point, Point) {
        let grown = |low: Point, high: Point, by: i64| (low - Point { x: by, y: by }, high + Point { x: by, y: by });
        match self.shape {
            ObstacleShape::Line(a, b, reach) => {
                let low = Point { x: a.x.min(b.x), y: a.y.min(b.y) };
                let high = Point { x: a.x.max(b.x), y: a.y.max(b.y) };
                grown(low, high, reach + radius + self.gap)
            }
            ObstacleShape::Rectangle(middle, half) => grown(middle - half, middle + half, radius + self.gap),
        }
    }
}

/// Everything that is in the way on this board.
pub fn all(parts: &[Placed], copper: &Copper) -> Vec<Obstacle> {
    let mut found = Vec::new();
    let (right, bottom) = BOARD;
    let corners = [at(0.0, 0.0), at(right, 0.0), at(right, bottom), at(0.0, bottom)];
    let cut = |from, to| Obstacle {
        net: String::new(),
        face: None,
        shape: ObstacleShape::Line(from, to, 0),
        gap: um(EDGE_GAP),
        solid: false,
    };
    found.extend((0..4).map(|corner| cut(corners[corner], corners[(corner + 1) % 4])));
    for part in parts {
        for (ink, stroke) in part.footprint().strokes {
            match stroke {
                Stroke::Line(from, to) if ink == Ink::Cut => found.push(cut(part.on_board(from), part.on_board(to))),
                _ => {}
            }
        }
        for pad in part.pads() {
            let half = Point { x: pad.size.x / 2, y: pad.size.y / 2 };
            let (face, gap, shape) = match pad.hole {
                Drill::None => (Some(pad.face), GAP, ObstacleShape::Rectangle(pad.at, half)),
                Drill::Plated(_) => (None, GAP, ObstacleShape::Rectangle(pad.at, half)),
                Drill::Bare(hole) => (None, EDGE_GAP, ObstacleShape::Line(pad.at, pad.at, hole / 2)),
            };
            found.push(Obstacle { net: pad.net, face, shape, gap: um(gap), solid: true });
        }
    }
    found.extend(of_copper(copper));
    found
}

/// Tracks and vias as obstacles.
pub fn of_copper(copper: &Copper) -> Vec<Obstacle> {
    let tracks = copper.tracks.iter().map(|track| Obstacle {
        net: track.net.clone(),
        face: Some(track.face),
        shape: ObstacleShape::Line(track.from, track.to, track.width / 2),
        gap: um(GAP),
        solid: false,
    });
    let vias = copper.vias.iter().map(|via| Obstacle {
        net: via.net.clone(),
        face: None,
        shape: ObstacleShape::Line(via.at, via.at, um(VIA.1) / 2),
        gap: um(GAP),
        solid: true,
    });
    tracks.chain(vias).collect()
}
