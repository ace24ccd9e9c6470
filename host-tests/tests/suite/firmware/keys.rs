//! The real firmware with unusual key presses: ghosts on a board without diodes, very fast keys, keys that are stuck.

use emulator::{Handheld, InjectedFault, Options};
use flash_image::Chip;
use lights_out::board::Cell;
use lights_out::game::history::UNDO_DEPTH;
use lights_out::gesture::Command;
use lights_out::layout::Layout;
use lights_out::solver::CLASSIC;
use player::{Dice, Player, cell, limits, ms, us};

use super::support::{EMPTY_BATTERY, expect_no_faults, expect_red_cross, power_on};
use crate::scenarios::play::{every_key_flips_its_pattern, hint_pulses_key_of_shortest_solution};
use crate::support::diodes::scan_without_diodes;
use crate::support::is_long_campaign;

fn without_diodes() -> Options {
    Options { diodes: false, ..Options::default() }
}

on_each_chip!(ghost_is_not_a_move_without_diodes);
fn ghost_is_not_a_move_without_diodes(chip: Chip) {
    let mut dice = Dice::new(6, 1);
    let mut player = power_on(chip, without_diodes());
    let mut board = player.start_random_puzzle();
    let mut ghosts = 0;
    while ghosts < 40 {
        let keys: [Cell; 3] = std::array::from_fn(|_| dice.key());
        let contacts = Layout::REFERENCE.keys.contacts_of_cells(keys.into());
        if contacts.len() < 3 || scan_without_diodes(contacts) == contacts {
            continue;
        }
        ghosts += 1;
        // The first two keys are moves. The third key makes a ghost: neither the key nor the ghost is accepted.
        for (n, &key) in keys.iter().enumerate() {
            player.press(key);
            player.wait(ms(15));
            if n < 2 {
                board = CLASSIC.press(board, key);
            }
            player.expect_board(board);
        }
        // When the first key is released, the third key is unambiguous and is a move.
        player.release(keys[0]);
        player.wait(ms(60));
        board = CLASSIC.press(board, keys[2]);
        player.expect_board(board);
        player.release(keys[1]);
        player.release(keys[2]);
        player.wait(ms(60));
        player.expect_board(board);
    }
    expect_no_faults(&player.device);
}

on_each_chip!(board_without_diodes_is_playable);
fn board_without_diodes_is_playable(chip: Chip) {
    for scenario in [every_key_flips_its_pattern, hint_pulses_key_of_shortest_solution] {
        let mut player = power_on(chip, without_diodes());
        scenario(&mut player);
        expect_no_faults(&player.device);
    }
}

/// Presses random keys faster than a player can: one every 8 ms on average, each held for up to 60 ms.
fn mash_keys(player: &mut Player<Handheld>, dice: &mut Dice, presses: u32) {
    let mut random = |below: u32| u64::from(dice.below(below));
    for _ in 0..presses {
        let (key, now) = (random(25) as usize, player.device.now());
        player.device.press(key);
        player.device.schedule(now + us(5000 + random(55_000)), key, false);
        player.wait(us(random(16_000)));
    }
    player.wait(ms(200));
}

on_each_chip!(very_fast_keys_never_tear_a_frame);
fn very_fast_keys_never_tear_a_frame(chip: Chip) {
    for diodes in [true, false] {
        let mut player = power_on(chip, Options { diodes, ..Options::default() });
        player.wait(ms(100));
        player.device.record_frames();
        mash_keys(&mut player, &mut Dice::new(8, u64::from(diodes)), if is_long_campaign() { 2000 } else { 800 });
        assert!(player.device.take_frames().len() > 300);
        expect_no_faults(&player.device);
    }
}

on_each_chip!(same_keys_give_same_frames);
fn same_keys_give_same_frames(chip: Chip) {
    let play = || {
        let mut player = power_on(chip, Options::default());
        player.wait(ms(100));
        player.device.record_frames();
        mash_keys(&mut player, &mut Dice::new(77, 7), 300);
        player.device.take_frames()
    };
    let frames = play();
    assert!(frames.len() > 50);
    assert!(frames == play(), "the frames differ");
}

/// A handheld that fell asleep while these keys were down. Its supply is good again.
fn asleep_with(chip: Chip, held: &[Cell], options: Options) -> Player<Handheld> {
    let mut player = power_on(chip, Options { supply: EMPTY_BATTERY, ..options });
    player.wait(ms(100));
    held.iter().for_each(|&key| player.press(key));
    assert!(player.device.run_until(ms(4000), |handheld| !handheld.led_supply()), "not asleep");
    player.device.set_supply(Options::default().supply);
    player.wait(ms(100));
    player
}

