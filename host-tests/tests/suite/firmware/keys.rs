//! The real firmware under hands that no game expects: ghosts on a board without diodes, wild fingers.

use lights_out::board::Cell;
use lights_out::solver::CLASSIC;
use test_player::{Dice, Player, ms, us};
use virtual_handheld::{Handheld, Options};

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
