//! Plays sounds on the piezo by PWM. Where none is fitted, the pin moves and nobody hears it.

use embassy_futures::select::{Either, select};
use embassy_rp::pwm::{Config, Pwm};
use embassy_time::{Duration, Timer};
use lights_out::sound::{Note, Sound};

use super::Sounds;
use super::board::{CLOCK_HZ, PiezoResources};

/// Brings the clock down so far that the lowest note still fits into the 16 bits of the counter.
const DIVIDER: u8 = 64;

#[embassy_executor::task]
pub async fn task(r: PiezoResources, sounds: &'static Sounds) -> ! {
    let mut piezo = Pwm::new_output_b(r.slice, r.pin, silence());
    let mut sound = sounds.wait().await;
    loop {
        sound = match select(play(&mut piezo, sound), sounds.wait()).await {
            Either::First(()) => {
                piezo.set_config(&silence());
                sounds.wait().await
            }
            // The newer sound takes over in the middle of a note.
            Either::Second(newer) => newer,
        };
    }
}

async fn play(piezo: &mut Pwm<'static>, sound: Sound) {
    for note in sound.notes() {
        piezo.set_config(&tone(note));
        Timer::after(Duration::from_micros(note.length)).await;
    }
}

fn silence() -> Config {
    let mut config = Config::default();
    config.enable = false;
    config
}

/// A square wave of the note's pitch.
fn tone(note: &Note) -> Config {
    let mut config = Config::default();
    config.divider = DIVIDER.into();
    config.top = (CLOCK_HZ / u32::from(DIVIDER) / note.hz).saturating_sub(1) as u16;
    config.compare_b = config.top / 2;
    config
}
