//! GP29, the pin at which VSYS is measured, as an analogue node: what is connected to it, and how fast its level
//! follows.
//!
//! The node is one capacitor that several sources charge, each a voltage behind a resistance. The level moves towards
//! the mean of the voltages, weighted by their conductances, with the time constant of all resistances in parallel and
//! the capacitor.
//!
//! | source               | voltage  | resistance    | when                                                       |
//! | -------------------- | -------- | ------------- | ---------------------------------------------------------- |
//! | the board's divider  | VSYS / 3 | 66.7 kohm     | always, or only while GP25 is high: see [`PicoBoard`]      |
//! | the pad's pull-down  | 0        | 50 to 80 kohm | while PDE is set, as it is from reset                      |
//! | the pad's pull-up    | 3.3 V    | 50 to 80 kohm | while PUE is set                                           |
//! | a clone's own parts  | any      | any           | [`PicoBoard::Other`]                                       |
//! | leakage              | any      | 10 Mohm       | [`PicoBoard::Bare`]; the data sheet allows 1 uA            |
//! | the pad's output     | 0, 3.3 V | 50 ohm        | while it drives the pin                                    |
//! | erratum RP2350-E9    | 2.2 V    | 10 kohm       | while the input is on without pull-up, from 0.8 V on       |
//!
//! The divider is 200 and 100 kohm (Pico data sheet). The pulls are by the RP2040's data sheet, "Pin characteristics".
//! So a pull-down leaves 0.14 (50 kohm) to 0.18 (80 kohm) of VSYS at a connected pin. A node without any source keeps
//! its charge: that is GP29 of a board with radio, while GP25 is low and no pull is on. The Picos' filter capacitor is
//! 1 nF. On a board with radio it is taken to be at the pin's side of the transistor, where it makes the pin slower.
//!
//! Not modelled: the charge that each conversion takes out of the capacitor; and how VSYS changed between two looks at
//! the node: it is taken to have had its last value all the time.

/// What a board has at GP24, GP25 and GP29, the pins that serve the board itself. Each kind exists with both chips.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PicoBoard {
    /// A Pico or a Pico 2: VBUS at GP24 through 5.6 and 10 kohm, a lamp at GP25, a third of VSYS at GP29.
    Plain,
    /// A Pico W or a Pico 2 W. GP24 is the radio's data line, which floats. GP25 is the radio's chip select; while it
    /// is driven high, a transistor connects GP29, the radio's clock, to a third of VSYS.
    Radio,
    /// Another maker's board with no parts at these pins. GP24 floats, and so does GP29.
    Bare {
        /// To where leakage takes GP29, in millivolts.
        drift: u32,
    },
    /// Another maker's board with parts of its own at these pins.
    Other {
        /// At GP29: a voltage in millivolts,
        millivolts: u32,
        /// and the resistance that it is behind. More than 0.
        ohms: u32,
        /// GP24 is a button with a pull-up of 10 kohm: it is high. Without, it floats.
        button: bool,
    },
}

/// What drives the pin, as far as the chip decides it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Drive {
    pub pull_up: bool,
    pub pull_down: bool,
    /// The level of the pad's output, while that is on.
    pub output: Option<bool>,
    /// GP25 is driven high.
    pub select: bool,
    /// The input is on in a pad that has erratum RP2350-E9.
    pub sticky: bool,
}

/// The supply of the pads in millivolts.
const IOVDD: f64 = 3_300.0;
/// Of 200 and 100 kohm in parallel, in ohms.
const DIVIDER: f64 = 200_000.0 * 100_000.0 / 300_000.0;
const LEAKAGE: f64 = 10_000_000.0;
const OUTPUT: f64 = 50.0;
/// Erratum RP2350-E9: from which level on, in millivolts, to which level, and behind which resistance.
const STICKY: (f64, f64, f64) = (800.0, 2_200.0, 10_000.0);
/// Of a pin without a filter capacitor, in picofarads.
const PIN_CAPACITANCE: f64 = 10.0;

