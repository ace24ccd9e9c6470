//! The command line of `cargo play`.

use std::path::PathBuf;

use lexopt::Parser;
use lexopt::prelude::*;

/// The text of `--help`.
pub(crate) const HELP: &str = "\
Plays the handheld in a web browser: the real firmware, in an emulated Pico or Pico 2.

Usage: cargo play [--port PORT] [--no-open] [--until-input-ends]
       cargo play --write FOLDER

Builds the firmware and the page, serves the page to this computer only (127.0.0.1), prints the address and opens a
browser. Missing Rust targets are installed automatically, and reported. Press Ctrl-C to stop. The page starts with the
Pico; the firmware for the Pico 2 is built in the background, and the page offers the Pico 2 when it is ready.

Options:
  --port PORT      use this port only; 0 is any free port. Without this option: port 8025, or any free port if 8025 is
                   in use. The browser keeps the game for each address, so a page at another port starts a new game
  --no-open        do not open a browser
  --until-input-ends
                   stop when standard input ends: for a program that starts this one and may end unexpectedly
  --write FOLDER   do not serve the page; write its files into FOLDER, for any web server. The files are written after
                   the firmware for both chips is built. FOLDER must be new or empty, or hold a page that was written
                   this way: other files are never overwritten
  -h, --help       print this text

Environment:
  CARGO_TARGET_DIR   the folder for build products, as for cargo

Examples:
  cargo play
  cargo play --port 8000 --no-open
  cargo play --write site
";

/// What the command line asks for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Request {
    /// Print the help.
    Help,
    /// Build the page.
    Run(Action),
}

/// What to do with the page.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Action {
    /// Serve it.
    Serve {
        /// The only port to use, 0 being any free port; without it, the default port or any free port.
        port: Option<u16>,
        /// Whether to open a browser.
        open: bool,
        /// Whether to stop when standard input ends.
        until_input_ends: bool,
    },
    /// Write it to this folder.
    Write(PathBuf),
}

/// Reads the command line.
pub(crate) fn parse(mut parser: Parser) -> Result<Request, lexopt::Error> {
    let (mut port, mut open, mut folder, mut until_input_ends) = (None, true, None, false);
    while let Some(argument) = parser.next()? {
        match argument {
            Short('h') | Long("help") => return Ok(Request::Help),
            Long("no-open") => open = false,
            Long("until-input-ends") => until_input_ends = true,
            Long("port") => {
                let text = parser.value()?.string()?;
                port = Some(text.parse().map_err(|_| format!("`{text}` is not a port; ports are 0 to 65535"))?);
            }
            Long("write") => match parser.value()? {
                empty if empty.is_empty() => return Err("--write needs a folder".into()),
                path => folder = Some(PathBuf::from(path)),
            },
            other => return Err(other.unexpected()),
        }
    }
    match (folder, port) {
        (Some(_), Some(_)) => Err("--write does not serve the page, so --port cannot be used with it".into()),
        (Some(folder), None) => Ok(Request::Run(Action::Write(folder))),
        (None, port) => Ok(Request::Run(Action::Serve { port, open, until_input_ends })),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Request, String> {
        parse(Parser::from_args(line.split_whitespace())).map_err(|error| error.to_string())
    }

    #[test]
    fn no_options_mean_default_port_and_browser() {
        assert_eq!(parsed(""), Ok(Request::Run(Action::Serve { port: None, open: true, until_input_ends: false })));
    }

    #[test]
    fn options_may_have_any_order_and_equals_signs() {
        let expected = Ok(Request::Run(Action::Serve { port: Some(8000), open: false, until_input_ends: false }));
        assert_eq!(parsed("--port 8000 --no-open"), expected);
        assert_eq!(parsed("--no-open --port=8000"), expected);
        let until_end = Ok(Request::Run(Action::Serve { port: None, open: true, until_input_ends: true }));
        assert_eq!(parsed("--until-input-ends"), until_end);
        assert_eq!(parsed("--write site"), Ok(Request::Run(Action::Write("site".into()))));
        assert_eq!(parsed("--port 1 --help"), Ok(Request::Help));
    }

    #[test]
    fn invalid_command_lines_are_explained() {
        for (line, part) in [
            ("--port", "missing argument for option '--port'"),
            ("--port=", "`` is not a port"),
            ("--port 65536", "`65536` is not a port"),
            ("--write", "missing argument for option '--write'"),
            ("--write=", "needs a folder"),
            ("--write a --port 1", "does not serve"),
            ("--open", "invalid option '--open'"),
            ("--no-open=x", "unexpected argument for option '--no-open'"),
            ("site", "unexpected argument \"site\""),
        ] {
            assert!(parsed(line).is_err_and(|message| message.contains(part)), "{line}");
        }
    }
}
