//! The command line of `cargo host-tests`.

/// What `--help` prints.
pub const HELP: &str = "\
Runs every test of the project on this computer, from nothing but rustup's host toolchain.

Usage: cargo host-tests [FILTER...] [-- ARGUMENTS]

  FILTER      run only the tests with this in their names; several widen the choice
  ARGUMENTS   handed to the test programs, such as --nocapture or --ignored

What it does:
  1. makes sure of the Rust target of the chip, thumbv6m-none-eabi: by rustup, which gets two minutes for it;
     else by Debian's packages rustc-web, cargo-web, rust-web-src and lld, installed where we are root or sudo asks
     for no password
  2. builds the firmware
  3. builds and runs all tests, those of the real firmware included

The last line counts all tests, as `N passed, N failed`. The exit code is 0 only if nothing failed, and something ran
or a filter left nothing.

Environment:
  LIGHTS_OUT_TOOLCHAIN   rustup or debian: get the target this way and no other
  CARGO_TARGET_DIR       where build products go, as for cargo
  LIGHTS_OUT_ELF         set for the tests: the path of the firmware

Examples:
  cargo host-tests
  cargo host-tests firmware
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
pub fn parse(words: impl IntoIterator<Item = String>) -> Request {
    let mut arguments = Arguments::default();
    let mut ours = true;
    for word in words {
        match word.as_str() {
            "--" if ours => ours = false,
            "-h" | "--help" if ours => return Request::Help,
            option if !ours || option.starts_with('-') => arguments.for_test_programs.push(word),
            _ => arguments.filters.push(word),
        }
    }
    Request::Run(arguments)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Request {
        parse(line.split_whitespace().map(str::to_owned))
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
    }

    #[test]
    fn help_is_ours_only_before_the_dashes() {
        assert_eq!(parsed("house --help"), Request::Help);
        assert_eq!(parsed("-- --help"), run(&[], &["--help"]));
    }
}
