//! The battery: the charge for a measured voltage, and when to measure again. The module has no clock and no
//! analogue-to-digital converter (ADC): measurements come in, a [`Charge`] comes out.
//!
//! Three battery cells (AAA) supply VSYS: 4.8 V when fresh, about 3.3 V near the end. The Pico's voltage regulator
//! makes its 3.3 V from any voltage down to 1.8 V, so the chip runs until the battery is exhausted. The LEDs become
//! dim earlier.
//!
//! | charge | begins below        | ends at   | reason                                                             |
//! | ------ | ------------------- | --------- | ------------------------------------------------------------------ |
//! | low    | [`LOW`], 3.4 V      | 3.8 V     | 1.13 V a battery cell: a tenth of the charge is left; LEDs get dim |
//! | empty  | [`EMPTY`], 3.1 V    | 3.5 V     | 1.03 V a battery cell: minutes are left, the time to save          |
//!
//! **The charge does not oscillate.** It improves only when the voltage is [`HYSTERESIS`] above the threshold, because
//! a lower load raises the voltage: the lower current limit reduces the load by up to 250 mA, and a worn battery has
//! about 1.5 ohm. A lower charge must be confirmed by a second measurement after [`CONFIRM`]: by then, a drop that was
//! caused by the charging of the LED capacitor or by a change of the frame is over.

use crate::time::{Micros, ms, seconds};

/// Below this the battery is low, in millivolts.
pub const LOW: u16 = 3400;
/// Below this the battery is empty, in millivolts.
pub const EMPTY: u16 = 3100;
/// How far above a threshold the voltage must be for a better charge, in millivolts.
pub const HYSTERESIS: u16 = 400;
/// Below this no flash operation is started, in millivolts. An exhausted battery may fail during an erase, which takes
/// up to 400 ms. Above this, the voltage would have to drop by a whole volt during the erase before the regulator
/// stops at 1.8 V. The limit is below [`EMPTY`], so that the save on an empty battery can still be written.
pub const MIN_WRITABLE: u16 = 2800;
/// A measurement below this is not a battery, in millivolts: the chip would not run. An open input of the ADC measures
/// about 0.
const MIN_PLAUSIBLE: u16 = 1800;
/// VSYS is never above this, in millivolts: the Pico allows 5.5 V, and the ADC has an error of some percent.
pub(crate) const MAX_PLAUSIBLE: u16 = 5800;
/// The lowest VSYS with USB, in millivolts: 4.4 V at the end of the longest cable, less up to 0.4 V for the board's
/// diode.
pub const MIN_USB: u16 = 4000;

/// The time from power-on or waking to the first measurement: the LED supply is on by then, and the LEDs are the load.
pub const SETTLE: Micros = ms(30);
/// The time to the second measurement, which confirms a lower charge.
pub const CONFIRM: Micros = ms(20);
/// The time between measurements while no animation runs.
pub const MEASURE_PERIOD: Micros = seconds(60);
/// The longest time between measurements. It is for animations that run for a long time, such as the pulse in Tutor.
pub const MAX_MEASURE_PERIOD: Micros = seconds(5 * 60);

/// A measurement of the supply.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Measured {
    /// USB, or a voltage that cannot be measured: the handheld behaves as without a battery.
    NoBattery,
    /// A battery with this voltage, in millivolts.
    Battery(u16),
}

impl Measured {
    /// The measurement for a sum of ADC samples of 12 bits.
    ///
    /// The ADC measures a third of VSYS. Its reference is the Pico's 3.3 V behind 200 ohm, where its own current of
    /// 150 uA causes a drop of 30 mV.
    pub const fn of_samples(sum: u32, samples: u32) -> Self {
        const REFERENCE: u32 = 3270;
        let millivolts = (sum * 3 / samples * REFERENCE / 4096) as u16;
        if millivolts < MIN_PLAUSIBLE { Self::NoBattery } else { Self::Battery(millivolts) }
    }

    /// The measurement on a board that cannot detect USB: a voltage that USB can have counts as no battery. A lower
    /// voltage can only be a battery.
    pub const fn unless_usb(self) -> Self {
        match self {
            Self::Battery(MIN_USB..) => Self::NoBattery,
            other => other,
        }
    }

