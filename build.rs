//! Passes the chip's memory map and the linker scripts of cortex-m-rt, embassy-rp and defmt to the linker, and the git
//! revision to the firmware. Does nothing when the target is a computer.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=memory.x");

    if env::var("CARGO_CFG_TARGET_OS").as_deref() != Ok("none") {
        return;
    }

    // The ABI of the target identifies the chip: only the RP2350's core has a floating-point unit.
    let (memory, scripts): (_, &[_]) = match env::var("CARGO_CFG_TARGET_ABI").as_deref() {
        Ok("eabihf") => ("src/firmware/chip/rp2350-memory.x", &["link.x", "defmt.x"]),
        _ => ("src/firmware/chip/rp2040-memory.x", &["link.x", "link-rp.x", "defmt.x"]),
    };
    println!("cargo:rerun-if-changed={memory}");

    // cortex-m-rt's link.x includes `memory.x`. A copy in the search path lets the build start in any folder. A build
    // in the root folder always uses the memory.x there. So that file is the same for all chips, and includes the
    // chip's memory map.
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    for (file, name) in [("memory.x", "memory.x"), (memory, "memory-of-chip.x")] {
        fs::copy(file, out.join(name)).unwrap_or_else(|error| panic!("cannot copy {file}: {error}"));
    }
    println!("cargo:rustc-link-search={}", out.display());

    println!("cargo:rustc-env=GIT_REVISION={}", revision().as_deref().unwrap_or("unknown"));
    println!("cargo:rustc-env=BUILD_PROFILE={}", env::var("PROFILE").unwrap_or_default());

    println!("cargo:rustc-link-arg-bins=--nmagic");
    for script in scripts {
        println!("cargo:rustc-link-arg-bins=-T{script}");
    }
}

/// The git revision, if the sources are in a git work tree. Cargo runs this script again when the revision changes.
fn revision() -> Option<String> {
    // In a subfolder of another project's work tree, the revision would be that of the other project.
    if !git(&["--show-prefix"])?.is_empty() {
        return None;
    }
    // Git knows the paths, because a linked work tree has its own. Missing files are left out, because cargo would
    // rebuild each time.
    let candidates = ["logs/HEAD", "HEAD"].into_iter().filter_map(|name| git(&["--git-path", name]));
    if let Some(path) = candidates.into_iter().find(|path| Path::new(path).is_file()) {
        println!("cargo:rerun-if-changed={path}");
    }
    git(&["--short=9", "HEAD"])
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").arg("rev-parse").args(arguments).output().ok()?;
    let text = output.status.success().then(|| String::from_utf8(output.stdout).ok())??;
    Some(text.trim().to_owned())
}
