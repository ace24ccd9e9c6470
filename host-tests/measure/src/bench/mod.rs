//! Side by side: the ways in which the seed texts solve a board, and ours, in one run on one machine.
//!
//! All of them get the same boards, made by random presses so that each has a solution, and have to give presses that
//! put the lights out; that is checked, outside the time. Two of the texts eliminate over all n² keys
//! ([`mod@reference`]); they are written anew here in Rust, which is kinder to them than the languages they were
//! written in. Where Python with numpy is at hand, the Python text's way runs in its own language as well
//! (`python_text.py`): that is what its player waits for. Ours chases the lights first, which leaves n unknowns, keeps
//! one row of bits in one number, and gives the shortest of all solutions where theirs give any. It is timed twice:
//! with a `Solver` kept for all boards of a size, as a game does and as the Python text keeps its matrix; and from
//! nothing for each board.
//!
//! A way is **usable** while a board takes it at most a second.

mod plot;
mod reference;

use std::collections::BTreeMap;
use std::fs;
use std::hint::black_box;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rand_core::Rng;
use rand_pcg::Pcg32;
use solve::chase::lights_toggled;
use solve::{Matrix, Solver};

use crate::trouble::Trouble;
use reference::{JavaWay, PythonWay};

/// The sizes to be compared, and those that show how ours grows.
const SIZES: [usize; 15] = [3, 5, 8, 10, 14, 20, 25, 30, 40, 50, 60, 70, 80, 90, 100];
/// Where the promise is: so many times as fast as the seeds.
const PROMISED_AT: usize = 14;
const PROMISED: f64 = 1000.0;
/// Each figure is the best of so many rounds: whatever else the machine does can only make one longer.
const ROUNDS: usize = 3;
/// A round is the mean over at least this time.
const AT_LEAST: Duration = Duration::from_millis(120);
/// Different boards of a size.
const BOARDS: usize = 16;
/// Beyond this, a board takes too long to be solved while somebody waits.
const USABLE: f64 = 1.0;
/// Beyond this size the references are not tried: their matrices of n² x n² numbers would fill the machine's memory.
const REFERENCE_MOST: usize = 50;

/// A way to solve boards.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// Elimination over n² keys as in the Python text.
    Python,
    /// The same as in the Java text.
    Java,
    /// The Python text's in Python, if this machine has it.
    InPython,
    /// Ours, prepared once for each size.
    Prepared,
    /// Ours, from nothing for each board.
    FromNothing,
}

impl Way {
    /// In the order of the table.
    pub const ALL: [Self; 5] = [Self::InPython, Self::Java, Self::Python, Self::FromNothing, Self::Prepared];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::InPython => "Python text, numpy",
            Self::Python => "Python text, Rust",
            Self::Java => "Java text, Rust",
            Self::Prepared => "ours",
            Self::FromNothing => "ours, from nothing",
        }
    }

    /// Seconds for a board, the mean over many.
    fn seconds(self, boards: &[Matrix], in_python: &BTreeMap<usize, f64>) -> Result<Option<f64>, Trouble> {
        let size = boards[0].size();
        let none = || Trouble(format!("{}: no solution of a {size} x {size} board that has one", self.name()));
        let seconds = match self {
            Self::InPython => return Ok(in_python.get(&size).copied()),
            Self::Python => {
                let way = PythonWay::new(size);
                timed(boards, |board| way.solve(&bits(board)).map(|presses| matrix(&presses, size)).ok_or_else(none))
            }
            Self::Java => timed(boards, |board| Ok(matrix(&JavaWay::solve(&bits(board)), size))),
            Self::Prepared => {
                let solver = Solver::new(size);
                timed(boards, |board| Ok(solver.solutions(board).ok_or_else(none)?.shortest().presses))
            }
            Self::FromNothing => timed(boards, |board| Ok(solve::solve(board).ok_or_else(none)?.presses)),
        };
        seconds.map(Some)
    }
}

/// What was measured at one size: seconds for a board, where the way was tried.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Cells on a side.
    pub size: usize,
    /// A board has 2^nullity solutions, and ours finds the shortest.
    pub nullity: usize,
    seconds: [Option<f64>; Way::ALL.len()],
}

impl Row {
    /// Seconds for a board.
    pub fn seconds(&self, way: Way) -> Option<f64> {
        Way::ALL.iter().position(|&other| other == way).and_then(|index| self.seconds[index])
    }

