//! What the page is made of that has to be built: the emulator, and the firmware for each chip.

use std::path::PathBuf;
use std::thread;

use setup::progress::Step;
use setup::{SetupError, Target, Toolchain, build_firmware, build_firmware_in_background};

/// The package of the WebAssembly, and the profile it is built with.
const PACKAGE: &str = "web";
const PROFILE: &str = "web";

/// The steps of [`first`], and those of [`pico2`].
pub const FIRST_STEPS: usize = 4;
pub const PICO2_STEPS: usize = 2;

/// What no page can be without.
#[derive(Debug)]
pub struct First {
    /// The emulator.
    pub module: PathBuf,
    /// A Pico's firmware.
    pub elf: PathBuf,
}

/// Firmware and emulator are built side by side: each has its own profile, and so its own lock in cargo's folder, and where one
/// waits for a long crate the other has work for the second core.
pub fn first(steps: usize) -> Result<First, SetupError> {
    let thumb = Toolchain::for_target(Target::Rp2040, &Step::new(1, steps, "Pico target"))?;
    let wasm = Toolchain::for_target(Target::Wasm, &Step::new(2, steps, "wasm target"))?;
    let (elf, module) = thread::scope(|scope| {
        let firmware = scope.spawn(|| build_firmware(&thumb, &Step::new(3, steps, "firmware")));
        let module = build_module(&wasm, &Step::new(4, steps, "emulator"));
        (firmware.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)), module)
    });
    Ok(First { module: module?, elf: elf? })
}

/// A Pico 2's firmware, which somebody waits for. `done` steps went before.
pub fn pico2(done: usize, steps: usize) -> Result<PathBuf, SetupError> {
    pico2_by(build_firmware, done, steps)
}

/// The same beside a browser that wants the computer too.
pub fn pico2_in_background(done: usize, steps: usize) -> Result<PathBuf, SetupError> {
    pico2_by(build_firmware_in_background, done, steps)
}

fn pico2_by(
    build: fn(&Toolchain, &Step) -> Result<PathBuf, SetupError>,
    done: usize,
    steps: usize,
) -> Result<PathBuf, SetupError> {
    let thumb = Toolchain::for_target(Target::Rp2350, &Step::new(done + 1, steps, "Pico 2 target"))?;
    build(&thumb, &Step::new(done + 2, steps, "Pico 2 firmware"))
}

/// Only the WebAssembly, not the library for tests as well: so the linker sees all of the program at once and leaves out
/// most of it.
fn build_module(toolchain: &Toolchain, step: &Step) -> Result<PathBuf, SetupError> {
    step.say("building for the browser");
    let mut cargo = toolchain.cargo("rustc")?;
    cargo.args(["--profile", PROFILE, "--package", PACKAGE, "--lib", "--crate-type", "cdylib"]);
    // Two bars of progress on one screen would write over each other.
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
