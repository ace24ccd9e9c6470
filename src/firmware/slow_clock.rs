//! The slow system clock. It is used in sleep while a key is down, when the clocks cannot be stopped: see
//! `lights_out::keys::Next`. The system clock is then the crystal's 12 MHz, and the PLL is off.
//!
//! Timer and watchdog are not affected: they count ticks of the reference clock, which always comes from the crystal.
//! Flash can be read, written and erased at any clock. The LED wire, the piezo and `embassy_rp::clocks` assume the fast
//! clock: call [`leave`] before using them. The registers are written directly, because embassy-rp cannot change a
//! clock after start-up.

use core::sync::atomic::{AtomicBool, Ordering};

use embassy_rp::pac::clocks::vals::ClkSysCtrlSrc;
use embassy_rp::pac::{CLOCKS, PLL_SYS};

use super::chip;

/// Whether the clock is slow. Changed by `scan`, read by the fault handler.
static IS_SLOW: AtomicBool = AtomicBool::new(false);

/// Switches to the slow clock, unless it is slow already. No frame may be on the LED wire.
pub(super) fn enter() {
    if !IS_SLOW.load(Ordering::Relaxed) {
        switch_to(ClkSysCtrlSrc::CLK_REF);
        set_pll(false);
        IS_SLOW.store(true, Ordering::Relaxed);
    }
}

/// Switches back to the fast clock, if it is slow. Takes about 15 us, until the PLL has locked.
pub(super) fn leave() {
    if IS_SLOW.load(Ordering::Relaxed) {
        set_pll(true);
        while !PLL_SYS.cs().read().lock() {}
        switch_to(ClkSysCtrlSrc::CLKSRC_CLK_SYS_AUX);
        IS_SLOW.store(false, Ordering::Relaxed);
    }
}

/// Switches the source of the system clock, and waits for it. The switch is glitch-free, but takes some cycles of both
/// clocks, so the PLL must keep running until it is done.
fn switch_to(source: ClkSysCtrlSrc) {
    CLOCKS.clk_sys_ctrl().modify(|w| w.set_src(source));
    while chip::selected_system_clock() >> source as u32 & 1 == 0 {}
}

/// Powers the PLL up or down. Its dividers keep their settings from start-up.
fn set_pll(on: bool) {
    PLL_SYS.pwr().modify(|w| {
        w.set_pd(!on);
        w.set_vcopd(!on);
    });
}
