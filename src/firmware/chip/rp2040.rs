//! RP2040, the chip of the Pico and the Pico W.

use embassy_rp::{pac, rom_data};
use lights_out::board::CELLS;
use lights_out::wiring::Wiring;
use rp2040_hal::fugit::HertzU32;
use rp2040_hal::gpio::{DynBankId, DynPinId, FunctionPio0, new_pin};
use rp2040_hal::pio::PIOExt;
use smart_leds::{RGB8, SmartLedsWrite};
use ws2812_pio::Ws2812Direct;

use crate::firmware::boot::BootStep;
use crate::firmware::led_wire;

/// The system clock that embassy-rp sets up, in Hz.
pub(crate) const CLOCK_HZ: u32 = 125_000_000;
/// The flash of the board, in bytes.
pub(crate) const FLASH_SIZE: usize = 2 * 1024 * 1024;
/// The timer that counts microseconds.
pub(crate) const TIMER: pac::timer::Timer = pac::TIMER;

/// Base addresses of the registers that the boot stage writes.
pub(crate) mod registers {
    pub(crate) const WATCHDOG: u32 = 0x4005_8000;
    pub(crate) const PSM: u32 = 0x4001_0000;
    pub(crate) const CLOCKS: u32 = 0x4000_8000;
    pub(crate) const XOSC: u32 = 0x4002_4000;
    pub(crate) const RESETS: u32 = 0x4000_C000;
    pub(crate) const PLL_SYS: u32 = 0x4002_8000;
}
/// Sets the watchdog's tick to about 1 us: 6 cycles of the ring oscillator, whose nominal frequency is 6.5 MHz.
pub(crate) const WATCHDOG_TICK: [BootStep; 2] = [BootStep::write(TICK, 6), BootStep::write(TICK, 1 << 9 | 6)];
const TICK: u32 = registers::WATCHDOG + 0x2C;
/// The watchdog decrements twice per tick (erratum RP2040-E1).
pub(crate) const WATCHDOG_COUNTS_PER_US: u32 = 2;
/// Parts that a watchdog reset resets: all but the ring oscillator, which clocks the boot ROM.
pub(crate) const WATCHDOG_RESETS: u32 = 0x0001_FFFE;
pub(crate) const PLL_SYS_RESET: u32 = 1 << 12;
/// 1500 MHz divided by 6 and by 2: 125 MHz.
pub(crate) const PLL_POST_DIVIDERS: u32 = 6 << 16 | 2 << 12;

/// Size of the code that makes flash readable (execute in place), in words.
pub(crate) const XIP_SETUP_WORDS: usize = 64;

/// A copy of the code that makes flash readable: the second-stage bootloader at the start of flash. It returns to its
/// caller.
pub(crate) fn xip_setup() -> [u32; XIP_SETUP_WORDS] {
    let mut copy = [0; XIP_SETUP_WORDS];
    // SAFETY: source and destination are aligned and have this size.
    unsafe { rom_data::memcpy44(copy.as_mut_ptr(), 0x1000_0000 as *const u32, size_of_val(&copy) as u32) };
    copy
}

/// The source of the system clock, as a one-hot mask. The register has a different type on each chip.
pub(crate) fn selected_system_clock() -> u32 {
    pac::CLOCKS.clk_sys_selected().read()
}

/// Sends one frame without interrupts, with the blocking driver ws2812-pio.
///
/// # Safety
/// The caller must be the only code that still runs.
pub(crate) unsafe fn send_blocking(words: &[u32; CELLS]) {
    // SAFETY: no other code runs, so this code may take the peripherals.
    let mut chip = unsafe { rp2040_hal::pac::Peripherals::steal() };
    // SAFETY: the pin exists, and no other code uses it.
    let data = unsafe { new_pin(DynPinId { bank: DynBankId::Bank0, num: Wiring::REFERENCE.leds }) };
    let Ok(data) = data.try_into_function::<FunctionPio0>() else { return };
    let (mut pio, sm0, ..) = chip.PIO0.split(&mut chip.RESETS);
    // The driver computes its clock divider for ten ticks in 1.25 us. With this frequency the divider gives a tick of
    // `led_wire`.
    let clock_for_our_tick = HertzU32::from_raw(CLOCK_HZ / led_wire::TICK_HZ * 8_000_000);
    let mut chain = Ws2812Direct::new(data, &mut pio, sm0, clock_for_our_tick);
    replace_program();
    // The driver sends green first, so the first byte of a word is passed as green. `write` of this driver cannot fail.
    let _ = chain.write(words.map(|word| {
        let [first, second, third, _] = word.to_be_bytes();
        RGB8::new(second, first, third)
    }));
}

/// Overwrites the program of ws2812-pio with the program of `led_wire`. Both have the same instructions with different
/// delays. The wrap address of state machine 0 is the address at which the driver has loaded its program.
fn replace_program() {
    const JMP: u16 = 0;
    let first = pac::PIO0.sm(0).execctrl().read().wrap_bottom();
    for (address, &instruction) in (first.into()..).zip(&led_wire::program().code) {
        // Jump targets in the program are relative to its start.
        let moved = if instruction >> 13 == JMP { instruction + u16::from(first) } else { instruction };
        pac::PIO0.instr_mem(address).write(|w| w.set_instr_mem(moved));
    }
}
