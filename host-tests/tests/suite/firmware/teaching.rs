//! The real firmware on boards that are built anyhow: taught through its pins, and what it learned is obeyed by everything.
//! A dozen of them, all tests together; `LIGHTS_OUT_LONG=1` teaches a thousand.

use std::time::Duration;

use emulator::{FlashTimes, Handheld, Lines, Mishap, Options, PowerCut, SECTOR};
use lights_out::board::{Board, Cell};
use lights_out::game::Game;
use lights_out::layout::{Layout, LedPosition, Lights};
use lights_out::level_boards;
use lights_out::picture::wire::ColourOrder;
use lights_out::save::Save;
use player::{Device, Dice, Player, TEACH_PRESSES, cell, ms};

use super::erases::each_tap_in_an_erase_is_a_move;
use super::support::{SAVES, expect_nothing_wrong, flash_with, fresh_starts, rounds, switched_on};
use crate::saves::corpus_of;
use crate::support::long_form;

/// The picture of a crash.
const RED_X: &str = "#...# .#.#. ..#.. .#.#. #...#";

/// Switches on with a key held, and goes on to the teaching.
fn in_teaching(options: Options, key: Cell) -> Player<Handheld> {
    let mut player = switched_on(options);
    player.press(key);
    player.hold_to_teach(key);
    assert_eq!(player.told("teaching"), 2, "its begin, and the scene: {:?}", player.device.logs());
    player
}

/// A board with a save in which all is learned.
fn taught(layout: Layout) -> Options {
    let save = Save::of(&Game::new_on(layout, 0, 1).snapshot()).expect("it fits");
    Options { layout, flash: Some(flash_with(save.bytes())), ..Options::default() }
}

#[test]
fn boards_built_anyhow_are_taught_and_play() {
    let mut dice = Dice::new(14, 2);
    for n in 0..rounds(8, 1000) {
        let options = Options { layout: dice.layout(), diodes: n % 2 == 0, ..Options::default() };
        let mut player = in_teaching(options.clone(), dice.key());
        player.tell_colours(dice.key());
        player.teach_keys();
        player.expect_taught();
        player.wait(ms(800));
        player.expect_board(level_boards::board(0).expect("the first level"));
        player.expect_it_plays(2, &mut dice);
        let board = player.board();
        expect_nothing_wrong(&player.device);
        player.wait(ms(700));
        let mut player = switched_on(Options { flash: Some(player.device.power_off()), ..options });
        player.wait(ms(60));
        player.expect_board(board);
        player.expect_it_plays(2, &mut dice);
    }
}

#[test]
fn a_key_twice_and_two_at_once_are_refused_and_it_is_given_up_with_all_as_it_was() {
    let mut player = in_teaching(Options::default(), cell(3, 1));
    player.ignore_colours();
    let first = player.asked_key(0);
    assert_eq!(first, cell(0, 0));
    player.tap_quickly(first);
    let second = player.asked_key(1);
    assert_eq!(second, cell(0, 1), "the next of the chain");
    player.tap_quickly(first);
    player.expect_refused();
    player.press(second);
    player.press(cell(4, 4));
    player.wait(ms(20));
    player.expect_refused();
    player.release(second);
    player.release(cell(4, 4));
    player.wait(ms(50));
    assert_eq!(player.asked_key(1), second, "it asks again");
    player.wait(Duration::from_secs(29));
    assert_eq!(player.asking_light(), Some(second), "with patience");
    player.wait(Duration::from_secs(2));
    assert_eq!(player.told("given up"), 1);
    player.wait(ms(800));
    player.expect_board(level_boards::board(0).expect("the first level"));
    player.expect_it_plays(2, &mut Dice::new(1, 1));
    assert_eq!(player.told("learned"), 0);
    expect_nothing_wrong(&player.device);
}

