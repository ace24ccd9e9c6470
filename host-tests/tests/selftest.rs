//! The self-test for makers: what each bad joint looks like, on the library and on the real firmware.

mod common;

use common::elf_device::{ElfDevice, firmware};
use common::words::{Device, Player, cell, ms};
use lights_out::board::{ALL_CELLS, Cell};
use lights_out::game::{Game, News};
use lights_out::gesture::{Command, Input};
use lights_out::picture::Colour;
use lights_out::selftest::{Finding, SelfTest};
use virtual_handheld::{Handheld, Lines, Options};

const CENTRE: usize = 12;

/// Presses and releases every key of a mask; gives what was found on the way.
fn press_all(test: &mut SelfTest, keys: u32) -> Vec<Finding> {
    let mut found = Vec::new();
    for key in Cell::of_mask(keys) {
        found.extend(test.keys(10_000_000, key.bit()));
        found.extend(test.keys(10_100_000, 0));
        found.extend(test.tick(10_200_000));
    }
    // The maker has stopped pressing.
    found.extend(test.tick(13_500_000));
    found.extend(test.tick(13_600_000));
    found
}

fn begun() -> SelfTest {
    let mut test = SelfTest::new(0, 1 << CENTRE);
    assert_eq!(test.keys(300_000, 0), None);
    test
}

#[test]
fn a_good_board_is_told_once_when_every_key_was_pressed() {
    let mut test = begun();
    assert_eq!(press_all(&mut test, ALL_CELLS), [Finding::AllWork]);
    assert_eq!(press_all(&mut test, ALL_CELLS), []);
    assert!(test.draw(6_000_000).0.iter().all(|&light| light == Colour::GOOD));
}

#[test]
fn the_colours_come_one_after_the_other() {
    let test = begun();
    let shown = [500_000, 1_500_000, 2_500_000, 3_500_000].map(|now| test.draw(now).0[7]);
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
    let frame = test.draw(14_000_000);
    assert!(frame.0[..5].iter().all(|&light| light == Colour::BAD));
    assert!(frame.0[5..].iter().all(|&light| light == Colour::GOOD));
}

#[test]
fn two_keys_that_close_together_are_twins() {
    let mut test = begun();
    let (a, b) = (cell(1, 1), cell(1, 2));
    assert_eq!(test.keys(5_000_000, a.bit() | b.bit()), Some(Finding::Twins(a, b)));
    assert_eq!(test.draw(6_000_000).0[a.index()], Colour::VIOLET);
}

#[test]
fn a_key_that_never_opens_is_stuck() {
    let stuck = cell(3, 0);
    let mut test = SelfTest::new(0, 1 << CENTRE | stuck.bit());
    test.keys(300_000, stuck.bit());
    assert_eq!(test.tick(5_000_000), None);
    assert_eq!(test.tick(9_100_000), Some(Finding::Stuck(stuck)));
    assert_eq!(test.tick(9_200_000), None, "told once");
    assert_eq!(test.draw(10_000_000).0[stuck.index()], Colour::BAD);
}

#[test]
fn it_ends_by_the_menu_command_and_after_three_minutes_with_the_game_untouched() {
    for by_command in [true, false] {
        let mut game = Game::new(0, 1);
        let snapshot = game.snapshot();
        game.handle(1000, Input::SelfTest(1 << CENTRE));
        game.handle(2000, Input::Tap(cell(0, 0)));
        let effects = game.handle(3000, Input::Keys(0b11));
        assert_eq!(effects.news, Some(News::Found(Finding::Twins(cell(0, 0), cell(0, 1)))));
        if by_command {
            game.handle(5_000_000, Input::Command(Command::Menu));
        } else {
            game.tick(181_000_000);
        }
        assert_eq!(game.snapshot(), snapshot);
        assert!(!game.state().in_menu());
        assert!(game.deadline(181_000_000).is_some(), "the greeting goes on");
    }
}

/// Switches on with the centre key held, and lets go after the colours began.
fn in_self_test(options: Options) -> Player<ElfDevice> {
    let mut handheld = Handheld::power_on(firmware(), options);
    handheld.press(CENTRE);
    handheld.run_for(ms(300));
    handheld.release(CENTRE);
    Player(ElfDevice(handheld))
}

fn told(player: &Player<ElfDevice>, words: &str) -> usize {
    player.0.0.logs().iter().filter(|line| line.text.contains(words)).count()
}

#[test]
fn the_real_firmware_shows_the_colours_within_the_cap_and_then_the_keys() {
    let mut player = in_self_test(Options::default());
    let mut seen = Vec::new();
    for _ in 0..4 {
        let [r, g, b] = player.0.picture()[0];
        assert!(player.0.picture().iter().all(|&led| led == [r, g, b]), "all alike");
        assert!(player.0.0.frame().unwrap().milliamps() <= 400.0);
        seen.push([r > 0, g > 0, b > 0]);
        player.wait(ms(1000));
    }
    assert_eq!(seen, [[true, false, false], [false, true, false], [false, false, true], [true, true, true]]);
    assert!(player.board().is_dark());
    for key in Cell::all() {
        player.press(key);
        player.wait(ms(30));
        assert!(player.board().is_lit(key));
        player.release(key);
        player.wait(ms(30));
        assert!(player.board().is_lit(key), "it stays lit: it was seen");
    }
    assert_eq!(player.board().bits(), ALL_CELLS);
    assert_eq!(told(&player, "all 25 keys work"), 1);
    player.command(Command::Menu);
    player.wait(ms(1500));
    assert_ne!(player.board().bits(), ALL_CELLS, "back to the game");
    assert_eq!(player.0.0.resets(), []);
}

#[test]
fn the_real_firmware_finds_a_dead_row_and_a_dead_column() {
    for (open, words) in [
        (Lines { rows: 1 << 3, columns: 0 }, "row 3 is dead"),
        (Lines { rows: 0, columns: 1 << 1 }, "column 1 is dead"),
    ] {
        let mut player = in_self_test(Options { open, ..Options::default() });
        player.wait(ms(4000));
        Cell::all().for_each(|key| player.tap(key));
        player.wait(ms(4000));
        assert_eq!(told(&player, words), 1, "{:?}", player.0.0.logs());
    }
}

#[test]
fn the_real_firmware_finds_a_stuck_key_and_a_short() {
    let mut player = in_self_test(Options::default());
    player.0.0.press(7);
    player.wait(ms(200));
    player.0.0.release(7);
    player.wait(ms(4000));
    // Two keys that are soldered together.
    player.0.0.press(16);
    player.0.0.press(17);
    player.wait(ms(100));
    assert_eq!(told(&player, "keys 16 and 17 close together"), 1, "{:?}", player.0.0.logs());

    let mut handheld = Handheld::power_on(firmware(), Options::default());
    handheld.press(CENTRE);
    handheld.press(3);
    handheld.run_for(ms(300));
    handheld.release(CENTRE);
    handheld.run_for(ms(10_000));
    assert!(handheld.logs().iter().any(|line| line.text.contains("key 3 is stuck")), "{:?}", handheld.logs());
}

#[test]
fn without_the_centre_key_there_is_no_self_test() {
    let mut handheld = Handheld::power_on(firmware(), Options::default());
    handheld.press(3);
    handheld.run_for(ms(3000));
    assert!(handheld.logs().iter().all(|line| !line.text.contains("self-test")));
}
