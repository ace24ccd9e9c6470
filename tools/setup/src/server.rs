//! Runs the web page's server, `cargo play`, for the tests and measurements of the page.

use std::io::{BufRead, BufReader};
use std::process::{Child, ChildStdout, Stdio};

use crate::{SetupError, cargo};

/// A running `cargo play`. It ends with this program, because then its standard input is closed.
#[derive(Debug)]
pub struct Server {
    /// The address of the page.
    pub address: String,
    child: Child,
    /// Kept open, because `cargo play` stops if it cannot print.
    _output: BufReader<ChildStdout>,
}

impl Server {
    /// Builds the page and serves it. `progress` receives the progress lines of `cargo play`.
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
            // The last line at start-up says whether the page has the firmware for the Pico 2 too.
            if line.starts_with("The page plays the Pico only") {
                return Err(SetupError::BuildFailed { what: "the firmware for the Pico 2".to_owned() });
            }
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
        // Both calls fail only if it has ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
