//! Press to light: the time from the first closing of a contact to the last bit of the frame that shows the press.
//!
//! Bouncing keys are pressed in the rhythms of real players, at times that are not synchronised with the firmware. The
//! lower bound is the LED wire: 600 bits of 1.2 us are 0.72 ms. In addition, the debouncer accepts a press only when
//! two scans at least 0.3 ms apart agree (see `lights_out::debounce`), and bouncing makes that longer. Other delays
//! depend on the [`Rhythm`]:
//!
//! - The frame is sent again every 300 ms and may be on the wire. The new frame waits for its end and for the latch
//!   time.
//! - The game is saved half a second after a press. Presses 480 to 520 ms apart coincide with the save.
//! - A sector of flash is erased, typically in 45 ms and in 400 ms at worst. A sector holds eight saves, and here no
//!   sector is blank at first, so one is erased for every eight saves. A press comes during every erase.
//! - During an animation (the Tutor's pulsing pointer, 30 frames a second) a frame is on the wire for much of the time.
//!   In this measurement a wrong key is pressed. Its cell lights up red immediately, and the lesson does not advance.
//!   So the animation is the same for every press.

use std::time::Duration;

use emulator::{Firmware, FlashTimes, Frame, Handheld, Options};
use lights_out::board::{Cell, Cells, SIDE};
use lights_out::game::modes::ModeKind;
use lights_out::solver::CLASSIC;
use player::{Device, Dice, Player, limits, ms, us};

use crate::error::MeasureError;
use crate::figure::{Figure, Unit};
use crate::statistics::Sample;
use crate::{Extent, MISS_CYCLES, SLOW_MISS_CYCLES, dice, greeted, realistic};

/// The longest wait for the frame that shows a press.
const TIMEOUT: Duration = ms(1000);
/// The shortest time between two presses: the contacts no longer bounce, and the key is up.
const MIN_INTERVAL: Duration = ms(60);
/// Time between two presses in natural play: shortest and longest, in milliseconds.
const NATURAL: (u32, u32) = (60, 1600);
/// Time between two presses that coincide with saves, in milliseconds.
const AT_SAVE: (u32, u32) = (480, 520);
/// From [`Player::tap_bouncing`] to the first closing of the contact.
const LEAD_TIME: Duration = us(100);

/// When keys are pressed, and what the flash does at that time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rhythm {
    /// Presses 60 to 1,600 ms apart, with saves.
    Natural,
    /// Each press comes while the save of the previous press is written.
    DuringSaves,
    /// As `Natural`, but with erases that take about this many milliseconds. A press comes during each erase.
    DuringErases(u64),
}

impl Rhythm {
    /// All rhythms.
    pub(crate) const ALL: [Self; 4] =
        [Self::Natural, Self::DuringSaves, Self::DuringErases(45), Self::DuringErases(400)];

    fn id(self) -> String {
        match self {
            Self::Natural => "natural".to_owned(),
            Self::DuringSaves => "saves".to_owned(),
            Self::DuringErases(time) => format!("erases.{time}"),
        }
    }

    fn name(self) -> String {
        match self {
            Self::Natural => "natural rhythm".to_owned(),
            Self::DuringSaves => "during saves".to_owned(),
            Self::DuringErases(time) => format!("during erases of {time} ms"),
        }
    }

    /// A random time from one press to the next.
    fn gap(self, dice: &mut Dice) -> Duration {
        let (least, most) = if self == Self::DuringSaves { AT_SAVE } else { NATURAL };
        // In nanoseconds, so that the time is not synchronised with the firmware.
        ms(least.into()) + us(dice.below(1000 * (most - least)).into()) + Duration::from_nanos(dice.below(1000).into())
    }

    /// The handheld for this rhythm.
    fn options(self, firmware: &Firmware, miss_cycles: u32) -> Options {
        let Self::DuringErases(time) = self else { return realistic(miss_cycles) };
        // A flash full of other data: a sector has to be erased before it can be programmed.
        let flash = Some(vec![0; firmware.chip().flash_size()]);
        let flash_times = FlashTimes { erase: ms(time), variation: 0.05, ..FlashTimes::default() };
        Options { flash, flash_times, ..realistic(miss_cycles) }
    }
}

