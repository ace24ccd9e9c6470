//! Scans the keys when they want to be scanned, and passes on what they say: all of that is `lights_out::keys`. It waits for the
//! clock and for the keys, and for nobody else.

use core::convert::Infallible;
use core::future::pending;
use core::pin::pin;

use cortex_m::asm;
use embassy_futures::select::{select, select_array};
use embassy_rp::clocks::dormant_sleep;
use embassy_rp::gpio::{self, DormantWakeConfig, OutputOpenDrain};
use embassy_time::{Duration, Instant, Timer, with_deadline};
use embedded_hal::delay::DelayNs;
use lights_out::board::SIDE;
use lights_out::keys::{Input, Keys, Next, PERIOD};
use lights_out::layout::Layout;
use lights_out::matrix::{ColumnPins, Columns, Contacts, Matrix};
use lights_out::time::Micros;

use super::board::{KeyColumns, KeyResources};
use super::channels::{Inputs, KeyNews, Learned, Sleep};
use super::chip::CLOCK_HZ;
use super::slow_clock;
use super::watchdog::{Heartbeat, PULSE};

type Row = OutputOpenDrain<'static>;
type Column = gpio::Input<'static>;

#[embassy_executor::task]
pub async fn task(
    r: KeyResources,
    learned: &'static Learned,
    inputs: &'static Inputs,
    news: &'static KeyNews,
    sleep: &'static Sleep,
    alive: &'static Heartbeat,
) -> ! {
    let KeyResources { rows, columns } = r;
    let send = |now: Micros, input: Input| {
        if inputs.try_send((now, input)).is_err() {
            defmt::warn!("the game does not keep up: an input is lost");
        }
    };
    let Ok(mut matrix) = Matrix::new(rows, columns, CycleDelay);
    let now = Instant::now().as_micros();
    let places = learned.new_keys().unwrap_or(Layout::REFERENCE.keys);
    let mut keys = Keys::new(now, places, scan(&mut matrix), |input| send(now, input));
    let mut touched = Columns::EMPTY;
    let mut dozes = false;
    loop {
        if let Some(places) = learned.new_keys() {
            keys.learn(Instant::now().as_micros(), places);
        }
        let now = Instant::now().as_micros();
        let raw = scan(&mut matrix);
        // What a scan itself does to the columns is no touch.
        matrix.columns().take_touched();
        if sleep.take_wanted() {
            keys.tire();
        }
        let next = keys.update(now, raw, touched, |input| send(now, input));
        news.set(keys.is_press_likely());
        alive.beat();
        if dozes && !matches!(next, Next::Doze { .. }) {
            dozes = false;
            slow_clock::end();
            sleep.set_nobody_plays(false);
        }
        match next {
            Next::ScanAt(at) => {
                Timer::at(Instant::from_micros(at)).await;
                touched = Columns::EMPTY;
            }
            Next::Touch { columns, until } => {
                let touch = touch(&mut matrix.columns().0, columns, until, alive);
                select(touch, sleep.wanted()).await;
                touched = matrix.columns().take_touched();
            }
            Next::Doze { until } => {
                if !dozes {
                    dozes = true;
                    defmt::info!("sleeps: a key is down, so the clocks are slow, but not stopped");
                    sleep.set_nobody_plays(true);
                }
                // The last frame needs the fast clock, and the flash is tidied sooner with it.
                if sleep.is_complete() {
                    slow_clock::begin();
                }
                Timer::at(Instant::from_micros(until)).await;
                touched = Columns::EMPTY;
            }
            Next::Sleep => {
                sleep.set_nobody_plays(true);
                if others_are_ready(matrix.columns(), sleep, alive).await {
                    stop_the_clocks(&mut matrix.columns().0);
                } else {
                    let now = Instant::now().as_micros();
                    keys.was_touched(now, |input| send(now, input));
                }
                sleep.set_nobody_plays(false);
                touched = Columns::EMPTY;
            }
        }
    }
}

/// Waits until one of these columns is pulled down, or until the moment. The hardware watches the columns all the while, so the
/// core has nothing to do.
async fn touch(columns: &mut [Column; SIDE], watched: Columns, until: Micros, alive: &Heartbeat) {
    let mut index = 0;
    let mut touch = pin!(select_array(columns.each_mut().map(|column| {
        let is_watched = watched.has_index(index);
        index += 1;
        async move { if is_watched { column.wait_for_low().await } else { pending().await } }
    })));
    let until = Instant::from_micros(until);
    while with_deadline(until.min(Instant::now() + PULSE), touch.as_mut()).await.is_err() && Instant::now() < until {
        alive.beat();
    }
}

/// Waits for the save to be written, the lights to be off and the flash to be tidy. False if a key was touched before.
async fn others_are_ready(columns: &mut KeyColumns, sleep: &Sleep, alive: &Heartbeat) -> bool {
    while !sleep.is_complete() {
        alive.beat();
        let Ok(low) = columns.low();
        if !(low | columns.take_touched()).is_empty() {
            return false;
        }
        Timer::after(Duration::from_micros(PERIOD)).await;
    }
    true
}

/// Stops all clocks until a column is pulled down.
fn stop_the_clocks(columns: &mut [Column; SIDE]) {
    // Waking needs no interrupt. One that came between here and the end of the clocks would run with some of them stopped already.
    // The memories stay on: `dormant_sleep` switches them off only where it runs from flash itself, to save about 0.1 mA of 1 mA.
    cortex_m::interrupt::free(|_| {
        let low = DormantWakeConfig { edge_high: false, edge_low: false, level_high: false, level_low: true };
        let wakers = columns.each_mut().map(|column| column.dormant_wake(low));
        dormant_sleep();
        drop(wakers);
    });
}

/// The keys that seem closed. The pins of this chip cannot fail.
fn scan(matrix: &mut Matrix<Row, KeyColumns, CycleDelay>) -> Contacts {
    let Ok(raw): Result<Contacts, Infallible> = matrix.scan();
    raw
}

/// Waits by counting cycles: at a microsecond, looking at the clock takes too long.
struct CycleDelay;

impl DelayNs for CycleDelay {
    // The Cortex-M0+ cannot divide: by a call, the division would take four times as long as the wait.
    #[inline(always)]
    fn delay_ns(&mut self, ns: u32) {
        asm::delay(ns * (CLOCK_HZ / 1_000_000) / 1000);
    }
}
