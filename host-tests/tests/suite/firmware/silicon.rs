//! The real firmware with parts that are no kinder than real ones: a supply that rises slowly, wires that do, memories
//! that are switched off, a boot ROM that leaves by its own watchdog.

use std::time::Duration;

use emulator::{Handheld, Mishap, Options, Spoil, Supply};
use lights_out::board::{Board, Cell};
use lights_out::gesture::{Command, STUCK};
use lights_out::solver::CLASSIC;
use lights_out::sound::Sound;
use lights_out::wiring::Wiring;
use player::{cell, firmware, limits, ms, us};

use super::CHIP;
use super::support::{BEDTIME, expect_a_playable_game, expect_nothing_wrong, rounds, switched_on};

/// Cells with which it falls asleep at once.
const EMPTY: Supply = Supply::Cells { millivolts: 3_150, milliohms: 1_500 };

/// A flash with a game of some moves in it, and its board.
fn saved_game() -> (Vec<u8>, Board) {
    let mut player = switched_on(Options::default());
    player.random_puzzle();
    [cell(1, 1), cell(3, 0), cell(4, 2)].into_iter().for_each(|key| player.tap(key));
    player.wait(ms(1500));
    let board = player.board();
    (player.device.power_off(), board)
}

#[test]
fn a_saved_game_comes_up_however_slowly_the_supply_rises() {
    let (flash, board) = saved_game();
    for rise in [0, 12, 16, 19] {
        let options = Options { flash: Some(flash.clone()), supply_rise: ms(rise), ..Options::default() };
        let mut player = switched_on(options);
        player.wait(ms(60));
        player.expect_board(board);
        assert_eq!(player.device.lost_frames(), 0, "nothing is sent to LEDs that do not listen");
        expect_nothing_wrong(&player.device);
    }
    // One that takes longer than any part that was heard of: late, but not dark for ever.
    let options = Options { flash: Some(flash), supply_rise: ms(80), ..Options::default() };
    let mut player = switched_on(options);
    player.wait(ms(400));
    player.expect_board(board);
}

#[test]
fn a_picture_that_was_spoilt_on_its_way_heals_within_a_third_of_a_second() {
    let mut player = switched_on(Options::default());
    player.random_puzzle();
    for n in 0..20 {
        let right = CLASSIC.press(player.board(), cell(2, 2));
        player.device.spoil_next_frame(if n % 2 == 0 { Spoil::FlipBit(8 + 24 * n) } else { Spoil::DropPulse(30 * n) });
        player.tap(cell(2, 2));
        player.wait(ms(334 - 100));
        player.expect_board(right);
    }
}

#[test]
fn every_key_is_right_however_slowly_the_columns_rise() {
    let with_diodes = [0, 2, 5, 6, 7, 12, 20, 30].map(|rise| (rise, true));
    let without = [0, 6, 12, 30].map(|rise| (rise, false));
    for (rise, diodes) in with_diodes.into_iter().chain(without) {
        let mut player = switched_on(Options { rise: us(rise), diodes, ..Options::default() });
        let mut board = player.random_puzzle();
        for key in Cell::all() {
            player.tap_quickly(key);
            board = CLASSIC.press(board, key);
            assert!(!board.is_dark(), "no key wins");
            player.expect_board(board);
        }
    }
}

#[test]
fn a_tone_is_heard_at_once_after_a_lower_one_and_the_pin_rests_low() {
    let mut player = switched_on(Options::default());
    player.after_greeting();
    player.command(Command::Menu);
    player.choose(4, 4);
    player.command(Command::Menu);
    for n in 0..4 {
        // The next level is not open: the lowest tones there are.
        player.command(Command::Next);
        player.wait(ms(100 + 7 * n));
        assert!(!player.device.pin(Wiring::REFERENCE.piezo.into()), "the pin rests low");
        let (before, pressed) = (player.device.tones().len(), player.device.now());
        player.press(cell(4, 4));
        player.wait(ms(30));
        let heard = player.device.tones()[before..].iter().find_map(|(at, tone)| tone.map(|hz| (*at - pressed, hz)));
        let (after, hz) = heard.expect("the tap is heard");
        assert!(hz.abs_diff(Sound::Tap.notes()[0].hz) <= 3, "{hz} Hz");
        // A press is believed after 0.3 ms; then at most a period.
        assert!(after <= us(400) + Duration::from_secs(1) / hz, "heard after {after:?}");
        player.release(cell(4, 4));
        player.wait(ms(60));
        assert!(!player.device.pin(Wiring::REFERENCE.piezo.into()), "and rests low again");
    }
}

