//! Reads the circuit board: `hardware/pcb/lights-out.kicad_pcb`, which is edited in KiCad.
//!
//! ```text
//! .kicad_pcb -> Board -> nets: compared with the wiring of the firmware     (tests/board.rs)
//!                     -> drop: voltage drop in the copper                   (tests/board.rs)
//!                     -> scad: positions for the case, board.scad           (cargo wiring)
//! ```
//!
//! KiCad's own checks (ERC, DRC, schematic parity) and the production files are made by `hardware/make`.

pub mod drop;
pub mod geometry;
mod positions;

use std::collections::{BTreeMap, BTreeSet};

use crc::{CRC_32_ISO_HDLC, Crc};
use geometry::{Point, distance, um};
use lexpr::Value;
pub use positions::scad;

/// The board's file, from the root of the project.
pub const FILE: &str = "hardware/pcb/lights-out.kicad_pcb";

/// A side of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Face {
    /// The side of the keys.
    Front,
    /// The side of the SMD parts.
    Back,
}

/// A pad, in the coordinates of the board.
#[derive(Clone, Debug)]
pub struct Pad {
    /// The part and the pad's number: `K0.1`.
    pub name: String,
    /// The net, without the path of its sheet. Empty for a pad that is not connected.
    pub net: String,
    /// Its centre.
    pub at: Point,
    /// Width and height, as it lies on the board.
    pub size: Point,
    /// The side of a flat pad; `None` for a pad with a hole.
    pub face: Option<Face>,
    /// Whether it has copper. A mere hole has none.
    pub plated: bool,
}

/// A part, or a mechanical item such as a screw hole.
#[derive(Clone, Debug)]
pub struct Part {
    /// Its reference: `K0`.
    pub name: String,
    /// The footprint, without its library: `SOT-23`.
    pub footprint: String,
    /// Its properties: `Value`, `MPN`, ...
    pub fields: BTreeMap<String, String>,
    /// Its origin.
    pub at: Point,
    /// Its rotation in degrees, as in the file.
    pub angle: f64,
    /// The side it is on.
    pub face: Face,
    /// Whether it is on the board only, not in the schematic and the lists.
    pub is_mechanical: bool,
    /// Its pads and holes.
    pub pads: Vec<Pad>,
    /// The lines of its courtyard.
    pub courtyard: Vec<(Point, Point)>,
}

/// A straight track.
#[derive(Clone, Debug)]
pub struct Track {
    /// The net.
    pub net: String,
    /// Both ends.
    pub ends: (Point, Point),
    /// Its width.
    pub width: i64,
    /// The layer.
    pub face: Face,
}

/// A filled piece of a copper area.
#[derive(Clone, Debug)]
pub struct Fill {
    /// The net.
    pub net: String,
    /// The layer.
    pub face: Face,
    /// Its outline; holes in it are reached by cuts of no width.
    pub outline: Vec<Point>,
}

/// A milled line or arc, by its start, a point on it, and its end.
pub type Cut = [Point; 3];

/// A text that is printed on the board.
#[derive(Clone, Debug)]
pub struct Print {
    /// The text.
    pub text: String,
    /// The height of its letters.
    pub height: i64,
}

/// The content of the board's file.
#[derive(Clone, Debug, Default)]
pub struct Board {
    /// The revision in the title block.
    pub revision: String,
    /// All comments of the title block.
    pub comments: Vec<String>,
    /// Thickness of the board.
    pub thickness: i64,
    /// The parts.
    pub parts: Vec<Part>,
    /// The tracks.
    pub tracks: Vec<Track>,
    /// The vias: nets and positions.
    pub vias: Vec<(String, Point)>,
    /// The filled areas.
    pub fills: Vec<Fill>,
    /// The outline of the board and all cut-outs.
    pub cuts: Vec<Cut>,
    /// The texts of the silkscreen.
    pub prints: Vec<Print>,
}

/// The elements of a list.
fn items(list: &Value) -> impl Iterator<Item = &Value> {
    list.list_iter().into_iter().flatten()
}

/// A word or a text.
fn text(value: &Value) -> &str {
    value.as_str().or_else(|| value.as_symbol()).unwrap_or_default()
}

/// The lists of a name within a list.
fn all<'a>(list: &'a Value, name: &'a str) -> impl Iterator<Item = &'a Value> {
    items(list).filter(move |item| item.as_cons().is_some_and(|cons| cons.car().as_symbol() == Some(name)))
}

/// The first element of the first list of a name within a list: `"B"` of `(rev "B")`.
fn value<'a>(list: &'a Value, name: &'a str) -> Option<&'a Value> {
    items(all(list, name).next()?).nth(1)
}

