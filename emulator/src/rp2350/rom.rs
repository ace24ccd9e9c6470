//! A stand-in for the boot ROM, made of our own bytes: the look-up function, and traps.
//!
//! The real ROM's marks are where the data sheet (5.4) says: `M u 2` and a version at 0x10, a 16-bit pointer to the look-up
//! function at 0x16. That function takes a code and a mask of what is wanted. Every function is a place in ROM that the core must never
//! execute: when its program counter gets there, the machine calls [`run`], which does the work on the host and says how long it takes,
//! and returns to the caller. Flash functions come back as [`Outcome::Flash`], because they take emulated time in which the rest of the
//! chip goes on.
//!
//! Not modelled: partitions, the API for signed images, and what runs on the RISC-V cores.

use crate::chip_interface::{Chip, Outcome};
use crate::flash::FlashCall;
use rp2350_emu::core::Registers;
use rp2350_emu::memory::ROM_SIZE;

/// Traps, four bytes each.
const TRAPS: usize = 0x100;
const LOOKUP: usize = 0x200;
/// `b .`, should anything ever run it.
const LOOP: u16 = 0xE7FE;
/// In BOOTRAM the ROM leaves a function that sets up the flash interface; there is nothing to do for it, so this is all of it.
pub(crate) const BX_LR: u16 = 0x4770;
/// The kind of reboot, in the lower four bits of the flags, that leads to USB; with a bit in the third argument for each interface
/// that is left out, the first of them the drive.
const REBOOT_TO_USB: u32 = 2;

/// The codes of the ROM's functions, in the order of their traps.
const CODES: [&[u8; 2]; 8] = [b"IF", b"EX", b"RE", b"RP", b"FC", b"CX", b"XM", b"RB"];

/// Where a function is, with its Thumb bit.
pub(crate) fn address(code: &[u8; 2]) -> Option<u32> {
    let index = CODES.iter().position(|known| *known == code)?;
    Some((TRAPS + 4 * index) as u32 | 1)
}

/// The 32 KB.
pub(crate) fn image() -> Vec<u8> {
    let mut rom = vec![0; ROM_SIZE];
    let mut half = |at: usize, value: u16| rom[at..at + 2].copy_from_slice(&value.to_le_bytes());
    half(0x10, u16::from_le_bytes(*b"Mu"));
    // Version 2 is the ROM of the RP2350 A2.
    half(0x12, 0x0202);
    half(0x16, LOOKUP as u16 | 1);
    half(LOOKUP, LOOP);
    for index in 0..CODES.len() {
        half(TRAPS + 4 * index, LOOP);
    }
    rom
}

/// Does what the function at `pc` does: arguments and results in the registers.
pub(crate) fn run(pc: u32, registers: &mut Registers) -> Outcome {
    let [a, b, c] = [registers.r[0], registers.r[1], registers.r[2]];
    let pc = pc as usize;
    if pc == LOOKUP {
        registers.r[0] = address(&(a as u16).to_le_bytes()).unwrap_or(0);
        return Outcome::Return(60);
    }
    let Some(code) = pc.checked_sub(TRAPS).and_then(|offset| CODES.get(offset / 4)) else {
        return Outcome::Gone;
    };
    let size = Chip::Rp2350.flash_size();
    match *code {
        b"RE" => Outcome::Flash(FlashCall::erase(size, a, b)),
        b"RP" => Outcome::Flash(FlashCall::program(size, a, b, c)),
        b"EX" => Outcome::Closed(30),
        b"FC" => Outcome::Flushed(30),
        b"RB" if a & 0xF == REBOOT_TO_USB => Outcome::UsbBoot { has_drive: c & 1 == 0 },
        b"RB" => Outcome::Reboot,
        // IF, CX, XM set up the flash interface: nothing to do.
        _ => Outcome::Return(30),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rp2350_emu::memory::Memory;

    /// Looks a function up as firmware does and calls it.
    fn call(memory: &Memory, code: &[u8; 2], arguments: &[u32]) -> Outcome {
        const FOR_ARM_SECURE: u32 = 4;
        let mut registers = Registers::new();
        registers.r[..2].copy_from_slice(&[u16::from_le_bytes(*code).into(), FOR_ARM_SECURE]);
        let lookup = u32::from(memory.rom_read16(0x16));
        assert_eq!((lookup & 1, run(lookup & !1, &mut registers)), (1, Outcome::Return(60)));
        let function = registers.r[0];
        assert_eq!(function & 1, 1, "a Thumb pointer");
        registers.r[..arguments.len()].copy_from_slice(arguments);
        run(function & !1, &mut registers)
    }

    fn memory() -> Memory {
        let mut memory = Memory::new();
        memory.load_rom(&image());
        memory
    }

    #[test]
    fn the_marks_are_in_place() {
        let rom = image();
        assert_eq!((&rom[0x10..0x14], rom.len()), (&b"Mu\x02\x02"[..], 32 * 1024));
    }

    #[test]
    fn flash_calls_come_back_as_units_up_to_the_end_of_4_mb() {
        let memory = memory();
        let size = Chip::Rp2350.flash_size();
        let erase = call(&memory, b"RE", &[0x3F_F000, 4096, 1 << 16, 0xD8]);
        assert_eq!(erase, Outcome::Flash(FlashCall::erase(size, 0x3F_F000, 4096)));
        let program = call(&memory, b"RP", &[0x30_0000, 0x2000_0000, 4]);
        assert_eq!(program, Outcome::Flash(FlashCall::program(size, 0x30_0000, 0x2000_0000, 4)));
        assert_eq!(call(&memory, b"FC", &[]), Outcome::Flushed(30));
    }

    #[test]
    fn a_reboot_leads_back_or_to_usb() {
        let memory = memory();
        assert_eq!(call(&memory, b"RB", &[0x100, 10, 0, 0]), Outcome::Reboot);
        for (left_out, has_drive) in [(0, true), (1, false), (2, true), (3, false)] {
            assert_eq!(call(&memory, b"RB", &[0x102, 10, left_out, 0]), Outcome::UsbBoot { has_drive });
        }
    }

    #[test]
    fn what_is_not_there_is_not_found_and_a_jump_to_nowhere_is_the_end() {
        let mut registers = Registers::new();
        registers.r[0] = u16::from_le_bytes(*b"ZZ").into();
        run(LOOKUP as u32, &mut registers);
        assert_eq!(registers.r[0], 0);
        assert_eq!(run(0, &mut registers), Outcome::Gone);
    }
}
