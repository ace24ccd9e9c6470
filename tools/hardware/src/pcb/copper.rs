//! Tracks and vias, and their widths.

use super::geometry::{Point, um};
use super::parts::Face;

/// A straight piece of copper with round ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Track {
    /// The net.
    pub net: String,
    /// One end.
    pub from: Point,
    /// The other.
    pub to: Point,
    /// Its width.
    pub width: i64,
    /// The layer.
    pub face: Face,
}

/// A plated hole from front to back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Via {
    /// The net.
    pub net: String,
    /// Its middle.
    pub at: Point,
}

/// Copper of the board, pads and pours apart.
#[derive(Clone, Debug, Default)]
pub struct Copper {
    /// Tracks.
    pub tracks: Vec<Track>,
    /// Vias.
    pub vias: Vec<Via>,
}

/// What signals run on. A cheap board house makes 0.15 mm; nothing here needs to be that fine.
pub const SIGNAL: f64 = 0.25;
/// Between any two nets.
pub const GAP: f64 = 0.2;
/// Between copper and holes without copper, cut-outs and the board's edge.
pub const EDGE_GAP: f64 = 0.3;
/// A via's hole and its copper.
pub const VIA: (f64, f64) = (0.3, 0.6);

impl Copper {
    /// A track through several places.
    pub fn run(&mut self, net: &str, face: Face, width: f64, places: &[Point]) {
        for ends in places.windows(2).filter(|ends| ends[0] != ends[1]) {
            self.tracks.push(Track { net: net.into(), from: ends[0], to: ends[1], width: um(width), face });
        }
    }

    /// A via.
    pub fn via(&mut self, net: &str, at: Point) {
        self.vias.push(Via { net: net.into(), at });
    }

    /// A pad's short way to a via: how a pad on the back reaches both pours of ground.
    pub fn to_ground(&mut self, pad: Point, via: Point) {
        self.run("GND", Face::Back, 0.4, &[pad, via]);
        self.via("GND", via);
    }

    /// Takes in other copper.
    pub fn add(&mut self, other: Self) {
        self.tracks.extend(other.tracks);
        self.vias.extend(other.vias);
    }
}
