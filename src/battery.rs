//! The battery: what a measured voltage means, and when to measure again. It knows neither clock nor converter: readings come in, a
//! [`Charge`] comes out.
//!
//! Three AAA cells hang on VSYS: 4.8 V fresh, about 3.3 V when little is left. The Pico's converter makes its 3.3 V from anything
//! down to 1.8 V, so the chip itself runs to the bitter end; LEDs and players see it sooner.
//!
//! | charge | begins below        | ends from | why                                                                   |
//! | ------ | ------------------- | --------- | --------------------------------------------------------------------- |
//! | low    | [`LOW`], 3.4 V      | 3.8 V     | 1.13 V a cell: a tenth of its charge is left, and LEDs grow dim and yellow |
//! | empty  | [`EMPTY`], 3.1 V    | 3.5 V     | 1.03 V a cell: minutes are left; there is no better time to save       |
//!
//! **Neither flaps.** A charge ends only [`HYSTERESIS`] above where it began, because less load lifts the voltage by itself: the
//! smaller cap takes up to 250 mA away, and worn cells have about 1.5 ohm. And bad news is believed only when it comes twice,
//! [`CONFIRM`] apart: the LEDs' capacitor that fills, or a picture that changes, is over by then.

use crate::time::{Micros, ms, seconds};

/// Below this the battery is low, in millivolts.
pub const LOW: u16 = 3400;
/// Below this it is empty.
pub const EMPTY: u16 = 3100;
/// By so much the voltage has to be above a threshold to be better again.
pub const HYSTERESIS: u16 = 400;
/// Below this no flash operation is begun: the cells are exhausted, and what an erase takes in its 400 ms at worst may be more than
/// they have. Above it they would have to fall by a whole volt within it before the converter gives up at 1.8 V. It is below
/// [`EMPTY`], so that what is saved then can be written.
pub const WRITABLE: u16 = 2800;
/// A reading below this is none: no chip would run to take it. Where nothing is wired to the converter it reads about 0.
const PLAUSIBLE: u16 = 1800;
/// More than this VSYS never has: the Pico allows 5.5 V, and the converter is some percent off.
pub const PLAUSIBLE_MOST: u16 = 5800;
/// USB gives VSYS no less than this: 4.4 V at the end of the longest cable, and the board's diode takes up to 0.4.
pub const USB_AT_LEAST: u16 = 4000;

/// From power-on or waking to the first reading: the supply of the LEDs has risen, and their light is the load.
pub const SETTLE: Micros = ms(30);
/// Bad news is looked at again after this.
pub const CONFIRM: Micros = ms(20);
/// In play it is read this often while nothing moves on the lights,
pub const EVERY: Micros = seconds(60);
/// and this often whatever moves: a lesson pulses all the time.
pub const AT_LEAST_EVERY: Micros = seconds(5 * 60);

/// What a reading found to feed the handheld.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Measured {
    /// USB, or nothing that can be measured: it is as if there were no battery.
    Nothing,
    /// Cells, with so many millivolts.
    Cells(u16),
}

impl Measured {
    /// What the converter says: the sum of so many samples of 12 bits.
    ///
    /// It sees a third of VSYS. Its reference is the Pico's 3.3 V behind 200 ohm, in which its own 150 uA leave 30 mV.
    pub const fn of_samples(sum: u32, samples: u32) -> Self {
        const REFERENCE: u32 = 3270;
        let millivolts = (sum * 3 / samples * REFERENCE / 4096) as u16;
        if millivolts < PLAUSIBLE { Self::Nothing } else { Self::Cells(millivolts) }
    }

    /// The same where nobody can be asked whether USB gives power: what may be USB is as good as no battery, and what may not is one.
    pub const fn unless_usb(self) -> Self {
        match self {
            Self::Cells(USB_AT_LEAST..) => Self::Nothing,
            other => other,
        }
    }

    /// Whether a flash operation may begin.
    pub const fn is_writable(self) -> bool {
        match self {
            Self::Nothing => true,
            Self::Cells(millivolts) => millivolts >= WRITABLE,
        }
    }
}

/// How much is left, from best to worst.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Charge {
    /// There is no battery, as far as anybody can tell.
    None,
    /// Enough.
    Good,
    /// Little: it is shown, and the lights draw less.
    Low,
    /// Nothing that could be played on.
    Empty,
}

impl Charge {
    /// Its word in the log.
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Good => "good",
            Self::Low => "low",
            Self::Empty => "empty",
        }
    }

    /// What a reading means for a battery of this charge.
    fn after(self, reading: Measured) -> Self {
        let Measured::Cells(millivolts) = reading else { return Self::None };
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

/// What is known of the battery.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Battery {
    /// How much is left.
    pub charge: Charge,
    /// As it was read last, in millivolts; 0 without a battery.
    pub millivolts: u16,
}

/// When it is to be read: not before this moment and not while something moves on the lights, but at the latest whatever does.
#[derive(Clone, Copy, Debug)]
struct Due {
    at: Micros,
    latest: Micros,
}

impl Due {
    const fn after(now: Micros, time: Micros) -> Self {
        Self { at: now + time, latest: now + time }
    }
}

/// Judges readings, and says when it wants the next.
#[derive(Clone, Debug)]
pub struct Gauge {
    battery: Battery,
    /// Bad news that has come once.
    doubt: Option<Charge>,
    /// None in sleep, and until a reading that was asked for is there.
    due: Option<Due>,
}

impl Gauge {
    /// Switched on at this moment.
    pub const fn new(now: Micros) -> Self {
        let battery = Battery { charge: Charge::None, millivolts: 0 };
        Self { battery, doubt: None, due: Some(Due::after(now, SETTLE)) }
    }

    /// What is known.
    pub const fn battery(&self) -> Battery {
        self.battery
    }

    /// Whether the last reading settled it.
    pub const fn is_sure(&self) -> bool {
        self.doubt.is_none()
    }

    /// Nothing is read in sleep.
    pub fn sleep(&mut self) {
        self.due = None;
    }

    /// Awake again: much may be different.
    pub fn wake(&mut self, now: Micros) {
        self.doubt = None;
        self.due = Some(Due::after(now, SETTLE));
    }

    /// When it wants to be read. `is_still`: nothing moves on the lights.
    pub fn due(&self, is_still: bool) -> Option<Micros> {
        self.due.map(|due| if is_still { due.at } else { due.latest })
    }

    /// Whether it wants to be read now; it asks once.
    pub fn asks(&mut self, now: Micros, is_still: bool) -> bool {
        let asks = self.due(is_still).is_some_and(|due| due <= now);
        if asks {
            self.due = None;
        }
        asks
    }

    /// Takes a reading.
    pub fn take(&mut self, now: Micros, reading: Measured) {
        let charge = self.battery.charge;
        let news = charge.after(reading);
        let is_bad = news > charge && news >= Charge::Low;
        // Of two that are bad the better one is sure.
        let sure = if is_bad { self.doubt.map_or(charge, |first| first.min(news)) } else { news };
        self.doubt = (news > sure).then_some(news);
        let millivolts = if let Measured::Cells(millivolts) = reading { millivolts } else { 0 };
        self.battery = Battery { charge: sure, millivolts };
        self.due = Some(match self.doubt {
            Some(_) => Due::after(now, CONFIRM),
            None => Due { at: now + EVERY, latest: now + AT_LEAST_EVERY },
        });
    }
}
