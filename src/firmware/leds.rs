//! Sends frames to the WS2812 chain through PIO and DMA: the newest one, as soon as the chain can take it.

use core::sync::atomic::{AtomicBool, Ordering};

use embassy_rp::pio::Pio;
use embassy_rp::pio_programs::ws2812::{PioWs2812, PioWs2812Program};
use embassy_time::{Duration, Timer, with_timeout};
use lights_out::board::CELLS;
use lights_out::picture::wire;

use super::board::{CURRENT_CAP, ColourOrder, Irqs, LED_ORDER, LedResources};
use super::watchdog::{Heartbeat, PULSE};
use super::{Picture, Pictures};

/// From the end of the DMA transfer to the next frame. Then the last words are still on their way: eight in the FIFO and
/// one in the shift register, 30 us each; and the chain takes up to 280 us of silence to show what it got, we leave 300.
/// The driver itself waits for 55 us, which is not enough.
const LATCH: Duration = Duration::from_micros(9 * 30 + 300 - 55);

/// From the supply's switch to LEDs that listen: a plain transistor switch takes about 12 ms to fill the capacitor.
const SUPPLY_RISE: Duration = Duration::from_millis(20);

/// Whether the lights are off and without supply. Set by `leds`, read by `scan` before it sends the chip to sleep.
pub static AT_REST: AtomicBool = AtomicBool::new(false);

#[embassy_executor::task]
pub async fn task(r: LedResources, pictures: &'static Pictures, alive: &'static Heartbeat) -> ! {
    let mut supply = r.supply;
    let Pio { mut common, sm0, .. } = Pio::new(r.pio, Irqs);
    let program = PioWs2812Program::new(&mut common);
    let mut chain: PioWs2812<'_, _, 0, CELLS, ColourOrder> =
        PioWs2812::with_color_order(&mut common, sm0, r.dma, Irqs, r.data, &program);
    loop {
        if let Ok(Picture { frame, brightness, awake }) = with_timeout(PULSE, pictures.wait()).await {
            if awake && supply.is_set_low() {
                supply.set_high();
                Timer::after(SUPPLY_RISE).await;
            }
            chain.write(&wire::encode(&frame, brightness, CURRENT_CAP, LED_ORDER)).await;
            Timer::after(LATCH).await;
            if !awake {
                // Even dark LEDs draw 25 mA.
                supply.set_low();
            }
            AT_REST.store(!awake, Ordering::Relaxed);
        }
        alive.beat();
    }
}
