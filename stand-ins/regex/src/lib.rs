//! Stands in for the crate `regex`, by a `[patch]` in the workspace's Cargo.toml.
//!
//! The crate `defmt-decoder` has one regular expression, with which its log formatter takes colours out of a text. We format
//! our log ourselves. The real crate with what it needs was a fifth of what building the web page takes. So here is that one
//! expression; any other is refused.
#![forbid(unsafe_code)]

use std::borrow::Cow;
use std::fmt;

/// A terminal's colours: escape, bracket, numbers with semicolons between them, `m`.
const COLOURS: &str = r"\x1b\[[0-9;]*m";

/// The one expression.
#[derive(Clone, Debug)]
pub struct Regex(());

/// Another expression, which the real crate would know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(String);

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not in stand-ins/regex", self.0)
    }
}

impl std::error::Error for Error {}

impl Regex {
    /// The expression, if it is the one.
    pub fn new(expression: &str) -> Result<Self, Error> {
        if expression == COLOURS { Ok(Self(())) } else { Err(Error(expression.to_owned())) }
    }

    /// The text with something else in the place of every match.
    pub fn replace_all<'a>(&self, text: &'a str, replacement: &str) -> Cow<'a, str> {
        let mut parts = text.split("\x1b[");
        let mut out = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            match part.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == ';').strip_prefix('m') {
                Some(behind) => out.extend([replacement, behind]),
                None => out.extend(["\x1b[", part]),
            }
        }
        out.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_taken_out_and_all_else_stays() {
        let colours = Regex::new(COLOURS).unwrap();
        let plain = |text| colours.replace_all(text, "");
        assert_eq!(plain("a \x1b[1;31mred\x1b[0m word\x1b[m"), "a red word");
        for text in ["", "plain", "\x1b[2K erased", "\x1b[1;3", "\x1b", "[0m"] {
            assert_eq!(plain(text), text);
        }
        assert_eq!(plain("\x1b[1\x1b[0mx"), "\x1b[1x");
    }

    #[test]
    fn any_other_expression_is_refused() {
        assert_eq!(Regex::new("a+").unwrap_err().to_string(), "`a+` is not in stand-ins/regex");
    }
}
