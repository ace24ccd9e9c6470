//! The program `solve`: reads a board, prints the presses that put its lights out.
//!
//! The answer goes to standard output and everything else to standard error. The exit code is 0 for a solution, 1 for
//! "no solution", and 2, with one line that says why, for whatever kept the question from being answered.

#![forbid(unsafe_code)]

mod args;

use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::process::ExitCode;

use args::{Request, Source, printable};
use lexopt::Parser;
use solve::solver::{MAX_NULLITY_COMPARED, MAX_NULLITY_LISTED};
use solve::{Matrix, ReadError, Solution, Solver};

const SOLVED: u8 = 0;
const NO_SOLUTION: u8 = 1;
const NOT_ANSWERED: u8 = 2;

const HELP: &str = "\
Solves a Lights Out board: which keys to press so that every light goes out.

Usage: solve [--all] [FILE]

Reads the board from FILE, or from standard input without FILE or where it is -:
a square of 0 and 1, one row to a line, 1 to 100 rows, spaces as you like.
Prints the keys to press as rows of 0 and 1, then their number.

Options:
  --all          print every solution, the shortest first (up to 1024 of them)
  -h, --help     print this
  -V, --version  print the version

Exit code: 0 solved, 1 no solution, 2 bad input or usage.

Example: printf '110\\n100\\n011\\n' | solve
";

fn main() -> ExitCode {
    let code = run().unwrap_or_else(|message| {
        complain(&format!("solve: {message}"));
        NOT_ANSWERED
    });
    ExitCode::from(code)
}

/// One line on standard error; where that is closed, there is nobody to tell.
fn complain(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// Does what the command line asks for. Gives the exit code, or the line that says what went wrong.
fn run() -> Result<u8, String> {
    let misused = |error: lexopt::Error| format!("{}. Try `solve --help`.", printable(error.to_string().as_ref()));
    match Request::parse(Parser::from_env()).map_err(misused)? {
        Request::Help => print(SOLVED, |out| out.write_all(HELP.as_bytes())),
        Request::Version => print(SOLVED, |out| writeln!(out, "solve {}", env!("CARGO_PKG_VERSION"))),
        Request::Solve { all, source } => answer(all, &source),
    }
}

/// Reads a board, solves it and prints what was found.
fn answer(all: bool, source: &Source) -> Result<u8, String> {
    let board = read_board(source).map_err(|error| format!("{source}: {error}"))?;
    let solver = Solver::new(board.size());
    let Some(solutions) = solver.solutions(&board) else {
        return print(NO_SOLUTION, |out| writeln!(out, "no solution"));
    };
    if !all {
        return print(SOLVED, |out| write_solution(out, &solutions.shortest()));
    }
    let nullity = solutions.nullity();
    let too_many = || {
        format!("{source}: 2^{nullity} solutions are too many for --all, which prints at most 2^{MAX_NULLITY_LISTED}")
    };
    let listed = solutions.all().ok_or_else(too_many)?;
    print(SOLVED, |out| write_all(out, listed))
}

fn read_board(source: &Source) -> Result<Matrix, ReadError> {
    match source {
        Source::File(path) => Matrix::read(File::open(path).map_err(ReadError::Io)?),
        Source::StandardInput => {
            let input = io::stdin().lock();
            if input.is_terminal() {
                let end = if cfg!(windows) { "Ctrl-Z and Enter" } else { "Ctrl-D" };
                complain(&format!("Type the board, rows of 0 and 1, then {end} on a line of its own."));
            }
            Matrix::read(input)
        }
    }
}

/// Writes to standard output what `write` writes. A reader that has seen enough and left is no error.
fn print(code: u8, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<u8, String> {
    let mut out = BufWriter::new(io::stdout().lock());
    match write(&mut out).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(format!("cannot write the answer: {error}")),
        _ => Ok(code),
    }
}

fn write_all(out: &mut dyn Write, all: impl ExactSizeIterator<Item = Solution>) -> io::Result<()> {
    let total = all.len();
    for solution in all {
        write_solution(out, &solution)?;
        writeln!(out)?;
    }
    writeln!(out, "{total} solution{}", if total == 1 { "" } else { "s" })
}

fn write_solution(out: &mut dyn Write, solution: &Solution) -> io::Result<()> {
    let Solution { presses, count, proven_shortest, nullity } = solution;
    write!(out, "{presses}{count} press{}", if *count == 1 { "" } else { "es" })?;
    if *proven_shortest {
        writeln!(out, ", shortest")
    } else if *nullity > MAX_NULLITY_COMPARED {
        writeln!(out, ", not proven shortest (2^{nullity} solutions are too many to compare)")
    } else {
        writeln!(out)
    }
}
