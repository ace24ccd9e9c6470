//! The handheld for a web page: what stands between the [virtual handheld](emulator) and the page's script.
//!
//! The page (folder `page/`: HTML, CSS, one script) draws and listens; here time passes. The script writes a firmware
//! file into a buffer and asks for it to be [loaded](mod@file), switches on, sets keys, lets time pass in small slices, and
//! after each looks at the lights and a row of figures. A [`Session`](session::Session) is all of that as plain Rust,
//! tested on any computer; `exports` is its thin shell of numbers and buffers, which exists in WebAssembly only. No
//! binding generator is used: numbers go in and out, and bytes through two buffers.
//!
//! What the flash holds besides the firmware is kept by the browser as a small [file](saves), which a visitor can also
//! take home.
#![forbid(unsafe_op_in_unsafe_fn)]

#[cfg(target_arch = "wasm32")]
mod exports;
pub mod file;
pub mod puzzles;
pub mod saves;
pub mod session;
