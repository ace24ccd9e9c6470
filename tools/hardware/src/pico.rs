//! The two rows of pins of the Pico, as printed on the back of the board. They are the same on all four supported
//! boards.

/// The side of the board that a pin is on, with the USB connector at the top.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Pins 1 to 20, from the top down.
    Left,
    /// Pins 40 to 21, from the top down.
    Right,
}

/// The other supported boards, for labels in the drawings. Their wiring is the same.
pub(crate) const OTHER_BOARDS: &str = "or Pico W, Pico 2, Pico 2 W";

/// The names of pins 1 to 40, in this order.
pub const HEADER: [&str; 40] = [
    "GP0", "GP1", "GND", "GP2", "GP3", "GP4", "GP5", "GND", "GP6", "GP7", // 1 to 10
    "GP8", "GP9", "GND", "GP10", "GP11", "GP12", "GP13", "GND", "GP14", "GP15", // 11 to 20
    "GP16", "GP17", "GND", "GP18", "GP19", "GP20", "GP21", "GND", "GP22", "RUN", // 21 to 30
    "GP26", "GP27", "GND", "GP28", "ADC_VREF", "3V3", "3V3_EN", "GND", "VSYS", "VBUS", // 31 to 40
];

/// Number of pins on each side.
pub(crate) const PINS_A_SIDE: usize = HEADER.len() / 2;

/// The name of a GPIO, such as `GP16`.
pub fn pin_name(gpio: u8) -> String {
    format!("GP{gpio}")
}

/// Whether a GPIO has a pin on the board's edge. GP23, 24, 25 and 29 have none: the board uses them itself.
pub fn is_on_header(gpio: u8) -> bool {
    HEADER.contains(&pin_name(gpio).as_str())
}

/// The number of the first pin with this name, 1 to 40.
///
/// # Panics
/// If the Pico has no such pin. A checked [`Wiring`](crate::Wiring) has only pins that exist.
pub(crate) fn pin_number(name: &str) -> usize {
    1 + HEADER.iter().position(|&other| other == name).unwrap_or_else(|| panic!("a Pico has no pin {name}"))
}

/// The side of a pin, and the number of pins above it.
pub(crate) fn place(number: usize) -> (Side, usize) {
    if number <= PINS_A_SIDE { (Side::Left, number - 1) } else { (Side::Right, HEADER.len() - number) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pins_are_numbered_as_on_the_board() {
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
    fn every_gpio_but_the_internal_ones_has_one_pin() {
        for gpio in 0..=30 {
            let count = HEADER.iter().filter(|&&name| name == pin_name(gpio)).count();
            let internal = matches!(gpio, 23..=25 | 29..);
            assert_eq!(count, usize::from(!internal), "GP{gpio}");
        }
    }
}
