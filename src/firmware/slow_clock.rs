//! The slow system clock, for a sleep in which the clocks cannot be stopped because a key is down: see `lights_out::keys::Next`. The
//! core and all that is clocked with it run at the crystal's 12 MHz, and the PLL is off.
//!
//! What counts time does not notice: timer and watchdog count ticks of the reference clock, which is the crystal's at all times.
//! Flash is read, written and erased at any speed. The LEDs' wire, the piezo and `embassy_rp::clocks` take the fast clock for
//! granted: whoever uses them ends this first. By hand, because embassy-rp has no way to change a clock after start-up.

use core::sync::atomic::{AtomicBool, Ordering};

use embassy_rp::pac::clocks::vals::ClkSysCtrlSrc;
use embassy_rp::pac::{CLOCKS, PLL_SYS};

use super::chip;

/// Whether the clock is slow: `scan` makes it so, and the fault handler has to know.
static IS_SLOW: AtomicBool = AtomicBool::new(false);

/// Begins, unless it has begun. Nothing may be on the LEDs' wire.
pub fn begin() {
    if !IS_SLOW.load(Ordering::Relaxed) {
        switch_to(ClkSysCtrlSrc::CLK_REF);
        set_pll(false);
        IS_SLOW.store(true, Ordering::Relaxed);
    }
}

/// Ends, if it has begun. Takes as long as the PLL to lock: some 15 us.
pub fn end() {
    if IS_SLOW.load(Ordering::Relaxed) {
        set_pll(true);
        while !PLL_SYS.cs().read().lock() {}
        switch_to(ClkSysCtrlSrc::CLKSRC_CLK_SYS_AUX);
        IS_SLOW.store(false, Ordering::Relaxed);
    }
}

/// The switch has no glitches, but takes some cycles of both clocks: the PLL must not be stopped before.
fn switch_to(source: ClkSysCtrlSrc) {
    CLOCKS.clk_sys_ctrl().modify(|w| w.set_src(source));
    while chip::selected_system_clock() >> source as u32 & 1 == 0 {}
}

/// The dividers of the PLL stay as they were set at start-up.
fn set_pll(on: bool) {
    PLL_SYS.pwr().modify(|w| {
        w.set_pd(!on);
        w.set_vcopd(!on);
    });
}
