//! What a firmware puts into a Pico's flash: an [`Image`], read from an ELF file or from a UF2 file.
//!
//! The compiler leaves an ELF file, a Pico takes a UF2 file by drag and drop, and the virtual handheld is programmed with
//! the flash itself. All of them meet here:
//!
//! ```text
//! ELF -- Image::from_elf --\             /-- uf2::write -- UF2
//!                           -- Image ----
//! UF2 -- uf2::read --------/             \-- Image::flash -- 2 MB, for an emulator
//! ```
//!
//! ELF files are written too: [`elf`] makes one of a few segments, for tests, and [`strip`] makes one for the web page, as
//! small as its log allows.
#![forbid(unsafe_code)]

pub mod elf;
mod image;
mod strip;
pub mod uf2;

pub use image::{ERASED, FLASH, FLASH_SIZE, Image, ImageError, PAGE, SECTOR};
pub use strip::strip;
