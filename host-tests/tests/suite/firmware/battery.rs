//! The real firmware on a battery: measured voltages, low and empty batteries, and saves at a low voltage.

use std::time::Duration;

use emulator::{Handheld, Options, PicoBoard, Supply};
use flash_image::Chip;
use lights_out::battery::MIN_WRITABLE;
use lights_out::board::Board;
use lights_out::game::modes::ModeKind;
use lights_out::gesture::Command;
use lights_out::solver::CLASSIC;
use player::{Player, cell, limits, ms};

use super::support::{expect_no_faults, play, power_cycle, power_on, rounds};
use crate::scenarios::battery::{each_battery_scenario, empty_battery_lights, low_battery_lights};

each_battery_scenario!(play on each chip);

/// Internal resistance of a used battery (three AAA cells), in milliohms.
pub(super) const USED: u32 = 1_500;
/// Largest error of a measurement, plus the effect of a load change after it, in millivolts.
pub(super) const TOLERANCE: u32 = 30;

pub(super) fn battery(millivolts: u32, milliohms: u32) -> Supply {
    Supply::Battery { millivolts, milliohms }
}

fn power_on_with_battery(chip: Chip, millivolts: u32, milliohms: u32) -> Player<Handheld> {
    power_on(chip, Options { supply: battery(millivolts, milliohms), ..Options::default() })
}

/// The battery states in the log, oldest first.
fn logged_states(player: &Player<Handheld>) -> Vec<&str> {
    player.device.logs().iter().filter_map(|line| Some(line.text.split_once(" state=")?.1)).collect()
}

/// Checks that no flash operation began at a voltage below the limit for writing.
#[track_caller]
pub(super) fn expect_no_write_at_low_voltage(player: &Player<Handheld>) {
    if let Some(lowest) = player.device.lowest_vsys_at_write() {
        assert!(lowest + TOLERANCE >= MIN_WRITABLE.into(), "flash was written at {lowest} mV");
    }
}

on_each_chip!(logged_voltage_matches_supply);
fn logged_voltage_matches_supply(chip: Chip) {
    for millivolts in [4800, 4500, 3600] {
        let mut player = power_on_with_battery(chip, millivolts, USED);
        player.wait(ms(500));
        let line = player.device.logs().iter().find(|line| line.text.starts_with("battery mv="));
        let logged: u32 = line.and_then(|line| line.text[11..].split(' ').next()?.parse().ok()).expect("a voltage");
        let now = player.device.vsys();
        assert!(logged.abs_diff(now) < 100, "{logged} mV logged, {now} mV with the load of another frame");
    }
}

