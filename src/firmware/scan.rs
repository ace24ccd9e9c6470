//! Scans the keys, and passes on what the player means by them: matrix, debouncer, gestures, all of the library. It waits
//! for the clock and for the keys, and for nobody else.

use core::pin::pin;

use embassy_futures::select::select_array;
use embassy_rp::gpio::{Input, OutputOpenDrain};
use embassy_time::{Duration, Instant, Timer, block_for, with_timeout};
use lights_out::board::SIDE;
use lights_out::debounce::Debouncer;
use lights_out::gesture::Gestures;
use lights_out::matrix::{Matrix, Reading};

use super::Inputs;
use super::board::KeyResources;
use super::watchdog::{Heartbeat, PULSE};

/// While a key is down, all are scanned this often: 2000 times a second.
const PERIOD: Duration = Duration::from_micros(500);
/// The pull-up (50 to 80 kOhm) raises a column of 50 pF above the input's threshold in this time.
const SETTLE: Duration = Duration::from_micros(6);

#[embassy_executor::task]
pub async fn task(r: KeyResources, inputs: &'static Inputs, alive: &'static Heartbeat) -> ! {
    let Ok(mut matrix) = Matrix::new(r.rows, r.columns, || block_for(SETTLE));

    // Keys that are held while switching on are no taps.
    let held = read(&mut matrix).closed;
    let mut debouncer = Debouncer::new(held);
    let mut gestures = Gestures::new(held);

    loop {
        let now = Instant::now();
        let edges = debouncer.update(now.as_micros(), read(&mut matrix));
        gestures.update(now.as_micros(), edges, |input| {
            if inputs.try_send((now.as_micros(), input)).is_err() {
                defmt::warn!("the game does not keep up: an input is lost");
            }
        });
        alive.beat();

        if let Some(look) = debouncer.next_look(now.as_micros()) {
            Timer::at(Instant::from_micros(look)).await;
        } else if debouncer.down() != 0 {
            Timer::at(now + PERIOD).await;
        } else {
            untouched(matrix.columns(), alive).await;
        }
    }
}

/// Waits until a contact touches. The hardware watches the columns all the while, so the core can sleep.
async fn untouched(columns: &mut [Input<'static>; SIDE], alive: &Heartbeat) {
    let mut touch = pin!(select_array(columns.each_mut().map(Input::wait_for_low)));
    while with_timeout(PULSE, touch.as_mut()).await.is_err() {
        alive.beat();
    }
}

fn read<Settle: FnMut()>(matrix: &mut Matrix<OutputOpenDrain<'static>, Input<'static>, Settle>) -> Reading {
    let Ok(raw) = matrix.scan();
    Reading::judge(raw)
}
