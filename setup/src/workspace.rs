//! Where the project and its build products are.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::{SetupError, run};

/// The folder with the project's Cargo.toml. Cargo tells a program that it runs where its package is; a program started
/// by its path goes by where it was compiled.
pub fn root() -> PathBuf {
    let is_root = |folder: &Path| folder.join("setup").join("Cargo.toml").is_file();
    env::var_os("CARGO_MANIFEST_DIR")
        .and_then(|package| Path::new(&package).parent().map(Path::to_path_buf))
        .filter(|folder| is_root(folder))
        .unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new(".")).to_path_buf())
}

/// The cargo that runs us, at work in the project's folder. Not simply the one in PATH: that may be another.
pub fn cargo() -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo")));
    command.current_dir(root());
    command
}

/// The folder for build products. Cargo is asked, since a variable or a user's configuration may move it.
pub fn target_directory() -> Result<PathBuf, SetupError> {
    run::answer(cargo().args(["metadata", "--no-deps", "--format-version", "1"]))
        .and_then(|json| serde_json::from_str::<Value>(&json).ok())
        .and_then(|metadata| metadata["target_directory"].as_str().map(PathBuf::from))
        .ok_or_else(|| SetupError::NotUnderstood { program: "cargo metadata".to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_root_holds_the_workspace() {
        assert!(root().join("Cargo.toml").is_file());
        assert!(root().join("memory.x").is_file());
    }

    #[test]
    fn cargo_knows_where_it_builds() {
        assert!(target_directory().unwrap().is_absolute());
    }
}
