//! The message for a command line that cannot be used.

use std::fmt;
use std::process::ExitCode;

/// The exit code that shells and most programs use for it.
const USAGE_ERROR: u8 = 2;

/// Prints what is wrong with the command line, and how to get help. `command` is the command that was typed, such as
/// `cargo play`.
pub fn report_usage_error(command: &str, error: impl fmt::Display) -> ExitCode {
    eprintln!("{error}.\nTry `{command} --help`.");
    ExitCode::from(USAGE_ERROR)
}
