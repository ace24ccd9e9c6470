//! The common instructions of two halfwords, which only the M33 has: loads and stores, data processing with a constant
//! or a shifted register, branches.

use super::calculation::C;
use super::{Core, LR, PC, SP};
use crate::rp2350::instructions::without_ordering;

/// Expands an encoded constant of twelve bits: eight bits, repeated or rotated. Returns the constant and the carry.
fn expand_constant(constant: u32, carry: bool) -> (u32, bool) {
    let byte = constant & 0xFF;
    match constant >> 8 {
        0 => (byte, carry),
        1 => (byte * 0x0001_0001, carry),
        2 => (byte * 0x0100_0100, carry),
        3 => (byte * 0x0101_0101, carry),
        _ => {
            let rotated = (0x80 | constant & 0x7F).rotate_right(constant >> 7);
            (rotated, rotated >> 31 != 0)
        }
    }
}

/// Shifts a value. Returns the result and the carry.
fn shift(value: u32, kind: u16, places: u32, carry: bool) -> (u32, bool) {
    let wide = u64::from(value);
    match kind {
        0 if places == 0 => (value, carry),
        0 => (value << places, wide << places >> 32 & 1 != 0),
        1 => {
            let places = if places == 0 { 32 } else { places };
            ((wide >> places) as u32, wide >> (places - 1) & 1 != 0)
        }
        2 => {
            let wide = i64::from(value as i32);
            let places = if places == 0 { 32 } else { places };
            ((wide >> places) as u32, wide >> (places - 1) & 1 != 0)
        }
        _ if places == 0 => (u32::from(carry) << 31 | value >> 1, value & 1 != 0),
        _ => (value.rotate_right(places), value >> (places - 1) & 1 != 0),
    }
}

fn sign_extend(value: u32, bits: u32) -> u32 {
    ((value << (32 - bits)) as i32 >> (32 - bits)) as u32
}

