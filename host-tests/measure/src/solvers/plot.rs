//! The plot of the comparison: boards per second over the size of the board, one line for each solver.
//!
//! The scale of the rates is logarithmic, because they differ by a factor of millions. Lines differ in dash and mark as
//! well as in colour. The plot has its own background, so that it can be read on any page.

use svg::Document;
use svg::node::Node;
use svg::node::element::{Circle, Group, Path, Polygon, Polyline, Rectangle, Text, Title};

use super::{Method, Row};

const PAPER: &str = "#fffdf8";
const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 440.0;
/// The margins around the plot: left, right, top, bottom.
const MARGIN: [f64; 4] = [84.0, 150.0, 44.0, 52.0];
/// The largest size of a board.
const MAX_SIZE: f64 = 100.0;
/// The range of the rates as powers of ten: from one board in ten seconds to ten million in a second.
const DECADES: [i32; 2] = [-1, 7];

/// With at least this many quiet patterns, the comparison of all solutions takes most of the time.
const LABELLED_NULLITY: usize = 12;

fn x(size: f64) -> f64 {
    MARGIN[0] + (WIDTH - MARGIN[0] - MARGIN[1]) * size / MAX_SIZE
}

fn y(rate: f64) -> f64 {
    let [low, high] = DECADES.map(f64::from);
    let share = (rate.log10().clamp(low, high) - low) / (high - low);
    HEIGHT - MARGIN[3] - (HEIGHT - MARGIN[2] - MARGIN[3]) * share
}

/// Colour and dashes of a line.
fn style(method: Method) -> (&'static str, &'static str) {
    match method {
        Method::Prepared => ("#b45309", ""),
        Method::Unprepared => ("#b45309", "6 4"),
        Method::Numpy => ("#1d4ed8", ""),
        Method::PythonInRust => ("#1d4ed8", "6 4"),
        Method::JavaInRust => ("#475569", "2 3"),
    }
}

/// A coordinate with one decimal.
fn tenths(value: f64) -> String {
    format!("{value:.1}")
}

/// The mark of a measurement.
fn mark(method: Method, x: f64, y: f64) -> Box<dyn Node> {
    let (colour, _) = style(method);
    let circle = Circle::new().set("cx", tenths(x)).set("cy", tenths(y)).set("r", 3.5);
    match method {
        Method::PythonInRust | Method::Numpy => {
            let square = Rectangle::new().set("x", tenths(x - 3.5)).set("y", tenths(y - 3.5));
            square.set("width", 7).set("height", 7).set("fill", colour).into()
        }
        Method::JavaInRust => {
            let points = [(0.0, -4.5), (4.5, 3.5), (-4.5, 3.5)].map(|(dx, dy)| format!("{:.1},{:.1}", x + dx, y + dy));
            Polygon::new().set("points", points.join(" ")).set("fill", colour).into()
        }
        Method::Prepared => circle.set("fill", colour).into(),
        Method::Unprepared => circle.set("fill", PAPER).set("stroke", colour).set("stroke-width", 1.5).into(),
    }
}

/// The plot as an SVG file.
pub(crate) fn draw(rows: &[Row]) -> String {
    let background = Rectangle::new().set("width", WIDTH).set("height", HEIGHT).set("rx", 8).set("fill", PAPER);
    let mut plot = Document::new()
        .set("viewBox", (0, 0, WIDTH, HEIGHT))
        .set("role", "img")
        .set("font-family", "system-ui, sans-serif")
        .set("font-size", 13)
        .set("fill", "#1f2937")
        .add(Title::new("Boards solved in a second, by the size of the board"))
        .add(background)
        .add(axes());
    let mut labels = Labels::default();
    for method in Method::ALL {
        plot = plot.add(line(&mut labels, rows, method));
    }
    // Sizes for which our solver has many solutions to compare.
    for row in rows.iter().filter(|row| row.nullity >= LABELLED_NULLITY) {
        if let Some(seconds) = row.seconds(Method::Prepared) {
            let text = format!("the shortest of 2^{}", row.nullity);
            plot = plot.add(labels.label((x(row.size as f64), y(1.0 / seconds)), style(Method::Prepared).0, &text));
        }
    }
    format!("{plot}\n")
}

