//! The board: starts the chip, and creates all drivers on the pins of `lights_out::wiring`.

use core::convert::Infallible;

use embassy_rp::clocks::ClockConfig;
use embassy_rp::config::Config;
use embassy_rp::flash::{Blocking, Flash};
use embassy_rp::gpio::{AnyPin, Input, Level, Output, OutputOpenDrain, Pull};
use embassy_rp::pac;
use embassy_rp::peripherals::{self, ADC, DMA_CH0, FLASH, PIO0};
use embassy_rp::pio::Pio;
use embassy_rp::pwm::{self, Pwm};
use embassy_rp::watchdog::Watchdog;
use embassy_rp::{Peri, Peripherals, bind_interrupts, dma, pio};
use embassy_time::{Instant, block_for};
use lights_out::board::SIDE;
use lights_out::matrix::{ColumnPins, Columns};
use lights_out::wiring::Wiring;
use lights_out::{with_pico_pins, with_pins};

use super::boot::CRYSTAL_DELAY;
use super::chip::{CLOCK_HZ, FLASH_SIZE, TIMER};
use super::led_wire::Chain;
use super::leds::SUPPLY_RISE;
use super::watchdog;

bind_interrupts!(pub struct Irqs {
    PIO0_IRQ_0 => pio::InterruptHandler<PIO0>;
    DMA_IRQ_0 => dma::InterruptHandler<DMA_CH0>;
});

/// The pin function for SIO, with which the core drives a pin.
const SIO: u8 = 5;

/// embassy-rp's flash driver. It is used for reading only.
pub(crate) type FlashReader = Flash<'static, FLASH, Blocking, FLASH_SIZE>;

macro_rules! pico_pins {
    (vbus: $vbus:ident, vsys: $vsys:ident, select: $select:ident) => {
        pub(crate) type VbusPin = peripherals::$vbus;
        pub(crate) type VsysPin = peripherals::$vsys;
        pub(crate) type SelectPin = peripherals::$select;
    };
}
with_pico_pins!(pico_pins);

