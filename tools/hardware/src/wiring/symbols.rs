//! The symbols of the parts.

use crate::svg::{Anchor, Point, Svg};
use crate::tables::parts;

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

/// A resistor lying with its middle on a point, 44 wide, its name above it.
pub fn resistor(svg: &mut Svg, (x, y): Point, name: &str) {
    svg.component(name, |svg| {
        svg.rectangle("part", (x - 22, y - 8), (44, 16), 2);
        svg.text("small", (x, y - 14), Anchor::Middle, parts::label(name));
    });
}

/// A resistor hanging from a point, 56 long with its wires, its name on the side on which the text ends or begins.
pub fn upright_resistor(svg: &mut Svg, class: &str, (x, y): Point, name: &str, anchor: Anchor) {
    svg.line(class, &[(x, y), (x, y + 8)]);
    svg.line(class, &[(x, y + 48), (x, y + 56)]);
    svg.component(name, |svg| {
        svg.rectangle("part", (x - 8, y + 8), (16, 40), 2);
        let aside = if matches!(anchor, Anchor::End) { -14 } else { 14 };
        svg.text("small", (x + aside, y + 32), anchor, parts::label(name));
    });
}

/// A transistor: a box with its middle on a point, 56 by 40, and the letters of its legs.
pub fn transistor(svg: &mut Svg, (x, y): Point, name: &str, letters: &[(&str, Point)]) {
    svg.component(name, |svg| {
        svg.rectangle("part", (x - 28, y - 20), (56, 40), 4);
        for (letter, (right, down)) in letters {
            svg.text("small", (x + right, y + down + 4), Anchor::Middle, letter);
        }
    });
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

/// A diode lying with its middle on a point, 30 wide, its cathode to the left.
pub fn lying_diode(svg: &mut Svg, (x, y): Point, name: &str) {
    svg.component(name, |svg| {
        svg.line("line", &[(x - 15, y), (x + 15, y)]);
        svg.shape("leg", &[(x + 7, y - 8), (x + 7, y + 8), (x - 7, y)]);
        svg.line("line", &[(x - 7, y - 8), (x - 7, y + 8)]);
        svg.text("small", (x, y - 14), Anchor::Middle, parts::label(name));
    });
}

/// An electrolytic capacitor hanging from a point to ground, 40 long, plus above.
pub fn electrolytic(svg: &mut Svg, (x, y): Point, name: &str) {
    svg.component(name, |svg| {
        svg.line("power", &[(x, y), (x, y + 14)]);
        svg.rectangle("part", (x - 16, y + 14), (32, 5), 0);
        svg.rectangle("leg", (x - 16, y + 24), (32, 5), 0);
        svg.line("ground", &[(x, y + 29), (x, y + 40)]);
        svg.text("", (x - 26, y + 14), Anchor::Middle, "+");
    });
    ground(svg, (x, y + 40));
}

/// A small capacitor hanging from a point to ground, 40 long; or several of one kind.
pub fn capacitor(svg: &mut Svg, (x, y): Point, names: &str) {
    svg.component(names, |svg| {
        svg.line("power", &[(x, y), (x, y + 16)]);
        svg.rectangle("leg", (x - 14, y + 16), (28, 3), 0);
        svg.rectangle("leg", (x - 14, y + 23), (28, 3), 0);
        svg.line("ground", &[(x, y + 26), (x, y + 40)]);
    });
    ground(svg, (x, y + 40));
}

/// A small capacitor lying with its middle on a point, 36 wide, its name below it.
pub fn lying_capacitor(svg: &mut Svg, (x, y): Point, name: &str) {
    svg.component(name, |svg| {
        svg.line("supply", &[(x - 18, y), (x - 4, y)]);
        svg.line("power", &[(x + 4, y), (x + 18, y)]);
        svg.rectangle("leg", (x - 5, y - 12), (3, 24), 0);
        svg.rectangle("leg", (x + 2, y - 12), (3, 24), 0);
        svg.text("small", (x, y + 26), Anchor::Middle, parts::label(name));
    });
}
