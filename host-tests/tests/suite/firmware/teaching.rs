//! The real firmware on boards with a random wiring: it is taught through its pins, and then everything uses the
//! learned layout. `LIGHTS_OUT_LONG=1` teaches a thousand boards.

use std::time::Duration;

use emulator::{FlashTimes, Handheld, InjectedFault, MatrixLines, Options, PowerCut, SECTOR};
use flash_image::Chip;
use lights_out::board::{Board, Cell};
use lights_out::display::wire::ColourOrder;
use lights_out::game::Game;
use lights_out::layout::{Layout, LedLayout, LedPosition};
use lights_out::level_boards;
use lights_out::save::Save;
use player::{Device, Dice, Player, TEACH_PRESSES, cell, ms};

use super::erases::expect_taps_during_erases_are_moves;
use super::support::{
    expect_no_faults, expect_red_cross, flash_with_save, fresh_starts, power_cycle, power_on, rounds, saves_offset,
};
use crate::saves::corpus_of;
use crate::support::is_long_campaign;

/// Switches on, and holds a key until the teaching begins.
fn start_teaching(chip: Chip, options: Options, key: Cell) -> Player<Handheld> {
    let mut player = power_on(chip, options);
    player.press(key);
    player.hold_to_teach(key);
    assert_eq!(player.count_logs("teaching"), 2, "the event and the status: {:?}", player.device.logs());
    player
}

/// A board with this layout, and a save that contains the layout.
fn with_saved_layout(chip: Chip, layout: Layout) -> Options {
    let save = Save::of(&Game::with_layout(layout, 0, 1).snapshot()).expect("a save of legal size");
    Options { layout, flash: Some(flash_with_save(chip, save.bytes())), ..Options::default() }
}

on_each_chip!(boards_with_random_wiring_are_taught_and_play);
fn boards_with_random_wiring_are_taught_and_play(chip: Chip) {
    let mut dice = Dice::new(14, 2);
    for n in 0..rounds(chip, 8, 1000) {
        let options = Options { layout: dice.layout(), diodes: n % 2 == 0, ..Options::default() };
        let mut player = start_teaching(chip, options.clone(), dice.key());
        player.confirm_colours(dice.key());
        player.teach_keys();
        player.expect_taught();
        player.wait(ms(800));
        player.expect_board(level_boards::board(0).expect("the first level"));
        player.expect_moves_work(2, &mut dice);
        let board = player.board();
        expect_no_faults(&player.device);
        player.wait(ms(700));
        let mut player = power_on(chip, Options { flash: Some(player.device.power_off()), ..options });
        player.wait(ms(60));
        player.expect_board(board);
        player.expect_moves_work(2, &mut dice);
    }
}

on_each_chip!(wrong_presses_are_refused_and_timeout_keeps_layout);
fn wrong_presses_are_refused_and_timeout_keeps_layout(chip: Chip) {
    let mut player = start_teaching(chip, Options::default(), cell(3, 1));
    player.skip_colours();
    let first = player.requested_key(0);
    assert_eq!(first, cell(0, 0));
    player.tap_briefly(first);
    let second = player.requested_key(1);
    assert_eq!(second, cell(0, 1), "the next LED of the chain");
    player.tap_briefly(first);
    player.expect_refused();
    player.press(second);
    player.press(cell(4, 4));
    player.wait(ms(20));
    player.expect_refused();
    player.release(second);
    player.release(cell(4, 4));
    player.wait(ms(50));
    assert_eq!(player.requested_key(1), second, "the same key is requested again");
    player.wait(Duration::from_secs(29));
    assert_eq!(player.requested_light(), Some(second), "before the timeout");
    player.wait(Duration::from_secs(2));
    assert_eq!(player.count_logs("timed out: the layout is unchanged"), 1);
    player.wait(ms(800));
    player.expect_board(level_boards::board(0).expect("the first level"));
    player.expect_moves_work(2, &mut Dice::new(1, 1));
    assert_eq!(player.count_logs("learned"), 0);
    expect_no_faults(&player.device);
}

