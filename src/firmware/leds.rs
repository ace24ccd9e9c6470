//! Sends frames to the WS2812 chain through PIO and DMA.

use embassy_rp::pio::Pio;
use embassy_rp::pio_programs::ws2812::{PioWs2812, PioWs2812Program};
use smart_leds::RGB8;

use super::board::{Irqs, LEDS, LedResources};

#[embassy_executor::task]
pub async fn task(r: LedResources) -> ! {
    let Pio { mut common, sm0, .. } = Pio::new(r.pio, Irqs);
    let program = PioWs2812Program::new(&mut common);
    let mut chain: PioWs2812<'_, _, 0, LEDS, _> = PioWs2812::new(&mut common, sm0, r.dma, Irqs, r.data, &program);
    chain.write(&[RGB8::new(0, 8, 0); LEDS]).await;
    defmt::info!("first frame sent");
    core::future::pending().await
}
