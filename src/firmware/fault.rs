//! The end of everything: a panic or a fault. A red X on the lights for about three seconds, then a restart by the watchdog.
//!
//! panic-probe prints the panic message to the log and raises a HardFault; with a probe attached, that is where it stops
//! and shows the backtrace. Without one we arrive here. No executor runs any more and no interrupt comes, so the X is
//! painted by a driver that blocks; the watchdog is armed first, should even that fail.

use cortex_m::asm;
use cortex_m_rt::{ExceptionFrame, exception};
use embassy_rp::watchdog::Watchdog;
use embassy_time::Duration;
use lights_out::picture::{Frame, wire};
use rp2040_hal::Sio;
use rp2040_hal::fugit::HertzU32;
use rp2040_hal::gpio::{FunctionPio0, PinState, Pins, PullDown};
use rp2040_hal::pac;
use rp2040_hal::pio::PIOExt;
use smart_leds::SmartLedsWrite;
use ws2812_pio::Ws2812Direct;

use super::board::{CLOCK_HZ, CURRENT_CAP, LED_ORDER};

/// How long the X is seen.
const RESTART_AFTER: Duration = Duration::from_millis(3000);
/// Enough to find it in the dark.
const BRIGHTNESS: u8 = 64;
/// Ends whatever frame was on the wire: more than the nine words that the PIO may still hold, and then the silence that
/// the chain takes for the end, in microseconds.
const SILENCE: u32 = 9 * 30 + 300;

#[exception]
unsafe fn HardFault(_frame: &ExceptionFrame) -> ! {
    // SAFETY: nothing else runs any more, so nobody can mind that we take what others own.
    let (embassy, mut pac) = unsafe { (embassy_rp::Peripherals::steal(), pac::Peripherals::steal()) };
    Watchdog::new(embassy.WATCHDOG).start(RESTART_AFTER);

    // Stop all DMA channels, let the line fall silent.
    // SAFETY: any bits are valid here; each set one stops the channel of its number.
    pac.DMA.chan_abort().write(|w| unsafe { w.bits(0xFFF) });
    asm::delay(SILENCE * (CLOCK_HZ / 1_000_000));

    let pins = Pins::new(pac.IO_BANK0, pac.PADS_BANK0, Sio::new(pac.SIO).gpio_bank0, &mut pac.RESETS);
    let _supply = pins.gpio17.into_push_pull_output_in_state(PinState::High);
    let data = pins.gpio16.reconfigure::<FunctionPio0, PullDown>();
    let (mut pio, sm0, ..) = pac.PIO0.split(&mut pac.RESETS);
    let mut chain = Ws2812Direct::new(data, &mut pio, sm0, HertzU32::from_raw(CLOCK_HZ));

    // It cannot fail: its error type is there for other drivers.
    let _ = chain.write(wire::encode(&Frame::CROSS, BRIGHTNESS, CURRENT_CAP, LED_ORDER));
    // Empty, so that an emulator can tell that nothing more will happen and skip to the restart.
    #[expect(clippy::empty_loop, reason = "nothing is left to do, and no sleep may stop the watchdog")]
    loop {}
}
