//! Reads the battery when the game asks for it, and tells the game what it found; `lights_out::battery` says what that
//! means. The meter is shared with `flash`, which reads it right before each write: both run in thread mode, one after
//! the other.
//!
//! It gives no sign of life, because it cannot be stuck alone: it waits for nothing but the game.
//!
//! **Which board it is** is found out at start, so that one firmware is for all: `lights_out::board_probe` says how. On
//! a board with radio GP25 stays high. The radio, being off, ignores it, and it costs what the divider of the other
//! boards costs all the time, 15 uA. VBUS cannot be read there. On other boards GP25 is released. Where nothing can be
//! measured, the converter is not used again.

use core::cell::RefCell;
use core::mem::{ManuallyDrop, forget};

use embassy_rp::Peri;
use embassy_rp::adc::{Adc, Channel, Config};
use embassy_rp::gpio::{Input, Level, Output, Pull};
use embassy_rp::peripherals::ADC;
use embassy_sync::blocking_mutex::ThreadModeMutex;
use embassy_time::{Duration, Instant, block_for};
use lights_out::battery::{Measured, USB_AT_LEAST};
use lights_out::board_probe::{BoardKind, BoardProbe, INTERVAL};
use lights_out::keys;

use super::board::{BatteryResources, VbusPin};
use super::channels::{BatteryAsked, Inputs};

/// A sample takes 2 us, and is some counts off; the mean of these is good to 10 mV.
const SAMPLES: u32 = 8;
/// The first samples after the converter was switched on may be low: Raspberry Pi's own example for VSYS discards three
/// (pico-examples, pull request 393). One more is discarded here, to be on the safe side.
const DISCARDED: u32 = 4;

/// The way to the battery. Empty until the board is taken apart, and where nothing can be measured.
pub struct Meter(ThreadModeMutex<RefCell<Option<Drivers>>>);
pub static METER: Meter = Meter(ThreadModeMutex::new(RefCell::new(None)));

struct Drivers {
    adc: Peri<'static, ADC>,
    vsys: Channel<'static>,
    /// Where it can be asked.
    vbus: Option<Peri<'static, VbusPin>>,
}

impl Meter {
    /// By `main`, once. Takes 1.5 ms on a Pico, and 11 ms at most where a level takes long to settle. Meanwhile the
    /// LEDs' supply rises, for 20 ms.
    pub fn connect(&self, r: BatteryResources) {
        let BatteryResources { mut adc, vbus, mut vsys, select } = r;
        let mut select = Output::new(select, Level::Low);
        let mut probe = BoardProbe::start();
        let kind = loop {
            let setup = probe.setup();
            select.set_level(setup.is_selected.into());
            let pull = if setup.is_pulled_down { Pull::Down } else { Pull::None };
            // Never dropped: that would switch the pin's input on, and erratum RP2350-E9 would move the level.
            let mut channel = ManuallyDrop::new(Channel::new_pin(vsys.reborrow(), pull));
            block_for(Duration::from_micros(INTERVAL));
            let level = sum_of_samples(adc.reborrow(), &mut channel).map(|sum| (sum / SAMPLES) as u16);
            if let Some(kind) = probe.take(level) {
                break kind;
            }
        };
        let vbus = match kind {
            BoardKind::Plain => {
                defmt::info!("no radio: VSYS and VBUS are measured");
                Some(vbus)
            }
            BoardKind::Radio => {
                defmt::info!("radio: VBUS cannot be asked, so cells are what has less than {=u16} mV", USB_AT_LEAST);
                // It stays high.
                forget(select);
                None
            }
            BoardKind::Unmeasurable => {
                defmt::warn!("the battery cannot be measured: it is as if there were none");
                // Low first: released while high, GP25 would keep its charge. GP29 is pulled down, as after a reset.
                select.set_low();
                forget(Channel::new_pin(vsys, Pull::Down));
                return;
            }
        };
        let vsys = Channel::new_pin(vsys, Pull::None);
        self.0.lock(|meter| meter.replace(Some(Drivers { adc, vsys, vbus })));
    }

    /// Takes 40 us on cells, and next to nothing on USB.
    pub fn read(&self) -> Measured {
        self.0.lock(|meter| meter.borrow_mut().as_mut().map_or(Measured::Nothing, Drivers::read))
    }
}

impl Drivers {
    fn read(&mut self) -> Measured {
        let Some(vbus) = &mut self.vbus else { return self.measure().unless_usb() };
        // It draws current, so it lives only as long as it is needed. On a board without the wire to VBUS the pull-up
        // says that it is there, and so that there is no battery; a Pico's 10 kOhm to ground are stronger. They would
        // not be on the first RP2350s (erratum E9) if the input stayed on while the pin falls; but it is off until now,
        // and the pin has long fallen.
        if Input::new(vbus.reborrow(), Pull::Up).is_high() { Measured::Nothing } else { self.measure() }
    }

    fn measure(&mut self) -> Measured {
        // What cannot be measured is not there.
        let sum = sum_of_samples(self.adc.reborrow(), &mut self.vsys);
        sum.map_or(Measured::Nothing, |sum| Measured::of_samples(sum, SAMPLES))
    }
}

/// The sum of [`SAMPLES`], or `None` where one of them failed. Takes 30 us.
fn sum_of_samples(adc: Peri<'_, ADC>, channel: &mut Channel<'_>) -> Option<u32> {
    // It draws current, so it is switched on only as long as it is needed.
    let mut adc = Adc::new_blocking(adc, Config::default());
    for _ in 0..DISCARDED {
        // Whether one of these fails does not matter.
        let _ = adc.blocking_read(channel);
    }
    (0..SAMPLES).map(|_| adc.blocking_read(channel).ok().map(u32::from)).sum()
}

#[embassy_executor::task]
pub async fn task(meter: &'static Meter, asked: &'static BatteryAsked, inputs: &'static Inputs) -> ! {
    loop {
        asked.wait().await;
        let found = meter.read();
        inputs.send((Instant::now().as_micros(), keys::Input::Battery(found))).await;
    }
}
