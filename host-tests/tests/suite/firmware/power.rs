//! The real firmware with power cuts and sleep: saves are restored, and any content of the flash is tolerated.
//! `LIGHTS_OUT_LONG=1` cuts the power more often.

use std::time::Duration;

use emulator::{Handheld, Options, PowerCut};
use flash_image::Chip;
use lights_out::board::{Board, Cell, Cells};
use lights_out::game::Game;
use lights_out::game::modes::ModeKind;
use lights_out::gesture::Command;
use lights_out::level_boards;
use lights_out::save::Save;
use lights_out::solver::CLASSIC;
use player::{Dice, WIPE_TIME, cell, limits, ms, us};

use super::support::{
    ShownBoards, expect_no_faults, expect_playable_game, flash_with_kept_save, flash_with_save, flash_with_saves,
    fresh_starts, load_flash, power_cycle, power_on, power_on_and_win_first_level, power_on_with_flash, rounds,
};
use crate::saves::{CORPUS, VERSIONS, corpus_of};

on_each_chip!(game_is_in_first_frame_after_power_cut);
fn game_is_in_first_frame_after_power_cut(chip: Chip) {
    let mut player = power_on(chip, Options::default());
    let start = player.start_random_puzzle();
    for key in [cell(0, 1), cell(2, 4), cell(3, 3)] {
        player.tap(key);
    }
    let board = player.board();
    player.wait(ms(1000));
    let mut player = power_cycle(chip, player);
    let frame = player.device.run_to_next_frame(ms(500)).expect("a first frame");
    println!("power-on to the saved game: {:?}", frame.ended);
    assert_eq!(Board::from_bits(frame.lit()), board);
    assert!(frame.ended <= limits::START);
    player.hold(&Command::Undo.corners().map(|corner| corner.cell()), ms(700 + 2 * 300 + 100));
    player.expect_board(start);
    assert_eq!(fresh_starts(&player), 0);
}

on_each_chip!(settings_results_and_slots_are_saved);
fn settings_results_and_slots_are_saved(chip: Chip) {
    let mut player = power_on_and_win_first_level(chip);
    player.start(ModeKind::Create, &[(3, 3), (4, 0)]);
    player.tap(cell(1, 2));
    player.command(Command::Next);
    player.tap(cell(1, 4));
    player.wait(ms(1200));
    let mut player = power_cycle(chip, player);
    player.wait(ms(100));
    player.expect_board(Board::of(cell(1, 2).bit()));
    player.command(Command::Next);
    assert_eq!(player.board().lit(), Cells::in_row(1) | cell(3, 4).bit(), "the slot is not in use");
    player.command(Command::Menu);
    assert!(player.brightness(cell(3, 3)) > 2 * player.brightness(cell(3, 1)), "the difficulty was not saved");
    player.command(Command::Menu);
    player.start(ModeKind::Levels, &[]);
    assert_eq!(player.find_pulsing_key().map(Cell::index), Some(1), "level 2 is open");
    player.tap(cell(0, 0));
    player.wait(WIPE_TIME);
    player.expect_board(level_boards::board(0).unwrap());
}

/// Plays until the power is cut, and checks what is restored. Returns the flash, and whether the power was cut.
fn play_until_cut(chip: Chip, dice: &mut Dice, flash: Vec<u8>, cut: PowerCut, round: u32) -> (Vec<u8>, bool) {
    let mut player = power_on_with_flash(chip, flash);
    player.wait(ms(400));
    player.device.cut_power(cut);
    let mut shown = ShownBoards::new(player.device.now(), player.board());
    // Single keys with pauses, and never a win.
    while player.device.stop_reason().is_none() && player.device.now() < Duration::from_secs(20) {
        let board = player.board();
        let key = dice.key();
        if !CLASSIC.press(board, key).is_dark() {
            player.press(key);
            // The move may be saved before the cut without having been on the lights.
            shown.push(player.device.now(), CLASSIC.press(board, key));
            player.wait(ms(30));
            player.release(key);
        }
        shown.push(player.device.now(), player.board());
        player.wait(ms(if dice.below(4) == 0 { 1500 } else { 150 }));
    }
    let was_cut = player.device.stop_reason().is_some();
    let end = player.device.now();
    let (flash, _) = shown.expect_after_cut(chip, player.device.power_off(), end, round);
    (flash, was_cut)
}

