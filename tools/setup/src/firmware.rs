//! Builds the firmware for a chip, and leaves it where the documentation says.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::progress::Step;
use crate::{SetupError, Target, Toolchain, run, workspace};

/// The package, and the file that comes of it.
const NAME: &str = "lights-out";

/// The targets that there is firmware for, the oldest chip first, and what they are called on the screen.
const TARGETS: [(Target, &str); 2] = [(Target::Rp2040, "Pico target"), (Target::Rp2350, "Pico 2 target")];
/// The steps of [`build_all_firmware`].
pub const FIRMWARE_STEPS: usize = 2 * TARGETS.len();

/// Makes sure of each chip's target and builds the firmware for it: the first steps of so many. Returns the paths of the ELF files,
/// the oldest chip first.
pub fn build_all_firmware(steps: usize) -> Result<Vec<PathBuf>, SetupError> {
    let built = |((target, title), step)| {
        let toolchain = Toolchain::for_target(target, &Step::new(step, steps, title))?;
        build_firmware(&toolchain, &Step::new(step + 1, steps, "firmware"))
    };
    TARGETS.into_iter().zip((1..).step_by(2)).map(built).collect()
}

/// Where [`build_all_firmware`] leaves the ELF files.
pub fn firmware_paths() -> Result<Vec<PathBuf>, SetupError> {
    TARGETS.into_iter().map(|(target, _)| promised(target)).collect()
}

/// Where the documentation says that the ELF file is.
fn promised(target: Target) -> Result<PathBuf, SetupError> {
    Ok(workspace::target_directory()?.join(target.name()).join("release").join(NAME))
}

/// Builds the firmware for the toolchain's target; what cargo has to say is seen. Returns the path of the ELF file.
pub fn build_firmware(toolchain: &Toolchain, step: &Step) -> Result<PathBuf, SetupError> {
    step.say("building");
    build(toolchain.cargo("build")?, toolchain, step)
}

/// The same beside something that somebody is looking at: on one core, and in silence but for errors.
pub fn build_firmware_in_background(toolchain: &Toolchain, step: &Step) -> Result<PathBuf, SetupError> {
    step.say("building in the background");
    let mut cargo = toolchain.cargo("build")?;
    cargo.args(["--quiet", "--jobs", "1"]);
    build(cargo, toolchain, step)
}

fn build(mut cargo: Command, toolchain: &Toolchain, step: &Step) -> Result<PathBuf, SetupError> {
    cargo.args(["--release", "--package", NAME]);
    if !run::status(&mut cargo)?.success() {
        return Err(SetupError::BuildFailed { what: "the firmware".to_owned() });
    }
    let built = toolchain.products("release")?.join(NAME);
    let promised = promised(toolchain.target())?;
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
