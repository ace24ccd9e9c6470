//! Scans the keys, and passes on what the player means by them: matrix, debouncer, gestures, all of the library. It waits
//! for nothing but the clock.

use cortex_m::asm;
use embassy_time::{Duration, Instant, Timer};
use lights_out::debounce::Debouncer;
use lights_out::gesture::Gestures;
use lights_out::matrix::{Matrix, Reading};

use super::Inputs;
use super::board::{CLOCK_HZ, KeyResources};
use super::watchdog::Heartbeat;

/// 2000 scans a second: a spike under half a millisecond falls into one scan at most.
const PERIOD: Duration = Duration::from_micros(500);
/// While a press is half seen. The contacts may be bouncing, and each scan is another chance to find them closed.
const CLOSER_LOOK: Duration = Duration::from_micros(100);
/// The pull-up (50 to 80 kOhm) raises a column of up to 100 pF in this time, in microseconds.
const SETTLE: u32 = 8;

#[embassy_executor::task]
pub async fn task(r: KeyResources, inputs: &'static Inputs, alive: &'static Heartbeat) -> ! {
    let settle = || asm::delay(SETTLE * (CLOCK_HZ / 1_000_000));
    let Ok(mut matrix) = Matrix::new(r.rows, r.columns, settle);

    let mut scan = move || {
        let Ok(raw) = matrix.scan();
        Reading::judge(raw)
    };

    // Keys that are held while switching on are no taps.
    let held = scan().closed;
    let mut debouncer = Debouncer::new(held);
    let mut gestures = Gestures::new(held);

    let mut due = Instant::now();
    loop {
        let now = Instant::now();
        let edges = debouncer.update(now.as_micros(), scan());
        gestures.update(now.as_micros(), edges, |input| {
            if inputs.try_send((now.as_micros(), input)).is_err() {
                defmt::warn!("the game does not keep up: an input is lost");
            }
        });
        alive.beat();
        due = if debouncer.is_suspecting() { now + CLOSER_LOOK } else { (due + PERIOD).max(now) };
        Timer::at(due).await;
    }
}
