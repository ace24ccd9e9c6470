//! Sums, shifts and the flags that they leave.

use super::Core;

/// Bits of the program status register.
const N: u32 = 1 << 31;
const Z: u32 = 1 << 30;
pub const C: u32 = 1 << 29;
const V: u32 = 1 << 28;

/// For each condition, the states of the flags N, Z, C and V in which it holds: a bit for each.
const HOLDS: [u16; 16] = {
    let mut table = [0; 16];
    let mut flags = 0;
    while flags < 16 {
        let (n, z, c, v) = (flags & 8 != 0, flags & 4 != 0, flags & 2 != 0, flags & 1 != 0);
        let conditions = [z, c, n, v, c && !z, n == v, !z && n == v, true];
        let mut condition = 0;
        while condition < 16 {
            // Odd ones are the opposite, but for the last two: always.
            let holds = conditions[condition / 2] != (condition % 2 != 0 && condition < 14);
            table[condition] |= (holds as u16) << flags;
            condition += 1;
        }
        flags += 1;
    }
    table
};

impl<const M33: bool> Core<'_, M33> {
    /// The sixteen calculations on two registers.
    #[inline]
    pub fn calculate(&mut self, op: u16) -> u64 {
        let d = usize::from(op & 7);
        let (a, b) = (self.r[d], self.r[usize::from(op >> 3 & 7)]);
        let old_carry = *self.psr & C != 0;
        let places = b & 0xFF;
        match op >> 6 & 0xF {
            0x0 => self.result(d, a & b),
            0x1 => self.result(d, a ^ b),
            0x2 => {
                let shifted = u64::from(a).checked_shl(places).unwrap_or(0);
                if places > 0 {
                    self.carry(shifted >> 32 & 1 != 0);
                }
                self.result(d, shifted as u32)
            }
            0x3 => {
                let shifted = (u64::from(a) << 1).checked_shr(places).unwrap_or(0);
                if places > 0 {
                    self.carry(shifted & 1 != 0);
                }
                self.result(d, (shifted >> 1) as u32)
            }
            0x4 => {
                let shifted = (i64::from(a as i32) << 1) >> places.min(32);
                if places > 0 {
                    self.carry(shifted & 1 != 0);
                }
                self.result(d, (shifted >> 1) as u32)
            }
            0x5 => {
                self.r[d] = self.sum(a, b, old_carry);
                1
            }
            0x6 => {
                self.r[d] = self.sum(a, !b, old_carry);
                1
            }
            0x7 => {
                let turned = a.rotate_right(places & 31);
                if places > 0 {
                    self.carry(turned >> 31 != 0);
                }
                self.result(d, turned)
            }
            0x8 => {
                self.signs(a & b);
                1
            }
            0x9 => {
                self.r[d] = self.sum(0, !b, true);
                1
            }
            0xA => {
                self.sum(a, !b, true);
                1
            }
            0xB => {
                self.sum(a, b, false);
                1
            }
            0xC => self.result(d, a | b),
            0xD => self.result(d, a.wrapping_mul(b)) + u64::from(M33),
            0xE => self.result(d, a & !b),
            _ => self.result(d, !b),
        }
    }

    /// Negative or zero.
    #[inline(always)]
    pub fn signs(&mut self, result: u32) {
        *self.psr = *self.psr & !(N | Z) | result & N | if result == 0 { Z } else { 0 };
    }

    /// Sets this flag alone.
    #[inline(always)]
    pub fn carry(&mut self, carry: bool) {
        *self.psr = *self.psr & !C | if carry { C } else { 0 };
    }

    /// Puts a result into a register, with its signs.
    #[inline(always)]
    pub fn result(&mut self, register: usize, result: u32) -> u64 {
        self.r[register] = result;
        self.signs(result);
        1
    }

    /// A sum, which sets all flags.
    #[inline(always)]
    pub fn sum(&mut self, a: u32, b: u32, carry: bool) -> u32 {
        let wide = u64::from(a) + u64::from(b) + u64::from(carry);
        let sum = wide as u32;
        let overflow = ((a ^ sum) & (b ^ sum)) >> 31;
        self.signs(sum);
        *self.psr = *self.psr & !(C | V) | ((wide >> 32) as u32) << 29 | overflow << 28;
        sum
    }

    /// Whether the flags are as a branch wants them, or an instruction behind IT, which may also want nothing.
    #[inline(always)]
    pub fn holds(&self, condition: u16) -> bool {
        HOLDS[usize::from(condition & 0xF)] >> (*self.psr >> 28) & 1 != 0
    }
}
