//! Debian's packages: who may install them, and how.
//!
//! Root is asked nothing: a container or a build machine is there to be set up. Anybody else's computer is theirs, and is
//! left alone unless [`INSTALL_VARIABLE`] says `sudo`, even where sudo asks for no password. What is missing is named, with
//! the command that gets it.

use std::env;
use std::fs::File;
use std::process::Command;

use crate::progress::Step;
use crate::run::{self, Ending};
use crate::{INSTALL_VARIABLE, SetupError, observe};

/// Whether we may install packages, and as whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leave {
    /// We are root.
    Root,
    /// We were told to, and sudo asks for no password.
    Sudo,
    /// We may not.
    None,
}

/// A package that a program needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Package {
    /// It is here, perhaps since just now.
    Ready,
    /// It is not.
    Missing {
        /// What gets it.
        command: String,
    },
}

/// Who we are, as far as it matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Situation {
    apt_present: bool,
    root: bool,
    sudo_is_free: bool,
}

/// Whether packages may be installed here.
pub fn leave() -> Result<Leave, SetupError> {
    let word = env::var_os(INSTALL_VARIABLE).unwrap_or_default();
    let situation = Situation {
        apt_present: observe::on_path("apt-get"),
        root: observe::is_root(),
        // Not even asked, where it does not matter.
        sudo_is_free: word == "sudo" && observe::sudo_is_free(),
    };
    decide(&word.to_string_lossy(), situation)
}

fn decide(word: &str, situation: Situation) -> Result<Leave, SetupError> {
    let Situation { apt_present, root, sudo_is_free } = situation;
    match word {
        "" | "sudo" | "never" if !apt_present => Ok(Leave::None),
        "" | "sudo" if root => Ok(Leave::Root),
        "sudo" if sudo_is_free => Ok(Leave::Sudo),
        "" | "sudo" | "never" => Ok(Leave::None),
        other => Err(SetupError::UnknownChoice { variable: INSTALL_VARIABLE, word: other.to_owned() }),
    }
}

/// The command that installs packages, for whoever is to type it.
pub fn command(packages: &[&str]) -> String {
    let sudo = if observe::is_root() { "" } else { "sudo " };
    format!("{sudo}apt-get install --no-install-recommends {}", packages.join(" "))
}

/// Makes sure of a program that Debian has a package for, both of the same name.
pub fn debian_package(name: &str, step: &Step) -> Result<Package, SetupError> {
    debian_packages(&[name], || observe::on_path(name), step)
}

/// Makes sure of packages; `ready` tells whether what they bring is here.
pub fn debian_packages(names: &[&str], ready: impl Fn() -> bool, step: &Step) -> Result<Package, SetupError> {
    if ready() || leave()? != Leave::None && install(names, ready, step)? {
        Ok(Package::Ready)
    } else {
        Ok(Package::Missing { command: command(names) })
    }
}

/// Installs packages, and says so. Gives whether they are ready then.
///
/// The package lists are fetched only if the packages do not come, or come too old, without: they may well be fresh.
pub fn install(packages: &[&str], ready: impl Fn() -> bool, step: &Step) -> Result<bool, SetupError> {
    let leave = leave()?;
    let _turn = turn();
    if ready() {
        // Another program of ours was faster.
        return Ok(true);
    }
    for refresh in [false, true] {
        if refresh {
            step.say("fetching Debian's package lists");
            // A failure shows in the installation that follows.
            let _ = apt(&["update"], leave, step);
        }
        step.say(&format!("installing Debian's {}", packages.join(", ")));
        let mut arguments = vec!["install", "--yes", "--no-install-recommends"];
        arguments.extend(packages);
        if apt(&arguments, leave, step) && ready() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Ours until it is dropped. apt waits for another apt only for a while, and not at all when it fetches lists, so programs
/// of ours that run side by side wait here. Where no file can be locked, they do without.
fn turn() -> Option<File> {
    let file = File::create(env::temp_dir().join("lights-out-apt.lock")).ok()?;
    file.lock().ok()?;
    Some(file)
}

/// Not stopped by us, because a half-installed package is worse than a long wait: apt has its own time limits, which we
/// shorten. The reader is told that it runs.
fn apt(arguments: &[&str], leave: Leave, step: &Step) -> bool {
    let mut command = match leave {
        Leave::None => return false,
        Leave::Root => Command::new("env"),
        Leave::Sudo => {
            let mut sudo = Command::new("sudo");
            sudo.args(["-n", "env"]);
            sudo
        }
    };
    command
        .args(["DEBIAN_FRONTEND=noninteractive", "apt-get", "--quiet"])
        .args(["-o", "Acquire::http::Timeout=20", "-o", "Acquire::Retries=1", "-o", "DPkg::Lock::Timeout=120"])
        .args(arguments);
    matches!(run::watched(&mut command, None, step), Ok(Ending::Success))
}

#[cfg(test)]
mod tests {
    use super::*;

    const USER: Situation = Situation { apt_present: true, root: false, sudo_is_free: true };
    const ROOT: Situation = Situation { apt_present: true, root: true, sudo_is_free: false };

    #[test]
    fn sudo_is_used_only_when_we_are_told_to() {
        assert_eq!(decide("", USER).unwrap(), Leave::None);
        assert_eq!(decide("sudo", USER).unwrap(), Leave::Sudo);
        assert_eq!(decide("sudo", Situation { sudo_is_free: false, ..USER }).unwrap(), Leave::None);
    }

    #[test]
    fn root_installs_unless_told_not_to() {
        assert_eq!(decide("", ROOT).unwrap(), Leave::Root);
        assert_eq!(decide("sudo", ROOT).unwrap(), Leave::Root);
        assert_eq!(decide("never", ROOT).unwrap(), Leave::None);
        assert_eq!(decide("", Situation { apt_present: false, ..ROOT }).unwrap(), Leave::None);
    }

    #[test]
    fn other_words_are_refused() {
        assert!(decide("yes", ROOT).unwrap_err().to_string().contains("`yes`"));
    }

    #[test]
    fn what_is_here_is_ready_and_the_command_names_the_rest() {
        let step = Step::new(1, 1, "test");
        assert_eq!(debian_package("sh", &step).unwrap(), Package::Ready);
        assert!(command(&["a", "b"]).ends_with("apt-get install --no-install-recommends a b"));
    }
}
