//! What can go wrong, in sentences for somebody who has just cloned the project.

use std::fmt;
use std::path::PathBuf;

use crate::debian::PACKAGES;
use crate::{FORCE_VARIABLE, Target, apt};

/// Why the set-up stopped.
#[derive(Debug)]
pub enum SetupError {
    /// No way to get the target worked; each entry says in a sentence what was tried, or why it could not be.
    NoTarget {
        /// What is missing.
        target: Target,
        /// One sentence per way.
        tried: Vec<String>,
    },
    /// A program could not be started at all.
    CannotRun {
        /// Its name or path.
        program: String,
        /// What the system said.
        reason: String,
    },
    /// Cargo ran and failed; its own messages stand above ours.
    BuildFailed {
        /// What was being built.
        what: String,
    },
    /// A file or folder could not be written or read.
    File {
        /// Which one.
        path: PathBuf,
        /// What the system said.
        reason: String,
    },
    /// A program said something that we could not make sense of.
    NotUnderstood {
        /// The program and what was asked of it.
        program: String,
    },
    /// A variable of ours holds a word that we do not know.
    UnknownChoice {
        /// The variable.
        variable: &'static str,
        /// What it holds.
        word: String,
    },
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoTarget { target, tried } => {
                let name = target.name();
                writeln!(f, "The Rust target {name} is needed. It is not here, and could not be installed:")?;
                for sentence in tried {
                    writeln!(f, "  - {sentence}")?;
                }
                writeln!(f, "Please install it by hand, in one of two ways, and start again:")?;
                writeln!(f, "  - with rustup and a network that reaches its server:")?;
                writeln!(f, "      rustup target add {name}")?;
                writeln!(f, "  - on Debian 12 or later with its security updates:")?;
                write!(f, "      {}", apt::command(&PACKAGES))
            }
            Self::CannotRun { program, reason } => {
                write!(f, "The program `{program}` could not be started ({reason}). Please install it.")
            }
            Self::BuildFailed { what } => {
                write!(f, "Building {what} failed. What cargo says about it stands above.")
            }
            Self::File { path, reason } => write!(f, "The path {} cannot be used: {reason}.", path.display()),
            Self::NotUnderstood { program } => write!(f, "The answer of `{program}` was not understood."),
            Self::UnknownChoice { variable, word } => {
                let choice = if *variable == FORCE_VARIABLE { "`rustup` or `debian`" } else { "`sudo` or `never`" };
                write!(f, "{variable} is `{word}`. It may be {choice}, or not be set.")
            }
        }
    }
}

impl std::error::Error for SetupError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_target_says_what_was_tried_and_what_to_type() {
        let error = SetupError::NoTarget { target: Target::Rp2040, tried: vec!["There is no rustup here.".into()] };
        let text = error.to_string();
        assert!(text.contains("  - There is no rustup here.\n"));
        assert!(text.contains("rustup target add thumbv6m-none-eabi"));
        assert!(text.contains("rustc-web cargo-web rust-web-src lld"));
    }
}
