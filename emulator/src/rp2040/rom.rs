//! A stand-in for the boot ROM, made of our own bytes: the tables that firmware looks functions up in, and traps.
//!
//! The real ROM's marks are where the datasheet (2.8) says: `M u 1` and a version at 0x10, 16-bit pointers to the function
//! table, the data table and the lookup function at 0x14, 0x16, 0x18. Every function is a place in ROM that the core must
//! never execute: when its program counter gets there, the machine calls [`run`], which does the work on the host and
//! says how long it takes, and returns to the caller. Flash functions come back as [`Outcome::Flash`], because they take
//! emulated time in which the rest of the chip goes on.

use crate::chip_interface::{Chip, Outcome};
use crate::flash::FlashCall;
use rp2040_emu::core::Registers;
use rp2040_emu::memory::Memory;
use rp2040_emu::{Bus, ROM_SIZE};

const FUNCTION_TABLE: usize = 0x40;
const DATA_TABLE: usize = 0xC0;
/// Traps, four bytes each.
const TRAPS: usize = 0x100;
const LOOKUP: usize = 0x200;
/// Tables of 32 pointers to floating-point functions, and their traps.
const FLOAT_TABLE: usize = 0x400;
const DOUBLE_TABLE: usize = 0x480;
const FLOAT_TRAPS: usize = 0x500;
const DOUBLE_TRAPS: usize = 0x580;
const FLOAT_FUNCTIONS: usize = 32;
/// `b .`, should anything ever run it; and `bx lr`.
pub(crate) const LOOP: u16 = 0xE7FE;
const BX_LR: u16 = 0x4770;

/// Bytes that MS and MC set or copy in one go, a cycle each; the rest follows in the next.
const CHUNK: u32 = 4096;
/// Entries of a table that the lookup function reads at most: twice as many as there are functions.
const MOST_ENTRIES: u32 = 2 * CODES.len() as u32;
/// An address where nothing is: an access is a bus fault.
pub(super) const NOWHERE: u32 = 0x9000_0000;

/// The codes of the ROM's functions, in the order of their traps.
const CODES: [&[u8; 2]; 16] =
    [b"P3", b"R3", b"L3", b"T3", b"MS", b"S4", b"MC", b"C4", b"IF", b"EX", b"RE", b"RP", b"FC", b"CX", b"UB", b"WV"];

/// Where a function is, with its Thumb bit, for the tests of this crate.
#[cfg(test)]
pub(crate) fn address(code: &[u8; 2]) -> u32 {
    let index = CODES.iter().position(|known| *known == code).expect("a known code");
    (TRAPS + 4 * index) as u32 | 1
}

/// The 16 KB.
pub(crate) fn image() -> Vec<u8> {
    let mut rom = vec![0; ROM_SIZE];
    let mut half = |at: usize, value: u16| rom[at..at + 2].copy_from_slice(&value.to_le_bytes());
    half(0x10, u16::from_le_bytes(*b"Mu"));
    // Version 3 is the ROM of every RP2040 B2, the chip that is sold.
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

/// Does what the function at `pc` does: arguments and results in the registers. `done` tells how many bytes of a long
/// copy are done.
pub(crate) fn run(pc: u32, registers: &mut Registers, bus: &mut Bus, done: &mut u32) -> Outcome {
    let [a, b, c] = [registers.r[0], registers.r[1], registers.r[2]];
    let pc = pc as usize;
    if pc == LOOKUP {
        let (found, entries) = lookup(&bus.memory, a, b as u16);
        registers.r[0] = found;
        return Outcome::Return(20 + 4 * u64::from(entries));
    }
    if (FLOAT_TRAPS..DOUBLE_TRAPS).contains(&pc) {
        return floats(&mut registers.r, pc - FLOAT_TRAPS);
    }
    if (DOUBLE_TRAPS..DOUBLE_TRAPS + 4 * FLOAT_FUNCTIONS).contains(&pc) {
        return doubles(&mut registers.r, pc - DOUBLE_TRAPS);
    }
    let Some(code) = pc.checked_sub(TRAPS).and_then(|offset| CODES.get(offset / 4)) else {
        return Outcome::Gone;
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
            // The second-stage boot loader, copied to be run from RAM: it would set up the flash interface, which the
            // emulator does not have, and wait for it for ever.
            if b == 0x1000_0000 && c >= 4 && is_memory(a) {
                bus.write16(a, BX_LR);
            }
            return outcome;
        }
        b"RE" => return Outcome::Flash(FlashCall::erase(Chip::Rp2040.flash_size(), a, b)),
        b"RP" => return Outcome::Flash(FlashCall::program(Chip::Rp2040.flash_size(), a, b, c)),
        // The second argument has a bit for each interface that is left out, the first of them the drive.
        b"UB" => return Outcome::UsbBoot { has_drive: b & 1 == 0 },
        b"WV" => return Outcome::Gone,
        b"EX" => return Outcome::Closed(30),
        b"FC" => return Outcome::Flushed(30),
        // IF, CX set up the flash interface: nothing to do.
        _ => {}
    }
    Outcome::Return(30)
}

