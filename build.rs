//! Hands the linker our memory map and the link scripts of cortex-m-rt, embassy-rp and defmt; and the firmware what it was
//! built from. For the chip only.

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

    // cortex-m-rt's link.x says `INCLUDE memory.x`: a copy in the search path lets the build start from any folder.
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    fs::copy("memory.x", out.join("memory.x")).expect("memory.x stands beside build.rs");
    println!("cargo:rustc-link-search={}", out.display());

    println!("cargo:rustc-env=GIT_REVISION={}", revision().as_deref().unwrap_or("unknown"));
    println!("cargo:rustc-env=BUILD_PROFILE={}", env::var("PROFILE").unwrap_or_default());

    for argument in ["--nmagic", "-Tlink.x", "-Tlink-rp.x", "-Tdefmt.x"] {
        println!("cargo:rustc-link-arg-bins={argument}");
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
