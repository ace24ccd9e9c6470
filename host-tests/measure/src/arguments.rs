//! The command line of `cargo measure`.

use std::path::PathBuf;

use lexopt::Parser;
use lexopt::prelude::*;

/// What `--help` prints.
pub const HELP: &str = "\
Builds the firmware for each chip, runs it on the virtual handheld, and prints every figure of it with its limit.

Usage: cargo measure [--json] [--record | --long] [--elf FILE]
       cargo measure --seeds [--json]
       cargo measure --page

  --json       JSON instead of the table, and nothing else on standard output
  --record     writes what was measured to host-tests/measure/recorded.toml: on purpose, after a change that costs something
  --long       presses keys 10,000 times in each rhythm, which takes about half an hour; those figures have no record
  --elf FILE   measures this firmware instead of building some
  --seeds      instead, compares our solver with the ways of the seed texts, on this machine, and draws
               docs/pictures/solve-speed.svg
  --page       instead, tells how fast the web page is in each browser, on this machine
  --build      only builds the firmware
  --help       this text

Emulated time, cycles, sizes and current are the same on every machine, to the cycle. The exit code is 0 when all limits
are kept and nothing has become worse by more than 5 % than recorded; 1 when not; 2 when it could not be measured.
docs/performance.md says what each figure means.
";

/// How many presses are measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// As many as fit into some minutes, and as were recorded.
    Short,
    /// As many as are promised to be answered in time.
    Long,
}

impl Extent {
    /// In each rhythm.
    pub const fn presses(self) -> usize {
        match self {
            Self::Short => 1_000,
            Self::Long => 10_000,
        }
    }
}

/// What the user wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// To read.
    Help,
    /// The firmware and no more.
    Build,
    /// The figures of the firmware.
    Measure {
        /// For a program.
        json: bool,
        /// Write the record anew.
        record: bool,
        /// How much is measured.
        extent: Extent,
        /// This firmware, not one built now.
        elf: Option<PathBuf>,
    },
    /// The speed of the web page.
    Page,
    /// The comparison with the seeds.
    Seeds {
        /// For a program.
        json: bool,
    },
}

/// Reads the command line; an error is a sentence.
pub fn parse(mut parser: Parser) -> Result<Request, lexopt::Error> {
    let (mut json, mut record, mut seeds, mut build, mut page, mut elf) = (false, false, false, false, false, None);
    let mut extent = Extent::Short;
    while let Some(argument) = parser.next()? {
        match argument {
            Short('h') | Long("help") => return Ok(Request::Help),
            Long("json") => json = true,
            Long("record") => record = true,
            Long("long") => extent = Extent::Long,
            Long("seeds") => seeds = true,
            Long("build") => build = true,
            Long("page") => page = true,
            Long("elf") => elf = Some(PathBuf::from(parser.value()?)),
            other => return Err(other.unexpected()),
        }
    }
    let is_long = extent == Extent::Long;
    match (seeds, build, page) {
        (true, ..) if record || is_long || build || page || elf.is_some() => {
            Err("--seeds goes with --json only".into())
        }
        (_, true, _) if json || record || is_long || page || elf.is_some() => {
            Err("--build goes with nothing else".into())
        }
        (_, _, true) if json || record || is_long || elf.is_some() => Err("--page goes with nothing else".into()),
        _ if record && is_long => Err("--record is of the short form, not of --long".into()),
        (true, ..) => Ok(Request::Seeds { json }),
        (_, true, _) => Ok(Request::Build),
        (_, _, true) => Ok(Request::Page),
        _ => Ok(Request::Measure { json, record, extent, elf }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Request, String> {
        parse(Parser::from_args(line.split_whitespace())).map_err(|error| error.to_string())
    }

    #[test]
    fn options_in_any_order() {
        assert_eq!(parsed(""), Ok(Request::Measure { json: false, record: false, extent: Extent::Short, elf: None }));
        let all = Request::Measure { json: true, record: true, extent: Extent::Short, elf: Some(PathBuf::from("x")) };
        assert_eq!(parsed("--elf x --record --json"), Ok(all));
        let long = Request::Measure { json: true, record: false, extent: Extent::Long, elf: None };
        assert_eq!(parsed("--long --json"), Ok(long));
        assert_eq!(parsed("--json --seeds"), Ok(Request::Seeds { json: true }));
        assert_eq!(parsed("--build"), Ok(Request::Build));
        assert_eq!(parsed("--page"), Ok(Request::Page));
        assert_eq!(parsed("--seeds --help"), Ok(Request::Help));
    }

    #[test]
    fn what_makes_no_sense_is_said() {
        assert!(parsed("--fast").unwrap_err().contains("'--fast'"));
        assert!(parsed("--elf").unwrap_err().contains("missing argument for option '--elf'"));
        assert!(parsed("--seeds --record").is_err());
        assert!(parsed("--build --json").is_err());
        assert!(parsed("--page --record").is_err());
        assert!(parsed("--long --record").is_err());
        assert!(parsed("--long --seeds").is_err());
    }
}
