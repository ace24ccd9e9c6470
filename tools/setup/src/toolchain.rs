//! A cargo that can build for a target, whichever way it was come by.

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use crate::plan::{self, Facts, Way};
use crate::progress::Step;
use crate::run::{self, Ending};
use crate::{SetupError, debian, observe, workspace};

/// How long rustup may take. The download is a few megabytes: over the slowest line worth the name it is done by then,
/// and if not, what came is kept for the next time.
const PATIENCE: Duration = Duration::from_secs(120);
/// How long rustup may take where Debian's packages are ready: whoever has no network should not wait each time.
const PATIENCE_WITH_WAY_OUT: Duration = Duration::from_secs(30);

/// What we build for, besides the computer itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// The firmware of a Pico: the RP2040's Cortex-M0+ cores.
    Rp2040,
    /// That of a Pico 2: the RP2350's Cortex-M33 cores, with their unit for floating point.
    Rp2350,
    /// A web browser.
    Wasm,
}

impl Target {
    /// Its name in Rust.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rp2040 => "thumbv6m-none-eabi",
            Self::Rp2350 => "thumbv8m.main-none-eabihf",
            Self::Wasm => "wasm32-unknown-unknown",
        }
    }

    /// The library whose presence shows that the target is installed.
    pub(crate) fn library(self) -> &'static str {
        match self {
            Self::Rp2040 | Self::Rp2350 => "core",
            Self::Wasm => "std",
        }
    }

    /// What to build from source where no compiled library is to be had.
    pub(crate) fn library_crates(self) -> &'static str {
        match self {
            Self::Rp2040 | Self::Rp2350 => "core",
            Self::Wasm => "std,panic_abort",
        }
    }
}

/// A cargo that can build for one target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Toolchain {
    target: Target,
    from_debian: bool,
}

impl Toolchain {
    /// Makes sure of a target, and says through `step` what it does about it.
    pub fn for_target(target: Target, step: &Step) -> Result<Self, SetupError> {
        let facts = observe::facts(target)?;
        let mut tried = plan::ruled_out(facts);
        for way in plan::ways(facts) {
            match go(way, target, facts, step) {
                Ok(done) => {
                    step.done(done);
                    return Ok(Self { target, from_debian: matches!(way, Way::DebianReady | Way::DebianInstall) });
                }
                Err(sentence) => {
                    step.say(&sentence);
                    tried.push(sentence);
                }
            }
        }
        Err(SetupError::NoTarget { target, tried })
    }

    /// A cargo command for the target, in the project's folder: `verb` is `build` or the like; the caller adds the rest.
    pub fn cargo(&self, verb: &str) -> Result<Command, SetupError> {
        if self.from_debian {
            return debian::cargo(verb, self.target);
        }
        let mut command = workspace::cargo();
        command.args([verb, "--target", self.target.name()]);
        Ok(command)
    }

    /// Where that cargo leaves what it built with a profile (`release`, `host`).
    pub fn products(&self, profile: &str) -> Result<PathBuf, SetupError> {
        let folder = if self.from_debian { debian::target_directory()? } else { workspace::target_directory()? };
        Ok(folder.join(self.target.name()).join(profile))
    }

    /// What it builds for.
    pub fn target(&self) -> Target {
        self.target
    }

    /// Whether this is Debian's compiler and not the one that the project names.
    pub fn is_from_debian(&self) -> bool {
        self.from_debian
    }
}

/// Goes one way: how it ended well, or a sentence about why it did not.
fn go(way: Way, target: Target, facts: Facts, step: &Step) -> Result<&'static str, String> {
    match way {
        Way::Present => Ok("present"),
        Way::DebianReady => Ok("by Debian's packages, present"),
        Way::DebianInstall => debian::install(target, step).map(|()| "by Debian's packages, installed"),
        Way::Rustup => add_with_rustup(target, facts, step).map(|()| "installed by rustup"),
    }
}

fn add_with_rustup(target: Target, facts: Facts, step: &Step) -> Result<(), String> {
    let patience = if facts.debian_ready { PATIENCE_WITH_WAY_OUT } else { PATIENCE };
    step.say(&format!("asking rustup for {} (at most {} s)", target.name(), patience.as_secs()));
    let mut command = Command::new("rustup");
    // Where backtraces are wanted of our programs, rustup would add its own, which buries its message.
    command.current_dir(workspace::root()).args(["target", "add", target.name()]).env("RUST_BACKTRACE", "0");
    match run::watched(&mut command, Some(patience), step) {
        // Asked again, because rustup may have served another toolchain than the one that compiles.
        Ok(Ending::Success) if observe::library_present(target) => Ok(()),
        Ok(Ending::Success) => Err("Rustup succeeded, but the rustc in use is not rustup's.".to_owned()),
        Ok(Ending::Failure) => Err(format!("Rustup could not add {}.", target.name())),
        Ok(Ending::Stopped(after)) => Err(format!("Rustup got nowhere in {} s and was stopped.", after.as_secs())),
        Err(error) => Err(error.to_string()),
    }
}
