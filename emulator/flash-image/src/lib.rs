//! What a firmware puts into a Pico's flash: an [`Image`], read from an ELF file or from a UF2 file.
//!
//! The compiler leaves an ELF file, a Pico takes a UF2 file by drag and drop, and the virtual handheld is programmed with
//! the flash itself. All of them meet here:
//!
//! ```text
//! ELF -- Image::from_elf --\             /-- uf2::write -- UF2
//!                           -- Image ----
//! UF2 -- uf2::read --------/             \-- Image::flash -- 2 or 4 MB, for an emulator
//! ```
//!
//! An image is for one [`Chip`]; a UF2 file may hold one for each.
//!
//! ELF files are written too: [`elf`] makes one of a few segments, for tests, and [`strip`] makes one for the web page, as
//! small as its log allows.
#![forbid(unsafe_code)]

mod chip;
pub mod elf;
mod image;
pub mod image_def;
mod strip;
pub mod uf2;

pub use chip::Chip;
pub use image::{ERASED, Image, ImageError, PAGE, SECTOR};
pub use strip::strip;
