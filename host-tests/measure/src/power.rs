//! Start-up, sleep, wake-up, and the current in each state.
//!
//! **Power-on to first light** is the time from power-on to the last bit of the first frame. It begins with the boot
//! ROM, 6.55 ms. Then the firmware waits for the crystal to become stable, switches the LED supply on, and gives the
//! supply 20 ms to rise; it initialises itself during that time. The supply of this measurement takes the whole 20 ms.
//!
//! **Awake** is the share of clock cycles in which the core runs instead of waiting for an interrupt.
//!
//! **A battery reading** consists of 8 samples. The converter is switched on before and off after them. The code is in
//! flash.
//!
//! **Current** is a model, not a measurement: 25 mA for the Pico whether its core runs or waits (the clocks keep
//! running), 1 mA for each LED with supply, and up to 55 mA more for an LED, in proportion to its brightness (55 mA at
//! full white). Asleep, with all clocks stopped, a Pico draws about 1 mA. Without the supply switch, the dark LEDs
//! would still draw 1 mA each.

use emulator::{CELLS, Firmware, Handheld, Options, Supply};
use lights_out::game::modes::ModeKind;
use lights_out::gesture::Command;
use lights_out::wiring::Wiring;
use player::{Player, limits, ms, us};

use crate::error::MeasureError;
use crate::figure::{Figure, Unit};
use crate::{MISS_CYCLES, cycles_per_us, greeted, realistic, switched_on};
use std::time::Duration;

/// How long the core is observed for each share.
const SPAN: Duration = Duration::from_secs(5);
/// The idle timeout of 3 minutes, and the time to save and to switch the LEDs off.
const UNTIL_ASLEEP: Duration = Duration::from_secs(3 * 60 + 5);
/// The pin of the LED supply switch, as a mask.
const SUPPLY_PIN: u32 = 1 << Wiring::REFERENCE.supply;
/// The longest wait for the first frame.
const TIMEOUT: Duration = ms(2000);
/// Current of a Pico with stopped clocks, and of its regulator, in milliamperes.
const DORMANT: f64 = 1.0;
/// Current of all LEDs while they are dark but have supply, in milliamperes.
const DARK_LEDS: f64 = CELLS as f64;

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

/// Power-on to first frame: without a save, and with a saved game.
pub(crate) fn starts(firmware: &Firmware) -> Result<Vec<Figure>, MeasureError> {
    let slow_supply = || Options { supply_rise: limits::SUPPLY_RISE, ..realistic(MISS_CYCLES) };
    let mut player = switched_on(firmware, slow_supply());
    let (first, crystal) = first_frame(&mut player)?;
    player.wait_for_greeting();
    player.try_start(ModeKind::Random, &[])?;
    player.wait(ms(2000));
    let flash = Some(player.device.power_off());
    let mut again = switched_on(firmware, Options { flash, ..slow_supply() });
    let (resumed, _) = first_frame(&mut again)?;
    let figure = |id, name, value| Figure::new(id, name, Unit::Milliseconds, milliseconds(value));
    let limit = milliseconds(limits::START);
    Ok(vec![
        figure("start.first", "power-on to first light, without a save", first)
            .at_most(limit)
            .note("boot ROM 6.55, crystal 6, LED supply 20, wire 0.72 ms"),
        figure("start.crystal", "  until the crystal is stable", crystal).note("boot ROM 6.55, crystal 6 ms"),
        figure("start.resumed", "power-on to first light, with a saved game", resumed).at_most(limit),
    ])
}

/// The end of the first frame, and the time when the crystal was stable.
fn first_frame(player: &mut Player<Handheld>) -> Result<(Duration, Duration), MeasureError> {
    let frame =
        player.device.run_to_next_frame(TIMEOUT).ok_or_else(|| MeasureError("there is no first frame".to_owned()))?;
    let crystal = player.device.crystal_stable_at().ok_or_else(|| MeasureError("the crystal is off".to_owned()))?;
    Ok((frame.ended, crystal))
}