on_each_chip!(battery_is_measured_with_and_without_radio);
fn battery_is_measured_with_and_without_radio(chip: Chip) {
    // A board with radio cannot detect USB power, so 4 V or more may be USB and is not reported as a battery.
    let states_on_board = |radio: bool, supply: Supply| {
        let board = if radio { PicoBoard::Radio } else { PicoBoard::Plain };
        let mut player = power_on(chip, Options { board, supply, ..Options::default() });
        player.wait(ms(2000));
        assert_eq!(player.count_logs("radio:"), 1, "{:?}", player.device.logs());
        assert_eq!(player.count_logs("no radio:"), usize::from(!radio));
        expect_no_faults(&player.device);
        logged_states(&player).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    for (supply, with_radio, without_radio) in [
        (Supply::Usb, &[][..], &[][..]),
        (battery(4_700, 500), &[][..], &["good"][..]),
        (battery(3_900, 500), &["good"][..], &["good"][..]),
        (battery(3_400, 500), &["low"][..], &["low"][..]),
        (battery(3_100, 500), &["empty"][..], &["empty"][..]),
    ] {
        assert_eq!(states_on_board(true, supply), with_radio, "{supply:?}, with radio");
        assert_eq!(states_on_board(false, supply), without_radio, "{supply:?}, without radio");
    }
}

on_each_chip!(unmeasurable_battery_is_logged_and_ignored);
fn unmeasurable_battery_is_logged_and_ignored(chip: Chip) {
    let mut player = power_on_with_battery(chip, 3_900, 500);
    // All conversions at start-up fail, with and without the radio's chip select.
    player.device.fail_conversions(u32::MAX);
    player.wait(ms(60));
    assert_eq!(player.count_logs("the battery cannot be measured"), 1, "{:?}", player.device.logs());
    player.device.fail_conversions(0);
    player.wait_for_greeting();
    let board = player.start_random_puzzle();
    player.tap(cell(2, 3));
    player.expect_board(CLASSIC.press(board, cell(2, 3)));
    assert!(logged_states(&player).is_empty(), "{:?}", player.device.logs());
    expect_no_faults(&player.device);
}

on_each_chip!(led_supply_inrush_is_not_a_low_battery);
fn led_supply_inrush_is_not_a_low_battery(chip: Chip) {
    // The capacitor of the LEDs draws 300 mA for 16 ms: the voltage falls by 0.6 V.
    let mut player = power_on_with_battery(chip, 3_750, 2_000);
    player.wait_for_greeting();
    assert_eq!(logged_states(&player), ["good"]);
    player.wait(Duration::from_secs(181));
    assert!(player.device.is_dormant());
    player.tap(cell(2, 2));
    player.wait(ms(500));
    assert_eq!(logged_states(&player), ["good"]);
    expect_no_faults(&player.device);
}

on_each_chip!(battery_state_does_not_flap_when_load_changes);
fn battery_state_does_not_flap_when_load_changes(chip: Chip) {
    for millivolts in [3_450, 3_500, 3_550, 3_650] {
        let mut player = power_on_with_battery(chip, millivolts, USED);
        player.wait_for_greeting();
        player.wait(ms(1500));
        if player.device.is_dormant() {
            continue;
        }
        player.start(ModeKind::Random, &[(4, 3)]);
        for n in 0..rounds(chip, 2, 6) {
            // From a dark board to a bright menu, and back.
            player.try_open_menu().expect("the menu opens");
            player.wait(ms(if n % 2 == 0 { 61_000 } else { 1_000 }));
            if player.device.is_dormant() {
                break;
            }
            player.command(Command::Menu);
            player.wait(ms(61_000));
        }
        let states = logged_states(&player);
        let distinct = ["good", "low", "empty"].iter().filter(|state| states.contains(state)).count();
        assert_eq!(states.len(), distinct, "{millivolts} mV: a state was logged twice: {states:?}");
        expect_no_faults(&player.device);
    }
}

on_each_chip!(empty_battery_saves_last_move_before_sleep);
fn empty_battery_saves_last_move_before_sleep(chip: Chip) {
    let mut player = power_on_with_battery(chip, 4_500, USED);
    let start = player.start_random_puzzle();
    player.tap(cell(2, 3));
    let board = CLASSIC.press(start, cell(2, 3));
    // The battery gets empty right after the tap, before the save interval ends. So the empty battery causes the save.
    player.device.set_supply(battery(3_000, 0));
    player.device.run_until(Duration::from_secs(70), |handheld| handheld.is_dormant());
    assert!(player.device.is_dormant() && !player.device.led_supply());
    expect_no_write_at_low_voltage(&player);
    expect_no_faults(&player.device);
    // Replacing the battery is a power cut.
    let flash = Some(player.device.power_off());
    let mut player = power_on(chip, Options { flash, supply: battery(4_800, 500), ..Options::default() });
    player.wait(ms(500));
    player.expect_board(board);
    assert_eq!(logged_states(&player), ["good"]);
}

on_each_chip!(empty_battery_at_start_is_shown_then_sleeps);
fn empty_battery_at_start_is_shown_then_sleeps(chip: Chip) {
    let mut player = power_on_with_battery(chip, 3_150, USED);
    player.expect_within(ms(150), "the frame of an empty battery", |player| player.board() == empty_battery_lights());
    player.wait(ms(1500));
    assert!(player.device.is_dormant() && !player.device.led_supply());
}

/// A game in which a key was pressed after the voltage fell below the limit for writing. There was no reading in
/// between. Also returns the board.
fn move_at_low_voltage(chip: Chip) -> (Player<Handheld>, Board) {
    let mut player = power_on_with_battery(chip, 4_500, 0);
    let start = player.start_random_puzzle();
    player.wait(ms(1500));
    player.device.set_supply(battery(2_700, 0));
    player.tap(cell(2, 3));
    (player, CLASSIC.press(start, cell(2, 3)))
}

on_each_chip!(save_waits_until_voltage_is_back);
fn save_waits_until_voltage_is_back(chip: Chip) {
    let (mut player, board) = move_at_low_voltage(chip);
    let writes = player.device.flash().operations();
    player.wait(ms(3000));
    assert_eq!(player.device.flash().operations(), writes, "flash was written at a low voltage");
    player.expect_board(board);
    player.device.set_supply(battery(2_900, 0));
    player.wait(ms(600));
    assert!(player.device.flash().operations() > writes, "the save was not written");
    expect_no_write_at_low_voltage(&player);
    let mut player = power_cycle(chip, player);
    player.wait(ms(100));
    player.expect_board(board);
}

on_each_chip!(delayed_save_does_not_prevent_sleep);
fn delayed_save_does_not_prevent_sleep(chip: Chip) {
    let (mut player, board) = move_at_low_voltage(chip);
    let writes = player.device.flash().operations();
    let asleep = player.device.run_until(Duration::from_secs(75), |handheld| handheld.is_dormant());
    assert!(asleep && player.device.resets().is_empty(), "a deadlock, or a watchdog reset");
    assert_eq!(player.device.flash().operations(), writes);
    player.wait(Duration::from_secs(60));
    player.device.set_supply(battery(4_500, 0));
    player.tap(cell(0, 0));
    player.wait(ms(1500));
    player.expect_board(board);
    let mut player = power_cycle(chip, player);
    player.wait(ms(100));
    player.expect_board(board);
}

on_each_chip!(power_up_is_not_counted_at_low_voltage);
fn power_up_is_not_counted_at_low_voltage(chip: Chip) {
    let mut player = power_on_with_battery(chip, 2_700, 0);
    player.wait(ms(60));
    assert_eq!(player.device.flash().operations(), 0);
    assert_eq!(player.count_logs("power-up not counted"), 1);
}

on_each_chip!(self_test_shows_voltage_on_battery_only);
fn self_test_shows_voltage_on_battery_only(chip: Chip) {
    // A 4 that scrolls in from the right.
    let digit = Board::parse("..#.# ..#.# ..### ....# ....#").expect("25 cells");
    for (supply, is_shown) in [(battery(4_450, 0), true), (Supply::Usb, false)] {
        let mut player = power_on(chip, Options { supply, ..Options::default() });
        player.hold(&[cell(2, 2)], ms(300));
        player.wait(ms(4000 - 345));
        let mut is_seen = false;
        for _ in 0..60 {
            player.wait(ms(50));
            is_seen |= player.board() == digit;
        }
        assert_eq!(is_seen, is_shown, "the digit 4 on {supply:?}");
        player.wait(ms(500));
        assert!(player.board().is_dark(), "the key test follows");
        player.tap(cell(1, 1));
        player.expect_board(Board::of(cell(1, 1).bit()));
        assert_eq!(player.count_logs("battery mv=4"), usize::from(is_shown));
    }
}

on_each_chip!(failed_conversions_are_not_an_empty_battery);
fn failed_conversions_are_not_an_empty_battery(chip: Chip) {
    let mut player = power_on_with_battery(chip, 3_000, 0);
    player.device.fail_conversions(u32::MAX);
    player.wait_for_greeting();
    player.wait(ms(2000));
    assert!(player.device.led_supply() && logged_states(&player).is_empty());
    assert_eq!(CLASSIC.par(player.board()), Some(1), "the first level");
}

on_each_chip!(low_battery_frame_appears_within_start_limit);
fn low_battery_frame_appears_within_start_limit(chip: Chip) {
    let mut player = power_on_with_battery(chip, 3_300, 0);
    let first = player.device.run_to_next_frame(ms(500)).expect("a first frame");
    assert!(first.ended <= limits::START);
    player.expect_within(ms(60), "the frame of a low battery", |player| player.board() == low_battery_lights());
}
