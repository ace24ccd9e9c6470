//! The command line of `solve`.

use std::ffi::OsStr;
use std::fmt;
use std::path::PathBuf;

use lexopt::Parser;
use lexopt::prelude::*;

use crate::day;

/// What the command line requests.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Request {
    /// Print the help text.
    Help,
    /// Print the version.
    Version,
    /// Solve a board.
    Solve {
        /// Print every solution instead of the shortest.
        all: bool,
        /// Where the board comes from.
        source: Source,
    },
}

/// Where a board comes from.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// Standard input: no file was named, or `-`.
    StandardInput,
    /// The file at this path.
    File(PathBuf),
    /// The code of a board, not checked yet.
    Code(String),
    /// The puzzle of the day, as the number of days since 1 January 1970.
    Daily(u32),
}

impl Request {
    /// Parses the command line. Options may come before or after the file; `--` ends the options.
    pub(crate) fn parse(mut parser: Parser) -> Result<Self, lexopt::Error> {
        let mut all = false;
        let mut source: Option<Source> = None;
        let mut expects_day = false;
        while let Some(argument) = parser.next()? {
            match argument {
                Short('h') | Long("help") => return Ok(Self::Help),
                Short('V') | Long("version") => return Ok(Self::Version),
                Long("all") => all = true,
                Long("code" | "daily") if source.is_some() => return Err("give only one board".into()),
                Long("code") => source = Some(Source::Code(parser.value()?.string()?)),
                Long("daily") => {
                    let day = parser.optional_value();
                    expects_day = day.is_none();
                    source = Some(Source::Daily(day.map_or_else(|| Ok(day::today()), |day| parse_day(&day))?));
                }
                // The day may be a separate argument.
                Value(name) if expects_day => {
                    expects_day = false;
                    source = Some(Source::Daily(parse_day(&name)?));
                }
                Value(_) if !matches!(source, None | Some(Source::StandardInput | Source::File(_))) => {
                    return Err("give only one board".into());
                }
                Value(name) if source.is_some() => {
                    return Err(format!("give only one file; '{}' is the second", printable(&name)).into());
                }
                Value(name) if name == "-" => source = Some(Source::StandardInput),
                Value(name) => source = Some(Source::File(name.into())),
                other => return Err(other.unexpected()),
            }
        }
        Ok(Self::Solve { all, source: source.unwrap_or(Source::StandardInput) })
    }
}

fn parse_day(text: &OsStr) -> Result<u32, lexopt::Error> {
    let day = text.to_str().and_then(day::parse);
    day.ok_or_else(|| format!("'{}' is not a day in the form YYYY-MM-DD, 1970-01-01 or later", printable(text)).into())
}

/// A name in a form that is safe to print: on one line, with control characters escaped.
pub(crate) fn printable(name: &OsStr) -> String {
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
    fn options_may_come_before_or_after_the_file() {
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
    fn unknown_options_and_second_files_are_errors() {
        assert_eq!(parse("--al"), Err("invalid option '--al'".into()));
        assert_eq!(parse("-a"), Err("invalid option '-a'".into()));
        assert_eq!(parse("--all=2"), Err("unexpected argument for option '--all': \"2\"".into()));
        assert_eq!(parse("a - "), Err("give only one file; '-' is the second".into()));
    }

    #[test]
    fn codes_and_days_are_parsed() {
        let of_code = |code: &str| Ok(Request::Solve { all: false, source: Source::Code(code.into()) });
        assert_eq!(parse("--code 01BDCY1"), of_code("01BDCY1"));
        assert_eq!(parse("--code=01B-DCY-1"), of_code("01B-DCY-1"));
        let of_day = |all, day| Ok(Request::Solve { all, source: Source::Daily(day) });
        assert_eq!(parse("--daily 2026-01-01"), of_day(false, 20_454));
        assert_eq!(parse("--daily=1970-01-02 --all"), of_day(true, 1));
        assert_eq!(parse("--daily --all 1970-01-02"), of_day(true, 1));
        assert!(matches!(parse("--daily"), Ok(Request::Solve { source: Source::Daily(20_000..), .. })));
        assert_eq!(
            parse("--daily 2026-02-29"),
            Err("'2026-02-29' is not a day in the form YYYY-MM-DD, 1970-01-01 or later".into())
        );
        assert_eq!(parse("--code"), Err("missing argument for option '--code'".into()));
        for twice in ["--code 1 --daily", "--code 1 b.txt", "b.txt --code 1", "--daily=2026-01-01 b.txt", "- --daily"] {
            assert_eq!(parse(twice), Err("give only one board".into()), "{twice}");
        }
    }

    #[test]
    fn names_are_printed_on_one_line() {
        assert_eq!(printable(OsStr::new("it's\n\u{1b}[31m\u{202e}é.txt")), "it's\\n\\u{1b}[31m\\u{202e}é.txt");
    }
}
