//! The two chips, and the properties of their flash.

use std::fmt;
use std::ops::Range;

/// A chip that the firmware is built for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chip {
    /// The chip of a Pico and a Pico W.
    Rp2040,
    /// The chip of a Pico 2 and a Pico 2 W.
    Rp2350,
}

impl Chip {
    /// All chips, the oldest first.
    pub const ALL: [Self; 2] = [Self::Rp2040, Self::Rp2350];

    /// The name of the best-known board with this chip.
    pub const fn board(self) -> &'static str {
        match self {
            Self::Rp2040 => "Pico",
            Self::Rp2350 => "Pico 2",
        }
    }

    /// The flash size of the chip's boards, in bytes.
    pub const fn flash_size(self) -> usize {
        match self {
            Self::Rp2040 => 2 * 1024 * 1024,
            Self::Rp2350 => 4 * 1024 * 1024,
        }
    }

    /// The addresses of the flash.
    pub const fn flash(self) -> Range<u32> {
        const START: u32 = 0x1000_0000;
        START..START + self.flash_size() as u32
    }

    /// The family ID in UF2 files. The RP2350 has several; this one is for secure programs of its ARM cores.
    pub const fn family(self) -> u32 {
        match self {
            Self::Rp2040 => 0xE48B_FF56,
            Self::Rp2350 => 0xE48B_FF59,
        }
    }

    /// The offset of the vector table from the start of flash. On the RP2040 it follows the second-stage bootloader.
    pub const fn vectors(self) -> usize {
        match self {
            Self::Rp2040 => 0x100,
            Self::Rp2350 => 0,
        }
    }
}

impl fmt::Display for Chip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Rp2040 => "RP2040",
            Self::Rp2350 => "RP2350",
        })
    }
}
