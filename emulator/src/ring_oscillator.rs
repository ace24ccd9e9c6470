//! The frequency of the ring oscillator. The emulator crates always assume 6.5 MHz, independent of its registers.
//!
//! The register DIV needs a password in its upper bits. A value without the password selects the largest divider, and
//! so does a divider of 0. The chips have different passwords. So the value with which embassy-rp divides by 32 on the
//! RP2040 divides by 128 on the RP2350. A chip that wakes from dormant sleep runs at that frequency until its crystal
//! is stable.
//!
//! Not modelled: the frequency range setting, the drive strengths, and the tolerance of the frequency of +-50 %.

use crate::chip_interface::Chip;

/// The frequency that the emulator crates assume. No other clock of a Pico has it.
pub(crate) const UPSTREAM_HZ: u32 = rp2350_emu::ROSC_FREQ_HZ;

/// The ring oscillator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RingOscillator {
    chip: Chip,
    divider: u32,
}

impl RingOscillator {
    /// The state after a reset.
    pub(crate) fn new(chip: Chip) -> Self {
        let divider = match chip {
            Chip::Rp2040 => 16,
            Chip::Rp2350 => 8,
        };
        Self { chip, divider }
    }

    /// Write to DIV.
    pub(crate) fn write_divider(&mut self, value: u32) {
        // The password (with a divider field of 0), the divider for a field of 0, and the divider for invalid values.
        let (password, most, otherwise) = match self.chip {
            Chip::Rp2040 => (0xAA0, 32, 31),
            Chip::Rp2350 => (0xAA00, 128, 128),
        };
        self.divider = match (value & 0xFFFF).checked_sub(password) {
            Some(0) => most,
            Some(divider) if divider < most => divider,
            _ => otherwise,
        };
    }

    /// The frequency in Hz. After a reset it is nominally 6.5 MHz on the RP2040 and 11 MHz on the RP2350.
    pub(crate) fn hz(self) -> u32 {
        match self.chip {
            Chip::Rp2040 => 104_000_000 / self.divider,
            Chip::Rp2350 => 88_000_000 / self.divider,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn divider_register_sets_the_frequency() {
        let mut old = RingOscillator::new(Chip::Rp2040);
        let mut new = RingOscillator::new(Chip::Rp2350);
        assert_eq!((old.hz(), new.hz()), (6_500_000, 11_000_000));
        for (value, old_hz, new_hz) in [
            (0xAA0, 3_250_000, 687_500),
            (0xAB0, 6_500_000, 687_500),
            (0xAC0, 104_000_000 / 31, 687_500),
            (0xAA00, 104_000_000 / 31, 687_500),
            (0xAA10, 104_000_000 / 31, 5_500_000),
            (0, 104_000_000 / 31, 687_500),
        ] {
            old.write_divider(value);
            new.write_divider(value);
            assert_eq!((old.hz(), new.hz()), (old_hz, new_hz), "{value:#x}");
        }
    }
}
