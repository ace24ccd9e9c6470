//! The errors of this crate, as messages for a person who has just cloned the project.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use crate::{INSTALL_VARIABLE, Target};

/// Why the set-up stopped.
#[derive(Debug)]
pub enum SetupError {
    /// A Rust target is missing and could not be installed.
    NoTarget {
        /// The missing target.
        target: Target,
        /// Why it could not be installed.
        failure: TargetFailure,
    },
    /// A program could not be started.
    CannotRun {
        /// Its name or path.
        program: String,
        /// The message of the operating system.
        reason: String,
    },
    /// Cargo reported an error. Its own messages are already printed.
    BuildFailed {
        /// What was being built.
        what: String,
    },
    /// A file or folder could not be written or read.
    File {
        /// Its path.
        path: PathBuf,
        /// The message of the operating system.
        reason: String,
    },
    /// A program printed something unexpected.
    NotUnderstood {
        /// The program and its arguments.
        program: String,
    },
    /// [`INSTALL_VARIABLE`] has an unknown value.
    UnknownInstallChoice {
        /// The value.
        value: String,
    },
}

/// Why `rustup target add` did not install a target.
#[derive(Debug)]
pub enum TargetFailure {
    /// There is no rustup in PATH.
    NoRustup,
    /// Rustup reported an error. Its own messages are already printed.
    Failed,
    /// Rustup took longer than its time limit and was stopped.
    TimedOut(Duration),
    /// Rustup installed the target, but the rustc in use does not belong to rustup.
    OtherCompiler,
}

impl fmt::Display for TargetFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoRustup => {
                write!(f, "The program rustup, which installs targets, is not in PATH. Install it (https://rustup.rs).")
            }
            Self::Failed => write!(
                f,
                "rustup could not add it; see its message above. If it cannot reach its server \
                 (https://static.rust-lang.org), check the network and the proxy settings."
            ),
            Self::TimedOut(after) => write!(
                f,
                "rustup was stopped after {} s. Check the connection to its server (https://static.rust-lang.org).",
                after.as_secs()
            ),
            Self::OtherCompiler => write!(
                f,
                "rustup added it, but the rustc in use is not the one of rustup. Put rustup's folder \
                 (usually ~/.cargo/bin) first in PATH."
            ),
        }
    }
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoTarget { target, failure } => {
                let name = target.name();
                writeln!(f, "The Rust target {name} is missing.")?;
                writeln!(f, "{failure}")?;
                writeln!(f, "Then run this command in the project's folder, and start again:")?;
                write!(f, "    rustup target add {name}")
            }
            Self::CannotRun { program, reason } => {
                write!(f, "The program `{program}` could not be started ({reason}). Please install it.")
            }
            Self::BuildFailed { what } => write!(f, "Building {what} failed. See cargo's messages above."),
            Self::File { path, reason } => write!(f, "The path {} cannot be used: {reason}.", path.display()),
            Self::NotUnderstood { program } => write!(f, "`{program}` printed something unexpected."),
            Self::UnknownInstallChoice { value } => {
                write!(f, "{INSTALL_VARIABLE} is `{value}`. Set it to `sudo` or `never`, or do not set it.")
            }
        }
    }
}

impl std::error::Error for SetupError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_target_names_reason_and_command() {
        for (failure, part) in [
            (TargetFailure::NoRustup, "Install it (https://rustup.rs)"),
            (TargetFailure::Failed, "https://static.rust-lang.org"),
            (TargetFailure::TimedOut(Duration::from_secs(120)), "stopped after 120 s"),
            (TargetFailure::OtherCompiler, "first in PATH"),
        ] {
            let text = SetupError::NoTarget { target: Target::Rp2040, failure }.to_string();
            assert!(text.starts_with("The Rust target thumbv6m-none-eabi is missing.\n"), "{text}");
            assert!(text.contains(part), "{text}");
            assert!(text.ends_with("    rustup target add thumbv6m-none-eabi"), "{text}");
        }
    }
}
