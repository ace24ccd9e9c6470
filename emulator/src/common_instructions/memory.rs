//! Accesses to SRAM, and to flash while it has no wait states. An unaligned access or an access to any other address
//! returns `None`.

use super::Core;
use crate::bits::bits;
use rp2350_emu::memory::Memory;

const SRAM: u32 = 0x2000_0000;
const FLASH: u32 = 0x1000_0000;

/// The memory that the interpreter accesses directly.
pub(crate) struct DirectMemory<'a> {
    pub content: &'a mut Memory,
    /// The addresses of the written halfwords, which may be code that the emulator crate has already decoded.
    pub written: &'a mut Vec<u32>,
    /// The parts of SRAM with decoded code. `None`: unknown, so every written halfword is recorded.
    pub decoded: Option<&'a DecodedCode>,
    /// The size of SRAM, in bytes.
    pub sram: usize,
    /// The size of flash, in bytes, or 0 while flash has wait states.
    pub flash: usize,
}

/// The parts of SRAM from which the emulator crate has decoded instructions. It caches decoded instructions, so it must
/// be notified of a write to such a part. Nearly all writes are to other parts.
pub(crate) struct DecodedCode {
    parts: Box<[bool]>,
}

impl DecodedCode {
    /// The size of a part, in bytes.
    const PART: usize = 256;

    /// No decoded code in an SRAM of this many bytes.
    pub(crate) fn new(sram: usize) -> Self {
        Self { parts: vec![false; sram.div_ceil(Self::PART)].into() }
    }

    /// Records that the emulator crate executes the instruction at `pc`, which has one or two halfwords.
    pub(crate) fn note(&mut self, pc: u32) {
        for address in [pc, pc.wrapping_add(2)] {
            if let Some(part) = self.parts.get_mut(address.wrapping_sub(SRAM) as usize / Self::PART) {
                *part = true;
            }
        }
    }

    #[inline(always)]
    fn contains(&self, address: u32) -> bool {
        self.parts.get(address.wrapping_sub(SRAM) as usize / Self::PART).is_some_and(|part| *part)
    }
}

impl<const M33: bool> Core<'_, M33> {
    /// Whether the emulator crate may have decoded the instruction at an address.
    #[inline(always)]
    fn may_be_decoded(&self, address: u32) -> bool {
        self.memory.decoded.is_none_or(|decoded| decoded.contains(address))
    }

    /// The offset in SRAM of an aligned access of `size` bytes.
    #[inline(always)]
    pub(super) fn in_sram(&self, address: u32, size: u32) -> Option<u32> {
        let offset = address.wrapping_sub(SRAM);
        ((offset as usize) < self.memory.sram && address & (size - 1) == 0).then_some(offset)
    }

    #[inline(always)]
    fn in_flash(&self, address: u32, size: u32) -> Option<u32> {
        let offset = address.wrapping_sub(FLASH);
        ((offset as usize) < self.memory.flash && address & (size - 1) == 0).then_some(offset)
    }

    #[inline(always)]
    pub(super) fn read8(&self, address: u32) -> Option<u8> {
        match self.in_sram(address, 1) {
            Some(offset) => Some(self.memory.content.sram_read8(offset)),
            None => self.in_flash(address, 1).map(|offset| self.memory.content.xip_read8(offset)),
        }
    }

    #[inline(always)]
    pub(super) fn read16(&self, address: u32) -> Option<u16> {
        match self.in_sram(address, 2) {
            Some(offset) => Some(self.memory.content.sram_read16(offset)),
            None => self.in_flash(address, 2).map(|offset| self.memory.content.xip_read16(offset)),
        }
    }

    #[inline(always)]
    pub(super) fn read32(&self, address: u32) -> Option<u32> {
        match self.in_sram(address, 4) {
            Some(offset) => Some(self.memory.content.sram_read32(offset)),
            None => self.in_flash(address, 4).map(|offset| self.memory.content.xip_read32(offset)),
        }
    }

    #[inline(always)]
    pub(super) fn write8(&mut self, address: u32, value: u8) -> Option<()> {
        let offset = self.in_sram(address, 1)?;
        self.memory.content.sram_write8(offset, value);
        if self.may_be_decoded(address) {
            self.memory.written.push(address);
        }
        Some(())
    }

    #[inline(always)]
    pub(super) fn write16(&mut self, address: u32, value: u16) -> Option<()> {
        let offset = self.in_sram(address, 2)?;
        self.memory.content.sram_write16(offset, value);
        if self.may_be_decoded(address) {
            self.memory.written.push(address);
        }
        Some(())
    }

    #[inline(always)]
    pub(super) fn write32(&mut self, address: u32, value: u32) -> Option<()> {
        let offset = self.in_sram(address, 4)?;
        self.memory.content.sram_write32(offset, value);
        if self.may_be_decoded(address) {
            self.memory.written.extend([address, address + 2]);
        }
        Some(())
    }

    /// Stores the registers in `list`, the lowest first: all of them or none.
    pub(super) fn store_registers(&mut self, base: u32, list: u32) -> Option<()> {
        let mut address = base;
        self.in_sram(base, 4)?;
        self.in_sram(last_address(base, list)?, 4)?;
        for register in bits(list) {
            self.write32(address, self.r[register])?;
            address = address.wrapping_add(4);
        }
        Some(())
    }

    /// Loads the registers in `list`, the lowest first: all of them or none. Returns the address after the last.
    pub(super) fn load_registers(&mut self, base: u32, list: u32) -> Option<u32> {
        let mut address = base;
        self.read32(base)?;
        self.read32(last_address(base, list)?)?;
        for register in bits(list) {
            self.r[register] = self.read32(address)?;
            address = address.wrapping_add(4);
        }
        Some(address)
    }
}

/// The address of the last register of a list. An empty list is not supported.
fn last_address(base: u32, list: u32) -> Option<u32> {
    Some(base.wrapping_add(4 * list.count_ones().checked_sub(1)?))
}
