//! The handheld for a web page: the layer between the [emulated handheld](emulator) and the page's script.
//!
//! The page (folder `page/`: HTML, CSS and scripts) shows the lights and handles input; this crate runs the emulator.
//! The script copies a firmware file into a buffer and has it [loaded](mod@file). Then the script switches the
//! handheld on, sets keys, and runs emulated time in small slices. After each slice it reads the lights and a row of
//! figures.
//!
//! A [`Session`](session::Session) does all of this in plain Rust and is tested on any computer. The module `exports`
//! is a thin layer of numbers and buffers around it, which exists in WebAssembly only. No binding generator is used,
//! because numbers and two byte buffers are enough.
//!
//! The browser keeps the content of the flash, except the firmware, as a small [memory file](saves). The user can also
//! save that file.
#![forbid(unsafe_op_in_unsafe_fn)]

#[cfg(target_arch = "wasm32")]
mod exports;
pub mod file;
pub mod puzzles;
pub mod saves;
pub mod session;