/// The node.
#[derive(Clone, Debug)]
pub(crate) struct VsysPin {
    board: PicoBoard,
    /// Of the pad's pulls, in ohms.
    pull: f64,
    /// In farads.
    capacitance: f64,
    drive: Drive,
    /// In millivolts, and of which moment: ns since power-on.
    level: f64,
    at: u64,
}

impl VsysPin {
    /// At power-on, without any charge. The pull in ohms, the filter capacitor in picofarads.
    pub fn new(board: PicoBoard, pull: u32, picofarads: u32) -> Self {
        let has_filter = matches!(board, PicoBoard::Plain | PicoBoard::Radio);
        let picofarads = if has_filter { f64::from(picofarads) } else { PIN_CAPACITANCE };
        Self {
            board,
            pull: f64::from(pull.max(1)),
            capacitance: picofarads.max(PIN_CAPACITANCE) * 1e-12,
            drive: Drive { pull_down: true, ..Drive::default() },
            level: 0.0,
            at: 0,
        }
    }

    /// What drives the pin at present.
    pub fn drive(&self) -> Drive {
        self.drive
    }

    /// From this moment on something else drives the pin. `vsys` in millivolts.
    pub fn set_drive(&mut self, drive: Drive, now: u64, vsys: u32) {
        self.level(now, vsys);
        self.drive = drive;
    }

    /// The level at this moment, in millivolts.
    pub fn level(&mut self, now: u64, vsys: u32) -> u32 {
        let mut seconds = now.saturating_sub(self.at) as f64 * 1e-9;
        self.at = self.at.max(now);
        let latch = STICKY.0;
        if self.drive.sticky && self.level < latch {
            let (target, time_constant) = self.course(vsys, false);
            if target <= latch {
                return self.follow(target, time_constant, seconds);
            }
            let rise = time_constant * ((target - self.level) / (target - latch)).ln();
            if rise >= seconds {
                return self.follow(target, time_constant, seconds);
            }
            (self.level, seconds) = (latch, seconds - rise);
        }
        let (target, time_constant) = self.course(vsys, self.drive.sticky);
        self.follow(target, time_constant, seconds)
    }

    fn follow(&mut self, target: f64, time_constant: f64, seconds: f64) -> u32 {
        self.level = target + (self.level - target) * (-seconds / time_constant).exp();
        self.level.round() as u32
    }

