//! Looks at this computer, and changes nothing.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::plan::{Facts, Forced};
use crate::{FORCE_VARIABLE, SetupError, Target, debian, run, workspace};

/// Everything that the plan depends on.
pub fn facts(target: Target) -> Result<Facts, SetupError> {
    let word = env::var_os(FORCE_VARIABLE).unwrap_or_default();
    let apt_present = on_path("apt-get");
    Ok(Facts {
        library_present: library_present(target),
        rustup_present: on_path("rustup"),
        debian_ready: debian::is_ready(target),
        apt_present,
        may_install: apt_present && (is_root() || sudo_is_free()),
        forced: Forced::parse(&word.to_string_lossy())?,
    })
}

/// Whether the rustc that cargo would use has the target's precompiled library.
pub fn library_present(target: Target) -> bool {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| OsString::from("rustc"));
    let mut command = Command::new(rustc);
    command.current_dir(workspace::root()).args(["--print", "target-libdir", "--target", target.name()]);
    run::answer(&mut command).is_some_and(|folder| holds_library(Path::new(&folder), target.library()))
}

/// The file's name has a hash in it: `libcore-0123456789abcdef.rlib`.
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

/// Whether a program of that name is in PATH.
fn on_path(program: &str) -> bool {
    let file = format!("{program}{}", env::consts::EXE_SUFFIX);
    env::var_os("PATH").is_some_and(|path| env::split_paths(&path).any(|folder| folder.join(&file).is_file()))
}

/// Whether packages can be installed without asking anybody.
pub fn is_root() -> bool {
    run::answer(Command::new("id").arg("-u")).as_deref() == Some("0")
}

fn sudo_is_free() -> bool {
    run::answer(Command::new("sudo").args(["-n", "true"])).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_looked_for_in_path() {
        assert!(!on_path("no-such-program"));
    }

    #[test]
    fn a_folder_that_is_not_there_holds_nothing() {
        assert!(!holds_library(Path::new("no-such-folder"), "core"));
    }
}
