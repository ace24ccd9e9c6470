//! The chip of a Pico and of a Pico W.

use embassy_rp::pac;
use lights_out::board::CELLS;
use lights_out::wiring::Wiring;
use rp2040_hal::fugit::HertzU32;
use rp2040_hal::gpio::{DynBankId, DynPinId, FunctionPio0, new_pin};
use rp2040_hal::pio::PIOExt;
use smart_leds::{RGB8, SmartLedsWrite};
use ws2812_pio::Ws2812Direct;

use crate::firmware::led_wire;

/// The system clock that embassy-rp sets up, in Hz.
pub const CLOCK_HZ: u32 = 125_000_000;
/// The flash of the board, in bytes.
pub const FLASH_SIZE: usize = 2 * 1024 * 1024;
/// What counts microseconds.
pub const TIMER: pac::timer::Timer = pac::TIMER;

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