    /// Where the level goes, in millivolts, and with which time constant in seconds.
    fn course(&self, vsys: u32, is_stuck: bool) -> (f64, f64) {
        let drive = self.drive;
        let board = match self.board {
            PicoBoard::Plain => Some((f64::from(vsys) / 3.0, DIVIDER)),
            PicoBoard::Radio => drive.select.then_some((f64::from(vsys) / 3.0, DIVIDER)),
            PicoBoard::Bare { drift } => Some((drift.into(), LEAKAGE)),
            PicoBoard::Other { millivolts, ohms, .. } => Some((millivolts.into(), f64::from(ohms.max(1)))),
        };
        let sources = [
            board,
            drive.pull_down.then_some((0.0, self.pull)),
            drive.pull_up.then_some((IOVDD, self.pull)),
            drive.output.map(|level| (if level { IOVDD } else { 0.0 }, OUTPUT)),
            is_stuck.then_some((STICKY.1, STICKY.2)),
        ];
        let (current, conductance) = sources
            .into_iter()
            .flatten()
            .fold((0.0, 0.0), |(current, sum), (millivolts, ohms)| (current + millivolts / ohms, sum + 1.0 / ohms));
        if conductance == 0.0 { (self.level, 1.0) } else { (current / conductance, self.capacitance / conductance) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1_000_000;
    const NO_PULL: Drive = Drive { pull_up: false, pull_down: false, output: None, select: false, sticky: false };
    const PULL_DOWN: Drive = Drive { pull_down: true, ..NO_PULL };
    const SELECTED: Drive = Drive { select: true, ..NO_PULL };

    /// Where the pin is after it was driven like this for long.
    fn settled(pin: &mut VsysPin, drive: Drive, vsys: u32) -> u32 {
        pin.set_drive(drive, pin.at, vsys);
        pin.level(pin.at + 100 * MS, vsys)
    }

    #[test]
    fn pull_down_leaves_a_seventh_of_vsys() {
        for (pull, level) in [(50_000, 643), (65_000, 741), (80_000, 818)] {
            let mut pin = VsysPin::new(PicoBoard::Plain, pull, 1_000);
            assert_eq!(pin.drive(), PULL_DOWN, "as from reset");
            assert_eq!(pin.level(100 * MS, 4_500), level, "{pull} ohm");
            assert_eq!(settled(&mut pin, NO_PULL, 4_500), 1_500);
        }
    }

    #[test]
    fn lifted_pull_down_lets_the_level_rise_by_the_time_constant() {
        for (picofarads, microseconds) in [(1_000, 67), (10_000, 667)] {
            let mut pin = VsysPin::new(PicoBoard::Plain, 50_000, picofarads);
            let low = settled(&mut pin, PULL_DOWN, 3_600);
            assert_eq!(low, 514);
            let lifted = pin.at;
            pin.set_drive(NO_PULL, lifted, 3_600);
            assert!(pin.level(lifted + 1_200, 3_600) < 530, "a sample comes after 1.2 us");
            // One time constant leaves 1/e of the way, five leave less than a hundredth.
            let [one, five] = [1, 5].map(|times| pin.level(lifted + times * microseconds * 1_000, 3_600));
            assert!(one.abs_diff(1_200 - (1_200 - low) * 368 / 1_000) < 5, "{one} mV");
            assert!(five.abs_diff(1_200) < 7, "{five} mV");
        }
    }

    #[test]
    fn radio_has_vsys_only_while_it_is_selected_and_keeps_its_charge() {
        let mut pin = VsysPin::new(PicoBoard::Radio, 65_000, 1_000);
        assert_eq!(settled(&mut pin, PULL_DOWN, 4_500), 0);
        assert_eq!(settled(&mut pin, NO_PULL, 4_500), 0);
        assert_eq!(settled(&mut pin, Drive { select: true, ..PULL_DOWN }, 4_500), 741);
        assert_eq!(settled(&mut pin, SELECTED, 4_500), 1_500);
        assert_eq!(settled(&mut pin, NO_PULL, 4_500), 1_500, "nothing discharges it");
        assert_eq!(settled(&mut pin, PULL_DOWN, 4_500), 0);
    }

    #[test]
    fn pin_of_a_clone_drifts_or_follows_its_own_parts() {
        let mut pin = VsysPin::new(PicoBoard::Bare { drift: 1_500 }, 65_000, 1_000);
        assert_eq!([PULL_DOWN, NO_PULL].map(|drive| settled(&mut pin, drive, 4_500)), [10, 1_500]);
        let button = PicoBoard::Other { millivolts: 3_300, ohms: 10_000, button: true };
        let mut pin = VsysPin::new(button, 65_000, 1_000);
        assert_eq!([PULL_DOWN, NO_PULL].map(|drive| settled(&mut pin, drive, 4_500)), [2_860, 3_300]);
    }

    #[test]
    fn pull_up_and_output_move_the_pin() {
        let mut pin = VsysPin::new(PicoBoard::Plain, 66_667, 1_000);
        assert_eq!(settled(&mut pin, Drive { pull_up: true, ..NO_PULL }, 4_500), 2_400);
        let output = |level| Drive { output: Some(level), ..NO_PULL };
        assert_eq!([false, true].map(|level| settled(&mut pin, output(level), 4_500)), [1, 3_299]);
    }

    #[test]
    fn erratum_e9_holds_the_pin_at_2_2_volts_once_it_is_above_low() {
        let sticky = Drive { sticky: true, ..PULL_DOWN };
        let mut pin = VsysPin::new(PicoBoard::Plain, 65_000, 1_000);
        assert_eq!(settled(&mut pin, sticky, 4_500), 741, "below where the fault begins");
        let mut pin = VsysPin::new(PicoBoard::Plain, 80_000, 1_000);
        let stuck = settled(&mut pin, sticky, 5_000);
        assert!((1_900..2_200).contains(&stuck), "{stuck} mV instead of 909");
        assert_eq!(settled(&mut pin, PULL_DOWN, 5_000), 909, "its input is off");
    }
}
