//! SRAM, and flash where it need not be waited for. An access that is not aligned, or goes elsewhere, does not take place.

use super::Core;
use rp2350_emu::memory::Memory;

const SRAM: u32 = 0x2000_0000;
const FLASH: u32 = 0x1000_0000;

/// What memory there is within reach.
pub(crate) struct Reach<'a> {
    pub memory: &'a mut Memory,
    /// The halfwords that were written: they may be code that an emulator has decoded already.
    pub written: &'a mut Vec<u32>,
    /// Bytes of each. Of flash none, while it makes the core wait.
    pub sram: usize,
    pub flash: usize,
}

impl<const M33: bool> Core<'_, M33> {
    /// Where an access of this many bytes is in SRAM.
    #[inline(always)]
    pub fn in_sram(&self, address: u32, size: u32) -> Option<u32> {
        let offset = address.wrapping_sub(SRAM);
        ((offset as usize) < self.reach.sram && address & (size - 1) == 0).then_some(offset)
    }

    #[inline(always)]
    fn in_flash(&self, address: u32, size: u32) -> Option<u32> {
        let offset = address.wrapping_sub(FLASH);
        ((offset as usize) < self.reach.flash && address & (size - 1) == 0).then_some(offset)
    }

    #[inline(always)]
    pub fn read8(&self, address: u32) -> Option<u8> {
        match self.in_sram(address, 1) {
            Some(offset) => Some(self.reach.memory.sram_read8(offset)),
            None => self.in_flash(address, 1).map(|offset| self.reach.memory.xip_read8(offset)),
        }
    }

    #[inline(always)]
    pub fn read16(&self, address: u32) -> Option<u16> {
        match self.in_sram(address, 2) {
            Some(offset) => Some(self.reach.memory.sram_read16(offset)),
            None => self.in_flash(address, 2).map(|offset| self.reach.memory.xip_read16(offset)),
        }
    }

    #[inline(always)]
    pub fn read32(&self, address: u32) -> Option<u32> {
        match self.in_sram(address, 4) {
            Some(offset) => Some(self.reach.memory.sram_read32(offset)),
            None => self.in_flash(address, 4).map(|offset| self.reach.memory.xip_read32(offset)),
        }
    }

    #[inline(always)]
    pub fn write8(&mut self, address: u32, value: u8) -> Option<()> {
        let offset = self.in_sram(address, 1)?;
        self.reach.memory.sram_write8(offset, value);
        self.reach.written.push(address);
        Some(())
    }

    #[inline(always)]
    pub fn write16(&mut self, address: u32, value: u16) -> Option<()> {
        let offset = self.in_sram(address, 2)?;
        self.reach.memory.sram_write16(offset, value);
        self.reach.written.push(address);
        Some(())
    }

    #[inline(always)]
    pub fn write32(&mut self, address: u32, value: u32) -> Option<()> {
        let offset = self.in_sram(address, 4)?;
        self.reach.memory.sram_write32(offset, value);
        self.reach.written.extend([address, address + 2]);
        Some(())
    }

    /// Stores these registers, the lowest first; all of them, or none.
    pub fn store(&mut self, base: u32, list: u32) -> Option<()> {
        let mut address = base;
        self.in_sram(base, 4)?;
        self.in_sram(last(base, list)?, 4)?;
        for register in bits(list) {
            self.write32(address, self.r[register])?;
            address = address.wrapping_add(4);
        }
        Some(())
    }

    /// Loads these registers, the lowest first, and gives the address behind; all of them, or none.
    pub fn load(&mut self, base: u32, list: u32) -> Option<u32> {
        let mut address = base;
        self.read32(base)?;
        self.read32(last(base, list)?)?;
        for register in bits(list) {
            self.r[register] = self.read32(address)?;
            address = address.wrapping_add(4);
        }
        Some(address)
    }
}

/// Where the last register of a list goes; an empty list is not for us.
fn last(base: u32, list: u32) -> Option<u32> {
    Some(base.wrapping_add(4 * list.count_ones().checked_sub(1)?))
}

/// The numbers of the bits that are set.
fn bits(mut mask: u32) -> impl Iterator<Item = usize> {
    core::iter::from_fn(move || {
        let bit = mask.trailing_zeros() as usize;
        mask &= mask.wrapping_sub(1);
        (bit < 32).then_some(bit)
    })
}
