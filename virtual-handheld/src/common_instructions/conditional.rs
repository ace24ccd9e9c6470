//! IT, and the instructions behind it that depend on its condition.
//!
//! They are taken together, because the emulator keeps to itself where in them it is: all of them, if none can turn out not to be for us.

use super::{Core, PC};

/// The flags that instructions behind IT leave alone, unless they are there for nothing else.
const FLAGS: u32 = 0xF800_0000;

/// Whether an instruction only calculates, and does not jump by it.
fn only_calculates(op: u16) -> bool {
    match op >> 8 {
        0x00..0x44 | 0x45 | 0xB2 => true,
        0x44 | 0x46 => op & 0x87 != 0x87,
        0xBA => op >> 6 & 3 != 2,
        _ => false,
    }
}

/// Whether it does nothing but set flags: CMP, CMN and TST.
fn only_compares(op: u16) -> bool {
    op >> 11 == 0b00101 || op >> 8 == 0x45 || matches!(op >> 6, 0x108 | 0x10A | 0x10B)
}

impl<const M33: bool> Core<'_, M33> {
    /// IT and all that depends on it.
    pub fn conditional(&mut self, it: u16, pc: u32) -> Option<u64> {
        let count = 4 - (it & 0xF).trailing_zeros();
        let mut ops = [0; 4];
        for (index, op) in (1..=count).zip(&mut ops) {
            *op = self.read16(pc.wrapping_add(2 * index)).filter(|op| only_calculates(*op))?;
        }
        // Condition in the upper half; the lower is shifted into its last bit, one for each instruction.
        let mut state = it & 0xFF;
        let mut cycles = 1;
        for (index, &op) in (1..=count).zip(&ops) {
            let place = pc.wrapping_add(2 * index);
            if self.holds(state >> 4) {
                let flags = *self.psr & FLAGS;
                cycles += self.execute(op, place)?;
                if !only_compares(op) {
                    *self.psr = *self.psr & !FLAGS | flags;
                }
            } else {
                cycles += 1;
            }
            state = state & 0xE0 | state << 1 & 0x1F;
            self.last = place;
        }
        self.r[PC] = self.last.wrapping_add(2);
        Some(cycles)
    }
}
