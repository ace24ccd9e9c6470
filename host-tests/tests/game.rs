//! The game as a library, played through its keys.

mod common;

use common::core_device::CoreDevice;
use common::scenarios;
use common::words::{Device, Player, cell, ms};
use lights_out::board::{Board, Cell};
use lights_out::game::{News, UNDO_DEPTH};
use lights_out::gesture::{Command, Input};
use lights_out::solver::CLASSIC;

fn player() -> Player<CoreDevice> {
    Player(CoreDevice::new(42, 6))
}

macro_rules! scenarios {
    ($($name:ident),* $(,)?) => {
        $(#[test] fn $name() { scenarios::$name(&mut player()); })*
    };
}

scenarios!(
    every_key_flips_its_pattern,
    a_tap_acts_on_the_press,
    a_command_cut_short_is_two_taps,
    a_hint_points_at_a_good_key,
    the_demo_solves_and_gives_back,
    a_key_stops_the_demo,
    undo_goes_back_and_repeats,
    restart_goes_back_to_the_start,
    next_deals_another_of_the_same_par,
    menu_leaves_the_game_untouched,
    corners_may_come_one_after_the_other,
    a_win_is_celebrated_and_goes_on,
    a_key_cuts_the_win_short,
    a_win_can_be_taken_back,
    several_keys_at_once,
    a_stuck_key_is_ignored,
);

#[test]
fn hints_win_in_par_from_anywhere_at_every_par() {
    for par in 1..=15 {
        let stray = [cell(0, 3), cell(4, 1), cell(2, 2), cell(0, 3)];
        scenarios::hint_after_hint_wins_in_par(&mut Player(CoreDevice::new(u64::from(par), par)), &stray);
    }
}

#[test]
fn moves_count_and_undo_does_not() {
    let mut player = player();
    player.after_greeting();
    player.tap(cell(1, 1));
    player.tap(cell(1, 1));
    player.tap(cell(3, 2));
    assert_eq!(player.0.game.round().moves(), 3);
    player.command(Command::Undo);
    assert_eq!(player.0.game.round().moves(), 2);
    player.solve();
    let par = player.0.game.round().par();
    assert_eq!(player.0.news.last(), Some(&News::Won { moves: 2 + par, par }));
}

#[test]
fn undo_reaches_as_far_as_it_says() {
    let mut player = player();
    player.after_greeting();
    let mut boards = Vec::new();
    for i in 0..UNDO_DEPTH + 10 {
        boards.push(player.board());
        let mut key = Cell::new(i * 7 % 25).unwrap();
        if CLASSIC.press(player.board(), key).is_dark() {
            key = Cell::new((i * 7 + 1) % 25).unwrap();
        }
        player.0.game.handle(player.0.now, Input::Tap(key));
    }
    for board in boards.iter().rev().take(UNDO_DEPTH) {
        player.0.game.handle(player.0.now, Input::Command(Command::Undo));
        assert_eq!(player.board(), *board);
    }
    let last = player.board();
    player.0.game.handle(player.0.now, Input::Command(Command::Undo));
    assert_eq!(player.board(), last, "older moves are forgotten");
    assert_eq!(player.0.game.round().moves(), 10);
}

#[test]
fn the_greeting_is_short_and_any_key_cuts_it_shorter() {
    let mut patient = player();
    assert!(!patient.board().is_dark(), "there is something to see at once");
    patient.wait(ms(999));
    let start = patient.board();
    assert_eq!(CLASSIC.par(start), Some(6));
    patient.expect_nothing_for(ms(500));

    let mut hasty = player();
    hasty.wait(ms(200));
    hasty.tap(cell(2, 2));
    hasty.expect_board(start);
}

#[test]
fn a_board_in_play_asks_for_no_wake() {
    let mut player = player();
    player.after_greeting();
    assert_eq!(player.0.game.deadline(player.0.now), None);
    player.command(Command::Hint);
    assert!(player.0.game.deadline(player.0.now).is_some());
}

#[test]
fn the_score_scrolls_moves_then_par() {
    let mut player = Player(CoreDevice::new(3, 2));
    player.after_greeting();
    player.solve();
    player.wait(ms(1000));
    // Collect the rightmost column as it scrolls in: the text, column by column.
    let mut columns: Vec<u32> = Vec::new();
    for _ in 0..12 {
        let bits = player.board().bits();
        columns.push((0..5).fold(0, |column, row| column << 1 | bits >> (5 * row + 4) & 1));
        player.wait(ms(150));
    }
    let drawn: Vec<String> = (0..5)
        .map(|row| columns.iter().map(|column| if column >> (4 - row) & 1 == 1 { '#' } else { '.' }).collect())
        .collect();
    let two_dash_two = ["###.....###.", "..#.......#.", "###.##..###.", "#.......#...", "###.....###."];
    let aligned = (0..3).any(|shift| (0..5).all(|row| drawn[row][shift..].starts_with(&two_dash_two[row][..9])));
    assert!(aligned, "moves 2, par 2, but it shows\n{}", drawn.join("\n"));
}

#[test]
fn the_same_seed_and_the_same_keys_play_the_same_game() {
    let play = |seed| {
        let mut player = Player(CoreDevice::new(seed, 9));
        player.after_greeting();
        player.command(Command::Next);
        player.tap(cell(2, 1));
        player.0.picture()
    };
    assert_eq!(play(1), play(1));
    assert_ne!(play(1), play(2));
}

#[test]
fn a_game_can_be_of_any_par_asked_for() {
    for par in 0..40 {
        let device = CoreDevice::new(par, par as u32);
        assert_eq!(device.game.round().par(), (par as u32).clamp(1, 15));
        assert_ne!(device.game.round().board(), Board::DARK);
    }
}
