//! Detects the board that the handheld is built on, as far as it matters for the battery: how VSYS is connected to the
//! analogue-to-digital converter (ADC). The module has no pins and no clock: it requests a [`Setup`] of the pins,
//! levels come in, a [`BoardKind`] comes out.
//!
//! On a Pico and a Pico 2, a divider of 200 and 100 kohm puts a third of VSYS on GP29. On a Pico W and a Pico 2 W, a
//! transistor connects the same divider to GP29 while GP25 is high. On other boards this pin may be connected to
//! something else, or to nothing. An unconnected pin floats, and may have any level.
//!
//! **The divider is detected by its resistance.** Its output resistance is 67 kohm, about as much as the pad's own
//! pull-down of 50 to 80 kohm. So the pull-down leaves 43 to 55 % of the level that the pin has without it. A floating
//! pin is at 0 V with the pull-down on. A pin that is driven, or that has a common pull-up resistor, keeps nearly all
//! of its level. So each level is measured twice: first with the pull-down, which is on after reset, then without.
//!
//! | step | GP25 | pull-down | level       | next                                                          |
//! | ---- | ---- | --------- | ----------- | ------------------------------------------------------------- |
//! | 1    | low  | on        | about 0     | no divider at the pin, or behind a transistor: 3              |
//! |      |      |           | more        | 2                                                             |
//! | 2    | low  | off       |             | a divider: [`BoardKind::Plain`], else [`BoardKind::Unmeasurable`] |
//! | 3    | high | on        | about 0     | [`BoardKind::Unmeasurable`]                                   |
//! |      |      |           | more        | 4                                                             |
//! | 4    | high | off       |             | a divider: [`BoardKind::Radio`], else [`BoardKind::Unmeasurable`] |
//!
//! So GP25, the LED of a plain board, is not driven high there, nor on a board with other parts at GP29.
//!
//! **Each level must settle.** The divider charges the pin's filter capacitor, 1 nF on the Picos, with a time constant
//! of 67 us; with 10 nF it is 0.67 ms. So in each step the level is measured every [`INTERVAL`] until two levels in
//! succession agree. That takes 1.5 ms in all on a Pico, 2.5 ms on a Pico W, and at most 7 ms with 10 nF. It would take
//! 11 ms if the pin were still charged at the start, but the pin discharges while the crystal starts.

use crate::battery::{MAX_PLAUSIBLE, Measured};
use crate::time::Micros;

/// The time between two measurements, and from a change of the pins to the first measurement.
pub const INTERVAL: Micros = 250;
/// Two levels agree if they differ by at most this many counts of the ADC (4096 for 3.3 V). It is more than the noise
/// of a mean of eight samples. With a time constant of 0.67 ms, a level moves by 31 % of its distance in [`INTERVAL`].
/// So when two levels agree, the error is at most 18 counts, 45 mV of VSYS.
const AGREEMENT: u16 = 8;
/// The most measurements in one step. A level that does not settle in 5 ms is not a filtered third of VSYS.
const MAX_COUNT: u8 = 20;
/// Below this a level is about 0, in counts: 0.1 V. The pin's leakage, 1 uA by the data sheet, makes 0.08 V at a
/// pull-down of 80 kohm. The least that a divider has with the pull-down on is a seventh of 1.8 V, 0.26 V.
const ABOUT_ZERO: u16 = 125;

/// How VSYS is connected to the ADC.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BoardKind {
    /// Always connected, as on a Pico and a Pico 2. There GP24 is high while USB supplies power.
    Plain,
    /// Connected while GP25 is high, as on a Pico W and a Pico 2 W, where the radio uses these pins. USB power cannot
    /// be detected.
    Radio,
    /// Not connected: the handheld behaves as without a battery.
    Unmeasurable,
}

/// The state of the pins for a measurement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Setup {
    /// GP25 is driven high, else low.
    pub is_selected: bool,
    /// The pull-down of GP29 is on, else GP29 has no pull resistor.
    pub is_pulled_down: bool,
}

/// The detection, one measurement at a time.
#[derive(Clone, Debug)]
pub struct BoardProbe {
    setup: Setup,
    /// Measurements of this step so far.
    count: u8,
    /// The level of the last measurement.
    last: Option<u16>,
    /// The level with the pull-down on.
    pulled: u16,
}

impl BoardProbe {
    /// The state before the first measurement.
    pub const fn start() -> Self {
        Self { setup: Setup { is_selected: false, is_pulled_down: true }, count: 0, last: None, pulled: 0 }
    }

    /// The state of the pins for the next measurement, which follows after [`INTERVAL`].
    pub const fn setup(&self) -> Setup {
        self.setup
    }

    /// Takes a measured level: the mean of several samples in counts of the ADC, or `None` if the ADC failed. Returns
    /// the kind of the board when it is known. Until then, another measurement is needed.
    pub fn take(&mut self, level: Option<u16>) -> Option<BoardKind> {
        self.count += 1;
        let last = core::mem::replace(&mut self.last, level);
        let settled = last.zip(level).filter(|(last, level)| last.abs_diff(*level) <= AGREEMENT);
        match settled {
            Some((_, level)) => self.judge(level),
            None if self.count >= MAX_COUNT => Some(BoardKind::Unmeasurable),
            None => None,
        }
    }

    /// Takes a level that has settled: ends the step, or the detection.
    fn judge(&mut self, level: u16) -> Option<BoardKind> {
        let Setup { is_selected, is_pulled_down } = self.setup;
        if !is_pulled_down {
            return Some(match is_divider(self.pulled, level) {
                true if is_selected => BoardKind::Radio,
                true => BoardKind::Plain,
                false => BoardKind::Unmeasurable,
            });
        }
        self.pulled = level;
        self.setup = match level {
            ..ABOUT_ZERO if is_selected => return Some(BoardKind::Unmeasurable),
            ..ABOUT_ZERO => Setup { is_selected: true, is_pulled_down: true },
            _ => Setup { is_selected, is_pulled_down: false },
        };
        (self.count, self.last) = (0, None);
        None
    }
}

/// Whether these levels, with the pull-down and without it, are those of the divider at a voltage that VSYS can have.
///
/// The pull-down leaves 43 to 55 %. The battery voltage may change between the two measurements, so 30 to 75 % is
/// accepted. A source with a resistance of 16 kohm or less, or of 190 kohm or more, is outside of this range with any
/// pull-down of 50 to 80 kohm.
fn is_divider(pulled: u16, free: u16) -> bool {
    let (pulled, free) = (u32::from(pulled), u32::from(free));
    let is_plausible = matches!(Measured::of_samples(free, 1), Measured::Battery(..=MAX_PLAUSIBLE));
    is_plausible && (free * 30..=free * 75).contains(&(pulled * 100))
}
