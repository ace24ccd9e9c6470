//! The command line of `cargo play`.

use std::path::PathBuf;

/// What `--help` prints.
pub const HELP: &str = "\
Plays the handheld in a web browser: the real firmware, in an emulated Pico.

Usage: cargo play [--port PORT] [--no-open]
       cargo play --write FOLDER

Builds the firmware and the page, serves the page to this computer alone (127.0.0.1), prints the address and opens a
browser. What is missing for building is installed on the way, and said. Ctrl-C ends it.

Options:
  --port PORT      use this port, and no other; without it, any free one
  --no-open        open no browser
  --write FOLDER   serve nothing; write the page's files into FOLDER, for any web server to hand out
  -h, --help       print this

Environment:
  LIGHTS_OUT_TOOLCHAIN   rustup or debian: get the targets this way and no other
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
        /// At this port; 0 is any.
        port: u16,
        /// And a browser is opened.
        open: bool,
    },
    /// It is written to a folder.
    Write(PathBuf),
}

/// Reads the arguments; the error is a sentence.
pub fn parse(arguments: impl Iterator<Item = String>) -> Result<Request, String> {
    let mut arguments = arguments;
    let (mut port, mut open, mut folder) = (None, true, None);
    while let Some(argument) = arguments.next() {
        let (name, value) = match argument.split_once('=') {
            Some((name, value)) if name.starts_with("--") => (name.to_owned(), Some(value.to_owned())),
            _ => (argument, None),
        };
        let mut value = |what: &str| {
            let given = value.clone().or_else(|| arguments.next()).filter(|value| !value.is_empty());
            given.ok_or_else(|| format!("{name} wants a {what}."))
        };
        match name.as_str() {
            "-h" | "--help" => return Ok(Request::Help),
            "--no-open" => open = false,
            "--port" => {
                let text = value("port")?;
                port = Some(text.parse().map_err(|_| format!("`{text}` is no port: 0 to 65535 are."))?);
            }
            "--write" => folder = Some(PathBuf::from(value("folder")?)),
            _ => return Err(format!("`{name}` is not known.")),
        }
    }
    match (folder, port) {
        (Some(_), Some(_)) => Err("--write serves nothing, so --port means nothing with it.".to_owned()),
        (Some(folder), None) => Ok(Request::Do(Action::Write(folder))),
        (None, port) => Ok(Request::Do(Action::Serve { port: port.unwrap_or(0), open })),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Request, String> {
        parse(line.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn nothing_is_any_port_and_a_browser() {
        assert_eq!(parsed(""), Ok(Request::Do(Action::Serve { port: 0, open: true })));
    }

    #[test]
    fn options_may_come_in_any_order_and_with_an_equals_sign() {
        let expected = Ok(Request::Do(Action::Serve { port: 8000, open: false }));
        assert_eq!(parsed("--port 8000 --no-open"), expected);
        assert_eq!(parsed("--no-open --port=8000"), expected);
        assert_eq!(parsed("--write site"), Ok(Request::Do(Action::Write("site".into()))));
        assert_eq!(parsed("--port 1 --help"), Ok(Request::Help));
    }

    #[test]
    fn what_makes_no_sense_is_said() {
        for (line, part) in [
            ("--port", "wants a port"),
            ("--port=", "wants a port"),
            ("--port 65536", "`65536` is no port"),
            ("--write", "wants a folder"),
            ("--write a --port 1", "serves nothing"),
            ("--open", "`--open` is not known"),
            ("site", "`site` is not known"),
        ] {
            assert!(parsed(line).is_err_and(|message| message.contains(part)), "{line}");
        }
    }
}
