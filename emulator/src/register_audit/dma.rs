//! The DMA, of which the firmware uses one channel.

use super::Source::{Both, Descriptions};
use super::{Register, one, row};

const CHANNEL: Register = row(
    (0x000, 0x00C),
    "CH0: READ_ADDR, WRITE_ADDR, TRANS_COUNT, CTRL_TRIG",
    Descriptions,
    "a write to CTRL_TRIG starts the channel. BUSY is set from the start to the end of the last transfer, also while \
     EN is 0. A bus error halts the channel, raises its interrupt and sets READ_ERROR or WRITE_ERROR. RP2350: the \
     upper four bits of TRANS_COUNT are MODE",
    "as described, but a bus error is not reported; the DMA accesses every peripheral without our corrections",
    "accesses only memory and PIO: a channel with any other address is stopped",
)
.tests(&["dma_accesses_only_memory_and_pio"]);

const INTERRUPTS: Register = row(
    (0x404, 0x40C),
    "INTE0, INTS0",
    Descriptions,
    "INTE0 enables interrupts; INTS0 is their status, cleared by writing ones",
    "as described",
    "nothing to correct",
);

const ABORT: &str = "stops the channels whose bits are written; a bit stays 1 until the transfers in flight are done. \
     Software must wait for 0 before it starts the channel again. RP2040-E13: the end of the last transfer may raise \
     the channel's interrupt";
const ABORT_UPSTREAM: &str = "stops at once and reads as 0";
const ABORT_OURS: &str = "not corrected, so code that does not wait would pass. embassy-rp waits for BUSY instead; the \
     fault handler does not start a channel again. Erratum E13 is not modelled";

/// Rows of the RP2040.
pub(super) const RP2040: &[Register] =
    &[CHANNEL, INTERRUPTS, row(one(0x444), "CHAN_ABORT", Both, ABORT, ABORT_UPSTREAM, ABORT_OURS)];

/// Rows of the RP2350.
pub(super) const RP2350: &[Register] =
    &[CHANNEL, INTERRUPTS, row(one(0x464), "CHAN_ABORT", Both, ABORT, ABORT_UPSTREAM, ABORT_OURS)];