on_each_chip!(random_power_cuts_lose_at_most_the_last_second);
fn random_power_cuts_lose_at_most_the_last_second(chip: Chip) {
    let plays = rounds(chip, 100, 2000);
    let mut dice = Dice::new(2000, 77);
    let mut player = power_on(chip, Options::default());
    player.start_random_puzzle();
    player.wait(ms(1200));
    let mut flash = player.device.power_off();
    let mut cuts = 0;
    for round in 0..plays {
        let seed = dice.seed();
        let cut = if dice.below(4) == 0 {
            PowerCut::At { time: ms(400) + us(dice.below(12_000_000).into()), seed }
        } else {
            let fraction = f64::from(dice.below(1000)) / 1000.0;
            PowerCut::Operation { after: dice.below(10).into(), fraction, seed }
        };
        let was_cut;
        (flash, was_cut) = play_until_cut(chip, &mut dice, flash, cut, round);
        cuts += u32::from(was_cut);
    }
    println!("{plays} plays, {cuts} power cuts: no save lost");
    assert!(cuts > plays / 2);
}

on_each_chip!(saves_of_every_version_are_restored);
/// An update keeps the running game.
fn saves_of_every_version_are_restored(chip: Chip) {
    for version in VERSIONS {
        for ((name, mode), save) in CORPUS.iter().zip(corpus_of(version)) {
            let mut player = power_on_with_flash(chip, flash_with_save(chip, &save));
            player.wait(ms(100));
            assert_eq!(fresh_starts(&player), 0, "{name} of version {version}: {:?}", player.device.logs());
            assert_eq!(player.count_logs(&format!(" mode={} ", mode.name())), 1, "{name} of version {version}");
        }
    }
}

on_each_chip!(newer_save_is_kept_through_play_and_sleep);
/// The flash has saves of a newer version, and the first level is won. The newer saves fill a sector, so the saves of
/// this version go to the next sector. Before sleep, every sector without a kept save or a recent save is erased.
fn newer_save_is_kept_through_play_and_sleep(chip: Chip) {
    let newer = [&[200], [0xA5; 400].as_slice()].concat();
    let flash = flash_with_saves(chip, &[newer.as_slice(); 8]);
    let mut player = power_on_with_flash(chip, flash);
    player.wait_for_greeting();
    player.solve();
    player.wait(ms(300));
    player.tap(cell(2, 2));
    let asleep = player.device.run_until(Duration::from_secs(200), Handheld::is_dormant);
    assert!(asleep, "{:?}", player.device.logs());
    expect_no_faults(&player.device);
    let logged = ["a newer version: a fresh start", "newer versions kept: 1"].map(|words| player.count_logs(words));
    let flash = player.device.power_off();
    let (found, kept) = load_flash(chip, &flash);
    assert_eq!(kept, Some(newer));
    assert_eq!(logged, [1, 1]);
    let records = found.snapshot.expect("a save of this version").records;
    assert!(records.best_moves(0).is_some(), "the result of the first level was not saved");
    let mut player = power_on_with_flash(chip, flash);
    player.wait(ms(100));
    assert_eq!((fresh_starts(&player), player.count_logs("newer versions kept: 1")), (0, 1));
}

on_each_chip!(results_of_kept_save_are_merged);
/// An update reads the kept save of its own version, and merges its results.
fn results_of_kept_save_are_merged(chip: Chip) {
    let [kept, own] = [[4, 9], [7, 3]].map(|moves: [u32; 2]| {
        let mut snapshot = Game::new(0, 1).snapshot();
        (0..2).for_each(|level| snapshot.records.solved(level, moves[level]));
        Save::of(&snapshot).expect("a save of legal size")
    });
    let mut player = power_on_with_flash(chip, flash_with_kept_save(chip, kept.bytes(), own.bytes()));
    player.wait(ms(100));
    assert_eq!((fresh_starts(&player), player.count_logs("results were merged: 1")), (0, 1));
    player.tap(cell(2, 2));
    player.wait(ms(1200));
    let (found, kept) = load_flash(chip, &player.device.power_off());
    let records = found.snapshot.expect("a save").records;
    assert_eq!((found.merged, kept, records.best_moves(0), records.best_moves(1)), (0, None, Some(4), Some(3)));
}

