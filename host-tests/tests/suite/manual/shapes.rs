//! The SVG elements of the pictures: case, lights, rings, fingers, texts.

use std::collections::BTreeSet;

use lights_out::board::{Cell, Cells, SIDE};
use lights_out::display::Frame;
use lights_out::gesture::Corner;
use smart_leds::RGB8;
use svg::Document;
use svg::node::Node;
use svg::node::element::{
    Circle, Definitions, Group, LinearGradient, Path, RadialGradient, Rectangle, Stop, Text, Title, Use,
};

/// The distance from one key to the next.
pub(super) const PITCH: usize = 26;
/// The side of a key.
pub(super) const KEY: usize = 20;
/// The distance between the keys and the edge of the case.
pub(super) const RIM: usize = 12;
/// The side of the case, which is a square.
pub(super) const CASE: usize = 2 * RIM + (SIDE - 1) * PITCH + KEY;
/// The radius of the glow around a light.
const GLOW: usize = 25;

const FONT: &str = "system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif";
const PAPER: &str = "#12151c";
pub(super) const INK: &str = "#d9dee8";
pub(super) const PALE_INK: &str = "#8f98a8";
const UNLIT: RGB8 = RGB8::new(0x2e, 0x33, 0x3e);
pub(super) const WHITE: RGB8 = RGB8::new(255, 255, 255);

/// A picture under construction.
pub(super) struct Picture {
    title: String,
    size: (usize, usize),
    content: Group,
    /// The colours of all lights. Each has gradients, which are defined once.
    colours: BTreeSet<[u8; 3]>,
}

impl Picture {
    pub(super) fn new(title: &str, width: usize, height: usize) -> Self {
        let background = Rectangle::new().set("width", width).set("height", height).set("rx", 18).set("fill", PAPER);
        let content = Group::new().add(background);
        Self { title: title.to_owned(), size: (width, height), content, colours: BTreeSet::new() }
    }

    pub(super) fn add(&mut self, node: impl Into<Box<dyn Node>>) {
        self.content.append(node);
    }

    /// The case with all lights off.
    pub(super) fn case(&self) -> Group {
        let case = square(0, 0, CASE, 18).set("fill", "url(#case)").set("stroke", "#3d4451");
        Group::new().add(case).add(Use::new().set("href", "#keys"))
    }

    /// The lights of a frame. A light is drawn on top of the glow of its neighbours.
    pub(super) fn lights(&mut self, frame: &Frame) -> Group {
        let lit: Vec<(Cell, RGB8)> =
            Cell::all().zip(frame.0).filter(|&(_, colour)| colour != RGB8::default()).collect();
        self.colours.extend(lit.iter().map(|(_, colour)| [colour.r, colour.g, colour.b]));
        let glow = |&(cell, colour): &(Cell, RGB8)| {
            let circle = Circle::new().set("cx", left(cell) + KEY / 2).set("cy", top(cell) + KEY / 2);
            circle.set("r", GLOW).set("fill", format!("url(#glow{})", name(colour)))
        };
        let light = |&(cell, colour): &(Cell, RGB8)| {
            square(left(cell), top(cell), KEY, 6).set("fill", format!("url(#light{})", name(colour)))
        };
        let glows = lit.iter().map(glow).fold(Group::new(), Group::add);
        lit.iter().map(light).fold(glows, Group::add)
    }

    /// The SVG file.
    pub(super) fn finish(self) -> String {
        let (width, height) = self.size;
        let document = Document::new()
            .set("width", width)
            .set("height", height)
            .set("viewBox", (0, 0, width, height))
            .set("role", "img")
            .set("font-family", FONT)
            .add(Title::new(self.title))
            .add(definitions(&self.colours))
            .add(self.content);
        format!("{document}\n")
    }
}

