//! The end of everything: a panic or a fault. A red X on the lights for about three seconds, then a restart by the watchdog.
//!
//! panic-probe prints the panic message to the log and raises a HardFault; with a probe attached, that is where it stops
//! and shows the backtrace. Without one we arrive here. No executor runs any more and no interrupt comes, so the X is
//! painted by a driver that blocks; the watchdog is armed first, should even that fail. Before clocks and peripherals run no light
//! can be driven: then the chip restarts at once. Faults in the boot stage have a handler of their own, see `boot`.

use cortex_m::peripheral::SCB;
use cortex_m_rt::{ExceptionFrame, exception};
use embassy_rp::watchdog::Watchdog;
use embassy_rp::{Peripherals, pac};
use embassy_time::Duration;
use lights_out::picture::{Frame, wire};
use lights_out::wiring::CURRENT_CAP;

use super::channels::LEARNED;
use super::{board, chip, slow_clock, watchdog};

/// How long the X is seen.
const RESTART_AFTER: Duration = Duration::from_millis(3000);
/// Enough to find it in the dark.
const BRIGHTNESS: u8 = 64;

#[exception]
unsafe fn HardFault(_frame: &ExceptionFrame) -> ! {
    if watchdog::is_starting() {
        SCB::sys_reset();
    }
    // The fault may have come while embassy-rp took this lock of its critical sections: ours would wait for it for ever.
    pac::SIO.spinlock(31).write_value(1);
    // SAFETY: nothing runs any more but this, so nobody can mind that it takes what others own.
    let mut watchdog = Watchdog::new(unsafe { Peripherals::steal() }.WATCHDOG);
    watchdog::restart_after_crash(&mut watchdog, RESTART_AFTER);
    slow_clock::end();
    // The static by its name, because nobody can hand anything to an exception.
    let words = wire::encoded(&Frame::CROSS, BRIGHTNESS, CURRENT_CAP, &LEARNED.lights());
    // SAFETY: as above.
    unsafe {
        board::silence_lights();
        chip::paint(&words);
    }
    wait_for_restart()
}

/// Until the watchdog bites. Empty, so that an emulator can tell that nothing more will happen and skip to the restart.
#[expect(clippy::empty_loop, reason = "nothing is left to do, and no sleep may stop the watchdog")]
fn wait_for_restart() -> ! {
    loop {}
}