on_each_chip!(power_cut_while_counting_power_up_is_harmless);
fn power_cut_while_counting_power_up_is_harmless(chip: Chip) {
    for step in 0..10_u32 {
        let mut player = power_on(chip, Options::default());
        let cut = PowerCut::Operation { after: 0, fraction: f64::from(step) / 10.0, seed: u64::from(step) };
        player.device.cut_power(cut);
        player.wait(ms(100));
        assert!(player.device.stop_reason().is_some(), "the power was not cut");
        let flash = player.device.power_off();
        expect_playable_game(&mut power_on_with_flash(chip, flash));
    }
}

on_each_chip!(game_starts_with_any_content_in_flash);
fn game_starts_with_any_content_in_flash(chip: Chip) {
    let mut dice = Dice::new(31, 1);
    for fill in 0..6 {
        let mut flash = vec![0xFF; chip.flash_size()];
        let saves = flash.len() - 64 * 1024;
        for byte in &mut flash[saves..] {
            *byte = if fill == 0 { 0 } else { dice.below(256) as u8 };
        }
        expect_playable_game(&mut power_on_with_flash(chip, flash));
    }
}

on_each_chip!(each_power_up_draws_another_board);
fn each_power_up_draws_another_board(chip: Chip) {
    // The emulated ring oscillator gives the same bits each time, so the difference comes from the power-up counter.
    let mut flash = None;
    let mut drawn: Vec<Board> = Vec::new();
    for n in 0..rounds(chip, 8, 25) {
        let mut player = power_on(chip, Options { flash: flash.take(), ..Options::default() });
        let board = player.start_random_puzzle();
        assert!(!drawn.contains(&board), "power-up {n} draws {board} again");
        drawn.push(board);
        flash = Some(player.device.power_off());
    }
}

on_each_chip!(sleeps_after_three_minutes_and_wakes_by_key);
fn sleeps_after_three_minutes_and_wakes_by_key(chip: Chip) {
    let mut player = power_on(chip, Options::default());
    player.start_random_puzzle();
    player.tap(cell(2, 1));
    let board = player.board();
    player.wait(Duration::from_secs(178));
    assert!(player.device.led_supply() && !player.device.is_dormant());
    player.expect_board(board);
    player.wait(Duration::from_secs(6));
    assert!(player.device.is_dormant(), "the clocks run");
    assert!(player.board().is_dark() && !player.device.led_supply());
    for key in [cell(0, 0), cell(2, 1), cell(4, 4)] {
        player.wait(Duration::from_secs(200));
        assert!(player.device.is_dormant());
        let (pressed_at, frames) = (player.device.now(), player.device.frames());
        player.press(key);
        player.device.run_until(ms(500), |handheld| handheld.frames() > frames);
        let frame = player.device.frame().expect("a frame").clone();
        println!("key to first frame after sleep: {:?}", frame.ended - pressed_at);
        assert_eq!(Board::from_bits(frame.lit()), board);
        assert!(frame.ended - pressed_at <= limits::WAKE);
        assert!(player.device.led_supply());
        player.wait(ms(200));
        player.release(key);
        player.wait(ms(100));
        player.expect_board(board);
    }
    player.tap(cell(2, 1));
    player.expect_board(CLASSIC.press(board, cell(2, 1)));
    expect_no_faults(&player.device);
}

on_each_chip!(last_move_is_saved_before_sleep);
fn last_move_is_saved_before_sleep(chip: Chip) {
    let mut player = power_on(chip, Options::default());
    player.start_random_puzzle();
    player.tap(cell(2, 1));
    let board = player.board();
    player.wait(Duration::from_secs(200));
    assert!(player.device.is_dormant());
    let mut player = power_cycle(chip, player);
    player.wait(ms(100));
    player.expect_board(board);
}
