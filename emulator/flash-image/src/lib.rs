//! The flash content of a Pico's firmware: an [`Image`], read from an ELF file or a UF2 file.
//!
//! The compiler produces an ELF file. A Pico takes a UF2 file by drag and drop. The emulated handheld takes the flash
//! content itself. This crate converts between them:
//!
//! ```text
//! ELF -- Image::from_elf --\             /-- uf2::write -- UF2
//!                           -- Image ----
//! UF2 -- uf2::read --------/             \-- Image::flash -- 2 or 4 MB, for an emulator
//! ```
//!
//! An image is for one [`Chip`]. A UF2 file may contain one image for each chip.
//!
//! The crate also writes ELF files. `elf` writes a file with a few segments, for tests. `strip` writes the small file
//! for the web page.
#![forbid(unsafe_code)]

mod chip;
#[cfg(not(target_family = "wasm"))]
pub mod elf;
mod image;
pub mod image_def;
#[cfg(not(target_family = "wasm"))]
mod strip;
pub mod uf2;

pub use chip::Chip;
pub use image::{ERASED, Image, ImageError, PAGE, SECTOR};
#[cfg(not(target_family = "wasm"))]
pub use strip::strip;
