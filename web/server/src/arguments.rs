//! The command line of `cargo play`.

use std::path::PathBuf;

use lexopt::Parser;
use lexopt::prelude::*;

/// What `--help` prints.
pub const HELP: &str = "\
Plays the handheld in a web browser: the real firmware, in an emulated Pico or Pico 2.

Usage: cargo play [--port PORT] [--no-open] [--until-input-ends]
       cargo play --write FOLDER

Builds the firmware and the page, serves the page to this computer alone (127.0.0.1), prints the address and opens a
browser. What is missing for building is got on the way, and said. Ctrl-C ends it. The page is there as soon as it can play
the Pico; the Pico 2's firmware is built meanwhile, and the page offers it when it is there.

Options:
  --port PORT      use this port, and no other; 0 is any free one. Without it: 8025, or any free one where that is taken.
                   What the browser keeps of the game belongs to the address, so another port begins anew
  --no-open        open no browser
  --until-input-ends
                   end when standard input does: for a program that starts this one and may die without a word
  --write FOLDER   serve nothing; write the page's files into FOLDER, for any web server to hand out. It is written once the
                   firmware for both chips is built, so it takes longer than until the page is served. FOLDER is new or
                   empty, or holds a page that was written this way: no other file is written over
  -h, --help       print this

Environment:
  LIGHTS_OUT_TOOLCHAIN   rustup or debian: get the targets this way and no other
  LIGHTS_OUT_INSTALL     sudo: install Debian's packages though we are not root; never: not even as root
  CARGO_TARGET_DIR       where build products go, as for cargo

Examples:
  cargo play
  cargo play --port 8000 --no-open
  cargo play --write site
";

/// What the user wants.
#[derive(Debug, PartialEq, Eq)]
pub enum Request {
    /// To read.
    Help,
    /// To have the page.
    Do(Action),
}

/// What becomes of the page.
#[derive(Debug, PartialEq, Eq)]
pub enum Action {
    /// It is handed out.
    Serve {
        /// At this port and no other, 0 being any; or, where none is given, at the usual one if that is free.
        port: Option<u16>,
        /// And a browser is opened.
        open: bool,
        /// Only for as long as somebody holds our standard input open.
        until_input_ends: bool,
    },
    /// It is written to a folder.
    Write(PathBuf),
}

/// Reads the command line; the error is a sentence.
pub fn parse(mut parser: Parser) -> Result<Request, lexopt::Error> {
    let (mut port, mut open, mut folder, mut until_input_ends) = (None, true, None, false);
    while let Some(argument) = parser.next()? {
        match argument {
            Short('h') | Long("help") => return Ok(Request::Help),
            Long("no-open") => open = false,
            Long("until-input-ends") => until_input_ends = true,
            Long("port") => {
                let text = parser.value()?.string()?;
                port = Some(text.parse().map_err(|_| format!("`{text}` is no port: 0 to 65535 are"))?);
            }
            Long("write") => match parser.value()? {
                empty if empty.is_empty() => return Err("--write wants a folder".into()),
                path => folder = Some(PathBuf::from(path)),
            },
            other => return Err(other.unexpected()),
        }
    }
    match (folder, port) {
        (Some(_), Some(_)) => Err("--write serves nothing, so --port means nothing with it".into()),
        (Some(folder), None) => Ok(Request::Do(Action::Write(folder))),
        (None, port) => Ok(Request::Do(Action::Serve { port, open, until_input_ends })),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Request, String> {
        parse(Parser::from_args(line.split_whitespace())).map_err(|error| error.to_string())
    }

    #[test]
    fn nothing_is_the_usual_port_and_a_browser() {
        assert_eq!(parsed(""), Ok(Request::Do(Action::Serve { port: None, open: true, until_input_ends: false })));
    }

    #[test]
    fn options_may_come_in_any_order_and_with_an_equals_sign() {
        let expected = Ok(Request::Do(Action::Serve { port: Some(8000), open: false, until_input_ends: false }));
        assert_eq!(parsed("--port 8000 --no-open"), expected);
        assert_eq!(parsed("--no-open --port=8000"), expected);
        let guarded = Ok(Request::Do(Action::Serve { port: None, open: true, until_input_ends: true }));
        assert_eq!(parsed("--until-input-ends"), guarded);
        assert_eq!(parsed("--write site"), Ok(Request::Do(Action::Write("site".into()))));
        assert_eq!(parsed("--port 1 --help"), Ok(Request::Help));
    }

    #[test]
    fn what_makes_no_sense_is_said() {
        for (line, part) in [
            ("--port", "missing argument for option '--port'"),
            ("--port=", "`` is no port"),
            ("--port 65536", "`65536` is no port"),
            ("--write", "missing argument for option '--write'"),
            ("--write=", "wants a folder"),
            ("--write a --port 1", "serves nothing"),
            ("--open", "invalid option '--open'"),
            ("--no-open=x", "unexpected argument for option '--no-open'"),
            ("site", "unexpected argument \"site\""),
        ] {
            assert!(parsed(line).is_err_and(|message| message.contains(part)), "{line}");
        }
    }
}
