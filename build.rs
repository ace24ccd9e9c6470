//! Hands the linker our memory map and the link scripts of cortex-m-rt, embassy-rp and defmt; for the chip only.

use std::env;
use std::fs;
use std::path::PathBuf;

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

    for argument in ["--nmagic", "-Tlink.x", "-Tlink-rp.x", "-Tdefmt.x"] {
        println!("cargo:rustc-link-arg-bins={argument}");
    }
}
