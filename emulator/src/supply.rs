//! What feeds the handheld, and how it gives way under load.
//!
//! Cells are a voltage behind a resistance: three fresh AAA are 4.8 V and 0.5 ohm, worn ones 3.3 V and 1.5 ohm and more. What hangs
//! on them, by the data sheets' worst cases:
//!
//! | load                            | mA                                               |
//! | ------------------------------- | ------------------------------------------------ |
//! | the Pico                        | 25, dormant 1                                    |
//! | the flash while it works        | 25                                               |
//! | the LEDs, while they have supply | see [`Frame::milliamps`](crate::Frame::milliamps) |
//! | their capacitor while it fills  | 300: 1000 uF to 4.8 V in 16 ms                   |
//!
//! Below [`BROWN_OUT`] the Pico's converter gives up, and that is a power cut.

/// VSYS at which the converter gives up, in millivolts: its data sheet promises 1.8 V.
pub const BROWN_OUT: u32 = 1_900;
/// From VBUS to VSYS, through the Pico's diode.
const DIODE: u32 = 300;

/// What feeds the handheld.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Supply {
    /// 5 V at the Pico's connector.
    Usb,
    /// Cells at VSYS.
    Cells {
        /// Their voltage when nothing is drawn.
        millivolts: u32,
        /// Their resistance, and that of wires and contacts.
        milliohms: u32,
    },
}

impl Supply {
    /// Whether there is a voltage at VBUS.
    pub(crate) fn has_vbus(self) -> bool {
        self == Self::Usb
    }

    /// VSYS in millivolts while so many milliamperes are drawn.
    pub(crate) fn vsys(self, milliamps: f32) -> u32 {
        match self {
            Self::Usb => 5_000 - DIODE,
            Self::Cells { millivolts, milliohms } => {
                millivolts.saturating_sub((milliamps * milliohms as f32 / 1000.0) as u32)
            }
        }
    }
}

/// Of the board without its LEDs, in milliamperes.
pub(crate) fn board_milliamps(is_dormant: bool, flash_works: bool) -> f32 {
    let chip = if is_dormant { 1.0 } else { 25.0 };
    chip + if flash_works { 25.0 } else { 0.0 }
}

/// The LEDs' capacitor while it fills.
pub(crate) const INRUSH_MILLIAMPS: f32 = 300.0;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_give_way_and_usb_does_not() {
        let cells = Supply::Cells { millivolts: 4500, milliohms: 1500 };
        assert_eq!([0.0, 100.0, 400.0].map(|load| cells.vsys(load)), [4500, 4350, 3900]);
        assert_eq!(cells.vsys(10_000.0), 0);
        assert_eq!([0.0, 400.0].map(|load| Supply::Usb.vsys(load)), [4700, 4700]);
        assert!(Supply::Usb.has_vbus() && !cells.has_vbus());
    }

    #[test]
    fn the_flash_costs_as_much_as_the_chip() {
        assert_eq!(
            [(true, false), (false, false), (false, true)].map(|(d, f)| board_milliamps(d, f)),
            [1.0, 25.0, 50.0]
        );
    }
}
