//! The speed of the emulator relative to real time. It depends on the computer, so it has no limit.

use std::time::{Duration, Instant};

use emulator::{Firmware, Handheld, Options};
use lights_out::game::modes::ModeKind;
use lights_out::gesture::Command;
use player::Player;

use crate::error::MeasureError;
use crate::figure::{Figure, Unit};
use crate::greeted;

/// Emulated time for each figure.
const SPAN: Duration = Duration::from_secs(4);

/// Emulated seconds in one second of real time.
pub(crate) fn figures(firmware: &Firmware) -> Result<Vec<Figure>, MeasureError> {
    let mut player = greeted(firmware, Options::default());
    player.try_start(ModeKind::Random, &[])?;
    let still = real_time_factor(&mut player);
    player.command(Command::Hint);
    let animated = real_time_factor(&mut player);
    let figure = |id, name, value| {
        Figure::new(id, name, Unit::Times, value).not_recorded().note("real time is 1; depends on the computer")
    };
    Ok(vec![
        figure("emulator.still", "emulator, still board", still),
        figure("emulator.animated", "emulator, while a hint pulses", animated),
    ])
}

fn real_time_factor(player: &mut Player<Handheld>) -> f64 {
    let began = Instant::now();
    player.wait(SPAN);
    SPAN.as_secs_f64() / began.elapsed().as_secs_f64().max(1e-9)
}
