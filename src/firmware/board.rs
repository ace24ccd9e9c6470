//! The wiring: which pin and which peripheral does what, and what is soldered to them. The only file that names a pin.
//!
//! | part                                          | pins                     |
//! | --------------------------------------------- | ------------------------ |
//! | matrix rows 0..4, open drain, active low      | GP2 GP3 GP4 GP5 GP6      |
//! | matrix columns 0..4, read, internal pull-up   | GP7 GP8 GP9 GP10 GP11    |
//! | WS2812B data, 25 LEDs                         | GP16                     |
//! | LED supply switch, high = on (optional part)  | GP17                     |
//! | piezo, PWM (optional part)                    | GP15                     |

use embassy_rp::clocks::ClockConfig;
use embassy_rp::config::Config;
use embassy_rp::flash::Flash;
use embassy_rp::gpio::{Input, Level, Output, OutputOpenDrain, Pull};
use embassy_rp::peripherals::{DMA_CH0, PIN_15, PIN_16, PIO0, PWM_SLICE7};
use embassy_rp::pio_programs::ws2812::Grb;
use embassy_rp::watchdog::Watchdog;
use embassy_rp::{Peri, bind_interrupts, dma, pio};
use lights_out::board::SIDE;
use lights_out::picture::wire::LedOrder;

use super::storage::Chip;

bind_interrupts!(pub struct Irqs {
    PIO0_IRQ_0 => pio::InterruptHandler<PIO0>;
    DMA_IRQ_0 => dma::InterruptHandler<DMA_CH0>;
});

/// How the LED chain runs over the grid.
pub const LED_ORDER: LedOrder = LedOrder::RowMajor;
/// In which order the LEDs take their colours; [`Rgb`](embassy_rp::pio_programs::ws2812::Rgb) for some.
pub type ColourOrder = Grb;
/// What board and LEDs may draw together, in milliamperes: USB gives 500.
pub const CURRENT_CAP: u32 = 400;
/// The system clock that embassy-rp sets up, in Hz.
pub const CLOCK_HZ: u32 = 125_000_000;
/// The flash chip of a Pico, in bytes.
pub const FLASH_SIZE: usize = 2 * 1024 * 1024;

/// How long the crystal is given to start, in about 1 ms. embassy-rp's default of 128 makes the player wait; 6 is what the
/// chip's maker takes for the Pico's crystal.
const CRYSTAL_WAIT: u32 = 6;

/// What the `scan` task owns: the key matrix.
pub struct KeyResources {
    pub rows: [OutputOpenDrain<'static>; SIDE],
    pub columns: [Input<'static>; SIDE],
}

/// What the `leds` task owns: the WS2812 chain, and the switch of its supply.
pub struct LedResources {
    pub pio: Peri<'static, PIO0>,
    pub dma: Peri<'static, DMA_CH0>,
    pub data: Peri<'static, PIN_16>,
    pub supply: Output<'static>,
}

/// What the `sound` task owns: the piezo, and the PWM slice that reaches its pin.
pub struct PiezoResources {
    pub slice: Peri<'static, PWM_SLICE7>,
    pub pin: Peri<'static, PIN_15>,
}

/// Everything on the board, one set of resources per task.
pub struct Board {
    pub keys: KeyResources,
    pub leds: LedResources,
    pub piezo: PiezoResources,
    pub flash: Chip,
    pub watchdog: Watchdog,
}

impl Board {
    /// Starts the clocks and hands out the board. Panics when called twice.
    pub fn take() -> Self {
        let mut clocks = ClockConfig::crystal(12_000_000);
        if let Some(crystal) = &mut clocks.xosc {
            crystal.delay_multiplier = CRYSTAL_WAIT;
        }
        let p = embassy_rp::init(Config::new(clocks));
        Self {
            keys: KeyResources {
                rows: [
                    OutputOpenDrain::new(p.PIN_2, Level::Low),
                    OutputOpenDrain::new(p.PIN_3, Level::Low),
                    OutputOpenDrain::new(p.PIN_4, Level::Low),
                    OutputOpenDrain::new(p.PIN_5, Level::Low),
                    OutputOpenDrain::new(p.PIN_6, Level::Low),
                ],
                columns: [
                    Input::new(p.PIN_7, Pull::Up),
                    Input::new(p.PIN_8, Pull::Up),
                    Input::new(p.PIN_9, Pull::Up),
                    Input::new(p.PIN_10, Pull::Up),
                    Input::new(p.PIN_11, Pull::Up),
                ],
            },
            leds: LedResources {
                pio: p.PIO0,
                dma: p.DMA_CH0,
                data: p.PIN_16,
                supply: Output::new(p.PIN_17, Level::High),
            },
            piezo: PiezoResources { slice: p.PWM_SLICE7, pin: p.PIN_15 },
            flash: Flash::new_blocking(p.FLASH),
            watchdog: Watchdog::new(p.WATCHDOG),
        }
    }
}
