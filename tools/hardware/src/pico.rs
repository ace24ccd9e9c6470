//! The Pico's two rows of pins, as printed on the back of the board. They are the same on all four boards that the firmware is for.

/// Where on the board a pin is, with the USB connector at the top.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Pins 1 to 20, from the top down.
    Left,
    /// Pins 40 to 21, from the top down.
    Right,
}

/// The boards beside the Pico, for the drawings: what is wired to one of them is wired to all.
pub(crate) const OTHER_BOARDS: &str = "or Pico W, Pico 2, Pico 2 W";

/// The names of pins 1 to 40, in this order.
pub const HEADER: [&str; 40] = [
    "GP0", "GP1", "GND", "GP2", "GP3", "GP4", "GP5", "GND", "GP6", "GP7", // 1 to 10
    "GP8", "GP9", "GND", "GP10", "GP11", "GP12", "GP13", "GND", "GP14", "GP15", // 11 to 20
    "GP16", "GP17", "GND", "GP18", "GP19", "GP20", "GP21", "GND", "GP22", "RUN", // 21 to 30
    "GP26", "GP27", "GND", "GP28", "ADC_VREF", "3V3", "3V3_EN", "GND", "VSYS", "VBUS", // 31 to 40
];

/// Pins on each side.
pub(crate) const PINS_A_SIDE: usize = HEADER.len() / 2;

/// How a GPIO is called: `GP16`.
pub fn pin_name(gpio: u8) -> String {
    format!("GP{gpio}")
}

/// Whether a GPIO can be wired to at all: GP23, 24, 25 and 29 serve the board itself.
pub fn is_on_header(gpio: u8) -> bool {
    HEADER.contains(&pin_name(gpio).as_str())
}

/// The number of the first pin with this name, 1 to 40.
///
/// # Panics
/// When the Pico has no such pin. [`Wiring`](crate::Wiring) holds none of those.
pub(crate) fn pin_number(name: &str) -> usize {
    1 + HEADER.iter().position(|&other| other == name).unwrap_or_else(|| panic!("a Pico has no pin {name}"))
}

/// On which side a pin is, and how many pins are above it.
pub(crate) fn place(number: usize) -> (Side, usize) {
    if number <= PINS_A_SIDE { (Side::Left, number - 1) } else { (Side::Right, HEADER.len() - number) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn landmarks_of_the_board() {
        assert_eq!(pin_number("GP15"), 20);
        assert_eq!(pin_number("GP16"), 21);
        assert_eq!(pin_number("VBUS"), 40);
        assert_eq!(place(1), (Side::Left, 0));
        assert_eq!(place(20), (Side::Left, 19));
        assert_eq!(place(21), (Side::Right, 19));
        assert_eq!(place(40), (Side::Right, 0));
        let ground: Vec<_> = (1..=40).filter(|number| HEADER[number - 1] == "GND").collect();
        assert_eq!(ground, [3, 8, 13, 18, 23, 28, 33, 38]);
    }

    #[test]
    fn every_gpio_but_the_boards_own_has_one_pin() {
        for gpio in 0..=30 {
            let count = HEADER.iter().filter(|&&name| name == pin_name(gpio)).count();
            let own = matches!(gpio, 23..=25 | 29..);
            assert_eq!(count, usize::from(!own), "GP{gpio}");
        }
    }
}