/// Whether an address is in ROM, flash or RAM. The copying functions of the real ROM reach peripherals as well; no
/// firmware copies to one, and here each of them would need its time.
fn is_memory(address: u32) -> bool {
    address >> 28 <= 2
}

/// Writes a byte of memory; gives whether there is any.
fn set_byte(bus: &mut Bus, address: u32, byte: u8) -> bool {
    if is_memory(address) {
        bus.write8(address, byte);
    }
    is_memory(address)
}

/// Does the next bytes of a copy of `count` bytes, a cycle each. Where there is no memory it ends with a bus fault.
fn in_chunks(count: u32, done: &mut u32, bus: &mut Bus, mut copy: impl FnMut(&mut Bus, u32) -> bool) -> Outcome {
    let end = count.min(done.saturating_add(CHUNK));
    let begin = core::mem::replace(done, end);
    let whole = (begin..end).all(|at| copy(bus, at) && !bus.bus_fault());
    if !whole {
        bus.read8(NOWHERE);
    }
    let cycles = 10 + u64::from(end.saturating_sub(begin));
    if whole && end < count {
        return Outcome::Continue(cycles);
    }
    *done = 0;
    Outcome::Return(cycles)
}

/// Walks a table of (code, pointer) pairs to its zero. Gives the pointer, or 0, and how many entries it has read.
fn lookup(memory: &Memory, table: u32, code: u16) -> (u32, u32) {
    for entry in 0..MOST_ENTRIES {
        let pair = memory.peek32(table.wrapping_add(4 * entry));
        match pair as u16 {
            0 => return (0, entry + 1),
            found if found == code => return (pair >> 16, entry + 1),
            _ => {}
        }
    }
    (0, MOST_ENTRIES)
}

/// The single-precision function at `offset` of its table.
fn floats(r: &mut [u32; 16], offset: usize) -> Outcome {
    let (x, y) = (f32::from_bits(r[0]), f32::from_bits(r[1]));
    let wide = u64::from(r[1]) << 32 | u64::from(r[0]);
    let scale = 2f32.powi(r[1] as i32);
    let result = match offset {
        0x00 => (x + y).to_bits(),
        0x04 => (x - y).to_bits(),
        0x08 => (x * y).to_bits(),
        0x0C => (x / y).to_bits(),
        0x18 => x.sqrt().to_bits(),
        0x1C => x.floor() as i32 as u32,
        0x20 => (x * scale).floor() as i32 as u32,
        0x24 => x as u32,
        0x28 => (x * scale) as u32,
        0x2C => (r[0] as i32 as f32).to_bits(),
        0x30 => (r[0] as i32 as f32 / scale).to_bits(),
        0x34 => (r[0] as f32).to_bits(),
        0x38 => (r[0] as f32 / scale).to_bits(),
        0x3C => x.cos().to_bits(),
        0x40 => x.sin().to_bits(),
        0x44 => x.tan().to_bits(),
        0x4C => x.exp().to_bits(),
        0x50 => x.ln().to_bits(),
        0x54 => compare(x.partial_cmp(&y)),
        0x58 => x.atan2(y).to_bits(),
        0x5C => (wide as i64 as f32).to_bits(),
        0x64 => (wide as f32).to_bits(),
        0x6C => return pair(r, x.floor() as i64 as u64),
        0x74 => return pair(r, x as u64),
        0x7C => return pair(r, f64::from(x).to_bits()),
        _ => return Outcome::Gone,
    };
    r[0] = result;
    Outcome::Return(70)
}

