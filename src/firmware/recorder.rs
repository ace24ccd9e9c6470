//! Scans the keys while nothing runs. Erasing a sector of flash holds the core for 45 ms, at worst 400, and a tap may begin and end
//! in that time. The hardware's memory of touched columns would tell that there was one, but not of which key. So for the time
//! of an erase a PIO drives the rows, one after the other, and DMA writes down what the pins are; afterwards `scan` reads the
//! recording as if it had scanned itself.
//!
//! The PIO program is a loop of three instructions: take the next set of rows to be driven, wait, and note all pins. What the rows are is fed
//! to it by DMA, round and round; so it works on any pins.

use core::cell::UnsafeCell;

use cortex_m::interrupt::CriticalSection;
use embassy_rp::pac;
use embassy_rp::pac::dma::vals::{DataSize, TreqSel};
use embassy_rp::peripherals::PIO1;
use embassy_rp::pio::program::{Assembler, InSource, MovDestination, MovOperation, MovSource, OutDestination};
use embassy_rp::pio::{Common, Config, ShiftConfig, ShiftDirection, StateMachine};
use embassy_sync::blocking_mutex::raw::CriticalSectionRawMutex;
use embassy_sync::signal::Signal;
use embassy_time::Instant;
use lights_out::board::SIDE;
use lights_out::time::Micros;
use lights_out::wiring::Wiring;

use super::board::{SIO, low_columns};
use super::chip::CLOCK_HZ;

/// A tick of the program in microseconds,
const TICK_US: u32 = 2;
/// and how many of them a row takes: 160 us, most of them for the columns to rise.
const ROW_TICKS: [u8; 3] = [32, 32, 16];
const ROW_US: u32 = TICK_US * (ROW_TICKS[0] + ROW_TICKS[1] + ROW_TICKS[2]) as u32;
/// The DMA goes round a power of two: after the five rows three turns without one.
const ROUND: usize = 8;
/// Enough for the longest erase.
const LENGTH: usize = ROUND * (410_000 / (ROW_US as usize * ROUND) + 1);

/// The DMA channels: rows to the PIO, pins from it.
const FEED: usize = 1;
const NOTE: usize = 2;
const PIO1_FUNCTION: u8 = 7;

/// The rows to be driven, in turn. Aligned to its own size, as the DMA's ring wants it.
#[repr(align(32))]
struct Turns([u32; ROUND]);

// In RAM: the flash cannot be read while it is erased.
#[unsafe(link_section = ".data.turns")]
static TURNS: Turns = {
    let mut turns = [0; ROUND];
    let mut row = 0;
    while row < SIDE {
        turns[row] = 1 << Wiring::REFERENCE.rows[row];
        row += 1;
    }
    Turns(turns)
};

/// What was written down. Filled by DMA on behalf of `storage`, read by `scan`.
pub struct Recording {
    pins: UnsafeCell<[u32; LENGTH]>,
    /// When it began, and how many words there are.
    done: Signal<CriticalSectionRawMutex, (Micros, usize)>,
}

// SAFETY: the words are written by DMA while interrupts are off, and read only after `done` was signalled and before the next
// recording, which `storage` begins no sooner than `scan`, which runs above it, waits again.
unsafe impl Sync for Recording {}

pub static RECORDING: Recording = Recording { pins: UnsafeCell::new([0; LENGTH]), done: Signal::new() };

impl Recording {
    /// Waits for one.
    pub async fn is_made(&self) {
        let made = self.done.wait().await;
        self.done.signal(made);
    }

    /// The scans that were made since it was last asked: each with its time, and the keys that seem closed.
    pub fn take(&self) -> impl Iterator<Item = (Micros, u32)> {
        let (began, length) = self.done.try_take().unwrap_or((0, 0));
        // SAFETY: see above.
        let pins = unsafe { &*self.pins.get() };
        let scan_time = Micros::from(ROW_US) * ROUND as Micros;
        (1..).zip(pins[..length].chunks_exact(ROUND)).map(move |(n, round)| (began + n * scan_time, closed_keys(round)))
    }
}

fn closed_keys(round: &[u32]) -> u32 {
    (0..SIDE).fold(0, |keys, row| keys | low_columns(round[row]) << (SIDE * row))
}

