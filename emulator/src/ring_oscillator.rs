//! The ring oscillator's frequency, which the emulators take to be 6.5 MHz whatever its registers say.
//!
//! Its divider has a password in front: a value without it divides by the most there is, and so does 0. The passwords
//! of the chips differ, so that the value with which embassy-rp divides by 32 on the RP2040 divides by 128 on the
//! RP2350. A chip that wakes from dormant sleep runs on that until its crystal is stable.
//!
//! Not modelled: the range, the drive strengths, and that the frequency may be a half more or less.

use crate::silicon::Chip;

/// What the emulators take for its frequency. No other clock of a Pico has it.
pub const UPSTREAM_HZ: u32 = rp2350_emu::ROSC_FREQ_HZ;

/// The oscillator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RingOscillator {
    chip: Chip,
    divider: u32,
}

impl RingOscillator {
    /// As after a reset.
    pub fn new(chip: Chip) -> Self {
        let divider = match chip {
            Chip::Rp2040 => 16,
            Chip::Rp2350 => 8,
        };
        Self { chip, divider }
    }

    /// The firmware writes DIV.
    pub fn write_divider(&mut self, value: u32) {
        // The password with a divider of 0, that divider, and the one for all that is wrong.
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

    /// Its frequency in Hz: nominally 6.5 MHz after a reset of the RP2040, 11 MHz of the RP2350.
    pub fn hz(self) -> u32 {
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
    fn ring_oscillator_runs_at_what_its_divider_says() {
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
