//! Builds the parts of the page that are compiled: the emulator, and the firmware for each chip.

use std::path::PathBuf;
use std::thread;

use setup::progress::Step;
use setup::{SetupError, Target, Toolchain, build_firmware, build_firmware_in_background};

/// The package of the WebAssembly module, and the profile that it is built with.
const PACKAGE: &str = "web";
const PROFILE: &str = "web";

/// The number of steps of [`first`].
pub(crate) const FIRST_STEPS: usize = 4;
/// The number of steps of [`pico2`].
pub(crate) const PICO2_STEPS: usize = 2;

/// The parts that the page cannot start without.
#[derive(Debug)]
pub(crate) struct First {
    /// The WebAssembly module of the emulator.
    pub(crate) module: PathBuf,
    /// The firmware for the Pico.
    pub(crate) elf: PathBuf,
}

/// Builds the emulator and the firmware for the Pico at the same time. Each has its own profile, and so its own lock in
/// cargo's target folder: while one build waits for a long crate, the other uses the second core.
pub(crate) fn first(steps: usize) -> Result<First, SetupError> {
    let thumb = Toolchain::for_target(Target::Rp2040, &Step::new(1, steps, "Pico target"))?;
    let wasm = Toolchain::for_target(Target::Wasm, &Step::new(2, steps, "wasm target"))?;
    let (elf, module) = thread::scope(|scope| {
        let firmware = scope.spawn(|| build_firmware(&thumb, &Step::new(3, steps, "firmware")));
        let module = build_module(&wasm, &Step::new(4, steps, "emulator"));
        (firmware.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)), module)
    });
    Ok(First { module: module?, elf: elf? })
}

/// Builds the firmware for the Pico 2. `done` is the number of steps before this one.
pub(crate) fn pico2(done: usize, steps: usize) -> Result<PathBuf, SetupError> {
    build_pico2(build_firmware, done, steps)
}

/// Builds the firmware for the Pico 2 with low priority, because the browser needs the processor at the same time.
pub(crate) fn pico2_in_background(done: usize, steps: usize) -> Result<PathBuf, SetupError> {
    build_pico2(build_firmware_in_background, done, steps)
}

fn build_pico2(
    build: fn(&Toolchain, &Step) -> Result<PathBuf, SetupError>,
    done: usize,
    steps: usize,
) -> Result<PathBuf, SetupError> {
    let thumb = Toolchain::for_target(Target::Rp2350, &Step::new(done + 1, steps, "Pico 2 target"))?;
    build(&thumb, &Step::new(done + 2, steps, "Pico 2 firmware"))
}

/// Builds the WebAssembly module only, not the library that the tests link. So the linker sees the whole program and
/// removes the unused code.
fn build_module(toolchain: &Toolchain, step: &Step) -> Result<PathBuf, SetupError> {
    step.report("building for the browser");
    let mut cargo = toolchain.cargo("rustc");
    cargo.args(["--profile", PROFILE, "--package", PACKAGE, "--lib", "--crate-type", "cdylib"]);
    // Two cargo processes run at the same time, and their progress bars would overwrite each other.
    cargo.env("CARGO_TERM_PROGRESS_WHEN", "never");
    let program = || "cargo".to_owned();
    let status =
        cargo.status().map_err(|error| SetupError::CannotRun { program: program(), reason: error.to_string() })?;
    if !status.success() {
        return Err(SetupError::BuildFailed { what: "the emulator".to_owned() });
    }
    step.done("built");
    Ok(toolchain.products(PROFILE)?.join("web.wasm"))
}
