//! The Rust targets: checks that they are installed, and installs them with rustup.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::progress::Step;
use crate::run::{self, Ending};
use crate::{SetupError, TargetFailure, observe, workspace};

/// Time limit for rustup. It downloads a few megabytes, which a slow connection can do in this time. If it cannot,
/// rustup keeps what it has downloaded for the next attempt. Without the limit, a network that drops packets would make
/// rustup hang.
const RUSTUP_LIMIT: Duration = Duration::from_secs(120);

/// A target that is not the computer itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// The firmware of a Pico: the RP2040's Cortex-M0+ cores.
    Rp2040,
    /// The firmware of a Pico 2: the RP2350's Cortex-M33 cores, with their floating-point unit.
    Rp2350,
    /// A web browser.
    Wasm,
}

impl Target {
    /// The name that rustc uses.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rp2040 => "thumbv6m-none-eabi",
            Self::Rp2350 => "thumbv8m.main-none-eabihf",
            Self::Wasm => "wasm32-unknown-unknown",
        }
    }

    /// The compiled library whose presence shows that the target is installed.
    fn library(self) -> &'static str {
        match self {
            Self::Rp2040 | Self::Rp2350 => "core",
            Self::Wasm => "std",
        }
    }
}

/// A cargo that can build for one target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Toolchain {
    target: Target,
}

impl Toolchain {
    /// Checks that a target is installed, and installs it with rustup if it is not. `step` reports the progress.
    pub fn for_target(target: Target, step: &Step) -> Result<Self, SetupError> {
        if is_installed(target) {
            step.done("present");
        } else {
            add_with_rustup(target, step)?;
            step.done("installed by rustup");
        }
        Ok(Self { target })
    }

    /// A cargo command for the target, in the project's folder. `verb` is cargo's subcommand, such as `build`; the
    /// caller adds the other arguments.
    pub fn cargo(&self, verb: &str) -> Command {
        let mut command = workspace::cargo();
        command.args([verb, "--target", self.target.name()]);
        command
    }

    /// The folder of what cargo builds with a profile (`release`, `host`).
    pub fn products(&self, profile: &str) -> Result<PathBuf, SetupError> {
        Ok(workspace::target_directory()?.join(self.target.name()).join(profile))
    }
}

/// Runs `rustup target add` with a time limit.
fn add_with_rustup(target: Target, step: &Step) -> Result<(), SetupError> {
    let failed = |failure| Err(SetupError::NoTarget { target, failure });
    if !observe::on_path("rustup") {
        return failed(TargetFailure::NoRustup);
    }
    step.report(&format!("adding {} with rustup (at most {} s)", target.name(), RUSTUP_LIMIT.as_secs()));
    let mut command = Command::new("rustup");
    // A variable that requests backtraces of our programs would make rustup print one, which hides its message.
    command.current_dir(workspace::root()).args(["target", "add", target.name()]).env("RUST_BACKTRACE", "0");
    match run::run_with_limit(&mut command, Some(RUSTUP_LIMIT), step)? {
        // Checked again, because rustup may have changed another toolchain than the one that compiles.
        Ending::Success if is_installed(target) => Ok(()),
        Ending::Success => failed(TargetFailure::OtherCompiler),
        Ending::Failure => failed(TargetFailure::Failed),
        Ending::Stopped(after) => failed(TargetFailure::TimedOut(after)),
    }
}

/// Whether the rustc that cargo uses has the target's compiled library.
fn is_installed(target: Target) -> bool {
    has_library_for(target.name(), target.library())
}

fn has_library_for(target: &str, library: &str) -> bool {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| OsString::from("rustc"));
    let mut command = Command::new(rustc);
    command.current_dir(workspace::root()).args(["--print", "target-libdir", "--target", target]);
    run::output_of(&mut command).is_some_and(|folder| holds_library(Path::new(&folder), library))
}

/// Whether a folder holds a compiled library. The file's name has a hash in it: `libcore-0123456789abcdef.rlib`.
fn holds_library(folder: &Path, library: &str) -> bool {
    let start = format!("lib{library}-");
    fs::read_dir(folder).is_ok_and(|entries| {
        entries.flatten().any(|entry| {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            name.starts_with(&start) && name.ends_with(".rlib")
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observe::tests::Folder;

    #[test]
    fn library_is_recognised_by_its_file_name() {
        let folder = Folder::with("core", &["libcore-0123456789abcdef.rlib", "liballoc-77.rmeta", "libstd.rlib"]);
        assert!(holds_library(&folder.0, "core"));
        assert!(!holds_library(&folder.0, "alloc"), "no rlib");
        assert!(!holds_library(&folder.0, "std"), "no hash");
        assert!(!holds_library(&folder.0, "cor"));
        assert!(!holds_library(&folder.0.join("no-such-folder"), "core"));
    }

    #[test]
    fn installed_and_unknown_targets_are_distinguished() {
        // This test was compiled for the host, so the host's library is installed.
        let host = run::output_of(Command::new("rustc").args(["--print", "host-tuple"])).unwrap();
        assert!(has_library_for(&host, "core"));
        assert!(!has_library_for("no-such-target", "core"));
    }
}
