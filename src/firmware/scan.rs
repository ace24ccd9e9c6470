//! Scans the keys, and passes on what the player means by them: matrix, debouncer, gestures, all of the library. It waits
//! for the clock and for the keys, and for nobody else.

use core::pin::pin;
use core::sync::atomic::Ordering;

use embassy_futures::select::select_array;
use embassy_rp::clocks::dormant_sleep;
use embassy_rp::gpio::{self, DormantWakeConfig, OutputOpenDrain};
use embassy_time::{Duration, Instant, Timer, block_for, with_timeout};
use lights_out::board::{CELLS, SIDE};
use lights_out::debounce::Debouncer;
use lights_out::gesture::{Command, Gestures, Input};
use lights_out::matrix::{Matrix, Reading};

use super::board::KeyResources;
use super::storage::KeysUp;
use super::watchdog::{Heartbeat, PULSE};
use super::{Inputs, leds, storage};

/// While a key is down, all are scanned this often: 2000 times a second.
const PERIOD: Duration = Duration::from_micros(500);
/// The pull-up (50 to 80 kOhm) raises a column of 50 pF above the input's threshold in this time.
const SETTLE: Duration = Duration::from_micros(6);

/// Without a key for this long, the handheld sleeps.
const SLEEP_AFTER: Duration = Duration::from_secs(3 * 60);
/// How long the save and the lights may take before it does.
const SETTLE_DOWN: Duration = Duration::from_secs(2);
/// How long the contacts of the waking key may bounce.
const REST: Duration = Duration::from_millis(20);
const WAKE_ON_LOW: DormantWakeConfig =
    DormantWakeConfig { edge_high: false, edge_low: false, level_high: false, level_low: true };

/// The key in the middle.
const CENTRE: u32 = 1 << (CELLS / 2);

type Row = OutputOpenDrain<'static>;
type Column = gpio::Input<'static>;

#[embassy_executor::task]
pub async fn task(r: KeyResources, inputs: &'static Inputs, keys_up: &'static KeysUp, alive: &'static Heartbeat) -> ! {
    let Ok(mut matrix) = Matrix::new(r.rows, r.columns, || block_for(SETTLE));

    let send = |now: Instant, input| {
        if inputs.try_send((now.as_micros(), input)).is_err() {
            defmt::warn!("the game does not keep up: an input is lost");
        }
    };

    // Keys that are held while switching on are no taps; the centre key asks for the self-test.
    let mut raw = scan(&mut matrix);
    let held = Reading::judge(raw).closed;
    let mut debouncer = Debouncer::new(held);
    let mut gestures = Gestures::new(Instant::now().as_micros(), held);
    let mut testing = raw & CENTRE != 0;
    if testing {
        send(Instant::now(), Input::SelfTest(raw));
    }

    loop {
        let now = Instant::now();
        let last = core::mem::replace(&mut raw, scan(&mut matrix));
        if testing && raw != last {
            send(now, Input::Keys(raw));
        }
        let edges = debouncer.update(now.as_micros(), Reading::judge(raw));
        gestures.update(now.as_micros(), edges, |input| {
            testing &= input != Input::Command(Command::Menu);
            send(now, input);
        });
        alive.beat();
        keys_up.set(now, debouncer.down() != 0);

        if let Some(look) = debouncer.next_look(now.as_micros()) {
            Timer::at(Instant::from_micros(look)).await;
        } else if debouncer.down() != 0 {
            Timer::at(now + PERIOD).await;
        } else if !is_touched(matrix.columns(), alive).await {
            testing = false;
            send(Instant::now(), Input::Sleep);
            sleep(matrix.columns(), alive).await;
            send(Instant::now(), Input::Wake);
            let held = held_on_waking(&mut matrix).await;
            debouncer = Debouncer::new(held);
            gestures = Gestures::new(Instant::now().as_micros(), held);
        }
    }
}

/// Waits until a contact touches, and tells whether one did before it was time to sleep. The hardware watches the columns all
/// the while, so the core has nothing to do.
async fn is_touched(columns: &mut [Column; SIDE], alive: &Heartbeat) -> bool {
    let mut touch = pin!(select_array(columns.each_mut().map(Column::wait_for_low)));
    let bedtime = Instant::now() + SLEEP_AFTER;
    while with_timeout(PULSE, touch.as_mut()).await.is_err() {
        alive.beat();
        if Instant::now() >= bedtime {
            return false;
        }
    }
    true
}

/// Waits for the save to be written and the lights to be off, then stops all clocks until a key pulls a column down.
async fn sleep(columns: &mut [Column; SIDE], alive: &Heartbeat) {
    let deadline = Instant::now() + SETTLE_DOWN;
    while !(storage::AT_REST.load(Ordering::Relaxed) && leds::AT_REST.load(Ordering::Relaxed))
        && Instant::now() < deadline
    {
        alive.beat();
        Timer::after(PERIOD).await;
    }
    let wakers = columns.each_mut().map(|column| column.dormant_wake(WAKE_ON_LOW));
    dormant_sleep();
    drop(wakers);
}

/// The keys that woke us: all that are seen down while their contacts come to rest.
async fn held_on_waking(matrix: &mut Matrix<Row, Column, impl FnMut()>) -> u32 {
    let rested = Instant::now() + REST;
    let mut held = 0;
    while Instant::now() < rested {
        held |= Reading::judge(scan(matrix)).closed;
        Timer::after(PERIOD).await;
    }
    held
}

/// The keys that seem closed. The pins of this chip cannot fail.
fn scan(matrix: &mut Matrix<Row, Column, impl FnMut()>) -> u32 {
    let Ok(raw) = matrix.scan();
    raw
}