/// The measured presses of one rhythm.
struct Presses {
    /// From each press to its light, in milliseconds.
    times: Vec<f64>,
    /// The number of presses while the flash was busy.
    with_busy_flash: usize,
}

/// Press to light in one rhythm. A miss of the flash cache costs 60 cycles.
pub(crate) fn in_rhythm(firmware: &Firmware, rhythm: Rhythm, extent: Extent) -> Result<Vec<Figure>, MeasureError> {
    let presses = presses_in(firmware, rhythm, MISS_CYCLES, extent.presses())?;
    let note = match rhythm {
        Rhythm::Natural => format!("of {} presses", presses.times.len()),
        _ => format!("of {} presses, {} of them with the flash busy", presses.times.len(), presses.with_busy_flash),
    };
    figures(&rhythm.id(), &rhythm.name(), presses.times, STILL, &note, extent)
}

/// Press to light in all rhythms. A miss of the flash cache costs 100 cycles.
pub(crate) fn with_slow_flash(firmware: &Firmware, extent: Extent) -> Result<Vec<Figure>, MeasureError> {
    let mut times = Vec::with_capacity(extent.presses());
    for rhythm in Rhythm::ALL {
        times.extend(presses_in(firmware, rhythm, SLOW_MISS_CYCLES, extent.presses() / Rhythm::ALL.len())?.times);
    }
    let note = format!("of {} presses, a quarter in each rhythm; a cache miss costs 100 cycles", times.len());
    figures("slow", "slow flash, all rhythms", times, STILL, &note, extent)
}

fn presses_in(firmware: &Firmware, rhythm: Rhythm, miss_cycles: u32, count: usize) -> Result<Presses, MeasureError> {
    let (mut player, mut dice) = (greeted(firmware, rhythm.options(firmware, miss_cycles)), dice(1));
    player.try_start(ModeKind::Random, &[])?;
    let mut board = player.board();
    let mut presses = Presses { times: Vec::with_capacity(count), with_busy_flash: 0 };
    let mut last = player.device.now();
    for n in 0..count {
        let key = dice.non_winning_key(board);
        board = CLASSIC.press(board, key);
        let planned = last + rhythm.gap(&mut dice);
        wait_for_moment(&mut player, &mut dice, rhythm, last, planned);
        let (contact, was_flash_busy, time) =
            press(&mut player, &mut dice, key, n, |frame| frame.lit() == board.bits())?;
        last = contact;
        presses.with_busy_flash += usize::from(was_flash_busy);
        presses.times.push(time);
    }
    if rhythm != Rhythm::Natural && presses.with_busy_flash == 0 {
        return Err(MeasureError(format!("{}: no press came while the flash was busy", rhythm.name())));
    }
    Ok(presses)
}

/// Waits for the planned time of a press. If an erase begins earlier, the press comes during the erase.
fn wait_for_moment(player: &mut Player<Handheld>, dice: &mut Dice, rhythm: Rhythm, last: Duration, planned: Duration) {
    let left = |player: &Player<Handheld>, until: Duration| until.saturating_sub(player.device.now() + LEAD_TIME);
    player.wait(left(player, last + MIN_INTERVAL));
    let mut moment = planned;
    if let Rhythm::DuringErases(time) = rhythm
        && player.device.run_until(left(player, planned), Handheld::is_flash_erasing)
    {
        moment = planned.min(player.device.now() + us(dice.below(950 * time as u32).into()));
    }
    player.wait(left(player, moment));
}

/// Press to light while a key pulses, in the natural rhythm. A cache miss costs 100 cycles for half of the presses.
pub(crate) fn animated(firmware: &Firmware, extent: Extent) -> Result<Vec<Figure>, MeasureError> {
    let mut times = Vec::with_capacity(extent.presses());
    for miss_cycles in [MISS_CYCLES, SLOW_MISS_CYCLES] {
        times.extend(animated_times(firmware, miss_cycles, extent.presses() / 2)?);
    }
    let note = format!("of {} presses; a frame is often on the wire", times.len());
    figures("animated", "while a key pulses", times, ANIMATED, &note, extent)
}

