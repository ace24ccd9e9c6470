//! Short load and store instructions. Each function returns the cycles of the instruction.

use super::Core;

impl<const M33: bool> Core<'_, M33> {
    #[inline(always)]
    pub(super) fn load8(&mut self, t: usize, address: u32) -> Option<u64> {
        self.r[t] = self.read8(address)?.into();
        Some(2)
    }

    #[inline(always)]
    pub(super) fn load16(&mut self, t: usize, address: u32) -> Option<u64> {
        self.r[t] = self.read16(address)?.into();
        Some(2)
    }

    #[inline(always)]
    pub(super) fn load32(&mut self, t: usize, address: u32) -> Option<u64> {
        self.r[t] = self.read32(address)?;
        Some(2)
    }

    /// Loads a word from memory, or reads a spinlock, which claims it.
    #[inline(always)]
    pub(super) fn load32_or_claim(&mut self, t: usize, address: u32) -> Option<u64> {
        self.r[t] = self.read32(address).or_else(|| self.read_sio(address))?;
        Some(2)
    }

    #[inline(always)]
    pub(super) fn store8(&mut self, t: usize, address: u32) -> Option<u64> {
        self.write8(address, self.r[t] as u8)?;
        Some(2)
    }

    #[inline(always)]
    pub(super) fn store16(&mut self, t: usize, address: u32) -> Option<u64> {
        self.write16(address, self.r[t] as u16)?;
        Some(2)
    }

    #[inline(always)]
    pub(super) fn store32(&mut self, t: usize, address: u32) -> Option<u64> {
        self.write32(address, self.r[t])?;
        Some(2)
    }

    /// Stores a word in memory, or writes a spinlock, which releases it.
    #[inline(always)]
    pub(super) fn store32_or_release(&mut self, t: usize, address: u32) -> Option<u64> {
        self.write32(address, self.r[t]).map(|()| 2).or_else(|| self.release_spinlock(address))
    }

    #[inline(always)]
    pub(super) fn load_or_store_with_register_offset(&mut self, op: u16) -> Option<u64> {
        let t = usize::from(op & 7);
        let address = self.r[usize::from(op >> 3 & 7)].wrapping_add(self.r[usize::from(op >> 6 & 7)]);
        let value = self.r[t];
        match op >> 9 & 7 {
            0 => self.write32(address, value)?,
            1 => self.write16(address, value as u16)?,
            2 => self.write8(address, value as u8)?,
            3 => self.r[t] = self.read8(address)? as i8 as u32,
            4 => self.r[t] = self.read32(address)?,
            5 => self.r[t] = self.read16(address)?.into(),
            6 => self.r[t] = self.read8(address)?.into(),
            _ => self.r[t] = self.read16(address)? as i16 as u32,
        }
        Some(2)
    }

    /// STM.
    #[inline(always)]
    pub(super) fn store_multiple(&mut self, n: usize, list: u32) -> Option<u64> {
        let base = self.r[n];
        self.store_registers(base, list)?;
        self.r[n] = base.wrapping_add(4 * list.count_ones());
        Some(1 + u64::from(list.count_ones()))
    }

    /// LDM. The base register is not written back if it is in the list.
    #[inline(always)]
    pub(super) fn load_multiple(&mut self, n: usize, list: u32) -> Option<u64> {
        let end = self.load_registers(self.r[n], list)?;
        if list >> n & 1 == 0 {
            self.r[n] = end;
        }
        Some(1 + u64::from(list.count_ones()))
    }
}
