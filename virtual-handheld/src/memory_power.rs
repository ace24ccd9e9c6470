//! Memories that are switched off: SYSCFG's MEMPOWERDOWN register, which the emulator has only as storage.
//!
//! One bit switches one memory off: bits 0 to 5 the SRAM banks, 6 the RAM of USB, 7 the boot ROM. The first four banks share
//! their addresses word by word, so that one bit takes a quarter of every stack and every array. A memory that is off keeps
//! its content, but whoever touches it gets rubbish, and may spoil it: data sheet, 2.11.4. The code that switches memory off
//! must run from flash and use nothing but registers until it is on again; an interrupt in between pushes eight words to a
//! stack that is not there. Each touch is kept, for tests to find none.

use core::time::Duration;
use rp2040_emu::{ROM_SIZE, bank_for_address};

/// Offset of the register in SYSCFG.
pub const MEMPOWERDOWN: u32 = 0x18;
/// The bits that mean something.
const ALL: u32 = 0xFF;
const USB_RAM: u32 = 6;
const ROM: u32 = 7;
/// Touches kept in full; more are only counted.
const KEEP: usize = 1000;

/// The core has touched a memory that was off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PoweredDownAccess {
    /// When, since power-on.
    pub at: Duration,
    /// Where.
    pub address: u32,
    /// To fetch an instruction, to read or to write.
    pub kind: AccessKind,
}

/// What the core wanted of a memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessKind {
    /// An instruction.
    Fetch,
    /// Data, or the vector of an exception.
    Read,
    /// To store data, or the registers at the start of an exception.
    Write,
}

/// Which memories are off, and who has touched one.
#[derive(Clone, Debug, Default)]
pub(crate) struct MemoryPower {
    off: u32,
    accesses: Vec<PoweredDownAccess>,
}

/// The bit of the memory that an address is in.
fn memory(address: u32) -> Option<u32> {
    const USB_RAM_BASE: u32 = 0x5010_0000;
    match address >> 24 {
        0x00 => ((address as usize) < ROM_SIZE).then_some(ROM),
        // The other view of the first four banks, one after the other.
        0x21 => (address & 0x00FF_FFFF < 0x4_0000).then_some(address >> 16 & 3),
        0x20 | 0x22 | 0x23 => bank_for_address(address).map(u32::from),
        _ => (address & 0xFFFF_0000 == USB_RAM_BASE).then_some(USB_RAM),
    }
}

impl MemoryPower {
    /// The register.
    pub fn read(&self) -> u32 {
        self.off
    }

    /// Switches memories off (1) and on (0).
    pub fn write(&mut self, value: u32) {
        self.off = value & ALL;
    }

    /// Whether any is off: nothing else need be looked at while not.
    #[inline]
    pub fn any_off(&self) -> bool {
        self.off != 0
    }

    /// The core touches an address: whether that is off. Then it is kept.
    pub fn touch(&mut self, address: u32, kind: AccessKind, ns: u64) -> bool {
        let off = memory(address).is_some_and(|bit| self.off >> bit & 1 != 0);
        if off && self.accesses.len() < KEEP {
            self.accesses.push(PoweredDownAccess { at: Duration::from_nanos(ns), address, kind });
        }
        off
    }

    /// The first thousand touches.
    pub fn accesses(&self) -> &[PoweredDownAccess] {
        &self.accesses
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_memory_has_its_bit() {
        for (address, bit) in [
            (0x0000_0010, Some(7)),
            (0x0000_4000, None),
            (0x1000_0000, None),
            (0x2000_0000, Some(0)),
            (0x2000_0005, Some(1)),
            (0x2003_FFFC, Some(3)),
            (0x2004_0000, Some(4)),
            (0x2004_1FFF, Some(5)),
            (0x2102_0004, Some(2)),
            (0x5010_0FFF, Some(6)),
            (0x4000_4018, None),
            (0xD000_0000, None),
        ] {
            assert_eq!(memory(address), bit, "{address:#x}");
        }
    }

    #[test]
    fn only_what_is_off_is_kept() {
        let mut power = MemoryPower::default();
        assert!(!power.any_off() && !power.touch(0x2000_0000, AccessKind::Write, 5));
        power.write(0x1FF & !1);
        assert_eq!(power.read(), 0xFE);
        assert!(!power.touch(0x2000_0000, AccessKind::Read, 6));
        assert!(power.touch(0x2000_0004, AccessKind::Write, 7));
        let at = Duration::from_nanos(7);
        assert_eq!(power.accesses(), [PoweredDownAccess { at, address: 0x2000_0004, kind: AccessKind::Write }]);
    }
}
