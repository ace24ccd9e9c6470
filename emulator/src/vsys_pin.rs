//! GP29, the pin at which VSYS is measured, as an analogue node: its sources, and how fast its voltage follows them.
//!
//! The node is a capacitor that several sources charge, each a voltage with a resistance in series. The voltage of the
//! node moves towards the mean of the source voltages, weighted by their conductances. The time constant is the
//! capacitance times all resistances in parallel.
//!
//! | source               | voltage  | resistance    | when                                                       |
//! | -------------------- | -------- | ------------- | ---------------------------------------------------------- |
//! | the board's divider  | VSYS / 3 | 66.7 kohm     | always, or only while GP25 is high: see [`PicoBoard`]      |
//! | the pad's pull-down  | 0        | 50 to 80 kohm | while PDE is set, as it is from reset                      |
//! | the pad's pull-up    | 3.3 V    | 50 to 80 kohm | while PUE is set                                           |
//! | other parts          | any      | any           | [`PicoBoard::Other`]                                       |
//! | leakage              | any      | 10 Mohm       | [`PicoBoard::Bare`]; the data sheet allows 1 uA            |
//! | the pad's output     | 0, 3.3 V | 50 ohm        | while it drives the pin                                    |
//! | erratum RP2350-E9    | 2.2 V    | 10 kohm       | while the input is on without pull-up, above 0.8 V         |
//!
//! The divider is 200 and 100 kohm (Pico data sheet). The pulls are those of the RP2040 data sheet, "Pin
//! characteristics". So with the pull-down on, a connected pin has 0.14 (50 kohm) to 0.18 (80 kohm) of VSYS. A node
//! without any source keeps its charge: that is GP29 of a board with radio, while GP25 is low and no pull is on. The
//! filter capacitor of the Picos is 1 nF. On a board with radio it is assumed to be at the pin's side of the
//! transistor, which makes the pin slower.
//!
//! Not modelled: the charge that each conversion takes out of the capacitor, and changes of VSYS between two updates of
//! the node. VSYS is assumed to have had its latest value since the last update.

/// The kinds of boards, by their parts at the internal pins GP24, GP25 and GP29. Each kind exists with both chips.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PicoBoard {
    /// A Pico or a Pico 2: VBUS at GP24 through 5.6 and 10 kohm, an LED at GP25, a third of VSYS at GP29.
    Plain,
    /// A Pico W or a Pico 2 W. GP24 is the radio's data line, which floats. GP25 is the radio's chip select. While GP25
    /// is driven high, a transistor connects GP29, the radio's clock, to a third of VSYS.
    Radio,
    /// A compatible board without parts at these pins. GP24 and GP29 float.
    Bare {
        /// Voltage to which leakage charges GP29, in millivolts.
        drift: u32,
    },
    /// A compatible board with other parts at these pins.
    Other {
        /// Source voltage at GP29, in millivolts.
        millivolts: u32,
        /// Source resistance at GP29, in ohms. More than 0.
        ohms: u32,
        /// GP24 is a button with a pull-up of 10 kohm, so it is high. Without the button GP24 floats.
        button: bool,
    },
}

/// The state of the pads of GP29 and GP25.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Drive {
    pub pull_up: bool,
    pub pull_down: bool,
    /// The level of the pad's output, while that is on.
    pub output: Option<bool>,
    /// Whether GP25 is driven high.
    pub select: bool,
    /// Whether erratum RP2350-E9 applies: the chip has it and the input is on.
    pub sticky: bool,
}

/// The supply of the pads in millivolts.
const IOVDD: f64 = 3_300.0;
/// Resistance of the divider in ohms: 200 and 100 kohm in parallel.
const DIVIDER: f64 = 200_000.0 * 100_000.0 / 300_000.0;
/// Resistance of the leakage in ohms.
const LEAKAGE: f64 = 10_000_000.0;
/// Resistance of the pad's output in ohms.
const OUTPUT: f64 = 50.0;
/// Erratum RP2350-E9: voltage from which it acts (millivolts), its source voltage (millivolts) and resistance (ohms).
const STICKY: (f64, f64, f64) = (800.0, 2_200.0, 10_000.0);
/// Capacitance of a pin without a filter capacitor, in picofarads.
const PIN_CAPACITANCE: f64 = 10.0;

/// The node at GP29.
#[derive(Clone, Debug)]
pub(crate) struct VsysPin {
    board: PicoBoard,
    /// Resistance of the pad's pulls, in ohms.
    pull: f64,
    /// Capacitance of the node, in farads.
    capacitance: f64,
    drive: Drive,
    /// The voltage at the time `at`, in millivolts.
    level: f64,
    /// Time of the last update, ns since power-on.
    at: u64,
}

