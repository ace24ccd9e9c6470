//! The self-test of the real firmware: on boards as they should be, and on boards with bad joints.

use emulator::{Death, Handheld, Lines, Options};
use lights_out::board::{Board, Cell, Cells};
use lights_out::gesture::Command;
use player::{Device, Player, cell, firmware, limits, ms};

use super::CHIP;
use super::support::{switched_on, with_the_first_level_won};

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
    assert_eq!(player.board().lit(), Cells::ALL);
    assert_eq!(player.told("all 25 keys work"), 1);
    player.command(Command::Menu);
    player.wait(ms(1500));
    assert_ne!(player.board().lit(), Cells::ALL, "back to the game");
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

fn bottom_corners() -> [Cell; 2] {
    Command::Demo.corners().map(|corner| corner.cell())
}

/// Holds the bottom two corners, from now on.
fn hold_bottom_corners(player: &mut Player<Handheld>) {
    bottom_corners().into_iter().for_each(|key| player.press(key));
}

#[test]
fn bottom_corners_held_for_3_s_lead_to_usb_boot() {
    let mut saved = with_the_first_level_won();
    saved.wait(ms(1500));
    let board = saved.board();
    let mut player = in_self_test(Options { flash: Some(saved.device.power_off()), ..Options::default() });
    player.wait(ms(4000));
    hold_bottom_corners(&mut player);
    player.wait(ms(2900));
    assert_eq!(player.device.death(), None);
    let arrow = Board::parse("..#.. ..#.. #.#.# .###. ..#..").unwrap();
    player.expect_board(arrow);
    let started = player.device.run_until(ms(110), |handheld| handheld.death().is_some());
    assert!(started, "{:?}", player.device.logs());
    assert_eq!(player.device.death(), Some(Death::UsbBoot { has_drive: true }));
    assert!(!player.device.led_supply(), "the lights have no supply");
    assert_eq!(player.told("restarts into the bootloader"), 1);
    assert_eq!(player.device.wire_faults(), []);
    // A new firmware comes by the drive; the game is as it was.
    bottom_corners().into_iter().for_each(|key| player.release(key));
    player.device.update(firmware(CHIP));
    player.wait(ms(200));
    player.expect_board(board);
}

#[test]
fn bottom_corners_in_play_lead_to_no_usb_boot() {
    let mut player = switched_on(Options::default());
    player.random_puzzle();
    hold_bottom_corners(&mut player);
    player.wait(ms(10_000));
    assert_eq!(player.device.death(), None);
    assert_eq!(player.device.resets(), []);
    // Nor after the self-test.
    let mut player = in_self_test(Options::default());
    player.wait(ms(4000));
    player.command(Command::Menu);
    player.wait(ms(1500));
    hold_bottom_corners(&mut player);
    player.wait(ms(5000));
    assert_eq!((player.device.death(), player.device.resets().len()), (None, 0));
}