/// The resources of the `scan` task: the key matrix.
pub(crate) struct KeyResources {
    pub rows: [OutputOpenDrain<'static>; SIDE],
    pub columns: KeyColumns,
}

/// The resources of the `leds` task: the LED chain, and the switch of its supply, which is on.
pub(crate) struct LedResources {
    pub chain: Chain,
    pub supply: Output<'static>,
    pub supply_on_since: Instant,
}

/// The resources of the battery meter.
pub(crate) struct BatteryResources {
    pub adc: Peri<'static, ADC>,
    pub vbus: Peri<'static, VbusPin>,
    pub vsys: Peri<'static, VsysPin>,
    pub select: Peri<'static, SelectPin>,
}

/// The board, split into one set of resources per task.
pub(crate) struct Parts {
    pub keys: KeyResources,
    pub leds: LedResources,
    pub piezo: Pwm<'static>,
    pub flash: FlashReader,
    pub battery: BatteryResources,
    pub watchdog: Watchdog,
    pub watchdog_before: watchdog::StateBeforeBoot,
}

/// The chip with running clocks.
pub(crate) struct Started {
    peripherals: Peripherals,
    /// When the LED supply was switched on.
    supply_on_since: Instant,
    watchdog_before: watchdog::StateBeforeBoot,
}

/// Sets up clocks and peripherals. Switches the LED supply on first, because it rises slowly. Panics if it is called
/// twice.
pub(crate) fn start() -> Started {
    let mut clocks = ClockConfig::crystal(12_000_000);
    if let Some(crystal) = &mut clocks.xosc {
        // The boot stage has started the crystal, so it is stable here. This wait applies again when the clocks restart
        // after sleep.
        crystal.delay_multiplier = CRYSTAL_DELAY;
    }
    let peripherals = embassy_rp::init(Config::new(clocks));
    let supply = usize::from(Wiring::REFERENCE.supply);
    pac::SIO.gpio_out(0).value_set().write_value(1 << supply);
    pac::SIO.gpio_oe(0).value_set().write_value(1 << supply);
    pac::PADS_BANK0.gpio(supply).write(|w| w.set_ie(true));
    pac::IO_BANK0.gpio(supply).ctrl().write(|w| w.set_funcsel(SIO));
    let supply_on_since = Instant::from_micros(TIMER.timerawl().read().into());
    Started { peripherals, supply_on_since, watchdog_before: watchdog::StateBeforeBoot::take() }
}

impl Parts {
    /// Creates the drivers.
    pub(crate) fn new(Started { peripherals: p, supply_on_since, watchdog_before }: Started) -> Self {
        macro_rules! battery {
            (vbus: $vbus:ident, vsys: $vsys:ident, select: $select:ident) => {
                BatteryResources { adc: p.ADC, vbus: p.$vbus, vsys: p.$vsys, select: p.$select }
            };
        }
        macro_rules! parts {
            (
                rows: [$($row:ident),*],
                columns: [$($column:ident),*],
                leds: $leds:ident,
                supply: $supply:ident,
                piezo: $piezo:ident of $slice:ident by $output:ident,
            ) => {{
                // The level that `start` has set.
                let supply = Output::new(p.$supply, Level::High);
                let Pio { mut common, sm0, .. } = Pio::new(p.PIO0, Irqs);
                let data = common.make_pio_pin(p.$leds);
                let dma = dma::Channel::new(p.DMA_CH0, Irqs);
                Self {
                    keys: KeyResources {
                        rows: disable_row_inputs([$(OutputOpenDrain::new(p.$row, Level::Low)),*]),
                        columns: KeyColumns([$(enable_hysteresis(Input::new(p.$column, Pull::Up))),*]),
                    },
                    leds: LedResources {
                        chain: Chain::new(&mut common, sm0, dma, data, CLOCK_HZ),
                        supply,
                        supply_on_since,
                    },
                    piezo: Pwm::$output(p.$slice, p.$piezo, pwm::Config::default()),
                    flash: Flash::new_blocking(p.FLASH),
                    battery: with_pico_pins!(battery),
                    watchdog: Watchdog::new(p.WATCHDOG),
                    watchdog_before,
                }
            }};
        }
        with_pins!(parts)
    }
}

/// Disables the inputs of the rows. A row is driven or released, and never read. On the first RP2350s (erratum E9) an
/// enabled input of an undriven pin sources 120 uA up to 2.2 V, more than a column's pull-up. The inputs of the columns
/// stay enabled: they have pull-ups, so the erratum does not matter there.
#[inline(always)]
fn disable_row_inputs(rows: [OutputOpenDrain<'static>; SIDE]) -> [OutputOpenDrain<'static>; SIDE] {
    for row in Wiring::REFERENCE.rows {
        pac::PADS_BANK0.gpio(row.into()).modify(|w| w.set_ie(false));
    }
    rows
}

/// Enables the hysteresis of a column's input, because the column rises slowly.
#[inline(always)]
fn enable_hysteresis(mut input: Input<'static>) -> Input<'static> {
    input.set_schmitt(true);
    input
}

/// The columns of the matrix.
pub(crate) struct KeyColumns(pub [Input<'static>; SIDE]);

impl ColumnPins for KeyColumns {
    type Error = Infallible;

    /// Reads the port once instead of five pins.
    fn low(&mut self) -> Result<Columns, Infallible> {
        let levels = pac::SIO.gpio_in(0).read();
        let column = |column: usize| (!levels >> Wiring::REFERENCE.columns[column] & 1) << column;
        Ok(Columns::from_bits(column(0) | column(1) | column(2) | column(3) | column(4)))
    }
}

impl KeyColumns {
    /// The columns with a falling edge since the last call. The pins latch edges, also while the core sleeps.
    pub(crate) fn take_fallen(&mut self) -> Columns {
        let mut fallen = 0;
        for (column, &pin) in Wiring::REFERENCE.columns.iter().enumerate() {
            let (register, place) = (pac::IO_BANK0.intr(usize::from(pin) / 8), usize::from(pin) % 8);
            fallen |= u32::from(register.read().edge_low(place)) << column;
            register.write(|w| w.set_edge_low(place, true));
        }
        Columns::from_bits(fallen)
    }
}

/// Prepares the LEDs for the fault screen: stops the data on their wire and switches their supply on.
///
/// # Safety
/// The caller must be the only code that still runs.
pub(crate) unsafe fn prepare_leds_for_fault_screen() {
    pac::DMA.chan_abort().write(|w| w.set_chan_abort(u16::MAX));
    // SAFETY: no other code runs, so this code may take the pin.
    core::mem::forget(Output::new(unsafe { AnyPin::steal(Wiring::REFERENCE.supply) }, Level::High));
    block_for(SUPPLY_RISE);
}
