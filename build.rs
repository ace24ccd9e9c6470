//! Hands the linker our memory map and the link scripts of cortex-m-rt, embassy-rp and defmt; and the firmware what it was
//! built from. For the chip only.

use std::env;
use std::fs;
use std::path::PathBuf;
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

    // Where the sources came without git, nobody knows the revision.
    println!("cargo:rerun-if-changed=.git/logs/HEAD");
    let git = Command::new("git").args(["rev-parse", "--short=9", "HEAD"]).output();
    let revision =
        git.ok().filter(|answer| answer.status.success()).and_then(|answer| String::from_utf8(answer.stdout).ok());
    println!("cargo:rustc-env=GIT_REVISION={}", revision.as_deref().map_or("unknown", str::trim));
    println!("cargo:rustc-env=BUILD_PROFILE={}", env::var("PROFILE").unwrap_or_default());

    for argument in ["--nmagic", "-Tlink.x", "-Tlink-rp.x", "-Tdefmt.x"] {
        println!("cargo:rustc-link-arg-bins={argument}");
    }
}
