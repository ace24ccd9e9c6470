//! Starting, sleeping, waking, and what it all draws.
//!
//! **Power-on to first light** goes from power-on to the last bit of the first frame. It begins with the boot ROM, 6.55 ms; then
//! the firmware waits for the crystal to swing steadily, switches the LEDs' supply on and gives that 20 ms to rise, in which it gets itself
//! ready. The supply here takes all of that.
//!
//! **Awake** is the share of clock cycles in which the core runs instead of waiting for an interrupt.
//!
//! **A reading of the battery** is made of 8 samples, with the converter switched on and off around them; the code is in flash.
//!
//! **Current** is a model, not a measurement: 25 mA for the Pico whether its core runs or waits (its clocks go on), 1
//! mA for each LED with supply, and 55 mA more for one at full white, in proportion. Asleep, with all clocks stopped, a
//! Pico takes about 1 mA; without the supply switch the dark LEDs would go on drawing theirs.

use emulator::{CELLS, Firmware, Handheld, Options, Supply};
use lights_out::game::modes::ModeKind;
use lights_out::gesture::Command;
use lights_out::wiring::Wiring;
use player::{Player, limits, ms, us};

use crate::figure::{Figure, Unit};
use crate::trouble::Trouble;
use crate::{MISS, cycles_per_us, greeted, honest, switched_on};
use std::time::Duration;

/// How long the core is watched for each share.
const SPAN: Duration = Duration::from_secs(5);
/// Without a key for 3 minutes, and the time to save and to switch the lights off.
const ASLEEP: Duration = Duration::from_secs(3 * 60 + 5);
/// The switch of the LED supply.
const SUPPLY_PIN: u32 = 1 << Wiring::REFERENCE.supply;
/// How long it may take to the first frame.
const PATIENCE: Duration = ms(2000);
/// A Pico whose clocks are stopped, and its regulator, in milliamperes.
const DORMANT: f64 = 1.0;
/// Of dark LEDs with supply, in milliamperes.
const DARK_LEDS: f64 = CELLS as f64;

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

/// Reset to first frame, for the first time and with a game to go on with.
pub fn starts(firmware: &Firmware) -> Result<Vec<Figure>, Trouble> {
    let slow_supply = || Options { supply_rise: limits::SUPPLY_RISE, ..honest(MISS) };
    let mut player = switched_on(firmware, slow_supply());
    let (first, crystal) = first_frame(&mut player)?;
    player.after_greeting();
    player.try_start(ModeKind::Random, &[])?;
    player.wait(ms(2000));
    let flash = Some(player.device.power_off());
    let mut again = switched_on(firmware, Options { flash, ..slow_supply() });
    let (resumed, _) = first_frame(&mut again)?;
    let figure = |id, name, value| Figure::new(id, name, Unit::Milliseconds, milliseconds(value));
    let limit = milliseconds(limits::START);
    Ok(vec![
        figure("start.first", "power-on to first light, first time", first)
            .at_most(limit)
            .beside("boot ROM 6.55, crystal 6, supply 20, wire 0.72 ms"),
        figure("start.crystal", "  of it, until the crystal is steady", crystal).beside("boot ROM 6.55, crystal 6 ms"),
        figure("start.resumed", "power-on to first light, with a game saved", resumed).at_most(limit),
    ])
}

/// When the first frame has ended, and when the crystal was steady.
fn first_frame(player: &mut Player<Handheld>) -> Result<(Duration, Duration), Trouble> {
    let frame = player.device.run_to_next_frame(PATIENCE).ok_or_else(|| Trouble("no first frame".to_owned()))?;
    let crystal = player.device.crystal_stable().ok_or_else(|| Trouble("the crystal is off".to_owned()))?;
    Ok((frame.ended, crystal))
}

