//! Scans the key matrix at the times that `lights_out::keys` requests, and forwards the resulting inputs. The task
//! waits only for the timer, for the keys and for a sleep request.

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
use lights_out::game::Input;
use lights_out::keys::{KeyEvent, Keys, Next, SCAN_PERIOD};
use lights_out::layout::Layout;
use lights_out::matrix::{ColumnPins, Columns, Contacts, Matrix};
use lights_out::time::Micros;

use super::board::{KeyColumns, KeyResources};
use super::channels::{CurrentLayout, Inputs, KeyActivity, SleepHandshake};
use super::chip::CLOCK_HZ;
use super::slow_clock;
use super::watchdog::{HEARTBEAT_PERIOD, Heartbeat};

type RowPin = OutputOpenDrain<'static>;
type ColumnPin = gpio::Input<'static>;

#[embassy_executor::task]
pub async fn task(
    r: KeyResources,
    layout: &'static CurrentLayout,
    inputs: &'static Inputs,
    activity: &'static KeyActivity,
    sleep: &'static SleepHandshake,
    heartbeat: &'static Heartbeat,
) -> ! {
    let KeyResources { rows, columns } = r;
    let send = |now: Micros, event: KeyEvent| {
        if inputs.try_send((now, Input::Keys(event))).is_err() {
            defmt::warn!("input channel full: an input is lost");
        }
    };
    let Ok(mut matrix) = Matrix::new(rows, columns, CycleDelay);
    let now = Instant::now().as_micros();
    let key_map = layout.take_new_keys().unwrap_or(Layout::REFERENCE.keys);
    let mut keys = Keys::new(now, key_map, scan(&mut matrix), |event| send(now, event));
    let mut fallen = Columns::EMPTY;
    let mut light_sleep = LightSleep { sleep, is_active: false };
    loop {
        if let Some(key_map) = layout.take_new_keys() {
            keys.set_map(Instant::now().as_micros(), key_map);
        }
        let now = Instant::now().as_micros();
        let raw = scan(&mut matrix);
        // The scan itself pulls columns low: discard those edges.
        matrix.columns().take_fallen();
        if sleep.take_request() {
            keys.request_sleep();
        }
        let next = keys.update(now, raw, fallen, |event| send(now, event));
        activity.set(keys.is_press_pending());
        heartbeat.beat();
        if !matches!(next, Next::LightSleep { .. }) {
            light_sleep.leave();
        }
        fallen = Columns::EMPTY;
        match next {
            Next::ScanAt(at) => Timer::at(Instant::from_micros(at)).await,
            Next::ColumnLow { columns, until } => {
                let column_low = wait_for_column_low(&mut matrix.columns().0, columns, until, heartbeat);
                select(column_low, sleep.requested()).await;
                fallen = matrix.columns().take_fallen();
            }
            Next::LightSleep { until } => {
                light_sleep.enter();
                Timer::at(Instant::from_micros(until)).await;
            }
            Next::Sleep => {
                sleep.set_idle(true);
                if wait_for_other_tasks(matrix.columns(), sleep, heartbeat).await {
                    enter_dormant(&mut matrix.columns().0);
                } else {
                    let now = Instant::now().as_micros();
                    keys.wake_by_edge(now, |event| send(now, event));
                }
                sleep.set_idle(false);
            }
        }
    }
}

/// The sleep while a key is down: the clocks are slow, but not stopped.
struct LightSleep {
    sleep: &'static SleepHandshake,
    is_active: bool,
}

impl LightSleep {
    /// Reports that the handheld is idle. Slows the clock down when the other tasks are ready.
    fn enter(&mut self) {
        if !self.is_active {
            self.is_active = true;
            defmt::info!("asleep with a key down: the clocks are slow, but not stopped");
            self.sleep.set_idle(true);
        }
        // Sending the last frame needs the fast clock, and erasing is faster with it.
        if self.sleep.is_complete() {
            slow_clock::enter();
        }
    }

    fn leave(&mut self) {
        if self.is_active {
            self.is_active = false;
            slow_clock::leave();
            self.sleep.set_idle(false);
        }
    }
}

/// Waits until a key pulls one of the watched columns low, or until the deadline. Pin interrupts watch the columns, so
/// the core sleeps meanwhile.
async fn wait_for_column_low(columns: &mut [ColumnPin; SIDE], watched: Columns, until: Micros, heartbeat: &Heartbeat) {
    let mut index = 0;
    let mut column_low = pin!(select_array(columns.each_mut().map(|column| {
        let is_watched = watched.has_index(index);
        index += 1;
        async move { if is_watched { column.wait_for_low().await } else { pending().await } }
    })));
    let until = Instant::from_micros(until);
    while with_deadline(until.min(Instant::now() + HEARTBEAT_PERIOD), column_low.as_mut()).await.is_err()
        && Instant::now() < until
    {
        heartbeat.beat();
    }
}

/// Waits until the save is written, the lights are off and the sectors are erased. Returns false if a key was pressed
/// before.
async fn wait_for_other_tasks(columns: &mut KeyColumns, sleep: &SleepHandshake, heartbeat: &Heartbeat) -> bool {
    while !sleep.is_complete() {
        heartbeat.beat();
        let Ok(low) = columns.low();
        if !(low | columns.take_fallen()).is_empty() {
            return false;
        }
        Timer::after(Duration::from_micros(SCAN_PERIOD)).await;
    }
    true
}

/// Stops all clocks until a key pulls a column low.
fn enter_dormant(columns: &mut [ColumnPin; SIDE]) {
    // Interrupts are disabled, because a handler would run while some of the clocks are stopped already. Waking from
    // dormant mode needs no interrupt. The memories stay powered: `dormant_sleep` powers them down only if it runs from
    // flash. That would save about 0.1 mA of 1 mA.
    cortex_m::interrupt::free(|_| {
        let low = DormantWakeConfig { edge_high: false, edge_low: false, level_high: false, level_low: true };
        let wakers = columns.each_mut().map(|column| column.dormant_wake(low));
        dormant_sleep();
        drop(wakers);
    });
}

/// Scans the matrix once. Reading the pins of this chip cannot fail.
fn scan(matrix: &mut Matrix<RowPin, KeyColumns, CycleDelay>) -> Contacts {
    let Ok(raw): Result<Contacts, Infallible> = matrix.scan();
    raw
}

/// A delay that counts cycles: for delays of about a microsecond, reading the timer takes too long.
struct CycleDelay;

impl DelayNs for CycleDelay {
    // Inlined, so that the division is done at compile time. The Cortex-M0+ has no divide instruction, and a division
    // at run time would take four times as long as the delay.
    #[inline(always)]
    fn delay_ns(&mut self, ns: u32) {
        asm::delay(ns * (CLOCK_HZ / 1_000_000) / 1000);
    }
}
