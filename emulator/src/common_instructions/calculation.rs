//! Sums, shifts and the condition flags. Each function that executes an instruction returns its cycles.

use super::Core;

/// The condition flags in the program status register.
const N: u32 = 1 << 31;
const Z: u32 = 1 << 30;
pub(super) const C: u32 = 1 << 29;
const V: u32 = 1 << 28;

/// For each condition, a bit for each state of the flags N, Z, C and V in which the condition holds.
const HOLDS: [u16; 16] = {
    let mut table = [0; 16];
    let mut flags = 0;
    while flags < 16 {
        let (n, z, c, v) = (flags & 8 != 0, flags & 4 != 0, flags & 2 != 0, flags & 1 != 0);
        let conditions = [z, c, n, v, c && !z, n == v, !z && n == v, true];
        let mut condition = 0;
        while condition < 16 {
            // Odd conditions are the opposite of the even ones, except for the last two, which always hold.
            let holds = conditions[condition / 2] != (condition % 2 != 0 && condition < 14);
            table[condition] |= (holds as u16) << flags;
            condition += 1;
        }
        flags += 1;
    }
    table
};

impl<const M33: bool> Core<'_, M33> {
    /// The sixteen data processing instructions with two registers.
    #[inline]
    pub(super) fn data_processing(&mut self, op: u16) -> u64 {
        let d = usize::from(op & 7);
        let (a, b) = (self.r[d], self.r[usize::from(op >> 3 & 7)]);
        let old_carry = *self.psr & C != 0;
        let places = b & 0xFF;
        match op >> 6 & 0xF {
            0x0 => self.set_result(d, a & b),
            0x1 => self.set_result(d, a ^ b),
            0x2 => {
                let shifted = u64::from(a).checked_shl(places).unwrap_or(0);
                if places > 0 {
                    self.set_carry(shifted >> 32 & 1 != 0);
                }
                self.set_result(d, shifted as u32)
            }
            0x3 => {
                let shifted = (u64::from(a) << 1).checked_shr(places).unwrap_or(0);
                if places > 0 {
                    self.set_carry(shifted & 1 != 0);
                }
                self.set_result(d, (shifted >> 1) as u32)
            }
            0x4 => {
                let shifted = (i64::from(a as i32) << 1) >> places.min(32);
                if places > 0 {
                    self.set_carry(shifted & 1 != 0);
                }
                self.set_result(d, (shifted >> 1) as u32)
            }
            0x5 => self.set_sum(d, a, b, old_carry),
            0x6 => self.set_sum(d, a, !b, old_carry),
            0x7 => {
                let rotated = a.rotate_right(places & 31);
                if places > 0 {
                    self.set_carry(rotated >> 31 != 0);
                }
                self.set_result(d, rotated)
            }
            0x8 => {
                self.set_sign_flags(a & b);
                1
            }
            0x9 => self.set_sum(d, 0, !b, true),
            0xA => self.compare(d, b),
            0xB => {
                self.add_with_carry(a, b, false);
                1
            }
            0xC => self.set_result(d, a | b),
            0xD => self.set_result(d, a.wrapping_mul(b)) + u64::from(M33),
            0xE => self.set_result(d, a & !b),
            _ => self.set_result(d, !b),
        }
    }

    /// LSLS by a constant.
    #[inline(always)]
    pub(super) fn shift_left(&mut self, d: usize, m: usize, places: u32) -> u64 {
        let value = self.r[m];
        if places > 0 {
            self.set_carry(value >> (32 - places) & 1 != 0);
        }
        self.set_result(d, value << places)
    }

    /// LSRS by a constant. A constant of 0 means 32 places.
    #[inline(always)]
    pub(super) fn shift_right(&mut self, d: usize, m: usize, places: u32) -> u64 {
        let value = u64::from(self.r[m]) << 1;
        let shifted = value >> if places == 0 { 32 } else { places };
        self.set_carry(shifted & 1 != 0);
        self.set_result(d, (shifted >> 1) as u32)
    }

    /// ASRS by a constant. A constant of 0 means 32 places.
    #[inline(always)]
    pub(super) fn shift_right_signed(&mut self, d: usize, m: usize, places: u32) -> u64 {
        let value = i64::from(self.r[m] as i32) << 1;
        let shifted = value >> if places == 0 { 32 } else { places };
        self.set_carry(shifted & 1 != 0);
        self.set_result(d, (shifted >> 1) as u32)
    }

    /// CMP of a register with a value.
    #[inline(always)]
    pub(super) fn compare(&mut self, n: usize, value: u32) -> u64 {
        self.add_with_carry(self.r[n], !value, true);
        1
    }

    /// Sets a register to a sum, with all flags.
    #[inline(always)]
    pub(super) fn set_sum(&mut self, d: usize, a: u32, b: u32, carry: bool) -> u64 {
        self.r[d] = self.add_with_carry(a, b, carry);
        1
    }

    /// Sets a register without changing flags.
    #[inline(always)]
    pub(super) fn set(&mut self, d: usize, value: u32) -> u64 {
        self.r[d] = value;
        1
    }

    /// Sets the flags N and Z.
    #[inline(always)]
    pub(super) fn set_sign_flags(&mut self, result: u32) {
        *self.psr = *self.psr & !(N | Z) | result & N | if result == 0 { Z } else { 0 };
    }

    /// Sets the flag C.
    #[inline(always)]
    pub(super) fn set_carry(&mut self, carry: bool) {
        *self.psr = *self.psr & !C | if carry { C } else { 0 };
    }

    /// Sets a register to a result, with the flags N and Z.
    #[inline(always)]
    pub(super) fn set_result(&mut self, register: usize, result: u32) -> u64 {
        self.r[register] = result;
        self.set_sign_flags(result);
        1
    }

    /// Returns a sum and sets all flags. A difference is the sum with the complement and a carry.
    #[inline(always)]
    pub(super) fn add_with_carry(&mut self, a: u32, b: u32, carry: bool) -> u32 {
        let wide = u64::from(a) + u64::from(b) + u64::from(carry);
        let sum = wide as u32;
        let overflow = ((a ^ sum) & (b ^ sum)) >> 31;
        self.set_sign_flags(sum);
        *self.psr = *self.psr & !(C | V) | ((wide >> 32) as u32) << 29 | overflow << 28;
        sum
    }

    /// Whether the flags meet the condition of a branch or of an instruction in an IT block.
    #[inline(always)]
    pub(super) fn condition_holds(&self, condition: u16) -> bool {
        HOLDS[usize::from(condition & 0xF)] >> (*self.psr >> 28) & 1 != 0
    }
}
