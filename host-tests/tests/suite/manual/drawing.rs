//! Pictures of frames as SVG: strips of panels with captions, the menu, and the handheld itself.
//!
//! The same frames always give the same bytes: all coordinates are whole numbers, and nothing depends on the fonts of
//! the computer. A picture has a dark background, so that lights look like lights on a bright page and on a dark page.

use lights_out::board::{Cell, Cells, SIDE};
use lights_out::display::Frame;
use lights_out::gesture::Command;
use svg::node::element::{Circle, Group, Path, Rectangle};

use super::shapes::{
    CASE, INK, KEY, PALE_INK, PITCH, Picture, RIM, WHITE, brightness, finger, hex, label, mix, outline, ring, square,
};

const MARGIN: usize = 30;
const GAP: usize = 26;
/// The largest number of panels in a row.
const MAX_IN_ROW: usize = 5;
/// The longest line below a panel, in characters. It fits in the widest of the common fonts.
const CAPTION_LETTERS: usize = 23;
const CAPTION_LINE: usize = 16;
const CAPTION_TOP: usize = CASE + 31;

/// One frame of the game with its caption.
pub(super) struct Panel {
    frame: Frame,
    caption: String,
    pressed: Option<Cell>,
    held: Option<Command>,
    outlined: Cells,
}

impl Panel {
    pub(super) fn new(frame: Frame, caption: impl Into<String>) -> Self {
        Self { frame, caption: caption.into(), pressed: None, held: None, outlined: Cells::EMPTY }
    }

    /// Draws a ring around the pressed key.
    pub(super) fn pressed(self, key: Cell) -> Self {
        Self { pressed: Some(key), ..self }
    }

    /// Draws fingers on the two corners of a command.
    pub(super) fn held(self, command: Command) -> Self {
        Self { held: Some(command), ..self }
    }

    /// Draws a line around a board that is smaller than the grid.
    pub(super) fn outlined(self, cells: Cells) -> Self {
        Self { outlined: cells, ..self }
    }

    fn draw(&self, picture: &mut Picture) -> Group {
        let mut group = picture.case();
        group = outline(self.outlined).into_iter().fold(group, Group::add);
        group = group.add(picture.lights(&self.frame));
        group = self.pressed.map(|key| ring(key, "#ffffff")).into_iter().fold(group, Group::add);
        let corners = self.held.into_iter().flat_map(Command::corners);
        corners.flat_map(finger).fold(group, Group::add)
    }
}

/// Panels in rows, each with its caption.
pub(super) fn strip(title: &str, panels: &[Panel]) -> String {
    let rows = panels.len().div_ceil(MAX_IN_ROW);
    let columns = panels.len().div_ceil(rows);
    let captions: Vec<_> = panels.iter().map(|panel| textwrap::wrap(&panel.caption, CAPTION_LETTERS)).collect();
    let most_lines = captions.iter().map(Vec::len).max().unwrap_or(0);
    let row_height = CAPTION_TOP + most_lines * CAPTION_LINE + GAP;
    let width = 2 * MARGIN + columns * CASE + (columns - 1) * GAP;
    let mut picture = Picture::new(title, width, MARGIN + rows * row_height - GAP + MARGIN / 2);
    for (n, (panel, caption)) in panels.iter().zip(&captions).enumerate() {
        let (x, y) = (MARGIN + n % columns * (CASE + GAP), MARGIN + n / columns * row_height);
        let mut group = panel.draw(&mut picture).set("transform", format!("translate({x} {y})"));
        for (line, text) in caption.iter().enumerate() {
            let text = label(CASE / 2, CAPTION_TOP + line * CAPTION_LINE, 12, INK, text);
            group = group.add(text.set("text-anchor", "middle"));
        }
        picture.add(group);
    }
    picture.finish()
}

/// A row of the menu: its name, and the choices of its keys.
pub(super) type MenuRow = (&'static str, [&'static str; SIDE]);

/// The menu with its rows explained. The brightest light of a row is the selected choice.
pub(super) fn menu(title: &str, frame: &Frame, rows: &[MenuRow; SIDE]) -> String {
    const SCALE: usize = 2;
    const CHOICE_WIDTH: usize = 98;
    const LEFT: usize = MARGIN + SCALE * CASE + MARGIN;
    let mut picture = Picture::new(title, LEFT + SIDE * CHOICE_WIDTH + MARGIN / 2, 2 * MARGIN + SCALE * CASE);
    let lights = picture.lights(frame);
    let case = picture.case().add(lights);
    picture.add(case.set("transform", format!("translate({MARGIN} {MARGIN}) scale({SCALE})")));
    for (row, (name, choices)) in rows.iter().enumerate() {
        let middle = MARGIN + SCALE * (RIM + row * PITCH + KEY / 2);
        let lights = &frame.0[SIDE * row..][..SIDE];
        let selected = lights.iter().map(|&light| brightness(light)).max().unwrap_or(0);
        let colour = lights.iter().copied().find(|&light| brightness(light) == selected).unwrap_or_default();
        picture.add(label(LEFT, middle - 9, 12, &hex(mix(colour, WHITE, 90)), name));
        for (column, choice) in choices.iter().enumerate() {
            let x = LEFT + column * CHOICE_WIDTH;
            picture.add(if brightness(lights[column]) == selected {
                label(x, middle + 10, 14, "#ffffff", choice).set("font-weight", "bold")
            } else {
                label(x, middle + 10, 14, PALE_INK, choice)
            });
        }
    }
    picture.finish()
}

