//! Writes to the core's private registers, as far as the emulator drops or narrows them.
//!
//! The core keeps these registers to itself but tells of each write; what it has made too little of is done then.
//!
//! - **Priorities** written as bytes are dropped, so all would stay 0; and of the chip's four bits (sixteen levels) it compares three. It is given
//!   the rank of each level among those in use instead, which is the same as long as no more than eight are.
//! - **STIR**, by which software makes an interrupt pending, is missing.
//! - **SYSRESETREQ** does nothing.

use super::interrupts;
use crate::chip::ChipState;
use crate::watchdog::ResetCause;
use rp2350_emu::CortexM33;

const INTERRUPTS: usize = 52;
const PRIORITIES: u32 = 0xE000_E400;
const PRIORITIES_END: u32 = PRIORITIES + INTERRUPTS as u32;
const STIR: u32 = 0xE000_EF00;
const AIRCR: u32 = 0xE000_ED0C;
/// SYSRESETREQ with its key.
const RESET: u32 = 0x05FA_0004;
/// The bits of a priority that the chip has.
const LEVEL: u8 = 0xF0;
/// Ranks that the emulator tells apart, and where it has them.
const RANKS: usize = 8;
const RANK_SHIFT: u32 = 5;

/// A write to a private register: bytes, address and value.
#[derive(Clone, Copy, Debug)]
pub struct PrivateWrite {
    pub size: u32,
    pub address: u32,
    pub value: u32,
}

/// The priority of each interrupt as it was written.
#[derive(Debug)]
pub struct Priorities([u8; INTERRUPTS]);

impl Default for Priorities {
    fn default() -> Self {
        Self([0; INTERRUPTS])
    }
}

impl Priorities {
    fn write(&mut self, at: usize, bytes: &[u8]) {
        for (level, byte) in self.0.iter_mut().skip(at).zip(bytes) {
            *level = byte & LEVEL;
        }
    }

    /// A number below eight for each interrupt, in the order of their priorities.
    fn ranks(&self) -> impl Iterator<Item = u32> {
        let mut levels = self.0.to_vec();
        levels.sort_unstable();
        levels.dedup();
        let rank = move |level: u8| levels.partition_point(|other| *other < level).min(RANKS - 1) as u32;
        self.0.iter().map(move |level| rank(*level))
    }
}

/// What follows from a write beyond what the emulator has done.
pub fn follow(write: PrivateWrite, core: &mut CortexM33, chip: &mut ChipState, priorities: &mut Priorities) {
    let PrivateWrite { size, address, value } = write;
    match address {
        STIR => interrupts::pend(core, 1u64.checked_shl(value & 0x1FF).unwrap_or(0) & ((1 << INTERRUPTS) - 1)),
        PRIORITIES..PRIORITIES_END => {
            priorities.write((address - PRIORITIES) as usize, &value.to_le_bytes()[..size as usize]);
            core.ppb.nvic_ipr.fill(0);
            for (line, rank) in priorities.ranks().enumerate() {
                core.ppb.nvic_ipr[line / 4] |= rank << (RANK_SHIFT + 8 * (line as u32 % 4));
            }
        }
        AIRCR if value & 0xFFFF_0004 == RESET => {
            chip.reset = Some(ResetCause::System);
            chip.stop = true;
        }
        _ => {}
    }
}
