//! SRAM, and flash where it need not be waited for. An access that is not aligned, or goes elsewhere, does not take place.

use super::Core;
use crate::bits::bits;
use rp2350_emu::memory::Memory;

const SRAM: u32 = 0x2000_0000;
const FLASH: u32 = 0x1000_0000;

/// What memory there is within reach.
pub(crate) struct Reach<'a> {
    pub memory: &'a mut Memory,
    /// The halfwords that were written: they may be code that an emulator has decoded already.
    pub written: &'a mut Vec<u32>,
    /// Where it has decoded any. `None`: that is not known, and every halfword that is written is noted.
    pub decoded: Option<&'a DecodedCode>,
    /// Bytes of each. Of flash none, while it makes the core wait.
    pub sram: usize,
    pub flash: usize,
}

/// The parts of SRAM from which an emulator has decoded instructions. It keeps them decoded, so it has to be told of a
/// write to such a part. Nearly all writes go to other parts.
pub(crate) struct DecodedCode {
    parts: Box<[bool]>,
}

impl DecodedCode {
    /// Bytes of a part.
    const PART: usize = 256;

    /// Of a chip with so many bytes of SRAM, in which nothing has been decoded.
    pub fn new(sram: usize) -> Self {
        Self { parts: vec![false; sram.div_ceil(Self::PART)].into() }
    }

    /// The emulator executes the instruction at this address, of one halfword or two.
    pub fn note(&mut self, pc: u32) {
        for address in [pc, pc.wrapping_add(2)] {
            if let Some(part) = self.parts.get_mut(address.wrapping_sub(SRAM) as usize / Self::PART) {
                *part = true;
            }
        }
    }

    #[inline(always)]
    fn is_near(&self, address: u32) -> bool {
        self.parts.get(address.wrapping_sub(SRAM) as usize / Self::PART).is_some_and(|part| *part)
    }
}

impl<const M33: bool> Core<'_, M33> {
    /// Whether an emulator may have decoded what is at an address.
    #[inline(always)]
    fn may_be_decoded(&self, address: u32) -> bool {
        self.reach.decoded.is_none_or(|decoded| decoded.is_near(address))
    }

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
        if self.may_be_decoded(address) {
            self.reach.written.push(address);
        }
        Some(())
    }

    #[inline(always)]
    pub fn write16(&mut self, address: u32, value: u16) -> Option<()> {
        let offset = self.in_sram(address, 2)?;
        self.reach.memory.sram_write16(offset, value);
        if self.may_be_decoded(address) {
            self.reach.written.push(address);
        }
        Some(())
    }

    #[inline(always)]
    pub fn write32(&mut self, address: u32, value: u32) -> Option<()> {
        let offset = self.in_sram(address, 4)?;
        self.reach.memory.sram_write32(offset, value);
        if self.may_be_decoded(address) {
            self.reach.written.extend([address, address + 2]);
        }
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