/// The double-precision function at `offset` of its table.
fn doubles(r: &mut [u32; 16], offset: usize) -> Outcome {
    let wide = |low: usize| u64::from(r[low + 1]) << 32 | u64::from(r[low]);
    let (x, y) = (f64::from_bits(wide(0)), f64::from_bits(wide(2)));
    let scale = 2f64.powi(r[2] as i32);
    let result = match offset {
        0x00 => x + y,
        0x04 => x - y,
        0x08 => x * y,
        0x0C => x / y,
        0x18 => x.sqrt(),
        0x2C => f64::from(r[0] as i32),
        0x30 => f64::from(r[0] as i32) / 2f64.powi(r[1] as i32),
        0x34 => f64::from(r[0]),
        0x38 => f64::from(r[0]) / 2f64.powi(r[1] as i32),
        0x3C => x.cos(),
        0x40 => x.sin(),
        0x44 => x.tan(),
        0x4C => x.exp(),
        0x50 => x.ln(),
        0x58 => x.atan2(y),
        0x5C => wide(0) as i64 as f64,
        0x64 => wide(0) as f64,
        0x6C => return pair(r, x.floor() as i64 as u64),
        0x74 => return pair(r, x as u64),
        _ => {
            r[0] = match offset {
                0x1C => x.floor() as i32 as u32,
                0x20 => (x * scale).floor() as i32 as u32,
                0x24 => x as u32,
                0x28 => (x * scale) as u32,
                0x54 => compare(x.partial_cmp(&y)),
                0x7C => (x as f32).to_bits(),
                _ => return Outcome::Gone,
            };
            return Outcome::Return(90);
        }
    };
    pair(r, result.to_bits())
}

fn compare(order: Option<core::cmp::Ordering>) -> u32 {
    order.map_or(0, |order| order as i32) as u32
}

