//! The real firmware with parts at the limits of their data sheets: a slow LED supply, slow columns, corrupted LED
//! frames, interrupts before sleep, updates and resets.

use std::time::Duration;

use emulator::{FrameCorruption, Handheld, InjectedFault, Options};
use flash_image::Chip;
use lights_out::board::{Board, Cell};
use lights_out::gesture::{Command, STUCK};
use lights_out::solver::CLASSIC;
use lights_out::sound::Sound;
use lights_out::wiring::Wiring;
use player::{cell, firmware, limits, ms, us};

use super::support::{
    EMPTY_BATTERY, IDLE_TIMEOUT, expect_no_faults, expect_playable_game, expect_red_cross, power_on, rounds,
};

/// A flash image with a game of some moves, and its board.
fn saved_game(chip: Chip) -> (Vec<u8>, Board) {
    let mut player = power_on(chip, Options::default());
    player.start_random_puzzle();
    [cell(1, 1), cell(3, 0), cell(4, 2)].into_iter().for_each(|key| player.tap(key));
    player.wait(ms(1500));
    let board = player.board();
    (player.device.power_off(), board)
}

on_each_chip!(saved_game_is_shown_with_slow_led_supply);
fn saved_game_is_shown_with_slow_led_supply(chip: Chip) {
    let (flash, board) = saved_game(chip);
    for rise in [0, 12, 16, 19] {
        let options = Options { flash: Some(flash.clone()), supply_rise: ms(rise), ..Options::default() };
        let mut player = power_on(chip, options);
        player.wait(ms(60));
        player.expect_board(board);
        assert_eq!(player.device.lost_frames(), 0, "frames were sent before the LEDs had their supply");
        expect_no_faults(&player.device);
    }
    // A supply slower than any known part: the game is shown late.
    let options = Options { flash: Some(flash), supply_rise: ms(80), ..Options::default() };
    let mut player = power_on(chip, options);
    player.wait(ms(400));
    player.expect_board(board);
}

on_each_chip!(corrupted_frame_is_corrected_within_333_ms);
fn corrupted_frame_is_corrected_within_333_ms(chip: Chip) {
    let mut player = power_on(chip, Options::default());
    player.start_random_puzzle();
    for n in 0..20 {
        let right = CLASSIC.press(player.board(), cell(2, 2));
        player.device.corrupt_next_frame(if n % 2 == 0 {
            FrameCorruption::FlipBit(8 + 24 * n)
        } else {
            FrameCorruption::DropPulse(30 * n)
        });
        player.tap(cell(2, 2));
        player.wait(ms(334 - 100));
        player.expect_board(right);
    }
}

on_each_chip!(every_key_is_recognised_with_slow_columns);
fn every_key_is_recognised_with_slow_columns(chip: Chip) {
    let with_diodes = [0, 2, 5, 6, 7, 12, 20, 30].map(|rise| (rise, true));
    let without = [0, 6, 12, 30].map(|rise| (rise, false));
    for (rise, diodes) in with_diodes.into_iter().chain(without) {
        let mut player = power_on(chip, Options { rise: us(rise), diodes, ..Options::default() });
        let mut board = player.start_random_puzzle();
        for key in Cell::all() {
            player.tap_briefly(key);
            board = CLASSIC.press(board, key);
            assert!(!board.is_dark(), "a key wins");
            player.expect_board(board);
        }
    }
}

on_each_chip!(tone_starts_at_once_and_pin_rests_low);
fn tone_starts_at_once_and_pin_rests_low(chip: Chip) {
    let mut player = power_on(chip, Options::default());
    player.wait_for_greeting();
    player.command(Command::Menu);
    player.choose(4, 4);
    player.command(Command::Menu);
    for n in 0..4 {
        // The next level is locked: its error sound has the lowest tones.
        player.command(Command::Next);
        player.wait(ms(100 + 7 * n));
        assert!(!player.device.pin(Wiring::REFERENCE.piezo.into()), "the piezo pin is high at rest");
        let (before, pressed) = (player.device.tones().len(), player.device.now());
        player.press(cell(4, 4));
        player.wait(ms(30));
        let heard = player.device.tones()[before..].iter().find_map(|(at, tone)| tone.map(|hz| (*at - pressed, hz)));
        let (after, hz) = heard.expect("a tone for the tap");
        assert!(hz.abs_diff(Sound::Tap.notes()[0].hz) <= 3, "{hz} Hz");
        // A press is accepted after 0.3 ms; the tone starts at most one period later.
        assert!(after <= us(400) + Duration::from_secs(1) / hz, "the tone starts after {after:?}");
        player.release(cell(4, 4));
        player.wait(ms(60));
        assert!(!player.device.pin(Wiring::REFERENCE.piezo.into()), "the piezo pin is high at rest");
    }
}

