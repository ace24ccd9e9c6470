//! The real firmware after an injected fault: a panic, a hard fault, a hang, a blocked task. It shows a red cross where
//! it can, restarts, and restores the game.

use std::time::Duration;

use super::support::{
    expect_playable_game, expect_red_cross, fresh_starts, power_on, power_on_and_win_first_level, power_on_with_flash,
};
use emulator::{Handheld, InjectedFault, LogLevel, Options};
use flash_image::Chip;
use lights_out::game::modes::ModeKind;
use lights_out::level_boards;
use lights_out::solver::CLASSIC;
use player::{Player, cell, ms, us};

/// Checks what follows an injected fault: the red cross, a reset after three seconds, and a game that can be played.
#[track_caller]
fn expect_red_cross_then_game(player: &mut Player<Handheld>) {
    let crashed = player.device.now();
    player.wait(ms(100));
    expect_red_cross(player);
    assert_eq!(player.device.resets().len(), 0);
    player.wait(ms(2700));
    expect_red_cross(player);
    player.wait(ms(500));
    let resets: Vec<_> = player.device.resets().iter().map(|reset| reset.at - crashed).collect();
    assert!(resets.len() == 1 && resets[0] > ms(2900) && resets[0] < ms(3100), "resets after {resets:?}");
    expect_playable_game(player);
}

on_each_chip!(panic_shows_red_cross_logs_and_restarts);
fn panic_shows_red_cross_logs_and_restarts(chip: Chip) {
    let mut player = power_on(chip, Options::default());
    player.start_random_puzzle();
    assert!(player.device.inject_fault(InjectedFault::Panic("injected panic")));
    expect_red_cross_then_game(&mut player);
    let is_logged =
        player.device.logs().iter().any(|line| line.level == LogLevel::Error && line.text.contains("injected panic"));
    assert!(is_logged, "{:?}", player.device.logs());
}

on_each_chip!(fault_shows_red_cross_and_restarts);
fn fault_shows_red_cross_and_restarts(chip: Chip) {
    let mut player = power_on(chip, Options::default());
    player.start_random_puzzle();
    assert!(player.device.inject_fault(InjectedFault::Fault));
    expect_red_cross_then_game(&mut player);
}

on_each_chip!(fault_during_led_frame_shows_red_cross);
fn fault_during_led_frame_shows_red_cross(chip: Chip) {
    let mut player = power_on(chip, Options::default());
    player.start_random_puzzle();
    player.press(cell(1, 1));
    // The key is recognised, and half of its frame has been sent.
    player.wait(us(800));
    assert!(player.device.inject_fault(InjectedFault::Fault));
    player.wait(ms(50));
    expect_red_cross(&player);
}

on_each_chip!(hang_is_reset_within_three_seconds);
fn hang_is_reset_within_three_seconds(chip: Chip) {
    let mut player = power_on(chip, Options::default());
    player.start_random_puzzle();
    assert!(player.device.inject_fault(InjectedFault::Hang));
    let hung = player.device.now();
    player.wait(ms(3000));
    assert_eq!(player.device.resets().len(), 1);
    println!("a hang is reset after {:?}", player.device.resets()[0].at - hung);
    expect_playable_game(&mut player);
}

on_each_chip!(blocked_task_is_reset_within_three_seconds);
fn blocked_task_is_reset_within_three_seconds(chip: Chip) {
    let mut player = power_on(chip, Options::default());
    player.start_random_puzzle();
    // The frame of this key never ends: the leds task waits for its DMA channel, and the other tasks run.
    assert!(player.device.inject_fault(InjectedFault::DmaStall));
    player.tap(cell(1, 1));
    player.wait(ms(3000));
    assert_eq!(player.device.resets().len(), 1);
    assert!(player.count_logs("no heartbeat from task leds") > 0, "{:?}", player.device.logs());
    expect_playable_game(&mut player);
}

