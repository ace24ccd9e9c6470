//! The game on a battery, from full to empty. The battery has no internal resistance, so the measured voltage is the
//! voltage that was set.

use emulator::{Handheld, Supply};
use lights_out::board::{Board, Cell};
use lights_out::display::wire::current;
use lights_out::display::{Colour, Frame};
use lights_out::game::GameEvent;
use lights_out::game::modes::ModeKind;
use lights_out::gesture::Command;
use lights_out::solver::CLASSIC;
use player::{CoreDevice, Device, Player, WIPE_TIME, cell, limits, ms};
use smart_leds::RGB8;
use std::time::Duration;

/// Longer than the minute between two readings, with the time of a repeated reading.
const NEXT_READING: Duration = ms(60_500);
/// The frame of a low battery is shown within this time after power-on or a press.
const SHOWN_WITHIN: Duration = ms(150);
/// The time for which the frame of a low battery is shown, with the wipe to the game.
const SHOWN: Duration = ms(1050 + 350);

/// A device with a supply that can be changed.
pub(crate) trait HasSupply: Device {
    /// Sets the voltage of the battery in millivolts; `None` is USB.
    fn set_battery(&mut self, millivolts: Option<u16>);
    /// Whether the device sleeps and no LED is lit.
    fn is_asleep(&self) -> bool;
    /// The reports about the battery, oldest first.
    fn battery_lines(&self) -> Vec<String>;
}

impl HasSupply for CoreDevice {
    fn set_battery(&mut self, millivolts: Option<u16>) {
        self.supply =
            millivolts.map_or(lights_out::battery::Measured::NoBattery, lights_out::battery::Measured::Battery);
    }

    fn is_asleep(&self) -> bool {
        !self.is_lit()
    }

    fn battery_lines(&self) -> Vec<String> {
        let lines = self.outputs.events.iter().filter_map(|event| match event {
            GameEvent::Battery(battery) => {
                Some(format!("battery mv={} state={}", battery.millivolts, battery.charge.name()))
            }
            _ => None,
        });
        lines.collect()
    }
}

impl HasSupply for Handheld {
    fn set_battery(&mut self, millivolts: Option<u16>) {
        self.set_supply(
            millivolts
                .map_or(Supply::Usb, |millivolts| Supply::Battery { millivolts: millivolts.into(), milliohms: 0 }),
        );
    }

    fn is_asleep(&self) -> bool {
        self.is_dormant() && !self.led_supply()
    }

    fn battery_lines(&self) -> Vec<String> {
        self.logs().iter().map(|line| line.text.clone()).filter(|text| text.starts_with("battery ")).collect()
    }
}

/// The lights that are on in a frame.
fn lit(frame: &Frame) -> Board {
    let lights = Cell::all().filter(|cell| frame.0[cell.index()] != Colour::OFF);
    Board::of(lights.collect())
}

/// The lights of the frame of a low battery.
pub(crate) fn low_battery_lights() -> Board {
    lit(&Frame::BATTERY_LOW)
}

/// The lights of the frame of an empty battery.
pub(crate) fn empty_battery_lights() -> Board {
    lit(&Frame::BATTERY_EMPTY)
}

/// The current of LEDs and Pico, in milliamperes.
fn milliamps(player: &Player<impl Device>) -> u32 {
    let mut leds = [RGB8::default(); 25];
    for (led, [r, g, b]) in leds.iter_mut().zip(player.device.led_colours()) {
        *led = RGB8::new(r, g, b);
    }
    current::drawn(&leds)
}

/// Checks the reported battery states, oldest first.
#[track_caller]
fn expect_states(player: &Player<impl HasSupply>, states: &[&str]) {
    let lines = player.device.battery_lines();
    let reported: Vec<&str> = lines.iter().filter_map(|line| Some(line.split_once("state=")?.1)).collect();
    assert_eq!(reported, states, "{lines:?}");
}

/// Waits for the frame of a low or an empty battery.
#[track_caller]
fn expect_battery_frame(player: &mut Player<impl HasSupply>, lights: Board) {
    player.expect_within(SHOWN_WITHIN, "the battery frame", |player| player.board() == lights);
}

/// A battery that is low at start: its frame is shown for a second, then the game with at most 150 mA.
pub(crate) fn low_battery_is_shown_for_a_second_at_start(player: &mut Player<impl HasSupply>) {
    player.device.set_battery(Some(3350));
    expect_battery_frame(player, low_battery_lights());
    player.expect_nothing_for(ms(950));
    player.wait(ms(100));
    let board = player.wait_for_greeting();
    assert_eq!(CLASSIC.par(board), Some(1), "the first level");
    player.tap(cell(0, 0));
    player.expect_board(CLASSIC.press(board, cell(0, 0)));
    player.start(ModeKind::Random, &[(4, 3)]);
    player.try_open_menu().expect("the menu opens");
    assert!(milliamps(player) <= limits::LOW_BATTERY_CURRENT, "{} mA", milliamps(player));
    assert!(
        milliamps(player) > limits::LOW_BATTERY_CURRENT * 8 / 10,
        "the lights are darker than the current limit requires"
    );
    expect_states(player, &["low"]);
}

