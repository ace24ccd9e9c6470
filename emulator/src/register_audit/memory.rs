//! The flash cache, and the boot RAM.

use super::Source::{Descriptions, Known};
use super::{Register, one, row};

/// Rows of XIP_CTRL, whose base address differs between the chips.
pub(super) const XIP: &[Register] = &[row(
    one(0x00),
    "CTRL",
    Descriptions,
    "EN; POWER_DOWN: the cache keeps its content but cannot be accessed, and EN becomes 0, so that flash reads bypass \
     it",
    "storage",
    "POWER_DOWN and EN have no effect: embassy-rp sets POWER_DOWN for sleep and restores both; the firmware runs from \
     RAM",
)];

/// Rows of the boot RAM of the RP2350.
pub(super) const BOOTRAM: &[Register] = &[row(
    (0x000, 0x0FC),
    "BOOTRAM",
    Known,
    "the boot ROM leaves a function here that sets up the flash interface again; embassy-rp copies its 256 bytes",
    "at another address",
    "reads as a function that returns at once",
)
.tests(&["boot_ram_function_can_be_copied_and_called"])];
