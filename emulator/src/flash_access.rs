//! Who reads the flash by its addresses, and when.
//!
//! From the boot ROM's `flash_exit_xip` to its `flash_flush_cache`, and while an operation runs, the flash answers commands and cannot
//! be read by address: whoever does gets rubbish and may spoil the operation. A program that leaves interrupts on meanwhile must
//! have everything that they use in RAM. Each such access is kept, for tests to find none.

use crate::memory_power::AccessKind;
use core::ops::RangeInclusive;
use core::time::Duration;

/// Accesses kept in full; more are only counted.
const KEEP: usize = 1000;

/// An access to flash that could not be served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlashAccess {
    /// When, since power-on.
    pub at: Duration,
    /// Where.
    pub address: u32,
    /// By the core, to fetch an instruction or to read data, or by the DMA.
    pub kind: AccessKind,
    /// Where the core was.
    pub pc: u32,
}

/// What core and DMA wanted of the flash since the watch began.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FlashUse {
    /// Instructions that were fetched from it (the first thousand).
    pub fetched: Vec<u32>,
    /// The lowest and the highest address that data was read from.
    pub read: Option<RangeInclusive<u32>>,
    /// Where the core was when an exception handler or the DMA read data (the first thousand times).
    pub read_in_handlers: Vec<u32>,
}

/// The flash's readiness, and its watcher.
#[derive(Clone, Debug, Default)]
pub(crate) struct FlashGuard {
    /// Between leaving and entering the mode in which it can be read.
    pub is_closed: bool,
    /// An operation runs.
    pub is_busy: bool,
    /// Where the core is, and whether in a handler.
    pub pc: u32,
    pub in_handler: bool,
    pub refused: Vec<FlashAccess>,
    pub watch: Option<FlashUse>,
}

impl FlashGuard {
    /// Whether accesses have to be reported.
    #[inline]
    pub fn is_on(&self) -> bool {
        self.is_closed || self.is_busy || self.watch.is_some()
    }

    /// Core or DMA access this address, which may be in flash.
    pub fn note(&mut self, address: u32, kind: AccessKind, now: u64) {
        if address >> 26 != 0x1000_0000 >> 26 {
            return;
        }
        if (self.is_closed || self.is_busy) && self.refused.len() < KEEP {
            self.refused.push(FlashAccess { at: Duration::from_nanos(now), address, kind, pc: self.pc });
        }
        let Some(watch) = &mut self.watch else { return };
        match kind {
            AccessKind::Fetch if watch.fetched.len() < KEEP => watch.fetched.push(address),
            AccessKind::Read | AccessKind::Dma => {
                let (low, high) = watch.read.take().map_or((address, address), RangeInclusive::into_inner);
                watch.read = Some(low.min(address)..=high.max(address));
                if (self.in_handler || kind == AccessKind::Dma) && watch.read_in_handlers.len() < KEEP {
                    watch.read_in_handlers.push(self.pc);
                }
            }
            _ => {}
        }
    }
}
