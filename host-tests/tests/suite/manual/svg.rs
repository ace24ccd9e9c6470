//! Pictures of the lights for people: frames as SVG. The same frames always give the same bytes: everything is counted in
//! whole units, and nothing depends on the fonts of the machine that draws.
//!
//! A picture is a dark card, so that lights look like lights on a bright page and on a dark one.

use std::collections::BTreeSet;
use std::fmt::{Arguments, Write};

use lights_out::board::{CELLS, Cell, Cells, SIDE};
use lights_out::gesture::{Command, Corner};
use lights_out::picture::Frame;
use smart_leds::RGB8;

/// From one key to the next.
const PITCH: usize = 26;
const KEY: usize = 20;
/// Between the keys and the edge of the case.
const RIM: usize = 12;
/// The case is a square.
const CASE: usize = 2 * RIM + (SIDE - 1) * PITCH + KEY;
/// How far the shine of a light reaches.
const GLOW: usize = 25;

const MARGIN: usize = 30;
const GAP: usize = 26;
/// As many panels stand in a row before a second one is begun.
const MAX_IN_ROW: usize = 5;
/// What fits below a panel in the widest of the common fonts.
const CAPTION_LETTERS: usize = 23;
const CAPTION_LINE: usize = 16;
const CAPTION_TOP: usize = CASE + 31;

const FONT: &str = "system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif";
const PAPER: &str = "#12151c";
const INK: &str = "#d9dee8";
const PALE_INK: &str = "#8f98a8";
const UNLIT: RGB8 = RGB8::new(0x2e, 0x33, 0x3e);
const WHITE: RGB8 = RGB8::new(255, 255, 255);

/// One moment of the game, and what to say about it.
pub struct Panel {
    frame: Frame,
    caption: String,
    pressed: Option<Cell>,
    held: Option<Command>,
    outlined: Cells,
}

impl Panel {
    pub fn new(frame: Frame, caption: impl Into<String>) -> Self {
        Self { frame, caption: caption.into(), pressed: None, held: None, outlined: Cells::EMPTY }
    }

    /// A ring around the key that was pressed.
    pub fn pressed(self, key: Cell) -> Self {
        Self { pressed: Some(key), ..self }
    }

    /// Fingers on the two corners of a command.
    pub fn held(self, command: Command) -> Self {
        Self { held: Some(command), ..self }
    }

    /// A line around a board that is smaller than the grid.
    pub fn outlined(self, cells: Cells) -> Self {
        Self { outlined: cells, ..self }
    }
}

/// Panels side by side, each with its caption.
pub fn strip(title: &str, panels: &[Panel]) -> String {
    let rows = panels.len().div_ceil(MAX_IN_ROW);
    let columns = panels.len().div_ceil(rows);
    let captions: Vec<Vec<String>> = panels.iter().map(|panel| wrapped(&panel.caption)).collect();
    let most_lines = captions.iter().map(Vec::len).max().unwrap_or(0);
    let row_height = CAPTION_TOP + most_lines * CAPTION_LINE + GAP;
    let width = 2 * MARGIN + columns * CASE + (columns - 1) * GAP;
    let mut drawing = Drawing::new(title, width, MARGIN + rows * row_height - GAP + MARGIN / 2);
    for (n, (panel, caption)) in panels.iter().zip(&captions).enumerate() {
        let (x, y) = (MARGIN + n % columns * (CASE + GAP), MARGIN + n / columns * row_height);
        drawing.begin(format_args!("translate({x} {y})"));
        drawing.case();
        drawing.panel(panel);
        for (line, text) in caption.iter().enumerate() {
            let y = CAPTION_TOP + line * CAPTION_LINE;
            drawing.text(CASE / 2, y, "middle", &format!("font-size=\"12\" fill=\"{INK}\""), text);
        }
        drawing.end();
    }
    drawing.finish()
}

/// A row of the menu: its name, and what its keys choose.
pub type MenuRow = (&'static str, [&'static str; SIDE]);

