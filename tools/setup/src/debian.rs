//! The way out where rustup cannot reach its server: Debian packages a newer compiler for its web browsers.
//!
//! Those packages hold no `core` for the chip, but they hold its source, and cargo can build it along with the firmware
//! (`-Zbuild-std`, which a released compiler allows under `RUSTC_BOOTSTRAP=1`). Debian's files stand in `/usr/bin`,
//! where rustup's proxies of the same names usually hide them, so they are called by their full paths, without the
//! variables that rustup and cargo hand down to what they run. Debian has no `rust-lld`: its lld does the linking.

use std::path::Path;
use std::process::Command;

use crate::progress::Step;
use crate::{SetupError, Target, apt, run, workspace};

/// What to install.
pub const PACKAGES: [&str; 4] = ["rustc-web", "cargo-web", "rust-web-src", "lld"];
/// Where those packages put their programs.
const PROGRAMS: &str = "/usr/bin";
/// The oldest compiler that the workspace accepts.
const OLDEST: &str = env!("CARGO_PKG_RUST_VERSION");

/// Variables by which rustup and cargo would lead Debian's programs back to rustup's.
const FOREIGN_VARIABLES: [&str; 6] =
    ["CARGO", "RUSTC", "RUSTDOC", "RUSTUP_TOOLCHAIN", "LD_LIBRARY_PATH", "CARGO_BUILD_RUSTC"];

fn program(name: &str) -> String {
    format!("{PROGRAMS}/{name}")
}

/// lld goes by its name: each name is another linker.
fn linker(target: Target) -> String {
    program(match target {
        Target::Rp2040 | Target::Rp2350 => "ld.lld",
        Target::Wasm => "wasm-ld",
    })
}

/// Whether compiler, cargo, library source and linker are all here, and new enough.
pub fn is_ready(target: Target) -> bool {
    let mut rustc = Command::new(program("rustc"));
    clean(&mut rustc);
    let Some(sysroot) = run::answer(rustc.args(["--print", "sysroot"])) else { return false };
    let mut rustc = Command::new(program("rustc"));
    clean(&mut rustc);
    let new_enough = run::answer(rustc.arg("--version")).is_some_and(|text| is_new_enough(&text));
    new_enough
        && Path::new(&program("cargo")).is_file()
        && Path::new(&linker(target)).is_file()
        && Path::new(&sysroot).join("lib/rustlib/src/rust/library/Cargo.lock").is_file()
}

/// `text` is what `rustc --version` prints: `rustc 1.96.0 (...)`.
fn is_new_enough(text: &str) -> bool {
    let seen = text.split_whitespace().nth(1).and_then(major_and_minor);
    seen.is_some() && seen >= major_and_minor(OLDEST)
}

fn major_and_minor(version: &str) -> Option<(u32, u32)> {
    let mut parts = version.split('.');
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

/// Installs the packages. The error is a sentence about what went wrong.
pub fn install(target: Target, step: &Step) -> Result<(), String> {
    match apt::install(&PACKAGES, || is_ready(target), step) {
        Ok(true) => Ok(()),
        Ok(false) => {
            Err(format!("apt-get could not install {} with a rustc of {OLDEST} or newer.", PACKAGES.join(", ")))
        }
        Err(error) => Err(error.to_string()),
    }
}

fn clean(command: &mut Command) {
    for variable in FOREIGN_VARIABLES {
        command.env_remove(variable);
    }
}

/// Debian's cargo with Debian's rustc, building the target's library from source, in a target folder of its own: two
/// compilers in one folder would throw away each other's work.
pub fn cargo(verb: &str, target: Target) -> Result<Command, SetupError> {
    let linker_variable = format!("CARGO_TARGET_{}_LINKER", target.name().to_uppercase().replace(['-', '.'], "_"));
    let mut command = Command::new(program("cargo"));
    clean(&mut command);
    command
        .current_dir(workspace::root())
        .env("RUSTC", program("rustc"))
        .env("RUSTC_BOOTSTRAP", "1")
        .env(linker_variable, linker(target))
        .args([verb, "--target", target.name()])
        .arg(format!("-Zbuild-std={}", target.library_crates()))
        .arg("--target-dir")
        .arg(target_directory()?);
    Ok(command)
}

/// Where Debian's cargo builds.
pub fn target_directory() -> Result<std::path::PathBuf, SetupError> {
    Ok(workspace::target_directory()?.join("debian"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_as_numbers() {
        assert!(is_new_enough("rustc 1.96.0 (ac68faa20 2026-05-25) (built from a source tarball)"));
        assert!(is_new_enough("rustc 1.100.0"));
        assert!(is_new_enough("rustc 2.0.0"));
        assert!(!is_new_enough("rustc 1.85.0 (4d91de4e4 2025-02-17)"));
        assert!(!is_new_enough("rustc"));
        assert!(!is_new_enough(""));
    }
}
