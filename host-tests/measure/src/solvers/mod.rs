//! `cargo measure --solvers`: our solver against textbook solvers, in one run on one computer.
//!
//! A textbook solver eliminates over all n² keys ([`textbook`]). There are two of them: the Python version and the Java
//! version. Both are translated to Rust here, and are faster than in the original languages. If Python with numpy is
//! installed, the Python solver also runs in Python (`textbook.py`), as a reader of the textbook would run it. Our
//! solver chases the lights first, which leaves n unknowns, stores a row of bits in one integer, and finds the shortest
//! of all solutions; a textbook solver finds any solution. Ours is timed twice: with a `Solver` that is prepared once
//! for all boards of a size, as in a game and as the Python solver keeps its matrix; and with a new `Solver` for each
//! board.
//!
//! All solvers get the same boards, made by random presses so that each has a solution. Each result is checked, outside
//! the measured time. A solver is **usable** for a size if a board takes at most a second.

mod plot;
mod textbook;

use std::collections::BTreeMap;
use std::fs;
use std::hint::black_box;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rand_core::Rng;
use rand_pcg::Pcg32;
use serde_json::{Value, json};
use solve::chase::lights_toggled;
use solve::{Matrix, Solver};

use crate::error::MeasureError;
use textbook::{JavaTextbook, PythonTextbook};

/// The sizes of the boards. Only our solver handles the larger ones.
const SIZES: [usize; 15] = [3, 5, 8, 10, 14, 20, 25, 30, 40, 50, 60, 70, 80, 90, 100];
/// The limit: at this size our solver is faster by this factor than a textbook solver.
const LIMIT_SIZE: usize = 14;
const LIMIT_FACTOR: f64 = 1000.0;
/// Each figure is the shortest of this many rounds: other load on the computer can only make a round longer.
const ROUNDS: usize = 3;
/// The shortest duration of a round.
const AT_LEAST: Duration = Duration::from_millis(120);
/// The number of different boards of a size.
const BOARDS: usize = 16;
/// The longest time for a board with which a solver is usable, in seconds.
const USABLE: f64 = 1.0;
/// The largest size for the textbook solvers in Rust: larger matrices of n² x n² numbers would fill the memory.
const TEXTBOOK_MAX_SIZE: usize = 50;

/// A solver in the comparison.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Method {
    /// The textbook solver as it is written in Python, in Rust.
    PythonInRust,
    /// The textbook solver as it is written in Java, in Rust.
    JavaInRust,
    /// The textbook solver in Python with numpy, if it is installed.
    Numpy,
    /// Our solver, prepared once for each size.
    Prepared,
    /// Our solver, prepared again for each board.
    Unprepared,
}

impl Method {
    /// All solvers, in the order of the table.
    pub(crate) const ALL: [Self; 5] =
        [Self::Numpy, Self::JavaInRust, Self::PythonInRust, Self::Unprepared, Self::Prepared];

    /// The name in tables and in the plot.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Numpy => "Python textbook, numpy",
            Self::PythonInRust => "Python textbook, Rust",
            Self::JavaInRust => "Java textbook, Rust",
            Self::Prepared => "ours",
            Self::Unprepared => "ours, unprepared",
        }
    }

    /// Mean seconds for a board. `None` if the solver is not available for this size.
    fn measure(self, boards: &[Matrix], numpy: &BTreeMap<usize, f64>) -> Result<Option<f64>, MeasureError> {
        let size = boards[0].size();
        let none = || MeasureError(format!("{} finds no solution of a solvable {size} x {size} board", self.name()));
        let seconds = match self {
            Self::Numpy => return Ok(numpy.get(&size).copied()),
            Self::PythonInRust => {
                let solver = PythonTextbook::new(size);
                timed(boards, |board| solver.solve(&bits(board)).map(|presses| matrix(&presses, size)).ok_or_else(none))
            }
            Self::JavaInRust => timed(boards, |board| Ok(matrix(&JavaTextbook::solve(&bits(board)), size))),
            Self::Prepared => {
                let solver = Solver::new(size);
                timed(boards, |board| Ok(solver.solutions(board).ok_or_else(none)?.shortest().presses))
            }
            Self::Unprepared => timed(boards, |board| Ok(solve::solve(board).ok_or_else(none)?.presses)),
        };
        seconds.map(Some)
    }
}

/// The measurements of one size.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Row {
    /// Cells on a side.
    pub size: usize,
    /// A board has 2^nullity solutions. Our solver finds the shortest.
    pub nullity: usize,
    /// Mean seconds for a board, in the order of [`Method::ALL`]. `None` if the solver was not run.
    seconds: [Option<f64>; Method::ALL.len()],
}

impl Row {
    /// Mean seconds for a board.
    pub(crate) fn seconds(&self, method: Method) -> Option<f64> {
        Method::ALL.iter().position(|&other| other == method).and_then(|index| self.seconds[index])
    }

    /// How many times faster our solver is.
    fn factor(&self, method: Method) -> Option<f64> {
        Some(self.seconds(method)? / self.seconds(Method::Prepared)?)
    }
}