on_each_chip!(teaching_does_not_start_by_accident);
fn teaching_does_not_start_by_accident(chip: Chip) {
    // A key held for less than five seconds.
    let mut player = power_on(chip, Options::default());
    player.hold(&[cell(1, 3)], ms(4700));
    player.expect_moves_work(2, &mut Dice::new(1, 2));
    assert_eq!(player.count_logs("teaching"), 0);
    // A key that is stuck.
    let mut player = power_on(chip, Options::default());
    player.press(cell(1, 3));
    player.wait(ms(1500));
    player.expect_nothing_for(ms(6000));
    assert_eq!(player.count_logs("teaching"), 0);
}

on_each_chip!(self_test_key_held_longer_starts_teaching);
fn self_test_key_held_longer_starts_teaching(chip: Chip) {
    let mut player = power_on(chip, Options::default());
    player.press(cell(2, 2));
    player.wait(ms(4500));
    assert_eq!(player.count_logs("self-test"), 1);
    player.expect_board(Board::of(cell(2, 2).bit()));
    player.wait(ms(1000));
    player.release(cell(2, 2));
    player.wait(ms(100));
    assert_eq!(player.colour(), Some([true, false, false]), "the colours of the teaching");
    player.skip_colours();
    player.wait(Duration::from_secs(30));
    assert!(player.count_logs("timed out: the layout is unchanged") == 1 && !player.board().is_dark());
}

on_each_chip!(power_cut_at_end_leaves_old_or_new_layout);
fn power_cut_at_end_leaves_old_or_new_layout(chip: Chip) {
    let mut dice = Dice::new(14, 3);
    let layout = dice.layout();
    let (mut old, mut new) = (0, 0);
    for round in 0..if is_long_campaign() { 40 } else { 2 } {
        let mut player = start_teaching(chip, Options { layout, ..Options::default() }, dice.key());
        player.confirm_colours(dice.key());
        (0..TEACH_PRESSES - 1).for_each(|pressed| player.teach_key(pressed));
        // Wait for the save of the presses so far, so that the cut hits the save of the layout.
        player.wait(ms(700));
        player.device.cut_power(if round % 2 == 0 {
            // A torn write: the record takes about a third of its page.
            PowerCut::Operation { after: 0, fraction: f64::from(dice.below(300)) / 1000.0, seed: dice.seed() }
        } else {
            PowerCut::At { time: player.device.now() + ms(u64::from(400 + dice.below(800))), seed: dice.seed() }
        });
        player.teach_key(TEACH_PRESSES - 1);
        player.wait(ms(1200));
        assert!(player.device.stop_reason().is_some());
        let mut player =
            power_on(chip, Options { layout, flash: Some(player.device.power_off()), ..Options::default() });
        player.wait(ms(60));
        assert_eq!((fresh_starts(&player), player.count_logs("layout: taught")), (0, 1), "{:?}", player.device.logs());
        if player.board() == level_boards::board(0).expect("the first level") {
            new += 1;
            player.expect_moves_work(2, &mut dice);
        } else {
            // The colours were saved before. Keys and lights have the old layout.
            old += 1;
            let lights = Cell::all().zip(LedPosition::all());
            let lit = lights.filter(|(_, led)| player.board().is_lit(layout.leds.map.cell_of_led(*led)));
            assert_eq!(Some(Board::of(lit.map(|(cell, _)| cell).collect())), level_boards::board(0));
        }
    }
    println!("{old} power cuts left the old layout, {new} the new one");
    assert!(old > 0 && new > 0);
}

on_each_chip!(second_teaching_replaces_the_first);
fn second_teaching_replaces_the_first(chip: Chip) {
    let mut dice = Dice::new(14, 4);
    // A board that was taught a random layout, and was then rewired to the reference layout.
    let wrong = Options { layout: Layout::REFERENCE, ..with_saved_layout(chip, dice.layout()) };
    let mut player = start_teaching(chip, wrong, dice.key());
    player.confirm_colours(dice.key());
    player.teach_keys();
    player.expect_taught();
    player.wait(ms(1500));
    let mut player = power_cycle(chip, player);
    player.wait(ms(60));
    assert_eq!(player.count_logs("layout: reference"), 1, "{:?}", player.device.logs());
    player.expect_moves_work(2, &mut dice);
}

