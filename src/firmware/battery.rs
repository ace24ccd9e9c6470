//! Reads the battery when the game asks for it, and tells the game what it found; `lights_out::battery` says what that means. The
//! meter is shared with `flash`, which looks right before each write: both run in the same executor, one after the other.
//!
//! It gives no sign of life, because it cannot be stuck alone: it waits for nothing but the game.
//!
//! **Which board it is** is found out at start, so that one firmware is for all. Where GP29 has a third of VSYS while GP25 is low, the board
//! has no radio. Where it has that only while GP25 is high, there is a radio between: then GP25 stays high, which the radio, being off,
//! does not mind, and which costs what the divider of the other boards costs all the time, 15 uA. VBUS cannot be asked there. Where
//! it has it never, nothing can be measured.

use core::cell::RefCell;
use core::mem::forget;

use embassy_rp::Peri;
use embassy_rp::adc::{Adc, Channel, Config};
use embassy_rp::gpio::{Input, Level, Output, Pull};
use embassy_rp::peripherals::ADC;
use embassy_sync::blocking_mutex::ThreadModeMutex;
use embassy_time::{Duration, Instant, block_for};
use lights_out::battery::{Measured, USB_AT_LEAST};
use lights_out::keys;

use super::board::{BatteryResources, SelectPin, VbusPin};
use super::channels::{BatteryAsked, Inputs};

/// A sample takes 2 us, and is some counts off; the mean of these is good to 10 mV.
const SAMPLES: u32 = 8;
/// From switching the divider on to a voltage that can be measured: 67 kOhm fill the pin's and the transistor's capacity, of about 1 nF at
/// most, in this time to a thousandth.
const DIVIDER_RISE: Duration = Duration::from_micros(500);

/// The way to the battery. Empty until the board is taken apart: then there is nothing to measure.
pub struct Meter(ThreadModeMutex<RefCell<Option<Drivers>>>);
pub static METER: Meter = Meter(ThreadModeMutex::new(RefCell::new(None)));

struct Drivers {
    adc: Peri<'static, ADC>,
    vsys: Channel<'static>,
    /// Where it can be asked.
    vbus: Option<Peri<'static, VbusPin>>,
}

impl Meter {
    /// By `main`, once. Takes 40 us on a board without radio, and half a millisecond on others; meanwhile the lights' supply rises.
    pub fn connect(&self, r: BatteryResources) {
        let BatteryResources { adc, vbus, vsys, select } = r;
        let mut drivers = Drivers { adc, vsys: Channel::new_pin(vsys, Pull::None), vbus: Some(vbus) };
        if drivers.is_behind_radio(select) {
            drivers.vbus = None;
        }
        self.0.lock(|meter| meter.replace(Some(drivers)));
    }

    /// Takes 40 us on cells, and next to nothing on USB.
    pub fn read(&self) -> Measured {
        self.0.lock(|meter| meter.borrow_mut().as_mut().map_or(Measured::Nothing, Drivers::read))
    }
}

impl Drivers {
    /// Whether there is a radio between VSYS and the converter. If so, the way is open from now on.
    #[inline(always)]
    fn is_behind_radio(&mut self, select: Peri<'static, SelectPin>) -> bool {
        let mut select = Output::new(select, Level::Low);
        if self.measure() != Measured::Nothing {
            defmt::info!("no radio: VSYS and VBUS are measured");
            return false;
        }
        select.set_high();
        block_for(DIVIDER_RISE);
        if self.measure() == Measured::Nothing {
            defmt::warn!("the battery cannot be measured: it is as if there were none");
            return false;
        }
        defmt::info!("radio: VBUS cannot be asked, so cells are what has less than {=u16} mV", USB_AT_LEAST);
        forget(select);
        true
    }

    fn read(&mut self) -> Measured {
        let Some(vbus) = &mut self.vbus else { return self.measure().unless_usb() };
        // It draws current, so it lives only as long as it is needed. On a board without the wire to VBUS the pull-up says that it is
        // there, and so that there is no battery; a Pico's 10 kOhm to ground are stronger. They would not be on the first RP2350s
        // (erratum E9) if the input stayed on while the pin falls; but it is off until now, and the pin has long fallen.
        if Input::new(vbus.reborrow(), Pull::Up).is_high() { Measured::Nothing } else { self.measure() }
    }

    fn measure(&mut self) -> Measured {
        // It draws current as well.
        let mut adc = Adc::new_blocking(self.adc.reborrow(), Config::default());
        let sum: Result<u32, _> = (0..SAMPLES).map(|_| adc.blocking_read(&mut self.vsys).map(u32::from)).sum();
        // What cannot be measured is not there.
        sum.map_or(Measured::Nothing, |sum| Measured::of_samples(sum, SAMPLES))
    }
}

#[embassy_executor::task]
pub async fn task(meter: &'static Meter, asked: &'static BatteryAsked, inputs: &'static Inputs) -> ! {
    loop {
        asked.wait().await;
        let found = meter.read();
        inputs.send((Instant::now().as_micros(), keys::Input::Battery(found))).await;
    }
}
