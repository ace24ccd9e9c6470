//! Which board the handheld is built on, as far as the battery is concerned: how VSYS reaches the analogue converter.
//! The module knows neither pins nor clock: it asks for a [`Setup`] of the pins, levels come in, a [`BoardKind`] comes
//! out.
//!
//! On a Pico and a Pico 2 a divider of 200 and 100 kohm has a third of VSYS at GP29. On a Pico W and a Pico 2 W a
//! transistor connects the same divider to GP29 while GP25 is high. Other makers' boards may have anything there, or
//! nothing: then the pin floats, and a floating pin may have any level.
//!
//! **The divider is known by its resistance.** It is 67 kohm to the outside, about as much as the pad's own pull-down
//! of 50 to 80 kohm. So the pull-down leaves 43 to 55 % of the level that the pin has without it. A floating pin has
//! nothing left with the pull-down on, and a pin that something drives or that has a common pull-up resistor keeps
//! nearly all of its level. So each look is taken twice, first with the pull-down (which is on from reset), then
//! without.
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
//! GP25, the lamp of a plain board, is never high there, and a board with other parts at GP29 does not get it driven.
//!
//! **Each level must settle.** The divider charges the pin's filter capacitor, 1 nF on the Picos, with a time constant
//! of 67 us; a maker who took 10 nF has 0.67 ms. So in each step the pin is looked at every [`INTERVAL`] until two
//! levels in succession agree. That takes 1.5 ms in all on a Pico, 2.5 ms on a Pico W, and 7 ms at most with 10 nF; 11
//! ms if the pin were still charged when it begins, which it is not after the milliseconds that the crystal takes to
//! start.

use crate::battery::{Measured, PLAUSIBLE_MOST};
use crate::time::Micros;

/// From one look to the next, and from a change of the pins to the first look.
pub const INTERVAL: Micros = 250;
/// Two levels agree within so many counts of the converter (of 4096 for 3.3 V). It is more than noise leaves in a mean
/// of eight samples. With a time constant of 0.67 ms, 31 % of the way are done in [`INTERVAL`]: so at most 18 counts
/// are missing when two levels agree, 45 mV of VSYS.
const AGREEMENT: u16 = 8;
/// Looks in one step. A level that does not settle in 5 ms is no filtered third of VSYS.
const LOOKS: u8 = 20;
/// Below this a level is about 0, in counts: 0.1 V. The pin's leakage, 1 uA by the data sheet, makes 0.08 V at a
/// pull-down of 80 kohm. The least that a divider has with the pull-down on is a seventh of 1.8 V, 0.26 V.
const ABOUT_ZERO: u16 = 125;

/// How VSYS reaches the analogue converter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BoardKind {
    /// Always, as on a Pico and a Pico 2. There GP24 tells whether USB gives power.
    Plain,
    /// While GP25 is high, as on a Pico W and a Pico 2 W, whose radio has the pins at other times. Nothing tells of
    /// USB.
    Radio,
    /// Not at all: the handheld behaves as without a battery.
    Unmeasurable,
}

/// How the pins must be for a look.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Setup {
    /// GP25 is driven high, else low.
    pub is_selected: bool,
    /// The pull-down of GP29 is on, else no pull is.
    pub is_pulled_down: bool,
}

/// Finds out which board it is, look by look.
#[derive(Clone, Debug)]
pub struct BoardProbe {
    setup: Setup,
    /// Looks of this step so far, and the level of the last one.
    looks: u8,
    last: Option<u16>,
    /// The level with the pull-down on.
    pulled: u16,
}

impl BoardProbe {
    /// Before the first look.
    pub const fn start() -> Self {
        Self { setup: Setup { is_selected: false, is_pulled_down: true }, looks: 0, last: None, pulled: 0 }
    }

    /// How the pins must be for the next look, which is [`INTERVAL`] later.
    pub const fn setup(&self) -> Setup {
        self.setup
    }

    /// Takes the level of a look: the mean of several samples in counts of the converter, or `None` where the converter
    /// failed. Gives the kind of the board when it is known; until then the next look is to be taken.
    pub fn take(&mut self, level: Option<u16>) -> Option<BoardKind> {
        self.looks += 1;
        let last = core::mem::replace(&mut self.last, level);
        let settled = last.zip(level).filter(|(last, level)| last.abs_diff(*level) <= AGREEMENT);
        match settled {
            Some((_, level)) => self.judge(level),
            None if self.looks >= LOOKS => Some(BoardKind::Unmeasurable),
            None => None,
        }
    }

    /// What a level that has settled means.
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
        (self.looks, self.last) = (0, None);
        None
    }
}

/// Whether these levels, with the pull-down and without, are those of the divider at a voltage that VSYS can have.
///
/// The pull-down leaves 43 to 55 %. Cells that sag or recover between the two looks move that, so 30 to 75 % is
/// accepted. What is behind 16 kohm or less, or behind 190 kohm or more, is outside with any pull-down of 50 to 80
/// kohm.
fn is_divider(pulled: u16, free: u16) -> bool {
    let (pulled, free) = (u32::from(pulled), u32::from(free));
    let is_plausible = matches!(Measured::of_samples(free, 1), Measured::Cells(..=PLAUSIBLE_MOST));
    is_plausible && (free * 30..=free * 75).contains(&(pulled * 100))
}
