//! What the core does most of the time, done fast.
//!
//! Nearly all instructions touch nothing but registers and memory. The emulators execute one at a time, and look for interrupts and
//! faults at each; that takes some thirty nanoseconds, and most of the time of every test. Here such instructions are executed in a
//! row. Whatever could be noticed beyond registers and memory (a peripheral, an exception, an access that faults, an
//! instruction that does not exist) is left untouched and undone: [`Core::run`] ends before it, and the emulator does it.
//! The instructions of a critical section are executed here too: see `system`.
//!
//! The Cortex-M0+ of the RP2040 and the Cortex-M33 of the RP2350 have the short instructions in common, but not their cycles; the long ones, in
//! `long`, and those that depend on a condition, in `conditional`, are the M33's.
//!
//! The result is the same to the bit and to the cycle; a test compares the two on every instruction there is.

mod calculation;
mod conditional;
mod long;
mod memory;
mod system;

pub(crate) use memory::{DecodedCode, Reach};
pub(crate) use system::System;

const SP: usize = 13;
const LR: usize = 14;
const PC: usize = 15;

/// `b .`: what waits for ever is for the machine to skip.
const LOOP: u16 = 0xE7FE;

/// The delay loop of the crate `cortex-m`: `subs rN, #1`, but for its register, and `bne` back to it.
const COUNT_DOWN: u16 = 0x3801;
const COUNT_DOWN_MASK: u16 = 0xF8FF;
const COUNT_AGAIN: u16 = 0xD1FD;

/// The registers, and what they work on.
pub(crate) struct Core<'a, const M33: bool> {
    r: &'a mut [u32; 16],
    psr: &'a mut u32,
    reach: Reach<'a>,
    /// `None`: someone measures the interrupt mask, so the emulator has to execute what changes it.
    system: Option<System<'a>>,
    /// Cycles of the budget that were left when the instruction at work began.
    left: u64,
    /// The last halfword that was fetched, which only the M33 cares for.
    pub last: u32,
}

/// Of a place that does not follow the last one: the emulator of the RP2350 has two of eight banks that make it wait.
fn jump_cycles(pc: u32) -> u64 {
    u64::from(pc & 0x000F_FFFF < 0x8_0000 && pc >> 2 & 3 == 2)
}

impl<'a, const M33: bool> Core<'a, M33> {
    /// With the registers and the program status of a core.
    pub fn new(r: &'a mut [u32; 16], psr: &'a mut u32, reach: Reach<'a>, system: Option<System<'a>>) -> Self {
        Self { r, psr, reach, system, left: 0, last: 0 }
    }

    /// Executes instructions until `cycles` have passed, or until one comes that is not for us; gives the cycles they took. No
    /// interrupt may be waiting that the core would take, and no condition of an IT instruction.
    pub fn run(&mut self, cycles: u64) -> u64 {
        let mut pc = self.r[PC];
        let mut passed = 0;
        while passed < cycles {
            self.left = cycles - passed;
            let Some((taken, next)) = self.step(pc) else { break };
            passed += taken;
            pc = next;
        }
        self.r[PC] = pc;
        passed
    }

    /// The same, but at least one instruction, and then up to one whose address `stops`.
    pub fn run_to(&mut self, cycles: u64, stops: impl Fn(u32) -> bool) -> u64 {
        // A budget of nothing: no delay loop runs past an address that stops.
        self.left = 0;
        let mut pc = self.r[PC];
        let mut passed = 0;
        while passed < cycles {
            let Some((taken, next)) = self.step(pc) else { break };
            passed += taken;
            pc = next;
            if stops(pc) {
                break;
            }
        }
        self.r[PC] = pc;
        passed
    }