fn word<'a>(list: &'a Value, name: &'a str) -> &'a str {
    value(list, name).map_or("", text)
}

/// A number of a list, by its position.
fn number(list: &Value, index: usize) -> Option<f64> {
    items(list).nth(index)?.as_f64()
}

/// The position in the first list of a name: `(at 1 2)`.
fn position(list: &Value, name: &str) -> Option<Point> {
    point(all(list, name).next()?)
}

fn point(list: &Value) -> Option<Point> {
    Some(Point { x: um(number(list, 1)?), y: um(number(list, 2)?) })
}

/// The side of the first layer of an item.
fn face(item: &Value) -> Option<Face> {
    let layer = value(item, "layer").or_else(|| value(item, "layers")).map_or("", text);
    match layer.split_once('.')?.0 {
        "F" => Some(Face::Front),
        "B" => Some(Face::Back),
        _ => None,
    }
}

/// The name of a net without the path of its sheet: `/Keys/KEY0` is `KEY0`. Empty for a pad that is not connected.
fn net_name(name: &str) -> String {
    let name = name.rsplit('/').next().unwrap_or(name);
    if name.starts_with("unconnected-") { String::new() } else { name.to_owned() }
}

/// Reads the board of the project.
///
/// # Errors
/// If the file cannot be read, or is not a board.
pub fn load() -> Result<Board, String> {
    let path = setup::root().join(FILE);
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    parse(&text).ok_or_else(|| format!("{FILE} is not a board of KiCad 9"))
}

/// Parses the text of a board's file. `None` if it is not one.
pub fn parse(file: &str) -> Option<Board> {
    let board = lexpr::from_str(file).ok().filter(|board| board.as_cons().is_some())?;
    let title = all(&board, "title_block").next()?;
    let mut found = Board {
        revision: word(title, "rev").to_owned(),
        comments: all(title, "comment").filter_map(|comment| Some(text(items(comment).nth(2)?).to_owned())).collect(),
        thickness: um(value(all(&board, "general").next()?, "thickness")?.as_f64()?),
        ..Board::default()
    };
    let nets: BTreeMap<u64, String> = all(&board, "net")
        .filter_map(|net| Some((items(net).nth(1)?.as_u64()?, net_name(text(items(net).nth(2)?)))))
        .collect();
    let net = |item: &Value| nets.get(&value(item, "net")?.as_u64()?).cloned();
    for footprint in all(&board, "footprint") {
        let part = part(footprint)?;
        found.prints.extend(part_prints(footprint));
        found.cuts.extend(cuts(footprint, "fp_").map(|cut| cut.map(|point| part.at + point.rotated(part.angle))));
        found.parts.push(part);
    }
    for track in all(&board, "segment") {
        let ends = (position(track, "start")?, position(track, "end")?);
        let width = um(value(track, "width")?.as_f64()?);
        found.tracks.push(Track { net: net(track)?, ends, width, face: face(track)? });
    }
    for via in all(&board, "via") {
        found.vias.push((net(via)?, position(via, "at")?));
    }
    for zone in all(&board, "zone") {
        for fill in all(zone, "filled_polygon") {
            let outline = all(all(fill, "pts").next()?, "xy").map(point).collect::<Option<_>>()?;
            found.fills.push(Fill { net: net(zone)?, face: face(fill)?, outline });
        }
    }
    found.cuts.extend(cuts(&board, "gr_"));
    found.prints.extend(all(&board, "gr_text").filter_map(print));
    Some(found)
}

fn part(footprint: &Value) -> Option<Part> {
    let fields: BTreeMap<String, String> = all(footprint, "property")
        .filter_map(|field| Some((text(items(field).nth(1)?).to_owned(), text(items(field).nth(2)?).to_owned())))
        .collect();
    let name = fields.get("Reference")?.clone();
    let at = position(footprint, "at")?;
    let angle = number(all(footprint, "at").next()?, 3).unwrap_or(0.0);
    let pads = all(footprint, "pad").map(|pad| self::pad(pad, &name, at, angle)).collect::<Option<_>>()?;
    let courtyard = all(footprint, "fp_line").filter(|line| word(line, "layer").ends_with(".CrtYd"));
    let corner = |line, end| Some(at + position(line, end)?.rotated(angle));
    let courtyard = courtyard.filter_map(|line| Some((corner(line, "start")?, corner(line, "end")?))).collect();
    let attributes = all(footprint, "attr").next();
    Some(Part {
        footprint: text(items(footprint).nth(1)?).rsplit(':').next()?.to_owned(),
        face: face(footprint)?,
        is_mechanical: attributes.is_some_and(|list| items(list).any(|word| word.as_symbol() == Some("board_only"))),
        name,
        fields,
        at,
        angle,
        pads,
        courtyard,
    })
}

