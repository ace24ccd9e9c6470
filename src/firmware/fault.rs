//! The fault handler: after a panic or a fault it shows a red cross for about three seconds, then the watchdog resets
//! the chip.
//!
//! panic-probe prints the panic message to the log and raises a HardFault. With a probe attached, the core halts there
//! and the probe shows the backtrace. Without a probe this handler runs. Executors and interrupts no longer run, so a
//! blocking driver sends the frame. The watchdog is started first, in case the driver fails. During start-up the LEDs
//! cannot be driven, so the chip is reset at once. Faults in the boot stage have their own handler: see `boot`.

use cortex_m::peripheral::SCB;
use cortex_m_rt::{ExceptionFrame, exception};
use embassy_rp::watchdog::Watchdog;
use embassy_rp::{Peripherals, pac};
use embassy_time::Duration;
use lights_out::display::{Frame, wire};
use lights_out::wiring::CURRENT_CAP;

use super::channels::LAYOUT;
use super::{board, chip, slow_clock, watchdog};

/// Time that the cross is shown.
const RESET_AFTER: Duration = Duration::from_millis(3000);
/// Brightness of the cross, of 255: visible, at a low current.
const BRIGHTNESS: u8 = 64;

#[exception]
unsafe fn HardFault(_frame: &ExceptionFrame) -> ! {
    if watchdog::is_starting() {
        SCB::sys_reset();
    }
    // Release the lock of embassy-rp's critical sections. If the fault was inside a critical section, the next one
    // would wait for the lock without end.
    pac::SIO.spinlock(31).write_value(1);
    // SAFETY: only this handler runs from now on, so it may take the peripherals of all tasks.
    let mut watchdog = Watchdog::new(unsafe { Peripherals::steal() }.WATCHDOG);
    watchdog::restart_after_crash(&mut watchdog, RESET_AFTER);
    slow_clock::leave();
    // The static is used directly, because an exception handler takes no arguments.
    let words = wire::encoded(&Frame::CROSS, BRIGHTNESS, CURRENT_CAP, &LAYOUT.leds());
    // SAFETY: as above.
    unsafe {
        board::prepare_leds_for_fault_screen();
        chip::send_blocking(&words);
    }
    wait_for_reset()
}

/// Waits for the watchdog reset. The loop is empty, so that an emulator can recognise it and skip to the reset.
#[expect(clippy::empty_loop, reason = "there is nothing left to do, and the watchdog must keep counting")]
fn wait_for_reset() -> ! {
    loop {}
}