/// Measures, prints and draws the comparison. Returns whether our solver is within the limit.
pub(crate) fn run(json: bool, root: &Path) -> Result<bool, MeasureError> {
    let rows = measure_all()?;
    let path = root.join("docs").join("pictures").join("solve-speed.svg");
    fs::write(&path, plot::draw(&rows)).map_err(|error| MeasureError(format!("{}: {error}", path.display())))?;
    print!("{}", if json { as_json(&rows) } else { as_table(&rows) });
    let limited = rows.iter().find(|row| row.size == LIMIT_SIZE);
    let mut is_within_limit = true;
    // The Python solver in Rust has no limit: it exists for this comparison only.
    for method in [Method::Numpy, Method::JavaInRust] {
        let Some(factor) = limited.and_then(|row| row.factor(method)) else { continue };
        is_within_limit &= factor >= LIMIT_FACTOR;
        if !json {
            let verdict = if factor >= LIMIT_FACTOR { "good" } else { "NOT REACHED" };
            println!(
                "n = {LIMIT_SIZE}: ours is {factor:.0} times as fast as {}, limit {LIMIT_FACTOR:.0}: {verdict}.",
                method.name()
            );
        }
    }
    Ok(is_within_limit)
}

/// Runs each solver with each size until it is no longer usable.
fn measure_all() -> Result<Vec<Row>, MeasureError> {
    let mut dice = Pcg32::new(1995, 11);
    let numpy = numpy_timings();
    let mut rows = Vec::new();
    let mut is_too_slow = [false; Method::ALL.len()];
    for size in SIZES {
        let boards: Vec<Matrix> = (0..BOARDS).map(|_| solvable(size, &mut dice)).collect();
        let mut seconds = [None; Method::ALL.len()];
        for (index, method) in Method::ALL.into_iter().enumerate() {
            let is_textbook = matches!(method, Method::PythonInRust | Method::JavaInRust);
            if is_too_slow[index] || is_textbook && size > TEXTBOOK_MAX_SIZE {
                continue;
            }
            seconds[index] = method.measure(&boards, &numpy)?;
            is_too_slow[index] = seconds[index].is_some_and(|seconds| seconds > USABLE);
        }
        rows.push(Row { size, nullity: Solver::new(size).quiet_patterns().len(), seconds });
    }
    Ok(rows)
}

/// Seconds for a board of each size with Python and numpy. Empty if they are not installed.
fn numpy_timings() -> BTreeMap<usize, f64> {
    let mut python = Command::new("python3");
    python.arg("-").args(SIZES.map(|size| size.to_string()));
    let output =
        python.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().and_then(|mut child| {
            if let Some(mut input) = child.stdin.take() {
                input.write_all(include_bytes!("textbook.py"))?;
            }
            child.wait_with_output()
        });
    let text = output.map_or_else(|_| String::new(), |output| String::from_utf8_lossy(&output.stdout).into_owned());
    text.lines().filter_map(read_timing).collect()
}

/// Parses a line `size seconds`.
fn read_timing(line: &str) -> Option<(usize, f64)> {
    let (size, seconds) = line.split_once(' ')?;
    Some((size.parse().ok()?, seconds.trim().parse().ok()?))
}

/// A random board that has a solution.
fn solvable(size: usize, dice: &mut Pcg32) -> Matrix {
    let row = |_| (u128::from(dice.next_u64()) << 64 | u128::from(dice.next_u64())) & (u128::MAX >> (128 - size));
    lights_toggled(&Matrix::from_rows((0..size).map(row).collect()))
}

/// Solves each board once and checks the result, then solves all boards repeatedly. Returns the mean seconds for a
/// board.
fn timed(
    boards: &[Matrix],
    mut solve: impl FnMut(&Matrix) -> Result<Matrix, MeasureError>,
) -> Result<f64, MeasureError> {
    let mut first = Duration::ZERO;
    for board in boards {
        let began = Instant::now();
        let presses = solve(board)?;
        first += began.elapsed();
        if &lights_toggled(&presses) != board {
            return Err(MeasureError("a solver returns presses that leave lights on".to_owned()));
        }
        if first > 8 * AT_LEAST {
            // It is slow: the boards so far are enough.
            let solved = boards.iter().position(|other| std::ptr::eq(other, board)).unwrap_or(0) + 1;
            return Ok(first.as_secs_f64() / solved as f64);
        }
    }
    let mut best = f64::INFINITY;
    for _ in 0..ROUNDS {
        let (began, mut solved) = (Instant::now(), 0_u32);
        while began.elapsed() < AT_LEAST {
            for board in boards {
                black_box(solve(black_box(board))?);
            }
            solved += boards.len() as u32;
        }
        best = best.min(began.elapsed().as_secs_f64() / f64::from(solved));
    }
    Ok(best)
}

/// The cells of a matrix, row by row.
fn bits(matrix: &Matrix) -> Vec<bool> {
    matrix.rows().iter().flat_map(|&row| (0..matrix.size()).map(move |column| row >> column & 1 == 1)).collect()
}

