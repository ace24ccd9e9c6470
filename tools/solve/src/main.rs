//! The program `solve`: reads a board, prints the presses that put its lights out.
//!
//! The answer goes to standard output and everything else to standard error. The exit code is 0 for a solution, 1 for
//! "no solution", and 2, with one line that says why, for whatever kept the question from being answered.

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
const NOT_ANSWERED: u8 = 2;

const HELP: &str = "\
Solves a Lights Out board: which keys to press so that every light goes out.

Usage: solve [--all] [FILE]
       solve [--all] --code CODE
       solve [--all] --daily [YYYY-MM-DD]

Reads the board from FILE, or from standard input without FILE or where it is -:
a square of 0 and 1, one row to a line, 1 to 100 rows, spaces as you like.
Prints the keys to press as rows of 0 and 1, then their number, and before that
the code of the board if the handheld has boards of its size.

Options:
  --code CODE    solve the board of a code, with the rule that is in it
  --daily [DAY]  solve the puzzle of a day, or of today by universal time
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
    let board = match source {
        Source::Code(text) => {
            return answer_handheld(all, &HandheldBoard::of_code(text).map_err(|error| format!("{source}: {error}"))?);
        }
        Source::Daily(day) => return answer_handheld(all, &HandheldBoard::of_day(*day)),
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

/// The same for a board of the handheld, which was not seen yet: so it is printed first.
fn answer_handheld(all: bool, board: &HandheldBoard) -> Result<u8, String> {
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
        complain(&format!("Type the board, rows of 0 and 1, then {end} on a line of its own."));
    }
    Matrix::read(input)
}

/// Writes to standard output what `write` writes. A reader that has seen enough and left is no error.
fn print(code: u8, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<u8, String> {
    let mut out = BufWriter::new(io::stdout().lock());
    match write(&mut out).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(format!("cannot write the answer: {error}")),
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
