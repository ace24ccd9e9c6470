//! A guard against reads of the flash while it cannot be read, and a record of its use.
//!
//! From the boot ROM's `flash_exit_xip` to its `flash_flush_cache`, and while an operation runs, the flash is in
//! command mode and cannot be read by address (XIP). A read returns random data and can disturb the operation. If
//! interrupts stay enabled meanwhile, their handlers and all of their data must be in RAM. Each read in that time is
//! recorded, so that tests can check that there are none.

use crate::memory_power::AccessKind;
use core::ops::RangeInclusive;
use core::time::Duration;

/// Limit of each record. Further accesses are not recorded.
const MOST_RECORDED: usize = 1000;

/// A read of the flash at a time when it could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlashAccess {
    /// Time since power-on.
    pub at: Duration,
    /// Address that was read.
    pub address: u32,
    /// Instruction fetch or data read by the core, or read by the DMA.
    pub kind: AccessKind,
    /// Program counter of the core.
    pub pc: u32,
}

/// The use of the flash by core and DMA since [`Handheld::watch_flash`](crate::Handheld::watch_flash).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FlashUse {
    /// Addresses of fetched instructions (the first thousand).
    pub fetched: Vec<u32>,
    /// The lowest and the highest address from which data was read.
    pub read: Option<RangeInclusive<u32>>,
    /// Program counter of the core at data reads by an exception handler or the DMA (the first thousand).
    pub read_in_handlers: Vec<u32>,
}

/// Whether the flash can be read, and the records of its use.
#[derive(Clone, Debug, Default)]
pub(crate) struct FlashGuard {
    /// XIP is off: between `flash_exit_xip` and `flash_flush_cache`.
    pub is_closed: bool,
    /// An operation runs.
    pub is_busy: bool,
    /// Program counter of the core.
    pub pc: u32,
    /// Whether the core is in an exception handler.
    pub in_handler: bool,
    pub refused: Vec<FlashAccess>,
    pub watch: Option<FlashUse>,
}

impl FlashGuard {
    /// Whether accesses must be reported to [`FlashGuard::note`].
    #[inline]
    pub(crate) fn is_on(&self) -> bool {
        self.is_closed || self.is_busy || self.watch.is_some()
    }

    /// Records an access by core or DMA, if the address is in flash.
    pub(crate) fn note(&mut self, address: u32, kind: AccessKind, now: u64) {
        if address >> 26 != 0x1000_0000 >> 26 {
            return;
        }
        if (self.is_closed || self.is_busy) && self.refused.len() < MOST_RECORDED {
            self.refused.push(FlashAccess { at: Duration::from_nanos(now), address, kind, pc: self.pc });
        }
        let Some(watch) = &mut self.watch else { return };
        match kind {
            AccessKind::Fetch if watch.fetched.len() < MOST_RECORDED => watch.fetched.push(address),
            AccessKind::Read | AccessKind::Dma => {
                let (low, high) = watch.read.take().map_or((address, address), RangeInclusive::into_inner);
                watch.read = Some(low.min(address)..=high.max(address));
                if (self.in_handler || kind == AccessKind::Dma) && watch.read_in_handlers.len() < MOST_RECORDED {
                    watch.read_in_handlers.push(self.pc);
                }
            }
            _ => {}
        }
    }
}
