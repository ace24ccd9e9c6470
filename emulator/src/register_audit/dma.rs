//! The DMA: one channel of it is used.

use super::Source::{Both, Descriptions};
use super::{Register, one, row};

const CHANNEL: Register = row(
    (0x000, 0x00C),
    "CH0: READ_ADDR, WRITE_ADDR, TRANS_COUNT, CTRL_TRIG",
    Descriptions,
    "CTRL_TRIG starts. BUSY from the start to the end of the last transfer, also while EN is 0. A bus error halts \
     the channel, raises its interrupt and stays in READ_ERROR or WRITE_ERROR. RP2350: TRANS_COUNT has a MODE in its \
     upper four bits",
    "as described, but a bus error is not told; reaches every peripheral past our overlays",
    "reaches memory and PIO only: a channel that would go elsewhere is stopped",
)
.tests(&["the_dma_reaches_memory_and_pio_only"]);

const INTERRUPTS: Register = row(
    (0x404, 0x40C),
    "INTE0, INTS0",
    Descriptions,
    "INTE0 enables; INTS0 is the status, cleared by writing ones",
    "as described",
    "nothing to correct",
);

const ABORT: &str = "channels whose bits are written stop; a bit stays 1 until transfers in flight are done. \
     Software must wait for 0 before it starts the channel again. RP2040-E13: the end of the last one may raise the \
     channel's interrupt";
const ABORT_UPSTREAM: &str = "stops at once and reads as 0";
const ABORT_OURS: &str = "not corrected, so that code that does not wait would pass. embassy-rp waits for BUSY \
     instead; the fault path starts no channel any more. Without erratum E13";

/// Rows of the RP2040.
pub const RP2040: &[Register] =
    &[CHANNEL, INTERRUPTS, row(one(0x444), "CHAN_ABORT", Both, ABORT, ABORT_UPSTREAM, ABORT_OURS)];

/// Rows of the RP2350.
pub const RP2350: &[Register] =
    &[CHANNEL, INTERRUPTS, row(one(0x464), "CHAN_ABORT", Both, ABORT, ABORT_UPSTREAM, ABORT_OURS)];
