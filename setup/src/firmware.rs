//! Builds the firmware, and leaves it where the documentation says.

use std::fs;
use std::path::{Path, PathBuf};

use crate::progress::Step;
use crate::{SetupError, Target, Toolchain, run, workspace};

/// The package, and the file that comes of it.
const NAME: &str = "lights-out";

/// Builds the firmware; what cargo has to say is seen. Returns the path of the ELF file.
pub fn build_firmware(toolchain: &Toolchain, step: &Step) -> Result<PathBuf, SetupError> {
    step.say("building");
    let mut cargo = toolchain.cargo("build")?;
    cargo.args(["--release", "--package", NAME]);
    if !run::status(&mut cargo)?.success() {
        return Err(SetupError::BuildFailed { what: "the firmware".to_owned() });
    }
    let built = toolchain.products("release")?.join(NAME);
    let promised = workspace::target_directory()?.join(Target::Thumb.name()).join("release").join(NAME);
    if built != promised {
        replace(&built, &promised)?;
    }
    step.done(&format!("built, {}", promised.display()));
    Ok(promised)
}

/// Removes before it copies: cargo's products are hard links, and writing into one would change the other name as well,
/// behind cargo's back.
fn replace(from: &Path, to: &Path) -> Result<(), SetupError> {
    let report = |error: std::io::Error| SetupError::File { path: to.to_path_buf(), reason: error.to_string() };
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder).map_err(report)?;
    }
    if to.exists() {
        fs::remove_file(to).map_err(report)?;
    }
    fs::copy(from, to).map(|_| ()).map_err(report)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replacing_leaves_the_other_name_of_a_hard_link_alone() {
        let folder = std::env::temp_dir().join(format!("lights-out-setup-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let [from, to, other] = ["from", "to", "other"].map(|name| folder.join(name));
        fs::write(&from, "new").unwrap();
        fs::write(&other, "old").unwrap();
        fs::hard_link(&other, &to).unwrap();
        replace(&from, &to).unwrap();
        assert_eq!(fs::read_to_string(&to).unwrap(), "new");
        assert_eq!(fs::read_to_string(&other).unwrap(), "old");
        fs::remove_dir_all(&folder).unwrap();
    }
}
