//! The real firmware on a battery that fails at a random moment. `LIGHTS_OUT_LONG=1` runs more rounds.

use std::time::Duration;

use emulator::{Options, StopReason};
use flash_image::Chip;
use lights_out::battery::MIN_WRITABLE;
use lights_out::board::Board;
use lights_out::solver::CLASSIC;
use player::{Dice, WIPE_TIME, limits, ms, us};

use super::battery::{TOLERANCE, USED, battery, expect_no_write_at_low_voltage};
use super::support::{ShownBoards, fresh_starts, full_flash, power_on, power_on_with_flash, rounds};
use crate::scenarios::battery::{empty_battery_lights, low_battery_lights};

/// Current of a Pico with dark LEDs, in milliamperes.
const DARK_CURRENT: u32 = 50;

/// A flash image, the board that was saved last, and the reason why the handheld stopped.
struct Outcome {
    flash: Vec<u8>,
    board: Board,
    stop_reason: Option<StopReason>,
}

/// Plays on a battery whose voltage falls until the supply fails. Checks that the restored board was on the lights
/// less than a second before the end, or before the voltage was too low to write.
fn play_until_brown_out(chip: Chip, dice: &mut Dice, flash: Vec<u8>, saved: Board, round: u32) -> Outcome {
    let start = 3_600 + dice.below(900);
    let milliohms = 500 + dice.below(4_000);
    // From a slow decline to a battery that falls out of its holder.
    let fall = 1 + dice.below(if round.is_multiple_of(2) { 40 } else { 400 });
    let supply = battery(start, milliohms);
    let mut player = power_on(chip, Options { flash: Some(flash), supply, seed: dice.seed(), ..Options::default() });
    player.wait(ms(1500));
    let mut millivolts = start;
    let mut shown = ShownBoards::new(Duration::ZERO, saved);
    // From this moment on a brighter frame may pull the voltage below the limit for writing.
    let mut writable_until: Option<Duration> = None;
    while player.device.stop_reason().is_none() && player.device.now() < Duration::from_secs(60) {
        millivolts = millivolts.saturating_sub(dice.below(2 * fall));
        player.device.set_supply(battery(millivolts, milliohms));
        if player.device.vsys() < u32::from(MIN_WRITABLE) + 300 {
            writable_until.get_or_insert(player.device.now());
        }
        let board = player.board();
        let key = dice.key();
        let is_game = board != empty_battery_lights() && board != low_battery_lights() && !board.is_dark();
        if is_game && !CLASSIC.press(board, key).is_dark() {
            player.press(key);
            shown.push(player.device.now(), CLASSIC.press(board, key));
            player.wait(ms(30));
            player.release(key);
            shown.push(player.device.now(), player.board());
        }
        let pause = if dice.below(4) == 0 { 1_500_000 } else { 150_000 };
        player.wait(us(30_000 + u64::from(dice.below(pause))));
    }
    // A frame may be sent between measurement and write, or between the two pages of a save.
    let sag = (limits::LOW_BATTERY_CURRENT - DARK_CURRENT) * milliohms / 1000;
    let lowest = player.device.lowest_vsys_at_write().unwrap_or(u32::MAX);
    let is_allowed = lowest.saturating_add(TOLERANCE + sag) >= MIN_WRITABLE.into();
    assert!(is_allowed, "round {round}: flash was written at {lowest} mV");
    let stop_reason = player.device.stop_reason();
    let end = player.device.now().min(writable_until.unwrap_or(Duration::MAX));
    let (flash, board) = shown.expect_after_cut(chip, player.device.power_off(), end, round);
    Outcome { flash, board, stop_reason }
}

on_each_chip!(brown_out_loses_at_most_the_last_second);
fn brown_out_loses_at_most_the_last_second(chip: Chip) {
    let plays = rounds(chip, 12, 500);
    let mut dice = Dice::new(14, 15);
    let mut player = power_on(chip, Options::default());
    let mut board = player.start_random_puzzle();
    player.wait(ms(1200));
    let mut flash = player.device.power_off();
    let mut brown_outs = 0;
    for round in 0..plays {
        let outcome = play_until_brown_out(chip, &mut dice, flash, board, round);
        (flash, board) = (outcome.flash, outcome.board);
        brown_outs += u32::from(outcome.stop_reason == Some(StopReason::BrownOut));
    }
    println!("{plays} batteries, {brown_outs} brown-outs: no save lost");
    assert!(brown_outs > plays / 2, "too few brown-outs: {brown_outs}");
}

on_each_chip!(brown_out_during_erase_loses_nothing);
/// The battery fails while the sectors for saves are erased before sleep.
fn brown_out_during_erase_loses_nothing(chip: Chip) {
    let mut dice = Dice::new(14, 16);
    let mut player = power_on_with_flash(chip, full_flash(chip));
    player.start_random_puzzle();
    player.wait(ms(1500));
    let board = player.board();
    let mut flash = player.device.power_off();
    for round in 0..rounds(chip, 3, 100) {
        let supply = battery(4_000, USED);
        let mut player = power_on(chip, Options { flash: Some(flash), supply, ..Options::default() });
        player.wait(ms(500));
        player.wait(Duration::from_secs(180));
        player.device.run_until(Duration::from_secs(9), |handheld| handheld.is_flash_erasing());
        player.wait(us(dice.below(400_000).into()));
        player.device.set_supply(battery(2_000 + dice.below(800), USED));
        player.wait(Duration::from_secs(12));
        expect_no_write_at_low_voltage(&player);
        let mut player = power_on_with_flash(chip, player.device.power_off());
        player.wait(WIPE_TIME);
        assert_eq!(fresh_starts(&player), 0, "round {round}: the save was lost");
        player.expect_board(board);
        flash = player.device.power_off();
    }
}