    fn ratio(&self, way: Way) -> Option<f64> {
        Some(self.seconds(way)? / self.seconds(Way::Prepared)?)
    }
}

/// Compares, prints, draws; gives whether the promise is kept.
pub fn run(json: bool, root: &Path) -> Result<bool, Trouble> {
    let mut dice = Pcg32::new(1995, 11);
    let in_python = in_python();
    let mut rows = Vec::new();
    let mut too_slow = [false; Way::ALL.len()];
    for size in SIZES {
        let boards: Vec<Matrix> = (0..BOARDS).map(|_| solvable(size, &mut dice)).collect();
        let mut seconds = [None; Way::ALL.len()];
        for (index, way) in Way::ALL.into_iter().enumerate() {
            let reference = matches!(way, Way::Python | Way::Java);
            if too_slow[index] || reference && size > REFERENCE_MOST {
                continue;
            }
            seconds[index] = way.seconds(&boards, &in_python)?;
            too_slow[index] = seconds[index].is_some_and(|seconds| seconds > USABLE);
        }
        rows.push(Row { size, nullity: Solver::new(size).quiet_patterns().len(), seconds });
    }
    let path = root.join("docs").join("pictures").join("solve-speed.svg");
    fs::write(&path, plot::draw(&rows)).map_err(|error| Trouble(format!("{}: {error}", path.display())))?;
    print!("{}", if json { as_json(&rows) } else { as_table(&rows) });
    let promised = rows.iter().find(|row| row.size == PROMISED_AT);
    let mut all_kept = true;
    // The elimination of the Python text in Rust is nobody's program: it is told, and nothing is promised about it.
    for way in [Way::InPython, Way::Java] {
        let Some(ratio) = promised.and_then(|row| row.ratio(way)) else { continue };
        all_kept &= ratio >= PROMISED;
        if !json {
            let verdict = if ratio >= PROMISED { "kept" } else { "NOT kept" };
            println!(
                "At n = {PROMISED_AT} at least {PROMISED:.0} times as fast as {}: {ratio:.0} times, {verdict}.",
                way.name()
            );
        }
    }
    Ok(all_kept)
}

/// Seconds for a board of each size, where this machine has Python with numpy; else nothing.
fn in_python() -> BTreeMap<usize, f64> {
    let mut python = Command::new("python3");
    python.arg("-").args(SIZES.map(|size| size.to_string()));
    let output =
        python.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().and_then(|mut child| {
            if let Some(mut input) = child.stdin.take() {
                input.write_all(include_bytes!("python_text.py"))?;
            }
            child.wait_with_output()
        });
    let text = output.map_or_else(|_| String::new(), |output| String::from_utf8_lossy(&output.stdout).into_owned());
    text.lines().filter_map(read_timing).collect()
}

/// A line `size seconds`.
fn read_timing(line: &str) -> Option<(usize, f64)> {
    let (size, seconds) = line.split_once(' ')?;
    Some((size.parse().ok()?, seconds.trim().parse().ok()?))
}

/// A board that can be solved.
fn solvable(size: usize, dice: &mut Pcg32) -> Matrix {
    let row = |_| (u128::from(dice.next_u64()) << 64 | u128::from(dice.next_u64())) & (u128::MAX >> (128 - size));
    lights_toggled(&Matrix::from_rows((0..size).map(row).collect()))
}