/// A key ends the frame of a low battery and is not a move. A command acts.
pub(crate) fn key_ends_low_battery_frame(player: &mut Player<impl HasSupply>) {
    player.device.set_battery(Some(3350));
    expect_battery_frame(player, low_battery_lights());
    player.tap(cell(2, 2));
    assert_eq!(CLASSIC.par(player.wait_for_greeting()), Some(1), "the first level, without a move");
    player.wait(ms(180_500));
    assert!(player.device.is_asleep());
    player.tap(cell(2, 2));
    expect_battery_frame(player, low_battery_lights());
    player.command(Command::Menu);
    assert!(player.is_menu_shown(), "{}", player.board());
}

/// A battery that gets low during play only reduces the current. The state changes back only at a clearly higher
/// voltage.
pub(crate) fn battery_that_gets_low_in_play_dims_lights(player: &mut Player<impl HasSupply>) {
    player.device.set_battery(Some(4500));
    player.start_random_puzzle();
    player.try_open_menu().expect("the menu opens");
    player.choose(4, 3);
    player.wait(WIPE_TIME);
    assert!(milliamps(player) > limits::LOW_BATTERY_CURRENT && milliamps(player) <= limits::CURRENT);
    let steps: [(u16, &[&str], bool); 6] = [
        (3420, &["good"], false),
        (3390, &["good", "low"], true),
        (3420, &["good", "low"], true),
        (3780, &["good", "low"], true),
        (3820, &["good", "low", "good"], false),
        (3420, &["good", "low", "good"], false),
    ];
    for (millivolts, states, is_dim) in steps {
        player.device.set_battery(Some(millivolts));
        // A press, so that the handheld does not fall asleep.
        player.choose(4, 3);
        player.wait(NEXT_READING);
        assert!(player.is_menu_shown(), "the menu is not shown: {}", player.board());
        expect_states(player, states);
        assert_eq!(
            milliamps(player) <= limits::LOW_BATTERY_CURRENT,
            is_dim,
            "{} mA at {millivolts} mV",
            milliamps(player)
        );
    }
}

/// A battery that got low during sleep is shown on waking, once.
pub(crate) fn low_battery_is_shown_on_waking(player: &mut Player<impl HasSupply>) {
    player.device.set_battery(Some(4000));
    let board = player.start_random_puzzle();
    player.device.set_battery(Some(3350));
    player.wait(ms(180_500));
    assert!(player.device.is_asleep());
    player.tap(cell(2, 2));
    expect_battery_frame(player, low_battery_lights());
    player.wait(SHOWN);
    player.expect_board(board);
    player.expect_nothing_for(ms(3000));
}

/// An empty battery: its frame is shown, then the handheld sleeps. A key shows the frame again, until the voltage is
/// good. Then the game is restored.
pub(crate) fn empty_battery_ends_game_and_good_one_restores_it(player: &mut Player<impl HasSupply>) {
    player.device.set_battery(Some(4000));
    let start = player.start_random_puzzle();
    player.tap(cell(1, 1));
    let board = CLASSIC.press(start, cell(1, 1));
    player.device.set_battery(Some(3050));
    player.expect_within(NEXT_READING, "the battery frame", |player| player.board() == empty_battery_lights());
    player.tap(cell(3, 3));
    player.wait(ms(800));
    player.expect_board(empty_battery_lights());
    player.wait(ms(500));
    assert!(player.device.is_asleep(), "not asleep");
    for _ in 0..3 {
        player.wait(ms(5000));
        player.tap(cell(2, 2));
        expect_battery_frame(player, empty_battery_lights());
        player.command(Command::Menu);
        player.expect_within(ms(1500), "sleep", |player| player.device.is_asleep());
    }
    // A slightly higher voltage is not enough, because it would fall again immediately.
    player.device.set_battery(Some(3400));
    player.tap(cell(2, 2));
    player.wait(ms(1500));
    assert!(player.device.is_asleep());
    player.device.set_battery(Some(4500));
    player.tap(cell(2, 2));
    player.wait(ms(150) + WIPE_TIME);
    player.expect_board(board);
    player.tap(cell(3, 3));
    player.expect_board(CLASSIC.press(board, cell(3, 3)));
    expect_states(player, &["good", "empty", "good"]);
}

/// USB power ends the state of an empty battery.
pub(crate) fn usb_power_is_not_a_battery(player: &mut Player<impl HasSupply>) {
    player.device.set_battery(Some(3000));
    expect_battery_frame(player, empty_battery_lights());
    player.wait(ms(1500));
    assert!(player.device.is_asleep());
    player.device.set_battery(None);
    player.tap(cell(2, 2));
    assert_eq!(CLASSIC.par(player.wait_for_greeting()), Some(1), "the first level");
    player.start(ModeKind::Random, &[(4, 3)]);
    player.try_open_menu().expect("the menu opens");
    assert!(milliamps(player) > limits::LOW_BATTERY_CURRENT);
    player.wait(NEXT_READING);
    expect_states(player, &["empty", "none"]);
}

/// Makes a test of each of these scenarios: see `tests_of`.
macro_rules! each_battery_scenario {
    ($($play:tt)+) => {
        crate::scenarios::tests_of!(
            battery, $($play)+:
            low_battery_is_shown_for_a_second_at_start,
            key_ends_low_battery_frame,
            battery_that_gets_low_in_play_dims_lights,
            low_battery_is_shown_on_waking,
            empty_battery_ends_game_and_good_one_restores_it,
            usb_power_is_not_a_battery,
        );
    };
}
pub(crate) use each_battery_scenario;
