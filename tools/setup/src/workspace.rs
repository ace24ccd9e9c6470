//! Where the project and its build products are.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{SetupError, run};

/// The root folder of the project. Cargo sets `CARGO_MANIFEST_DIR` for a program that it runs; a program that is started
/// by its path uses the folder in which it was compiled.
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

/// The cargo that runs us, at work in the project's folder. Not simply the one in PATH: that may be another.
pub fn cargo() -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo")));
    command.current_dir(root());
    command
}

/// The folder for build products. Cargo is asked, since a variable or a user's configuration may move it.
pub fn target_directory() -> Result<PathBuf, SetupError> {
    run::answer(cargo().args(["metadata", "--no-deps", "--format-version", "1"]))
        .and_then(|json| text_of("target_directory", &json).map(PathBuf::from))
        .ok_or_else(|| SetupError::NotUnderstood { program: "cargo metadata".to_owned() })
}

/// The text that stands under a name in JSON, or nothing where there is none.
///
/// By hand: this one text is all that we read of JSON, and a crate for it would be a third of what every command has to build
/// before it says a word. Cargo writes no spaces between name and text, and a name cannot stand within a text as it stands
/// here, since its quotation marks would be escaped.
fn text_of(name: &str, json: &str) -> Option<String> {
    let (_, value) = json.split_once(&format!("\"{name}\":\""))?;
    let mut letters = value.chars();
    let mut text = String::new();
    loop {
        match letters.next()? {
            '"' => return Some(text),
            '\\' => text.push(match letters.next()? {
                'n' => '\n',
                't' => '\t',
                'r' => '\r',
                'b' => '\x08',
                'f' => '\x0C',
                'u' => {
                    let digits: String = letters.by_ref().take(4).collect();
                    char::from_u32(u32::from_str_radix(&digits, 16).ok()?)?
                }
                itself => itself,
            }),
            letter => text.push(letter),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_found_and_read_in_json() {
        let json = r#"{"packages":[{"name":"\"folder\":\"no\""}],"folder":"C:\\a \"b\"\u0007\n\/é","version":1}"#;
        assert_eq!(text_of("folder", json).as_deref(), Some("C:\\a \"b\"\x07\n/é"));
        assert_eq!(text_of("version", json), None);
        assert_eq!(text_of("folder", r#"{"folder":"unfinished"#), None);
    }

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
