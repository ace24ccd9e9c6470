//! Decoding of the instructions of one halfword: a table by their upper five bits.

use super::{Core, LR, SP};

impl<const M33: bool> Core<'_, M33> {
    /// Executes a short instruction. Returns its cycles and the address of the next instruction.
    #[inline(always)]
    pub(super) fn execute(&mut self, op: u16, pc: u32) -> Option<(u64, u32)> {
        let low = |shift: u32| usize::from(op >> shift & 7);
        let byte = u32::from(op & 0xFF);
        let five = u32::from(op >> 6 & 0x1F);
        let cycles = match op >> 11 {
            // LSLS, LSRS and ASRS by a constant.
            0b00000 => self.shift_left(low(0), low(3), five),
            0b00001 => self.shift_right(low(0), low(3), five),
            0b00010 => self.shift_right_signed(low(0), low(3), five),
            0b00011 => self.add_or_subtract(op),
            // MOVS, CMP, ADDS and SUBS with a constant.
            0b00100 => self.set_result(low(8), byte),
            0b00101 => self.compare(low(8), byte),
            0b00110 => self.set_sum(low(8), self.r[low(8)], byte, false),
            0b00111 => self.set_sum(low(8), self.r[low(8)], !byte, true),
            0b01000 if op & 0x400 == 0 => self.data_processing(op),
            0b01000 => return self.high_registers(op, pc),
            // LDR of a literal, and loads and stores with a register as offset.
            0b01001 => self.load32(low(8), (pc.wrapping_add(4) & !3).wrapping_add(byte << 2))?,
            0b01010 | 0b01011 => self.load_or_store_with_register_offset(op)?,
            // STR, LDR, STRB, LDRB, STRH and LDRH with a constant offset.
            0b01100 => self.store32_or_release(low(0), self.r[low(3)].wrapping_add(five << 2))?,
            0b01101 => self.load32_or_claim(low(0), self.r[low(3)].wrapping_add(five << 2))?,
            0b01110 => self.store8(low(0), self.r[low(3)].wrapping_add(five))?,
            0b01111 => self.load8(low(0), self.r[low(3)].wrapping_add(five))?,
            0b10000 => self.store16(low(0), self.r[low(3)].wrapping_add(five << 1))?,
            0b10001 => self.load16(low(0), self.r[low(3)].wrapping_add(five << 1))?,
            // STR and LDR relative to the stack pointer.
            0b10010 => self.store32(low(8), self.r[SP].wrapping_add(byte << 2))?,
            0b10011 => self.load32(low(8), self.r[SP].wrapping_add(byte << 2))?,
            // ADR, and ADD of the stack pointer and a constant.
            0b10100 => self.set(low(8), (pc.wrapping_add(4) & !3).wrapping_add(byte << 2)),
            0b10101 => self.set(low(8), self.r[SP].wrapping_add(byte << 2)),
            0b10110 | 0b10111 => return self.miscellaneous(op, pc),
            0b11000 => self.store_multiple(low(8), byte)?,
            0b11001 => self.load_multiple(low(8), byte)?,
            0b11010 | 0b11011 => return self.conditional_branch(op, pc),
            0b11100 => return self.branch(op, pc),
            0b11110 => return self.branch_with_link_or_system(op, pc),
            _ => return None,
        };
        Some((cycles, pc.wrapping_add(2)))
    }

    /// ADDS and SUBS of two registers, or of a register and a constant of three bits.
    #[inline(always)]
    fn add_or_subtract(&mut self, op: u16) -> u64 {
        let (d, n, m) = (usize::from(op & 7), usize::from(op >> 3 & 7), usize::from(op >> 6 & 7));
        let other = if op & 0x400 != 0 { m as u32 } else { self.r[m] };
        if op & 0x200 == 0 {
            self.set_sum(d, self.r[n], other, false)
        } else {
            self.set_sum(d, self.r[n], !other, true)
        }
    }

    /// The instructions whose upper four bits are 1011.
    #[inline(always)]
    fn miscellaneous(&mut self, op: u16, pc: u32) -> Option<(u64, u32)> {
        let cycles = match op >> 8 & 0xF {
            // ADD and SUB of the stack pointer.
            0b0000 => {
                let offset = u32::from(op & 0x7F) << 2;
                let sp = self.r[SP];
                self.r[SP] = if op & 0x80 == 0 { sp.wrapping_add(offset) } else { sp.wrapping_sub(offset) };
                1
            }
            0b0010 => self.extend(op),
            0b0100 | 0b0101 => self.push(op)?,
            // CPSIE and CPSID.
            0b0110 => self.change_primask(op)?,
            0b1010 => self.reverse_bytes(op)?,
            0b1100 => {
                let list = u32::from(op & 0xFF);
                self.r[SP] = self.load_registers(self.r[SP], list)?;
                1 + u64::from(list.count_ones())
            }
            0b1101 => return self.pop_with_pc(op),
            // NOP.
            0b1111 if op & 0xFF == 0 => 1,
            kind if M33 && kind & 0b0101 == 0b0001 => return Some(self.compare_and_branch(op, pc)),
            _ => return None,
        };
        Some((cycles, pc.wrapping_add(2)))
    }

    /// SXTH, SXTB, UXTH and UXTB.
    #[inline(always)]
    fn extend(&mut self, op: u16) -> u64 {
        let value = self.r[usize::from(op >> 3 & 7)];
        self.r[usize::from(op & 7)] = match op >> 6 & 3 {
            0 => value as i16 as u32,
            1 => value as i8 as u32,
            2 => value & 0xFFFF,
            _ => value & 0xFF,
        };
        1
    }

    /// REV, REV16 and REVSH.
    #[inline(always)]
    fn reverse_bytes(&mut self, op: u16) -> Option<u64> {
        let value = self.r[usize::from(op >> 3 & 7)];
        self.r[usize::from(op & 7)] = match op >> 6 & 3 {
            0 => value.swap_bytes(),
            1 => value.swap_bytes().rotate_left(16),
            2 => return None,
            _ => (value as u16).swap_bytes() as i16 as u32,
        };
        Some(1)
    }

    /// PUSH.
    #[inline(always)]
    fn push(&mut self, op: u16) -> Option<u64> {
        let list = u32::from(op & 0xFF) | u32::from(op >> 8 & 1) << LR;
        let base = self.r[SP].wrapping_sub(4 * list.count_ones());
        self.store_registers(base, list)?;
        self.r[SP] = base;
        Some(1 + u64::from(list.count_ones()))
    }

    /// POP with the program counter. A branch to ARM code and a return from an exception are not supported.
    #[inline(always)]
    fn pop_with_pc(&mut self, op: u16) -> Option<(u64, u32)> {
        let list = u32::from(op & 0xFF);
        let count = list.count_ones();
        let target = self.read32(self.r[SP].wrapping_add(4 * count))?;
        if target & 1 == 0 || target >> 28 == 0xF {
            return None;
        }
        let end = if list == 0 { self.r[SP] } else { self.load_registers(self.r[SP], list)? };
        self.r[SP] = end.wrapping_add(4);
        Some((5 + u64::from(count), target & !1))
    }
}