/// The gradients, and the keys without light.
fn definitions(colours: &BTreeSet<[u8; 3]>) -> Definitions {
    let mut definitions = Definitions::new();
    for (id, light, dark) in [("case", "#232833", "#181b23"), ("body", "#3a4252", "#20252f")] {
        let gradient = LinearGradient::new().set("id", id).set("x2", 0).set("y2", 1);
        let end = stop(dark).set("offset", 1);
        definitions = definitions.add(gradient.add(stop(light)).add(end));
    }
    for &[r, g, b] in colours {
        let colour = RGB8::new(r, g, b);
        let (name, bright, plain) = (name(colour), brightness(colour), hex(colour));
        let opacity = format!("0.{:02}", 65 * u32::from(bright) / 255);
        let glow = RadialGradient::new()
            .set("id", format!("glow{name}"))
            .add(stop(&plain).set("stop-opacity", opacity))
            .add(stop(&plain).set("offset", 1).set("stop-opacity", 0));
        // A bright light is paler in the middle. A dim light shows the grey of the key.
        let edge = over_unlit(colour);
        let middle = if bright > 128 { mix(colour, WHITE, bright / 2) } else { edge };
        let light = RadialGradient::new()
            .set("id", format!("light{name}"))
            .set("r", "0.70")
            .add(stop(&hex(middle)))
            .add(stop(&hex(edge)).set("offset", 1));
        definitions = definitions.add(glow).add(light);
    }
    let keys = Group::new().set("id", "keys").set("fill", hex(UNLIT)).set("stroke", "#0d0f14");
    definitions.add(Cell::all().map(|cell| square(left(cell), top(cell), KEY, 6)).fold(keys, Group::add))
}

fn stop(colour: &str) -> Stop {
    Stop::new().set("stop-color", colour)
}

/// A square with rounded corners.
pub(super) fn square(x: usize, y: usize, side: usize, radius: usize) -> Rectangle {
    Rectangle::new().set("x", x).set("y", y).set("width", side).set("height", side).set("rx", radius)
}

/// A line of text.
pub(super) fn label(x: usize, y: usize, size: usize, colour: &str, text: &str) -> Text {
    Text::new(text).set("x", x).set("y", y).set("font-size", size).set("fill", colour)
}

/// A ring around a key.
pub(super) fn ring(key: Cell, colour: &str) -> Rectangle {
    const DISTANCE: usize = 3;
    let (x, y) = (left(key) - DISTANCE, top(key) - DISTANCE);
    let ring = square(x, y, KEY + 2 * DISTANCE, 6 + DISTANCE).set("fill", "none");
    ring.set("stroke", colour).set("stroke-width", 2)
}

/// A dashed line around a square of cells.
pub(super) fn outline(cells: Cells) -> Option<Rectangle> {
    let (first, last) = (cells.iter().next()?, cells.iter().last()?);
    let side = left(last) - left(first) + KEY + 8;
    let square = square(left(first) - 4, top(first) - 4, side, 9).set("fill", "none");
    Some(square.set("stroke", PALE_INK).set("stroke-dasharray", "3 3"))
}

/// A finger that reaches from outside to a corner. The light under its tip stays visible.
pub(super) fn finger(corner: Corner) -> [Path; 2] {
    let cell = corner.cell();
    let outward = |index: usize, at: usize| if index == 0 { at as isize - 24 } else { at as isize + 24 };
    let (x, y) = (left(cell) + KEY / 2, top(cell) + KEY / 2);
    let (far_x, far_y) = (outward(cell.column(), x), outward(cell.row(), y));
    [(PAPER, 21, "0.60"), ("#f3d9c4", 17, "0.90")].map(|(colour, width, opacity)| {
        let path = Path::new().set("d", format!("M{x} {y}L{far_x} {far_y}")).set("stroke", colour);
        path.set("stroke-width", width).set("stroke-opacity", opacity).set("stroke-linecap", "round")
    })
}

fn left(cell: Cell) -> usize {
    RIM + cell.column() * PITCH
}

fn top(cell: Cell) -> usize {
    RIM + cell.row() * PITCH
}

/// The brightest channel of a colour.
pub(super) fn brightness(colour: RGB8) -> u8 {
    colour.r.max(colour.g).max(colour.b)
}

/// A mixture of two colours. The share of `to` is from 0 to 255.
pub(super) fn mix(from: RGB8, to: RGB8, share: u8) -> RGB8 {
    let share = u32::from(share);
    let channel = |a: u8, b: u8| ((u32::from(a) * (255 - share) + u32::from(b) * share) / 255) as u8;
    RGB8::new(channel(from.r, to.r), channel(from.g, to.g), channel(from.b, to.b))
}

/// The colour of a light through the grey of its key.
fn over_unlit(colour: RGB8) -> RGB8 {
    let grey = mix(UNLIT, RGB8::default(), brightness(colour));
    RGB8::new(colour.r.saturating_add(grey.r), colour.g.saturating_add(grey.g), colour.b.saturating_add(grey.b))
}

fn name(colour: RGB8) -> String {
    format!("{:02x}{:02x}{:02x}", colour.r, colour.g, colour.b)
}

/// A colour as SVG writes it.
pub(super) fn hex(colour: RGB8) -> String {
    format!("#{}", name(colour))
}
