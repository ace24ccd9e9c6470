//! Just enough SVG: shapes with a class each, one to a line, on a white sheet, in whole pixels.
//!
//! How a class looks stands in one style sheet, so that the drawings look alike. A wire has a white edge: where two cross
//! without touching, the upper one visibly passes over the other; where they touch, there is a dot.
//!
//! By hand: the drawings are part of the tree and compared byte for byte, so how a line is written is ours to say.

use std::fmt::{Display, Write};

use crate::tables::parts;

/// A place on the sheet: to the right, and down.
pub type Point = (i32, i32);

const STYLE: &str = "\
text{font-family:'DejaVu Sans',Verdana,Arial,sans-serif;font-size:12px;fill:#222}\
.title{font-size:22px;font-weight:bold}.head{font-size:14px;font-weight:bold}.small{font-size:10px}\
.on-board{fill:#fff}.pin{fill:#c81e1e;font-weight:bold}.tag{paint-order:stroke;stroke:#f3ead2;stroke-width:3px;stroke-linejoin:round}.faint{fill:#b9d8c4}.used{fill:#ffe28a;font-weight:bold}\
.edge,.row,.column,.data,.supply,.power,.ground,.sound,.line{fill:none;stroke-linejoin:round;stroke-linecap:round}\
.edge{stroke:#fff;stroke-width:6}\
.line{stroke:#222;stroke-width:1.5}.row{stroke:#1f5fbf;stroke-width:2}.column{stroke:#c2570c;stroke-width:2}\
.data{stroke:#7a2fb0;stroke-width:2}.supply{stroke:#8a6d00;stroke-width:2}.power{stroke:#c81e1e;stroke-width:3}\
.ground{stroke:#222;stroke-width:2}.sound{stroke:#00796b;stroke-width:2}\
.insulated{stroke-dasharray:5 3;stroke-width:1.5}\
.part{fill:#f6f4ee;stroke:#222;stroke-width:1.5}.optional{fill:none;stroke:#777;stroke-dasharray:6 4}\
.board{fill:#1d7a48;stroke:#0e4a2a;stroke-width:2}.metal{fill:#c9ccd1;stroke:#666}.chip{fill:#2b2b2b}\
.pad{fill:#e2c45c;stroke:#8a6d00}.pad-used{fill:#fff;stroke:#c81e1e;stroke-width:2}\
.perfboard{fill:#f3ead2;stroke:#a08d5a;stroke-width:2}.hole{fill:#fff;stroke:#cdbf95}.leg{fill:#444}\
.key{fill:#dde3ea;stroke:#333;stroke-width:1.5}.cap{fill:#444b55}\
.light{fill:#fff6cf;stroke:#8a6d00;stroke-width:1.5}.glass{fill:#e8a25a;stroke:#222}.band{fill:#222}\
.bead{fill:#7fb2e5;stroke:#1d4e80}.on-back{fill:#7fb2e5;stroke:#1d4e80;stroke-width:1.5;stroke-dasharray:2 2}\
.see-through{fill-opacity:.75}.socket{fill:none;stroke:#222;stroke-width:1.5}";

/// Where a text stands relative to its point.
#[derive(Clone, Copy, Debug)]
pub enum Anchor {
    /// It begins there.
    Start,
    /// It is centred there.
    Middle,
    /// It ends there.
    End,
}

/// A drawing in the making.
#[derive(Debug)]
pub struct Svg {
    text: String,
}

