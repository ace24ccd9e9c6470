//! IT, and the instructions behind it that depend on its condition.
//!
//! They are executed all or none, because the state of the emulator between them cannot be set from outside.

use super::Core;

/// The flags that instructions behind IT leave alone, unless they are there for nothing else.
const FLAGS: u32 = 0xF800_0000;

/// Whether an instruction leaves memory as it is and goes on with the next: then it can be done again.
fn can_be_repeated(op: u16) -> bool {
    match op >> 11 {
        0..8 | 9 | 0b01101 | 0b01111 | 0b10001 | 0b10011..=0b10101 => true,
        0b01000 => op >> 8 != 0x47 && (op >> 8 == 0x45 || op & 0x487 != 0x487),
        0b01010 | 0b01011 => op >> 9 & 7 >= 3,
        0b10110 | 0b10111 => matches!(op >> 8, 0xB0 | 0xB2 | 0xBA),
        // Long ones: calculations, and loads of one register.
        0b11101 => op >> 9 == 0x75,
        0b11110 => true,
        0b11111 => op >> 9 == 0x7D || op & 0x10 != 0,
        _ => false,
    }
}

/// Whether it does nothing but set flags: CMP, CMN and TST.
fn only_compares(op: u16) -> bool {
    op >> 11 == 0b00101 || op >> 8 == 0x45 || matches!(op >> 6, 0x108 | 0x10A | 0x10B)
}

impl<const M33: bool> Core<'_, M33> {
    /// IT and all that depends on it; gives their cycles and where the next instruction is.
    pub fn conditional(&mut self, it: u16, pc: u32) -> Option<(u64, u32)> {
        let before = (*self.r, *self.psr, self.last);
        // Reading a spinlock claims it, so it cannot be repeated: such a block is left to the emulator.
        let system = self.system.take();
        let done = self.all_conditional(it, pc);
        self.system = system;
        if done.is_none() {
            (*self.r, *self.psr, self.last) = before;
        }
        done
    }

    /// The same, but some of them may have been executed if one is not for us.
    fn all_conditional(&mut self, it: u16, pc: u32) -> Option<(u64, u32)> {
        let mut left = 4 - (it & 0xF).trailing_zeros();
        // Condition in the upper half; the lower is shifted into its last bit, one for each instruction.
        let mut state = it & 0xFF;
        let mut cycles = 1;
        let mut place = pc.wrapping_add(2);
        while left > 0 {
            left -= 1;
            let op = self.read16(place)?;
            let is_long = op >= 0xE800;
            if left > 0 && !can_be_repeated(op) || op >> 8 == 0xBF {
                return None;
            }
            let next = place.wrapping_add(if is_long { 4 } else { 2 });
            self.last = next.wrapping_sub(2);
            let (taken, goes_to) = if !self.holds(state >> 4) {
                (1, next)
            } else if is_long {
                self.long(op, place)?
            } else {
                let flags = *self.psr & FLAGS;
                let done = self.execute(op, place)?;
                if !only_compares(op) {
                    *self.psr = *self.psr & !FLAGS | flags;
                }
                done
            };
            if left > 0 && goes_to != next {
                return None;
            }
            cycles += taken;
            place = goes_to;
            state = state & 0xE0 | state << 1 & 0x1F;
        }
        Some((cycles, place))
    }
}
