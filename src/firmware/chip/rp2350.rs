//! The chip of a Pico 2 and of a Pico 2 W.

use embassy_rp::dma;
use embassy_rp::pac;
use embassy_rp::pio::Pio;
use lights_out::board::CELLS;
use lights_out::with_pins;

use crate::firmware::board::Irqs;
use crate::firmware::led_wire::Chain;

/// The system clock that embassy-rp sets up, in Hz.
pub const CLOCK_HZ: u32 = 150_000_000;
/// The flash of the board, in bytes.
pub const FLASH_SIZE: usize = 4 * 1024 * 1024;
/// What counts microseconds.
pub const TIMER: pac::timer::Timer = pac::TIMER0;

/// Sends one frame when no interrupt comes any more: ws2812-pio, whose driver would do it, is not for this chip.
///
/// # Safety
/// Nothing else may run any more.
pub unsafe fn paint(words: &[u32; CELLS]) {
    // SAFETY: nothing else runs, so nobody can mind that we take what others own.
    let p = unsafe { embassy_rp::Peripherals::steal() };
    let Pio { mut common, mut sm0, .. } = Pio::new(p.PIO0, Irqs);
    // It may have been stopped in the middle of a word.
    sm0.set_enable(false);
    sm0.clear_fifos();
    sm0.restart();
    macro_rules! data {
        (rows: $rows:tt, columns: $columns:tt, leds: $leds:ident, $($other:tt)*) => {
            common.make_pio_pin(p.$leds)
        };
    }
    let data = with_pins!(data);
    // Its end would be that of the words that are still on their way.
    core::mem::forget(Chain::new(&mut common, sm0, dma::Channel::new(p.DMA_CH0, Irqs), data, CLOCK_HZ));
    for &word in words {
        while pac::PIO0.fstat().read().txfull() & 1 != 0 {}
        pac::PIO0.txf(0).write_value(word);
    }
}
