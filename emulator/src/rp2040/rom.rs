//! A replacement for the boot ROM: the tables in which firmware looks up functions, and a trap for each function.
//!
//! The layout follows the data sheet (2.8): `M u 1` and a version at 0x10, 16-bit pointers to the function table, the
//! data table and the lookup function at 0x14, 0x16 and 0x18. The core never executes code in this ROM. When its
//! program counter reaches a trap, the emulator calls [`run`]. That function does the work on the host and returns the
//! cycles it takes; then the core returns to the caller. Flash functions return [`RomCallResult::Flash`], because they
//! take emulated time in which the rest of the chip continues to run.

use super::float;
use crate::chip_interface::{Chip, RomCallResult};
use crate::common_instructions::LOOP;
use crate::flash::FlashCall;
use rp2040_emu::core::Registers;
use rp2040_emu::memory::Memory;
use rp2040_emu::{Bus, ROM_SIZE};

const FUNCTION_TABLE: usize = 0x40;
const DATA_TABLE: usize = 0xC0;
/// The traps of the functions, four bytes each.
const TRAPS: usize = 0x100;
const LOOKUP: usize = 0x200;
/// Tables of 32 pointers to floating-point functions, and their traps.
const FLOAT_TABLE: usize = 0x400;
const DOUBLE_TABLE: usize = 0x480;
const FLOAT_TRAPS: usize = 0x500;
const DOUBLE_TRAPS: usize = 0x580;
const FLOAT_FUNCTIONS: usize = 32;
/// `bx lr`.
const BX_LR: u16 = 0x4770;

/// The number of bytes that MS and MC set or copy in one call of [`run`], one cycle each.
const CHUNK: u32 = 4096;
/// The maximum number of table entries that the lookup function reads: twice the number of functions.
const MAX_ENTRIES: u32 = 2 * CODES.len() as u32;
/// An address without memory or peripheral. An access is a bus fault.
pub(super) const UNMAPPED: u32 = 0x9000_0000;

/// The codes of the ROM's functions, in the order of their traps.
const CODES: [&[u8; 2]; 16] =
    [b"P3", b"R3", b"L3", b"T3", b"MS", b"S4", b"MC", b"C4", b"IF", b"EX", b"RE", b"RP", b"FC", b"CX", b"UB", b"WV"];

/// The address of a function, with its Thumb bit.
#[cfg(test)]
pub(crate) fn address(code: &[u8; 2]) -> u32 {
    let index = CODES.iter().position(|known| *known == code).expect("a known code");
    (TRAPS + 4 * index) as u32 | 1
}

/// The 16 KB of the ROM.
pub(crate) fn image() -> Vec<u8> {
    let mut rom = vec![0; ROM_SIZE];
    let mut half = |at: usize, value: u16| rom[at..at + 2].copy_from_slice(&value.to_le_bytes());
    half(0x10, u16::from_le_bytes(*b"Mu"));
    // Version 3 is the ROM of the RP2040 B2, the current stepping.
    half(0x12, 0x0301);
    half(0x14, FUNCTION_TABLE as u16);
    half(0x16, DATA_TABLE as u16);
    half(0x18, LOOKUP as u16 | 1);
    half(LOOKUP, LOOP);
    for (index, code) in CODES.iter().enumerate() {
        half(FUNCTION_TABLE + 4 * index, u16::from_le_bytes(**code));
        half(FUNCTION_TABLE + 4 * index + 2, (TRAPS + 4 * index) as u16 | 1);
        half(TRAPS + 4 * index, LOOP);
    }
    for (index, (code, table)) in [(b"SF", FLOAT_TABLE), (b"SD", DOUBLE_TABLE)].into_iter().enumerate() {
        half(DATA_TABLE + 4 * index, u16::from_le_bytes(*code));
        half(DATA_TABLE + 4 * index + 2, table as u16);
    }
    for index in 0..FLOAT_FUNCTIONS {
        half(FLOAT_TABLE + 4 * index, (FLOAT_TRAPS + 4 * index) as u16 | 1);
        half(DOUBLE_TABLE + 4 * index, (DOUBLE_TRAPS + 4 * index) as u16 | 1);
    }
    rom
}

