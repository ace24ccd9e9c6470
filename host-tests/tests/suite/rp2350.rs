//! The real firmware on an emulated Pico 2.

#[path = "firmware/mod.rs"]
pub mod firmware;

use flash_image::Chip;

/// What the tests run on.
const CHIP: Chip = Chip::Rp2350;