/// The PIO that scans, owned by `storage`.
pub struct Recorder {
    machine: StateMachine<'static, PIO1, 0>,
}

impl Recorder {
    /// Loads the program.
    #[unsafe(link_section = ".text.from_flash")]
    pub fn new(common: &mut Common<'static, PIO1>, mut machine: StateMachine<'static, PIO1, 0>) -> Self {
        let mut a: Assembler<32> = Assembler::new();
        let (mut next_row, mut end) = (a.label(), a.label());
        // A row that is driven is driven low.
        a.mov(MovDestination::PINS, MovOperation::None, MovSource::NULL);
        a.bind(&mut next_row);
        a.out_with_delay(OutDestination::PINDIRS, 32, ROW_TICKS[0] - 1);
        a.nop_with_delay(ROW_TICKS[1] - 1);
        a.r#in_with_delay(InSource::PINS, 32, ROW_TICKS[2] - 1);
        a.bind(&mut end);
        let loaded = common.load_program(&a.assemble_with_wrap(end, next_row));
        let mut config = Config::default();
        config.use_program(&loaded, &[]);
        config.clock_divider = ((CLOCK_HZ / 1_000_000 * TICK_US) as u16).into();
        let whole_words = ShiftConfig { auto_fill: true, threshold: 32, direction: ShiftDirection::Right };
        (config.shift_out, config.shift_in) = (whole_words, whole_words);
        machine.set_config(&config);
        // All pins from the first on, whichever are the rows. Only those that are given to this PIO follow it.
        pac::PIO1.sm(0).pinctrl().write(|w| w.set_out_count(32));
        Self { machine }
    }

    /// Scans while `work` holds the core.
    pub fn during<T>(&mut self, recording: &'static Recording, work: impl FnOnce() -> T) -> T {
        // Until the recording is handed over nobody else may look at the keys.
        cortex_m::interrupt::free(|cs| {
            self.start(recording, cs);
            let began = Instant::now().as_micros();
            let result = work();
            let length = self.stop(cs);
            recording.done.signal((began, length));
            result
        })
    }

    fn start(&mut self, recording: &'static Recording, _: &CriticalSection) {
        self.machine.clear_fifos();
        self.machine.restart();
        give_rows_to(PIO1_FUNCTION);
        let note = pac::DMA.ch(NOTE);
        note.read_addr().write_value(pac::PIO1.rxf(0).as_ptr() as u32);
        note.write_addr().write_value(recording.pins.get() as u32);
        note.al2_trans_count().write_value(LENGTH as u32);
        note.ctrl_trig().write(|w| {
            w.set_treq_sel(TreqSel::PIO1_RX0);
            w.set_incr_write(true);
            w.set_data_size(DataSize::SIZE_WORD);
            w.set_chain_to(NOTE as u8);
            w.set_en(true);
        });
        let feed = pac::DMA.ch(FEED);
        feed.read_addr().write_value(TURNS.0.as_ptr() as u32);
        feed.write_addr().write_value(pac::PIO1.txf(0).as_ptr() as u32);
        feed.al2_trans_count().write_value(u32::MAX);
        feed.ctrl_trig().write(|w| {
            w.set_treq_sel(TreqSel::PIO1_TX0);
            w.set_incr_read(true);
            w.set_ring_size(size_of::<Turns>().trailing_zeros() as u8);
            w.set_data_size(DataSize::SIZE_WORD);
            w.set_chain_to(FEED as u8);
            w.set_en(true);
        });
        self.machine.set_enable(true);
    }

    fn stop(&mut self, _: &CriticalSection) -> usize {
        self.machine.set_enable(false);
        let left = pac::DMA.ch(NOTE).al2_trans_count().read();
        pac::DMA.chan_abort().write(|w| w.set_chan_abort(1 << FEED | 1 << NOTE));
        while pac::DMA.chan_abort().read().chan_abort() != 0 {}
        give_rows_to(SIO);
        LENGTH.saturating_sub(left as usize)
    }
}

fn give_rows_to(function: u8) {
    for row in Wiring::REFERENCE.rows {
        pac::IO_BANK0.gpio(row.into()).ctrl().modify(|w| w.set_funcsel(function));
    }
}