/// The menu with its rows explained. What is chosen is read off the lights.
pub fn menu(title: &str, frame: &Frame, rows: &[MenuRow; SIDE]) -> String {
    const SCALE: usize = 2;
    const CHOICE: usize = 98;
    const NOTES: usize = MARGIN + SCALE * CASE + MARGIN;
    let mut drawing = Drawing::new(title, NOTES + SIDE * CHOICE + MARGIN / 2, 2 * MARGIN + SCALE * CASE);
    drawing.begin(format_args!("translate({MARGIN} {MARGIN}) scale({SCALE})"));
    drawing.case();
    drawing.lights(frame);
    drawing.end();
    for (row, (name, choices)) in rows.iter().enumerate() {
        let middle = MARGIN + SCALE * (RIM + row * PITCH + KEY / 2);
        let lights = &frame.0[SIDE * row..][..SIDE];
        let chosen = lights.iter().map(|&light| brightness(light)).max().unwrap_or(0);
        let colour = lights.iter().copied().find(|&light| brightness(light) == chosen).unwrap_or_default();
        let style = format!("font-size=\"12\" fill=\"{}\"", hex(mix(colour, WHITE, 90)));
        drawing.text(NOTES, middle - 9, "start", &style, name);
        for (column, choice) in choices.iter().enumerate() {
            let style = if brightness(lights[column]) == chosen {
                "font-size=\"14\" font-weight=\"bold\" fill=\"#ffffff\"".to_owned()
            } else {
                format!("font-size=\"14\" fill=\"{PALE_INK}\"")
            };
            drawing.text(NOTES + column * CHOICE, middle + 10, "start", &style, choice);
        }
    }
    drawing.finish()
}

