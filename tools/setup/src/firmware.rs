//! Builds the firmware for each chip.

use std::path::PathBuf;
use std::process::Command;

use crate::progress::Step;
use crate::{SetupError, Target, Toolchain, run, workspace};

/// The name of the package and of its ELF file.
const NAME: &str = "lights-out";

/// The targets that have firmware, the older chip first, with their titles in progress reports.
const TARGETS: [(Target, &str); 2] = [(Target::Rp2040, "Pico target"), (Target::Rp2350, "Pico 2 target")];
/// The number of steps of [`build_all_firmware`].
pub const FIRMWARE_STEPS: usize = 2 * TARGETS.len();

/// Builds the firmware for every chip, and installs missing targets before. `steps` is the number of steps of the whole
/// program; these are the first ones. Returns the paths of the ELF files, the older chip first.
pub fn build_all_firmware(steps: usize) -> Result<Vec<PathBuf>, SetupError> {
    let built = |((target, title), step)| {
        let toolchain = Toolchain::for_target(target, &Step::new(step, steps, title))?;
        build_firmware(&toolchain, &Step::new(step + 1, steps, "firmware"))
    };
    TARGETS.into_iter().zip((1..).step_by(2)).map(built).collect()
}

/// The paths of the ELF files that [`build_all_firmware`] writes.
pub fn firmware_paths() -> Result<Vec<PathBuf>, SetupError> {
    let folder = workspace::target_directory()?;
    Ok(TARGETS.into_iter().map(|(target, _)| folder.join(target.name()).join("release").join(NAME)).collect())
}

/// Builds the firmware for the toolchain's target, with cargo's messages on the screen. Returns the path of the ELF
/// file.
pub fn build_firmware(toolchain: &Toolchain, step: &Step) -> Result<PathBuf, SetupError> {
    step.report("building");
    build(toolchain.cargo("build"), toolchain, step)
}

/// Builds the firmware on one core, and prints errors only: for a build beside a page that is already open.
pub fn build_firmware_in_background(toolchain: &Toolchain, step: &Step) -> Result<PathBuf, SetupError> {
    step.report("building in the background");
    let mut cargo = toolchain.cargo("build");
    cargo.args(["--quiet", "--jobs", "1"]);
    build(cargo, toolchain, step)
}

fn build(mut cargo: Command, toolchain: &Toolchain, step: &Step) -> Result<PathBuf, SetupError> {
    cargo.args(["--release", "--package", NAME]);
    if !run::status(&mut cargo)?.success() {
        return Err(SetupError::BuildFailed { what: "the firmware".to_owned() });
    }
    let elf = toolchain.products("release")?.join(NAME);
    step.done(&format!("built, {}", elf.display()));
    Ok(elf)
}
