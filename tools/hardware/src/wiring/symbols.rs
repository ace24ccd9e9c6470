//! The symbols of the parts in the wiring plan.

use crate::svg::{Anchor, Position, Svg};
use crate::tables::parts;

/// A dot: two wires are connected.
pub(super) fn dot(svg: &mut Svg, at: Position) {
    svg.circle("leg", at, 4);
}

/// Ground, below a position.
pub(super) fn ground(svg: &mut Svg, (x, y): Position) {
    svg.line("ground", &[(x, y), (x, y + 6)]);
    for (half, down) in [(11, 6), (7, 11), (3, 16)] {
        svg.line("ground", &[(x - half, y + down), (x + half, y + down)]);
    }
}

/// The supply of the lights, above a position.
pub(super) fn vled(svg: &mut Svg, (x, y): Position) {
    svg.line("power", &[(x, y), (x, y - 12)]);
    svg.line("power", &[(x - 10, y - 12), (x + 10, y - 12)]);
    svg.text("small", (x, y - 18), Anchor::Middle, "VLED");
}

/// A horizontal resistor, by its centre, 44 wide, with its name above.
pub(super) fn resistor(svg: &mut Svg, (x, y): Position, name: &str) {
    svg.component(name, |svg| {
        svg.rectangle("part", (x - 22, y - 8), (44, 16), 2);
        svg.text("small", (x, y - 14), Anchor::Middle, parts::label(name));
    });
}

/// A vertical resistor below a position, 56 long with its wires. Its name is on the left for `Anchor::End`, otherwise
/// on the right.
pub(super) fn vertical_resistor(svg: &mut Svg, class: &str, (x, y): Position, name: &str, anchor: Anchor) {
    svg.line(class, &[(x, y), (x, y + 8)]);
    svg.line(class, &[(x, y + 48), (x, y + 56)]);
    svg.component(name, |svg| {
        svg.rectangle("part", (x - 8, y + 8), (16, 40), 2);
        let aside = if matches!(anchor, Anchor::End) { -14 } else { 14 };
        svg.text("small", (x + aside, y + 32), anchor, parts::label(name));
    });
}

/// A transistor: a box by its centre, 56 by 40, with the letters of its legs.
pub(super) fn transistor(svg: &mut Svg, (x, y): Position, name: &str, letters: &[(&str, Position)]) {
    svg.component(name, |svg| {
        svg.rectangle("part", (x - 28, y - 20), (56, 40), 4);
        for (letter, (right, down)) in letters {
            svg.text("small", (x + right, y + down + 4), Anchor::Middle, letter);
        }
    });
}

/// An open key between two positions of the same height.
pub(super) fn key(svg: &mut Svg, from: Position, to: Position) {
    let y = from.1;
    svg.line("line", &[from, (from.0 + 4, y)]);
    svg.line("line", &[(from.0 + 6, y - 3), (to.0 - 4, y - 12)]);
    svg.line("line", &[(to.0 - 4, y), to]);
    svg.circle("part", (from.0 + 5, y), 3);
    svg.circle("part", (to.0 - 5, y), 3);
}

/// A vertical diode below a position, 40 long, with its cathode at the bottom.
pub(super) fn diode(svg: &mut Svg, (x, y): Position) {
    svg.line("line", &[(x, y), (x, y + 12)]);
    svg.shape("leg", &[(x - 8, y + 12), (x + 8, y + 12), (x, y + 26)]);
    svg.line("line", &[(x - 8, y + 27), (x + 8, y + 27)]);
    svg.line("line", &[(x, y + 27), (x, y + 40)]);
}

/// A horizontal fuse, by its centre, 44 wide, with its name above.
pub(super) fn fuse(svg: &mut Svg, (x, y): Position, name: &str) {
    svg.component(name, |svg| {
        svg.rectangle("part", (x - 22, y - 8), (44, 16), 2);
        svg.line("line", &[(x - 22, y), (x + 22, y)]);
        svg.text("small", (x, y - 14), Anchor::Middle, parts::label(name));
    });
}

/// An electrolytic capacitor from a position down to ground, 40 long, with plus at the top.
pub(super) fn electrolytic(svg: &mut Svg, (x, y): Position, name: &str) {
    svg.component(name, |svg| {
        svg.line("power", &[(x, y), (x, y + 14)]);
        svg.rectangle("part", (x - 16, y + 14), (32, 5), 0);
        svg.rectangle("leg", (x - 16, y + 24), (32, 5), 0);
        svg.line("ground", &[(x, y + 29), (x, y + 40)]);
        svg.text("", (x - 26, y + 14), Anchor::Middle, "+");
    });
    ground(svg, (x, y + 40));
}

/// A small capacitor from a position down to ground, 40 long. It may stand for several of one kind.
pub(super) fn capacitor(svg: &mut Svg, (x, y): Position, names: &str) {
    svg.component(names, |svg| {
        svg.line("power", &[(x, y), (x, y + 16)]);
        svg.rectangle("leg", (x - 14, y + 16), (28, 3), 0);
        svg.rectangle("leg", (x - 14, y + 23), (28, 3), 0);
        svg.line("ground", &[(x, y + 26), (x, y + 40)]);
    });
    ground(svg, (x, y + 40));
}

/// A horizontal small capacitor, by its centre, 36 wide, with its name below.
pub(super) fn horizontal_capacitor(svg: &mut Svg, (x, y): Position, name: &str) {
    svg.component(name, |svg| {
        svg.line("supply", &[(x - 18, y), (x - 4, y)]);
        svg.line("power", &[(x + 4, y), (x + 18, y)]);
        svg.rectangle("leg", (x - 5, y - 12), (3, 24), 0);
        svg.rectangle("leg", (x + 2, y - 12), (3, 24), 0);
        svg.text("small", (x, y + 26), Anchor::Middle, parts::label(name));
    });
}