#[test]
fn nobody_meets_it_by_accident() {
    // A child that holds a key for less than five seconds.
    let mut player = switched_on(Options::default());
    player.hold(&[cell(1, 3)], ms(4700));
    player.expect_it_plays(2, &mut Dice::new(1, 2));
    assert_eq!(player.told("teaching"), 0);
    // A key that is stuck.
    let mut player = switched_on(Options::default());
    player.press(cell(1, 3));
    player.wait(ms(1500));
    player.expect_nothing_for(ms(6000));
    assert_eq!(player.told("teaching"), 0);
}

#[test]
fn the_self_test_leads_on_to_it_when_its_key_stays_down() {
    let mut player = switched_on(Options::default());
    player.press(cell(2, 2));
    player.wait(ms(4500));
    assert_eq!(player.told("self-test"), 1);
    player.expect_board(Board::of(cell(2, 2).bit()));
    player.wait(ms(1000));
    player.release(cell(2, 2));
    player.wait(ms(100));
    assert_eq!(player.colour(), Some([true, false, false]), "the colours again");
    player.ignore_colours();
    player.wait(Duration::from_secs(30));
    assert!(player.told("given up") == 1 && !player.board().is_dark());
}

#[test]
fn a_cut_at_the_end_leaves_the_old_or_the_new_layout_and_it_can_be_taught_again() {
    let mut dice = Dice::new(14, 3);
    let layout = dice.layout();
    let (mut old, mut new) = (0, 0);
    for round in 0..if long_form() { 40 } else { 2 } {
        let mut player = in_teaching(Options { layout, ..Options::default() }, dice.key());
        player.tell_colours(dice.key());
        (0..TEACH_PRESSES - 1).for_each(|pressed| player.teach_key(pressed));
        // What was pressed so far is saved by now; it is not to count.
        player.wait(ms(700));
        player.device.cut_power(if round % 2 == 0 {
            // The record is torn: it takes about a third of its page.
            PowerCut::Operation { after: 0, fraction: f64::from(dice.below(300)) / 1000.0, seed: dice.seed() }
        } else {
            PowerCut::At { time: player.device.now() + ms(u64::from(400 + dice.below(800))), seed: dice.seed() }
        });
        player.teach_key(TEACH_PRESSES - 1);
        player.wait(ms(1200));
        assert!(player.device.death().is_some());
        let mut player = switched_on(Options { layout, flash: Some(player.device.power_off()), ..Options::default() });
        player.wait(ms(60));
        assert_eq!((fresh_starts(&player), player.told("where it was learned")), (0, 1), "{:?}", player.device.logs());
        if player.board() == level_boards::board(0).expect("the first level") {
            new += 1;
            player.expect_it_plays(2, &mut dice);
        } else {
            // The colours are told since before; all keys and lights are as they were.
            old += 1;
            let lights = Cell::all().zip(LedPosition::all());
            let lit = lights.filter(|(_, led)| player.board().is_lit(layout.lights.map.cell_of_led(*led)));
            assert_eq!(Some(Board::of(lit.map(|(cell, _)| cell).collect())), level_boards::board(0));
        }
    }
    println!("{old} kept the old layout, {new} the new one");
    assert!(old > 0 && new > 0);
}

#[test]
fn teaching_it_again_undoes_it() {
    let mut dice = Dice::new(14, 4);
    // It was taught, and then somebody wired it by the plan.
    let wrong = Options { layout: Layout::REFERENCE, ..taught(dice.layout()) };
    let mut player = in_teaching(wrong, dice.key());
    player.tell_colours(dice.key());
    player.teach_keys();
    player.expect_taught();
    player.wait(ms(1500));
    let mut player = switched_on(Options { flash: Some(player.device.power_off()), ..Options::default() });
    player.wait(ms(60));
    assert_eq!(player.told("by the plan"), 1, "{:?}", player.device.logs());
    player.expect_it_plays(2, &mut dice);
}

