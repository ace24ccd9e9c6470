//! What must hold for any input that comes from outside, one function for each fuzz target.
//!
//! Each function takes any bytes, and panics where a property does not hold. The fuzzer calls it with inputs of its own
//! (`host-tests/fuzz/fuzz_targets`), and a test of this crate with those of the kept corpus (`host-tests/fuzz/corpus`). So `cargo host-tests`
//! notices when a target no longer compiles or when the corpus finds a fault, without a fuzzer.
//!
//! Memory is limited as well: a target that allocates more than [`MEMORY`] at a time is stopped.
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

/// The most memory that all of a target's allocations may take, in bytes. The flash of a Pico 2 is 4 MB, and a few copies of it are
/// made.
pub const MEMORY: usize = 256 << 20;

#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, MEMORY);

/// A fuzz target: the name of its wrapper and of the folder of its corpus, and what it does with an input.
pub type Target = (&'static str, fn(&[u8]));

/// All of them.
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

/// A message to a person is one line, and not empty.
#[track_caller]
fn expect_one_line(message: &str) {
    assert!(!message.is_empty() && !message.contains(['\n', '\r', '\0']), "not one line: {message:?}");
}
