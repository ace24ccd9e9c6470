//! Looks at this computer, and changes nothing.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::apt::{self, Leave};
use crate::plan::{Facts, Forced};
use crate::{FORCE_VARIABLE, SetupError, Target, debian, run, workspace};

/// Everything that the plan depends on.
pub fn facts(target: Target) -> Result<Facts, SetupError> {
    let word = env::var_os(FORCE_VARIABLE).unwrap_or_default();
    Ok(Facts {
        library_present: library_present(target),
        rustup_present: on_path("rustup"),
        debian_ready: debian::is_ready(target),
        apt_present: on_path("apt-get"),
        may_install: apt::leave()? != Leave::None,
        forced: Forced::parse(&word.to_string_lossy())?,
    })
}

/// Whether the rustc that cargo would use has the target's precompiled library.
pub fn library_present(target: Target) -> bool {
    library_of(target.name(), target.library())
}

fn library_of(target: &str, library: &str) -> bool {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| OsString::from("rustc"));
    let mut command = Command::new(rustc);
    command.current_dir(workspace::root()).args(["--print", "target-libdir", "--target", target]);
    run::answer(&mut command).is_some_and(|folder| holds_library(Path::new(&folder), library))
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
pub fn on_path(program: &str) -> bool {
    env::var_os("PATH").is_some_and(|path| is_in(&path, program))
}

/// Whether one of these folders, in the form of PATH, holds a program of that name.
fn is_in(path: &OsStr, program: &str) -> bool {
    let file = format!("{program}{}", env::consts::EXE_SUFFIX);
    env::split_paths(path).any(|folder| folder.join(&file).is_file())
}

/// Whether we may do everything.
pub fn is_root() -> bool {
    run::answer(Command::new("id").arg("-u")).as_deref() == Some("0")
}

/// Whether sudo asks for no password.
pub fn sudo_is_free() -> bool {
    run::answer(Command::new("sudo").args(["-n", "true"])).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    /// A folder with these empty files in it, gone at the end.
    struct Folder(PathBuf);

    impl Folder {
        fn with(name: &str, files: &[&str]) -> Self {
            let path = env::temp_dir().join(format!("lights-out-observe-{}-{name}", std::process::id()));
            fs::create_dir_all(&path).unwrap();
            for file in files {
                fs::write(path.join(file), "").unwrap();
            }
            Self(path)
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn programs_are_looked_for_in_every_folder_of_path() {
        let program = format!("tool{}", env::consts::EXE_SUFFIX);
        let (empty, full) = (Folder::with("empty", &[]), Folder::with("full", &[&program]));
        let path = |folders: &[&Folder]| env::join_paths(folders.iter().map(|folder| &folder.0)).unwrap();
        assert!(is_in(&path(&[&full]), "tool"));
        assert!(is_in(&path(&[&empty, &full]), "tool"));
        assert!(!is_in(&path(&[&empty]), "tool"));
        assert!(!is_in(&path(&[&empty, &full]), "too"));
        assert!(!is_in(OsStr::new(""), "tool"));
        // A folder is no program, whatever its name.
        fs::create_dir(empty.0.join(&program)).unwrap();
        assert!(!is_in(&path(&[&empty]), "tool"));
    }

    #[test]
    fn the_path_of_this_process_is_searched() {
        // Cargo runs the tests with its own folder, or rustup's, in PATH.
        assert!(on_path("cargo"));
        assert!(!on_path("no-such-program"));
    }

    #[test]
    fn a_library_is_known_by_its_name() {
        let folder = Folder::with("core", &["libcore-0123456789abcdef.rlib", "liballoc-77.rmeta", "libstd.rlib"]);
        assert!(holds_library(&folder.0, "core"));
        assert!(!holds_library(&folder.0, "alloc"), "no rlib");
        assert!(!holds_library(&folder.0, "std"), "no hash");
        assert!(!holds_library(&folder.0, "cor"));
        assert!(!holds_library(&folder.0.join("no-such-folder"), "core"));
    }

    #[test]
    fn targets_that_are_installed_or_do_not_exist_are_told_apart() {
        let library = |target: &str| library_of(target, "core");
        // What runs this test was compiled for the host, so its library is here.
        let host = run::answer(Command::new("rustc").args(["--print", "host-tuple"])).unwrap();
        assert!(library(&host));
        assert!(!library("no-such-target"));
    }
}