on_each_chip!(teaching_with_older_save_keeps_game);
fn teaching_with_older_save_keeps_game(chip: Chip) {
    let mut dice = Dice::new(14, 5);
    let layout = dice.layout();
    // A game in the mode Random.
    let flash = Some(flash_with_save(chip, &corpus_of(2)[1]));
    let mut reference = power_on(chip, Options { flash: flash.clone(), ..Options::default() });
    reference.wait(ms(60));
    let mut player = start_teaching(chip, Options { layout, flash, ..Options::default() }, dice.key());
    player.confirm_colours(dice.key());
    player.teach_keys();
    player.expect_taught();
    player.expect_board(reference.board());
    assert_eq!(fresh_starts(&player), 0);
}

on_each_chip!(crash_sleep_and_fresh_game_use_learned_layout);
fn crash_sleep_and_fresh_game_use_learned_layout(chip: Chip) {
    let mut dice = Dice::new(14, 6);
    let mut player = power_on(chip, with_saved_layout(chip, dice.layout()));
    player.wait(ms(60));
    player.expect_moves_work(2, &mut dice);
    let board = player.board();
    player.wait(Duration::from_secs(200));
    assert!(player.device.is_dormant());
    player.tap(dice.key());
    player.expect_board(board);
    for _ in 0..3 {
        assert!(player.device.inject_fault(InjectedFault::Fault));
        player.wait(ms(100));
        expect_red_cross(&player);
        player.wait(ms(3500));
    }
    assert_eq!(player.count_logs("three crashes"), 1);
    player.expect_board(level_boards::board(0).expect("the first level"));
    player.expect_moves_work(2, &mut dice);
}

on_each_chip!(tap_during_erase_uses_learned_layout);
fn tap_during_erase_uses_learned_layout(chip: Chip) {
    let mut options = with_saved_layout(chip, Dice::new(14, 8).layout());
    // No sector is blank, and the first one has the save.
    let flash = options.flash.as_mut().expect("a flash");
    flash[saves_offset(chip) + SECTOR..].fill(0);
    let flash_times = FlashTimes { erase: ms(100), ..FlashTimes::default() };
    let mut player = power_on(chip, Options { flash_times, ..options });
    player.start_random_puzzle();
    expect_taps_during_erases_are_moves(&mut player);
}

on_each_chip!(self_test_uses_learned_layout_and_asks_for_colours);
fn self_test_uses_learned_layout_and_asks_for_colours(chip: Chip) {
    let mut dice = Dice::new(14, 7);
    let layout = dice.layout();
    let (centre, dead) = (cell(2, 2), (layout.keys.contact_of_cell(cell(2, 2)).row() + 1) % 5);
    // The saved positions are right. The saved colour order is wrong, as after a replacement of the LEDs.
    let colours = ColourOrder::ALL[(layout.leds.colours as usize + 3) % 6];
    let saved = Layout { leds: LedLayout { colours, ..layout.leds }, ..layout };
    let open = MatrixLines { rows: 1 << dead, columns: 0 };
    let mut player = power_on(chip, Options { layout, open, ..with_saved_layout(chip, saved) });
    player.hold(&[centre], ms(300));
    player.confirm_colours(cell(2, 1));
    player.wait(ms(100));
    player.tap(centre);
    let [red, green, blue] = player.device.led_colours()[centre.index()];
    assert!(green > red && green > blue, "a key that works is green: {red} {green} {blue}");
    Cell::all().for_each(|key| player.tap_briefly(key));
    player.wait(ms(5500));
    assert_eq!(player.count_logs(&format!("row {dead} is dead")), 1, "{:?}", player.device.logs());
    let shown = player.device.led_colours();
    for key in Cell::all() {
        let [red, green, blue] = shown[key.index()];
        let is_dead = layout.keys.contact_of_cell(key).row() == dead;
        assert!(if is_dead { red > 0 && green == 0 } else { green > red }, "{key:?}: {red} {green} {blue}");
    }
    // The colours were saved.
    let mut player = power_on(chip, Options { layout, flash: Some(player.device.power_off()), ..Options::default() });
    player.wait(ms(60));
    player.expect_moves_work(2, &mut dice);
}