fn pad(pad: &Value, part: &str, at: Point, part_angle: f64) -> Option<Pad> {
    let size = position(pad, "size")?;
    // The angle of a pad in the file includes that of its part.
    let angle = number(all(pad, "at").next()?, 3).unwrap_or(0.0);
    let upright = (angle.rem_euclid(180.0) - 90.0).abs() < 1.0;
    let kind = text(items(pad).nth(2)?);
    Some(Pad {
        name: format!("{part}.{}", text(items(pad).nth(1)?)),
        net: all(pad, "net")
            .next()
            .and_then(|net| items(net).nth(2))
            .map(|net| net_name(text(net)))
            .unwrap_or_default(),
        at: at + position(pad, "at")?.rotated(part_angle),
        size: if upright { Point { x: size.y, y: size.x } } else { size },
        face: if kind == "smd" { face(pad) } else { None },
        plated: kind != "np_thru_hole",
    })
}

/// The milled lines and arcs of the board (`gr_`) or of a footprint (`fp_`), in its own coordinates.
fn cuts<'a>(list: &'a Value, prefix: &str) -> impl Iterator<Item = Cut> + use<'a> {
    let kinds = [format!("{prefix}line"), format!("{prefix}arc")];
    let milled = items(list).filter(move |item| {
        let kind = item.as_cons().and_then(|cons| cons.car().as_symbol());
        kind.is_some_and(|kind| kinds.iter().any(|name| name == kind)) && word(item, "layer") == "Edge.Cuts"
    });
    milled.filter_map(|item| {
        let (start, end) = (position(item, "start")?, position(item, "end")?);
        let middle = Point { x: (start.x + end.x) / 2, y: (start.y + end.y) / 2 };
        Some([start, position(item, "mid").unwrap_or(middle), end])
    })
}

/// A visible text of the silkscreen.
fn print(item: &Value) -> Option<Print> {
    if !word(item, "layer").ends_with(".SilkS") || word(item, "hide") == "yes" {
        return None;
    }
    let font = all(all(item, "effects").next()?, "font").next()?;
    let height = um(number(all(font, "size").next()?, 1)?);
    // A text of a footprint has its kind first, a property its name.
    let index = if item.as_cons()?.car().as_symbol()? == "gr_text" { 1 } else { 2 };
    Some(Print { text: text(items(item).nth(index)?).to_owned(), height })
}

fn part_prints(footprint: &Value) -> impl Iterator<Item = Print> {
    all(footprint, "property").chain(all(footprint, "fp_text")).filter_map(print)
}

impl Pad {
    /// Whether a point is on its copper. A rounded pad counts as a rectangle.
    pub fn covers(&self, point: Point) -> bool {
        let offset = point - self.at;
        2 * offset.x.abs() <= self.size.x && 2 * offset.y.abs() <= self.size.y
    }
}

impl Track {
    /// Whether a point is on its copper.
    pub fn covers(&self, point: Point) -> bool {
        2.0 * distance(point, self.ends) <= self.width as f64
    }
}

impl Board {
    /// A part, by its name.
    pub fn part(&self, name: &str) -> Option<&Part> {
        self.parts.iter().find(|part| part.name == name)
    }

    /// Width and height. The top left corner is the origin.
    pub fn size(&self) -> Point {
        let larger = |size: Point, point: &Point| Point { x: size.x.max(point.x), y: size.y.max(point.y) };
        self.cuts.iter().flatten().fold(Point::default(), larger)
    }

    /// All pads.
    pub fn pads(&self) -> impl Iterator<Item = &Pad> {
        self.parts.iter().flat_map(|part| &part.pads)
    }

    /// The nets, each with the names of its pads.
    pub fn nets(&self) -> BTreeMap<String, BTreeSet<String>> {
        let mut nets: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for pad in self.pads().filter(|pad| !pad.net.is_empty()) {
            nets.entry(pad.net.clone()).or_default().insert(pad.name.clone());
        }
        nets
    }

    /// A checksum of the nets and of all milled lines. A board with another checksum needs another revision letter.
    pub fn fingerprint(&self) -> String {
        let mut cuts: Vec<Cut> = self.cuts.clone();
        // The direction of a line and the order in the file do not matter.
        cuts.iter_mut().filter(|cut| cut[0] > cut[2]).for_each(|cut| cut.reverse());
        cuts.sort();
        let text = format!("{:?}{cuts:?}", self.nets());
        format!("{:08x}", Crc::<u32>::new(&CRC_32_ISO_HDLC).checksum(text.as_bytes()))
    }
}
