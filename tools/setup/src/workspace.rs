//! The folders of the project and of its build products.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::{SetupError, run};

/// The root folder of the project. Cargo sets `CARGO_MANIFEST_DIR` for a program that it runs. A program that is
/// started by its path uses the folder in which it was compiled.
pub fn root() -> PathBuf {
    let package = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let compiled = Path::new(env!("CARGO_MANIFEST_DIR"));
    [package.as_deref(), Some(compiled)]
        .into_iter()
        .flatten()
        .find_map(|folder| folder.ancestors().find(|folder| folder.join("memory.x").is_file()))
        .unwrap_or(compiled)
        .to_path_buf()
}

/// A command that runs cargo in the project's folder: the cargo that started this program, which may differ from the
/// one in PATH.
pub fn cargo() -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo")));
    command.current_dir(root());
    command
}

/// The folder of build products, from `cargo metadata`: a variable or the user's configuration may move it.
pub(crate) fn target_directory() -> Result<PathBuf, SetupError> {
    run::output_of(cargo().args(["metadata", "--no-deps", "--format-version", "1"]))
        .and_then(|json| serde_json::from_str::<Value>(&json).ok())
        .and_then(|metadata| metadata["target_directory"].as_str().map(PathBuf::from))
        .ok_or_else(|| SetupError::NotUnderstood { program: "cargo metadata".to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn root_holds_the_workspace() {
        assert!(root().join("Cargo.toml").is_file());
        assert!(root().join("memory.x").is_file());
    }

    #[test]
    fn target_directory_is_absolute() {
        assert!(target_directory().unwrap().is_absolute());
    }
}
