//! Press to light: from the first touch of a contact to the last bit of the frame that answers.
//!
//! Keys that bounce are pressed in the rhythms in which people play, at moments that have nothing to do with the firmware's own. The
//! floor is the wire: 600 bits of 1.2 us are 0.72 ms. Above it, a press is believed only when two looks at least 0.3 ms apart agree (see
//! `lights_out::debounce`), which a bounce draws out. What can come in the way of a press, by [`Rhythm`]:
//!
//! - The picture that is sent again every 300 ms may be on the wire; the answer waits for its end and for the silence after it.
//! - The game is saved half a second after a press. Presses 480 to 520 ms apart are aimed at that.
//! - A sector of flash is erased, for 45 ms as a rule and for 400 at worst. A sector holds eight saves and here none is blank at first, so
//!   that one is erased for every eight saves; and every erase is met by a press.
//! - During an animation (the Tutor's pointer, which pulses, 30 frames a second) a frame is on the wire for a good part of the
//!   time. There a wrong key is pressed: it glows red at once, and the lesson stays where it is, so that every press meets the
//!   same animation.

use std::time::Duration;

use emulator::{Firmware, FlashTimes, Frame, Handheld, Options};
use lights_out::board::{Cell, Cells, SIDE};
use lights_out::game::modes::ModeKind;
use lights_out::solver::CLASSIC;
use player::{Device, Dice, Player, limits, ms, us};

use crate::figure::{Figure, Unit};
use crate::statistics::Sample;
use crate::trouble::Trouble;
use crate::{Extent, MISS, SLOW_MISS, dice, greeted, honest};

/// A press is answered within this, or not at all.
const PATIENCE: Duration = ms(1000);
/// From one press to the next, at least: the contacts have come to rest and the key counts as up.
const INTERVAL: Duration = ms(60);
/// Natural play: from one press to the next, in milliseconds.
const NATURAL: (u32, u32) = (60, 1600);
/// Around the moment of the save.
const BESIDE_SAVE: (u32, u32) = (480, 520);
/// From [`Player::tap_bouncing`] to the first touch.
const AHEAD: Duration = us(100);

/// When keys are pressed, and what the flash does meanwhile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rhythm {
    /// 60 to 1,600 ms apart, with saves.
    Natural,
    /// When the save of the press before is written.
    AimedAtSaves,
    /// As natural, but with erases that take about so many milliseconds, each of which is met by a press.
    Erases(u64),
}

impl Rhythm {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Natural, Self::AimedAtSaves, Self::Erases(45), Self::Erases(400)];

    fn id(self) -> String {
        match self {
            Self::Natural => "natural".to_owned(),
            Self::AimedAtSaves => "saves".to_owned(),
            Self::Erases(time) => format!("erases.{time}"),
        }
    }

    fn name(self) -> String {
        match self {
            Self::Natural => "natural rhythm".to_owned(),
            Self::AimedAtSaves => "aimed at saves".to_owned(),
            Self::Erases(time) => format!("erases of {time} ms"),
        }
    }

    /// From one press to the next.
    fn gap(self, dice: &mut Dice) -> Duration {
        let (least, most) = if self == Self::AimedAtSaves { BESIDE_SAVE } else { NATURAL };
        // Not in step with anything, to the nanosecond.
        ms(least.into()) + us(dice.below(1000 * (most - least)).into()) + Duration::from_nanos(dice.below(1000).into())
    }

    /// The handheld for it.
    fn options(self, firmware: &Firmware, miss_cycles: u32) -> Options {
        let Self::Erases(time) = self else { return honest(miss_cycles) };
        // A flash full of what no journal wrote: it has to be erased before it can be written.
        let flash = Some(vec![0; firmware.chip().flash_size()]);
        let flash_times = FlashTimes { erase: ms(time), variation: 0.05, ..FlashTimes::default() };
        Options { flash, flash_times, ..honest(miss_cycles) }
    }
}

/// The times of presses in one rhythm, in milliseconds, and how many of the presses found the flash at work.
struct Times {
    answered: Vec<f64>,
    met: usize,
}

