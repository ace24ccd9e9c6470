//! Starting, sleeping, waking, and what it all draws.
//!
//! **Reset to first frame** goes from power-on to the last bit of the first frame. Part of it is the crystal: the
//! firmware gives it 6 ms to swing steadily (`CRYSTAL_WAIT` in src/firmware/board.rs), which the virtual handheld
//! models and tells. The time that the boot ROM takes before it starts the firmware is not modelled.
//!
//! **Awake** is the share of clock cycles in which the core runs instead of waiting for an interrupt.
//!
//! **Current** is a model, not a measurement: 25 mA for the Pico whether its core runs or waits (its clocks go on), 1
//! mA for each LED with supply, and 55 mA more for one at full white, in proportion. Asleep, with all clocks stopped, a
//! Pico takes about 1 mA; without the supply switch the dark LEDs would go on drawing theirs.

use lights_out::game::settings::ModeKind;
use lights_out::gesture::Command;
use virtual_handheld::{CELLS, Firmware, Options};

use crate::figure::{Figure, Unit};
use crate::player::{Player, Trouble, WIPED, ms, us};
use std::time::Duration;

/// How long the core is watched for each share.
const SPAN: Duration = Duration::from_secs(5);
/// Without a key for 3 minutes, and the time to save and to switch the lights off.
const ASLEEP: Duration = Duration::from_secs(3 * 60 + 5);
/// The switch of the LED supply: GP17.
const SUPPLY_PIN: u32 = 1 << 17;
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
    let mut player = Player::new(firmware, Options::default(), 7);
    let (first, crystal) = first_frame(&mut player)?;
    player = player.greeted();
    player.start(ModeKind::Random, &[])?;
    player.wait(ms(2000));
    let flash = Some(player.handheld.power_off());
    let mut again = Player::new(firmware, Options { flash, ..Options::default() }, 7);
    let (resumed, crystal_again) = first_frame(&mut again)?;
    let figure = |id, name, value| Figure::new(id, name, Unit::Milliseconds, milliseconds(value));
    Ok(vec![
        figure("start.first", "reset to first frame, first time", first),
        figure("start.crystal", "  of it, until the crystal is steady", crystal)
            .beside("6.0 ms of it are CRYSTAL_WAIT"),
        figure("start.rest", "  of it, after that", first - crystal)
            .at_most(20.0)
            .beside("floor: 0.750 ms on the wire"),
        figure("start.resumed", "reset to first frame, with a game saved", resumed),
        figure("start.resumed.rest", "  of it, after the crystal", resumed.saturating_sub(crystal_again)).at_most(20.0),
    ])
}

/// When the first frame has ended, and when the crystal was steady.
fn first_frame(player: &mut Player) -> Result<(Duration, Duration), Trouble> {
    let frame = player.handheld.run_to_next_frame(PATIENCE).ok_or_else(|| Trouble("no first frame".to_owned()))?;
    let crystal = player.handheld.crystal_stable().ok_or_else(|| Trouble("the crystal is off".to_owned()))?;
    Ok((frame.ended, crystal))
}

/// The share of cycles awake, the current, and waking up.
pub fn life(firmware: &Firmware) -> Result<Vec<Figure>, Trouble> {
    let mut player = Player::new(firmware, Options::default(), 8).greeted();
    player.start(ModeKind::Random, &[])?;
    player.wait(ms(2000));
    let (still, still_current) = watched(&mut player);
    player.command(Command::Hint);
    player.wait(WIPED);
    let (hint, hint_current) = watched(&mut player);
    player.choose(&[])?;
    player.wait(ms(2000));
    let (menu, menu_current) = watched(&mut player);

    player.wait(ASLEEP);
    if !player.handheld.is_dormant() {
        return Err(Trouble("the handheld does not sleep after three minutes".to_owned()));
    }
    let supply = player.handheld.led_supply();
    player.handheld.probe_pins(SUPPLY_PIN);
    let contact = player.handheld.now() + us(100);
    player.handheld.schedule(contact, CELLS / 2, true);
    let frame = player.handheld.run_to_next_frame(PATIENCE).ok_or_else(|| Trouble("it does not wake up".to_owned()))?;
    let woken = milliseconds(frame.ended.saturating_sub(contact));
    let supply_on = player.handheld.probed().find(|&(at, level)| at >= contact && level != 0);
    let supply_on = supply_on.map(|(at, _)| milliseconds(at - contact));

    let awake = |id, name, share: f64| Figure::new(id, name, Unit::Percent, 100.0 * share).slack(0.01);
    let current = |id, name, value| Figure::new(id, name, Unit::Milliamperes, value);
    let asleep = DORMANT + if supply { DARK_LEDS } else { 0.0 };
    Ok(vec![
        Figure::new("wake", "wake to first frame", Unit::Milliseconds, woken)
            .at_most(100.0)
            .beside("floor: 6 ms crystal + 20 ms LED supply + 0.750 ms"),
        Figure::new("wake.supply", "  of it, until the LEDs have supply", Unit::Milliseconds, supply_on)
            .beside("floor: 6 ms crystal"),
        awake("awake.still", "awake, still board", still).at_most(5.0).beside("a 2 kHz timer scan: 4.9 %"),
        awake("awake.hint", "awake, while a hint pulses", hint),
        awake("awake.menu", "awake, menu", menu),
        current("current.still", "current, still board", still_current).open().beside("model: 25 + 25 LEDs + light"),
        current("current.hint", "current, while a hint pulses", hint_current).open(),
        current("current.menu", "current, menu", menu_current).open().at_most(400.0),
        current("current.asleep", "current, asleep", asleep).beside("1 mA for a Pico without clocks"),
        current("current.asleep.unswitched", "  without the supply switch", DORMANT + DARK_LEDS).open(),
        current("current.idle", "  without sleep, lights dark", 25.0 + DARK_LEDS).open(),
    ])
}

/// The share of cycles awake, and the mean current.
fn watched(player: &mut Player) -> (f64, f64) {
    const STEPS: u32 = 100;
    let before = player.handheld.effort();
    let mut current = 0.0;
    for _ in 0..STEPS {
        player.wait(SPAN / STEPS);
        current += player.handheld.frame().map_or(0.0, |frame| f64::from(frame.milliamps()));
    }
    (player.handheld.effort().share_since(before), current / f64::from(STEPS))
}
