//! The wiring: which pin and which peripheral does what. The only file that names a pin.

use embassy_rp::peripherals::{DMA_CH0, PIN_16, PIO0};
use embassy_rp::{Peri, bind_interrupts, dma, pio};

bind_interrupts!(pub struct Irqs {
    PIO0_IRQ_0 => pio::InterruptHandler<PIO0>;
    DMA_IRQ_0 => dma::InterruptHandler<DMA_CH0>;
});

/// How many LEDs are in the chain.
pub const LEDS: usize = 25;

/// What the `leds` task owns: the WS2812 chain on GP16, row by row from the top left.
pub struct LedResources {
    pub pio: Peri<'static, PIO0>,
    pub dma: Peri<'static, DMA_CH0>,
    pub data: Peri<'static, PIN_16>,
}

/// Everything on the board, one set of resources per task.
pub struct Board {
    pub leds: LedResources,
}

impl Board {
    /// Starts the clocks and hands out the board. Panics when called twice.
    pub fn take() -> Self {
        let p = embassy_rp::init(Default::default());
        Self { leds: LedResources { pio: p.PIO0, dma: p.DMA_CH0, data: p.PIN_16 } }
    }
}
