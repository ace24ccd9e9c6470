//! The real firmware through power cuts and sleep: what was saved comes back, whatever stands in the flash, and a save
//! costs no press. `LIGHTS_OUT_LONG=1` cuts the power more often.

use std::time::Duration;

use emulator::{Handheld, Options, PowerCut};
use lights_out::board::{Board, Cell, Cells};
use lights_out::game::Game;
use lights_out::game::modes::ModeKind;
use lights_out::gesture::Command;
use lights_out::level_boards;
use lights_out::save::Save;
use lights_out::solver::CLASSIC;
use player::{Dice, Player, WIPED, cell, limits, ms, us};

use super::CHIP;
use super::support::{
    expect_a_playable_game, expect_nothing_wrong, flash_keeping, flash_with, flash_with_all, fresh_starts, loaded,
    rounds, switched_on, with_the_first_level_won,
};
use crate::saves::{CORPUS, VERSIONS, corpus_of};

fn power_cycled(player: Player<Handheld>) -> Player<Handheld> {
    switched_on(Options { flash: Some(player.device.power_off()), ..Options::default() })
}

#[test]
fn the_running_game_is_there_at_once_after_a_power_cut() {
    let mut player = switched_on(Options::default());
    let start = player.random_puzzle();
    for key in [cell(0, 1), cell(2, 4), cell(3, 3)] {
        player.tap(key);
    }
    let board = player.board();
    player.wait(ms(1000));
    let mut player = power_cycled(player);
    let frame = player.device.run_to_next_frame(ms(500)).expect("a first frame");
    println!("power-on to the saved game on the lights: {:?}", frame.ended);
    assert_eq!(Board::from_bits(frame.lit()), board);
    assert!(frame.ended <= limits::START);
    player.hold(&Command::Undo.corners().map(|corner| corner.cell()), ms(700 + 2 * 300 + 100));
    player.expect_board(start);
    assert_eq!(fresh_starts(&player), 0);
}

#[test]
fn settings_results_and_slots_are_kept() {
    let mut player = with_the_first_level_won();
    player.start(ModeKind::Create, &[(3, 3), (4, 0)]);
    player.tap(cell(1, 2));
    player.command(Command::Next);
    player.tap(cell(1, 4));
    player.wait(ms(1200));
    let mut player = power_cycled(player);
    player.wait(ms(100));
    player.expect_board(Board::of(cell(1, 2).bit()));
    player.command(Command::Next);
    assert_eq!(player.board().lit(), Cells::in_row(1) | cell(3, 4).bit(), "the slot is in use");
    player.command(Command::Menu);
    assert!(player.brightness(cell(3, 3)) > 2 * player.brightness(cell(3, 1)), "the difficulty is as chosen");
    player.command(Command::Menu);
    player.start(ModeKind::Levels, &[]);
    assert_eq!(player.hinted_key().map(Cell::index), Some(1), "level 2 is the open one");
    player.tap(cell(0, 0));
    player.wait(WIPED);
    player.expect_board(level_boards::board(0).unwrap());
}

