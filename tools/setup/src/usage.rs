//! One way to say that a command line was not understood.

use std::fmt;
use std::process::ExitCode;

/// The exit code for it, as shells and most programs have it.
const MISUSED: u8 = 2;

/// Says what is wrong with the command line, and where help is. `command` is what was typed: `cargo play`.
pub fn misused(command: &str, error: impl fmt::Display) -> ExitCode {
    eprintln!("{error}.\nTry `{command} --help`.");
    ExitCode::from(MISUSED)
}
