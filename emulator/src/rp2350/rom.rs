//! A replacement for the boot ROM: the lookup function, and a trap for each function.
//!
//! The layout follows the data sheet (5.4): `M u 2` and a version at 0x10, a 16-bit pointer to the lookup function at
//! 0x16. The lookup function takes a code and a mask of the requested variants. The core never executes code in this
//! ROM. When its program counter reaches a trap, the emulator calls [`run`]. That function does the work on the host
//! and returns the cycles it takes; then the core returns to the caller. Flash functions return
//! [`RomCallResult::Flash`], because they take emulated time in which the rest of the chip continues to run.
//!
//! Not modelled: partitions, the API for signed images, and the functions for the RISC-V cores.

use crate::chip_interface::{Chip, RomCallResult};
use crate::common_instructions::LOOP;
use crate::flash::FlashCall;
use rp2350_emu::core::Registers;
use rp2350_emu::memory::ROM_SIZE;

/// The traps of the functions, four bytes each.
const TRAPS: usize = 0x100;
const LOOKUP: usize = 0x200;
/// `bx lr`. The ROM leaves a function in BOOTRAM that sets up the flash interface. The interface is not emulated, so
/// the function returns at once.
pub(crate) const BX_LR: u16 = 0x4770;
/// The kind of reboot, in the lower four bits of the flags, that starts the USB bootloader. The third argument then has
/// a bit for each disabled interface. Bit 0 is the drive.
const REBOOT_TO_USB: u32 = 2;

/// The codes of the ROM's functions, in the order of their traps.
const CODES: [&[u8; 2]; 8] = [b"IF", b"EX", b"RE", b"RP", b"FC", b"CX", b"XM", b"RB"];

/// The address of a function, with its Thumb bit.
pub(crate) fn address(code: &[u8; 2]) -> Option<u32> {
    let index = CODES.iter().position(|known| *known == code)?;
    Some((TRAPS + 4 * index) as u32 | 1)
}

/// The 32 KB of the ROM.
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

/// Executes the function at `pc`, with arguments and results in the registers.
pub(crate) fn run(pc: u32, registers: &mut Registers) -> RomCallResult {
    let [a, b, c] = [registers.r[0], registers.r[1], registers.r[2]];
    let pc = pc as usize;
    if pc == LOOKUP {
        registers.r[0] = address(&(a as u16).to_le_bytes()).unwrap_or(0);
        return RomCallResult::Return(60);
    }
    let Some(code) = pc.checked_sub(TRAPS).and_then(|offset| CODES.get(offset / 4)) else {
        return RomCallResult::NeverReturns;
    };
    let size = Chip::Rp2350.flash_size();
    match *code {
        b"RE" => RomCallResult::Flash(FlashCall::erase(size, a, b)),
        b"RP" => RomCallResult::Flash(FlashCall::program(size, a, b, c)),
        b"EX" => RomCallResult::Closed(30),
        b"FC" => RomCallResult::Flushed(30),
        b"RB" if a & 0xF == REBOOT_TO_USB => RomCallResult::UsbBoot { has_drive: c & 1 == 0 },
        b"RB" => RomCallResult::Reboot,
        // IF, CX and XM set up the flash interface, which is not emulated.
        _ => RomCallResult::Return(30),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rp2350_emu::memory::Memory;

    /// Looks up a function like firmware does, and calls it.
    fn call(memory: &Memory, code: &[u8; 2], arguments: &[u32]) -> RomCallResult {
        const FOR_ARM_SECURE: u32 = 4;
        let mut registers = Registers::new();
        registers.r[..2].copy_from_slice(&[u16::from_le_bytes(*code).into(), FOR_ARM_SECURE]);
        let lookup = u32::from(memory.rom_read16(0x16));
        assert_eq!((lookup & 1, run(lookup & !1, &mut registers)), (1, RomCallResult::Return(60)));
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
    fn rom_begins_with_magic_and_version() {
        let rom = image();
        assert_eq!((&rom[0x10..0x14], rom.len()), (&b"Mu\x02\x02"[..], 32 * 1024));
    }

    #[test]
    fn flash_functions_return_flash_calls() {
        let memory = memory();
        let size = Chip::Rp2350.flash_size();
        let erase = call(&memory, b"RE", &[0x3F_F000, 4096, 1 << 16, 0xD8]);
        assert_eq!(erase, RomCallResult::Flash(FlashCall::erase(size, 0x3F_F000, 4096)));
        let program = call(&memory, b"RP", &[0x30_0000, 0x2000_0000, 4]);
        assert_eq!(program, RomCallResult::Flash(FlashCall::program(size, 0x30_0000, 0x2000_0000, 4)));
        assert_eq!(call(&memory, b"FC", &[]), RomCallResult::Flushed(30));
    }

    #[test]
    fn reboot_restarts_or_enters_usb_boot() {
        let memory = memory();
        assert_eq!(call(&memory, b"RB", &[0x100, 10, 0, 0]), RomCallResult::Reboot);
        for (disabled, has_drive) in [(0, true), (1, false), (2, true), (3, false)] {
            assert_eq!(call(&memory, b"RB", &[0x102, 10, disabled, 0]), RomCallResult::UsbBoot { has_drive });
        }
    }

    #[test]
    fn unknown_code_is_not_found_and_cannot_be_called() {
        let mut registers = Registers::new();
        registers.r[0] = u16::from_le_bytes(*b"ZZ").into();
        run(LOOKUP as u32, &mut registers);
        assert_eq!(registers.r[0], 0);
        assert_eq!(run(0, &mut registers), RomCallResult::NeverReturns);
    }
}
