//! What the command line asks for.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::PathBuf;

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
}

/// Why the command line cannot be followed.
#[derive(Debug, PartialEq, Eq)]
pub enum UsageError {
    /// It begins with a dash and is not known.
    UnknownOption(OsString),
    /// A second file was named.
    SecondFile(OsString),
}

impl Request {
    /// Reads the arguments after the program's name. Options may stand before or after the file; `--` ends them.
    pub fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Self, UsageError> {
        let mut all = false;
        let mut source = None;
        let mut options_ended = false;
        for argument in arguments {
            let bytes = argument.as_encoded_bytes();
            let is_option = !options_ended && bytes.len() > 1 && bytes[0] == b'-';
            match bytes {
                b"--" if is_option => options_ended = true,
                b"--all" if is_option => all = true,
                b"--help" | b"-h" if is_option => return Ok(Self::Help),
                b"--version" | b"-V" if is_option => return Ok(Self::Version),
                _ if is_option => return Err(UsageError::UnknownOption(argument)),
                _ if source.is_some() => return Err(UsageError::SecondFile(argument)),
                b"-" => source = Some(Source::StandardInput),
                _ => source = Some(Source::File(argument.into())),
            }
        }
        Ok(Self::Solve { all, source: source.unwrap_or(Source::StandardInput) })
    }
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
        }
    }
}

impl fmt::Display for UsageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownOption(option) => write!(f, "unknown option '{}', see --help", printable(option)),
            Self::SecondFile(name) => write!(f, "one file at a time, '{}' is a second, see --help", printable(name)),
        }
    }
}

impl std::error::Error for UsageError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Request, UsageError> {
        Request::parse(line.split_whitespace().map(OsString::from))
    }

    fn solve(all: bool, file: &str) -> Result<Request, UsageError> {
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
        assert_eq!(parse("--al"), Err(UsageError::UnknownOption("--al".into())));
        assert_eq!(parse("-a"), Err(UsageError::UnknownOption("-a".into())));
        assert_eq!(parse("a - "), Err(UsageError::SecondFile("-".into())));
    }

    #[test]
    fn names_are_printed_on_one_line() {
        assert_eq!(printable(OsStr::new("it's\n\u{1b}[31m\u{202e}é.txt")), "it's\\n\\u{1b}[31m\\u{202e}é.txt");
    }
}
