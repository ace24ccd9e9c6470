//! Memories that are switched off: SYSCFG's MEMPOWERDOWN register, which the emulators have only as storage.
//!
//! One bit switches one memory off: the SRAM banks, the RAM of USB, the boot ROM. Most banks share their addresses word by word,
//! so that one bit takes a part of every stack and every array. A memory that is off keeps
//! its content, but whoever touches it gets rubbish, and may spoil it: data sheet, 2.11.4. The code that switches memory off
//! must run from flash and use nothing but registers until it is on again; an interrupt in between pushes eight words to a
//! stack that is not there. Each touch is kept, for tests to find none.

use crate::silicon::{Chip, Facts};
use core::time::Duration;

/// Touches kept in full; more are only counted.
const KEEP: usize = 1000;

/// The core or the DMA has touched a memory that was off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PoweredDownAccess {
    /// When, since power-on.
    pub at: Duration,
    /// Where.
    pub address: u32,
    /// What for.
    pub kind: AccessKind,
}

/// What was wanted of a memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessKind {
    /// An instruction.
    Fetch,
    /// Data, or the vector of an exception.
    Read,
    /// To store data, or the registers at the start of an exception.
    Write,
    /// The DMA, to read or to write.
    Dma,
}

/// Which memories are off, and who has touched one.
#[derive(Clone, Debug)]
pub(crate) struct MemoryPower {
    chip: Chip,
    off: u32,
    /// What was off when dormant sleep last began.
    in_sleep: Option<u32>,
    accesses: Vec<PoweredDownAccess>,
}

impl MemoryPower {
    /// All are on.
    pub fn new(chip: Chip) -> Self {
        Self { chip, off: 0, in_sleep: None, accesses: Vec::new() }
    }

    /// The register.
    pub fn read(&self) -> u32 {
        self.off
    }

    /// Switches memories off (1) and on (0).
    pub fn write(&mut self, value: u32) {
        self.off = value & self.chip.memories();
    }

    /// Whether any is off: nothing else need be looked at while not.
    #[inline]
    pub fn any_off(&self) -> bool {
        self.off != 0
    }

    /// The clocks stop for dormant sleep.
    pub fn fall_asleep(&mut self) {
        self.in_sleep = Some(self.off);
    }

    /// What was off when dormant sleep last began; `None` if it never has.
    pub fn in_sleep(&self) -> Option<u32> {
        self.in_sleep
    }

    /// The core touches an address: whether that is off. Then it is kept.
    pub fn touch(&mut self, address: u32, kind: AccessKind, ns: u64) -> bool {
        let off = self.chip.memory(address).is_some_and(|bit| self.off >> bit & 1 != 0);
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
            assert_eq!(Chip::Rp2040.memory(address), bit, "{address:#x}");
        }
    }

    #[test]
    fn so_has_every_memory_of_the_rp2350() {
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
    fn only_what_is_off_is_kept() {
        let mut power = MemoryPower::new(Chip::Rp2040);
        assert!(!power.any_off() && !power.touch(0x2000_0000, AccessKind::Write, 5));
        power.write(0x1FF & !1);
        assert_eq!(power.read(), 0xFE);
        assert!(!power.touch(0x2000_0000, AccessKind::Read, 6));
        assert!(power.touch(0x2000_0004, AccessKind::Write, 7));
        let at = Duration::from_nanos(7);
        assert_eq!(power.accesses(), [PoweredDownAccess { at, address: 0x2000_0004, kind: AccessKind::Write }]);
    }
}
