//! Any small program on the emulator of either chip.

use std::time::Duration;

use emulator::{CycleCounts, Firmware, FlashCache, Frame, Handheld, Options};
use flash_image::Chip;

use crate::ALLOCATOR;
use crate::program_file::uf2_of;

/// The possible start values of the registers r0 to r7: addresses of peripherals and memories, their ends, and invalid
/// values.
const REGISTER_VALUES: [u32; 48] = [
    0,
    1,
    2,
    0xFFFF_FFFF,
    0x8000_0000,
    0x14,                           // ROM of the RP2040: the table of functions
    0x18,                           // its lookup
    0x16,                           // ROM of the RP2350: its lookup
    0x0000_3FFC,                    // end of the ROM of the RP2040
    0x0000_7FFE,                    // end of the ROM of the RP2350
    0x1000_0000,                    // flash
    0x1000_0200,                    // this program
    0x101F_FFFC,                    // end of flash of a Pico
    0x103F_FFFE,                    // end of flash of a Pico 2
    0x1300_0000,                    // flash, not cached
    0x1400_0000,                    // XIP_CTRL of the RP2040
    0x1800_0000,                    // XIP_SSI
    0x2000_0000,                    // RAM
    0x2004_0000,                    // the stack; end of the striped RAM
    0x2004_1FFF,                    // end of RAM of the RP2040
    0x2008_1FFE,                    // end of RAM of the RP2350
    0x4000_8000,                    // clocks (RP2040)
    0x4000_C000,                    // resets (RP2040)
    0x4001_0000,                    // clocks (RP2350)
    0x4001_4000,                    // IO_BANK0 (RP2040)
    0x4001_C000,                    // pads (RP2040)
    0x4002_0000,                    // resets (RP2350)
    0x4002_8000,                    // IO_BANK0 (RP2350)
    0x4004_C000,                    // ADC (RP2040)
    0x4005_0000,                    // PWM (RP2040)
    0x4005_4000,                    // timer (RP2040)
    0x4005_8000,                    // watchdog (RP2040)
    0x4006_C000,                    // TBMAN (RP2040)
    0x400A_0000,                    // ADC (RP2350)
    0x400A_8000,                    // PWM (RP2350)
    0x400B_0000,                    // timer (RP2350)
    0x400D_8000,                    // watchdog (RP2350)
    0x400E_03FF,                    // end of the boot RAM of the RP2350
    0x5000_0000,                    // DMA
    0x5000_0440,                    // DMA, after its channels
    0x5020_0000,                    // PIO 0
    0x5030_0000,                    // PIO 1
    0xD000_0000,                    // SIO
    0xE000_E010,                    // SysTick
    0xE000_E100,                    // NVIC
    0xE000_ED08,                    // vector table
    u32::from_le_bytes(*b"RE\0\0"), // ROM code of the erase
    u32::from_le_bytes(*b"RP\0\0"), // ROM code of the program
];

/// The longest program, in bytes.
const MAX_LENGTH: usize = 1024;
/// The emulated time of each of the two parts of a run.
const TIME: Duration = Duration::from_millis(1);
/// The allowed growth of memory in the second part of a run: recorded frames, tones and faults.
const GROWTH: usize = 64 << 10;

/// The input is: a byte whose bits select the chip, the flash cache and a second run; a byte for the exception handler;
/// a byte for each of eight registers; the program. With any program the emulator returns at the requested time, its
/// memory does not grow without limit, and a second run is the same to the cycle.
pub fn program(input: &[u8]) {
    let Some((&[kind, handler, ref registers @ ..], code)) = input.split_first_chunk::<10>() else { return };
    let chip = Chip::ALL[usize::from(kind & 1)];
    let mut bytes = prologue(registers);
    bytes.extend(&code[..code.len().min(MAX_LENGTH)]);
    let firmware = Firmware::from_uf2(&uf2_of(chip, &bytes, 2 * usize::from(handler))).expect("a valid file");
    assert_eq!(firmware.chip(), chip);
    let options = Options { flash_cache: (kind & 2 != 0).then(FlashCache::default), ..options() };
    let first = run(&firmware, options.clone());
    // Switching on takes longer than running, so only some inputs run twice.
    if kind & 4 != 0 {
        assert!(run(&firmware, options) == first, "the second run differs");
    }
}

/// The board of the page. The program starts immediately, without the time of the boot ROM.
pub(crate) fn options() -> Options {
    Options { boot_rom: Duration::ZERO, supply_switch: false, ..Options::default() }
}

/// The observable result of a run.
pub(crate) type Observation = (Duration, CycleCounts, u64, Option<Frame>, Vec<u8>);

/// Switches on and runs for two times [`TIME`]. The run ends in time, and memory does not grow.
pub(crate) fn run(firmware: &Firmware, options: Options) -> Observation {
    let mut handheld = Handheld::power_on(firmware, options);
    handheld.press(12);
    handheld.run_for(TIME);
    let before = ALLOCATOR.allocated();
    handheld.release(12);
    handheld.run_for(TIME);
    let grown = ALLOCATOR.allocated().saturating_sub(before);
    assert!(grown < GROWTH, "memory grew by {grown} bytes in {TIME:?}");
    let now = handheld.now();
    assert!(handheld.stop_reason().is_some() || (2 * TIME..3 * TIME).contains(&now), "the run ended at {now:?}");
    let (cycle_counts, frames, frame) = (handheld.cycle_counts(), handheld.frames(), handheld.frame().cloned());
    let flash = handheld.power_off();
    assert_eq!(flash.len(), firmware.chip().flash_size());
    (now, cycle_counts, frames, frame, flash)
}

/// Instructions that load the registers r0 to r7: a load for each, a branch over the values, the values.
fn prologue(registers: &[u8]) -> Vec<u8> {
    let table = 2 * registers.len() + 4;
    let mut halves: Vec<u16> = (0..registers.len())
        .map(|register| {
            // The program counter is four bytes ahead of the instruction, rounded down to a word.
            let pc = (2 * register + 4) & !3;
            0x4800 | ((register << 8) | ((table + 4 * register - pc) / 4)) as u16
        })
        .collect();
    // A branch to the end of the table, and a nop that aligns the table to a word.
    halves.extend([0xE000 | (2 * registers.len()) as u16, 0x46C0]);
    let mut bytes: Vec<u8> = halves.into_iter().flat_map(u16::to_le_bytes).collect();
    bytes.extend(
        registers.iter().flat_map(|&choice| REGISTER_VALUES[usize::from(choice) % REGISTER_VALUES.len()].to_le_bytes()),
    );
    bytes
}