    /// Whether a flash operation may start.
    pub const fn is_writable(self) -> bool {
        match self {
            Self::NoBattery => true,
            Self::Battery(millivolts) => millivolts >= MIN_WRITABLE,
        }
    }
}

/// The charge of the battery, from best to worst.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Charge {
    /// No battery was detected.
    None,
    /// The battery is neither low nor empty.
    Good,
    /// The battery is low: the game shows it, and limits the current of the LEDs.
    Low,
    /// The battery is empty: the game saves and sleeps.
    Empty,
}

impl Charge {
    /// The name of the charge in the log.
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Good => "good",
            Self::Low => "low",
            Self::Empty => "empty",
        }
    }

    /// The charge after a measurement, if this was the charge before.
    fn after(self, measured: Measured) -> Self {
        let Measured::Battery(millivolts) = measured else { return Self::None };
        let is_below = |charge, threshold| millivolts < threshold + if self >= charge { HYSTERESIS } else { 0 };
        if is_below(Self::Empty, EMPTY) {
            Self::Empty
        } else if is_below(Self::Low, LOW) {
            Self::Low
        } else {
            Self::Good
        }
    }
}

/// The state of the battery.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Battery {
    /// The confirmed charge.
    pub charge: Charge,
    /// The voltage of the last measurement, in millivolts; 0 without a battery.
    pub millivolts: u16,
}

/// When the next measurement is due.
#[derive(Clone, Copy, Debug)]
struct Due {
    /// The time while no animation runs.
    at: Micros,
    /// The time while an animation runs.
    latest: Micros,
}

impl Due {
    const fn after(now: Micros, time: Micros) -> Self {
        Self { at: now + time, latest: now + time }
    }
}

/// The battery gauge: turns measurements into a charge, and schedules the next measurement.
#[derive(Clone, Debug)]
pub struct Gauge {
    battery: Battery,
    /// A lower charge that is not confirmed yet.
    unconfirmed: Option<Charge>,
    /// None in sleep, and after a request until its measurement arrives.
    due: Option<Due>,
}

impl Gauge {
    /// The gauge at power-on.
    pub const fn new(now: Micros) -> Self {
        let battery = Battery { charge: Charge::None, millivolts: 0 };
        Self { battery, unconfirmed: None, due: Some(Due::after(now, SETTLE)) }
    }

    /// The state of the battery.
    pub const fn battery(&self) -> Battery {
        self.battery
    }

    /// Whether the charge is confirmed by the last measurement.
    pub(crate) const fn is_confirmed(&self) -> bool {
        self.unconfirmed.is_none()
    }

    /// Stops the measurements in sleep.
    pub fn sleep(&mut self) {
        self.due = None;
    }

    /// Starts the measurements again after sleep.
    pub fn wake(&mut self, now: Micros) {
        self.unconfirmed = None;
        self.due = Some(Due::after(now, SETTLE));
    }

    /// When the next measurement is due. `is_still`: no animation runs.
    pub fn due(&self, is_still: bool) -> Option<Micros> {
        self.due.map(|due| if is_still { due.at } else { due.latest })
    }

    /// Whether a measurement is due now. It is requested only once.
    pub fn take_request(&mut self, now: Micros, is_still: bool) -> bool {
        let is_due = self.due(is_still).is_some_and(|due| due <= now);
        if is_due {
            self.due = None;
        }
        is_due
    }

    /// Takes a measurement.
    pub fn take(&mut self, now: Micros, measured: Measured) {
        let charge = self.battery.charge;
        let found = charge.after(measured);
        let is_lower = found > charge && found >= Charge::Low;
        // Two measurements in succession confirm the better of their charges.
        let confirmed = if is_lower { self.unconfirmed.map_or(charge, |first| first.min(found)) } else { found };
        self.unconfirmed = (found > confirmed).then_some(found);
        let millivolts = if let Measured::Battery(millivolts) = measured { millivolts } else { 0 };
        self.battery = Battery { charge: confirmed, millivolts };
        self.due = Some(match self.unconfirmed {
            Some(_) => Due::after(now, CONFIRM),
            None => Due { at: now + MEASURE_PERIOD, latest: now + MAX_MEASURE_PERIOD },
        });
    }
}
