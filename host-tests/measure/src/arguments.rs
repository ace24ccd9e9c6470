//! The command line of `cargo measure`.

use std::path::PathBuf;

use lexopt::Parser;
use lexopt::prelude::*;

/// The text that `--help` prints.
pub(crate) const HELP: &str = "\
Builds the firmware for each chip and the web page, runs the firmware on the emulated handheld, and prints every figure
with its limit.

Usage: cargo measure [--json] [--record | --long] [--elf FILE]
       cargo measure --page
       cargo measure --cold
       cargo measure --solvers [--json]

  --json       print JSON instead of the table, and nothing else on standard output
  --record     write the figures to host-tests/measure/recorded.toml, after a change whose cost is intended
  --long       press keys 10,000 times in each rhythm, which takes about half an hour; these figures are not recorded
  --elf FILE   measure this firmware instead of building it; the web page is left out
  --page       instead, measure the web page: its size, and its speed in each browser on this computer
  --cold       instead, clone the last commit into a temporary folder and measure the time of the first `cargo play`
  --solvers    instead, compare our solver with textbook solvers on this computer, and draw
               docs/pictures/solve-speed.svg
  --build      only build the firmware
  --help       print this text

Emulated time, cycles, sizes and current are the same on every computer, to the cycle. The exit code is 0 when every
figure is within its limit and within 5 % of its recorded value, 1 when one is not, and 2 when something could not be
measured. docs/performance.md explains each figure.
";

/// The number of presses to measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// 1,000 presses in each rhythm: a few minutes. The recorded figures have this extent.
    Short,
    /// 10,000 presses in each rhythm.
    Long,
}

impl Extent {
    /// The number of presses in each rhythm.
    pub(crate) const fn presses(self) -> usize {
        match self {
            Self::Short => 1_000,
            Self::Long => 10_000,
        }
    }
}

/// The task that the command line requests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Request {
    /// Print the help text.
    Help,
    /// Build the firmware only.
    Build,
    /// Measure the firmware and the size of the page.
    Measure {
        /// Print JSON.
        json: bool,
        /// Write the recorded figures.
        record: bool,
        /// The number of presses.
        extent: Extent,
        /// Measure this firmware file instead of a new build.
        elf: Option<PathBuf>,
    },
    /// Measure the web page in browsers.
    Page,
    /// Measure the first build of a fresh clone.
    Cold,
    /// Compare our solver with textbook solvers.
    Solvers {
        /// Print JSON.
        json: bool,
    },
}

/// Reads the command line. An error is a sentence for the user.
pub(crate) fn parse(mut parser: Parser) -> Result<Request, lexopt::Error> {
    let (mut json, mut record, mut elf) = (false, false, None);
    let mut extent = Extent::Short;
    let mut tasks: Vec<(&str, Request)> = Vec::new();
    while let Some(argument) = parser.next()? {
        match argument {
            Short('h') | Long("help") => return Ok(Request::Help),
            Long("json") => json = true,
            Long("record") => record = true,
            Long("long") => extent = Extent::Long,
            Long("elf") => elf = Some(PathBuf::from(parser.value()?)),
            Long("build") => tasks.push(("--build", Request::Build)),
            Long("page") => tasks.push(("--page", Request::Page)),
            Long("cold") => tasks.push(("--cold", Request::Cold)),
            Long("solvers") => tasks.push(("--solvers", Request::Solvers { json: false })),
            other => return Err(other.unexpected()),
        }
    }
    let has_firmware_options = record || extent == Extent::Long || elf.is_some();
    match tasks.pop() {
        None if record && extent == Extent::Long => Err("--record and --long cannot be combined".into()),
        None => Ok(Request::Measure { json, record, extent, elf }),
        Some((name, _)) if has_firmware_options => Err(format!("{name} has no --record, --long or --elf").into()),
        Some((name, _)) if !tasks.is_empty() => Err(format!("{name} and {} cannot be combined", tasks[0].0).into()),
        Some((_, Request::Solvers { .. })) => Ok(Request::Solvers { json }),
        Some((name, _)) if json => Err(format!("{name} has no --json").into()),
        Some((_, request)) => Ok(request),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Request, String> {
        parse(Parser::from_args(line.split_whitespace())).map_err(|error| error.to_string())
    }

    #[test]
    fn options_are_read_in_any_order() {
        assert_eq!(parsed(""), Ok(Request::Measure { json: false, record: false, extent: Extent::Short, elf: None }));
        let all = Request::Measure { json: true, record: true, extent: Extent::Short, elf: Some(PathBuf::from("x")) };
        assert_eq!(parsed("--elf x --record --json"), Ok(all));
        let long = Request::Measure { json: true, record: false, extent: Extent::Long, elf: None };
        assert_eq!(parsed("--long --json"), Ok(long));
        assert_eq!(parsed("--json --solvers"), Ok(Request::Solvers { json: true }));
        assert_eq!(parsed("--build"), Ok(Request::Build));
        assert_eq!(parsed("--page"), Ok(Request::Page));
        assert_eq!(parsed("--cold"), Ok(Request::Cold));
        assert_eq!(parsed("--solvers --help"), Ok(Request::Help));
    }

    #[test]
    fn wrong_options_are_reported() {
        assert!(parsed("--fast").unwrap_err().contains("'--fast'"));
        assert!(parsed("--elf").unwrap_err().contains("missing argument for option '--elf'"));
        let combined = [
            "--solvers --record",
            "--build --json",
            "--page --record",
            "--page --cold",
            "--cold --json",
            "--long --record",
            "--long --solvers",
            "--page --elf x",
        ];
        for line in combined {
            assert!(parsed(line).is_err(), "{line}");
        }
    }
}
