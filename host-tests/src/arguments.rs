//! The command line of `cargo host-tests`.

use lexopt::Parser;
use lexopt::prelude::*;

/// The text that `--help` prints.
pub(crate) const HELP: &str = "\
Runs every test of the project on this computer. Only rustup's host toolchain has to be installed.

Usage: cargo host-tests [FILTER...] [-- ARGUMENTS]

  FILTER      run only the tests whose names contain this text; with several filters, one match is enough
  ARGUMENTS   arguments for Rust's test programs, such as --nocapture or --ignored; the page's tests do not run then

Steps:
  1. install the Rust targets of the chips, thumbv6m-none-eabi and thumbv8m.main-none-eabihf, if they are missing
  2. build the firmware for each chip
  3. build all tests
  4. build and serve the web page; install Node.js, the npm packages of web/, Chromium and Firefox if they are missing.
     As root, they are installed from Debian and from npm's registry; otherwise the command is printed
  5. run all tests, also those of the real firmware and those of the page in both browsers

The tests of the page are named page::FILE::NAME, those in a browser browser::FILE::NAME.
A test that needs a missing program, such as a browser, is skipped, and the program is named at the end. If the variable
CI is `true`, a skipped test is a failure.
The last line counts all tests, as `N passed, N failed`. The exit code is 0 if no test failed and at least one ran. It
is also 0 if the filters match no test.

Environment:
  LIGHTS_OUT_INSTALL     sudo: install Debian's packages although the user is not root; never: do not install them
  CARGO_TARGET_DIR       the folder for build products, as for cargo
  LIGHTS_OUT_ELF         set for the tests: the path of the firmware for a Pico
  LIGHTS_OUT_PICO2_ELF   set for the tests: the path of the firmware for a Pico 2
  LIGHTS_OUT_CHROMIUM    the path of a Chromium browser that is not in PATH
  LIGHTS_OUT_FIREFOX     the path of a Firefox that is not in PATH

Examples:
  cargo host-tests
  cargo host-tests firmware
  cargo host-tests browser::touch
  cargo host-tests solver -- --nocapture
";

/// The task that the command line requests.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Request {
    /// Print the help text.
    Help,
    /// Run tests.
    Run(Arguments),
}

/// Which tests to run and how.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Arguments {
    /// Texts that the names of tests contain.
    pub(crate) filters: Vec<String>,
    /// The arguments after `--`.
    pub(crate) for_test_programs: Vec<String>,
}

impl Arguments {
    /// Whether only some of the tests are selected.
    pub(crate) fn is_selection(&self) -> bool {
        !self.filters.is_empty() || !self.for_test_programs.is_empty()
    }
}

/// Reads the command line. An unknown option before `--` is passed to the test programs too, which report it if they do
/// not know it either.
pub(crate) fn parse(mut parser: Parser) -> Result<Request, lexopt::Error> {
    let mut arguments = Arguments::default();
    loop {
        // The parser alone would read the arguments after `--` as filters.
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
    fn words_are_filters_options_go_to_test_programs() {
        assert_eq!(parsed(""), run(&[], &[]));
        assert_eq!(parsed("house solver"), run(&["house", "solver"], &[]));
        assert_eq!(parsed("house -- --nocapture -- x"), run(&["house"], &["--nocapture", "--", "x"]));
        assert_eq!(parsed("--ignored"), run(&[], &["--ignored"]));
        assert_eq!(parsed("--test-threads=1 house"), run(&["house"], &["--test-threads=1"]));
        assert_eq!(parsed("-q"), run(&[], &["-q"]));
    }

    #[test]
    fn help_after_dashes_goes_to_test_programs() {
        assert_eq!(parsed("house --help"), Request::Help);
        assert_eq!(parsed("-- --help"), run(&[], &["--help"]));
    }
}
