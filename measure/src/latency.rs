//! Press to light: from the first touch of a contact to the last bit of the frame that answers.
//!
//! Two thousand presses of keys that bounce, at moments that have nothing to do with the firmware's own. The floor is
//! the wire: 600 bits of 1.2 us are 0.72 ms. Above it, a press is believed only when two looks at least 0.3 ms apart
//! agree (see `lights_out::debounce`), which a bounce draws out.
//!
//! - On a still board the LED wire is silent when the press comes.
//! - During an animation (the Tutor's pointer, which pulses, 30 frames a second) a frame may be on the wire already; the
//!   answer waits for its end and for the silence after it, 0.3 ms. There a wrong key is pressed: it glows red at once,
//!   and the lesson stays where it is, so that every press meets the same animation.

use std::time::Duration;

use lights_out::board::{ALL_CELLS, Cell, SIDE};
use lights_out::game::modes::ModeKind;
use lights_out::solver::CLASSIC;
use test_player::{Device, Dice, Player, limits, ms};
use virtual_handheld::{Firmware, Frame, Handheld};

use crate::figure::{Figure, Unit};
use crate::statistics::Sample;
use crate::trouble::Trouble;
use crate::{MISS, SLOW_MISS, dice, greeted, honest};

/// Presses in each of the two samples.
const PRESSES: usize = 1600;
/// A press is answered within this, or not at all.
const PATIENCE: Duration = ms(20);
/// From one press to the next, at least: the contacts have come to rest and the key counts as up.
const INTERVAL: Duration = ms(64);

/// While nothing moves.
pub fn still(firmware: &Firmware) -> Result<Vec<Figure>, Trouble> {
    let limits = [None, Some(limits::PRESS_TO_LIGHT_P99), Some(limits::PRESS_TO_LIGHT_MAX)];
    figures("still", "still board", still_times(firmware, MISS)?, limits)
}

/// The same with a flash that is slower than most.
pub fn still_with_slow_flash(firmware: &Firmware) -> Result<Vec<Figure>, Trouble> {
    let limits = [None, Some(limits::PRESS_TO_LIGHT_SLOW_FLASH_P99), Some(limits::PRESS_TO_LIGHT_SLOW_FLASH_MAX)];
    figures("still.slow", "slow flash", still_times(firmware, SLOW_MISS)?, limits)
}

fn still_times(firmware: &Firmware, miss_cycles: u32) -> Result<Vec<f64>, Trouble> {
    let (mut player, mut dice) = (greeted(firmware, honest(miss_cycles)), dice(1));
    player.try_start(ModeKind::Random, &[])?;
    let mut board = player.board();
    let mut times = Vec::with_capacity(PRESSES);
    for n in 0..PRESSES {
        let key = dice.harmless_key(board);
        board = CLASSIC.press(board, key);
        times.push(press(&mut player, &mut dice, key, n, |frame| frame.lit() == board.bits())?);
    }
    Ok(times)
}

/// While a key pulses.
pub fn animated(firmware: &Firmware) -> Result<Vec<Figure>, Trouble> {
    let (mut player, mut dice) = (greeted(firmware, honest(MISS)), dice(2));
    player.try_start(ModeKind::Tutor, &[])?;
    // The lesson accepts the keys below the lights of the first row that has any; every other key is wrong.
    let lit = player.device.lit();
    let first_row = (0..SIDE).map(|row| lit & (31 << (SIDE * row))).find(|row| *row != 0).unwrap_or(0);
    let wrong = ALL_CELLS & !(first_row << SIDE);
    let mut times = Vec::with_capacity(PRESSES);
    for n in 0..PRESSES {
        // Not the key that still glows, whose answer could not be told from before.
        let key = loop {
            let key = dice.key();
            let glows = player.device.frame().is_some_and(|frame| is_red(frame, key));
            if wrong & key.bit() != 0 && !glows {
                break key;
            }
        };
        times.push(press(&mut player, &mut dice, key, n, |frame| is_red(frame, key))?);
    }
    figures(
        "animated",
        "while a key pulses",
        times,
        [None, Some(limits::PRESS_TO_LIGHT_ANIMATED_P99), Some(limits::PRESS_TO_LIGHT_ANIMATED_MAX)],
    )
}

fn is_red(frame: &Frame, key: Cell) -> bool {
    let led = frame.leds[key.index()];
    led.r > 0 && led.g == 0 && led.b == 0
}

/// One press and release; the milliseconds to the end of the frame that answers.
fn press(
    player: &mut Player<Handheld>,
    dice: &mut Dice,
    key: Cell,
    n: usize,
    answers: impl Fn(&Frame) -> bool,
) -> Result<f64, Trouble> {
    // Not in step with anything, to the nanosecond.
    let phase = Duration::from_nanos(dice.below(5_000_000).into());
    player.wait(phase);
    let contact = player.tap_bouncing(key, dice);
    let mut answer = None;
    while answer.is_none() {
        let left = (contact + PATIENCE).saturating_sub(player.device.now());
        let frame = player.device.run_to_next_frame(left);
        let frame = frame.ok_or_else(|| Trouble(format!("press {n} of {key:?} was not answered in {PATIENCE:?}")))?;
        answer = (frame.started >= contact && answers(&frame)).then(|| frame.ended - contact);
    }
    player.wait((contact + INTERVAL).saturating_sub(player.device.now()));
    Ok(answer.map_or(0.0, |time| time.as_secs_f64() * 1000.0))
}

fn figures(id: &str, name: &str, times: Vec<f64>, limits: [Option<Duration>; 3]) -> Result<Vec<Figure>, Trouble> {
    let sample = Sample::new(times).ok_or_else(|| Trouble("no press was measured".to_owned()))?;
    let values = [("p50", sample.percentile(0.5)), ("p99", sample.percentile(0.99)), ("max", sample.max())];
    Ok(values
        .into_iter()
        .zip(limits)
        .map(|((rank, value), limit)| {
            let (id, name) = (format!("press.{id}.{rank}"), format!("press to light, {name}, {rank}"));
            let figure = Figure::new(&id, &name, Unit::Milliseconds, value).beside(match rank {
                "p50" => "floor: 0.720 ms on the wire",
                "p99" => "floor: 1.020 ms with two looks 0.3 ms apart",
                _ => "of 1,600 bouncing presses",
            });
            limit.map_or(figure.clone(), |limit| figure.at_most(limit.as_secs_f64() * 1000.0))
        })
        .collect())
}