/// Executes the function at `pc`, with arguments and results in the registers. `done` is the number of bytes of a long
/// copy that are already copied.
pub(crate) fn run(pc: u32, registers: &mut Registers, bus: &mut Bus, done: &mut u32) -> RomCallResult {
    let [a, b, c] = [registers.r[0], registers.r[1], registers.r[2]];
    let pc = pc as usize;
    if pc == LOOKUP {
        let (found, entries) = lookup(&bus.memory, a, b as u16);
        registers.r[0] = found;
        return RomCallResult::Return(20 + 4 * u64::from(entries));
    }
    if (FLOAT_TRAPS..DOUBLE_TRAPS).contains(&pc) {
        return float::run_single(&mut registers.r, pc - FLOAT_TRAPS);
    }
    if (DOUBLE_TRAPS..DOUBLE_TRAPS + 4 * FLOAT_FUNCTIONS).contains(&pc) {
        return float::run_double(&mut registers.r, pc - DOUBLE_TRAPS);
    }
    let Some(code) = pc.checked_sub(TRAPS).and_then(|offset| CODES.get(offset / 4)) else {
        return RomCallResult::NeverReturns;
    };
    match *code {
        b"P3" => registers.r[0] = a.count_ones(),
        b"R3" => registers.r[0] = a.reverse_bits(),
        b"L3" => registers.r[0] = a.leading_zeros(),
        b"T3" => registers.r[0] = a.trailing_zeros(),
        b"MS" | b"S4" => return in_chunks(c, done, bus, |bus, at| set_byte(bus, a.wrapping_add(at), b as u8)),
        b"MC" | b"C4" => {
            let outcome = in_chunks(c, done, bus, |bus, at| {
                let from = b.wrapping_add(at);
                is_memory(from) && {
                    let byte = bus.read8(from);
                    set_byte(bus, a.wrapping_add(at), byte)
                }
            });
            // The firmware copies the second-stage bootloader to RAM to run it there. The bootloader would wait
            // endlessly for the flash interface, which is not emulated. So the first instruction of the copy becomes a
            // return.
            if b == 0x1000_0000 && c >= 4 && is_memory(a) {
                bus.write16(a, BX_LR);
            }
            return outcome;
        }
        b"RE" => return RomCallResult::Flash(FlashCall::erase(Chip::Rp2040.flash_size(), a, b)),
        b"RP" => return RomCallResult::Flash(FlashCall::program(Chip::Rp2040.flash_size(), a, b, c)),
        // The second argument has a bit for each disabled interface. Bit 0 is the drive.
        b"UB" => return RomCallResult::UsbBoot { has_drive: b & 1 == 0 },
        b"WV" => return RomCallResult::NeverReturns,
        b"EX" => return RomCallResult::Closed(30),
        b"FC" => return RomCallResult::Flushed(30),
        // IF and CX set up the flash interface, which is not emulated.
        _ => {}
    }
    RomCallResult::Return(30)
}

/// Whether an address is in ROM, flash or RAM. The copy functions of the real ROM also access peripherals. That is not
/// emulated, because no firmware uses it.
fn is_memory(address: u32) -> bool {
    address >> 28 <= 2
}

/// Writes a byte. Returns whether the address is in memory.
fn set_byte(bus: &mut Bus, address: u32, byte: u8) -> bool {
    if is_memory(address) {
        bus.write8(address, byte);
    }
    is_memory(address)
}

/// Copies the next bytes of `count` bytes, one cycle each. An address outside memory ends the copy with a bus fault.
fn in_chunks(count: u32, done: &mut u32, bus: &mut Bus, mut copy: impl FnMut(&mut Bus, u32) -> bool) -> RomCallResult {
    let end = count.min(done.saturating_add(CHUNK));
    let begin = core::mem::replace(done, end);
    let whole = (begin..end).all(|at| copy(bus, at) && !bus.bus_fault());
    if !whole {
        bus.read8(UNMAPPED);
    }
    let cycles = 10 + u64::from(end.saturating_sub(begin));
    if whole && end < count {
        return RomCallResult::Continue(cycles);
    }
    *done = 0;
    RomCallResult::Return(cycles)
}