#[test]
fn an_interrupt_on_the_way_into_sleep_does_no_harm() {
    let asleep = |interrupt: Option<u64>| {
        let mut player = switched_on(Options { supply: EMPTY, ..Options::default() });
        if let Some(cycle) = interrupt {
            // The timer's alarm.
            player.device.raise_interrupt_at(0, cycle);
        }
        assert!(player.device.run_until(ms(3000), Handheld::is_dormant));
        player.device.set_supply(Options::default().supply);
        player
    };
    let mut player = asleep(None);
    let dormant = player.device.effort().cycles;
    assert_eq!(player.device.memories_off_in_sleep(), Some(0), "memories stay on");
    player.tap(cell(2, 2));
    expect_a_playable_game(&mut player);
    let window = u64::from(rounds(12, 2000));
    for cycle in dormant - window..=dormant {
        let mut player = asleep(Some(cycle));
        assert_eq!(player.device.powered_down_accesses(), [], "an interrupt {} cycles before", dormant - cycle);
        player.tap(cell(2, 2));
        player.wait(ms(60));
        assert!(!player.board().is_dark());
        assert_eq!(player.device.powered_down_accesses(), []);
    }
}

#[test]
fn updates_and_a_probes_resets_drop_nobodys_game() {
    let mut player = switched_on(Options::default());
    player.random_puzzle();
    player.tap(cell(1, 3));
    player.wait(ms(1500));
    let board = player.board();
    for n in 0..6 {
        if n < 3 {
            player.device.update(firmware(CHIP));
        } else {
            player.device.probe_reset();
        }
        player.wait(ms(2000));
        player.expect_board(board);
    }
    assert_eq!(player.told("three crashes"), 0);
}

#[test]
fn a_crash_while_it_falls_asleep_shows_its_cross() {
    let mut player = switched_on(Options::default());
    player.after_greeting();
    assert!(player.device.run_until(2 * BEDTIME, |handheld| !handheld.led_supply()));
    assert!(player.device.inflict(Mishap::Fault));
    player.wait(ms(100));
    assert_eq!(player.board(), Board::parse("#...# .#.#. ..#.. .#.#. #...#").unwrap());
    player.wait(ms(3500));
    expect_a_playable_game(&mut player);
}

#[test]
fn a_key_that_is_stuck_lets_it_sleep_and_wakes_it_only_once_it_was_let_go() {
    let mut player = switched_on(Options::default());
    player.after_greeting();
    player.press(cell(3, 1));
    player.wait(BEDTIME + Duration::from_micros(STUCK));
    assert!(!player.device.led_supply());
    assert_eq!((player.told("key 16 seems stuck"), player.told("sleeps: a key is down")), (1, 1));
    player.wait(ms(5000));
    assert!(!player.device.led_supply() && player.told("wakes") == 0, "it does not wake");
    player.release(cell(3, 1));
    player.wait(ms(500));
    assert!(player.device.is_dormant() && !player.device.led_supply(), "letting go is no touch");
    player.press(cell(3, 1));
    player.wait(limits::WAKE);
    assert!(!player.board().is_dark(), "but now it wakes");
    player.release(cell(3, 1));
    player.wait(ms(100));
    assert_eq!(player.told("wakes"), 1);
}

#[test]
fn the_pulses_on_the_wire_are_inside_every_data_sheet() {
    let mut player = switched_on(Options::default());
    player.random_puzzle();
    player.command(Command::Hint);
    player.wait(ms(1000));
    println!("{:?}", player.device.wire_times());
    assert_eq!(player.device.wire_faults(), []);
}