/// Awake share and current in each state, and the wake-up.
pub(crate) fn states(firmware: &Firmware) -> Result<Vec<Figure>, MeasureError> {
    let mut player = greeted(firmware, realistic(MISS_CYCLES));
    player.try_start(ModeKind::Random, &[])?;
    player.wait(ms(2000));
    let (still, still_current) = observe(&mut player);
    player.command(Command::Hint);
    let (hint, hint_current) = observe(&mut player);
    player.try_open_menu()?;
    player.wait(ms(2000));
    let (menu, menu_current) = observe(&mut player);

    let wake_up = wake_up(&mut player)?;
    let awake = |id, name, share: f64| Figure::new(id, name, Unit::Percent, 100.0 * share).slack(0.01);
    let current = |id, name, value| Figure::new(id, name, Unit::Milliamperes, value);
    let asleep = DORMANT + if wake_up.was_supply_on { DARK_LEDS } else { 0.0 };
    Ok(vec![
        Figure::new("wake", "wake to first frame", Unit::Milliseconds, wake_up.first_frame)
            .at_most(milliseconds(limits::WAKE))
            .note("floor: crystal 6, LED supply 20, wire 0.72 ms"),
        Figure::new("wake.supply", "  until the LEDs have supply", Unit::Milliseconds, wake_up.supply_on)
            .note("floor: crystal 6 ms"),
        awake("awake.still", "awake, still board", still)
            .at_most(100.0 * limits::AWAKE_STILL)
            .note("with a 2 kHz timer scan: 4.9 %"),
        awake("awake.hint", "awake, while a hint pulses", hint),
        awake("awake.menu", "awake, menu", menu),
        current("current.still", "current, still board", still_current)
            .not_recorded()
            .note("model: Pico 25 mA, 25 LEDs 25 mA, light"),
        current("current.hint", "current, while a hint pulses", hint_current).not_recorded(),
        current("current.menu", "current, menu", menu_current).not_recorded().at_most(limits::CURRENT.into()),
        current("current.asleep", "current, asleep", asleep).note("model: a Pico with stopped clocks, 1 mA"),
        current("current.asleep.unswitched", "  without the supply switch", DORMANT + DARK_LEDS).not_recorded(),
        current("current.idle", "  without sleep, lights dark", 25.0 + DARK_LEDS).not_recorded(),
    ])
}

/// A wake-up from sleep.
struct WakeUp {
    /// Whether the LEDs had supply in sleep.
    was_supply_on: bool,
    /// From the press to the end of the first frame, in milliseconds.
    first_frame: f64,
    /// From the press until the LED supply is switched on, in milliseconds.
    supply_on: Option<f64>,
}

/// Waits until the handheld sleeps, and presses a key.
fn wake_up(player: &mut Player<Handheld>) -> Result<WakeUp, MeasureError> {
    player.wait(UNTIL_ASLEEP);
    if !player.device.is_dormant() {
        return Err(MeasureError("the handheld does not sleep after three minutes".to_owned()));
    }
    let was_supply_on = player.device.led_supply();
    player.device.start_logic_analyser(SUPPLY_PIN);
    let contact = player.device.now() + us(100);
    player.device.schedule(contact, CELLS / 2, true);
    let frame = player.device.run_to_next_frame(TIMEOUT);
    let frame = frame.ok_or_else(|| MeasureError("the handheld does not wake up".to_owned()))?;
    let supply_on = player.device.logic_samples().find(|&(at, level)| at >= contact && level != 0);
    Ok(WakeUp {
        was_supply_on,
        first_frame: milliseconds(frame.ended.saturating_sub(contact)),
        supply_on: supply_on.map(|(at, _)| milliseconds(at - contact)),
    })
}

/// The cost of a battery reading, and the awake share of a minute with one reading, on battery.
pub(crate) fn battery(firmware: &Firmware) -> Result<Vec<Figure>, MeasureError> {
    let supply = Supply::Battery { millivolts: 4_500, milliohms: 1_000 };
    let mut player = greeted(firmware, Options { supply, ..realistic(MISS_CYCLES) });
    player.try_start(ModeKind::Random, &[])?;
    player.wait(ms(2000));
    let watch = player.device.watch_calls("battery::Meter::read");
    let before = player.device.cycle_counts();
    player.wait(Duration::from_secs(60));
    let share = player.device.cycle_counts().awake_share_since(before);
    let longest = watch.and_then(|watch| player.device.calls(watch)?.max());
    let longest = longest.map(|cycles| cycles as f64 / cycles_per_us(firmware.chip()));
    Ok(vec![
        Figure::new("battery.reading", "battery reading", Unit::Microseconds, longest)
            .note("floor: 16 us for 8 samples"),
        Figure::new("battery.awake", "awake, still board on battery, one minute", Unit::Percent, 100.0 * share)
            .slack(0.01)
            .at_most(100.0 * limits::AWAKE_STILL),
    ])
}

/// The awake share, and the mean current.
fn observe(player: &mut Player<Handheld>) -> (f64, f64) {
    const STEPS: u32 = 100;
    let before = player.device.cycle_counts();
    let mut current = 0.0;
    for _ in 0..STEPS {
        player.wait(SPAN / STEPS);
        current += player.device.frame().map_or(0.0, |frame| f64::from(frame.milliamps()));
    }
    (player.device.cycle_counts().awake_share_since(before), current / f64::from(STEPS))
}