/// A command in the legend, with its effect in two lines.
pub(super) type LegendEntry = (Command, [&'static str; 2]);

/// The handheld itself: the hinted key has a ring, and the six commands are around it.
pub(super) fn hero(
    title: &str,
    frame: &Frame,
    hinted: Cell,
    left: &[LegendEntry; 3],
    right: &[LegendEntry; 3],
) -> String {
    const WIDTH: usize = 900;
    const HEIGHT: usize = 420;
    /// The side of the body: a little more than the case of a panel at twice its size.
    const BODY: usize = 348;
    let (x, y) = ((WIDTH - BODY) / 2, (HEIGHT - BODY) / 2 + 4);
    let mut picture = Picture::new(title, WIDTH, HEIGHT);
    // The USB plug of the Pico at the top.
    let plug = Rectangle::new().set("x", WIDTH / 2 - 22).set("y", y - 10).set("width", 44).set("height", 20);
    picture.add(plug.set("rx", 4).set("fill", "#9aa3b2").set("stroke", "#5b6473"));
    let body = square(x, y, BODY, 34).set("fill", "url(#body)");
    picture.add(body.set("stroke", "#4c5566").set("stroke-width", 2));
    for (screw_x, screw_y) in [(20, 20), (BODY - 20, 20), (20, BODY - 20), (BODY - 20, BODY - 20)] {
        picture.add(screw(x + screw_x, y + screw_y));
    }
    let inset = (BODY - 2 * CASE) / 2;
    let lights = picture.lights(frame);
    let case = picture.case().add(lights).add(ring(hinted, "#bfe0ff"));
    picture.add(case.set("transform", format!("translate({} {}) scale(2)", x + inset, y + inset)));
    for (left_edge, entries) in [(30, left), (WIDTH - 248, right)] {
        for (n, (command, effect)) in entries.iter().enumerate() {
            picture.add(legend(left_edge, 66 + n * 112, *command, effect));
        }
    }
    picture.finish()
}

/// A screw of the body.
fn screw(x: usize, y: usize) -> Group {
    let (left, top, right, bottom) = (x - 3, y - 3, x + 3, y + 3);
    let cross = format!("M{left} {top}L{right} {bottom}M{right} {top}L{left} {bottom}");
    let head = Circle::new().set("cx", x).set("cy", y).set("r", 6).set("fill", "#798292");
    Group::new().set("stroke", "#3a4150").add(head).add(Path::new().set("d", cross).set("stroke-width", 2))
}

/// A small grid with a line between the two corners of a command, its name and its effect.
fn legend(x: usize, y: usize, command: Command, effect: &[&str]) -> Group {
    const STEP: usize = 10;
    const DOT: usize = 7;
    let middle = |cell: Cell| (x + STEP * cell.column() + DOT / 2 + 1, y + STEP * cell.row() + DOT / 2 + 1);
    let dot = |cell: Cell| square(x + STEP * cell.column(), y + STEP * cell.row(), DOT, 2).set("fill", "#333945");
    let mut group = Cell::all().map(dot).fold(Group::new(), Group::add);
    let corners = command.corners().map(|corner| middle(corner.cell()));
    let [(ax, ay), (bx, by)] = corners;
    let line = Path::new().set("d", format!("M{ax} {ay}L{bx} {by}"));
    group = group.add(line.set("stroke", "#f3d9c4").set("stroke-width", 2).set("stroke-opacity", "0.60"));
    for (x, y) in corners {
        group = group.add(Circle::new().set("cx", x).set("cy", y).set("r", 6).set("fill", "#f3d9c4"));
    }
    let text_x = x + SIDE * STEP + 14;
    group = group.add(label(text_x, y + 11, 16, "#ffffff", command.name()).set("font-weight", "bold"));
    let lines = effect.iter().enumerate();
    lines.map(|(line, text)| label(text_x, y + 30 + 16 * line, 12, PALE_INK, text)).fold(group, Group::add)
}
