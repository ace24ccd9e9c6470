//! The IT instruction and the conditional instructions after it.
//!
//! An IT block is executed as a whole or not at all, because the emulator crate has no way to set its state inside a
//! block.

use super::Core;

/// The flags. Instructions in an IT block do not change them, except for comparisons.
const FLAGS: u32 = 0xF800_0000;

/// Whether an instruction neither writes memory nor branches. Such an instruction can be repeated after a roll-back.
fn can_be_repeated(op: u16) -> bool {
    match op >> 11 {
        0..8 | 9 | 0b01101 | 0b01111 | 0b10001 | 0b10011..=0b10101 => true,
        0b01000 => op >> 8 != 0x47 && (op >> 8 == 0x45 || op & 0x487 != 0x487),
        0b01010 | 0b01011 => op >> 9 & 7 >= 3,
        0b10110 | 0b10111 => matches!(op >> 8, 0xB0 | 0xB2 | 0xBA),
        // Long instructions: data processing, and loads of one register.
        0b11101 => op >> 9 == 0x75,
        0b11110 => true,
        0b11111 => op >> 9 == 0x7D || op & 0x10 != 0,
        _ => false,
    }
}

/// Whether an instruction only sets flags: CMP, CMN and TST.
fn is_comparison(op: u16) -> bool {
    op >> 11 == 0b00101 || op >> 8 == 0x45 || matches!(op >> 6, 0x108 | 0x10A | 0x10B)
}

impl<const M33: bool> Core<'_, M33> {
    /// Executes an IT block. Returns its cycles and the address of the next instruction, or `None` if nothing was
    /// changed.
    pub(super) fn execute_it_block(&mut self, it: u16, pc: u32) -> Option<(u64, u32)> {
        let before = (*self.r, *self.psr, self.last);
        // A read of a spinlock claims it and cannot be rolled back, so the emulator crate executes such a block.
        let system = self.system.take();
        let done = self.try_it_block(it, pc);
        self.system = system;
        if done.is_none() {
            (*self.r, *self.psr, self.last) = before;
        }
        done
    }

    /// Executes an IT block. `None` means that an instruction is not supported; instructions before it may have been
    /// executed.
    fn try_it_block(&mut self, it: u16, pc: u32) -> Option<(u64, u32)> {
        let mut left = 4 - (it & 0xF).trailing_zeros();
        // ITSTATE: the condition is in bits 4 to 7. After each instruction, bits 0 to 4 are shifted left.
        let mut state = it & 0xFF;
        let mut cycles = 1;
        let mut address = pc.wrapping_add(2);
        while left > 0 {
            left -= 1;
            let op = self.read16(address)?;
            let is_long = op >= 0xE800;
            if left > 0 && !can_be_repeated(op) || op >> 8 == 0xBF {
                return None;
            }
            let next = address.wrapping_add(if is_long { 4 } else { 2 });
            self.last = next.wrapping_sub(2);
            let (taken, target) = if !self.condition_holds(state >> 4) {
                (1, next)
            } else if is_long {
                self.execute_long(op, address)?
            } else {
                let flags = *self.psr & FLAGS;
                let done = self.execute(op, address)?;
                if !is_comparison(op) {
                    *self.psr = *self.psr & !FLAGS | flags;
                }
                done
            };
            if left > 0 && target != next {
                return None;
            }
            cycles += taken;
            address = target;
            state = state & 0xE0 | state << 1 & 0x1F;
        }
        Some((cycles, address))
    }
}
