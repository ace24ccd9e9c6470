//! The end of everything: a panic or a fault. A red X on the lights for about three seconds, then a restart by the watchdog.
//!
//! panic-probe prints the panic message to the log and raises a HardFault; with a probe attached, that is where it stops
//! and shows the backtrace. Without one we arrive here. No executor runs any more and no interrupt comes, so the X is
//! painted by a driver that blocks; the watchdog is armed first, should even that fail.

use cortex_m_rt::{ExceptionFrame, exception};
use embassy_time::Duration;
use lights_out::picture::{Frame, wire};
use lights_out::wiring::{COLOUR_ORDER, CURRENT_CAP, LED_ORDER};
use smart_leds::{RGB8, SmartLedsWrite};

use super::board;

/// How long the X is seen.
pub const RESTART_AFTER: Duration = Duration::from_millis(3000);
/// Enough to find it in the dark.
const BRIGHTNESS: u8 = 64;

#[exception]
unsafe fn HardFault(_frame: &ExceptionFrame) -> ! {
    // SAFETY: nothing runs any more but this.
    let (_watchdog, mut chain) = unsafe { board::fault_screen() };
    let leds = wire::encoded(&Frame::CROSS, BRIGHTNESS, CURRENT_CAP, LED_ORDER);
    // The driver sends green first, so the channel that its LEDs want first goes there. It cannot fail: its error type is there
    // for other drivers.
    let _ = chain.write(leds.map(|led| {
        let [first, second, third, _] = COLOUR_ORDER.pack(led).to_be_bytes();
        RGB8::new(second, first, third)
    }));
    wait_for_restart()
}

/// Until the watchdog bites. Empty, so that an emulator can tell that nothing more will happen and skip to the restart.
#[expect(clippy::empty_loop, reason = "nothing is left to do, and no sleep may stop the watchdog")]
pub fn wait_for_restart() -> ! {
    loop {}
}
