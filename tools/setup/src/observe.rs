//! Checks of this computer: installed programs and permissions. They change nothing.

use std::env;
use std::ffi::OsStr;
use std::process::Command;

use crate::run;

/// Whether a program of that name is in PATH.
pub(crate) fn on_path(program: &str) -> bool {
    env::var_os("PATH").is_some_and(|path| is_in(&path, program))
}

/// Whether one of these folders, in the form of PATH, holds a program of that name.
fn is_in(path: &OsStr, program: &str) -> bool {
    let file = format!("{program}{}", env::consts::EXE_SUFFIX);
    env::split_paths(path).any(|folder| folder.join(&file).is_file())
}

/// Whether the user is root.
pub(crate) fn is_root() -> bool {
    run::output_of(Command::new("id").arg("-u")).as_deref() == Some("0")
}

/// Whether sudo works without a password.
pub(crate) fn has_passwordless_sudo() -> bool {
    run::output_of(Command::new("sudo").args(["-n", "true"])).is_some()
}

#[cfg(test)]
pub(crate) mod tests {
    use std::fs;
    use std::path::PathBuf;

    use super::*;

    /// A folder with empty files in it. It is deleted when this is dropped.
    pub(crate) struct Folder(pub(crate) PathBuf);

    impl Folder {
        pub(crate) fn with(name: &str, files: &[&str]) -> Self {
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
    fn every_folder_of_path_is_searched() {
        let program = format!("tool{}", env::consts::EXE_SUFFIX);
        let (empty, full) = (Folder::with("empty", &[]), Folder::with("full", &[&program]));
        let path = |folders: &[&Folder]| env::join_paths(folders.iter().map(|folder| &folder.0)).unwrap();
        assert!(is_in(&path(&[&full]), "tool"));
        assert!(is_in(&path(&[&empty, &full]), "tool"));
        assert!(!is_in(&path(&[&empty]), "tool"));
        assert!(!is_in(&path(&[&empty, &full]), "too"));
        assert!(!is_in(OsStr::new(""), "tool"));
        // A folder of the same name is not a program.
        fs::create_dir(empty.0.join(&program)).unwrap();
        assert!(!is_in(&path(&[&empty]), "tool"));
    }

    #[test]
    fn path_of_this_process_is_searched() {
        // Cargo runs the tests with its own folder, or rustup's, in PATH.
        assert!(on_path("cargo"));
        assert!(!on_path("no-such-program"));
    }
}
