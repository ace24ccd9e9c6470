//! The real firmware through power cuts, crashes, long erases, and sleep. `LIGHTS_OUT_LONG=1` runs the long campaigns.

mod common;

use std::time::Duration;

use common::elf_device::{ElfDevice, switched_on};
use common::long_form;
use common::words::{Player, WIPED, cell, ms, us};
use lights_out::board::{Board, Cell};
use lights_out::game::settings::ModeKind;
use lights_out::gesture::Command;
use lights_out::level_boards;
use lights_out::solver::CLASSIC;
use rand_core::Rng;
use rand_pcg::Pcg32;
use virtual_handheld::{FlashTimes, Mishap, Options, PowerCut};

/// The saves stand at the end of the flash: a sector that counts power-ups, then the journal.
const JOURNAL: usize = 2 * 1024 * 1024 - 60 * 1024;

fn power_cycled(player: Player<ElfDevice>) -> Player<ElfDevice> {
    switched_on(Options { flash: Some(player.0.0.power_off()), ..Options::default() })
}

fn fresh_starts(player: &Player<ElfDevice>) -> usize {
    player
        .0
        .0
        .logs()
        .iter()
        .filter(|line| line.text.contains("fresh start") || line.text.contains("nothing was"))
        .count()
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
    let frame = player.0.0.run_to_next_frame(ms(500)).expect("a first frame");
    println!("power-on to the saved game on the lights: {:?}", frame.ended);
    assert_eq!(Board::from_bits(frame.lit()), board);
    assert!(frame.ended < ms(50));
    player.hold(&Command::Undo.corners().map(|corner| corner.cell()), ms(700 + 2 * 300 + 100));
    player.expect_board(start);
    assert_eq!(fresh_starts(&player), 0);
}

