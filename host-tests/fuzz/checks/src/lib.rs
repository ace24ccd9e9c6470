//! The properties that hold for every input from outside: one function for each fuzz target.
//!
//! Each function takes any bytes, and panics if a property does not hold. The fuzzer calls it with generated inputs
//! (`host-tests/fuzz/fuzz_targets`). A test of this crate calls it with the inputs of the corpus
//! (`host-tests/fuzz/corpus`): `cargo host-tests` fails if a target does not compile or if an input of the corpus finds
//! a fault, without a fuzzer.
//!
//! Memory is limited too: a target that allocates more than [`MEMORY`] at a time is stopped.
#![forbid(unsafe_code)]

use std::alloc::System;

use cap::Cap;

mod code;
mod elf;
mod journal;
mod keys;
mod load;
mod matrix;
mod page_file;
mod program;
mod program_file;
mod save;
mod uf2;

pub use code::code;
pub use elf::elf;
pub use journal::journal;
pub use keys::keys;
pub use load::load;
pub use matrix::matrix;
pub use page_file::page_file;
pub use program::program;
pub use save::save;
pub use uf2::uf2;

/// The memory limit for all allocations of a target, in bytes. The flash of a Pico 2 has 4 MB, and a target makes a few
/// copies of it.
pub const MEMORY: usize = 256 << 20;

#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, MEMORY);

/// A fuzz target: the name of its wrapper and of its corpus folder, and the function that checks an input.
pub type Target = (&'static str, fn(&[u8]));

/// All fuzz targets, sorted by name.
pub const TARGETS: [Target; 10] = [
    ("code", code),
    ("elf", elf),
    ("journal", journal),
    ("keys", keys),
    ("load", load),
    ("matrix", matrix),
    ("page_file", page_file),
    ("program", program),
    ("save", save),
    ("uf2", uf2),
];

/// Checks that a message to the user is one line and not empty.
#[track_caller]
fn expect_one_line(message: &str) {
    assert!(!message.is_empty() && !message.contains(['\n', '\r', '\0']), "not one line: {message:?}");
}
