//! The LED wire: a PIO program makes the pulses, DMA feeds it.
//!
//! The program is our own, because embassy-rp's and ws2812-pio's programs have fixed high pulses: 0.25 us for a zero
//! and 0.875 us for a one. The first is at the limit of the WS2812B's data sheet, the second is outside the SK6812's.
//! The limits in microseconds:
//!
//! |                | zero: high | low          | one: high    | low          |
//! | -------------- | ---------- | ------------ | ------------ | ------------ |
//! | WS2812B        | 0.25..0.55 | 0.70..1.00   | 0.65..0.95   | 0.30..0.60   |
//! | SK6812, MINI-E | 0.15..0.45 | 0.75..1.05   | 0.45..0.75   | 0.45..0.75   |
//! | WS2812B V5, C  | 0.22..0.38 |              | 0.58..1.00   |              |
//! | ours           | 0.32       | 0.88         | 0.72         | 0.48         |

use embassy_rp::dma;
use embassy_rp::peripherals::PIO0;
use embassy_rp::pio::program::{Program, pio_asm};
use embassy_rp::pio::{Common, Config, Direction, FifoJoin, Pin, ShiftConfig, ShiftDirection, StateMachine};
use embassy_time::{Duration, Timer};
use lights_out::board::CELLS;

/// Frequency of the state machine. A tick is 80 ns: a whole number of cycles at 125 MHz (RP2040) and at 150 MHz
/// (RP2350).
pub(super) const TICK_HZ: u32 = 12_500_000;
/// Length of a bit in ticks, as in [`program`].
const BIT_TICKS: u64 = 6 + 4 + 5;

/// Length of a word, which is one LED, in microseconds, rounded up.
const WORD_US: u64 = 24 * BIT_TICKS * 1_000_000 / TICK_HZ as u64 + 1;
/// Time from the end of a DMA transfer to the next frame. At the end of the transfer nine words are still to be sent:
/// eight in the FIFO and one in the shift register. Then the LEDs need up to 280 us without pulses to latch the frame;
/// we wait 300 us.
pub(super) const LATCH: Duration = Duration::from_micros(9 * WORD_US + 300);

/// Size of the PIO's instruction memory.
const PIO_INSTRUCTIONS: usize = 32;

/// The program. A bit is 6 ticks low, 4 ticks high, and 5 ticks high for a one or low for a zero. An instruction takes
/// one tick more than the delay in brackets.
pub(super) fn program() -> Program<PIO_INSTRUCTIONS> {
    pio_asm!(
        ".side_set 1",
        ".wrap_target",
        "next_bit:",
        "    out x, 1       side 0 [5]",
        "    jmp !x, zero   side 1 [3]",
        "    jmp next_bit   side 1 [4]",
        "zero:",
        "    nop            side 0 [4]",
        ".wrap",
    )
    .program
}

/// The LED chain.
pub(crate) struct Chain {
    machine: StateMachine<'static, PIO0, 0>,
    dma: dma::Channel<'static>,
}

impl Chain {
    /// Starts the program. The wire is low until the first frame.
    pub(crate) fn new(
        common: &mut Common<'static, PIO0>,
        mut machine: StateMachine<'static, PIO0, 0>,
        dma: dma::Channel<'static>,
        pin: Pin<'static, PIO0>,
        clock_hz: u32,
    ) -> Self {
        let loaded = common.load_program(&program());
        let mut config = Config::default();
        config.use_program(&loaded, &[&pin]);
        config.clock_divider = ((clock_hz / TICK_HZ) as u8).into();
        config.fifo_join = FifoJoin::TxOnly;
        config.shift_out = ShiftConfig { auto_fill: true, threshold: 24, direction: ShiftDirection::Left };
        machine.set_config(&config);
        machine.set_pin_dirs(Direction::Out, &[&pin]);
        machine.set_enable(true);
        Self { machine, dma }
    }

    /// Sends a frame, and waits until the LEDs have latched it.
    pub(crate) async fn send(&mut self, words: &[u32; CELLS]) {
        self.machine.tx().dma_push(&mut self.dma, words, false).await;
        Timer::after(LATCH).await;
    }
}