    /// The branch of a delay loop was taken: executes further rounds of it at once, as many as the count and the budget
    /// allow. Gives the cycles that they take, which are those of their two instructions.
    #[inline(never)]
    fn count_down(&mut self, pc: u32, branch_cycles: u64) -> u64 {
        let begin = pc.wrapping_sub(2);
        let Some(op) = self.read16(begin).filter(|op| op & COUNT_DOWN_MASK == COUNT_DOWN) else { return 0 };
        let register = usize::from(op >> 8 & 7);
        let round = 1 + branch_cycles + if M33 { jump_cycles(begin) } else { 0 };
        // Not the last round, which does not branch; and the budget must last beyond them.
        let rounds = u64::from(self.r[register]).saturating_sub(1);
        let rounds = rounds.min(self.left.saturating_sub(1 + 2 * round) / round) as u32;
        if rounds > 0 {
            self.r[register] = self.sum(self.r[register] - (rounds - 1), !1, true);
        }
        u64::from(rounds) * round
    }

    /// Executes the instruction at `pc`, and gives its cycles and where the next one is; or nothing has happened. The register of
    /// the program counter is not touched.
    #[inline(always)]
    fn step(&mut self, pc: u32) -> Option<(u64, u32)> {
        let op = self.read16(pc)?;
        if !M33 {
            return self.execute(op, pc);
        }
        let jumped = pc != self.last.wrapping_add(2) && pc != self.last.wrapping_add(4);
        let is_long = op >= 0xE800;
        let (cycles, next) = if is_long {
            self.long(op, pc)?
        } else if op & 0xFF00 == 0xBF00 && op & 0xF != 0 {
            self.conditional(op, pc)?
        } else {
            self.last_is(pc, |core| core.execute(op, pc))?
        };
        if is_long {
            self.last = pc.wrapping_add(2);
        }
        Some((if jumped { cycles + jump_cycles(pc) } else { cycles }, next))
    }

    /// Does it, and remembers the place if it was done.
    #[inline(always)]
    fn last_is(&mut self, pc: u32, execute: impl FnOnce(&mut Self) -> Option<(u64, u32)>) -> Option<(u64, u32)> {
        let done = execute(self)?;
        self.last = pc;
        Some(done)
    }

