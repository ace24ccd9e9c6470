//! The cache before the flash, and what the boot ROM leaves.

use super::Source::{Descriptions, Known};
use super::{Register, one, row};

/// Rows of XIP_CTRL, at different places of the chips.
pub const XIP: &[Register] = &[row(
    one(0x00),
    "CTRL",
    Descriptions,
    "EN; POWER_DOWN: the cache keeps its content, cannot be accessed, and EN becomes 0, so that flash is read past it",
    "storage",
    "POWER_DOWN and EN do nothing: embassy-rp sets POWER_DOWN for sleep and restores both; the program runs from RAM",
)];

/// Rows of the boot RAM of the RP2350.
pub const BOOTRAM: &[Register] = &[row(
    (0x000, 0x0FC),
    "BOOTRAM",
    Known,
    "the boot ROM leaves a function there that sets the flash's interface up again; embassy-rp copies its 256 bytes",
    "elsewhere",
    "it reads as a function that returns",
)
.tests(&["what_sets_up_the_flash_is_called_where_the_rom_leaves_it"])];
