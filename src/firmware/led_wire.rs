//! The pulses on the LED wire, made by a PIO program of our own: embassy-rp's and ws2812-pio's have pulses of 0.25 and 0.875 us,
//! one at the edge of the WS2812B's data sheet, the other outside the SK6812's, and cannot be told otherwise. In microseconds:
//!
//! |                | zero: high | low          | one: high    | low          |
//! | -------------- | ---------- | ------------ | ------------ | ------------ |
//! | WS2812B        | 0.25..0.55 | 0.70..1.00   | 0.65..0.95   | 0.30..0.60   |
//! | SK6812, MINI-E | 0.15..0.45 | 0.75..1.05   | 0.45..0.75   | 0.45..0.75   |
//! | WS2812B V5, C  | 0.22..0.38 |              | 0.58..1.00   |              |
//! | ours           | 0.32       | 0.88         | 0.72         | 0.48         |

use embassy_rp::dma;
use embassy_rp::peripherals::PIO0;
use embassy_rp::pio::program::{Assembler, JmpCondition, OutDestination, Program, SideSet};
use embassy_rp::pio::{Common, Config, Direction, FifoJoin, Pin, ShiftConfig, ShiftDirection, StateMachine};
use embassy_time::{Duration, Timer};
use lights_out::board::CELLS;

/// A tick of the program is 80 ns: a whole number of cycles at 125 MHz, and at the 150 of a Pico 2.
pub const TICK_HZ: u32 = 12_500_000;
/// A bit in ticks: high for a zero and a one, high for a one only, low for both.
const HIGH: u8 = 4;
const HIGH_IF_ONE: u8 = 5;
const LOW: u8 = 6;

/// One word, which is one LED, in microseconds, rounded up.
const WORD_US: u64 = 24 * (HIGH + HIGH_IF_ONE + LOW) as u64 * 1_000_000 / TICK_HZ as u64 + 1;
/// From the end of the DMA transfer to the next frame. Then the last words are still on their way: eight in the FIFO and
/// one in the shift register; and the chain takes up to 280 us of silence to show what it got, we leave 300.
pub const LATCH: Duration = Duration::from_micros(9 * WORD_US + 300);

/// The size of the PIO's memory, in instructions.
const MEMORY: usize = 32;

/// The program: for each bit, low while it is fetched, high, and high or low by what it is.
pub fn program() -> Program<MEMORY> {
    let mut a = Assembler::new_with_side_set(SideSet::new(false, 1, false));
    let (mut next_bit, mut zero, mut end) = (a.label(), a.label(), a.label());
    a.bind(&mut next_bit);
    a.out_with_delay_and_side_set(OutDestination::X, 1, LOW - 1, 0);
    a.jmp_with_delay_and_side_set(JmpCondition::XIsZero, &mut zero, HIGH - 1, 1);
    a.jmp_with_delay_and_side_set(JmpCondition::Always, &mut next_bit, HIGH_IF_ONE - 1, 1);
    a.bind(&mut zero);
    a.nop_with_delay_and_side_set(HIGH_IF_ONE - 1, 0);
    a.bind(&mut end);
    a.assemble_with_wrap(end, next_bit)
}

/// The chain of LEDs on its wire.
pub struct Chain {
    machine: StateMachine<'static, PIO0, 0>,
    dma: dma::Channel<'static>,
}

impl Chain {
    /// Starts the program; the line is low from now on.
    pub fn new(
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

    /// Sends a frame, and waits until another may follow.
    pub async fn send(&mut self, words: &[u32; CELLS]) {
        self.machine.tx().dma_push(&mut self.dma, words, false).await;
        Timer::after(LATCH).await;
    }
}