    /// Executes a short instruction; gives its cycles and where the next one is.
    #[inline(always)]
    fn execute(&mut self, op: u16, pc: u32) -> Option<(u64, u32)> {
        let low = |shift: u32| usize::from(op >> shift & 7);
        let byte = u32::from(op & 0xFF);
        let five = u32::from(op >> 6 & 0x1F);
        let mut next = pc.wrapping_add(2);
        let cycles = match op >> 11 {
            // LSLS, LSRS, ASRS by a constant.
            0b00000 => {
                let value = self.r[low(3)];
                if five > 0 {
                    self.carry(value >> (32 - five) & 1 != 0);
                }
                self.result(low(0), value << five)
            }
            0b00001 => {
                let value = u64::from(self.r[low(3)]) << 1;
                let shifted = value >> if five == 0 { 32 } else { five };
                self.carry(shifted & 1 != 0);
                self.result(low(0), (shifted >> 1) as u32)
            }
            0b00010 => {
                let value = i64::from(self.r[low(3)] as i32) << 1;
                let shifted = value >> if five == 0 { 32 } else { five };
                self.carry(shifted & 1 != 0);
                self.result(low(0), (shifted >> 1) as u32)
            }
            // ADDS and SUBS of a register or a small constant.
            0b00011 => {
                let other = if op & 0x400 != 0 { u32::from(op >> 6 & 7) } else { self.r[low(6)] };
                let sum = if op & 0x200 == 0 {
                    self.sum(self.r[low(3)], other, false)
                } else {
                    self.sum(self.r[low(3)], !other, true)
                };
                self.r[low(0)] = sum;
                1
            }
            // MOVS, CMP, ADDS, SUBS with a constant.
            0b00100 => self.result(low(8), byte),
            0b00101 => {
                self.sum(self.r[low(8)], !byte, true);
                1
            }
            0b00110 => {
                self.r[low(8)] = self.sum(self.r[low(8)], byte, false);
                1
            }
            0b00111 => {
                self.r[low(8)] = self.sum(self.r[low(8)], !byte, true);
                1
            }
            0b01000 if op & 0x400 == 0 => self.calculate(op),
            0b01000 => {
                let d = usize::from(op >> 4 & 8 | op & 7);
                let m = usize::from(op >> 3 & 0xF);
                let read = |core: &Self, register| if register == PC { pc.wrapping_add(4) } else { core.r[register] };
                let value = read(self, m);
                match op >> 8 & 3 {
                    1 => {
                        self.sum(read(self, d), !value, true);
                        1
                    }
                    // BX and BLX: not to ARM code, not out of an exception, and not out of what is secure.
                    3 => {
                        if value & 1 == 0 || value >> 28 == 0xF || M33 && op & 7 != 0 {
                            return None;
                        }
                        if op & 0x80 != 0 {
                            self.r[LR] = next | 1;
                        }
                        next = value & !1;
                        if M33 { 1 } else { 3 }
                    }
                    add_or_move => {
                        let value = if add_or_move == 0 { read(self, d).wrapping_add(value) } else { value };
                        if M33 && d == PC && value >> 28 == 0xF {
                            return None;
                        }
                        if d == PC {
                            next = value & !1;
                            3
                        } else {
                            self.r[d] = value;
                            1
                        }
                    }
                }
            }
            0b01001 => {
                self.r[low(8)] = self.read32((pc.wrapping_add(4) & !3).wrapping_add(byte << 2))?;
                2
            }
            0b01010 | 0b01011 => {
                let address = self.r[low(3)].wrapping_add(self.r[low(6)]);
                let value = self.r[low(0)];
                match op >> 9 & 7 {
                    0 => self.write32(address, value)?,
                    1 => self.write16(address, value as u16)?,
                    2 => self.write8(address, value as u8)?,
                    3 => self.r[low(0)] = self.read8(address)? as i8 as u32,
                    4 => self.r[low(0)] = self.read32(address)?,
                    5 => self.r[low(0)] = self.read16(address)?.into(),
                    6 => self.r[low(0)] = self.read8(address)?.into(),
                    _ => self.r[low(0)] = self.read16(address)? as i16 as u32,
                }
                2
            }
            0b01100 => {
                let address = self.r[low(3)].wrapping_add(five << 2);
                self.write32(address, self.r[low(0)]).map(|()| 2).or_else(|| self.release(address))?
            }
            0b01101 => {
                let address = self.r[low(3)].wrapping_add(five << 2);
                self.r[low(0)] = self.read32(address).or_else(|| self.claim(address))?;
                2
            }
            0b01110 => {
                self.write8(self.r[low(3)].wrapping_add(five), self.r[low(0)] as u8)?;
                2
            }
            0b01111 => {
                self.r[low(0)] = self.read8(self.r[low(3)].wrapping_add(five))?.into();
                2
            }
            0b10000 => {
                self.write16(self.r[low(3)].wrapping_add(five << 1), self.r[low(0)] as u16)?;
                2
            }
            0b10001 => {
                self.r[low(0)] = self.read16(self.r[low(3)].wrapping_add(five << 1))?.into();
                2
            }
            0b10010 => {
                self.write32(self.r[SP].wrapping_add(byte << 2), self.r[low(8)])?;
                2
            }
            0b10011 => {
                self.r[low(8)] = self.read32(self.r[SP].wrapping_add(byte << 2))?;
                2
            }
            // ADR, and the same of the stack pointer.
            0b10100 => {
                self.r[low(8)] = (pc.wrapping_add(4) & !3).wrapping_add(byte << 2);
                1
            }
            0b10101 => {
                self.r[low(8)] = self.r[SP].wrapping_add(byte << 2);
                1
            }
            0b10110 | 0b10111 => match op >> 8 & 0xF {
                0b0000 => {
                    let offset = u32::from(op & 0x7F) << 2;
                    let sp = self.r[SP];
                    self.r[SP] = if op & 0x80 == 0 { sp.wrapping_add(offset) } else { sp.wrapping_sub(offset) };
                    1
                }
                // SXTH, SXTB, UXTH, UXTB.
                0b0010 => {
                    let value = self.r[low(3)];
                    self.r[low(0)] = match op >> 6 & 3 {
                        0 => value as i16 as u32,
                        1 => value as i8 as u32,
                        2 => value & 0xFFFF,
                        _ => value & 0xFF,
                    };
                    1
                }
                0b0100 | 0b0101 => {
                    let list = byte | u32::from(op >> 8 & 1) << LR;
                    let base = self.r[SP].wrapping_sub(4 * list.count_ones());
                    self.store(base, list)?;
                    self.r[SP] = base;
                    1 + u64::from(list.count_ones())
                }
                // CPSIE and CPSID.
                0b0110 => self.mask(op)?,
                0b1010 => {
                    let value = self.r[low(3)];
                    self.r[low(0)] = match op >> 6 & 3 {
                        0 => value.swap_bytes(),
                        1 => value.swap_bytes().rotate_left(16),
                        2 => return None,
                        _ => (value as u16).swap_bytes() as i16 as u32,
                    };
                    1
                }
                0b1100 => {
                    let end = self.load(self.r[SP], byte)?;
                    self.r[SP] = end;
                    1 + u64::from(byte.count_ones())
                }
                // With the program counter: not to ARM code, and not out of an exception.
                0b1101 => {
                    let count = byte.count_ones();
                    let target = self.read32(self.r[SP].wrapping_add(4 * count))?;
                    if target & 1 == 0 || target >> 28 == 0xF {
                        return None;
                    }
                    let end = if byte == 0 { self.r[SP] } else { self.load(self.r[SP], byte)? };
                    self.r[SP] = end.wrapping_add(4);
                    next = target & !1;
                    5 + u64::from(count)
                }
                // NOP.
                0b1111 if op & 0xFF == 0 => 1,
                // CBZ and CBNZ.
                kind if M33 && kind & 0b0101 == 0b0001 => {
                    if (self.r[low(0)] == 0) == (op & 0x800 == 0) {
                        next = pc.wrapping_add(4).wrapping_add(u32::from(op >> 3 & 0x40 | op >> 2 & 0x3E));
                        2
                    } else {
                        1
                    }
                }
                _ => return None,
            },
            0b11000 => {
                let base = self.r[low(8)];
                self.store(base, byte)?;
                self.r[low(8)] = base.wrapping_add(4 * byte.count_ones());
                1 + u64::from(byte.count_ones())
            }
            0b11001 => {
                let end = self.load(self.r[low(8)], byte)?;
                if byte >> low(8) & 1 == 0 {
                    self.r[low(8)] = end;
                }
                1 + u64::from(byte.count_ones())
            }
            0b11010 | 0b11011 => {
                let condition = op >> 8 & 0xF;
                if condition >= 0xE {
                    return None;
                }
                let taken = if M33 { 1 } else { 3 };
                let target = pc.wrapping_add(4).wrapping_add((op as i8 as u32) << 1);
                let holds = self.holds(condition);
                next = if holds { target } else { next };
                if op == COUNT_AGAIN && holds {
                    taken + self.count_down(pc, taken)
                } else if holds {
                    taken
                } else {
                    1
                }
            }
            0b11100 => {
                if op == LOOP {
                    return None;
                }
                let offset = (u32::from(op) << 21) as i32 >> 20;
                next = pc.wrapping_add(4).wrapping_add(offset as u32);
                match offset {
                    0.. if M33 => 1,
                    ..-256 if M33 => 5,
                    _ => 3,
                }
            }
            // BL, and what reads the mask or waits for memory; nothing else has two halves on an M0+ and is common.
            0b11110 => {
                let second = self.read16(next)?;
                if second & 0xD000 != 0xD000 {
                    return Some((self.read_mask_or_wait(op, second)?, pc.wrapping_add(4)));
                }
                let (first, second) = (u32::from(op), u32::from(second));
                let sign = first >> 10 & 1;
                let bit = |shift: u32| (second >> shift ^ sign ^ 1) & 1;
                let offset = sign << 24 | bit(13) << 23 | bit(11) << 22 | (first & 0x3FF) << 12 | (second & 0x7FF) << 1;
                self.r[LR] = pc.wrapping_add(4) | 1;
                next = pc.wrapping_add(4).wrapping_add(((offset << 7) as i32 >> 7) as u32) & !1;
                4
            }
            _ => return None,
        };
        Some((cycles, next))
    }
}