/// In one rhythm, where a miss of the flash's cache costs 60 cycles.
pub fn in_rhythm(firmware: &Firmware, rhythm: Rhythm, extent: Extent) -> Result<Vec<Figure>, Trouble> {
    let times = times_in(firmware, rhythm, MISS, extent.presses())?;
    let beside = match rhythm {
        Rhythm::Natural => format!("of {} presses", times.answered.len()),
        _ => format!("of {} presses, {} of them with the flash at work", times.answered.len(), times.met),
    };
    figures(&rhythm.id(), &rhythm.name(), times.answered, STILL, &beside, extent)
}

/// In all rhythms, where a miss costs 100 cycles.
pub fn with_slow_flash(firmware: &Firmware, extent: Extent) -> Result<Vec<Figure>, Trouble> {
    let mut times = Vec::with_capacity(extent.presses());
    for rhythm in Rhythm::ALL {
        times.extend(times_in(firmware, rhythm, SLOW_MISS, extent.presses() / Rhythm::ALL.len())?.answered);
    }
    let beside = format!("of {} presses, a quarter in each rhythm; a miss costs 100 cycles", times.len());
    figures("slow", "slow flash, all rhythms", times, STILL, &beside, extent)
}

fn times_in(firmware: &Firmware, rhythm: Rhythm, miss_cycles: u32, presses: usize) -> Result<Times, Trouble> {
    let (mut player, mut dice) = (greeted(firmware, rhythm.options(firmware, miss_cycles)), dice(1));
    player.try_start(ModeKind::Random, &[])?;
    let mut board = player.board();
    let mut times = Times { answered: Vec::with_capacity(presses), met: 0 };
    let mut last = player.device.now();
    for n in 0..presses {
        let key = dice.harmless_key(board);
        board = CLASSIC.press(board, key);
        let planned = last + rhythm.gap(&mut dice);
        wait_for_moment(&mut player, &mut dice, rhythm, last, planned);
        let (contact, is_met, time) = press(&mut player, &mut dice, key, n, |frame| frame.lit() == board.bits())?;
        last = contact;
        times.met += usize::from(is_met);
        times.answered.push(time);
    }
    if rhythm != Rhythm::Natural && times.met == 0 {
        return Err(Trouble(format!("{}: no press came while the flash was at work", rhythm.name())));
    }
    Ok(times)
}

/// Waits for the planned moment of a press. If an erase begins before, the press comes in it.
fn wait_for_moment(player: &mut Player<Handheld>, dice: &mut Dice, rhythm: Rhythm, last: Duration, planned: Duration) {
    let left = |player: &Player<Handheld>, until: Duration| until.saturating_sub(player.device.now() + AHEAD);
    player.wait(left(player, last + INTERVAL));
    let mut moment = planned;
    if let Rhythm::Erases(time) = rhythm
        && player.device.run_until(left(player, planned), Handheld::flash_is_erased)
    {
        moment = planned.min(player.device.now() + us(dice.below(950 * time as u32).into()));
    }
    player.wait(left(player, moment));
}

/// While a key pulses, in a natural rhythm; half of the presses with a slow flash.
pub fn animated(firmware: &Firmware, extent: Extent) -> Result<Vec<Figure>, Trouble> {
    let mut times = Vec::with_capacity(extent.presses());
    for miss_cycles in [MISS, SLOW_MISS] {
        times.extend(animated_times(firmware, miss_cycles, extent.presses() / 2)?);
    }
    let beside = format!("of {} presses; a frame is often on the wire", times.len());
    figures("animated", "while a key pulses", times, ANIMATED, &beside, extent)
}

