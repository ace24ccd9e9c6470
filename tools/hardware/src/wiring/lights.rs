//! The lights in the wiring plan: the buffer and the chain of LEDs.

use super::route;
use super::symbols;
use crate::pico::{Side, pin_number};
use crate::svg::{Anchor, Position, Svg};
use crate::tables::parts;
use crate::{LedOrder, SIDE, Wiring, pin_name};

/// The buffer: its left edge, the vertical position of its input, and its size.
const BUFFER: Position = (950, 674);
const BUFFER_SIZE: Position = (90, 60);
/// The top left corner of the first LED, the distance from LED to LED, and the size of a LED.
const FIRST_LED: Position = (1240, 330);
const LED_PITCH: Position = (66, 64);
const LED: i32 = 34;
/// The frame of the LED panel.
pub(super) const PANEL: Position = (1210, 300);
pub(super) const PANEL_SIZE: Position = (360, 330);
/// The lane of the data wire up to the panel.
const DATA_LANE: i32 = 1190;

pub(super) fn draw(svg: &mut Svg, wiring: &Wiring) {
    buffer(svg, wiring);
    panel(svg, wiring);
}

/// The data line, through the buffer and the resistor to the first LED.
fn buffer(svg: &mut Svg, wiring: &Wiring) {
    let (left, y) = BUFFER;
    let right = left + BUFFER_SIZE.0;
    let (top, bottom) = (y - BUFFER_SIZE.1 / 2, y + BUFFER_SIZE.1 / 2);
    let middle = left + BUFFER_SIZE.0 / 2;
    let number = pin_number(&pin_name(wiring.led_data));
    svg.wire("data", &route::to_pin((left, y), Side::Right, 900, number, 11));
    svg.text("", (left - 8, y - 8), Anchor::End, pin_name(wiring.led_data));
    let joint = (middle, top - 64);
    svg.line("power", &[(middle, top), joint, (middle + 60, joint.1)]);
    symbols::vled(svg, joint);
    symbols::dot(svg, joint);
    symbols::capacitor(svg, (middle + 60, joint.1), "C25");
    svg.text("", (middle + 80, joint.1 + 16), Anchor::Start, parts::label("C25"));
    svg.text("small", (middle + 80, joint.1 + 30), Anchor::Start, "close to the buffer");
    svg.component("U2", |svg| svg.rectangle("part", (left, top), BUFFER_SIZE, 4));
    svg.shape("line", &[(middle - 12, y - 12), (middle - 12, y + 12), (middle + 12, y)]);
    svg.text("small", (left + 4, y - 6), Anchor::Start, "A");
    svg.text("small", (right - 4, y - 6), Anchor::End, "Y");
    svg.text("small", (middle, top + 12), Anchor::Middle, "VCC");
    svg.text("small", (middle, bottom - 5), Anchor::Middle, "GND");
    symbols::ground(svg, (middle, bottom));
    svg.text(
        "head",
        (left - 20, bottom + 42),
        Anchor::Start,
        format_args!("Buffer {}, from 3.3 V to VLED", parts::label("U2")),
    );
    svg.text(
        "small",
        (left - 20, bottom + 58),
        Anchor::Start,
        "Legs of the chip: A 2, GND 3, Y 4, VCC 5; 1 is not connected.",
    );
    svg.text(
        "small",
        (left - 20, bottom + 72),
        Anchor::Start,
        "Pins of its adapter: the same, but VCC is 6; 1 and 5 are open.",
    );

    let first = (FIRST_LED.0, FIRST_LED.1 + LED / 2);
    svg.wire("data", &[(right, y), (right + 18, y)]);
    svg.wire("data", &[(right + 62, y), (DATA_LANE, y), (DATA_LANE, first.1), first]);
    symbols::resistor(svg, (right + 40, y), "R1");
}

/// The LEDs, and the data line from one to the next.
fn panel(svg: &mut Svg, wiring: &Wiring) {
    svg.rectangle("optional", PANEL, PANEL_SIZE, 10);
    let corner = |cell: usize| {
        let (row, column) = ((cell / SIDE) as i32, (cell % SIDE) as i32);
        (FIRST_LED.0 + LED_PITCH.0 * column, FIRST_LED.1 + LED_PITCH.1 * row)
    };
    let chain: Vec<usize> = wiring.chain().collect();
    for pair in chain.windows(2) {
        let (from, to) = (corner(pair[0]), corner(pair[1]));
        let half = LED / 2;
        let points = if from.1 == to.1 {
            let (start, end) = if from.0 < to.0 { (from.0 + LED, to.0) } else { (from.0, to.0 + LED) };
            vec![(start, from.1 + half), (end, to.1 + half)]
        } else if from.0 == to.0 {
            vec![(from.0 + half, from.1 + LED), (to.0 + half, to.1)]
        } else {
            let between = (from.1 + LED + to.1) / 2;
            vec![
                (from.0 + LED, from.1 + half),
                (from.0 + LED + 14, from.1 + half),
                (from.0 + LED + 14, between),
                (to.0 + half, between),
                (to.0 + half, to.1),
            ]
        };
        svg.line("data", &points);
        arrow(svg, points[points.len() - 2], points[points.len() - 1]);
    }
    for (position, &cell) in chain.iter().enumerate() {
        let (x, y) = corner(cell);
        svg.component(&format!("L{cell}"), |svg| svg.rectangle("light", (x, y), (LED, LED), 5));
        svg.text("", (x + LED / 2, y + LED / 2 + 4), Anchor::Middle, cell);
        if position == 0 {
            arrow(svg, (x - 10, y + LED / 2), (x, y + LED / 2));
        }
    }
    let order = match wiring.led_order {
        LedOrder::RowMajor => "row by row, each from the left",
        LedOrder::Serpentine => "row by row, every other from the right",
    };
    let colours: Vec<&str> = wiring.colour_order.name().chars().map(colour).collect();
    let colours = colours.join(", ");
    let (x, bottom) = (PANEL.0 + PANEL_SIZE.0, PANEL.1 + PANEL_SIZE.1);
    svg.line("ground", &[(x - 40, bottom), (x - 40, bottom + 10)]);
    symbols::ground(svg, (x - 40, bottom + 10));
    svg.text("", (x - 58, bottom + 22), Anchor::End, "GND of every LED");
    svg.text("head", (x, bottom + 64), Anchor::End, "25 WS2812 lights L0 to L24, DOUT to DIN");
    svg.text("small", (x, bottom + 80), Anchor::End, format_args!("Chain: {order}. Colours: {colours}."));
    svg.text(
        "small",
        (x, bottom + 94),
        Anchor::End,
        format_args!("The firmware limits the current to {} mA.", wiring.current_cap),
    );
}

/// An arrow tip at `to`, for a horizontal or vertical line that comes from `from`.
fn arrow(svg: &mut Svg, from: Position, to: Position) {
    let (dx, dy) = ((to.0 - from.0).signum() * 7, (to.1 - from.1).signum() * 7);
    let back = (to.0 - dx, to.1 - dy);
    svg.shape("band", &[to, (back.0 + dy / 2, back.1 + dx / 2), (back.0 - dy / 2, back.1 - dx / 2)]);
}

/// The name of the colour with this letter.
fn colour(letter: char) -> &'static str {
    match letter {
        'R' => "red",
        'G' => "green",
        _ => "blue",
    }
}
