//! The real firmware under hands that no game expects: ghosts on a board without diodes, wild fingers, keys that are stuck.

use emulator::{Handheld, Mishap, Options, Supply};
use lights_out::board::{Board, Cell};
use lights_out::game::history::UNDO_DEPTH;
use lights_out::gesture::Command;
use lights_out::layout::Layout;
use lights_out::solver::CLASSIC;
use player::{Dice, Player, cell, limits, ms, us};

use super::support::{expect_nothing_wrong, switched_on};
use crate::scenarios::play::{a_hint_points_at_a_good_key, every_key_flips_its_pattern};
use crate::support::diodes::raw_without_diodes;
use crate::support::long_form;

fn without_diodes() -> Options {
    Options { diodes: false, ..Options::default() }
}

#[test]
fn no_ghost_moves_on_a_board_without_diodes() {
    let mut dice = Dice::new(6, 1);
    let mut player = switched_on(without_diodes());
    let mut board = player.random_puzzle();
    let mut ghosts = 0;
    while ghosts < 40 {
        let keys: [Cell; 3] = std::array::from_fn(|_| dice.key());
        let contacts = Layout::REFERENCE.keys.contacts_of_cells(keys.into());
        if contacts.len() < 3 || raw_without_diodes(contacts) == contacts {
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
    expect_nothing_wrong(&player.device);
}

#[test]
fn a_board_without_diodes_plays_as_well() {
    for scenario in [every_key_flips_its_pattern, a_hint_points_at_a_good_key] {
        let mut player = switched_on(without_diodes());
        scenario(&mut player);
        expect_nothing_wrong(&player.device);
    }
}

/// Keys at random, too fast for any hand: a new one every 8 ms or so, each held for up to 60 ms.
fn mash(player: &mut Player<Handheld>, dice: &mut Dice, presses: u32) {
    let mut random = |below: u32| u64::from(dice.below(below));
    for _ in 0..presses {
        let (key, now) = (random(25) as usize, player.device.now());
        player.device.press(key);
        player.device.schedule(now + us(5000 + random(55_000)), key, false);
        player.wait(us(random(16_000)));
    }
    player.wait(ms(200));
}

#[test]
fn wild_fingers_never_tear_a_frame_or_crowd_the_wire() {
    for diodes in [true, false] {
        let mut player = switched_on(Options { diodes, ..Options::default() });
        player.wait(ms(100));
        player.device.record_frames();
        mash(&mut player, &mut Dice::new(8, u64::from(diodes)), if long_form() { 2000 } else { 800 });
        assert!(player.device.take_frames().len() > 300);
        expect_nothing_wrong(&player.device);
    }
}

#[test]
fn the_same_keys_at_the_same_times_give_the_same_frames() {
    let play = || {
        let mut player = switched_on(Options::default());
        player.wait(ms(100));
        player.device.record_frames();
        mash(&mut player, &mut Dice::new(77, 7), 300);
        player.device.take_frames()
    };
    let frames = play();
    assert!(frames.len() > 50);
    assert!(frames == play(), "to the nanosecond");
}

/// Cells with which it falls asleep at once.
const EMPTY: Supply = Supply::Cells { millivolts: 3_150, milliohms: 1_500 };

/// A handheld that fell asleep while these keys were down. There is power again.
fn asleep_with(held: &[Cell], options: Options) -> Player<Handheld> {
    let mut player = switched_on(Options { supply: EMPTY, ..options });
    player.wait(ms(100));
    held.iter().for_each(|&key| player.press(key));
    assert!(player.device.run_until(ms(4000), |handheld| !handheld.led_supply()), "it sleeps");
    player.device.set_supply(Options::default().supply);
    player.wait(ms(100));
    player
}

#[test]
fn any_key_wakes_it_though_others_are_stuck() {
    for held in [&[cell(0, 0)][..], &[cell(2, 3)], &[cell(4, 1)], &[cell(1, 1), cell(3, 2)], &[cell(1, 2), cell(3, 2)]]
    {
        let (row, column) = (held[0].row(), held[0].column());
        let others = [((row + 1) % 5, column), (row, (column + 4) % 5), ((row + 4) % 5, (column + 1) % 5)];
        for (diodes, other) in
            others.into_iter().flat_map(|(row, column)| [true, false].map(|d| (d, cell(row, column))))
        {
            let mut player = asleep_with(held, Options { diodes, ..Options::default() });
            player.wait(ms(1234));
            assert!(!player.device.led_supply() && player.told("wakes") == 0, "{held:?} alone wakes nobody");
            let touched = player.device.now();
            player.press(other);
            player.device.schedule(touched + ms(30), other.index(), false);
            let lit = player.device.run_until(limits::WAKE, |handheld| handheld.frame().is_some_and(|f| f.lit() != 0));
            assert!(lit, "{other:?} wakes it while {held:?} is down, diodes: {diodes}");
            player.wait(ms(100));
            assert_eq!(player.told("wakes"), 1);
            expect_nothing_wrong(&player.device);
        }
    }
}

#[test]
fn clocks_stop_once_no_key_is_stuck_any_more() {
    let mut player = asleep_with(&[cell(0, 2), cell(3, 2)], Options::default());
    player.wait(ms(1000));
    assert_eq!(player.told("sleeps: a key is down"), 1);
    let before = player.device.effort();
    player.wait(ms(5000));
    let after = player.device.effort();
    let awake = (after.awake - before.awake) as f64 / (after.cycles - before.cycles) as f64;
    println!("the core is awake for {:.2} % of the time", 100.0 * awake);
    assert!(!player.device.is_dormant() && awake <= limits::AWAKE_DOZING);
    assert_eq!((after.cycles - before.cycles) / 5, 12_000_000, "the clock is slow");
    player.release(cell(0, 2));
    player.wait(ms(1000));
    assert!(!player.device.is_dormant(), "one is still down");
    player.release(cell(3, 2));
    player.wait(ms(1000));
    assert!(player.device.is_dormant() && player.told("wakes") == 0);
    // The next sleep is as deep as ever.
    player.press(cell(0, 2));
    player.wait(limits::WAKE);
    assert!(player.device.led_supply());
    player.release(cell(0, 2));
    player.device.set_supply(EMPTY);
    assert!(player.device.run_until(ms(100_000), Handheld::is_dormant));
    expect_nothing_wrong(&player.device);
}

#[test]
fn crash_while_a_key_is_down_in_sleep_shows_its_cross() {
    let mut player = asleep_with(&[cell(4, 3)], Options::default());
    player.wait(ms(500));
    assert!(player.device.inflict(Mishap::Fault));
    player.wait(ms(100));
    player.expect_board(Board::parse("#...# .#.#. ..#.. .#.#. #...#").unwrap());
    assert_eq!(player.device.wire_faults(), []);
}

#[test]
fn undo_held_goes_back_to_the_first_step() {
    let mut player = switched_on(Options::default());
    let mut board = player.random_puzzle();
    let mut dice = Dice::new(98, 250);
    let start = board;
    for _ in 0..UNDO_DEPTH {
        let key = dice.harmless_key(board);
        player.tap_quickly(key);
        board = CLASSIC.press(board, key);
    }
    player.expect_board(board);
    player.hold(&Command::Undo.corners().map(|corner| corner.cell()), ms(700 + 300 * UNDO_DEPTH as u64));
    player.expect_board(start);
    assert_eq!((player.told("took back key"), player.told("seems stuck")), (UNDO_DEPTH, 0));
    expect_nothing_wrong(&player.device);
}
