//! The chips, as far as their flash is concerned.

use std::fmt;
use std::ops::Range;

/// A chip that the firmware is built for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chip {
    /// Of a Pico and a Pico W.
    Rp2040,
    /// Of a Pico 2 and a Pico 2 W.
    Rp2350,
}

impl Chip {
    /// All of them, oldest first.
    pub const ALL: [Self; 2] = [Self::Rp2040, Self::Rp2350];

    /// The board that it is known by.
    pub const fn board(self) -> &'static str {
        match self {
            Self::Rp2040 => "Pico",
            Self::Rp2350 => "Pico 2",
        }
    }

    /// Bytes of flash on its boards.
    pub const fn flash_size(self) -> usize {
        match self {
            Self::Rp2040 => 2 * 1024 * 1024,
            Self::Rp2350 => 4 * 1024 * 1024,
        }
    }

    /// Where its flash is.
    pub const fn flash(self) -> Range<u32> {
        const START: u32 = 0x1000_0000;
        START..START + self.flash_size() as u32
    }

    /// Its family in UF2 files. The RP2350 has several; this is for programs of its ARM cores that the boot ROM starts.
    pub const fn family(self) -> u32 {
        match self {
            Self::Rp2040 => 0xE48B_FF56,
            Self::Rp2350 => 0xE48B_FF59,
        }
    }

    /// Where its boot ROM looks for the vectors, from the start of flash: on the RP2040 behind the second stage boot loader.
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
