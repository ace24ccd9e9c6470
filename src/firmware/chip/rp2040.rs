//! The chip of a Pico and of a Pico W.

use embassy_rp::{pac, rom_data};
use lights_out::board::CELLS;
use lights_out::wiring::Wiring;
use rp2040_hal::fugit::HertzU32;
use rp2040_hal::gpio::{DynBankId, DynPinId, FunctionPio0, new_pin};
use rp2040_hal::pio::PIOExt;
use smart_leds::{RGB8, SmartLedsWrite};
use ws2812_pio::Ws2812Direct;

use crate::firmware::boot::Step;
use crate::firmware::led_wire;

/// The system clock that embassy-rp sets up, in Hz.
pub const CLOCK_HZ: u32 = 125_000_000;
/// The flash of the board, in bytes.
pub const FLASH_SIZE: usize = 2 * 1024 * 1024;
/// What counts microseconds.
pub const TIMER: pac::timer::Timer = pac::TIMER;

/// Where the registers are that the boot stage needs.
pub mod registers {
    pub const WATCHDOG: u32 = 0x4005_8000;
    pub const PSM: u32 = 0x4001_0000;
    pub const CLOCKS: u32 = 0x4000_8000;
    pub const XOSC: u32 = 0x4002_4000;
    pub const RESETS: u32 = 0x4000_C000;
    pub const PLL_SYS: u32 = 0x4002_8000;
}
/// The watchdog's tick, about 1 us: 6 cycles of the ring oscillator, whose nominal frequency is 6.5 MHz. One register has all.
pub const WATCHDOG_TICK: [Step; 2] = [Step::write(TICK, 6), Step::write(TICK, 1 << 9 | 6)];
const TICK: u32 = registers::WATCHDOG + 0x2C;
/// The watchdog counts down by two (erratum E1).
pub const WATCHDOG_COUNTS_PER_US: u32 = 2;
/// What the watchdog resets: everything but the ring oscillator, which the boot ROM runs from.
pub const WATCHDOG_RESETS: u32 = 0x0001_FFFE;
pub const PLL_SYS_RESET: u32 = 1 << 12;
/// 1500 MHz by 6 and by 2.
pub const PLL_POST_DIVIDERS: u32 = 6 << 16 | 2 << 12;

/// The size of the code that makes flash readable.
pub const XIP_SETUP_WORDS: usize = 64;

/// A copy of the code that makes flash readable: the second stage of booting, at the start of flash. It returns when it is called.
pub fn xip_setup() -> [u32; XIP_SETUP_WORDS] {
    let mut copy = [0; XIP_SETUP_WORDS];
    // SAFETY: both are aligned and of this size.
    unsafe { rom_data::memcpy44(copy.as_mut_ptr(), 0x1000_0000 as *const u32, size_of_val(&copy) as u32) };
    copy
}

/// Which source the system clock has, as one bit: the register is of another type on each chip.
pub fn selected_system_clock() -> u32 {
    pac::CLOCKS.clk_sys_selected().read()
}

/// Sends one frame when no interrupt comes any more, by a driver that blocks.
///
/// # Safety
/// Nothing else may run any more.
pub unsafe fn paint(words: &[u32; CELLS]) {
    // SAFETY: nothing else runs, so nobody can mind that we take what others own.
    let mut chip = unsafe { rp2040_hal::pac::Peripherals::steal() };
    // SAFETY: the pin exists, and as above.
    let data = unsafe { new_pin(DynPinId { bank: DynBankId::Bank0, num: Wiring::REFERENCE.leds }) };
    let Ok(data) = data.try_into_function::<FunctionPio0>() else { return };
    let (mut pio, sm0, ..) = chip.PIO0.split(&mut chip.RESETS);
    // It divides the clock so that ten ticks are 1.25 us; ours are to be of another length.
    let ten_ticks_as_it_counts = HertzU32::from_raw(CLOCK_HZ / led_wire::TICK_HZ * 8_000_000);
    let mut chain = Ws2812Direct::new(data, &mut pio, sm0, ten_ticks_as_it_counts);
    replace_program();
    // The driver sends green first, so the channel that its LEDs want first goes there. It cannot fail: its error type is there
    // for other drivers.
    let _ = chain.write(words.map(|word| {
        let [first, second, third, _] = word.to_be_bytes();
        RGB8::new(second, first, third)
    }));
}

/// Puts our program in the place of that of ws2812-pio, which is of the same shape but for its delays, wherever that driver
/// has loaded it: state machine 0 knows by where it wraps.
fn replace_program() {
    const JMP: u16 = 0;
    let first = pac::PIO0.sm(0).execctrl().read().wrap_bottom();
    for (place, &instruction) in (first.into()..).zip(&led_wire::program().code) {
        // The target of a jump is relative to the beginning of the program.
        let moved = if instruction >> 13 == JMP { instruction + u16::from(first) } else { instruction };
        pac::PIO0.instr_mem(place).write(|w| w.set_instr_mem(moved));
    }
}
