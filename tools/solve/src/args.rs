//! What the command line asks for.

use std::ffi::OsStr;
use std::fmt;
use std::path::PathBuf;

use lexopt::Parser;
use lexopt::prelude::*;

use crate::day;

/// What to do.
#[derive(Debug, PartialEq, Eq)]
pub enum Request {
    /// Print how to use the program.
    Help,
    /// Print its version.
    Version,
    /// Solve a board.
    Solve {
        /// Print every solution instead of the shortest.
        all: bool,
        /// Where the board is.
        source: Source,
    },
}

/// Where a board is read from.
#[derive(Debug, PartialEq, Eq)]
pub enum Source {
    /// No file was named, or `-`.
    StandardInput,
    /// The file at this path.
    File(PathBuf),
    /// The code of a board, perhaps a wrong one.
    Code(String),
    /// The puzzle of this day, counted from 1 January 1970.
    Daily(u32),
}

impl Request {
    /// Reads the command line. Options may stand before or after the file; `--` ends them.
    pub fn parse(mut parser: Parser) -> Result<Self, lexopt::Error> {
        let mut all = false;
        let mut source: Option<Source> = None;
        let mut is_day_open = false;
        while let Some(argument) = parser.next()? {
            match argument {
                Short('h') | Long("help") => return Ok(Self::Help),
                Short('V') | Long("version") => return Ok(Self::Version),
                Long("all") => all = true,
                Long("code" | "daily") if source.is_some() => return Err("one board at a time".into()),
                Long("code") => source = Some(Source::Code(parser.value()?.string()?)),
                Long("daily") => {
                    let day = parser.optional_value();
                    is_day_open = day.is_none();
                    source = Some(Source::Daily(day.map_or_else(|| Ok(day::today()), |day| day_of(&day))?));
                }
                // The day may stand apart from its option.
                Value(name) if is_day_open => {
                    is_day_open = false;
                    source = Some(Source::Daily(day_of(&name)?));
                }
                Value(_) if !matches!(source, None | Some(Source::StandardInput | Source::File(_))) => {
                    return Err("one board at a time".into());
                }
                Value(name) if source.is_some() => {
                    return Err(format!("one file at a time, '{}' is a second", printable(&name)).into());
                }
                Value(name) if name == "-" => source = Some(Source::StandardInput),
                Value(name) => source = Some(Source::File(name.into())),
                other => return Err(other.unexpected()),
            }
        }
        Ok(Self::Solve { all, source: source.unwrap_or(Source::StandardInput) })
    }
}

fn day_of(text: &OsStr) -> Result<u32, lexopt::Error> {
    let day = text.to_str().and_then(day::parse);
    day.ok_or_else(|| format!("'{}' is no day from 1970-01-01 on, as YYYY-MM-DD", printable(text)).into())
}

/// A name as it is safe to print: on one line and without control characters, whatever it holds.
pub fn printable(name: &OsStr) -> String {
    let mut text = String::new();
    for character in name.to_string_lossy().chars() {
        match character {
            '\'' | '"' | '\\' => text.push(character),
            other => text.extend(other.escape_debug()),
        }
    }
    text
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::StandardInput => f.write_str("standard input"),
            Self::File(path) => f.write_str(&printable(path.as_os_str())),
            Self::Code(code) => f.write_str(&printable(code.as_ref())),
            Self::Daily(day) => write!(f, "day {day}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Request, String> {
        Request::parse(Parser::from_args(line.split_whitespace())).map_err(|error| error.to_string())
    }

    fn solve(all: bool, file: &str) -> Result<Request, String> {
        let source = if file.is_empty() { Source::StandardInput } else { Source::File(file.into()) };
        Ok(Request::Solve { all, source })
    }

    #[test]
    fn options_stand_anywhere() {
        assert_eq!(parse(""), solve(false, ""));
        assert_eq!(parse("-"), solve(false, ""));
        assert_eq!(parse("--all"), solve(true, ""));
        assert_eq!(parse("--all b.txt"), solve(true, "b.txt"));
        assert_eq!(parse("b.txt --all"), solve(true, "b.txt"));
        assert_eq!(parse("--all --help nonsense --nonsense"), Ok(Request::Help));
        assert_eq!(parse("-V"), Ok(Request::Version));
    }

    #[test]
    fn two_dashes_end_the_options() {
        assert_eq!(parse("-- --all"), solve(false, "--all"));
        assert_eq!(parse("--all -- -"), solve(true, ""));
        assert_eq!(parse("-- --"), solve(false, "--"));
    }

    #[test]
    fn what_is_refused() {
        assert_eq!(parse("--al"), Err("invalid option '--al'".into()));
        assert_eq!(parse("-a"), Err("invalid option '-a'".into()));
        assert_eq!(parse("--all=2"), Err("unexpected argument for option '--all': \"2\"".into()));
        assert_eq!(parse("a - "), Err("one file at a time, '-' is a second".into()));
    }

    #[test]
    fn codes_and_days() {
        let of_code = |code: &str| Ok(Request::Solve { all: false, source: Source::Code(code.into()) });
        assert_eq!(parse("--code 01BDCY1"), of_code("01BDCY1"));
        assert_eq!(parse("--code=01B-DCY-1"), of_code("01B-DCY-1"));
        let of_day = |all, day| Ok(Request::Solve { all, source: Source::Daily(day) });
        assert_eq!(parse("--daily 2026-01-01"), of_day(false, 20_454));
        assert_eq!(parse("--daily=1970-01-02 --all"), of_day(true, 1));
        assert_eq!(parse("--daily --all 1970-01-02"), of_day(true, 1));
        assert!(matches!(parse("--daily"), Ok(Request::Solve { source: Source::Daily(20_000..), .. })));
        assert_eq!(parse("--daily 2026-02-29"), Err("'2026-02-29' is no day from 1970-01-01 on, as YYYY-MM-DD".into()));
        assert_eq!(parse("--code"), Err("missing argument for option '--code'".into()));
        for twice in ["--code 1 --daily", "--code 1 b.txt", "b.txt --code 1", "--daily=2026-01-01 b.txt", "- --daily"] {
            assert_eq!(parse(twice), Err("one board at a time".into()), "{twice}");
        }
    }

    #[test]
    fn names_are_printed_on_one_line() {
        assert_eq!(printable(OsStr::new("it's\n\u{1b}[31m\u{202e}é.txt")), "it's\\n\\u{1b}[31m\\u{202e}é.txt");
    }
}
