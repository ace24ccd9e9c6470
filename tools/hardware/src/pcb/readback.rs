//! Reads the board's file: its copper, the net of each pad, and whether the copper of a net is connected. It does not
//! depend on the code that writes the file, so it can also check a file that KiCad has saved.

use std::collections::{BTreeMap, BTreeSet};

use super::geometry::{Point, distance, um};
use super::parts::Face;
use super::sexpr::Expr;

/// A pad as it lies on the board.
#[derive(Clone, Debug)]
pub struct ReadPad {
    /// `K0.1`
    pub name: String,
    /// Empty: none.
    pub net: String,
    /// Its middle.
    pub at: Point,
    /// Width and height as it lies.
    pub size: Point,
    /// The layer; none: both.
    pub face: Option<Face>,
}

/// A track.
#[derive(Clone, Debug)]
pub struct ReadTrack {
    /// The net.
    pub net: String,
    /// Its ends.
    pub ends: (Point, Point),
    /// Its width.
    pub width: i64,
    /// The layer.
    pub face: Face,
}

/// A piece of a pour.
#[derive(Clone, Debug)]
pub struct Fill {
    /// The net.
    pub net: String,
    /// The layer.
    pub face: Face,
    /// Its outline; holes are reached by cuts of no width.
    pub outline: Vec<Point>,
}

/// All copper of a board.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// Pads.
    pub pads: Vec<ReadPad>,
    /// Tracks.
    pub tracks: Vec<ReadTrack>,
    /// Vias: nets and places.
    pub vias: Vec<(String, Point)>,
    /// Pours.
    pub fills: Vec<Fill>,
}

fn point(list: &Expr) -> Point {
    Point { x: um(list.number(1)), y: um(list.number(2)) }
}

fn face(layer: &str) -> Option<Face> {
    match layer {
        "F.Cu" => Some(Face::Front),
        "B.Cu" => Some(Face::Back),
        _ => None,
    }
}

/// Reads a board's file. `None` where it is none.
pub fn read(file: &str) -> Option<Found> {
    let board = Expr::read(file).filter(|board| board.name() == "kicad_pcb")?;
    let nets: BTreeMap<&str, &str> = board.all("net").map(|net| (net.word(1), net.word(2))).collect();
    let net = |item: &Expr| nets.get(item.get("net")?.word(1)).map(|&name| name.to_owned());
    let mut found = Found::default();
    for footprint in board.all("footprint") {
        let at = footprint.get("at")?;
        let turn = if at.items().len() > 3 { at.number(3).rem_euclid(360.0) as u16 } else { 0 };
        let name = footprint.all("fp_text").find(|text| text.word(1) == "reference")?.word(2).to_owned();
        for pad in footprint.all("pad").filter(|pad| pad.word(2) != "np_thru_hole") {
            let size = point(pad.get("size")?);
            found.pads.push(ReadPad {
                name: format!("{name}.{}", pad.word(1)),
                net: net(pad).unwrap_or_default(),
                at: point(at) + point(pad.get("at")?).turned(turn),
                size: if turn % 180 == 90 { Point { x: size.y, y: size.x } } else { size },
                face: face(pad.get("layers")?.word(1)),
            });
        }
    }
    for track in board.all("segment") {
        found.tracks.push(ReadTrack {
            net: net(track)?,
            ends: (point(track.get("start")?), point(track.get("end")?)),
            width: um(track.get("width")?.number(1)),
            face: face(track.get("layer")?.word(1))?,
        });
    }
    for via in board.all("via") {
        found.vias.push((net(via)?, point(via.get("at")?)));
    }
    for zone in board.all("zone") {
        for fill in zone.all("filled_polygon") {
            let outline = fill.get("pts")?.all("xy").map(point).collect();
            found.fills.push(Fill { net: net(zone)?, face: face(fill.get("layer")?.word(1))?, outline });
        }
    }
    Some(found)
}

impl ReadPad {
    /// Whether a place is on its copper, corners taken as such.
    pub fn covers(&self, place: Point) -> bool {
        let off = place - self.at;
        2 * off.x.abs() <= self.size.x && 2 * off.y.abs() <= self.size.y
    }

    fn on(&self, face: Face) -> bool {
        self.face.is_none_or(|own| own == face)
    }
}

