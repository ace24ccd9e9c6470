//! Hands the linker the chip's memory map and the link scripts of cortex-m-rt, embassy-rp and defmt; and the firmware what it was
//! built from. For the chips only.

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

    // What the target leaves open: the RP2350's core has a unit for floating point, the RP2040's has none.
    let (memory, scripts): (_, &[_]) = match env::var("CARGO_CFG_TARGET_ABI").as_deref() {
        Ok("eabihf") => ("src/firmware/chip/rp2350-memory.x", &["link.x", "defmt.x"]),
        _ => ("src/firmware/chip/rp2040-memory.x", &["link.x", "link-rp.x", "defmt.x"]),
    };
    println!("cargo:rerun-if-changed={memory}");

    // cortex-m-rt's link.x says `INCLUDE memory.x`: a copy in the search path lets the build start from any folder. In the root the
    // linker would take the file there whatever the search path says, so that is the same for all chips, and includes the map.
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    for (file, name) in [("memory.x", "memory.x"), (memory, "memory-of-chip.x")] {
        fs::copy(file, out.join(name)).unwrap_or_else(|error| panic!("{file} stands beside build.rs: {error}"));
    }
    println!("cargo:rustc-link-search={}", out.display());

    println!("cargo:rustc-env=GIT_REVISION={}", revision().as_deref().unwrap_or("unknown"));
    println!("cargo:rustc-env=BUILD_PROFILE={}", env::var("PROFILE").unwrap_or_default());

    println!("cargo:rustc-link-arg-bins=--nmagic");
    for script in scripts {
        println!("cargo:rustc-link-arg-bins=-T{script}");
    }
}

/// The revision, and an eye on what changes with it. Where the sources came without git, nobody knows it.
fn revision() -> Option<String> {
    // The sources may have been unpacked somewhere inside of another project.
    if !git(&["--show-prefix"])?.is_empty() {
        return None;
    }
    // Asked for, because a work tree has its own; and only what exists, because cargo builds again for a file that does not.
    let changing = ["logs/HEAD", "HEAD"].into_iter().filter_map(|name| git(&["--git-path", name]));
    if let Some(path) = changing.into_iter().find(|path| Path::new(path).is_file()) {
        println!("cargo:rerun-if-changed={path}");
    }
    git(&["--short=9", "HEAD"])
}

fn git(question: &[&str]) -> Option<String> {
    let answer = Command::new("git").arg("rev-parse").args(question).output().ok()?;
    let text = answer.status.success().then(|| String::from_utf8(answer.stdout).ok())??;
    Some(text.trim().to_owned())
}
