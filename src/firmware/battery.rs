//! Measures the battery when the game requests it, and sends the result to the game. `lights_out::battery` interprets
//! it. The meter is shared with `flash`, which measures before each write. Both run in thread mode, one after the
//! other.
//!
//! The task has no heartbeat: it waits only for requests of the game, so it cannot hang on its own.
//!
//! **The kind of board** is detected at start-up, so that one firmware serves all boards: see
//! `lights_out::board_probe`. On a board with radio GP25 stays high. The radio is off and ignores GP25. The divider
//! then draws 15 uA, as it always does on a board without radio. VBUS cannot be read on a board with radio. On all
//! other boards GP25 is released. If the battery cannot be measured, the converter is not used again.

use core::cell::RefCell;
use core::mem::{ManuallyDrop, forget};

use embassy_rp::Peri;
use embassy_rp::adc::{Adc, Channel, Config};
use embassy_rp::gpio::{Input, Level, Output, Pull};
use embassy_rp::peripherals::ADC;
use embassy_sync::blocking_mutex::ThreadModeMutex;
use embassy_time::{Duration, Instant, block_for};
use lights_out::battery::{MIN_USB, Measured};
use lights_out::board_probe::{BoardKind, BoardProbe, INTERVAL};
use lights_out::game;

use super::board::{BatteryResources, VbusPin};
use super::channels::{BatteryRequest, Inputs};

/// Number of samples of a measurement. A sample takes 2 us and is off by some counts; the mean is accurate to 10 mV.
const SAMPLES: u32 = 8;
/// Number of samples that are discarded after the converter was switched on, because they may be low. Raspberry Pi's
/// example for VSYS discards three (pico-examples, pull request 393); one more is the margin.
const DISCARDED: u32 = 4;

/// The battery meter. Empty until `main` connects it, and on a board where the battery cannot be measured.
pub(crate) struct Meter(ThreadModeMutex<RefCell<Option<Drivers>>>);
pub(crate) static METER: Meter = Meter(ThreadModeMutex::new(RefCell::new(None)));

struct Drivers {
    adc: Peri<'static, ADC>,
    vsys: Channel<'static>,
    /// `None` on boards where VBUS cannot be read.
    vbus: Option<Peri<'static, VbusPin>>,
}

impl Meter {
    /// Called once by `main`: detects the kind of board. Takes 1.5 ms on a Pico, and at most 11 ms where a level
    /// settles slowly. Meanwhile the LED supply rises, which takes 20 ms.
    pub(crate) fn connect(&self, r: BatteryResources) {
        let BatteryResources { mut adc, vbus, mut vsys, select } = r;
        let mut select = Output::new(select, Level::Low);
        let mut probe = BoardProbe::start();
        let kind = loop {
            let setup = probe.setup();
            select.set_level(setup.is_selected.into());
            let pull = if setup.is_pulled_down { Pull::Down } else { Pull::None };
            // Never dropped: dropping would switch the pin's input on, and by erratum RP2350-E9 that changes the level.
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
                defmt::info!("radio: no VBUS sense, a supply below {=u16} mV is a battery", MIN_USB);
                // GP25 stays high.
                forget(select);
                None
            }
            BoardKind::Unmeasurable => {
                defmt::warn!("the battery cannot be measured and is ignored");
                // GP25 is driven low before it is released, because it would keep its charge. GP29 gets its pull-down,
                // as after a reset.
                select.set_low();
                forget(Channel::new_pin(vsys, Pull::Down));
                return;
            }
        };
        let vsys = Channel::new_pin(vsys, Pull::None);
        self.0.lock(|meter| meter.replace(Some(Drivers { adc, vsys, vbus })));
    }

    /// Measures the supply. Takes 40 us on a battery, and about 1 us on USB.
    pub(crate) fn read(&self) -> Measured {
        self.0.lock(|meter| meter.borrow_mut().as_mut().map_or(Measured::NoBattery, Drivers::read))
    }
}

impl Drivers {
    fn read(&mut self) -> Measured {
        let Some(vbus) = &mut self.vbus else { return self.measure().unless_usb() };
        // The input exists only during the read, because the pull-up draws current. On a board without the wire to VBUS
        // the pull-up reads as VBUS present, so no battery is reported. On a Pico without USB, 10 kOhm to ground pull
        // the pin low against the pull-up. On the first RP2350s (erratum E9) they could not if the input were on while
        // the pin falls. But the input was off until now, and the pin is low already.
        if Input::new(vbus.reborrow(), Pull::Up).is_high() { Measured::NoBattery } else { self.measure() }
    }

    fn measure(&mut self) -> Measured {
        // A failed conversion is reported as no battery.
        let sum = sum_of_samples(self.adc.reborrow(), &mut self.vsys);
        sum.map_or(Measured::NoBattery, |sum| Measured::of_samples(sum, SAMPLES))
    }
}

/// The sum of [`SAMPLES`] samples, or `None` if one of them failed. Takes 30 us.
fn sum_of_samples(adc: Peri<'_, ADC>, channel: &mut Channel<'_>) -> Option<u32> {
    // The converter draws current, so it is on only during the measurement.
    let mut adc = Adc::new_blocking(adc, Config::default());
    for _ in 0..DISCARDED {
        // The sample is discarded, so a failure does not matter.
        let _ = adc.blocking_read(channel);
    }
    (0..SAMPLES).map(|_| adc.blocking_read(channel).ok().map(u32::from)).sum()
}

#[embassy_executor::task]
pub async fn task(meter: &'static Meter, request: &'static BatteryRequest, inputs: &'static Inputs) -> ! {
    loop {
        request.wait().await;
        let measured = meter.read();
        inputs.send((Instant::now().as_micros(), game::Input::Battery(measured))).await;
    }
}
