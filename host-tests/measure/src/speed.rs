//! How fast the emulator is against real time. It depends on the machine, so it is only told.

use std::time::{Duration, Instant};

use emulator::{Firmware, Handheld, Options};
use lights_out::game::modes::ModeKind;
use lights_out::gesture::Command;
use player::Player;

use crate::figure::{Figure, Unit};
use crate::greeted;
use crate::trouble::Trouble;

/// Emulated time that is run for each figure.
const SPAN: Duration = Duration::from_secs(4);

/// Emulated seconds for each second of this machine.
pub fn figures(firmware: &Firmware) -> Result<Vec<Figure>, Trouble> {
    let mut player = greeted(firmware, Options::default());
    player.try_start(ModeKind::Random, &[])?;
    let still = times_real(&mut player);
    player.command(Command::Hint);
    let animated = times_real(&mut player);
    let figure = |id, name, value| {
        Figure::new(id, name, Unit::Times, value).open().beside("real time is 1; this machine, not compared")
    };
    Ok(vec![
        figure("emulator.still", "emulator, still board", still),
        figure("emulator.animated", "emulator, while a hint pulses", animated),
    ])
}

fn times_real(player: &mut Player<Handheld>) -> f64 {
    let began = Instant::now();
    player.wait(SPAN);
    SPAN.as_secs_f64() / began.elapsed().as_secs_f64().max(1e-9)
}
