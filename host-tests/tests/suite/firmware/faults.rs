//! The real firmware when it fails: a panic, a fault, a hang, a task that waits for ever. It says so by a red cross where
//! it can, starts again, and the game is as it was.

use std::time::Duration;

use super::support::{expect_a_playable_game, fresh_starts, switched_on, with_the_first_level_won};
use emulator::{Handheld, Level, Mishap, Options};
use lights_out::board::Board;
use lights_out::game::modes::ModeKind;
use lights_out::level_boards;
use lights_out::solver::CLASSIC;
use player::{Player, cell, ms, us};

/// The picture of a crash.
const RED_X: &str = "#...# .#.#. ..#.. .#.#. #...#";

/// Whatever happened a moment ago: a red X, a restart after about three seconds, and a game to play.
#[track_caller]
fn expect_red_x_and_restart(player: &mut Player<Handheld>) {
    let crashed = player.device.now();
    player.wait(ms(100));
    assert_eq!(player.board(), Board::parse(RED_X).unwrap());
    assert!(player.device.frame().unwrap().leds.iter().all(|led| led.g == 0 && led.b == 0), "it is red");
    assert_eq!(player.device.resets().len(), 0);
    player.wait(ms(2700));
    assert_eq!(player.board(), Board::parse(RED_X).unwrap(), "and stays for a while");
    player.wait(ms(500));
    let resets: Vec<_> = player.device.resets().iter().map(|reset| reset.at - crashed).collect();
    assert!(resets.len() == 1 && resets[0] > ms(2900) && resets[0] < ms(3100), "{resets:?}");
    expect_a_playable_game(player);
}

#[test]
fn a_panic_shows_a_red_x_tells_the_probe_and_restarts() {
    let mut player = switched_on(Options::default());
    player.random_puzzle();
    assert!(player.device.inflict(Mishap::Panic("the sky has fallen")));
    expect_red_x_and_restart(&mut player);
    let told =
        player.device.logs().iter().any(|line| line.level == Level::Error && line.text.contains("the sky has fallen"));
    assert!(told, "{:?}", player.device.logs());
}

#[test]
fn a_fault_shows_a_red_x_and_restarts() {
    let mut player = switched_on(Options::default());
    player.random_puzzle();
    assert!(player.device.inflict(Mishap::Fault));
    expect_red_x_and_restart(&mut player);
}

#[test]
fn a_panic_while_a_frame_is_on_the_wire_still_shows_the_x() {
    let mut player = switched_on(Options::default());
    player.random_puzzle();
    player.press(cell(1, 1));
    // The key is recognised and its frame is half out.
    player.wait(us(800));
    assert!(player.device.inflict(Mishap::Fault));
    player.wait(ms(50));
    assert_eq!(player.board(), Board::parse(RED_X).unwrap());
}

#[test]
fn a_core_that_hangs_is_restarted_within_three_seconds() {
    let mut player = switched_on(Options::default());
    player.random_puzzle();
    assert!(player.device.inflict(Mishap::Hang));
    let hung = player.device.now();
    player.wait(ms(3000));
    assert_eq!(player.device.resets().len(), 1);
    println!("a hang is noticed after {:?}", player.device.resets()[0].at - hung);
    expect_a_playable_game(&mut player);
}

#[test]
fn a_task_that_waits_for_ever_is_missed_within_three_seconds() {
    let mut player = switched_on(Options::default());
    player.random_puzzle();
    // The frame of this key never ends: the leds task waits for its DMA channel, the others go on.
    assert!(player.device.inflict(Mishap::DmaStops));
    player.tap(cell(1, 1));
    player.wait(ms(3000));
    assert_eq!(player.device.resets().len(), 1);
    assert!(player.told("leds gives no sign of life") > 0, "{:?}", player.device.logs());
    expect_a_playable_game(&mut player);
}

#[test]
fn a_task_that_recovers_in_time_is_no_crash() {
    let mut player = switched_on(Options::default());
    player.random_puzzle();
    assert!(player.device.inflict(Mishap::DmaStops));
    player.tap(cell(1, 1));
    player.wait(ms(1100));
    assert!(player.told("leds gives no sign of life") > 0, "{:?}", player.device.logs());
    player.device.restart_dma();
    player.wait(ms(3000));
    assert_eq!(player.device.resets(), []);
    // What the last start was is told after the next.
    player.device.probe_reset();
    player.wait(ms(1000));
    assert_eq!(player.told("restarted by the watchdog"), 0);
}

#[test]
fn a_crash_or_a_hang_brings_the_game_back_as_it_was() {
    for mishap in [Mishap::Panic("told"), Mishap::Fault, Mishap::Hang, Mishap::DmaStops] {
        let mut player = switched_on(Options::default());
        player.random_puzzle();
        player.tap(cell(2, 1));
        player.tap(cell(0, 3));
        player.wait(ms(1000));
        let board = player.board();
        let before = player.device.now();
        assert!(player.device.inflict(mishap));
        // Without this the lights would have nothing to do, and a dead DMA channel would not be noticed.
        player.tap(cell(4, 2));
        player.device.run_until(ms(4000), |handheld| !handheld.resets().is_empty());
        let caught = player.device.resets()[0].at - before;
        assert!(caught < ms(3200), "{mishap:?} was caught after {caught:?}");
        player.wait(ms(500));
        let back = player.board();
        let after_tap = CLASSIC.press(board, cell(4, 2));
        assert!(back == board || back == after_tap, "{mishap:?}: {back}, not {board}");
        assert_eq!(fresh_starts(&player), 1, "the very first start only");
    }
}

#[test]
fn a_crash_in_the_middle_of_a_save_loses_nothing() {
    let mut player = switched_on(Options::default());
    let before = player.random_puzzle();
    player.wait(ms(1200));
    let saved = player.device.power_off();
    for n in 0..20_u64 {
        let mut player = switched_on(Options { flash: Some(saved.clone()), ..Options::default() });
        player.wait(ms(100));
        player.expect_board(before);
        player.tap(cell(2, 1));
        let after = player.board();
        let programs = player.device.flash().programs();
        assert!(player.device.run_until(ms(1500), |handheld| handheld.flash().programs() > programs));
        player.wait(us(20 * n));
        assert!(player.device.inflict(Mishap::Fault));
        player.wait(ms(3500));
        let back = player.board();
        assert!(back == before || back == after, "{back}");
    }
}

#[test]
fn three_crashes_within_a_minute_start_a_fresh_game_with_the_results_kept() {
    let mut player = with_the_first_level_won();
    player.start(ModeKind::Random, &[]);
    player.wait(ms(1000));
    let board = player.board();
    for crash in 1..=3 {
        assert!(player.device.inflict(Mishap::Fault));
        player.wait(ms(3000) + ms(600));
        assert_eq!(player.device.resets().len(), crash);
        if crash < 3 {
            player.expect_board(board);
        }
    }
    player.expect_board(level_boards::board(1).unwrap());
    assert_eq!(player.told("three crashes"), 1);
    // And the count begins anew.
    assert!(player.device.inflict(Mishap::Fault));
    player.wait(ms(3600));
    player.expect_board(level_boards::board(1).unwrap());
}

#[test]
fn crashes_minutes_apart_do_not_add_up() {
    let mut player = switched_on(Options::default());
    player.random_puzzle();
    player.wait(ms(1000));
    let board = player.board();
    for _ in 0..4 {
        player.wait(Duration::from_secs(62));
        assert!(player.device.inflict(Mishap::Fault));
        player.wait(ms(3600));
        player.expect_board(board);
    }
}