/// Plays without a pause until the power is cut, and sees that what comes back was on the lights less than a second before.
fn play_until_cut(dice: &mut Dice, flash: Vec<u8>, cut: PowerCut, round: u32) -> (Vec<u8>, bool) {
    let mut player = switched_on(Options { flash: Some(flash), ..Options::default() });
    player.wait(ms(400));
    player.device.cut_power(cut);
    let mut shown: Vec<(Duration, Board)> = vec![(player.device.now(), player.board())];
    // A key now and then, never a win, some pauses, and the undo of it all once in a while.
    while player.device.death().is_none() && player.device.now() < Duration::from_secs(20) {
        let board = player.board();
        let key = dice.key();
        if !CLASSIC.press(board, key).is_dark() {
            player.press(key);
            // It may be saved before the cut and not be on the lights yet.
            shown.push((player.device.now(), CLASSIC.press(board, key)));
            player.wait(ms(30));
            player.release(key);
        }
        shown.push((player.device.now(), player.board()));
        player.wait(ms(if dice.below(4) == 0 { 1500 } else { 150 }));
    }
    let died = player.device.now();
    let was_cut = player.device.death().is_some();
    let flash = player.device.power_off();
    let mut player = switched_on(Options { flash: Some(flash), ..Options::default() });
    let frame = player.device.run_to_next_frame(ms(500)).expect("it starts");
    let board = Board::from_bits(frame.lit());
    assert_eq!(fresh_starts(&player), 0, "round {round}: the save was lost: {:?}", player.device.logs());
    // The newest board that was on the lights for more than a second before the cut, or any later one.
    let safe = shown.iter().rposition(|(at, _)| *at + ms(1100) < died).unwrap_or(0);
    let allowed: Vec<Board> = shown[safe..].iter().map(|(_, board)| *board).collect();
    assert!(allowed.contains(&board), "round {round}: {board} came back, but {allowed:?} were on the lights");
    (player.device.power_off(), was_cut)
}

#[test]
fn cuts_at_random_never_cost_more_than_the_last_second() {
    let plays = rounds(100, 2000);
    let mut dice = Dice::new(2000, 77);
    let mut player = switched_on(Options::default());
    player.random_puzzle();
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
        (flash, was_cut) = play_until_cut(&mut dice, flash, cut, round);
        cuts += u32::from(was_cut);
    }
    println!("{plays} plays, {cuts} power cuts: no save lost, none unreadable");
    assert!(cuts > plays / 2);
}

/// An update never costs the running game: saves of every version are played on.
#[test]
fn saves_of_every_version_are_played_on() {
    for version in VERSIONS {
        for ((name, mode), save) in CORPUS.iter().zip(corpus_of(version)) {
            let mut player = switched_on(Options { flash: Some(flash_with(&save)), ..Options::default() });
            player.wait(ms(100));
            assert_eq!(fresh_starts(&player), 0, "{name} of version {version}: {:?}", player.device.logs());
            assert_eq!(player.told(&format!(" mode={} ", mode.name())), 1, "{name} of version {version}");
        }
    }
}

/// The first level is won with an older firmware than the one that has saved before. A sector is full of newer saves, so all that is
/// saved now is in the next one, and sleep erases whatever is not kept.
#[test]
fn newer_save_is_kept_through_play_and_sleep() {
    let newer = [&[200], [0xA5; 400].as_slice()].concat();
    let flash = flash_with_all(&[newer.as_slice(); 8]);
    let mut player = switched_on(Options { flash: Some(flash), ..Options::default() });
    player.after_greeting();
    player.solve();
    player.wait(ms(300));
    player.tap(cell(2, 2));
    let asleep = player.device.run_until(Duration::from_secs(200), Handheld::is_dormant);
    assert!(asleep, "{:?}", player.device.logs());
    expect_nothing_wrong(&player.device);
    let told = ["a newer version: a fresh start", "newer versions are kept: 1"].map(|words| player.told(words));
    let flash = player.device.power_off();
    let (found, kept) = loaded(&flash);
    assert_eq!(kept, Some(newer));
    assert_eq!(told, [1, 1]);
    let records = found.snapshot.expect("a save of its own").records;
    assert!(records.best_moves(0).is_some(), "the first level is won");
    let mut player = switched_on(Options { flash: Some(flash), ..Options::default() });
    player.wait(ms(100));
    assert_eq!((fresh_starts(&player), player.told("newer versions are kept: 1")), (0, 1));
}

