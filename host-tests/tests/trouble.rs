//! The real firmware when things go wrong: ghosts, wild fingers, a panic, a hang, a dead task, a power cut.

mod common;

use common::elf_device::{ElfDevice, switched_on};
use common::words::{Player, cell, ms, us};
use common::{raw_without_diodes, scenarios};
use lights_out::board::{Board, Cell};
use lights_out::solver::CLASSIC;
use rand_core::Rng;
use rand_pcg::Pcg32;
use virtual_handheld::{Level, Mishap, Options, PowerCut};

/// The picture of a crash.
const RED_X: &str = "#...# .#.#. ..#.. .#.#. #...#";

fn without_diodes() -> Options {
    Options { diodes: false, ..Options::default() }
}

#[test]
fn no_ghost_moves_on_a_board_without_diodes() {
    let mut rng = Pcg32::new(6, 1);
    let mut player = switched_on(without_diodes());
    let mut board = player.random_puzzle();
    let mut ghosts = 0;
    while ghosts < 40 {
        let keys: [Cell; 3] = std::array::from_fn(|_| Cell::new(rng.next_u32() as usize % 25).unwrap());
        let mask = keys.iter().fold(0, |mask, key| mask | key.bit());
        if mask.count_ones() < 3 || raw_without_diodes(mask) == mask {
            continue;
        }
        ghosts += 1;
        // Two keys are seen as they come. The third makes a ghost: it is not believed, and neither is the ghost.
        for (n, &key) in keys.iter().enumerate() {
            player.press(key);
            player.wait(ms(15));
            if n < 2 {
                board = CLASSIC.press(board, key);
            }
            player.expect_board(board);
        }
        // One goes up: now the third is plain to see, and is a move.
        player.release(keys[0]);
        player.wait(ms(60));
        board = CLASSIC.press(board, keys[2]);
        player.expect_board(board);
        player.release(keys[1]);
        player.release(keys[2]);
        player.wait(ms(60));
        player.expect_board(board);
    }
    assert_eq!(player.0.0.row_conflicts(), 0, "rows driven against each other");
}

#[test]
fn a_board_without_diodes_plays_as_well() {
    for scenario in [scenarios::every_key_flips_its_pattern, scenarios::a_hint_points_at_a_good_key] {
        scenario(&mut switched_on(without_diodes()));
    }
}

/// Keys at random, too fast for any hand: a new one every 8 ms or so, each held for up to 60 ms.
fn mash(player: &mut Player<ElfDevice>, rng: &mut Pcg32, presses: u32) {
    let mut random = |below: u32| u64::from(rng.next_u32() % below);
    for _ in 0..presses {
        let (key, now) = (random(25) as usize, player.0.0.now());
        player.0.0.press(key);
        player.0.0.schedule(now + us(5000 + random(55_000)), key, false);
        player.wait(us(random(16_000)));
    }
    player.wait(ms(200));
}

#[test]
fn wild_fingers_never_tear_a_frame_or_crowd_the_wire() {
    for diodes in [true, false] {
        let mut player = switched_on(Options { diodes, ..Options::default() });
        player.wait(ms(100));
        player.0.0.record_frames();
        mash(&mut player, &mut Pcg32::new(8, u64::from(diodes)), 2000);
        let handheld = &mut player.0.0;
        assert!(handheld.take_frames().len() > 300);
        assert_eq!(handheld.wire_faults(), [], "every frame is whole, in time, and after a silence");
        assert_eq!((handheld.resets().len(), handheld.row_conflicts()), (0, 0));
    }
}

#[test]
fn frames_back_to_back_keep_the_silence_and_waste_none() {
    let mut player = switched_on(Options::default());
    player.random_puzzle();
    // Five keys, each half a millisecond after the one before: faster than frames can go out.
    for (n, key) in [cell(0, 0), cell(1, 1), cell(2, 2), cell(3, 3), cell(4, 4)].into_iter().enumerate() {
        let at = player.0.0.now() + us(500 * n as u64);
        player.0.0.schedule(at, key.index(), true);
    }
    player.wait(ms(30));
    let gap = player.0.0.shortest_gap().expect("several frames");
    println!("shortest silence between two frames: {gap:?}");
    assert!(gap >= us(300) && gap < us(400));
    assert_eq!(player.0.0.wire_faults(), []);
}

#[test]
fn hint_after_hint_wins_from_fifty_boards_in_the_middle_of_play() {
    let mut rng = Pcg32::new(12, 1);
    for n in 0..50 {
        let mut player = switched_on(Options { seed: n, ..Options::default() });
        let stray: Vec<Cell> =
            (0..rng.next_u32() % 8).map(|_| Cell::new(rng.next_u32() as usize % 25).unwrap()).collect();
        scenarios::hint_after_hint_wins_in_par(&mut player, &stray);
        assert_eq!(player.0.0.wire_faults(), []);
    }
}

/// Whatever happened a moment ago: a red X, a restart after about three seconds, and a game to play.
#[track_caller]
fn expect_red_x_and_restart(player: &mut Player<ElfDevice>) {
    let crashed = player.0.0.now();
    player.wait(ms(100));
    assert_eq!(player.board(), Board::parse(RED_X).unwrap());
    assert!(player.0.0.frame().unwrap().leds.iter().all(|led| led.g == 0 && led.b == 0), "it is red");
    assert_eq!(player.0.0.resets().len(), 0);
    player.wait(ms(2700));
    assert_eq!(player.board(), Board::parse(RED_X).unwrap(), "and stays for a while");
    player.wait(ms(500));
    let resets: Vec<_> = player.0.0.resets().iter().map(|reset| reset.at - crashed).collect();
    assert!(resets.len() == 1 && resets[0] > ms(2900) && resets[0] < ms(3100), "{resets:?}");
    expect_a_playable_game(player);
}

