//! The program `solve`: reads a board and prints the presses that put its lights out.
//!
//! The result goes to standard output, messages go to standard error. The exit code is 0 for a solution, 1 for "no
//! solution", and 2 for an error, which is reported in one line.

#![forbid(unsafe_code)]

mod args;
mod day;

use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::process::ExitCode;

use args::{Request, Source, printable};
use lexopt::Parser;
use lights_out::code::Code;
use solve::solver::{MAX_NULLITY_COMPARED, MAX_NULLITY_LISTED};
use solve::{HandheldBoard, Matrix, ReadError, Solution, Solver};

const SOLVED: u8 = 0;
const NO_SOLUTION: u8 = 1;
const FAILED: u8 = 2;

const HELP: &str = "\
Solves a Lights Out board: which keys to press so that every light goes out.

Usage: solve [--all] [FILE]
       solve [--all] --code CODE
       solve [--all] --daily [YYYY-MM-DD]

Reads the board from FILE. Without FILE, or if FILE is -, reads standard input.
A board is a square of 0 and 1: one row per line, 1 to 100 rows; spaces are ignored.
Prints the keys to press as rows of 0 and 1, then the code of the board if the
handheld has boards of its size, then the number of presses.

Options:
  --code CODE    solve the board of a code, with the rule of that code
  --daily [DAY]  solve the puzzle of a day; without DAY, of today (UTC)
  --all          print all solutions, the shortest first (at most 1024)
  -h, --help     print this help
  -V, --version  print the version

Exit code: 0 solved, 1 no solution, 2 bad input or usage.

Example: printf '110\\n100\\n011\\n' | solve
";

fn main() -> ExitCode {
    let code = run().unwrap_or_else(|message| {
        report(&format!("solve: {message}"));
        FAILED
    });
    ExitCode::from(code)
}

/// Prints a line to standard error. If that fails, there is nothing left to do.
fn report(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// Does what the command line requests. Returns the exit code, or the error message.
fn run() -> Result<u8, String> {
    let usage_error = |error: lexopt::Error| format!("{}. Try `solve --help`.", printable(error.to_string().as_ref()));
    match Request::parse(Parser::from_env()).map_err(usage_error)? {
        Request::Help => print(SOLVED, |out| out.write_all(HELP.as_bytes())),
        Request::Version => print(SOLVED, |out| writeln!(out, "solve {}", env!("CARGO_PKG_VERSION"))),
        Request::Solve { all, source } => solve_and_print(all, &source),
    }
}

/// Reads a board, solves it and prints the result.
fn solve_and_print(all: bool, source: &Source) -> Result<u8, String> {
    let board = match source {
        Source::Code(text) => {
            return solve_and_print_handheld(
                all,
                &HandheldBoard::of_code(text).map_err(|error| format!("{source}: {error}"))?,
            );
        }
        Source::Daily(day) => return solve_and_print_handheld(all, &HandheldBoard::of_day(*day)),
        Source::File(path) => File::open(path).map_err(ReadError::Io).and_then(Matrix::read),
        Source::StandardInput => read_standard_input(),
    };
    let board = board.map_err(|error| format!("{source}: {error}"))?;
    let code = HandheldBoard::of_matrix(&board).map(|board| board.code());
    let solver = Solver::new(board.size());
    let Some(solutions) = solver.solutions(&board) else {
        return print(NO_SOLUTION, |out| write_no_solution(out, code.as_ref()));
    };
    if !all {
        return print(SOLVED, |out| write_solution(out, &solutions.shortest(), code.as_ref()));
    }
    let nullity = solutions.nullity();
    let too_many = || {
        format!("{source}: 2^{nullity} solutions are too many for --all, which prints at most 2^{MAX_NULLITY_LISTED}")
    };
    let listed = solutions.all().ok_or_else(too_many)?;
    print(SOLVED, |out| write_all(out, listed, code.as_ref()))
}

/// Solves a board of the handheld. The board is printed before the result, because the user has entered only its code
/// or day.
fn solve_and_print_handheld(all: bool, board: &HandheldBoard) -> Result<u8, String> {
    let (solutions, lights, code) = (board.solutions(), board.lights(), board.code());
    let status = if solutions.is_some() { SOLVED } else { NO_SOLUTION };
    print(status, |out| {
        writeln!(out, "{}, {side} x {side}", board.rule_name(), side = lights.size())?;
        writeln!(out, "{lights}")?;
        match solutions {
            None => write_no_solution(out, Some(&code)),
            Some(listed) if all => write_all(out, listed.into_iter(), Some(&code)),
            Some(listed) => listed.first().map_or(Ok(()), |shortest| write_solution(out, shortest, Some(&code))),
        }
    })
}

fn read_standard_input() -> Result<Matrix, ReadError> {
    let input = io::stdin().lock();
    if input.is_terminal() {
        let end = if cfg!(windows) { "Ctrl-Z and Enter" } else { "Ctrl-D" };
        report(&format!("Type the board as rows of 0 and 1. End it with {end} on an empty line."));
    }
    Matrix::read(input)
}

/// Calls `write` with standard output, and returns `code`. A closed pipe is not an error: its reader needs no more
/// output.
fn print(code: u8, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<u8, String> {
    let mut out = BufWriter::new(io::stdout().lock());
    match write(&mut out).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(format!("cannot write the result: {error}")),
        _ => Ok(code),
    }
}

fn write_all(out: &mut dyn Write, all: impl ExactSizeIterator<Item = Solution>, code: Option<&Code>) -> io::Result<()> {
    let total = all.len();
    for solution in all {
        write_solution(out, &solution, None)?;
        writeln!(out)?;
    }
    write_code(out, code)?;
    writeln!(out, "{total} solution{}", if total == 1 { "" } else { "s" })
}

fn write_no_solution(out: &mut dyn Write, code: Option<&Code>) -> io::Result<()> {
    write_code(out, code)?;
    writeln!(out, "no solution")
}

fn write_code(out: &mut dyn Write, code: Option<&Code>) -> io::Result<()> {
    code.map_or(Ok(()), |code| writeln!(out, "code {code}"))
}

fn write_solution(out: &mut dyn Write, solution: &Solution, code: Option<&Code>) -> io::Result<()> {
    let Solution { presses, count, proven_shortest, nullity } = solution;
    write!(out, "{presses}")?;
    write_code(out, code)?;
    write!(out, "{count} press{}", if *count == 1 { "" } else { "es" })?;
    if *proven_shortest {
        writeln!(out, ", shortest")
    } else if *nullity > MAX_NULLITY_COMPARED {
        writeln!(out, ", not proven shortest (2^{nullity} solutions are too many to compare)")
    } else {
        writeln!(out)
    }
}