fn matrix(cells: &[bool], size: usize) -> Matrix {
    let row = |row: &[bool]| row.iter().enumerate().fold(0, |bits, (column, &on)| bits | u128::from(on) << column);
    Matrix::from_rows(cells.chunks(size).map(row).collect())
}

fn as_table(rows: &[Row]) -> String {
    let mut text = String::from("Boards solved in a second, on this computer\n\n   n");
    for method in Method::ALL {
        text += &format!("{:>24}", method.name());
    }
    text += "   ours is faster by: numpy, Java, Python in Rust\n";
    for row in rows {
        text += &format!("{:>4}", row.size);
        for method in Method::ALL {
            let rate = row.seconds(method).map_or_else(|| "-".to_owned(), |seconds| rate(1.0 / seconds));
            text += &format!("{rate:>24}");
        }
        for method in [Method::Numpy, Method::JavaInRust, Method::PythonInRust] {
            text += &row.factor(method).map_or_else(|| format!("{:>14}", "-"), |factor| format!("{factor:>12.0} x"));
        }
        text.push('\n');
    }
    text.push('\n');
    for method in Method::ALL {
        let tried = rows.iter().filter_map(|row| Some((row.size, row.seconds(method)?))).next_back();
        text += &match (method, tried) {
            (_, None) => format!("{}: not installed\n", method.name()),
            (_, Some((last, seconds))) if seconds > USABLE => {
                format!("{}: takes {seconds:.1} s for a board of n = {last}\n", method.name())
            }
            (Method::PythonInRust | Method::JavaInRust, Some((last, _))) if last == TEXTBOOK_MAX_SIZE => {
                let gigabytes = 100_f64.powi(4) * 8.0 / 1e9;
                format!("{}: not run beyond n = {last}; at n = 100 one matrix takes {gigabytes:.1} GB\n", method.name())
            }
            (_, Some((last, seconds))) => {
                format!("{}: usable to n = {last}, {} a second there\n", method.name(), rate(1.0 / seconds))
            }
        };
    }
    text
}

/// A rate with three digits at most: the next digit differs from run to run.
fn rate(value: f64) -> String {
    match value {
        _ if value >= 1e6 => format!("{:.2} million", value / 1e6),
        _ if value >= 100.0 => format!("{value:.0}"),
        _ => format!("{value:.1}"),
    }
}

fn as_json(rows: &[Row]) -> String {
    let row = |row: &Row| {
        let seconds: BTreeMap<_, _> = Method::ALL.map(|method| (method.name(), row.seconds(method))).into();
        json!({ "n": row.size, "seconds for a board": seconds })
    };
    format!("{:#}\n", Value::from_iter(rows.iter().map(row)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_solver_solves_every_board() {
        let mut dice = Pcg32::new(1, 1);
        for size in 3..=14 {
            let solver = Solver::new(size);
            for _ in 0..10 {
                let board = solvable(size, &mut dice);
                let python = PythonTextbook::new(size).solve(&bits(&board)).expect("a solution");
                let java = JavaTextbook::solve(&bits(&board));
                let ours = solver.solutions(&board).expect("a solution").shortest();
                for presses in [&matrix(&python, size), &matrix(&java, size), &ours.presses] {
                    assert_eq!(lights_toggled(presses), board);
                    assert!(presses.ones() >= ours.count);
                }
            }
        }
    }

    #[test]
    fn python_textbook_detects_unsolvable_boards() {
        let mut corner = vec![false; 25];
        corner[0] = true;
        assert_eq!(PythonTextbook::new(5).solve(&corner), None);
        assert_eq!(PythonTextbook::new(5).solve(&[false; 25]), None, "no solution for a dark board either");
    }

    #[test]
    fn timings_of_python_are_parsed() {
        assert_eq!(read_timing("14 0.05"), Some((14, 0.05)));
        assert_eq!(read_timing("Traceback"), None);
        assert_eq!(read_timing("a b"), None);
    }

    #[test]
    fn table_and_json_have_an_entry_for_each_size() {
        let rows = [
            Row { size: 14, nullity: 4, seconds: [None, Some(4.0), Some(0.002), Some(2e-6), Some(1e-6)] },
            Row { size: 20, nullity: 0, seconds: [None, None, Some(0.01), Some(4e-6), Some(2e-6)] },
        ];
        let table = as_table(&rows);
        assert!(table.contains("Java textbook, Rust: takes 4.0 s for a board of n = 14"));
        assert!(table.contains("ours: usable to n = 20, 500000 a second there"));
        assert!(table.contains("2000 x") && table.contains("numpy: not installed"));
        let parsed: Value = serde_json::from_str(&as_json(&rows)).unwrap();
        assert_eq!(parsed[1]["n"], 20);
        let seconds = &parsed[1]["seconds for a board"];
        assert_eq!((&seconds["Python textbook, numpy"], &seconds["ours"]), (&Value::Null, &json!(2e-6)));
        assert!(plot::draw(&rows).starts_with("<svg"));
    }
}