impl<const M33: bool> Core<'_, M33> {
    /// Executes a long instruction. Returns its cycles and the address of the next instruction, or `None` if the
    /// instruction is not supported.
    pub(super) fn execute_long(&mut self, first: u16, pc: u32) -> Option<(u64, u32)> {
        let second = self.read16(pc.wrapping_add(2))?;
        let mut next = pc.wrapping_add(4);
        let cycles = match first >> 9 {
            0x74 if first & 0x40 == 0 => self.load_or_store_several(first, second, &mut next)?,
            0x74 => self.load_or_store_two(first, second, pc, &mut next)?,
            0x75 => {
                let places = u32::from(second >> 10 & 0x1C | second >> 6 & 3);
                let kind = second >> 4 & 3;
                let (value, carry) = shift(self.operand(second)?, kind, places, *self.psr & C != 0);
                let quick = first & 0xF == 0xF || kind == 0 && places <= 2;
                self.combine_registers(first, second, value, carry)?;
                if quick { 1 } else { 2 }
            }
            0x78..0x7C if second >> 15 == 0 => self.combine_constant(first, second, pc)?,
            0x79 if first & 0xFFAF == 0xF3AF => self.read_primask_or_barrier(first, second)?,
            0x78..0x7C => self.branch_long(first, second, &mut next)?,
            0x7C => self.load_or_store_one(first, second, pc)?,
            0x7D => self.shift_by_register(first, second)?,
            _ => return None,
        };
        Some((cycles, next))
    }

    /// LSL, LSR, ASR and ROR by a register.
    fn shift_by_register(&mut self, first: u16, second: u16) -> Option<u64> {
        let d = usize::from(second >> 8 & 0xF);
        if first & 0x180 != 0 || second & 0xF0F0 != 0xF000 || d == SP || d == PC {
            return None;
        }
        let (value, places) = (self.operand(first)?, self.operand(second)? & 0xFF);
        let carry = *self.psr & C != 0;
        let (result, carry) = match (first >> 5 & 3, places) {
            (_, 0) => (value, carry),
            (3, _) => (value.rotate_right(places & 31), value.rotate_right(places & 31) >> 31 != 0),
            (kind, 1..32) => shift(value, kind, places, carry),
            (2, _) => shift(value, 2, 0, carry),
            (0, 32) => (0, value & 1 != 0),
            (1, 32) => (0, value >> 31 != 0),
            _ => (0, false),
        };
        self.r[d] = result;
        if first & 0x10 != 0 {
            self.set_sign_flags(result);
            self.set_carry(carry);
        }
        Some(1)
    }

    /// The value of a register, which must be neither the stack pointer nor the program counter.
    fn operand(&self, half: u16) -> Option<u32> {
        let register = usize::from(half & 0xF);
        (register != SP && register != PC).then(|| self.r[register])
    }

    /// Data processing with a constant, and extraction of bit fields.
    fn combine_constant(&mut self, first: u16, second: u16, pc: u32) -> Option<u64> {
        let twelve = u32::from(first >> 10 & 1) << 11 | u32::from(second >> 12 & 7) << 8 | u32::from(second & 0xFF);
        if first & 0x200 == 0 {
            let (value, carry) = expand_constant(twelve, *self.psr & C != 0);
            self.combine_registers(first, second, value, carry)?;
            return Some(if twelve >> 10 == 0 { 1 } else { 2 });
        }
        let d = usize::from(second >> 8 & 0xF);
        if d == PC {
            return None;
        }
        let n = usize::from(first & 0xF);
        let base = if n == PC { pc.wrapping_add(4) & !3 } else { self.r[n] };
        let sixteen = u32::from(first & 0xF) << 12 | twelve;
        let low = u32::from(second >> 10 & 0x1C | second >> 6 & 3);
        let width = u32::from(second & 0x1F) + 1;
        self.r[d] = match first >> 4 & 0x1F {
            // ADDW, MOVW, SUBW, MOVT.
            0b00000 => base.wrapping_add(twelve),
            0b00100 => sixteen,
            0b01010 => base.wrapping_sub(twelve),
            0b01100 => self.r[d] & 0xFFFF | sixteen << 16,
            // SBFX and UBFX.
            0b10100 if n != PC && low + width <= 32 => sign_extend(base >> low, width),
            0b11100 if n != PC && low + width <= 32 => base >> low & (u32::MAX >> (32 - width)),
            _ => return None,
        };
        Some(1)
    }

    /// The data processing instructions with a register and another operand `b`.
    fn combine_registers(&mut self, first: u16, second: u16, b: u32, carry: bool) -> Option<()> {
        let (n, d) = (usize::from(first & 0xF), usize::from(second >> 8 & 0xF));
        let kind = first >> 5 & 0xF;
        let sets = first & 0x10 != 0;
        // With the program counter as destination, the instruction is a comparison without a result, or not supported.
        let compares = d == PC && sets && matches!(kind, 0b0000 | 0b0100 | 0b1000 | 0b1101);
        if d == PC && !compares || n == PC && !matches!(kind, 0b0010 | 0b0011) {
            return None;
        }
        let a = self.r[n];
        let logical = match kind {
            0b0000 => Some(a & b),
            0b0001 => Some(a & !b),
            0b0010 => Some(if n == PC { b } else { a | b }),
            0b0011 => Some(if n == PC { !b } else { a | !b }),
            0b0100 => Some(a ^ b),
            _ => None,
        };
        let old = *self.psr;
        let result = if let Some(result) = logical {
            if sets {
                self.set_sign_flags(result);
                self.set_carry(carry);
            }
            result
        } else {
            let old_carry = old & C != 0;
            let sum = match kind {
                0b1000 => self.add_with_carry(a, b, false),
                0b1010 => self.add_with_carry(a, b, old_carry),
                0b1011 => self.add_with_carry(a, !b, old_carry),
                0b1101 => self.add_with_carry(a, !b, true),
                0b1110 => self.add_with_carry(!a, b, true),
                _ => return None,
            };
            if !sets {
                *self.psr = old;
            }
            sum
        };
        if !compares {
            self.r[d] = result;
        }
        Some(())
    }

    /// B with and without a condition, and BL.
    fn branch_long(&mut self, first: u16, second: u16, next: &mut u32) -> Option<u64> {
        let (high, low) = (u32::from(first), u32::from(second));
        let sign = high >> 10 & 1;
        let from = *next;
        if low & 0x5000 != 0 {
            let bit = |shift: u32| (low >> shift ^ sign ^ 1) & 1;
            let offset = sign << 24 | bit(13) << 23 | bit(11) << 22 | (high & 0x3FF) << 12 | (low & 0x7FF) << 1;
            if low & 0x4000 != 0 {
                self.r[LR] = from | 1;
            }
            *next = from.wrapping_add(sign_extend(offset, 25));
            return Some(1);
        }
        let condition = first >> 6 & 0xF;
        if condition >= 0xE {
            return None;
        }
        if self.condition_holds(condition) {
            let bit = |shift: u32| low >> shift & 1;
            let offset = sign << 20 | bit(11) << 19 | bit(13) << 18 | (high & 0x3F) << 12 | (low & 0x7FF) << 1;
            *next = from.wrapping_add(sign_extend(offset, 21));
        }
        Some(1)
    }

    /// Loads or stores one register.
    fn load_or_store_one(&mut self, first: u16, second: u16, pc: u32) -> Option<u64> {
        let (n, t) = (usize::from(first & 0xF), usize::from(second >> 12));
        let loads = first & 0x10 != 0;
        if t == PC || t == SP {
            return None;
        }
        let twelve = u32::from(second & 0xFFF);
        let mut written_back = None;
        let address = if n == PC {
            let base = pc.wrapping_add(4) & !3;
            if first & 0x80 != 0 { base.wrapping_add(twelve) } else { base.wrapping_sub(twelve) }
        } else if first & 0x80 != 0 {
            self.r[n].wrapping_add(twelve)
        } else if second & 0x800 != 0 {
            let offset = u32::from(second & 0xFF);
            let offset = if second & 0x200 != 0 { offset } else { 0u32.wrapping_sub(offset) };
            let moved = self.r[n].wrapping_add(offset);
            let is_pre_indexed = second & 0x400 != 0;
            written_back = (second & 0x100 != 0 || !is_pre_indexed).then_some(moved);
            if is_pre_indexed { moved } else { self.r[n] }
        } else {
            self.r[n].wrapping_add(self.operand(second)? << (second >> 4 & 3))
        };
        let value = self.r[t];
        match (first >> 5 & 3, loads, first & 0x100 != 0) {
            (0, true, false) => self.r[t] = self.read8(address)?.into(),
            (0, true, true) => self.r[t] = self.read8(address)? as i8 as u32,
            (1, true, false) => self.r[t] = self.read16(address)?.into(),
            (1, true, true) => self.r[t] = self.read16(address)? as i16 as u32,
            (2, true, false) => self.r[t] = self.read32(address)?,
            (0, false, false) => self.write8(address, value as u8)?,
            (1, false, false) => self.write16(address, value as u16)?,
            (2, false, false) => self.write32(address, value)?,
            _ => return None,
        }
        if let Some(moved) = written_back {
            self.r[n] = moved;
        }
        Some(2)
    }

    /// LDRD and STRD, LDA and STL, and the table branches TBB and TBH. Exclusive accesses are not supported.
    fn load_or_store_two(&mut self, first: u16, second: u16, pc: u32, next: &mut u32) -> Option<u64> {
        let n = usize::from(first & 0xF);
        let base = if n == PC { pc.wrapping_add(4) } else { self.r[n] };
        if first & 0xFFF0 == 0xE8D0 && second & 0xF0E0 == 0xF000 {
            let index = self.operand(second)?;
            let entry = if second & 0x10 != 0 {
                self.read16(base.wrapping_add(index << 1))?.into()
            } else {
                u32::from(self.read8(base.wrapping_add(index))?)
            };
            *next = pc.wrapping_add(4).wrapping_add(entry << 1);
            return Some(4);
        }
        let (before, back) = (first & 0x100 != 0, first & 0x20 != 0);
        if !before
            && !back
            && let Some([first, second]) = without_ordering([first, second])
            && first >> 9 == 0x7C
        {
            return self.load_or_store_one(first, second, pc);
        }
        let (t, u) = (usize::from(second >> 12), usize::from(second >> 8 & 0xF));
        if !before && !back || n == PC || [t, u].iter().any(|&register| register == PC || register == SP) {
            return None;
        }
        let offset = u32::from(second & 0xFF) << 2;
        let moved = if first & 0x80 != 0 { base.wrapping_add(offset) } else { base.wrapping_sub(offset) };
        let address = if before { moved } else { base };
        let other = address.wrapping_add(4);
        if first & 0x10 != 0 {
            let values = [self.read32(address)?, self.read32(other)?];
            (self.r[t], self.r[u]) = (values[0], values[1]);
        } else {
            // Both words are stored or none.
            self.in_sram(other, 4)?;
            self.write32(address, self.r[t])?;
            self.write32(other, self.r[u])?;
        }
        if back {
            self.r[n] = moved;
        }
        Some(3)
    }

    /// LDM and STM, which include PUSH and POP.
    fn load_or_store_several(&mut self, first: u16, second: u16, next: &mut u32) -> Option<u64> {
        let n = usize::from(first & 0xF);
        let list = u32::from(second);
        let count = list.count_ones();
        let size = 4 * count;
        if n == PC || list & 1 << SP != 0 || list == 0 {
            return None;
        }
        let (loads, back) = (first & 0x10 != 0, first & 0x20 != 0);
        let (base, after) = match first >> 7 & 3 {
            0b01 => (self.r[n], self.r[n].wrapping_add(size)),
            0b10 => (self.r[n].wrapping_sub(size), self.r[n].wrapping_sub(size)),
            _ => return None,
        };
        let jumps = list >> PC & 1 != 0;
        if loads {
            let others = list & !(1 << PC);
            if jumps {
                let target = self.read32(base.wrapping_add(size - 4))?;
                if target & 1 == 0 || target >> 28 == 0xF {
                    return None;
                }
                if others != 0 {
                    self.load_registers(base, others)?;
                }
                *next = target & !1;
            } else {
                self.load_registers(base, others)?;
            }
        } else if jumps {
            return None;
        } else {
            self.store_registers(base, list)?;
        }
        if back && !(loads && list >> n & 1 != 0) {
            self.r[n] = after;
        }
        Some(u64::from(1 + count + if jumps { 3 } else { 0 }))
    }
}
