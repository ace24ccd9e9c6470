//! The web page's server, `cargo play` itself, for tests and measurements of the page.

use std::io::{BufRead, BufReader};
use std::process::{Child, ChildStdout, Stdio};

use crate::{SetupError, cargo};

/// `cargo play`, running. It ends with us, because then nobody holds its standard input any more.
#[derive(Debug)]
pub struct Server {
    /// Where the page is.
    pub address: String,
    child: Child,
    /// Held open, because a program that cannot print stops.
    _output: BufReader<ChildStdout>,
}

impl Server {
    /// Builds the page and serves it. `progress` gets the lines that tell how far it is.
    pub fn start(progress: impl Fn(&str)) -> Result<Self, SetupError> {
        let failed = |reason: String| SetupError::CannotRun { program: "cargo play".to_owned(), reason };
        let mut child = cargo()
            .args(["play", "--no-open", "--until-input-ends", "--port", "0"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| failed(error.to_string()))?;
        let output = child.stdout.take().ok_or_else(|| failed("it has no output".to_owned()))?;
        let mut output = BufReader::new(output);
        let (mut line, mut address) = (String::new(), None);
        while output.read_line(&mut line).map_err(|error| failed(error.to_string()))? > 0 {
            if let Some(given) = line.trim_end().strip_prefix("Play at ") {
                address = Some(given.to_owned());
            }
            // Its last word: whether the Pico 2 is on the page too.
            if let Some(address) = address.take_if(|_| line.starts_with("The page plays the Pico 2")) {
                return Ok(Self { address, child, _output: output });
            }
            if line.starts_with('[') {
                progress(line.trim_end());
            }
            line.clear();
        }
        Err(SetupError::BuildFailed { what: "the page".to_owned() })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