#[track_caller]
fn expect_a_playable_game(player: &mut Player<ElfDevice>) {
    player.wait(ms(1500));
    let board = player.board();
    assert!(CLASSIC.par(board).is_some_and(|par| par > 0), "{board}");
    player.tap(cell(2, 2));
    player.expect_board(CLASSIC.press(board, cell(2, 2)));
}

#[test]
fn a_panic_shows_a_red_x_tells_the_probe_and_restarts() {
    let mut player = switched_on(Options::default());
    player.random_puzzle();
    assert!(player.0.0.inflict(Mishap::Panic("the sky has fallen")));
    expect_red_x_and_restart(&mut player);
    let told =
        player.0.0.logs().iter().any(|line| line.level == Level::Error && line.text.contains("the sky has fallen"));
    assert!(told, "{:?}", player.0.0.logs());
}

#[test]
fn a_fault_shows_a_red_x_and_restarts() {
    let mut player = switched_on(Options::default());
    player.random_puzzle();
    assert!(player.0.0.inflict(Mishap::Fault));
    expect_red_x_and_restart(&mut player);
}

#[test]
fn a_panic_while_a_frame_is_on_the_wire_still_shows_the_x() {
    let mut player = switched_on(Options::default());
    player.random_puzzle();
    player.press(cell(1, 1));
    // The key is recognised and its frame is half out.
    player.wait(us(800));
    assert!(player.0.0.inflict(Mishap::Fault));
    player.wait(ms(50));
    assert_eq!(player.board(), Board::parse(RED_X).unwrap());
}

#[test]
fn a_core_that_hangs_is_restarted_within_three_seconds() {
    let mut player = switched_on(Options::default());
    player.random_puzzle();
    assert!(player.0.0.inflict(Mishap::Hang));
    let hung = player.0.0.now();
    player.wait(ms(3000));
    assert_eq!(player.0.0.resets().len(), 1);
    println!("a hang is noticed after {:?}", player.0.0.resets()[0].at - hung);
    expect_a_playable_game(&mut player);
}

#[test]
fn a_task_that_waits_for_ever_is_missed_within_three_seconds() {
    let mut player = switched_on(Options::default());
    player.random_puzzle();
    // The frame of this key never ends: the leds task waits for its DMA channel, the others go on.
    assert!(player.0.0.inflict(Mishap::DmaStops));
    player.tap(cell(1, 1));
    player.wait(ms(3000));
    assert_eq!(player.0.0.resets().len(), 1);
    let told = player.0.0.logs().iter().any(|line| line.text.contains("leds gives no sign of life"));
    assert!(told, "{:?}", player.0.0.logs());
    expect_a_playable_game(&mut player);
}

#[test]
fn no_power_up_deals_the_board_of_another_though_the_ring_oscillator_says_the_same() {
    let mut flash = None;
    let mut dealt: Vec<Board> = Vec::new();
    for n in 0..25 {
        let mut player = switched_on(Options { flash: flash.take(), ..Options::default() });
        let board = player.random_puzzle();
        assert!(!dealt.contains(&board), "power-up {n}: {board}");
        dealt.push(board);
        flash = Some(player.0.0.power_off());
    }
}

#[test]
fn a_cut_while_the_power_up_is_counted_does_no_harm() {
    for step in 0..10_u32 {
        let mut player = switched_on(Options::default());
        let cut = PowerCut::Operation { after: 0, fraction: f64::from(step) / 10.0, seed: u64::from(step) };
        player.0.0.cut_power(cut);
        player.wait(ms(100));
        assert!(player.0.0.death().is_some(), "the power was cut");
        let flash = player.0.0.power_off();
        expect_a_playable_game(&mut switched_on(Options { flash: Some(flash), ..Options::default() }));
    }
}

#[test]
fn whatever_stands_in_the_flash_for_saves_the_game_starts() {
    let mut rng = Pcg32::new(31, 1);
    for fill in 0..6 {
        let mut flash = vec![0xFF; 2 * 1024 * 1024];
        let saves = flash.len() - 64 * 1024;
        for byte in &mut flash[saves..] {
            *byte = if fill == 0 { 0 } else { rng.next_u32() as u8 };
        }
        expect_a_playable_game(&mut switched_on(Options { flash: Some(flash), ..Options::default() }));
    }
}

#[test]
fn the_same_keys_at_the_same_times_give_the_same_frames() {
    let play = || {
        let mut player = switched_on(Options::default());
        player.wait(ms(100));
        player.0.0.record_frames();
        mash(&mut player, &mut Pcg32::new(77, 7), 300);
        player.0.0.take_frames()
    };
    let frames = play();
    assert!(frames.len() > 50);
    assert!(frames == play(), "to the nanosecond");
}

#[test]
fn a_stuck_key_is_reported_in_the_log() {
    let mut player = switched_on(Options::default());
    player.random_puzzle();
    player.press(cell(3, 1));
    player.wait(ms(31_000));
    let told =
        player.0.0.logs().iter().filter(|line| line.level == Level::Warn && line.text.contains("key 16")).count();
    assert_eq!(told, 1, "{:?}", player.0.0.logs());
}