/// A 64-bit result goes into two registers.
fn pair(r: &mut [u32; 16], value: u64) -> Outcome {
    r[0] = value as u32;
    r[1] = (value >> 32) as u32;
    Outcome::Return(90)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: usize = Chip::Rp2040.flash_size();

    /// Looks a function up as firmware does and calls it.
    fn call(bus: &mut Bus, code: &[u8; 2], arguments: &[u32]) -> (Outcome, u32) {
        let mut registers = Registers::new();
        registers.r[0] = u32::from(bus.read16(0x14));
        registers.r[1] = u32::from(u16::from_le_bytes(*code));
        let lookup = u32::from(bus.read16(0x18)) & !1;
        assert!(matches!(run(lookup, &mut registers, bus, &mut 0), Outcome::Return(24..=92)));
        let function = registers.r[0];
        assert_eq!(function & 1, 1, "a Thumb pointer");
        registers.r[..arguments.len()].copy_from_slice(arguments);
        let mut done = 0;
        let mut outcome = run(function & !1, &mut registers, bus, &mut done);
        for _ in 0..4 {
            if !matches!(outcome, Outcome::Continue(_)) {
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
    fn the_marks_are_in_place() {
        let rom = image();
        assert_eq!(rom[0x10..0x14], *b"Mu\x01\x03");
        assert_eq!(rom.len(), 16 * 1024);
    }

    #[test]
    fn bits_and_memory() {
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
    fn flash_calls_come_back_as_units() {
        let mut bus = bus();
        let (erase, _) = call(&mut bus, b"RE", &[0x10_0000, 4096, 1 << 31, 0]);
        assert_eq!(erase, Outcome::Flash(FlashCall::erase(SIZE, 0x10_0000, 4096)));
        let (program, _) = call(&mut bus, b"RP", &[0x10_0000, 0x2000_0000, 4]);
        assert_eq!(program, Outcome::Flash(FlashCall::program(SIZE, 0x10_0000, 0x2000_0000, 4)));
    }

    #[test]
    fn usb_boot_has_a_drive_unless_it_is_left_out() {
        let mut bus = bus();
        for (left_out, has_drive) in [(0, true), (1, false), (2, true), (3, false)] {
            assert_eq!(call(&mut bus, b"UB", &[1 << 25, left_out]).0, Outcome::UsbBoot { has_drive });
        }
    }

    #[test]
    fn a_long_copy_is_done_in_chunks() {
        let mut bus = bus();
        let (mut registers, mut done) = (Registers::new(), 0);
        registers.r[..3].copy_from_slice(&[0x2000_0000, 0xAB, CHUNK + 1]);
        let set = address(b"MS") & !1;
        assert_eq!(run(set, &mut registers, &mut bus, &mut done), Outcome::Continue(10 + u64::from(CHUNK)));
        assert_eq!((bus.read8(0x2000_0000 + CHUNK - 1), bus.read8(0x2000_0000 + CHUNK)), (0xAB, 0));
        assert_eq!(run(set, &mut registers, &mut bus, &mut done), Outcome::Return(11));
        assert_eq!((bus.read8(0x2000_0000 + CHUNK), done), (0xAB, 0));
    }

    #[test]
    fn a_copy_ends_with_a_fault_where_memory_ends() {
        for to in [0x2004_1FFF, 0x4000_0000, 0x5020_0000, 0xD000_0000, 0xFFFF_FFFF] {
            let mut bus = bus();
            assert!(matches!(call(&mut bus, b"MS", &[to, 1, u32::MAX]).0, Outcome::Return(_)), "{to:#x}");
            assert!(bus.bus_fault(), "{to:#x}");
        }
    }

    #[test]
    fn lookup_in_a_table_without_end_ends() {
        let mut bus = bus();
        bus.load_flash(&[0xFF; 4096]);
        assert_eq!(lookup(&bus.memory, 0x1000_0000, 1), (0, MOST_ENTRIES));
        assert_eq!(lookup(&bus.memory, 0xFFFF_FFFC, 1).0, 0);
    }

    #[test]
    fn the_copied_boot_loader_returns_at_once() {
        let mut bus = bus();
        bus.load_flash(&[0x55; 256]);
        call(&mut bus, b"C4", &[0x2000_0000, 0x1000_0000, 256]);
        assert_eq!((bus.read16(0x2000_0000), bus.read16(0x2000_0002)), (BX_LR, 0x5555));
    }

    #[test]
    fn floating_point() {
        let mut r = [0; 16];
        (r[0], r[1]) = (1.5f32.to_bits(), 2.25f32.to_bits());
        assert_eq!(floats(&mut r, 0), Outcome::Return(70));
        assert_eq!(f32::from_bits(r[0]), 3.75);
        assert_eq!(pair(&mut r, 3f64.to_bits()), Outcome::Return(90));
        doubles(&mut r, 0x1C);
        assert_eq!(r[0], 3);
        assert_eq!(floats(&mut r, 0x10), Outcome::Gone);
    }

    #[test]
    fn a_jump_to_nowhere_is_the_end() {
        assert_eq!(run(0, &mut Registers::new(), &mut bus(), &mut 0), Outcome::Gone);
        assert_eq!(run(0x3000, &mut Registers::new(), &mut bus(), &mut 0), Outcome::Gone);
    }
}