/// A command for the legend, and what it does in two lines.
pub type LegendEntry = (Command, [&'static str; 2]);

/// The handheld itself, with the key that is pointed out ringed, and the six commands around it.
pub fn hero(title: &str, frame: &Frame, pointed: Cell, left: &[LegendEntry; 3], right: &[LegendEntry; 3]) -> String {
    const WIDTH: usize = 900;
    const HEIGHT: usize = 420;
    /// The body of the handheld: a little more than the case of the panels at twice its size.
    const BODY: usize = 348;
    let (x, y) = ((WIDTH - BODY) / 2, (HEIGHT - BODY) / 2 + 4);
    let mut drawing = Drawing::new(title, WIDTH, HEIGHT);
    // The plug of the Pico looks out at the top.
    let plug = WIDTH / 2 - 22;
    drawing.line(format_args!(
        r##"<rect x="{plug}" y="{}" width="44" height="20" rx="4" fill="#9aa3b2" stroke="#5b6473"/>"##,
        y - 10
    ));
    drawing.line(format_args!(
        r##"<rect x="{x}" y="{y}" width="{BODY}" height="{BODY}" rx="34" fill="url(#body)" stroke="#4c5566" stroke-width="2"/>"##
    ));
    for (screw_x, screw_y) in [(20, 20), (BODY - 20, 20), (20, BODY - 20), (BODY - 20, BODY - 20)] {
        let (x, y) = (x + screw_x, y + screw_y);
        drawing.line(format_args!(r##"<circle cx="{x}" cy="{y}" r="6" fill="#798292" stroke="#3a4150"/>"##));
        let (left, top, right, bottom) = (x - 3, y - 3, x + 3, y + 3);
        drawing.line(format_args!(
            r##"<path d="M{left} {top}L{right} {bottom}M{right} {top}L{left} {bottom}" stroke="#3a4150" stroke-width="2"/>"##
        ));
    }
    let inset = (BODY - 2 * CASE) / 2;
    drawing.begin(format_args!("translate({} {}) scale(2)", x + inset, y + inset));
    drawing.case();
    drawing.lights(frame);
    drawing.ring(pointed, 3, "#bfe0ff");
    drawing.end();
    for (left_edge, entries) in [(30, left), (WIDTH - 248, right)] {
        for (n, (command, what)) in entries.iter().enumerate() {
            drawing.legend(left_edge, 66 + n * 112, *command, what);
        }
    }
    drawing.finish()
}

/// A picture that grows.
struct Drawing {
    head: String,
    body: String,
    /// Each colour is described once, at the end.
    colours: BTreeSet<[u8; 3]>,
}

impl Drawing {
    fn new(title: &str, width: usize, height: usize) -> Self {
        let mut head = String::new();
        write_line(
            &mut head,
            format_args!(
                r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img" font-family="{FONT}">"#
            ),
        );
        write_line(&mut head, format_args!("<title>{}</title>", escaped(title)));
        let mut drawing = Self { head, body: String::new(), colours: BTreeSet::new() };
        drawing.line(format_args!(r#"<rect width="{width}" height="{height}" rx="18" fill="{PAPER}"/>"#));
        drawing
    }

    fn line(&mut self, text: Arguments<'_>) {
        write_line(&mut self.body, text);
    }

    fn begin(&mut self, transform: Arguments<'_>) {
        self.line(format_args!(r#"<g transform="{transform}">"#));
    }

    fn end(&mut self) {
        self.line(format_args!("</g>"));
    }

    fn text(&mut self, x: usize, y: usize, anchor: &str, style: &str, text: &str) {
        let text = escaped(text);
        self.line(format_args!(r#"<text x="{x}" y="{y}" text-anchor="{anchor}" {style}>{text}</text>"#));
    }

    /// The case with all lights off.
    fn case(&mut self) {
        self.line(format_args!(
            r##"<rect width="{CASE}" height="{CASE}" rx="18" fill="url(#case)" stroke="#3d4451" stroke-width="1"/>"##
        ));
        self.line(format_args!(r##"<use href="#keys"/>"##));
    }

    fn panel(&mut self, panel: &Panel) {
        self.outline(panel.outlined);
        self.lights(&panel.frame);
        if let Some(key) = panel.pressed {
            self.ring(key, 3, "#ffffff");
        }
        if let Some(command) = panel.held {
            command.corners().into_iter().for_each(|corner| self.finger(corner));
        }
    }

    fn lights(&mut self, frame: &Frame) {
        let lit: Vec<(Cell, RGB8)> =
            Cell::all().zip(frame.0).filter(|&(_, colour)| colour != RGB8::default()).collect();
        for &(cell, colour) in &lit {
            self.colours.insert([colour.r, colour.g, colour.b]);
            let (x, y, name) = (left(cell) + KEY / 2, top(cell) + KEY / 2, name(colour));
            self.line(format_args!(r##"<circle cx="{x}" cy="{y}" r="{GLOW}" fill="url(#glow{name})"/>"##));
        }
        // The light itself lies over the shine of its neighbours.
        for &(cell, colour) in &lit {
            let (x, y, name) = (left(cell), top(cell), name(colour));
            self.line(format_args!(
                r##"<rect x="{x}" y="{y}" width="{KEY}" height="{KEY}" rx="6" fill="url(#light{name})"/>"##
            ));
        }
    }

    fn ring(&mut self, key: Cell, away: usize, colour: &str) {
        let (x, y, side, round) = (left(key) - away, top(key) - away, KEY + 2 * away, 6 + away);
        self.line(format_args!(
            r#"<rect x="{x}" y="{y}" width="{side}" height="{side}" rx="{round}" fill="none" stroke="{colour}" stroke-width="2"/>"#
        ));
    }

    fn outline(&mut self, cells: Cells) {
        let corners = cells.iter().next().zip(cells.iter().last());
        if let Some((first, last)) = corners {
            let (x, y, side) = (left(first) - 4, top(first) - 4, left(last) - left(first) + KEY + 8);
            self.line(format_args!(
                r##"<rect x="{x}" y="{y}" width="{side}" height="{side}" rx="9" fill="none" stroke="#8f98a8" stroke-dasharray="3 3"/>"##
            ));
        }
    }

    /// A finger on a corner, coming from outside; the light under its tip can still be seen.
    fn finger(&mut self, corner: Corner) {
        let cell = corner.cell();
        let outward = |place: usize, at: usize| if place == 0 { at as isize - 24 } else { at as isize + 24 };
        let (x, y) = (left(cell) + KEY / 2, top(cell) + KEY / 2);
        let (far_x, far_y) = (outward(cell.column(), x), outward(cell.row(), y));
        for (colour, width, opacity) in [("#12151c", 21, "0.60"), ("#f3d9c4", 17, "0.90")] {
            self.line(format_args!(
                r#"<path d="M{x} {y}L{far_x} {far_y}" stroke="{colour}" stroke-width="{width}" stroke-opacity="{opacity}" stroke-linecap="round"/>"#
            ));
        }
    }

    /// A small grid with the two corners of a command joined, its name, and what it does.
    fn legend(&mut self, x: usize, y: usize, command: Command, what: &[&str]) {
        const STEP: usize = 10;
        const DOT: usize = 7;
        let middle = |cell: Cell| (x + STEP * cell.column() + DOT / 2 + 1, y + STEP * cell.row() + DOT / 2 + 1);
        for cell in Cell::all() {
            let (x, y) = (x + STEP * cell.column(), y + STEP * cell.row());
            self.line(format_args!(r##"<rect x="{x}" y="{y}" width="{DOT}" height="{DOT}" rx="2" fill="#333945"/>"##));
        }
        let [(ax, ay), (bx, by)] = command.corners().map(|corner| middle(corner.cell()));
        self.line(format_args!(
            r##"<path d="M{ax} {ay}L{bx} {by}" stroke="#f3d9c4" stroke-width="2" stroke-opacity="0.60"/>"##
        ));
        for (x, y) in [(ax, ay), (bx, by)] {
            self.line(format_args!(r##"<circle cx="{x}" cy="{y}" r="6" fill="#f3d9c4"/>"##));
        }
        let words = x + SIDE * STEP + 14;
        self.text(words, y + 11, "start", "font-size=\"16\" font-weight=\"bold\" fill=\"#ffffff\"", command.name());
        for (line, text) in what.iter().enumerate() {
            let style = format!("font-size=\"12\" fill=\"{PALE_INK}\"");
            self.text(words, y + 30 + 16 * line, "start", &style, text);
        }
    }

    fn finish(self) -> String {
        let mut svg = self.head;
        let mut line = |text: Arguments<'_>| write_line(&mut svg, text);
        line(format_args!("<defs>"));
        for (id, light, dark) in [("case", "#232833", "#181b23"), ("body", "#3a4252", "#20252f")] {
            line(format_args!(
                r##"<linearGradient id="{id}" x2="0" y2="1"><stop stop-color="{light}"/><stop offset="1" stop-color="{dark}"/></linearGradient>"##
            ));
        }
        for [r, g, b] in self.colours {
            let colour = RGB8::new(r, g, b);
            let (name, bright) = (name(colour), brightness(colour));
            let shine = 65 * u32::from(bright) / 255;
            line(format_args!(
                r##"<radialGradient id="glow{name}"><stop stop-color="#{name}" stop-opacity="0.{shine:02}"/><stop offset="1" stop-color="#{name}" stop-opacity="0"/></radialGradient>"##
            ));
            // A bright light is paler in the middle, and a dim one lets the key's own grey be seen.
            let (middle, edge) = (mix(colour, WHITE, bright / 2), over_unlit(colour));
            let middle = hex(if bright > 128 { middle } else { edge });
            line(format_args!(
                r##"<radialGradient id="light{name}" r="0.70"><stop stop-color="{middle}"/><stop offset="1" stop-color="{}"/></radialGradient>"##,
                hex(edge)
            ));
        }
        line(format_args!(r##"<g id="keys" fill="{}" stroke="#0d0f14">"##, hex(UNLIT)));
        for cell in (0..CELLS).filter_map(Cell::new) {
            let (x, y) = (left(cell), top(cell));
            line(format_args!(r#"<rect x="{x}" y="{y}" width="{KEY}" height="{KEY}" rx="6"/>"#));
        }
        line(format_args!("</g>"));
        line(format_args!("</defs>"));
        svg + &self.body + "</svg>\n"
    }
}

fn write_line(text: &mut String, line: Arguments<'_>) {
    writeln!(text, "{line}").expect("a string takes everything");
}

fn left(cell: Cell) -> usize {
    RIM + cell.column() * PITCH
}

fn top(cell: Cell) -> usize {
    RIM + cell.row() * PITCH
}

fn brightness(colour: RGB8) -> u8 {
    colour.r.max(colour.g).max(colour.b)
}

/// From `from` (0) to `to` (255).
fn mix(from: RGB8, to: RGB8, share: u8) -> RGB8 {
    let share = u32::from(share);
    let channel = |a: u8, b: u8| ((u32::from(a) * (255 - share) + u32::from(b) * share) / 255) as u8;
    RGB8::new(channel(from.r, to.r), channel(from.g, to.g), channel(from.b, to.b))
}

/// A light shining through the grey of its key.
fn over_unlit(colour: RGB8) -> RGB8 {
    let grey = mix(UNLIT, RGB8::default(), brightness(colour));
    RGB8::new(colour.r.saturating_add(grey.r), colour.g.saturating_add(grey.g), colour.b.saturating_add(grey.b))
}

fn name(colour: RGB8) -> String {
    format!("{:02x}{:02x}{:02x}", colour.r, colour.g, colour.b)
}

fn hex(colour: RGB8) -> String {
    format!("#{}", name(colour))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// A caption in lines that fit below a panel.
fn wrapped(caption: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in caption.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= CAPTION_LETTERS => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}
