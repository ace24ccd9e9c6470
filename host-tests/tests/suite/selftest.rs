//! The self-test for makers: what each bad joint looks like.

use lights_out::board::{ALL_CELLS, Cell};
use lights_out::game::self_test::{Finding, SelfTest};
use lights_out::game::{Game, News};
use lights_out::gesture::Command;
use lights_out::keys::Input;
use lights_out::layout::{Layout, Places};
use lights_out::picture::Colour;
use test_player::{cell, command, handled, tap, ticked};

const CENTRE: usize = 12;
const PLAN: Places = Layout::REFERENCE.keys;

/// Presses and releases every key of a mask; gives what was found on the way.
fn press_all(test: &mut SelfTest, keys: u32) -> Vec<Finding> {
    let mut found = Vec::new();
    for key in Cell::of_mask(keys) {
        found.extend(test.see(10_000_000, key.bit()));
        found.extend(test.see(10_100_000, 0));
        found.extend(test.judge(10_200_000));
    }
    // The maker has stopped pressing.
    found.extend(test.judge(13_500_000));
    found.extend(test.judge(13_600_000));
    found
}

fn begun() -> SelfTest {
    let mut test = SelfTest::new(0, 1 << CENTRE);
    assert_eq!(test.see(300_000, 0), None);
    test
}

#[test]
fn a_good_board_is_told_once_when_every_key_was_pressed() {
    let mut test = begun();
    assert_eq!(press_all(&mut test, ALL_CELLS), [Finding::AllWork]);
    assert_eq!(press_all(&mut test, ALL_CELLS), []);
    assert!(test.picture(6_000_000, &PLAN).0.iter().all(|&light| light == Colour::GOOD));
}

#[test]
fn the_colours_come_one_after_the_other() {
    let test = begun();
    let shown = [500_000, 1_500_000, 2_500_000, 3_500_000].map(|now| test.picture(now, &PLAN).0[7]);
    assert_eq!(shown, [Colour::BAD, Colour::PURE_GREEN, Colour::PURE_BLUE, Colour::WHITE]);
}

#[test]
fn a_dead_row_or_column_is_told_when_all_other_keys_were_pressed() {
    for line in 0..5 {
        let row = 0b11111 << (5 * line);
        assert_eq!(press_all(&mut begun(), ALL_CELLS & !row), [Finding::DeadRow(line)]);
        let column = 0x10_8421 << line;
        assert_eq!(press_all(&mut begun(), ALL_CELLS & !column), [Finding::DeadColumn(line)]);
        // Not while another key is still to come.
        let other = Cell::at((line + 1) % 5, 2).unwrap().bit();
        assert_eq!(press_all(&mut begun(), ALL_CELLS & !row & !other), []);
    }
    let mut test = begun();
    press_all(&mut test, ALL_CELLS & !0b11111);
    let frame = test.picture(14_000_000, &PLAN);
    assert!(frame.0[..5].iter().all(|&light| light == Colour::BAD));
    assert!(frame.0[5..].iter().all(|&light| light == Colour::GOOD));
}

#[test]
fn two_keys_that_close_together_are_twins() {
    let mut test = begun();
    let (a, b) = (cell(1, 1), cell(1, 2));
    assert_eq!(test.see(5_000_000, a.bit() | b.bit()), Some(Finding::Twins(a, b)));
    assert_eq!(test.picture(6_000_000, &PLAN).0[a.index()], Colour::VIOLET);
}

#[test]
fn a_key_that_never_opens_is_stuck() {
    let stuck = cell(3, 0);
    let mut test = SelfTest::new(0, 1 << CENTRE | stuck.bit());
    test.see(300_000, stuck.bit());
    assert_eq!(test.judge(5_000_000), None);
    assert_eq!(test.judge(9_100_000), Some(Finding::Stuck(stuck)));
    assert_eq!(test.judge(9_200_000), None, "told once");
    assert_eq!(test.picture(10_000_000, &PLAN).0[stuck.index()], Colour::BAD);
}

#[test]
fn it_ends_by_the_menu_command_and_after_three_minutes_with_the_game_untouched() {
    for by_command in [true, false] {
        let mut game = Game::new(0, 1);
        let snapshot = game.snapshot();
        handled(&mut game, 1000, Input::SelfTest(1 << CENTRE));
        handled(&mut game, 2000, tap(cell(0, 0)));
        let put_out = handled(&mut game, 3000, Input::Closed(0b11));
        assert_eq!(put_out.news, [News::Found(Finding::Twins(cell(0, 0), cell(0, 1)))]);
        if by_command {
            handled(&mut game, 5_000_000, command(Command::Menu));
        } else {
            ticked(&mut game, 181_000_000);
        }
        assert_eq!(game.snapshot(), snapshot);
        assert!(!game.state().in_menu());
        assert!(game.deadline(181_000_000).is_some(), "the greeting goes on");
    }
}