impl ReadTrack {
    /// Whether a place is on its copper.
    pub fn covers(&self, place: Point) -> bool {
        2.0 * distance(place, self.ends) <= self.width as f64
    }
}

impl Fill {
    /// Whether a place is on its copper: a ray from it crosses the outline an odd number of times.
    pub fn covers(&self, place: Point) -> bool {
        let count = self.outline.len();
        (0..count).fold(false, |inside, index| {
            let (a, b) = (self.outline[index], self.outline[(index + 1) % count]);
            let crossed = (a.y > place.y) != (b.y > place.y) && {
                let along = (place.y - a.y) as f64 / (b.y - a.y) as f64;
                (place.x as f64) < a.x as f64 + along * (b.x - a.x) as f64
            };
            inside != crossed
        })
    }

    /// Whether a round thing touches it.
    fn touches(&self, place: Point, reach_x: i64, reach_y: i64) -> bool {
        let around = [(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)];
        // Just inside the edge, where the bridges of a pour end.
        around.iter().any(|(x, y)| self.covers(place + Point { x: x * (reach_x - 20), y: y * (reach_y - 20) }))
    }
}

impl Found {
    /// The nets by their pads, as the pads claim.
    pub fn claimed(&self) -> BTreeMap<String, BTreeSet<String>> {
        let mut nets: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for pad in self.pads.iter().filter(|pad| !pad.net.is_empty()) {
            nets.entry(pad.net.clone()).or_default().insert(pad.name.clone());
        }
        nets
    }

    /// The pads of a net in groups that copper joins. One group is as it should be.
    pub fn groups(&self, net: &str) -> Vec<BTreeSet<String>> {
        let pads: Vec<&ReadPad> = self.pads.iter().filter(|pad| pad.net == net).collect();
        let tracks: Vec<&ReadTrack> = self.tracks.iter().filter(|track| track.net == net).collect();
        let vias: Vec<Point> = self.vias.iter().filter(|(of, _)| of == net).map(|&(_, at)| at).collect();
        let fills: Vec<&Fill> = self.fills.iter().filter(|fill| fill.net == net).collect();
        let (first_track, first_via) = (pads.len(), pads.len() + tracks.len());
        let first_fill = first_via + vias.len();
        let mut sets = Sets::new(first_fill + fills.len());
        for (index, track) in tracks.iter().enumerate() {
            let ends = [track.ends.0, track.ends.1];
            for (pad_index, pad) in pads.iter().enumerate() {
                if pad.on(track.face) && (ends.iter().any(|&end| pad.covers(end)) || track.covers(pad.at)) {
                    sets.join(pad_index, first_track + index);
                }
            }
            for (other_index, other) in tracks.iter().enumerate().take(index) {
                let meets = ends.iter().any(|&end| other.covers(end))
                    || [other.ends.0, other.ends.1].iter().any(|&end| track.covers(end));
                if other.face == track.face && meets {
                    sets.join(first_track + index, first_track + other_index);
                }
            }
            for (via_index, _) in vias.iter().enumerate().filter(|&(_, &via)| track.covers(via)) {
                sets.join(first_track + index, first_via + via_index);
            }
        }
        for (index, fill) in fills.iter().enumerate() {
            for (pad_index, pad) in pads.iter().enumerate() {
                if pad.on(fill.face) && fill.touches(pad.at, pad.size.x / 2, pad.size.y / 2) {
                    sets.join(pad_index, first_fill + index);
                }
            }
            for (via_index, &via) in vias.iter().enumerate() {
                if fill.touches(via, 300, 300) {
                    sets.join(first_via + via_index, first_fill + index);
                }
            }
        }
        let mut groups: BTreeMap<usize, BTreeSet<String>> = BTreeMap::new();
        for (index, pad) in pads.iter().enumerate() {
            groups.entry(sets.root(index)).or_default().insert(pad.name.clone());
        }
        groups.into_values().collect()
    }
}

/// Things that are joined, and things that are joined with those.
struct Sets(Vec<usize>);

impl Sets {
    fn new(count: usize) -> Self {
        Self((0..count).collect())
    }

    fn root(&mut self, mut thing: usize) -> usize {
        while self.0[thing] != thing {
            self.0[thing] = self.0[self.0[thing]];
            thing = self.0[thing];
        }
        thing
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.root(one), self.root(other));
        self.0[one] = other;
    }
}