#[test]
fn settings_results_and_slots_are_kept() {
    let mut player = switched_on(Options::default());
    player.after_greeting();
    player.solve();
    player.wait(ms(300));
    player.tap(cell(2, 2));
    player.wait(WIPED);
    player.start(ModeKind::Create, &[(3, 3), (4, 0)]);
    player.tap(cell(1, 2));
    player.command(Command::Next);
    player.tap(cell(1, 4));
    player.wait(ms(1200));
    let mut player = power_cycled(player);
    player.wait(ms(100));
    player.expect_board(Board::from_bits(cell(1, 2).bit()));
    player.command(Command::Next);
    assert_eq!(player.board().bits(), 0b11111 << 5 | cell(3, 4).bit(), "the slot is in use");
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
fn play_until_cut(rng: &mut Pcg32, flash: Vec<u8>, cut: PowerCut, round: u32) -> (Vec<u8>, bool) {
    let mut player = switched_on(Options { flash: Some(flash), ..Options::default() });
    player.wait(ms(400));
    player.0.0.cut_power(cut);
    let mut shown: Vec<(Duration, Board)> = vec![(player.0.0.now(), player.board())];
    // A key now and then, never a win, some pauses, and the undo of it all once in a while.
    while player.0.0.death().is_none() && player.0.0.now() < Duration::from_secs(20) {
        let board = player.board();
        let key = Cell::new(rng.next_u32() as usize % 25).unwrap();
        if !CLASSIC.press(board, key).is_dark() {
            player.press(key);
            // It may be saved before the cut and not be on the lights yet.
            shown.push((player.0.0.now(), CLASSIC.press(board, key)));
            player.wait(ms(30));
            player.release(key);
        }
        shown.push((player.0.0.now(), player.board()));
        player.wait(ms(if rng.next_u32().is_multiple_of(4) { 1500 } else { 150 }));
    }
    let died = player.0.0.now();
    let was_cut = player.0.0.death().is_some();
    let flash = player.0.0.power_off();
    let mut player = switched_on(Options { flash: Some(flash), ..Options::default() });
    let frame = player.0.0.run_to_next_frame(ms(500)).expect("it starts");
    let board = Board::from_bits(frame.lit());
    assert_eq!(fresh_starts(&player), 0, "round {round}: the save was lost: {:?}", player.0.0.logs());
    // The newest board that was on the lights for more than a second before the cut, or any later one.
    let safe = shown.iter().rposition(|(at, _)| *at + ms(1100) < died).unwrap_or(0);
    let allowed: Vec<Board> = shown[safe..].iter().map(|(_, board)| *board).collect();
    assert!(allowed.contains(&board), "round {round}: {board} came back, but {allowed:?} were on the lights");
    (player.0.0.power_off(), was_cut)
}

#[test]
fn cuts_at_random_never_cost_more_than_the_last_second() {
    let rounds = if long_form() { 2000 } else { 100 };
    let mut rng = Pcg32::new(2000, 77);
    let mut player = switched_on(Options::default());
    player.random_puzzle();
    player.wait(ms(1200));
    let mut flash = player.0.0.power_off();
    let mut cuts = 0;
    for round in 0..rounds {
        let seed = rng.next_u64();
        let cut = if rng.next_u32().is_multiple_of(4) {
            PowerCut::At { time: ms(400) + us(u64::from(rng.next_u32() % 12_000_000)), seed }
        } else {
            let fraction = f64::from(rng.next_u32() % 1000) / 1000.0;
            PowerCut::Operation { after: u64::from(rng.next_u32() % 10), fraction, seed }
        };
        let was_cut;
        (flash, was_cut) = play_until_cut(&mut rng, flash, cut, round);
        cuts += u32::from(was_cut);
    }
    println!("{rounds} plays, {cuts} power cuts: no save lost, none unreadable");
    assert!(cuts > rounds / 2);
}

#[test]
fn a_long_erase_costs_no_press() {
    // A journal full of junk: every sector has to be erased, 400 ms each, as soon as the keys are quiet.
    let mut flash = vec![0xFF; 2 * 1024 * 1024];
    flash[JOURNAL..].fill(0);
    let slow = FlashTimes { erase: ms(400), ..FlashTimes::default() };
    let mut player = switched_on(Options { flash: Some(flash), flash_times: slow, ..Options::default() });
    let start = level_boards::board(0).unwrap();
    player.wait(ms(1300));
    let mut stalled = 0;
    for n in 0..12_u64 {
        // At any point of the erase, a key goes down and is still down after it.
        player.wait(ms(1300) + us(37_000 * n));
        let erases: u32 = player.0.0.flash().erases().iter().sum();
        player.press(cell(4, 4));
        player.wait(ms(450));
        stalled += u32::from(player.0.0.flash().erases().iter().sum::<u32>() > erases);
        player.release(cell(4, 4));
        player.wait(ms(60));
        let expected = if n % 2 == 0 { CLASSIC.press(start, cell(4, 4)) } else { start };
        player.expect_board(expected);
    }
    assert!(stalled > 3, "only {stalled} of the presses met an erase");
    assert_eq!(player.0.0.wire_faults(), [], "frames in flight complete");
    assert_eq!(player.0.0.resets(), []);
    assert_eq!(player.0.0.unsafe_flash_operations(), 0);
}

#[test]
fn after_three_minutes_it_sleeps_and_any_key_wakes_it() {
    let mut player = switched_on(Options::default());
    player.random_puzzle();
    player.tap(cell(2, 1));
    let board = player.board();
    player.wait(Duration::from_secs(178));
    assert!(player.0.0.led_supply() && !player.0.0.is_dormant());
    player.expect_board(board);
    player.wait(Duration::from_secs(6));
    assert!(player.0.0.is_dormant(), "the clocks are stopped");
    assert!(player.board().is_dark() && !player.0.0.led_supply());
    for key in [cell(0, 0), cell(2, 1), cell(4, 4)] {
        player.wait(Duration::from_secs(200));
        assert!(player.0.0.is_dormant());
        let (touched, frames) = (player.0.0.now(), player.0.0.frames());
        player.press(key);
        player.0.0.run_until(ms(500), |handheld| handheld.frames() > frames);
        let frame = player.0.0.frame().expect("a frame").clone();
        println!("a key wakes it in {:?}", frame.ended - touched);
        assert_eq!(Board::from_bits(frame.lit()), board);
        assert!(frame.ended - touched < ms(100));
        assert!(player.0.0.led_supply());
        player.wait(ms(200));
        player.release(key);
        player.wait(ms(100));
        player.expect_board(board);
    }
    player.tap(cell(2, 1));
    player.expect_board(CLASSIC.press(board, cell(2, 1)));
    assert_eq!(player.0.0.resets(), []);
    assert_eq!(player.0.0.wire_faults(), []);
}

#[test]
fn what_was_played_before_sleep_is_saved() {
    let mut player = switched_on(Options::default());
    player.random_puzzle();
    player.tap(cell(2, 1));
    let board = player.board();
    player.wait(Duration::from_secs(200));
    assert!(player.0.0.is_dormant());
    let mut player = power_cycled(player);
    player.wait(ms(100));
    player.expect_board(board);
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
        let before = player.0.0.now();
        assert!(player.0.0.inflict(mishap));
        // Without this the lights would have nothing to do, and a dead DMA channel would not be noticed.
        player.tap(cell(4, 2));
        player.0.0.run_until(ms(4000), |handheld| !handheld.resets().is_empty());
        let caught = player.0.0.resets()[0].at - before;
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
    for n in 0..20_u64 {
        let mut player = switched_on(Options::default());
        player.random_puzzle();
        player.wait(ms(1200));
        let before = player.board();
        player.tap(cell(2, 1));
        let after = player.board();
        let programs = player.0.0.flash().programs();
        assert!(player.0.0.run_until(ms(1500), |handheld| handheld.flash().programs() > programs));
        player.wait(us(20 * n));
        assert!(player.0.0.inflict(Mishap::Fault));
        player.wait(ms(3500));
        let back = player.board();
        assert!(back == before || back == after, "{back}");
    }
}

#[test]
fn three_crashes_within_a_minute_start_a_fresh_game_with_the_results_kept() {
    let mut player = switched_on(Options::default());
    player.after_greeting();
    player.solve();
    player.wait(ms(300));
    player.tap(cell(2, 2));
    player.wait(WIPED);
    player.start(ModeKind::Random, &[]);
    player.wait(ms(1000));
    let board = player.board();
    for crash in 1..=3 {
        assert!(player.0.0.inflict(Mishap::Fault));
        player.wait(ms(3000) + ms(600));
        assert_eq!(player.0.0.resets().len(), crash);
        if crash < 3 {
            player.expect_board(board);
        }
    }
    player.expect_board(level_boards::board(1).unwrap());
    assert!(player.0.0.logs().iter().any(|line| line.text.contains("three crashes")));
    // And the count begins anew.
    assert!(player.0.0.inflict(Mishap::Fault));
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
        assert!(player.0.0.inflict(Mishap::Fault));
        player.wait(ms(3600));
        player.expect_board(board);
    }
}

