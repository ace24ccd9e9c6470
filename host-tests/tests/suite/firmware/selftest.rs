//! The self-test of the real firmware: on boards as they should be, and on boards with bad joints.

use lights_out::board::{ALL_CELLS, Cell};
use lights_out::gesture::Command;
use test_player::{Device, Player, cell, limits, ms};
use virtual_handheld::{Handheld, Lines, Options};

use super::support::switched_on;

/// Switches on with the centre key held, and lets go after the colours began.
fn in_self_test(options: Options) -> Player<Handheld> {
    let mut player = switched_on(options);
    player.hold(&[cell(2, 2)], ms(300));
    player
}

#[test]
fn it_shows_the_colours_within_the_cap_and_then_the_keys() {
    let mut player = in_self_test(Options::default());
    let mut seen = Vec::new();
    for _ in 0..4 {
        let [r, g, b] = player.device.picture()[0];
        assert!(player.device.picture().iter().all(|&led| led == [r, g, b]), "all alike");
        assert!(player.device.frame().unwrap().milliamps() <= limits::CURRENT as f32);
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
    assert_eq!(player.told("all 25 keys work"), 1);
    player.command(Command::Menu);
    player.wait(ms(1500));
    assert_ne!(player.board().bits(), ALL_CELLS, "back to the game");
    assert_eq!(player.device.resets(), []);
}

#[test]
fn it_finds_a_dead_row_and_a_dead_column() {
    for (open, words) in [
        (Lines { rows: 1 << 3, columns: 0 }, "row 3 is dead"),
        (Lines { rows: 0, columns: 1 << 1 }, "column 1 is dead"),
    ] {
        let mut player = in_self_test(Options { open, ..Options::default() });
        player.wait(ms(4000));
        Cell::all().for_each(|key| player.tap(key));
        player.wait(ms(4000));
        assert_eq!(player.told(words), 1, "{:?}", player.device.logs());
    }
}

#[test]
fn it_finds_a_stuck_key_and_a_short() {
    let mut player = in_self_test(Options::default());
    player.device.press(7);
    player.wait(ms(200));
    player.device.release(7);
    player.wait(ms(4000));
    // Two keys that are soldered together.
    player.device.press(16);
    player.device.press(17);
    player.wait(ms(100));
    assert_eq!(player.told("keys 16 and 17 close together"), 1, "{:?}", player.device.logs());

    let mut player = switched_on(Options::default());
    player.press(cell(0, 3));
    player.hold(&[cell(2, 2)], ms(300));
    player.wait(ms(10_000));
    assert_eq!(player.told("key 3 is stuck"), 1, "{:?}", player.device.logs());
}

#[test]
fn without_the_centre_key_there_is_no_self_test() {
    let mut player = switched_on(Options::default());
    player.press(cell(0, 3));
    player.wait(ms(3000));
    assert_eq!(player.told("self-test"), 0);
}