fn animated_times(firmware: &Firmware, miss_cycles: u32, presses: usize) -> Result<Vec<f64>, Trouble> {
    let (mut player, mut dice) = (greeted(firmware, honest(miss_cycles)), dice(2));
    player.try_start(ModeKind::Tutor, &[])?;
    // The lesson accepts the keys below the lights of the first row that has any; every other key is wrong.
    let lit = player.device.lit();
    let first_row = (0..SIDE).map(|row| lit & Cells::in_row(row)).find(|row| !row.is_empty()).unwrap_or_default();
    let wrong = !Cells::from_bits(first_row.bits() << SIDE);
    let mut times = Vec::with_capacity(presses);
    let mut last = player.device.now();
    for n in 0..presses {
        let planned = last + Rhythm::Natural.gap(&mut dice);
        wait_for_moment(&mut player, &mut dice, Rhythm::Natural, last, planned);
        // Not the key that still glows, whose answer could not be told from before.
        let key = loop {
            let key = dice.key();
            let glows = player.device.frame().is_some_and(|frame| is_red(frame, key));
            if wrong.contains(key) && !glows {
                break key;
            }
        };
        let (contact, _, time) = press(&mut player, &mut dice, key, n, |frame| is_red(frame, key))?;
        last = contact;
        times.push(time);
    }
    Ok(times)
}

fn is_red(frame: &Frame, key: Cell) -> bool {
    let led = frame.leds[key.index()];
    led.r > 0 && led.g == 0 && led.b == 0
}

/// One press, 100 us from now, and its release. Gives the moment of the touch, whether the flash was at work then, and the
/// milliseconds to the end of the frame that answers.
fn press(
    player: &mut Player<Handheld>,
    dice: &mut Dice,
    key: Cell,
    n: usize,
    answers: impl Fn(&Frame) -> bool,
) -> Result<(Duration, bool, f64), Trouble> {
    let contact = player.tap_bouncing(key, dice);
    player.wait(contact.saturating_sub(player.device.now()));
    let is_met = player.device.flash_is_busy();
    loop {
        let left = (contact + PATIENCE).saturating_sub(player.device.now());
        let frame = player.device.run_to_next_frame(left);
        let frame = frame.ok_or_else(|| Trouble(format!("press {n} of {key:?} was not answered in {PATIENCE:?}")))?;
        if frame.started >= contact && answers(&frame) {
            return Ok((contact, is_met, (frame.ended - contact).as_secs_f64() * 1000.0));
        }
    }
}

/// What is promised: p99 and max.
const STILL: [Duration; 2] = [limits::PRESS_TO_LIGHT_P99, limits::PRESS_TO_LIGHT_MAX];
const ANIMATED: [Duration; 2] = [limits::PRESS_TO_LIGHT_ANIMATED_P99, limits::PRESS_TO_LIGHT_ANIMATED_MAX];
/// By how much the longest of all may grow beyond its record, in milliseconds. One press of a thousand that meets a frame on the wire
/// decides it, and which one does moves with every build.
const MAX_SLACK: f64 = 0.2;

/// Percentiles of the times, in milliseconds.
fn figures(
    id: &str,
    name: &str,
    times: Vec<f64>,
    [p99, max]: [Duration; 2],
    beside: &str,
    extent: Extent,
) -> Result<Vec<Figure>, Trouble> {
    let sample = Sample::new(times).ok_or_else(|| Trouble("no press was measured".to_owned()))?;
    let figure = |rank: &str, value: f64, slack: f64| {
        let (id, name) = (format!("press.{id}.{rank}"), format!("press to light, {name}, {rank}"));
        let figure = Figure::new(&id, &name, Unit::Milliseconds, value).slack(slack);
        // The record is of the short form.
        if extent == Extent::Long { figure.open() } else { figure }
    };
    let milliseconds = |limit: Duration| limit.as_secs_f64() * 1000.0;
    Ok(vec![
        figure("p50", sample.percentile(0.5), 0.0).beside("floor: 0.720 ms on the wire"),
        figure("p99", sample.percentile(0.99), 0.0)
            .at_most(milliseconds(p99))
            .beside("floor: 1.020 ms with two looks 0.3 ms apart"),
        figure("max", sample.max(), MAX_SLACK).at_most(milliseconds(max)).beside(beside),
    ])
}