/// Solves each board once and checks it, then all of them over and over for a time.
fn timed(boards: &[Matrix], mut solve: impl FnMut(&Matrix) -> Result<Matrix, Trouble>) -> Result<f64, Trouble> {
    let mut first = Duration::ZERO;
    for board in boards {
        let began = Instant::now();
        let presses = solve(board)?;
        first += began.elapsed();
        if &lights_toggled(&presses) != board {
            return Err(Trouble("a way to solve boards gives presses that leave lights on".to_owned()));
        }
        if first > 8 * AT_LEAST {
            // It is slow, and one board tells as much as many.
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
    let mut text = String::from("Boards solved in a second, on this machine\n\n   n");
    for way in Way::ALL {
        text += &format!("{:>20}", way.name());
    }
    text += "   ours is faster by: numpy, Java, Python in Rust\n";
    for row in rows {
        text += &format!("{:>4}", row.size);
        for way in Way::ALL {
            let rate = row.seconds(way).map_or_else(|| "-".to_owned(), |seconds| rate(1.0 / seconds));
            text += &format!("{rate:>20}");
        }
        for way in [Way::InPython, Way::Java, Way::Python] {
            text += &row.ratio(way).map_or_else(|| format!("{:>14}", "-"), |ratio| format!("{ratio:>12.0} x"));
        }
        text.push('\n');
    }
    text.push('\n');
    for way in Way::ALL {
        let tried = rows.iter().filter_map(|row| Some((row.size, row.seconds(way)?))).next_back();
        text += &match (way, tried) {
            (_, None) => format!("{}: not on this machine\n", way.name()),
            (_, Some((last, seconds))) if seconds > USABLE => {
                format!("{}: takes {seconds:.1} s for a board of n = {last}\n", way.name())
            }
            (Way::Python | Way::Java, Some((last, _))) if last == REFERENCE_MOST => {
                let gigabytes = 100_f64.powi(4) * 8.0 / 1e9;
                format!("{}: not tried beyond n = {last}; at 100 one matrix takes {gigabytes:.1} GB\n", way.name())
            }
            (_, Some((last, seconds))) => {
                format!("{}: usable to n = {last}, {} a second there\n", way.name(), rate(1.0 / seconds))
            }
        };
    }
    text
}

/// Three digits are more than two runs agree on.
fn rate(value: f64) -> String {
    match value {
        _ if value >= 1e6 => format!("{:.2} million", value / 1e6),
        _ if value >= 100.0 => format!("{value:.0}"),
        _ => format!("{value:.1}"),
    }
}

fn as_json(rows: &[Row]) -> String {
    let number = |value: Option<f64>| value.map_or_else(|| "null".to_owned(), |value| format!("{value:e}"));
    let rows: Vec<String> = rows
        .iter()
        .map(|row| {
            let ways = Way::ALL.map(|way| format!("\"{}\": {}", way.name(), number(row.seconds(way))));
            format!("  {{\"n\": {}, \"seconds for a board\": {{{}}}}}", row.size, ways.join(", "))
        })
        .collect();
    format!("[\n{}\n]\n", rows.join(",\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_solves_every_board() {
        let mut dice = Pcg32::new(1, 1);
        for size in 3..=14 {
            let solver = Solver::new(size);
            for _ in 0..10 {
                let board = solvable(size, &mut dice);
                let python = PythonWay::new(size).solve(&bits(&board)).expect("it has a solution");
                let java = JavaWay::solve(&bits(&board));
                let ours = solver.solutions(&board).expect("it has a solution").shortest();
                for presses in [&matrix(&python, size), &matrix(&java, size), &ours.presses] {
                    assert_eq!(lights_toggled(presses), board);
                    assert!(presses.ones() >= ours.count);
                }
            }
        }
    }

    #[test]
    fn the_python_way_knows_what_cannot_be_solved() {
        let mut corner = vec![false; 25];
        corner[0] = true;
        assert_eq!(PythonWay::new(5).solve(&corner), None);
        assert_eq!(PythonWay::new(5).solve(&[false; 25]), None, "a dark board counts as none, too");
    }

    #[test]
    fn timings_of_another_program_are_read() {
        assert_eq!(read_timing("14 0.05"), Some((14, 0.05)));
        assert_eq!(read_timing("Traceback"), None);
        assert_eq!(read_timing("a b"), None);
    }

    #[test]
    fn table_and_json_have_a_line_for_each_size() {
        let rows = [
            Row { size: 14, nullity: 4, seconds: [None, Some(4.0), Some(0.002), Some(2e-6), Some(1e-6)] },
            Row { size: 20, nullity: 0, seconds: [None, None, Some(0.01), Some(4e-6), Some(2e-6)] },
        ];
        let table = as_table(&rows);
        assert!(table.contains("Java text, Rust: takes 4.0 s for a board of n = 14"));
        assert!(table.contains("ours: usable to n = 20, 500000 a second there"));
        assert!(table.contains("2000 x") && table.contains("numpy: not on this machine"));
        assert!(as_json(&rows).contains("{\"n\": 20, \"seconds for a board\": {\"Python text, numpy\": null"));
        assert!(plot::draw(&rows).starts_with("<svg"));
    }
}
