//! Colours, and frames of 25 colours.

use crate::matrix::CELLS;
use core::time::Duration;

/// A colour as sent to the LEDs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rgb {
    /// Red.
    pub r: u8,
    /// Green.
    pub g: u8,
    /// Blue.
    pub b: u8,
}

impl Rgb {
    /// Whether the LED is lit.
    pub fn is_lit(self) -> bool {
        self != Self::default()
    }

    /// Red + green + blue, 0 to 765. The current of the LED is proportional to it.
    pub fn sum(self) -> u32 {
        u32::from(self.r) + u32::from(self.g) + u32::from(self.b)
    }
}

/// One complete frame as the LEDs received it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The colour of each cell.
    pub leds: [Rgb; CELLS],
    /// Time of the first edge, since power-on.
    pub started: Duration,
    /// Time of the end of the last bit, since power-on.
    pub ended: Duration,
}

impl Frame {
    /// The lit cells: bit n is set if the LED of cell n is lit.
    pub fn lit(&self) -> u32 {
        (0..CELLS).filter(|&cell| self.leds[cell].is_lit()).fold(0, |mask, cell| mask | 1 << cell)
    }

    /// Current of the whole handheld while this frame is shown: 25 mA for the board, 1 mA for each LED, and up to 55 mA
    /// more for each LED, in proportion to [`Rgb::sum`].
    pub fn milliamps(&self) -> f32 {
        25.0 + self.led_milliamps()
    }

    /// Current of the LEDs alone.
    pub(crate) fn led_milliamps(&self) -> f32 {
        let light: u32 = self.leds.iter().map(|led| led.sum()).sum();
        CELLS as f32 + light as f32 * 55.0 / 765.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn current_is_proportional_to_brightness() {
        let mut frame = Frame { leds: [Rgb::default(); CELLS], started: Duration::ZERO, ended: Duration::ZERO };
        assert_eq!(frame.milliamps(), 50.0);
        assert_eq!(frame.lit(), 0);
        frame.leds = [Rgb { r: 255, g: 255, b: 255 }; CELLS];
        assert_eq!(frame.milliamps(), 50.0 + 25.0 * 55.0);
        assert_eq!(frame.lit(), (1 << 25) - 1);
    }
}