/// The update after that: the results of the kept save are there.
#[test]
fn results_of_a_kept_save_come_back() {
    let [kept, own] = [[4, 9], [7, 3]].map(|moves: [u32; 2]| {
        let mut snapshot = Game::new(0, 1).snapshot();
        (0..2).for_each(|level| snapshot.records.solved(level, moves[level]));
        Save::of(&snapshot).expect("it fits")
    });
    let mut player =
        switched_on(Options { flash: Some(flash_keeping(kept.bytes(), own.bytes())), ..Options::default() });
    player.wait(ms(100));
    assert_eq!((fresh_starts(&player), player.told("taken over from kept saves: 1")), (0, 1));
    player.tap(cell(2, 2));
    player.wait(ms(1200));
    let (found, kept) = loaded(&player.device.power_off());
    let records = found.snapshot.expect("a save").records;
    assert_eq!((found.merged, kept, records.best_moves(0), records.best_moves(1)), (0, None, Some(4), Some(3)));
}

#[test]
fn a_cut_while_the_power_up_is_counted_does_no_harm() {
    for step in 0..10_u32 {
        let mut player = switched_on(Options::default());
        let cut = PowerCut::Operation { after: 0, fraction: f64::from(step) / 10.0, seed: u64::from(step) };
        player.device.cut_power(cut);
        player.wait(ms(100));
        assert!(player.device.death().is_some(), "the power was cut");
        let flash = player.device.power_off();
        expect_a_playable_game(&mut switched_on(Options { flash: Some(flash), ..Options::default() }));
    }
}

#[test]
fn whatever_stands_in_the_flash_for_saves_the_game_starts() {
    let mut dice = Dice::new(31, 1);
    for fill in 0..6 {
        let mut flash = vec![0xFF; CHIP.flash_size()];
        let saves = flash.len() - 64 * 1024;
        for byte in &mut flash[saves..] {
            *byte = if fill == 0 { 0 } else { dice.below(256) as u8 };
        }
        expect_a_playable_game(&mut switched_on(Options { flash: Some(flash), ..Options::default() }));
    }
}

#[test]
fn no_power_up_deals_the_board_of_another_though_the_ring_oscillator_says_the_same() {
    let mut flash = None;
    let mut dealt: Vec<Board> = Vec::new();
    for n in 0..rounds(8, 25) {
        let mut player = switched_on(Options { flash: flash.take(), ..Options::default() });
        let board = player.random_puzzle();
        assert!(!dealt.contains(&board), "power-up {n}: {board}");
        dealt.push(board);
        flash = Some(player.device.power_off());
    }
}

#[test]
fn after_three_minutes_it_sleeps_and_any_key_wakes_it() {
    let mut player = switched_on(Options::default());
    player.random_puzzle();
    player.tap(cell(2, 1));
    let board = player.board();
    player.wait(Duration::from_secs(178));
    assert!(player.device.led_supply() && !player.device.is_dormant());
    player.expect_board(board);
    player.wait(Duration::from_secs(6));
    assert!(player.device.is_dormant(), "the clocks are stopped");
    assert!(player.board().is_dark() && !player.device.led_supply());
    for key in [cell(0, 0), cell(2, 1), cell(4, 4)] {
        player.wait(Duration::from_secs(200));
        assert!(player.device.is_dormant());
        let (touched, frames) = (player.device.now(), player.device.frames());
        player.press(key);
        player.device.run_until(ms(500), |handheld| handheld.frames() > frames);
        let frame = player.device.frame().expect("a frame").clone();
        println!("a key wakes it in {:?}", frame.ended - touched);
        assert_eq!(Board::from_bits(frame.lit()), board);
        assert!(frame.ended - touched <= limits::WAKE);
        assert!(player.device.led_supply());
        player.wait(ms(200));
        player.release(key);
        player.wait(ms(100));
        player.expect_board(board);
    }
    player.tap(cell(2, 1));
    player.expect_board(CLASSIC.press(board, cell(2, 1)));
    expect_nothing_wrong(&player.device);
}

#[test]
fn what_was_played_before_sleep_is_saved() {
    let mut player = switched_on(Options::default());
    player.random_puzzle();
    player.tap(cell(2, 1));
    let board = player.board();
    player.wait(Duration::from_secs(200));
    assert!(player.device.is_dormant());
    let mut player = power_cycled(player);
    player.wait(ms(100));
    player.expect_board(board);
}