on_each_chip!(task_that_recovers_in_time_is_not_a_crash);
fn task_that_recovers_in_time_is_not_a_crash(chip: Chip) {
    let mut player = power_on(chip, Options::default());
    player.start_random_puzzle();
    assert!(player.device.inject_fault(InjectedFault::DmaStall));
    player.tap(cell(1, 1));
    player.wait(ms(1100));
    assert!(player.count_logs("no heartbeat from task leds") > 0, "{:?}", player.device.logs());
    player.device.resume_dma();
    player.wait(ms(3000));
    assert_eq!(player.device.resets(), []);
    // The cause of a reset is logged after the next start.
    player.device.probe_reset();
    player.wait(ms(1000));
    assert_eq!(player.count_logs("watchdog reset"), 0);
}

on_each_chip!(crash_or_hang_restores_game);
fn crash_or_hang_restores_game(chip: Chip) {
    for fault in
        [InjectedFault::Panic("injected panic"), InjectedFault::Fault, InjectedFault::Hang, InjectedFault::DmaStall]
    {
        let mut player = power_on(chip, Options::default());
        player.start_random_puzzle();
        player.tap(cell(2, 1));
        player.tap(cell(0, 3));
        player.wait(ms(1000));
        let board = player.board();
        let before = player.device.now();
        assert!(player.device.inject_fault(fault));
        // The tap sends a frame, so that a task waits for the stopped DMA channel.
        player.tap(cell(4, 2));
        player.device.run_until(ms(4000), |handheld| !handheld.resets().is_empty());
        let caught = player.device.resets()[0].at - before;
        assert!(caught < ms(3200), "{fault:?} was reset after {caught:?}");
        player.wait(ms(500));
        let back = player.board();
        let after_tap = CLASSIC.press(board, cell(4, 2));
        assert!(back == board || back == after_tap, "{fault:?}: {back} was restored, expected {board}");
        assert_eq!(fresh_starts(&player), 1, "only the first start has no save");
    }
}

on_each_chip!(crash_during_save_loses_nothing);
fn crash_during_save_loses_nothing(chip: Chip) {
    let mut player = power_on(chip, Options::default());
    let before = player.start_random_puzzle();
    player.wait(ms(1200));
    let saved = player.device.power_off();
    for n in 0..20_u64 {
        let mut player = power_on_with_flash(chip, saved.clone());
        player.wait(ms(100));
        player.expect_board(before);
        player.tap(cell(2, 1));
        let after = player.board();
        let programs = player.device.flash().programs();
        assert!(player.device.run_until(ms(1500), |handheld| handheld.flash().programs() > programs));
        player.wait(us(20 * n));
        assert!(player.device.inject_fault(InjectedFault::Fault));
        player.wait(ms(3500));
        let back = player.board();
        assert!(back == before || back == after, "{back} was restored");
    }
}

on_each_chip!(three_crashes_in_a_minute_keep_only_the_results);
fn three_crashes_in_a_minute_keep_only_the_results(chip: Chip) {
    let mut player = power_on_and_win_first_level(chip);
    player.start(ModeKind::Random, &[]);
    player.wait(ms(1000));
    let board = player.board();
    for crash in 1..=3 {
        assert!(player.device.inject_fault(InjectedFault::Fault));
        player.wait(ms(3000) + ms(600));
        assert_eq!(player.device.resets().len(), crash);
        if crash < 3 {
            player.expect_board(board);
        }
    }
    player.expect_board(level_boards::board(1).unwrap());
    assert_eq!(player.count_logs("three crashes"), 1);
    // The count of crashes starts again at zero.
    assert!(player.device.inject_fault(InjectedFault::Fault));
    player.wait(ms(3600));
    player.expect_board(level_boards::board(1).unwrap());
}

on_each_chip!(crashes_minutes_apart_are_not_added_up);
fn crashes_minutes_apart_are_not_added_up(chip: Chip) {
    let mut player = power_on(chip, Options::default());
    player.start_random_puzzle();
    player.wait(ms(1000));
    let board = player.board();
    for _ in 0..4 {
        player.wait(Duration::from_secs(62));
        assert!(player.device.inject_fault(InjectedFault::Fault));
        player.wait(ms(3600));
        player.expect_board(board);
    }
}
