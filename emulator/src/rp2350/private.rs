//! Writes to the core's private registers that the emulator crate does not implement fully.
//!
//! The core reports each write to these registers. This module then completes the write.
//!
//! - **Priorities**: byte writes are dropped, so all priorities would stay 0. Of the chip's four bits (sixteen levels)
//!   the emulator crate compares only three. So each interrupt gets the rank of its level among the levels in use. The
//!   order is the same as long as at most eight levels are in use.
//! - **STIR**, by which software makes an interrupt pending, is missing.
//! - **SYSRESETREQ** has no effect.

use super::interrupts;
use crate::chip::ChipState;
use crate::watchdog::ResetCause;
use rp2350_emu::CortexM33;

const INTERRUPTS: usize = 52;
const PRIORITIES: u32 = 0xE000_E400;
const PRIORITIES_END: u32 = PRIORITIES + INTERRUPTS as u32;
const STIR: u32 = 0xE000_EF00;
const AIRCR: u32 = 0xE000_ED0C;
/// The value of AIRCR for SYSRESETREQ: the key and the bit.
const RESET: u32 = 0x05FA_0004;
/// The bits of a priority that the chip implements.
const LEVEL: u8 = 0xF0;
/// The number of priorities that the emulator crate distinguishes, and their position in a byte.
const RANKS: usize = 8;
const RANK_SHIFT: u32 = 5;

/// A write to a private register.
#[derive(Clone, Copy, Debug)]
pub(super) struct PrivateWrite {
    /// The size of the access, in bytes.
    pub size: u32,
    pub address: u32,
    pub value: u32,
}

/// The written priority of each interrupt.
#[derive(Debug)]
pub(super) struct Priorities([u8; INTERRUPTS]);

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

    /// For each interrupt, the rank of its priority, below eight.
    fn ranks(&self) -> impl Iterator<Item = u32> {
        let mut levels = self.0.to_vec();
        levels.sort_unstable();
        levels.dedup();
        let rank = move |level: u8| levels.partition_point(|other| *other < level).min(RANKS - 1) as u32;
        self.0.iter().map(move |level| rank(*level))
    }
}

/// Completes a write that the emulator crate did not implement fully.
pub(super) fn complete_write(
    write: PrivateWrite,
    core: &mut CortexM33,
    chip: &mut ChipState,
    priorities: &mut Priorities,
) {
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