impl VsysPin {
    /// The node at power-on, without charge. `pull` in ohms, `picofarads` of the filter capacitor.
    pub(crate) fn new(board: PicoBoard, pull: u32, picofarads: u32) -> Self {
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

    /// The present state of the pads.
    pub(crate) fn drive(&self) -> Drive {
        self.drive
    }

    /// Changes the state of the pads. `vsys` in millivolts.
    pub(crate) fn set_drive(&mut self, drive: Drive, now: u64, vsys: u32) {
        self.level(now, vsys);
        self.drive = drive;
    }

    /// The voltage at the time `now`, in millivolts. `vsys` in millivolts.
    pub(crate) fn level(&mut self, now: u64, vsys: u32) -> u32 {
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

    /// Moves the voltage towards `target` for some seconds.
    fn follow(&mut self, target: f64, time_constant: f64, seconds: f64) -> u32 {
        self.level = target + (self.level - target) * (-seconds / time_constant).exp();
        self.level.round() as u32
    }

    /// The voltage towards which the node moves, in millivolts, and the time constant in seconds.
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

    /// The settled voltage of the pin in this state.
    fn settled(pin: &mut VsysPin, drive: Drive, vsys: u32) -> u32 {
        pin.set_drive(drive, pin.at, vsys);
        pin.level(pin.at + 100 * MS, vsys)
    }

    #[test]
    fn pull_down_leaves_a_seventh_of_vsys() {
        for (pull, level) in [(50_000, 643), (65_000, 741), (80_000, 818)] {
            let mut pin = VsysPin::new(PicoBoard::Plain, pull, 1_000);
            assert_eq!(pin.drive(), PULL_DOWN, "the state after a reset");
            assert_eq!(pin.level(100 * MS, 4_500), level, "{pull} ohm");
            assert_eq!(settled(&mut pin, NO_PULL, 4_500), 1_500);
        }
    }

    #[test]
    fn voltage_rises_by_time_constant_without_pull_down() {
        for (picofarads, microseconds) in [(1_000, 67), (10_000, 667)] {
            let mut pin = VsysPin::new(PicoBoard::Plain, 50_000, picofarads);
            let low = settled(&mut pin, PULL_DOWN, 3_600);
            assert_eq!(low, 514);
            let lifted = pin.at;
            pin.set_drive(NO_PULL, lifted, 3_600);
            assert!(pin.level(lifted + 1_200, 3_600) < 530, "a sample is taken after 1.2 us");
            // After one time constant 1/e of the difference is left, after five less than a hundredth.
            let [one, five] = [1, 5].map(|times| pin.level(lifted + times * microseconds * 1_000, 3_600));
            assert!(one.abs_diff(1_200 - (1_200 - low) * 368 / 1_000) < 5, "{one} mV");
            assert!(five.abs_diff(1_200) < 7, "{five} mV");
        }
    }

    #[test]
    fn radio_board_measures_vsys_only_while_selected() {
        let mut pin = VsysPin::new(PicoBoard::Radio, 65_000, 1_000);
        assert_eq!(settled(&mut pin, PULL_DOWN, 4_500), 0);
        assert_eq!(settled(&mut pin, NO_PULL, 4_500), 0);
        assert_eq!(settled(&mut pin, Drive { select: true, ..PULL_DOWN }, 4_500), 741);
        assert_eq!(settled(&mut pin, SELECTED, 4_500), 1_500);
        assert_eq!(settled(&mut pin, NO_PULL, 4_500), 1_500, "nothing discharges it");
        assert_eq!(settled(&mut pin, PULL_DOWN, 4_500), 0);
    }

    #[test]
    fn pin_of_other_boards_drifts_or_follows_their_parts() {
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
    fn erratum_e9_holds_the_pin_at_2_2_volts_above_low() {
        let sticky = Drive { sticky: true, ..PULL_DOWN };
        let mut pin = VsysPin::new(PicoBoard::Plain, 65_000, 1_000);
        assert_eq!(settled(&mut pin, sticky, 4_500), 741, "below the threshold of the erratum");
        let mut pin = VsysPin::new(PicoBoard::Plain, 80_000, 1_000);
        let stuck = settled(&mut pin, sticky, 5_000);
        assert!((1_900..2_200).contains(&stuck), "{stuck} mV instead of 909");
        assert_eq!(settled(&mut pin, PULL_DOWN, 5_000), 909, "no effect while the input is off");
    }
}
