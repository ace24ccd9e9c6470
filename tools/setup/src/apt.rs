//! Installation of Debian's packages.
//!
//! As root, packages are installed without a question: root is usual in a container or on a build server. For any other
//! user, packages are installed only if [`INSTALL_VARIABLE`] is `sudo`, even if sudo works without a password.
//! Otherwise the caller gets the command that installs them.

use std::env;
use std::fs::File;
use std::process::Command;

use crate::progress::Step;
use crate::run::{self, Ending};
use crate::{INSTALL_VARIABLE, SetupError, observe};

/// Whether this program may install packages, and as which user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Permission {
    /// The user is root.
    Root,
    /// [`INSTALL_VARIABLE`] is `sudo`, and sudo works without a password.
    Sudo,
    /// Packages may not be installed.
    None,
}

/// The result of [`install_debian_packages`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Package {
    /// The packages are installed.
    Ready,
    /// The packages are missing, and were not installed.
    Missing {
        /// The command that installs them.
        command: String,
    },
}

/// What the permission depends on, besides the variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Situation {
    has_apt: bool,
    is_root: bool,
    has_passwordless_sudo: bool,
}

/// Whether packages may be installed here.
fn permission() -> Result<Permission, SetupError> {
    let value = env::var_os(INSTALL_VARIABLE).unwrap_or_default();
    let situation = Situation {
        has_apt: observe::on_path("apt-get"),
        is_root: observe::is_root(),
        // Sudo is called only if the variable allows its use.
        has_passwordless_sudo: value == "sudo" && observe::has_passwordless_sudo(),
    };
    decide(&value.to_string_lossy(), situation)
}

/// The permission that follows from the variable's value and the situation.
fn decide(value: &str, situation: Situation) -> Result<Permission, SetupError> {
    let Situation { has_apt, is_root, has_passwordless_sudo } = situation;
    match value {
        "" | "sudo" | "never" if !has_apt => Ok(Permission::None),
        "" | "sudo" if is_root => Ok(Permission::Root),
        "sudo" if has_passwordless_sudo => Ok(Permission::Sudo),
        "" | "sudo" | "never" => Ok(Permission::None),
        other => Err(SetupError::UnknownInstallChoice { value: other.to_owned() }),
    }
}

/// The command that installs packages, for a person to type.
fn command(packages: &[&str]) -> String {
    let sudo = if observe::is_root() { "" } else { "sudo " };
    format!("{sudo}apt-get install --no-install-recommends {}", packages.join(" "))
}

/// Installs packages, unless `is_ready` finds that their programs are present.
pub fn install_debian_packages(
    names: &[&str],
    is_ready: impl Fn() -> bool,
    step: &Step,
) -> Result<Package, SetupError> {
    if is_ready() || install(names, is_ready, permission()?, step) {
        Ok(Package::Ready)
    } else {
        Ok(Package::Missing { command: command(names) })
    }
}

/// Installs packages, and reports it. Returns whether `is_ready` holds afterwards.
///
/// The package lists are often recent enough, so the first attempt does without downloading them. The second attempt
/// follows if packages were not found or are too old.
fn install(packages: &[&str], is_ready: impl Fn() -> bool, permission: Permission, step: &Step) -> bool {
    if permission == Permission::None {
        return false;
    }
    let _lock = lock();
    if is_ready() {
        // Another program of this project installed them while this one waited for the lock.
        return true;
    }
    for refresh in [false, true] {
        if refresh {
            step.report("downloading Debian's package lists");
            // If this fails, the installation below fails too and reports it.
            let _ = apt(&["update"], permission, step);
        }
        step.report(&format!("installing Debian's {}", packages.join(", ")));
        let mut arguments = vec!["install", "--yes", "--no-install-recommends"];
        arguments.extend(packages);
        if apt(&arguments, permission, step) && is_ready() {
            return true;
        }
    }
    false
}

/// A lock among the programs of this project, held until the file is dropped. apt waits for another apt only for a
/// limited time, and `apt-get update` does not wait at all. If no lock file can be created, the programs run without
/// it.
fn lock() -> Option<File> {
    let file = File::create(env::temp_dir().join("lights-out-apt.lock")).ok()?;
    file.lock().ok()?;
    Some(file)
}

/// Runs apt-get. Returns whether it succeeded.
///
/// There is no time limit here, because stopping apt can leave a package half installed. apt has its own
/// time limits, which these options shorten.
fn apt(arguments: &[&str], permission: Permission, step: &Step) -> bool {
    let mut command = match permission {
        Permission::None => return false,
        Permission::Root => Command::new("env"),
        Permission::Sudo => {
            let mut sudo = Command::new("sudo");
            sudo.args(["-n", "env"]);
            sudo
        }
    };
    command
        .args(["DEBIAN_FRONTEND=noninteractive", "apt-get", "--quiet"])
        .args(["-o", "Acquire::http::Timeout=20", "-o", "Acquire::Retries=1", "-o", "DPkg::Lock::Timeout=120"])
        .args(arguments);
    matches!(run::run_with_limit(&mut command, None, step), Ok(Ending::Success))
}

#[cfg(test)]
mod tests {
    use super::*;

    const USER: Situation = Situation { has_apt: true, is_root: false, has_passwordless_sudo: true };
    const ROOT: Situation = Situation { has_apt: true, is_root: true, has_passwordless_sudo: false };

    #[test]
    fn sudo_is_used_only_if_the_variable_allows_it() {
        assert_eq!(decide("", USER).unwrap(), Permission::None);
        assert_eq!(decide("sudo", USER).unwrap(), Permission::Sudo);
        assert_eq!(decide("sudo", Situation { has_passwordless_sudo: false, ..USER }).unwrap(), Permission::None);
    }

    #[test]
    fn root_installs_unless_the_variable_forbids_it() {
        assert_eq!(decide("", ROOT).unwrap(), Permission::Root);
        assert_eq!(decide("sudo", ROOT).unwrap(), Permission::Root);
        assert_eq!(decide("never", ROOT).unwrap(), Permission::None);
        assert_eq!(decide("", Situation { has_apt: false, ..ROOT }).unwrap(), Permission::None);
    }

    #[test]
    fn unknown_value_of_the_variable_is_an_error() {
        assert!(decide("yes", ROOT).unwrap_err().to_string().contains("`yes`"));
    }

    #[test]
    fn present_program_is_ready_and_command_names_packages() {
        let step = Step::new(1, 1, "test");
        assert_eq!(install_debian_packages(&["dash"], || observe::on_path("sh"), &step).unwrap(), Package::Ready);
        assert!(command(&["a", "b"]).ends_with("apt-get install --no-install-recommends a b"));
    }
}