/// The share of cycles awake, the current, and waking up.
pub fn life(firmware: &Firmware) -> Result<Vec<Figure>, Trouble> {
    let mut player = greeted(firmware, honest(MISS));
    player.try_start(ModeKind::Random, &[])?;
    player.wait(ms(2000));
    let (still, still_current) = watched(&mut player);
    player.command(Command::Hint);
    let (hint, hint_current) = watched(&mut player);
    player.try_menu()?;
    player.wait(ms(2000));
    let (menu, menu_current) = watched(&mut player);

    player.wait(ASLEEP);
    if !player.device.is_dormant() {
        return Err(Trouble("the handheld does not sleep after three minutes".to_owned()));
    }
    let supply = player.device.led_supply();
    player.device.probe_pins(SUPPLY_PIN);
    let contact = player.device.now() + us(100);
    player.device.schedule(contact, CELLS / 2, true);
    let frame = player.device.run_to_next_frame(PATIENCE).ok_or_else(|| Trouble("it does not wake up".to_owned()))?;
    let woken = milliseconds(frame.ended.saturating_sub(contact));
    let supply_on = player.device.probed().find(|&(at, level)| at >= contact && level != 0);
    let supply_on = supply_on.map(|(at, _)| milliseconds(at - contact));

    let awake = |id, name, share: f64| Figure::new(id, name, Unit::Percent, 100.0 * share).slack(0.01);
    let current = |id, name, value| Figure::new(id, name, Unit::Milliamperes, value);
    let asleep = DORMANT + if supply { DARK_LEDS } else { 0.0 };
    Ok(vec![
        Figure::new("wake", "wake to first frame", Unit::Milliseconds, woken)
            .at_most(milliseconds(limits::WAKE))
            .beside("floor: 6 ms crystal + 20 ms LED supply + 0.720 ms"),
        Figure::new("wake.supply", "  of it, until the LEDs have supply", Unit::Milliseconds, supply_on)
            .beside("floor: 6 ms crystal"),
        awake("awake.still", "awake, still board", still)
            .at_most(100.0 * limits::AWAKE_STILL)
            .beside("a 2 kHz timer scan: 4.9 %"),
        awake("awake.hint", "awake, while a hint pulses", hint),
        awake("awake.menu", "awake, menu", menu),
        current("current.still", "current, still board", still_current).open().beside("model: 25 + 25 LEDs + light"),
        current("current.hint", "current, while a hint pulses", hint_current).open(),
        current("current.menu", "current, menu", menu_current).open().at_most(limits::CURRENT.into()),
        current("current.asleep", "current, asleep", asleep).beside("1 mA for a Pico without clocks"),
        current("current.asleep.unswitched", "  without the supply switch", DORMANT + DARK_LEDS).open(),
        current("current.idle", "  without sleep, lights dark", 25.0 + DARK_LEDS).open(),
    ])
}

/// What it costs to read the battery: on cells, through a minute with one reading and a save before it.
pub fn battery(firmware: &Firmware) -> Result<Vec<Figure>, Trouble> {
    let supply = Supply::Cells { millivolts: 4_500, milliohms: 1_000 };
    let mut player = greeted(firmware, Options { supply, ..honest(MISS) });
    player.try_start(ModeKind::Random, &[])?;
    player.wait(ms(2000));
    let watch = player.device.watch_calls("battery::Meter::read");
    let before = player.device.effort();
    player.wait(Duration::from_secs(60));
    let share = player.device.effort().share_since(before);
    let longest = watch.and_then(|watch| player.device.calls(watch)?.max());
    let longest = longest.map(|cycles| cycles as f64 / cycles_per_us(firmware.chip()));
    Ok(vec![
        Figure::new("battery.reading", "a reading of the battery, on cells", Unit::Microseconds, longest)
            .beside("floor: 16 us for 8 samples"),
        Figure::new("battery.awake", "awake, still board on cells, a minute", Unit::Percent, 100.0 * share)
            .slack(0.01)
            .at_most(100.0 * limits::AWAKE_STILL),
    ])
}

/// The share of cycles awake, and the mean current.
fn watched(player: &mut Player<Handheld>) -> (f64, f64) {
    const STEPS: u32 = 100;
    let before = player.device.effort();
    let mut current = 0.0;
    for _ in 0..STEPS {
        player.wait(SPAN / STEPS);
        current += player.device.frame().map_or(0.0, |frame| f64::from(frame.milliamps()));
    }
    (player.device.effort().share_since(before), current / f64::from(STEPS))
}
