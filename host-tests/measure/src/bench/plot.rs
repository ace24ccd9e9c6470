//! The plot of the comparison: boards a second over the size of the board, one line for each way.
//!
//! The scale of the rates is logarithmic, because they differ by a factor of millions. Lines differ in dash and mark as
//! well as in colour. The drawing has its own background, so that it can be read on any page.

use std::fmt::Write as _;

use super::{Row, Way};

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 440.0;
/// Around the plot: left, right, top, bottom.
const MARGIN: [f64; 4] = [84.0, 150.0, 44.0, 52.0];
/// The largest size.
const MOST: f64 = 100.0;
/// Powers of ten of the rates: from one board in ten seconds to ten million a second.
const DECADES: [i32; 2] = [-1, 7];

/// From so many quiet patterns on, comparing all solutions is what takes the time.
const REMARKABLE: usize = 12;

fn x(size: f64) -> f64 {
    MARGIN[0] + (WIDTH - MARGIN[0] - MARGIN[1]) * size / MOST
}

fn y(rate: f64) -> f64 {
    let [low, high] = DECADES.map(f64::from);
    let share = (rate.log10().clamp(low, high) - low) / (high - low);
    HEIGHT - MARGIN[3] - (HEIGHT - MARGIN[2] - MARGIN[3]) * share
}

/// Colour and dashes of a line.
fn style(way: Way) -> (&'static str, &'static str) {
    match way {
        Way::Prepared => ("#b45309", ""),
        Way::FromNothing => ("#b45309", "6 4"),
        Way::InPython => ("#1d4ed8", ""),
        Way::Python => ("#1d4ed8", "6 4"),
        Way::Java => ("#475569", "2 3"),
    }
}

/// A mark on the line.
fn mark(way: Way, x: f64, y: f64) -> String {
    let (colour, _) = style(way);
    match way {
        Way::Python | Way::InPython => {
            format!("<rect x=\"{:.1}\" y=\"{:.1}\" width=\"7\" height=\"7\" fill=\"{colour}\"/>\n", x - 3.5, y - 3.5)
        }
        Way::Java => {
            let points = [(0.0, -4.5), (4.5, 3.5), (-4.5, 3.5)].map(|(dx, dy)| format!("{:.1},{:.1}", x + dx, y + dy));
            format!("<polygon points=\"{}\" fill=\"{colour}\"/>\n", points.join(" "))
        }
        Way::Prepared => format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\" fill=\"{colour}\"/>\n"),
        Way::FromNothing => {
            format!(
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\" fill=\"#fffdf8\" stroke=\"{colour}\" stroke-width=\"1.5\"/>\n"
            )
        }
    }
}

/// The whole picture.
pub fn draw(rows: &[Row]) -> String {
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" \
         font-family=\"system-ui, sans-serif\" font-size=\"13\" fill=\"#1f2937\">\n\
         <title>Boards solved in a second, by the size of the board</title>\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" rx=\"8\" fill=\"#fffdf8\"/>\n"
    );
    axes(&mut svg);
    let mut labels = Labels::default();
    for way in Way::ALL {
        line(&mut svg, &mut labels, rows, way);
    }
    // Where ours has many solutions to compare.
    for row in rows.iter().filter(|row| row.nullity >= REMARKABLE) {
        if let Some(seconds) = row.seconds(Way::Prepared) {
            let text = format!("the shortest of 2^{}", row.nullity);
            labels.write(&mut svg, (x(row.size as f64), y(1.0 / seconds)), style(Way::Prepared).0, &text);
        }
    }
    svg.push_str("</svg>\n");
    svg
}

fn axes(svg: &mut String) {
    let (left, right, bottom) = (x(0.0), x(MOST), HEIGHT - MARGIN[3]);
    for decade in DECADES[0]..=DECADES[1] {
        let (at, label) = (y(10_f64.powi(decade)), label_of(decade));
        let _ = writeln!(svg, "<path d=\"M{left:.1} {at:.1}H{right:.1}\" stroke=\"#e5e0d5\"/>");
        let _ = writeln!(svg, "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>", left - 8.0, at + 4.5);
    }
    for size in (0..=10).map(|tens| f64::from(10 * tens)) {
        let at = x(size);
        let _ = writeln!(svg, "<path d=\"M{at:.1} {bottom:.1}v5\" stroke=\"#6b7280\"/>");
        let _ = writeln!(svg, "<text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{size}</text>", bottom + 20.0);
    }
    let _ = writeln!(svg, "<path d=\"M{left:.1} {bottom:.1}H{right:.1}\" stroke=\"#6b7280\"/>");
    let _ = writeln!(
        svg,
        "<text x=\"{left:.1}\" y=\"26\" font-weight=\"600\">Boards solved in a second, one machine, each step ten times the last</text>"
    );
    let middle = f64::midpoint(left, right);
    let _ = writeln!(
        svg,
        "<text x=\"{middle:.1}\" y=\"{:.1}\" text-anchor=\"middle\">n, for a board of n x n</text>",
        HEIGHT - 12.0
    );
}

/// Keeps a label readable where a line runs through it.
const HALO: &str = "stroke=\"#fffdf8\" stroke-width=\"4\" paint-order=\"stroke\"";

/// Labels beside points, moved up until they are clear of each other.
#[derive(Default)]
struct Labels(Vec<(f64, f64)>);

impl Labels {
    fn write(&mut self, svg: &mut String, (x, y): (f64, f64), colour: &str, text: &str) {
        const LINE: f64 = 17.0;
        const LONGEST: f64 = 150.0;
        let (x, mut y) = (x + 10.0, y + 4.5);
        while self.0.iter().any(|taken| (taken.0 - x).abs() < LONGEST && (taken.1 - y).abs() < LINE) {
            y -= 1.0;
        }
        self.0.push((x, y));
        let _ = writeln!(svg, "<text x=\"{x:.1}\" y=\"{y:.1}\" fill=\"{colour}\" {HALO}>{text}</text>");
    }
}

/// A power of ten as people write it.
fn label_of(decade: i32) -> String {
    match decade {
        6.. => format!("{} million", 10_i32.pow(decade as u32 - 6)),
        3..6 => format!("{},000", 10_i32.pow(decade as u32 - 3)),
        0..3 => 10_i32.pow(decade as u32).to_string(),
        _ => format!("{:.1}", 10_f64.powi(decade)),
    }
}

fn line(svg: &mut String, labels: &mut Labels, rows: &[Row], way: Way) {
    let points: Vec<(f64, f64)> =
        rows.iter().filter_map(|row| Some((x(row.size as f64), y(1.0 / row.seconds(way)?)))).collect();
    let Some(&end) = points.last() else { return };
    let (colour, dash) = style(way);
    let path: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    let _ = writeln!(
        svg,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" stroke-dasharray=\"{dash}\"/>",
        path.join(" ")
    );
    for (x, y) in points {
        svg.push_str(&mark(way, x, y));
    }
    labels.write(svg, end, colour, way.name());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_is_higher_and_larger_is_farther_right() {
        assert!(y(1e6) < y(1e3) && x(10.0) < x(20.0));
        assert_eq!(y(1e-9), y(0.1), "what is off the scale stays on its edge");
    }

    #[test]
    fn scales_are_labelled_as_people_write() {
        assert_eq!(
            [-1, 0, 2, 3, 5, 6, 7].map(label_of),
            ["0.1", "1", "100", "1,000", "100,000", "1 million", "10 million"]
        );
    }
}
