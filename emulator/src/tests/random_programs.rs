//! Programs of random instructions: the emulator does not panic, and the emulated time does not stop.

use super::hostile::{CHIPS, DMA, WFI, program_for, release, run};
use super::*;
use crate::{InjectedFault, LogLine};
use rand_core::Rng;
use rand_pcg::Pcg32;

/// Addresses near which a program reads and writes: memory and peripherals of both chips.
const BASES: [u32; 36] = [
    RAM,
    RAM + 0x4_1FF0,
    RAM + 0x8_1FF0,
    0x1000_0000,
    0x1400_0000,
    0x1800_0000,
    0x1C00_3FF0,
    0xD000_0000,
    0xE000_E000,
    0xE000_ED00,
    0x4000_8000,
    0x4000_C000,
    0x4001_4000,
    0x4002_8000,
    0x4005_0000,
    0x4005_4000,
    0x4005_8000,
    0x4006_0000,
    0x400A_8000,
    0x400B_0000,
    0x400D_0000,
    0x4010_8000,
    DMA,
    DMA,
    0x5000_0400,
    0x5010_0000,
    0x5011_0000,
    0x5020_0000,
    0x5020_0048,
    0x5020_00C8,
    0x5030_0000,
    0x5040_0000,
    0,
    0x100,
    0x200,
    0x400,
];

/// A random address, mostly near one of [`BASES`].
fn random_address(random: &mut Pcg32) -> u32 {
    let base = BASES[random.next_u32() as usize % BASES.len()];
    match random.next_u32() % 10 {
        0 => random.next_u32(),
        // Any register of any peripheral.
        8 => 0x4000_0000 + random.next_u32() % 0x5C * 0x4000 + random.next_u32() % 80 * 4,
        9 => 0x4000_0000 + random.next_u32() % 0x5C * 0x4000 + random.next_u32() % 0x4000,
        1 => base + random.next_u32() % 0x4000,
        2 => base + random.next_u32() % 64,
        _ => base + random.next_u32() % 64 * 4,
    }
}

/// A random number: any number, a single bit, a byte, or an address.
fn random_number(random: &mut Pcg32) -> u32 {
    match random.next_u32() % 4 {
        0 => random.next_u32(),
        1 => 1 << (random.next_u32() % 32),
        2 => random.next_u32() % 256,
        _ => random_address(random),
    }
}

/// A program of random writes, copies, calls of the boot ROM and instructions, with random numbers in its registers.
fn random_program(chip: Chip, random: &mut Pcg32) -> Program {
    let mut program = program_for(chip);
    release(&mut program);
    for _ in 0..40 {
        let (address, value) = (random_address(random), random_number(random));
        match random.next_u32() % 10 {
            0..6 => _ = program.write(address, value),
            6 => _ = program.copy(address, RAM + 0x40),
            7 => {
                let arguments = core::array::from_fn(|_| random_number(random));
                program.call(0x101 + random.next_u32() % 0x40 * 4, arguments);
            }
            8 => _ = program.op(random.next_u32() as u16),
            _ => {
                (0..7).for_each(|register| _ = program.load(register, random_number(random)));
                (0..4).for_each(|_| _ = program.op(random.next_u32() as u16));
            }
        }
    }
    program.op([WFI, WFE, SELF, 0x4770][random.next_u32() as usize % 4]).op(0xE7FD);
    // The fault handler continues after the instruction. Other handlers execute a random instruction.
    program.handler(3).op(0x9906).op(0x3102).op(0x9106).op(BX_LR);
    for exception in [2, 4, 5, 6, 11, 14, 15, 16, 20, 27, 37] {
        program.handler(exception).op(random.next_u32() as u16).op(BX_LR);
    }
    program
}

#[test]
fn random_programs_do_not_panic_or_stop_time() {
    for chip in CHIPS {
        for seed in 0..100 {
            let mut random = Pcg32::new(seed, 0xbad);
            let program = random_program(chip, &mut random);
            let mut handheld = program.start(Options { seed, supply_switch: false, ..Options::default() });
            handheld.record_frames();
            run(&mut handheld, Duration::from_micros(700));
            handheld.press(12);
            handheld.inject_fault(InjectedFault::Fault);
            run(&mut handheld, Duration::from_micros(300));
            let _: &[LogLine] = handheld.logs();
        }
    }
}