#[test]
fn hours_of_play_leave_no_trace() {
    let minutes = if long_form() { 60 } else { 1 };
    let mut rng = Pcg32::new(60, 60);
    let mut player = switched_on(Options::default());
    player.after_greeting();
    player.0.0.record_frames();
    let (mut frames, mut worst, mut events) = (0, 0.0_f32, 0_u32);
    while player.0.0.now() < Duration::from_secs(60 * minutes) {
        match rng.next_u32() % 40 {
            0..30 => player.tap(Cell::new(rng.next_u32() as usize % 25).unwrap()),
            30..38 => player.command(Command::ALL[rng.next_u32() as usize % 6]),
            _ => player.wait(ms(u64::from(rng.next_u32() % 4000))),
        }
        events += 1;
        for frame in player.0.0.take_frames() {
            frames += 1;
            worst = worst.max(frame.milliamps());
        }
    }
    let handheld = &player.0.0;
    println!(
        "{minutes} min of play: {events} events, {frames} frames, {} saves, at most {worst:.0} mA",
        handheld.flash().programs()
    );
    assert_eq!((handheld.wire_fault_count(), handheld.resets().len(), handheld.row_conflicts()), (0, 0, 0));
    assert_eq!(handheld.unsafe_flash_operations(), 0);
    assert!(worst <= 400.0);
}