/// Searches a zero-terminated table of (code, pointer) pairs. Returns the pointer, or 0, and the number of entries
/// read.
fn lookup(memory: &Memory, table: u32, code: u16) -> (u32, u32) {
    for entry in 0..MAX_ENTRIES {
        let pair = memory.peek32(table.wrapping_add(4 * entry));
        match pair as u16 {
            0 => return (0, entry + 1),
            found if found == code => return (pair >> 16, entry + 1),
            _ => {}
        }
    }
    (0, MAX_ENTRIES)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: usize = Chip::Rp2040.flash_size();

    /// Looks up a function like firmware does, and calls it.
    fn call(bus: &mut Bus, code: &[u8; 2], arguments: &[u32]) -> (RomCallResult, u32) {
        let mut registers = Registers::new();
        registers.r[0] = u32::from(bus.read16(0x14));
        registers.r[1] = u32::from(u16::from_le_bytes(*code));
        let lookup = u32::from(bus.read16(0x18)) & !1;
        assert!(matches!(run(lookup, &mut registers, bus, &mut 0), RomCallResult::Return(24..=92)));
        let function = registers.r[0];
        assert_eq!(function & 1, 1, "a Thumb pointer");
        registers.r[..arguments.len()].copy_from_slice(arguments);
        let mut done = 0;
        let mut outcome = run(function & !1, &mut registers, bus, &mut done);
        for _ in 0..4 {
            if !matches!(outcome, RomCallResult::Continue(_)) {
                break;
            }
            outcome = run(function & !1, &mut registers, bus, &mut done);
        }
        (outcome, registers.r[0])
    }

    fn bus() -> Bus {
        let mut bus = Bus::new();
        bus.load_bootrom(&image());
        bus
    }

    #[test]
    fn rom_begins_with_magic_and_version() {
        let rom = image();
        assert_eq!(rom[0x10..0x14], *b"Mu\x01\x03");
        assert_eq!(rom.len(), 16 * 1024);
    }

    #[test]
    fn bit_and_memory_functions_give_their_results() {
        let mut bus = bus();
        assert_eq!(call(&mut bus, b"P3", &[0xF0F0]).1, 8);
        assert_eq!(call(&mut bus, b"R3", &[1]).1, 1 << 31);
        assert_eq!(call(&mut bus, b"L3", &[1]).1, 31);
        assert_eq!(call(&mut bus, b"T3", &[8]).1, 3);
        call(&mut bus, b"MS", &[0x2000_0000, 0xAB, 5]);
        assert_eq!((bus.read32(0x2000_0000), bus.read32(0x2000_0004)), (0xABAB_ABAB, 0xAB));
        call(&mut bus, b"MC", &[0x2000_0101, 0x2000_0000, 4]);
        assert_eq!(bus.read8(0x2000_0104), 0xAB);
        assert_eq!(lookup(&bus.memory, FUNCTION_TABLE as u32, 0x1234).0, 0);
    }

    #[test]
    fn flash_functions_return_flash_calls() {
        let mut bus = bus();
        let (erase, _) = call(&mut bus, b"RE", &[0x10_0000, 4096, 1 << 31, 0]);
        assert_eq!(erase, RomCallResult::Flash(FlashCall::erase(SIZE, 0x10_0000, 4096)));
        let (program, _) = call(&mut bus, b"RP", &[0x10_0000, 0x2000_0000, 4]);
        assert_eq!(program, RomCallResult::Flash(FlashCall::program(SIZE, 0x10_0000, 0x2000_0000, 4)));
    }

    #[test]
    fn usb_boot_has_a_drive_unless_disabled() {
        let mut bus = bus();
        for (disabled, has_drive) in [(0, true), (1, false), (2, true), (3, false)] {
            assert_eq!(call(&mut bus, b"UB", &[1 << 25, disabled]).0, RomCallResult::UsbBoot { has_drive });
        }
    }

    #[test]
    fn long_copy_is_done_in_chunks() {
        let mut bus = bus();
        let (mut registers, mut done) = (Registers::new(), 0);
        registers.r[..3].copy_from_slice(&[0x2000_0000, 0xAB, CHUNK + 1]);
        let set = address(b"MS") & !1;
        assert_eq!(run(set, &mut registers, &mut bus, &mut done), RomCallResult::Continue(10 + u64::from(CHUNK)));
        assert_eq!((bus.read8(0x2000_0000 + CHUNK - 1), bus.read8(0x2000_0000 + CHUNK)), (0xAB, 0));
        assert_eq!(run(set, &mut registers, &mut bus, &mut done), RomCallResult::Return(11));
        assert_eq!((bus.read8(0x2000_0000 + CHUNK), done), (0xAB, 0));
    }

    #[test]
    fn copy_past_the_end_of_memory_is_a_fault() {
        for to in [0x2004_1FFF, 0x4000_0000, 0x5020_0000, 0xD000_0000, 0xFFFF_FFFF] {
            let mut bus = bus();
            assert!(matches!(call(&mut bus, b"MS", &[to, 1, u32::MAX]).0, RomCallResult::Return(_)), "{to:#x}");
            assert!(bus.bus_fault(), "{to:#x}");
        }
    }

    #[test]
    fn lookup_in_a_table_without_zero_ends() {
        let mut bus = bus();
        bus.load_flash(&[0xFF; 4096]);
        assert_eq!(lookup(&bus.memory, 0x1000_0000, 1), (0, MAX_ENTRIES));
        assert_eq!(lookup(&bus.memory, 0xFFFF_FFFC, 1).0, 0);
    }

    #[test]
    fn copied_bootloader_returns_at_once() {
        let mut bus = bus();
        bus.load_flash(&[0x55; 256]);
        call(&mut bus, b"C4", &[0x2000_0000, 0x1000_0000, 256]);
        assert_eq!((bus.read16(0x2000_0000), bus.read16(0x2000_0002)), (BX_LR, 0x5555));
    }

    #[test]
    fn jump_to_unknown_rom_address_never_returns() {
        assert_eq!(run(0, &mut Registers::new(), &mut bus(), &mut 0), RomCallResult::NeverReturns);
        assert_eq!(run(0x3000, &mut Registers::new(), &mut bus(), &mut 0), RomCallResult::NeverReturns);
    }
}
