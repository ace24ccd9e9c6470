//! Short branch instructions, and BL.

use super::{Core, LOOP, LR, PC, jump_cycles};

/// The delay loop of the crate `cortex-m`: `subs rN, #1` and a `bne` back to it. The register is not part of the mask.
const DELAY_SUBTRACT: u16 = 0x3801;
const DELAY_SUBTRACT_MASK: u16 = 0xF8FF;
const DELAY_BRANCH: u16 = 0xD1FD;

impl<const M33: bool> Core<'_, M33> {
    /// B with a condition.
    #[inline(always)]
    pub(super) fn conditional_branch(&mut self, op: u16, pc: u32) -> Option<(u64, u32)> {
        let condition = op >> 8 & 0xF;
        if condition >= 0xE {
            return None;
        }
        let taken = if M33 { 1 } else { 3 };
        let target = pc.wrapping_add(4).wrapping_add((op as i8 as u32) << 1);
        let holds = self.condition_holds(condition);
        let next = if holds { target } else { pc.wrapping_add(2) };
        let cycles = if op == DELAY_BRANCH && holds {
            taken + self.run_delay_loop(pc, taken)
        } else if holds {
            taken
        } else {
            1
        };
        Some((cycles, next))
    }

    /// Executes further rounds of a delay loop whose branch at `pc` was taken, as many as the count and the budget
    /// allow. Returns their cycles, which are those of the two instructions in each round.
    #[inline(never)]
    fn run_delay_loop(&mut self, pc: u32, branch_cycles: u64) -> u64 {
        let begin = pc.wrapping_sub(2);
        let Some(op) = self.read16(begin).filter(|op| op & DELAY_SUBTRACT_MASK == DELAY_SUBTRACT) else { return 0 };
        let register = usize::from(op >> 8 & 7);
        let round = 1 + branch_cycles + if M33 { jump_cycles(begin) } else { 0 };
        // The last round, which does not branch, is not included. The budget must not be used up by the rounds.
        let rounds = u64::from(self.r[register]).saturating_sub(1);
        let rounds = rounds.min(self.left.saturating_sub(1 + 2 * round) / round) as u32;
        if rounds > 0 {
            self.r[register] = self.add_with_carry(self.r[register] - (rounds - 1), !1, true);
        }
        u64::from(rounds) * round
    }

    /// B without a condition.
    #[inline(always)]
    pub(super) fn branch(&mut self, op: u16, pc: u32) -> Option<(u64, u32)> {
        if op == LOOP {
            return None;
        }
        let offset = (u32::from(op) << 21) as i32 >> 20;
        let cycles = match offset {
            0.. if M33 => 1,
            ..-256 if M33 => 5,
            _ => 3,
        };
        Some((cycles, pc.wrapping_add(4).wrapping_add(offset as u32)))
    }

    /// BL, MRS of PRIMASK, and barriers. The M0+ has no other common instruction of two halfwords.
    #[inline(always)]
    pub(super) fn branch_with_link_or_system(&mut self, op: u16, pc: u32) -> Option<(u64, u32)> {
        let second = self.read16(pc.wrapping_add(2))?;
        if second & 0xD000 != 0xD000 {
            return Some((self.read_primask_or_barrier(op, second)?, pc.wrapping_add(4)));
        }
        let (first, second) = (u32::from(op), u32::from(second));
        let sign = first >> 10 & 1;
        let bit = |shift: u32| (second >> shift ^ sign ^ 1) & 1;
        let offset = sign << 24 | bit(13) << 23 | bit(11) << 22 | (first & 0x3FF) << 12 | (second & 0x7FF) << 1;
        self.r[LR] = pc.wrapping_add(4) | 1;
        Some((4, pc.wrapping_add(4).wrapping_add(((offset << 7) as i32 >> 7) as u32) & !1))
    }

    /// CBZ and CBNZ, which only the M33 has.
    #[inline(always)]
    pub(super) fn compare_and_branch(&mut self, op: u16, pc: u32) -> (u64, u32) {
        if (self.r[usize::from(op & 7)] == 0) == (op & 0x800 == 0) {
            (2, pc.wrapping_add(4).wrapping_add(u32::from(op >> 3 & 0x40 | op >> 2 & 0x3E)))
        } else {
            (1, pc.wrapping_add(2))
        }
    }

    /// ADD, CMP and MOV with all sixteen registers, BX and BLX.
    #[inline(always)]
    pub(super) fn high_registers(&mut self, op: u16, pc: u32) -> Option<(u64, u32)> {
        let d = usize::from(op >> 4 & 8 | op & 7);
        let m = usize::from(op >> 3 & 0xF);
        let next = pc.wrapping_add(2);
        let read = |core: &Self, register| if register == PC { pc.wrapping_add(4) } else { core.r[register] };
        let value = read(self, m);
        match op >> 8 & 3 {
            1 => {
                self.add_with_carry(read(self, d), !value, true);
                Some((1, next))
            }
            // Not supported: a branch to ARM code, a return from an exception, and a branch to the non-secure state.
            3 => {
                if value & 1 == 0 || value >> 28 == 0xF || M33 && op & 7 != 0 {
                    return None;
                }
                if op & 0x80 != 0 {
                    self.r[LR] = next | 1;
                }
                Some((if M33 { 1 } else { 3 }, value & !1))
            }
            add_or_move => {
                let value = if add_or_move == 0 { read(self, d).wrapping_add(value) } else { value };
                if M33 && d == PC && value >> 28 == 0xF {
                    return None;
                }
                if d == PC {
                    return Some((3, value & !1));
                }
                self.r[d] = value;
                Some((1, next))
            }
        }
    }
}