fn axes() -> Group {
    let (left, right, bottom) = (x(0.0), x(MAX_SIZE), HEIGHT - MARGIN[3]);
    let path = |d: String, colour| Path::new().set("d", d).set("stroke", colour);
    let text = |x: f64, y: f64, anchor, text: String| {
        Text::new(text).set("x", tenths(x)).set("y", tenths(y)).set("text-anchor", anchor)
    };
    let mut axes = Group::new();
    for decade in DECADES[0]..=DECADES[1] {
        let y = y(10_f64.powi(decade));
        axes = axes.add(path(format!("M{left:.1} {y:.1}H{right:.1}"), "#e5e0d5"));
        axes = axes.add(text(left - 8.0, y + 4.5, "end", label_of(decade)));
    }
    for size in (0..=10).map(|tens| f64::from(10 * tens)) {
        let x = x(size);
        axes = axes.add(path(format!("M{x:.1} {bottom:.1}v5"), "#6b7280"));
        axes = axes.add(text(x, bottom + 20.0, "middle", size.to_string()));
    }
    let heading = "Boards solved in a second, on one computer (logarithmic scale)".to_owned();
    let size_axis = "n (board of n x n cells)".to_owned();
    axes.add(path(format!("M{left:.1} {bottom:.1}H{right:.1}"), "#6b7280"))
        .add(text(left, 26.0, "start", heading).set("font-weight", 600))
        .add(text(f64::midpoint(left, right), HEIGHT - 12.0, "middle", size_axis))
}

/// Places labels beside points. A label is moved up until it overlaps no other label.
#[derive(Default)]
struct Labels(Vec<(f64, f64)>);

impl Labels {
    fn label(&mut self, (x, y): (f64, f64), colour: &str, text: &str) -> Text {
        const LINE: f64 = 17.0;
        const LONGEST: f64 = 150.0;
        let (x, mut y) = (x + 10.0, y + 4.5);
        while self.0.iter().any(|taken| (taken.0 - x).abs() < LONGEST && (taken.1 - y).abs() < LINE) {
            y -= 1.0;
        }
        self.0.push((x, y));
        let label = Text::new(text).set("x", tenths(x)).set("y", tenths(y)).set("fill", colour);
        // An outline keeps the label readable on top of a line.
        label.set("stroke", PAPER).set("stroke-width", 4).set("paint-order", "stroke")
    }
}

/// The label of a power of ten.
fn label_of(decade: i32) -> String {
    match decade {
        6.. => format!("{} million", 10_i32.pow(decade as u32 - 6)),
        3..6 => format!("{},000", 10_i32.pow(decade as u32 - 3)),
        0..3 => 10_i32.pow(decade as u32).to_string(),
        _ => format!("{:.1}", 10_f64.powi(decade)),
    }
}

/// The line of a solver, with its marks and its name. Empty if the solver was not run.
fn line(labels: &mut Labels, rows: &[Row], method: Method) -> Group {
    let points: Vec<(f64, f64)> =
        rows.iter().filter_map(|row| Some((x(row.size as f64), y(1.0 / row.seconds(method)?)))).collect();
    let Some(&end) = points.last() else { return Group::new() };
    let (colour, dash) = style(method);
    let path: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    let line = Polyline::new().set("points", path.join(" ")).set("fill", "none");
    let line = line.set("stroke", colour).set("stroke-width", 2).set("stroke-dasharray", dash);
    let marks = points.iter().map(|&(x, y)| mark(method, x, y));
    marks.fold(Group::new().add(line), Group::add).add(labels.label(end, colour, method.name()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn higher_rates_are_higher_larger_sizes_farther_right() {
        assert!(y(1e6) < y(1e3) && x(10.0) < x(20.0));
        assert_eq!(y(1e-9), y(0.1), "a rate outside the scale is drawn at its edge");
    }

    #[test]
    fn powers_of_ten_are_labelled_in_words() {
        assert_eq!(
            [-1, 0, 2, 3, 5, 6, 7].map(label_of),
            ["0.1", "1", "100", "1,000", "100,000", "1 million", "10 million"]
        );
    }
}
