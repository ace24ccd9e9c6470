//! Powered-down memories: the MEMPOWERDOWN register of SYSCFG, which the emulator crates store without any effect.
//!
//! Each bit powers one memory down: an SRAM bank, the USB RAM, the boot ROM. Most SRAM banks are interleaved word by
//! word, so one bit affects a part of every stack and every array. A memory that is powered down keeps its content, but
//! an access returns random data and can corrupt the content (RP2040 data sheet, 2.11.4). The code that powers memory
//! down must run from flash and use only registers until the memory is on again. An interrupt in that time would push
//! eight words to a stack that cannot be accessed. Each access is recorded, so that tests can check that there are
//! none.

use crate::chip_interface::{Chip, ChipParameters};
use core::time::Duration;

/// Limit of the record. Further accesses are not recorded.
const MOST_ACCESSES: usize = 1000;

/// An access of the core or the DMA to a memory that was powered down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PoweredDownAccess {
    /// Time since power-on.
    pub at: Duration,
    /// Address of the access.
    pub address: u32,
    /// Kind of access.
    pub kind: AccessKind,
}

/// Kinds of memory access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessKind {
    /// Instruction fetch.
    Fetch,
    /// Read of data or of an exception vector.
    Read,
    /// Write of data, or of registers at the entry to an exception.
    Write,
    /// Read or write by the DMA.
    Dma,
}

/// The register MEMPOWERDOWN, and the record of accesses to memories that are powered down.
#[derive(Clone, Debug)]
pub(crate) struct MemoryPower {
    chip: Chip,
    off: u32,
    /// The register at the start of the last dormant sleep.
    in_sleep: Option<u32>,
    accesses: Vec<PoweredDownAccess>,
}

impl MemoryPower {
    /// The state after a reset: all memories are on.
    pub(crate) fn new(chip: Chip) -> Self {
        Self { chip, off: 0, in_sleep: None, accesses: Vec::new() }
    }

    /// Reads the register.
    pub(crate) fn read(&self) -> u32 {
        self.off
    }

    /// Writes the register: powers memories down (1) and up (0).
    pub(crate) fn write(&mut self, value: u32) {
        self.off = value & self.chip.memories();
    }

    /// Whether any memory is powered down. If not, accesses need no check.
    #[inline]
    pub(crate) fn any_off(&self) -> bool {
        self.off != 0
    }

    /// Records the register at the start of dormant sleep.
    pub(crate) fn enter_dormant(&mut self) {
        self.in_sleep = Some(self.off);
    }

    /// The register at the start of the last dormant sleep; `None` if there was none.
    pub(crate) fn in_sleep(&self) -> Option<u32> {
        self.in_sleep
    }

    /// Checks an access. Returns whether the memory at the address is powered down; if so, the access is recorded.
    pub(crate) fn check_access(&mut self, address: u32, kind: AccessKind, ns: u64) -> bool {
        let off = self.chip.memory(address).is_some_and(|bit| self.off >> bit & 1 != 0);
        if off && self.accesses.len() < MOST_ACCESSES {
            self.accesses.push(PoweredDownAccess { at: Duration::from_nanos(ns), address, kind });
        }
        off
    }

    /// The first thousand accesses to memories that were powered down.
    pub(crate) fn accesses(&self) -> &[PoweredDownAccess] {
        &self.accesses
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rp2040_memories_have_their_bits() {
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
            assert_eq!(Chip::Rp2040.memory(address), bit, "{address:#x}");
        }
    }

    #[test]
    fn rp2350_memories_have_their_bits() {
        for (address, bit) in [
            (0x0000_7FFF, Some(11)),
            (0x0000_8000, None),
            (0x2000_0000, Some(0)),
            (0x2000_001C, Some(7)),
            (0x2007_FFE4, Some(1)),
            (0x2008_0000, Some(8)),
            (0x2008_1FFF, Some(9)),
            (0x2008_2000, None),
            (0x400E_0000, Some(12)),
            (0x5010_0FFF, Some(10)),
        ] {
            assert_eq!(Chip::Rp2350.memory(address), bit, "{address:#x}");
        }
    }

    #[test]
    fn only_accesses_to_powered_down_memory_are_recorded() {
        let mut power = MemoryPower::new(Chip::Rp2040);
        assert!(!power.any_off() && !power.check_access(0x2000_0000, AccessKind::Write, 5));
        power.write(0x1FF & !1);
        assert_eq!(power.read(), 0xFE);
        assert!(!power.check_access(0x2000_0000, AccessKind::Read, 6));
        assert!(power.check_access(0x2000_0004, AccessKind::Write, 7));
        let at = Duration::from_nanos(7);
        assert_eq!(power.accesses(), [PoweredDownAccess { at, address: 0x2000_0004, kind: AccessKind::Write }]);
    }
}