impl Svg {
    /// A white sheet. The title and the description are for who cannot see it.
    pub fn new(width: i32, height: i32, title: &str, description: &str) -> Self {
        let mut svg = Self { text: String::new() };
        svg.add(format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
             role=\"img\">"
        ));
        svg.add("<!-- Made by `cargo wiring` from src/wiring.rs. Change that, not this. -->");
        svg.add(format_args!("<title>{}</title>", escaped(title)));
        svg.add(format_args!("<desc>{}</desc>", escaped(description)));
        svg.add(format_args!("<style>{STYLE}</style>"));
        svg.add(format_args!("<rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>"));
        svg
    }

    /// A piece without a sheet, to be added to one.
    pub fn piece() -> Self {
        Self { text: String::new() }
    }

    /// Adds what a piece shows. Its parts were drawn before: here they are no parts, only their picture.
    pub fn add_piece(&mut self, piece: &Self) {
        for line in piece.text.lines() {
            self.add(if line.starts_with("<g data-part") { "<g>" } else { line });
        }
    }

    fn add(&mut self, line: impl Display) {
        // Writing to a string does not fail.
        let _ = writeln!(self.text, "{line}");
    }

    /// Begins a group with a name, for who reads the file.
    pub fn group(&mut self, name: &str, draw: impl FnOnce(&mut Self)) {
        self.add(format_args!("<g id=\"{}\">", escaped(name)));
        draw(self);
        self.add("</g>");
    }

    /// A part, or several of one kind, under the names that they have in the parts list: `R1`, `C0 to C24`.
    pub fn component(&mut self, names: &str, draw: impl FnOnce(&mut Self)) {
        let names = parts::names(names);
        let value = names.first().map_or("", |name| parts::value(name));
        self.add(format_args!("<g data-part=\"{}\" data-value=\"{}\">", names.join(" "), escaped(value)));
        draw(self);
        self.add("</g>");
    }

    /// Straight lines from point to point.
    pub fn line(&mut self, class: &str, points: &[Point]) {
        self.add(format_args!("<path class=\"{class}\" d=\"{}\"/>", path(points)));
    }

    /// A line that passes over what it crosses.
    pub fn wire(&mut self, class: &str, points: &[Point]) {
        self.line("edge", points);
        self.line(class, points);
    }

    /// A filled outline.
    pub fn shape(&mut self, class: &str, points: &[Point]) {
        self.add(format_args!("<path class=\"{class}\" d=\"{} Z\"/>", path(points)));
    }

    /// A rectangle by its top left corner, with corners rounded by `round`.
    pub fn rectangle(&mut self, class: &str, (x, y): Point, (width, height): Point, round: i32) {
        self.add(format_args!(
            "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"{round}\"/>"
        ));
    }

    /// A circle by its centre.
    pub fn circle(&mut self, class: &str, (x, y): Point, radius: i32) {
        self.add(format_args!("<circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"/>"));
    }

    /// A grid of holes by its first one.
    pub fn holes(&mut self, (x, y): Point, pitch: i32, (across, down): Point) {
        let half = pitch / 2;
        self.add(format_args!(
            "<pattern id=\"holes\" patternUnits=\"userSpaceOnUse\" x=\"{}\" y=\"{}\" width=\"{pitch}\" height=\"{pitch}\">\
             <circle class=\"hole\" cx=\"{half}\" cy=\"{half}\" r=\"2\"/></pattern>",
            x - half,
            y - half,
        ));
        self.add(format_args!(
            "<rect fill=\"url(#holes)\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>",
            x - half,
            y - half,
            pitch * across,
            pitch * down,
        ));
    }

    /// A line of text by its baseline.
    pub fn text(&mut self, class: &str, (x, y): Point, anchor: Anchor, text: impl Display) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let text = escaped(&text.to_string());
        self.add(format_args!("<text class=\"{class}\" x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\">{text}</text>"));
    }

    /// A line of text that reads upwards.
    pub fn upright_text(&mut self, class: &str, (x, y): Point, text: impl Display) {
        let text = escaped(&text.to_string());
        self.add(format_args!("<text class=\"{class}\" transform=\"translate({x} {y}) rotate(-90)\">{text}</text>"));
    }

    /// The file.
    pub fn finish(mut self) -> String {
        self.add("</svg>");
        self.text
    }
}

/// Points on the way of a straight line are left out, and those that repeat.
fn path(points: &[Point]) -> String {
    let mut corners: Vec<Point> = Vec::new();
    for &point in points {
        if corners.last() == Some(&point) {
            continue;
        }
        if let [.., (ax, ay), (bx, by)] = corners[..]
            && (bx - ax) * (point.1 - by) == (by - ay) * (point.0 - bx)
        {
            corners.pop();
        }
        corners.push(point);
    }
    let mut text = String::new();
    for (index, (x, y)) in corners.into_iter().enumerate() {
        let _ = write!(text, "{}{x} {y}", if index == 0 { "M" } else { " L" });
    }
    text
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_keeps_its_corners_only() {
        assert_eq!(path(&[(0, 0), (5, 0), (5, 0), (9, 0), (9, 4)]), "M0 0 L9 0 L9 4");
    }

    #[test]
    fn text_is_escaped() {
        assert_eq!(escaped("a<b & \"c\">"), "a&lt;b &amp; &quot;c&quot;&gt;");
    }
}
