//! Plays sounds on the piezo with PWM. The piezo is optional. The pin toggles also without it.

use embassy_futures::select::{Either, select};
use embassy_rp::pwm::{Config, Pwm};
use embassy_time::{Duration, Timer, with_timeout};
use lights_out::sound::{Note, Sound};

use super::channels::Sounds;
use super::chip::CLOCK_HZ;
use super::watchdog::{HEARTBEAT_PERIOD, Heartbeat};

/// Divider of the PWM clock. The period of the lowest note fits into the 16 bits of the counter.
const DIVIDER: u8 = 64;

#[embassy_executor::task]
pub async fn task(mut piezo: Pwm<'static>, sounds: &'static Sounds, heartbeat: &'static Heartbeat) -> ! {
    silence(&mut piezo);
    let mut next = None;
    loop {
        heartbeat.beat();
        let Some(sound) = next.take() else {
            next = with_timeout(HEARTBEAT_PERIOD, sounds.wait()).await.ok();
            continue;
        };
        // A new sound interrupts a note.
        match select(play(&mut piezo, sound), sounds.wait()).await {
            Either::First(()) => silence(&mut piezo),
            Either::Second(newer) => next = Some(newer),
        }
    }
}

async fn play(piezo: &mut Pwm<'static>, sound: Sound) {
    for note in sound.notes() {
        // Reset the counter: beyond the new, shorter period it would count up to 0xFFFF first, which takes up to 33 ms.
        silence(piezo);
        piezo.set_config(&tone(note));
        Timer::after(Duration::from_micros(note.length)).await;
    }
}

/// Stops the counter at 0. The pin is high while the counter is below the compare level, so level 0 keeps it low.
fn silence(piezo: &mut Pwm<'static>) {
    let mut config = Config::default();
    config.enable = false;
    config.compare_a = 0;
    config.compare_b = 0;
    piezo.set_config(&config);
    piezo.set_counter(0);
}

/// A square wave at the note's frequency, on both channels of the slice, because the piezo may be on either.
fn tone(note: &Note) -> Config {
    let mut config = Config::default();
    config.divider = DIVIDER.into();
    config.top = (CLOCK_HZ / u32::from(DIVIDER) / note.hz).saturating_sub(1) as u16;
    config.compare_a = config.top / 2;
    config.compare_b = config.top / 2;
    config
}
