//! The power supply of the handheld, and its voltage drop under load.
//!
//! A battery is a voltage source with a resistance in series: three fresh AAA battery cells have 4.8 V and 0.5 ohm,
//! empty ones 3.3 V and 1.5 ohm or more. The loads are the worst cases in the data sheets:
//!
//! | load                                   | mA                                                |
//! | -------------------------------------- | ------------------------------------------------- |
//! | the Pico                               | 25, dormant 1                                     |
//! | a flash operation                      | 25                                                |
//! | the LEDs, while they have supply       | see [`Frame::milliamps`](crate::Frame::milliamps) |
//! | the LEDs' capacitor while it charges   | 300: 1000 uF to 4.8 V in 16 ms                    |
//!
//! Below [`BROWN_OUT`] the voltage converter of the Pico stops: a brown-out, with the effects of a power cut.

/// VSYS at which the voltage converter stops, in millivolts. Its data sheet guarantees operation down to 1.8 V.
pub(crate) const BROWN_OUT: u32 = 1_900;
/// Voltage drop of the Pico's diode between VBUS and VSYS, in millivolts.
const DIODE: u32 = 300;

/// The power supply of the handheld.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Supply {
    /// 5 V at the Pico's USB connector.
    Usb,
    /// A battery at VSYS.
    Battery {
        /// Voltage without load.
        millivolts: u32,
        /// Resistance of battery, wires and contacts.
        milliohms: u32,
    },
}

impl Supply {
    /// Whether VBUS has a voltage.
    pub(crate) fn has_vbus(self) -> bool {
        self == Self::Usb
    }

    /// VSYS in millivolts at a load of `milliamps`.
    pub(crate) fn vsys(self, milliamps: f32) -> u32 {
        match self {
            Self::Usb => 5_000 - DIODE,
            Self::Battery { millivolts, milliohms } => {
                millivolts.saturating_sub((milliamps * milliohms as f32 / 1000.0) as u32)
            }
        }
    }
}

/// Current of the board without its LEDs, in milliamperes.
pub(crate) fn board_milliamps(is_dormant: bool, is_flash_busy: bool) -> f32 {
    let chip = if is_dormant { 1.0 } else { 25.0 };
    chip + if is_flash_busy { 25.0 } else { 0.0 }
}

/// Current of the LEDs' capacitor while it charges, in milliamperes.
pub(crate) const INRUSH_MILLIAMPS: f32 = 300.0;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn battery_voltage_drops_under_load_and_usb_does_not() {
        let battery = Supply::Battery { millivolts: 4500, milliohms: 1500 };
        assert_eq!([0.0, 100.0, 400.0].map(|load| battery.vsys(load)), [4500, 4350, 3900]);
        assert_eq!(battery.vsys(10_000.0), 0);
        assert_eq!([0.0, 400.0].map(|load| Supply::Usb.vsys(load)), [4700, 4700]);
        assert!(Supply::Usb.has_vbus() && !battery.has_vbus());
    }

    #[test]
    fn flash_operation_draws_as_much_as_the_chip() {
        assert_eq!(
            [(true, false), (false, false), (false, true)].map(|(d, f)| board_milliamps(d, f)),
            [1.0, 25.0, 50.0]
        );
    }
}
