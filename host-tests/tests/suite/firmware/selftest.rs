//! The self-test of the real firmware: on good boards, and on boards with bad solder joints.

use emulator::{Handheld, MatrixLines, Options, StopReason};
use flash_image::Chip;
use lights_out::board::{Board, Cell, Cells};
use lights_out::gesture::Command;
use player::{Device, Player, cell, firmware, limits, ms};

use super::support::{power_on, power_on_and_win_first_level};

/// Switches on with the centre key held, and releases it when the colours have begun.
fn start_self_test(chip: Chip, options: Options) -> Player<Handheld> {
    let mut player = power_on(chip, options);
    player.hold(&[cell(2, 2)], ms(300));
    player
}

on_each_chip!(self_test_shows_colours_then_keys);
fn self_test_shows_colours_then_keys(chip: Chip) {
    let mut player = start_self_test(chip, Options::default());
    let mut seen = Vec::new();
    for _ in 0..4 {
        let [r, g, b] = player.device.led_colours()[0];
        assert!(player.device.led_colours().iter().all(|&led| led == [r, g, b]), "all LEDs have one colour");
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
        assert!(player.board().is_lit(key), "a key that was seen stays lit");
    }
    assert_eq!(player.board().lit(), Cells::ALL);
    assert_eq!(player.count_logs("all 25 keys work"), 1);
    player.command(Command::Menu);
    player.wait(ms(1500));
    assert_ne!(player.board().lit(), Cells::ALL, "the game is not shown");
    assert_eq!(player.device.resets(), []);
}

on_each_chip!(self_test_finds_dead_row_and_dead_column);
fn self_test_finds_dead_row_and_dead_column(chip: Chip) {
    for (open, words) in [
        (MatrixLines { rows: 1 << 3, columns: 0 }, "row 3 is dead"),
        (MatrixLines { rows: 0, columns: 1 << 1 }, "column 1 is dead"),
    ] {
        let mut player = start_self_test(chip, Options { open, ..Options::default() });
        player.wait(ms(4000));
        Cell::all().for_each(|key| player.tap(key));
        player.wait(ms(4000));
        assert_eq!(player.count_logs(words), 1, "{:?}", player.device.logs());
    }
}

on_each_chip!(self_test_finds_stuck_key_and_short);
fn self_test_finds_stuck_key_and_short(chip: Chip) {
    let mut player = start_self_test(chip, Options::default());
    player.device.press(7);
    player.wait(ms(200));
    player.device.release(7);
    player.wait(ms(4000));
    // Two keys with a short between them.
    player.device.press(16);
    player.device.press(17);
    player.wait(ms(100));
    assert_eq!(player.count_logs("keys 16 and 17 close together"), 1, "{:?}", player.device.logs());

    let mut player = power_on(chip, Options::default());
    player.press(cell(0, 3));
    player.hold(&[cell(2, 2)], ms(300));
    player.wait(ms(10_000));
    assert_eq!(player.count_logs("key 3 is stuck"), 1, "{:?}", player.device.logs());
}

on_each_chip!(other_keys_do_not_start_self_test);
fn other_keys_do_not_start_self_test(chip: Chip) {
    let mut player = power_on(chip, Options::default());
    player.press(cell(0, 3));
    player.wait(ms(3000));
    assert_eq!(player.count_logs("self-test"), 0);
}

fn bottom_corners() -> [Cell; 2] {
    Command::Demo.corners().map(|corner| corner.cell())
}

/// Presses the bottom two corners, and keeps them down.
fn press_bottom_corners(player: &mut Player<Handheld>) {
    bottom_corners().into_iter().for_each(|key| player.press(key));
}

on_each_chip!(bottom_corners_held_for_3_s_start_bootloader);
fn bottom_corners_held_for_3_s_start_bootloader(chip: Chip) {
    let mut saved = power_on_and_win_first_level(chip);
    saved.wait(ms(1500));
    let board = saved.board();
    let mut player = start_self_test(chip, Options { flash: Some(saved.device.power_off()), ..Options::default() });
    player.wait(ms(4000));
    press_bottom_corners(&mut player);
    player.wait(ms(2900));
    assert_eq!(player.device.stop_reason(), None);
    let arrow = Board::parse("..#.. ..#.. #.#.# .###. ..#..").unwrap();
    player.expect_board(arrow);
    let started = player.device.run_until(ms(110), |handheld| handheld.stop_reason().is_some());
    assert!(started, "{:?}", player.device.logs());
    assert_eq!(player.device.stop_reason(), Some(StopReason::UsbBoot { has_drive: true }));
    assert!(!player.device.led_supply(), "the LED supply is on");
    assert_eq!(player.count_logs("restarting into the bootloader"), 1);
    assert_eq!(player.device.wire_faults(), []);
    // An update through the drive keeps the game.
    bottom_corners().into_iter().for_each(|key| player.release(key));
    player.device.update(firmware(chip));
    player.wait(ms(200));
    player.expect_board(board);
}

on_each_chip!(bottom_corners_in_play_start_no_bootloader);
fn bottom_corners_in_play_start_no_bootloader(chip: Chip) {
    let mut player = power_on(chip, Options::default());
    player.start_random_puzzle();
    press_bottom_corners(&mut player);
    player.wait(ms(10_000));
    assert_eq!(player.device.stop_reason(), None);
    assert_eq!(player.device.resets(), []);
    // The same after the self-test has ended.
    let mut player = start_self_test(chip, Options::default());
    player.wait(ms(4000));
    player.command(Command::Menu);
    player.wait(ms(1500));
    press_bottom_corners(&mut player);
    player.wait(ms(5000));
    assert_eq!((player.device.stop_reason(), player.device.resets().len()), (None, 0));
}
