//! Says what to type to somebody who types `cargo test`.
//!
//! Cargo builds for the chip unless told otherwise, and there is no test harness for the chip: a minute of building would
//! end in "can't find crate for `test`". This crate is needed by tests for the chip alone, and by nothing else, so it is
//! built first and stops them.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("none") {
        println!("cargo::error=Tests run on this computer, not on the chip. Type: cargo host-tests");
    }
}
