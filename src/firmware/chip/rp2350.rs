//! RP2350, the chip of the Pico 2 and the Pico 2 W.

use embassy_rp::dma;
use embassy_rp::pac;
use embassy_rp::pio::Pio;
use lights_out::board::CELLS;
use lights_out::with_pins;

use crate::firmware::board::Irqs;
use crate::firmware::boot::BootStep;
use crate::firmware::led_wire::Chain;

/// The system clock that embassy-rp sets up, in Hz.
pub(crate) const CLOCK_HZ: u32 = 150_000_000;
/// The flash of the board, in bytes.
pub(crate) const FLASH_SIZE: usize = 4 * 1024 * 1024;
/// The timer that counts microseconds.
pub(crate) const TIMER: pac::timer::Timer = pac::TIMER0;

/// Base addresses of the registers that the boot stage writes.
pub(crate) mod registers {
    pub(crate) const WATCHDOG: u32 = 0x400D_8000;
    pub(crate) const PSM: u32 = 0x4001_8000;
    pub(crate) const CLOCKS: u32 = 0x4001_0000;
    pub(crate) const XOSC: u32 = 0x4004_8000;
    pub(crate) const RESETS: u32 = 0x4002_0000;
    pub(crate) const PLL_SYS: u32 = 0x4005_0000;
}
/// Sets the watchdog's tick to about 1 us: 12 cycles of the ring oscillator, whose nominal frequency is 11 MHz.
pub(crate) const WATCHDOG_TICK: [BootStep; 2] = [BootStep::write(TICKS + 0x34, 12), BootStep::write(TICKS + 0x30, 1)];
const TICKS: u32 = 0x4010_8000;
pub(crate) const WATCHDOG_COUNTS_PER_US: u32 = 1;
/// Parts that a watchdog reset resets: all but the cores' debug logic, the one-time programmable memory and the ring
/// oscillator.
pub(crate) const WATCHDOG_RESETS: u32 = 0x01FF_FFF8;
pub(crate) const PLL_SYS_RESET: u32 = 1 << 14;
/// 1500 MHz divided by 5 and by 2: 150 MHz.
pub(crate) const PLL_POST_DIVIDERS: u32 = 5 << 16 | 2 << 12;

/// Size of the code that makes flash readable (execute in place), in words.
pub(crate) const XIP_SETUP_WORDS: usize = 64;

/// A copy of the code that makes flash readable. The boot ROM leaves it at the start of its boot RAM.
pub(crate) fn xip_setup() -> [u32; XIP_SETUP_WORDS] {
    // SAFETY: the memory is aligned, has this size, and is not written after start-up.
    unsafe { (0x400E_0000 as *const [u32; XIP_SETUP_WORDS]).read_volatile() }
}

/// The source of the system clock, as a one-hot mask. The register has a different type on each chip.
pub(crate) fn selected_system_clock() -> u32 {
    pac::CLOCKS.clk_sys_selected().read().0
}

/// Sends one frame without interrupts. The registers are written directly, because ws2812-pio does not support this
/// chip.
///
/// # Safety
/// The caller must be the only code that still runs.
pub(crate) unsafe fn send_blocking(words: &[u32; CELLS]) {
    // SAFETY: no other code runs, so this code may take the peripherals.
    let p = unsafe { embassy_rp::Peripherals::steal() };
    let Pio { mut common, mut sm0, .. } = Pio::new(p.PIO0, Irqs);
    // The state machine may have stopped in the middle of a word.
    sm0.set_enable(false);
    sm0.clear_fifos();
    sm0.restart();
    macro_rules! data {
        (rows: $rows:tt, columns: $columns:tt, leds: $leds:ident, $($other:tt)*) => {
            common.make_pio_pin(p.$leds)
        };
    }
    let data = with_pins!(data);
    // Not dropped: dropping would stop the state machine before it has sent the last words.
    core::mem::forget(Chain::new(&mut common, sm0, dma::Channel::new(p.DMA_CH0, Irqs), data, CLOCK_HZ));
    for &word in words {
        while pac::PIO0.fstat().read().txfull() & 1 != 0 {}
        pac::PIO0.txf(0).write_value(word);
    }
}