on_each_chip!(any_key_wakes_while_others_are_stuck);
fn any_key_wakes_while_others_are_stuck(chip: Chip) {
    for held in [&[cell(0, 0)][..], &[cell(2, 3)], &[cell(4, 1)], &[cell(1, 1), cell(3, 2)], &[cell(1, 2), cell(3, 2)]]
    {
        let (row, column) = (held[0].row(), held[0].column());
        let others = [((row + 1) % 5, column), (row, (column + 4) % 5), ((row + 4) % 5, (column + 1) % 5)];
        for (diodes, other) in
            others.into_iter().flat_map(|(row, column)| [true, false].map(|d| (d, cell(row, column))))
        {
            let mut player = asleep_with(chip, held, Options { diodes, ..Options::default() });
            player.wait(ms(1234));
            assert!(
                !player.device.led_supply() && player.count_logs("waking up") == 0,
                "woken by the stuck keys {held:?}"
            );
            let pressed_at = player.device.now();
            player.press(other);
            player.device.schedule(pressed_at + ms(30), other.index(), false);
            let lit = player.device.run_until(limits::WAKE, |handheld| handheld.frame().is_some_and(|f| f.lit() != 0));
            assert!(lit, "{other:?} does not wake while {held:?} is down, diodes: {diodes}");
            player.wait(ms(100));
            assert_eq!(player.count_logs("waking up"), 1);
            expect_no_faults(&player.device);
        }
    }
}

on_each_chip!(clocks_stop_when_stuck_keys_are_released);
fn clocks_stop_when_stuck_keys_are_released(chip: Chip) {
    let mut player = asleep_with(chip, &[cell(0, 2), cell(3, 2)], Options::default());
    player.wait(ms(1000));
    assert_eq!(player.count_logs("asleep with a key down"), 1);
    let before = player.device.cycle_counts();
    player.wait(ms(5000));
    let after = player.device.cycle_counts();
    let awake = (after.awake - before.awake) as f64 / (after.cycles - before.cycles) as f64;
    println!("the core is awake for {:.2} % of the cycles", 100.0 * awake);
    assert!(!player.device.is_dormant() && awake <= limits::AWAKE_ASLEEP_KEY_DOWN);
    assert_eq!((after.cycles - before.cycles) / 5, 12_000_000, "the clock in sleep with a key down");
    player.release(cell(0, 2));
    player.wait(ms(1000));
    assert!(!player.device.is_dormant(), "dormant while a key is down");
    player.release(cell(3, 2));
    player.wait(ms(1000));
    assert!(player.device.is_dormant() && player.count_logs("waking up") == 0);
    // The next sleep stops the clocks again.
    player.press(cell(0, 2));
    player.wait(limits::WAKE);
    assert!(player.device.led_supply());
    player.release(cell(0, 2));
    player.device.set_supply(EMPTY_BATTERY);
    assert!(player.device.run_until(ms(100_000), Handheld::is_dormant));
    expect_no_faults(&player.device);
}

on_each_chip!(crash_in_sleep_with_key_down_shows_red_cross);
fn crash_in_sleep_with_key_down_shows_red_cross(chip: Chip) {
    let mut player = asleep_with(chip, &[cell(4, 3)], Options::default());
    player.wait(ms(500));
    assert!(player.device.inject_fault(InjectedFault::Fault));
    player.wait(ms(100));
    expect_red_cross(&player);
    assert_eq!(player.device.wire_faults(), []);
}

on_each_chip!(held_undo_reaches_the_first_step);
fn held_undo_reaches_the_first_step(chip: Chip) {
    let mut player = power_on(chip, Options::default());
    let mut board = player.start_random_puzzle();
    let mut dice = Dice::new(98, 250);
    let start = board;
    for _ in 0..UNDO_DEPTH {
        let key = dice.non_winning_key(board);
        player.tap_briefly(key);
        board = CLASSIC.press(board, key);
    }
    player.expect_board(board);
    player.hold(&Command::Undo.corners().map(|corner| corner.cell()), ms(700 + 300 * UNDO_DEPTH as u64));
    player.expect_board(start);
    assert_eq!((player.count_logs("undid key"), player.count_logs("seems stuck")), (UNDO_DEPTH, 0));
    expect_no_faults(&player.device);
}
