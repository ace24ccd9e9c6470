//! Tests of the corrections of the emulator crate, each with a short program that uses the instruction or register. A
//! program reports its results by writing to RAM.

mod instructions;
mod interrupts;
mod pins;
mod registers;
mod starting;

use crate::tests::{BX_LR, CPSID, Program, RAM, SELF, WFE, ms};
use crate::{Handheld, Options};
use core::time::Duration;

const IO_BANK0: u32 = 0x4002_8000;
const PADS_BANK0: u32 = 0x4003_8000;
const RESETS: u32 = 0x4002_0000;
/// The address offset of the alias that clears bits of a register.
const CLEAR: u32 = 0x3000;
const NVIC_ISER: [u32; 2] = [0xE000_E100, 0xE000_E104];
const NVIC_ISPR: [u32; 2] = [0xE000_E200, 0xE000_E204];
/// Two of the interrupts that only software raises. They are in the second word of the interrupt registers.
const SPARE: [u32; 2] = [46, 47];

/// Appends an endless loop to a program and runs it for a millisecond.
fn run(program: &mut Program) -> Handheld {
    let mut handheld = program.op(SELF).start(Options::default());
    handheld.run_for(ms(1));
    handheld
}

/// The words of RAM from an offset on.
fn words<const N: usize>(handheld: &Handheld, from: u32) -> [u32; N] {
    core::array::from_fn(|index| handheld.ram(RAM + from + 4 * index as u32))
}

/// A program that releases all peripherals from reset.
fn with_peripherals() -> Program {
    let mut program = Program::for_rp2350();
    program.write(RESETS + CLEAR, !0);
    program
}
