//! The symbols of the parts.

use crate::svg::{Anchor, Point, Svg};

/// Two wires touch.
pub fn joint(svg: &mut Svg, at: Point) {
    svg.circle("leg", at, 4);
}

/// Ground, hanging from a point.
pub fn ground(svg: &mut Svg, (x, y): Point) {
    svg.line("ground", &[(x, y), (x, y + 6)]);
    for (half, down) in [(11, 6), (7, 11), (3, 16)] {
        svg.line("ground", &[(x - half, y + down), (x + half, y + down)]);
    }
}

/// The switched 5 V, standing on a point.
pub fn five_volts(svg: &mut Svg, (x, y): Point) {
    svg.line("power", &[(x, y), (x, y - 12)]);
    svg.line("power", &[(x - 10, y - 12), (x + 10, y - 12)]);
    svg.text("small", (x, y - 18), Anchor::Middle, "5 V LED");
}

/// A resistor lying with its middle on a point, 44 wide.
pub fn resistor(svg: &mut Svg, (x, y): Point, value: &str) {
    svg.rectangle("part", (x - 22, y - 8), (44, 16), 2);
    svg.text("small", (x, y - 14), Anchor::Middle, value);
}

/// A key between two points of one height, open.
pub fn key(svg: &mut Svg, from: Point, to: Point) {
    let y = from.1;
    svg.line("line", &[from, (from.0 + 4, y)]);
    svg.line("line", &[(from.0 + 6, y - 3), (to.0 - 4, y - 12)]);
    svg.line("line", &[(to.0 - 4, y), to]);
    svg.circle("part", (from.0 + 5, y), 3);
    svg.circle("part", (to.0 - 5, y), 3);
}

/// A diode hanging from a point, 40 long, its cathode below.
pub fn diode(svg: &mut Svg, (x, y): Point) {
    svg.line("line", &[(x, y), (x, y + 12)]);
    svg.shape("leg", &[(x - 8, y + 12), (x + 8, y + 12), (x, y + 26)]);
    svg.line("line", &[(x - 8, y + 27), (x + 8, y + 27)]);
    svg.line("line", &[(x, y + 27), (x, y + 40)]);
}

/// An electrolytic capacitor hanging from a point, 40 long, plus above.
pub fn capacitor(svg: &mut Svg, (x, y): Point) {
    svg.line("power", &[(x, y), (x, y + 14)]);
    svg.rectangle("part", (x - 16, y + 14), (32, 5), 0);
    svg.rectangle("leg", (x - 16, y + 24), (32, 5), 0);
    svg.line("ground", &[(x, y + 29), (x, y + 40)]);
    svg.text("", (x - 26, y + 14), Anchor::Middle, "+");
    ground(svg, (x, y + 40));
}