fn animated_times(firmware: &Firmware, miss_cycles: u32, presses: usize) -> Result<Vec<f64>, MeasureError> {
    let (mut player, mut dice) = (greeted(firmware, realistic(miss_cycles)), dice(2));
    player.try_start(ModeKind::Tutor, &[])?;
    // The lesson accepts the keys below the lights of the first row that has lights. Every other key is wrong.
    let lit = player.device.lit();
    let first_row = (0..SIDE).map(|row| lit & Cells::in_row(row)).find(|row| !row.is_empty()).unwrap_or_default();
    let wrong = !Cells::from_bits(first_row.bits() << SIDE);
    let mut times = Vec::with_capacity(presses);
    let mut last = player.device.now();
    for n in 0..presses {
        let planned = last + Rhythm::Natural.gap(&mut dice);
        wait_for_moment(&mut player, &mut dice, Rhythm::Natural, last, planned);
        // Not a key that is still red: its new frame would be the same as the old one.
        let key = loop {
            let key = dice.key();
            let is_still_red = player.device.frame().is_some_and(|frame| is_red(frame, key));
            if wrong.contains(key) && !is_still_red {
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

/// Presses and releases a key; the contact closes 100 us from now. Returns the time of the contact, whether the flash
/// was busy then, and the milliseconds to the end of the frame that shows the press.
fn press(
    player: &mut Player<Handheld>,
    dice: &mut Dice,
    key: Cell,
    n: usize,
    shows_press: impl Fn(&Frame) -> bool,
) -> Result<(Duration, bool, f64), MeasureError> {
    let contact = player.tap_bouncing(key, dice);
    player.wait(contact.saturating_sub(player.device.now()));
    let was_flash_busy = player.device.is_flash_busy();
    loop {
        let left = (contact + TIMEOUT).saturating_sub(player.device.now());
        let frame = player.device.run_to_next_frame(left);
        let frame =
            frame.ok_or_else(|| MeasureError(format!("press {n} of {key:?} was not shown within {TIMEOUT:?}")))?;
        if frame.started >= contact && shows_press(&frame) {
            return Ok((contact, was_flash_busy, (frame.ended - contact).as_secs_f64() * 1000.0));
        }
    }
}

/// Limits while nothing is animated: p99 and max.
const STILL: [Duration; 2] = [limits::PRESS_TO_LIGHT_P99, limits::PRESS_TO_LIGHT_MAX];
/// Limits during an animation: p99 and max.
const ANIMATED: [Duration; 2] = [limits::PRESS_TO_LIGHT_ANIMATED_P99, limits::PRESS_TO_LIGHT_ANIMATED_MAX];
/// How much the maximum may grow beyond the tolerance, in milliseconds. One press of a thousand that coincides with a
/// frame on the wire decides it, and every build changes which one.
const MAX_SLACK: f64 = 0.2;

/// The figures of the times, which are in milliseconds.
fn figures(
    id: &str,
    name: &str,
    times: Vec<f64>,
    [p99, max]: [Duration; 2],
    note: &str,
    extent: Extent,
) -> Result<Vec<Figure>, MeasureError> {
    let sample = Sample::new(times).ok_or_else(|| MeasureError("no press was measured".to_owned()))?;
    let figure = |rank: &str, value: f64, slack: f64| {
        let (id, name) = (format!("press.{id}.{rank}"), format!("press to light, {name}, {rank}"));
        let figure = Figure::new(&id, &name, Unit::Milliseconds, value).slack(slack);
        // The recorded figures are of the short extent.
        if extent == Extent::Long { figure.not_recorded() } else { figure }
    };
    let milliseconds = |limit: Duration| limit.as_secs_f64() * 1000.0;
    Ok(vec![
        figure("p50", sample.percentile(0.5), 0.0).note("floor: 0.720 ms on the wire"),
        figure("p99", sample.percentile(0.99), 0.0)
            .at_most(milliseconds(p99))
            .note("floor: 1.020 ms with two scans 0.3 ms apart"),
        figure("max", sample.max(), MAX_SLACK).at_most(milliseconds(max)).note(note),
    ])
}