#[test]
fn a_board_with_an_older_save_is_taught_and_keeps_its_game() {
    let mut dice = Dice::new(14, 5);
    let layout = dice.layout();
    // A game of Random.
    let flash = Some(flash_with(&corpus_of(2)[1]));
    let mut by_the_plan = switched_on(Options { flash: flash.clone(), ..Options::default() });
    by_the_plan.wait(ms(60));
    let mut player = in_teaching(Options { layout, flash, ..Options::default() }, dice.key());
    player.tell_colours(dice.key());
    player.teach_keys();
    player.expect_taught();
    player.expect_board(by_the_plan.board());
    assert_eq!(fresh_starts(&player), 0);
}

#[test]
fn the_red_x_sleep_and_a_fresh_game_after_crashes_obey_what_was_learned() {
    let mut dice = Dice::new(14, 6);
    let mut player = switched_on(taught(dice.layout()));
    player.wait(ms(60));
    player.expect_it_plays(2, &mut dice);
    let board = player.board();
    player.wait(Duration::from_secs(200));
    assert!(player.device.is_dormant());
    player.tap(dice.key());
    player.expect_board(board);
    for _ in 0..3 {
        assert!(player.device.inflict(Mishap::Fault));
        player.wait(ms(100));
        assert_eq!(player.board(), Board::parse(RED_X).expect("25 of them"));
        assert!(player.device.frame().expect("a frame").leds.iter().all(|led| led.g == 0 && led.b == 0), "red");
        player.wait(ms(3500));
    }
    assert_eq!(player.told("three crashes"), 1);
    player.expect_board(level_boards::board(0).expect("the first level"));
    player.expect_it_plays(2, &mut dice);
}

#[test]
fn a_tap_while_a_sector_is_erased_is_a_move_where_it_was_learned() {
    let mut options = taught(Dice::new(14, 8).layout());
    // No sector is blank but the one with the save.
    let flash = options.flash.as_mut().expect("a flash");
    flash[SAVES + SECTOR..].fill(0);
    let flash_times = FlashTimes { erase: ms(100), ..FlashTimes::default() };
    let mut player = switched_on(Options { flash_times, ..options });
    player.random_puzzle();
    each_tap_in_an_erase_is_a_move(&mut player);
}

#[test]
fn the_self_test_finds_the_colours_and_shows_keys_and_dead_wires_where_they_are() {
    let mut dice = Dice::new(14, 7);
    let layout = dice.layout();
    let (centre, dead) = (cell(2, 2), (layout.keys.contact_of_cell(cell(2, 2)).row() + 1) % 5);
    // The places are learned, the colours are not: somebody has put in other LEDs.
    let colours = ColourOrder::ALL[(layout.lights.colours as usize + 3) % 6];
    let knows = Layout { lights: Lights { colours, ..layout.lights }, ..layout };
    let open = Lines { rows: 1 << dead, columns: 0 };
    let mut player = switched_on(Options { layout, open, ..taught(knows) });
    player.hold(&[centre], ms(300));
    player.tell_colours(cell(2, 1));
    player.wait(ms(100));
    player.tap(centre);
    let [red, green, blue] = player.device.picture()[centre.index()];
    assert!(green > red && green > blue, "it works, in green: {red} {green} {blue}");
    Cell::all().for_each(|key| player.tap_quickly(key));
    player.wait(ms(5500));
    assert_eq!(player.told(&format!("row {dead} is dead")), 1, "{:?}", player.device.logs());
    let picture = player.device.picture();
    for key in Cell::all() {
        let [red, green, blue] = picture[key.index()];
        let is_dead = layout.keys.contact_of_cell(key).row() == dead;
        assert!(if is_dead { red > 0 && green == 0 } else { green > red }, "{key:?}: {red} {green} {blue}");
    }
    // The colours are kept.
    let mut player = switched_on(Options { layout, flash: Some(player.device.power_off()), ..Options::default() });
    player.wait(ms(60));
    player.expect_it_plays(2, &mut dice);
}
