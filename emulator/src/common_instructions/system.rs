//! What a critical section is made of: the mask of interrupts, barriers, and the spinlocks of SIO.

use super::{Core, PC, SP};

/// What a critical section uses besides registers and memory.
pub(crate) struct System<'a> {
    pub primask: &'a mut u32,
    /// An exception is waiting, and would be taken if the mask were lifted.
    pub waiting: bool,
    pub locks: &'a mut dyn Locks,
}

/// The part of SIO that nothing but the core notices: its number, at offset 0, and the spinlocks.
pub(crate) trait Locks {
    /// A lock that is read is claimed.
    fn read(&mut self, offset: u32) -> u32;
    /// A lock that is written is free, whatever the value.
    fn free(&mut self, offset: u32);
}

impl Locks for rp2040_emu::bus::sio::Sio {
    fn read(&mut self, offset: u32) -> u32 {
        self.read32(offset, 0)
    }

    fn free(&mut self, offset: u32) {
        self.write32(offset, 0, 0);
    }
}

impl Locks for rp2350_emu::Sio {
    fn read(&mut self, offset: u32) -> u32 {
        self.read32(offset, 0)
    }

    fn free(&mut self, offset: u32) {
        self.write32(offset, 0, 0);
    }
}

const SIO: u32 = 0xD000_0000;
const SPINLOCKS: core::ops::Range<u32> = 0x100..0x180;

impl<const M33: bool> Core<'_, M33> {
    /// Reads the number of the core or a spinlock, which claims it.
    pub fn claim(&mut self, address: u32) -> Option<u32> {
        let offset = address.wrapping_sub(SIO);
        if offset != 0 && !SPINLOCKS.contains(&offset) || offset & 3 != 0 {
            return None;
        }
        Some(self.system.as_mut()?.locks.read(offset))
    }

    /// Writes to a spinlock, which frees it; gives the cycles.
    pub fn release(&mut self, address: u32) -> Option<u64> {
        let offset = address.wrapping_sub(SIO);
        if !SPINLOCKS.contains(&offset) || offset & 3 != 0 {
            return None;
        }
        self.system.as_mut()?.locks.free(offset);
        Some(if M33 { 1 } else { 2 })
    }

    /// CPSID and CPSIE of PRIMASK alone.
    pub fn mask(&mut self, op: u16) -> Option<u64> {
        let system = self.system.as_mut()?;
        *system.primask = match op {
            0xB672 => 1,
            0xB662 if !system.waiting => 0,
            _ => return None,
        };
        Some(1)
    }

    /// MRS of PRIMASK, DMB and DSB.
    pub fn read_mask_or_wait(&mut self, first: u16, second: u16) -> Option<u64> {
        let system = self.system.as_ref()?;
        let d = usize::from(second >> 8 & 0xF);
        match (first, second & 0xF0FF) {
            (0xF3EF, 0x8010) if d != SP && d != PC => {
                self.r[d] = *system.primask & 1;
                Some(if M33 { 1 } else { 2 })
            }
            (0xF3BF, 0x8040..=0x805F) if d == 0xF => Some(1),
            _ => None,
        }
    }
}