on_each_chip!(interrupt_just_before_sleep_is_harmless);
fn interrupt_just_before_sleep_is_harmless(chip: Chip) {
    let asleep = |interrupt: Option<u64>| {
        let mut player = power_on(chip, Options { supply: EMPTY_BATTERY, ..Options::default() });
        if let Some(cycle) = interrupt {
            // The interrupt of the timer's alarm.
            player.device.raise_interrupt_at(0, cycle);
        }
        assert!(player.device.run_until(ms(3000), Handheld::is_dormant));
        player.device.set_supply(Options::default().supply);
        player
    };
    let mut player = asleep(None);
    let dormant = player.device.cycle_counts().cycles;
    assert_eq!(
        player.device.powered_down_memories_in_sleep(),
        Some(0),
        "memories with the program must stay on in sleep"
    );
    player.tap(cell(2, 2));
    expect_playable_game(&mut player);
    let window = u64::from(rounds(chip, 12, 2000));
    for cycle in dormant - window..=dormant {
        let mut player = asleep(Some(cycle));
        assert_eq!(player.device.powered_down_accesses(), [], "an interrupt {} cycles before sleep", dormant - cycle);
        player.tap(cell(2, 2));
        player.wait(ms(60));
        assert!(!player.board().is_dark());
        assert_eq!(player.device.powered_down_accesses(), []);
    }
}

on_each_chip!(updates_and_probe_resets_keep_game);
fn updates_and_probe_resets_keep_game(chip: Chip) {
    let mut player = power_on(chip, Options::default());
    player.start_random_puzzle();
    player.tap(cell(1, 3));
    player.wait(ms(1500));
    let board = player.board();
    for n in 0..6 {
        if n < 3 {
            player.device.update(firmware(chip));
        } else {
            player.device.probe_reset();
        }
        player.wait(ms(2000));
        player.expect_board(board);
    }
    assert_eq!(player.count_logs("three crashes"), 0);
}

on_each_chip!(crash_while_falling_asleep_shows_red_cross);
fn crash_while_falling_asleep_shows_red_cross(chip: Chip) {
    let mut player = power_on(chip, Options::default());
    player.wait_for_greeting();
    assert!(player.device.run_until(2 * IDLE_TIMEOUT, |handheld| !handheld.led_supply()));
    assert!(player.device.inject_fault(InjectedFault::Fault));
    player.wait(ms(100));
    expect_red_cross(&player);
    player.wait(ms(3500));
    expect_playable_game(&mut player);
}

on_each_chip!(stuck_key_wakes_only_after_release);
fn stuck_key_wakes_only_after_release(chip: Chip) {
    let mut player = power_on(chip, Options::default());
    player.wait_for_greeting();
    player.press(cell(3, 1));
    player.wait(IDLE_TIMEOUT + Duration::from_micros(STUCK));
    assert!(!player.device.led_supply());
    assert_eq!((player.count_logs("key 16 seems stuck"), player.count_logs("asleep with a key down")), (1, 1));
    player.wait(ms(5000));
    assert!(!player.device.led_supply() && player.count_logs("waking up") == 0, "the stuck key wakes");
    player.release(cell(3, 1));
    player.wait(ms(500));
    assert!(player.device.is_dormant() && !player.device.led_supply(), "the release wakes");
    player.press(cell(3, 1));
    player.wait(limits::WAKE);
    assert!(!player.board().is_dark(), "the key does not wake");
    player.release(cell(3, 1));
    player.wait(ms(100));
    assert_eq!(player.count_logs("waking up"), 1);
}

on_each_chip!(led_pulses_are_within_every_data_sheet);
fn led_pulses_are_within_every_data_sheet(chip: Chip) {
    let mut player = power_on(chip, Options::default());
    player.start_random_puzzle();
    player.command(Command::Hint);
    player.wait(ms(1000));
    println!("{:?}", player.device.wire_times());
    assert_eq!(player.device.wire_faults(), []);
}
