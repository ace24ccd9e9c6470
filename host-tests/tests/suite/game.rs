//! The game as a library, played by its keys.

use lights_out::board::Cell;
use lights_out::game::GameEvent;
use lights_out::game::history::UNDO_DEPTH;
use lights_out::game::modes::Mode;
use lights_out::game::round::Round;
use lights_out::gesture::Command;
use lights_out::level_boards;
use lights_out::solver::CLASSIC;
use player::{CoreDevice, Device, Dice, Player, WIPE_TIME, cell, command, ms, tap};

use crate::scenarios::play::{each_play_scenario, hints_win_in_par};

fn player() -> Player<CoreDevice> {
    Player::new(CoreDevice::new(42))
}

fn play(scenario: impl FnOnce(&mut Player<CoreDevice>)) {
    scenario(&mut player());
}

each_play_scenario!(play);

/// The round of the Random mode.
fn round(player: &Player<CoreDevice>) -> &Round {
    match player.device.game.state().mode() {
        Mode::Random(random) => random.puzzle().round(),
        other => panic!("not the Random mode: {other:?}"),
    }
}

#[test]
fn following_hints_solves_in_par() {
    let mut dice = Dice::new(12, 1);
    for seed in 0..200 {
        let first_moves: Vec<Cell> = (0..dice.below(8)).map(|_| dice.key()).collect();
        hints_win_in_par(&mut Player::new(CoreDevice::new(seed)), &first_moves);
    }
}

#[test]
fn undone_moves_do_not_count() {
    let mut player = player();
    player.start_random_puzzle();
    player.tap(cell(1, 1));
    player.tap(cell(1, 1));
    player.tap(cell(3, 2));
    assert_eq!(round(&player).moves(), 3);
    player.command(Command::Undo);
    assert_eq!(round(&player).moves(), 2);
    player.solve();
    let par = round(&player).par();
    assert_eq!(player.device.outputs.events.last(), Some(&GameEvent::Won { moves: 2 + par, par }));
}

#[test]
fn undo_reaches_its_full_depth() {
    let mut player = player();
    player.start_random_puzzle();
    let mut boards = Vec::new();
    for i in 0..UNDO_DEPTH + 10 {
        boards.push(player.board());
        let mut key = Cell::new(i * 7 % 25).unwrap();
        if CLASSIC.press(player.board(), key).is_dark() {
            key = Cell::new((i * 7 + 1) % 25).unwrap();
        }
        player.device.input(tap(key));
    }
    for board in boards.iter().rev().take(UNDO_DEPTH) {
        player.device.input(command(Command::Undo));
        assert_eq!(player.board(), *board);
    }
    let last = player.board();
    player.device.input(command(Command::Undo));
    assert_eq!(player.board(), last, "older moves cannot be undone");
    assert_eq!(round(&player).moves(), 10);
}

#[test]
fn greeting_is_short_and_any_key_ends_it() {
    let level_one = level_boards::board(0).unwrap();
    let mut patient = player();
    assert!(!patient.board().is_dark(), "the greeting starts immediately");
    patient.wait(ms(800) + WIPE_TIME);
    patient.expect_board(level_one);
    patient.expect_nothing_for(ms(500));

    let mut hasty = player();
    hasty.wait(ms(200));
    hasty.tap(cell(2, 2));
    hasty.wait(WIPE_TIME);
    hasty.expect_board(level_one);
}

#[test]
fn still_board_needs_no_wake_up() {
    let mut player = player();
    player.wait_for_greeting();
    let time_to_deadline = |player: &mut Player<CoreDevice>| {
        let now = player.device.now;
        player.device.game.deadline(now).map(|due| due - now)
    };
    assert!(time_to_deadline(&mut player) > Some(55_000_000), "only the battery reading, once a minute");
    player.command(Command::Hint);
    assert!(time_to_deadline(&mut player) < Some(100_000));
}

#[test]
fn score_scrolls_moves_then_par() {
    // Level 1 has par 1. Solved with one press, it shows 1-1, then its number 1.
    let mut player = player();
    player.wait_for_greeting();
    player.solve();
    player.wait(ms(980));
    // Collect the rightmost column while the text scrolls in: this gives the text, column by column.
    let mut columns: Vec<u32> = Vec::new();
    for _ in 0..14 {
        let bits = player.board().bits();
        columns.push((0..5).fold(0, |column, row| column << 1 | bits >> (5 * row + 4) & 1));
        player.wait(ms(150));
    }
    let drawn: Vec<String> = (0..5)
        .map(|row| columns.iter().map(|column| if column >> (4 - row) & 1 == 1 { '#' } else { '.' }).collect())
        .collect();
    let one_dash_one = [".#.......#.", "##......##.", ".#..##...#.", ".#.......#.", "###.....###"];
    let aligned = (0..3).any(|shift| (0..5).all(|row| drawn[row][shift..].starts_with(one_dash_one[row])));
    assert!(aligned, "expected moves 1, par 1; the lights show\n{}", drawn.join("\n"));
}

#[test]
fn same_seed_and_keys_give_the_same_game() {
    let play = |seed| {
        let mut player = Player::new(CoreDevice::new(seed));
        player.start_random_puzzle();
        player.command(Command::Next);
        player.tap(cell(2, 1));
        player.device.led_colours()
    };
    assert_eq!(play(1), play(1));
    assert_ne!(play(1), play(2));
}
