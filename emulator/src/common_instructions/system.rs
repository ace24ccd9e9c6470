//! The instructions of a critical section: changes of PRIMASK, barriers, and accesses to the spinlocks of SIO.

use super::{Core, PC, SP};

/// The state that a critical section uses besides registers and memory.
pub(crate) struct SystemState<'a> {
    pub primask: &'a mut u32,
    /// An exception is pending and would be taken if PRIMASK were cleared.
    pub is_exception_pending: bool,
    pub spinlocks: &'a mut dyn Spinlocks,
}

/// The registers of SIO that only the core uses: the core number, at offset 0, and the spinlocks.
pub(crate) trait Spinlocks {
    /// Reads a register. A read of a spinlock claims it.
    fn read(&mut self, offset: u32) -> u32;
    /// Releases a spinlock. The written value has no meaning.
    fn release(&mut self, offset: u32);
}

impl Spinlocks for rp2040_emu::bus::sio::Sio {
    fn read(&mut self, offset: u32) -> u32 {
        self.read32(offset, 0)
    }

    fn release(&mut self, offset: u32) {
        self.write32(offset, 0, 0);
    }
}

impl Spinlocks for rp2350_emu::Sio {
    fn read(&mut self, offset: u32) -> u32 {
        self.read32(offset, 0)
    }

    fn release(&mut self, offset: u32) {
        self.write32(offset, 0, 0);
    }
}

const SIO: u32 = 0xD000_0000;
const SPINLOCK_OFFSETS: core::ops::Range<u32> = 0x100..0x180;

impl<const M33: bool> Core<'_, M33> {
    /// Reads the core number, or a spinlock, which claims it.
    pub(super) fn read_sio(&mut self, address: u32) -> Option<u32> {
        let offset = address.wrapping_sub(SIO);
        if offset != 0 && !SPINLOCK_OFFSETS.contains(&offset) || offset & 3 != 0 {
            return None;
        }
        Some(self.system.as_mut()?.spinlocks.read(offset))
    }

    /// Writes a spinlock, which releases it. Returns the cycles.
    pub(super) fn release_spinlock(&mut self, address: u32) -> Option<u64> {
        let offset = address.wrapping_sub(SIO);
        if !SPINLOCK_OFFSETS.contains(&offset) || offset & 3 != 0 {
            return None;
        }
        self.system.as_mut()?.spinlocks.release(offset);
        Some(if M33 { 1 } else { 2 })
    }

    /// CPSID and CPSIE, if they change only PRIMASK.
    pub(super) fn change_primask(&mut self, op: u16) -> Option<u64> {
        let system = self.system.as_mut()?;
        *system.primask = match op {
            0xB672 => 1,
            0xB662 if !system.is_exception_pending => 0,
            _ => return None,
        };
        Some(1)
    }

    /// MRS of PRIMASK, DMB and DSB.
    pub(super) fn read_primask_or_barrier(&mut self, first: u16, second: u16) -> Option<u64> {
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
