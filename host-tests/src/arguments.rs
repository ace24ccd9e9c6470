//! The command line of `cargo host-tests`.

use lexopt::Parser;
use lexopt::prelude::*;

/// What `--help` prints.
pub const HELP: &str = "\
Runs every test of the project on this computer, from nothing but rustup's host toolchain.

Usage: cargo host-tests [FILTER...] [-- ARGUMENTS]

  FILTER      run only the tests with this in their names; several widen the choice
  ARGUMENTS   handed to Rust's test programs, such as --nocapture or --ignored; the page's tests are left out then

What it does:
  1. makes sure of the Rust targets of the chips, thumbv6m-none-eabi and thumbv8m.main-none-eabihf: by rustup, which gets
     two minutes for each; else by Debian's packages rustc-web, cargo-web, rust-web-src and lld, installed where we are
     root; elsewhere the command is printed
  2. builds the firmware for each
  3. builds all tests
  4. builds and serves the web page, and makes sure of Node.js, the npm packages of web/, Chromium and Firefox: as root,
     missing ones are installed from Debian and from npm's registry; elsewhere the command is printed
  5. runs all tests, those of the real firmware and those of the page in both browsers included

The tests of the page are named page::FILE::NAME, those in a browser browser::FILE::NAME.
Tests that lack something, such as a browser, are counted as skipped, and what they need is said at the end; if CI is
`true`, that is a failure.
The last line counts all tests, as `N passed, N failed`. The exit code is 0 only if nothing failed, and something ran
or a filter left nothing.

Environment:
  LIGHTS_OUT_TOOLCHAIN   rustup or debian: get the target this way and no other
  LIGHTS_OUT_INSTALL     sudo: install Debian's packages though we are not root; never: not even as root
  CARGO_TARGET_DIR       where build products go, as for cargo
  LIGHTS_OUT_ELF         set for the tests: the path of the firmware for a Pico
  LIGHTS_OUT_PICO2_ELF   the same for a Pico 2
  LIGHTS_OUT_CHROMIUM    the path of a browser of Chromium's family, if it is not to be the one in PATH
  LIGHTS_OUT_FIREFOX     the same for Firefox

Examples:
  cargo host-tests
  cargo host-tests firmware
  cargo host-tests browser::touch
  cargo host-tests solver -- --nocapture
  LIGHTS_OUT_TOOLCHAIN=debian cargo host-tests
";

/// What the user wants.
#[derive(Debug, PartialEq, Eq)]
pub enum Request {
    /// To read.
    Help,
    /// To test.
    Run(Arguments),
}

/// Which tests to run and how.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Arguments {
    /// Parts of names.
    pub filters: Vec<String>,
    /// What stood after `--`.
    pub for_test_programs: Vec<String>,
}

impl Arguments {
    /// Whether some tests may have been left out on purpose.
    pub fn select(&self) -> bool {
        !self.filters.is_empty() || !self.for_test_programs.is_empty()
    }
}

/// Reads the command line. An option before `--` that we do not know goes to the test programs too: they say so if they
/// do not know it either.
pub fn parse(mut parser: Parser) -> Result<Request, lexopt::Error> {
    let mut arguments = Arguments::default();
    loop {
        // Left alone, the parser would take what stands behind the dashes for filters.
        if let Some(mut rest) = parser.try_raw_args()
            && rest.next_if(|word| word == "--").is_some()
        {
            for word in rest {
                arguments.for_test_programs.push(word.string()?);
            }
            return Ok(Request::Run(arguments));
        }
        let option = match parser.next()? {
            None => return Ok(Request::Run(arguments)),
            Some(Value(word)) => {
                arguments.filters.push(word.string()?);
                continue;
            }
            Some(Short('h') | Long("help")) => return Ok(Request::Help),
            Some(Short(letter)) => format!("-{letter}"),
            Some(Long(name)) => format!("--{name}"),
        };
        let value = parser.optional_value().map(|value| value.string()).transpose()?;
        arguments.for_test_programs.push(value.map_or(option.clone(), |value| format!("{option}={value}")));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Request {
        parse(Parser::from_args(line.split_whitespace())).expect("plain words")
    }

    fn run(filters: &[&str], rest: &[&str]) -> Request {
        let owned = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        Request::Run(Arguments { filters: owned(filters), for_test_programs: owned(rest) })
    }

    #[test]
    fn words_are_filters_and_the_rest_is_for_the_test_programs() {
        assert_eq!(parsed(""), run(&[], &[]));
        assert_eq!(parsed("house solver"), run(&["house", "solver"], &[]));
        assert_eq!(parsed("house -- --nocapture -- x"), run(&["house"], &["--nocapture", "--", "x"]));
        assert_eq!(parsed("--ignored"), run(&[], &["--ignored"]));
        assert_eq!(parsed("--test-threads=1 house"), run(&["house"], &["--test-threads=1"]));
        assert_eq!(parsed("-q"), run(&[], &["-q"]));
    }

    #[test]
    fn help_is_ours_only_before_the_dashes() {
        assert_eq!(parsed("house --help"), Request::Help);
        assert_eq!(parsed("-- --help"), run(&[], &["--help"]));
    }
}
