//! The log of the real firmware. The web page parses these lines, so they are an interface.

use emulator::{Handheld, Options};
use flash_image::Chip;
use lights_out::gesture::Command;
use player::{Player, cell, ms, us};

use super::support::{self, power_cycle, power_on};
use crate::scenarios::status::{StatusSource, each_status_scenario};

fn lines_from<'a>(player: &'a Player<Handheld>, beginning: &'a str) -> impl Iterator<Item = &'a str> {
    player.device.logs().iter().map(|line| line.text.as_str()).filter(move |text| text.starts_with(beginning))
}

/// Plays a scenario, and checks that no status was logged twice in a row.
fn play(chip: Chip, scenario: impl FnOnce(&mut Player<Handheld>)) {
    support::play(chip, |player| {
        scenario(player);
        for beginning in ["status ", "choices "] {
            let lines: Vec<_> = lines_from(player, beginning).collect();
            assert!(lines.windows(2).all(|pair| pair[0] != pair[1]), "logged twice: {lines:#?}");
        }
    });
}

each_status_scenario!(play on each chip);

on_each_chip!(self_test_is_in_status);
fn self_test_is_in_status(chip: Chip) {
    let mut player = power_on(chip, Options::default());
    player.hold(&[cell(2, 2)], ms(300));
    assert_eq!(
        player.device.status(),
        "status scene=selftest mode=levels number=0 moves=0 par=0 best=0 key=0 puzzle=-"
    );
}

on_each_chip!(status_is_logged_once_after_power_cut);
fn status_is_logged_once_after_power_cut(chip: Chip) {
    let mut player = power_on(chip, Options::default());
    player.start_random_puzzle();
    player.tap(cell(2, 2));
    player.wait(ms(2000));
    let (status, choices) = (player.device.status(), player.device.choices());
    let mut player = power_cycle(chip, player);
    player.wait(ms(100));
    assert_eq!(lines_from(&player, "status ").collect::<Vec<_>>(), [status]);
    assert_eq!(lines_from(&player, "choices ").collect::<Vec<_>>(), [choices]);
}

on_each_chip!(game_events_are_logged);
fn game_events_are_logged(chip: Chip) {
    support::play(chip, |player| {
        player.start_random_puzzle();
        assert_eq!(player.count_logs("mode random starts"), 1);
        let (code, par) = logged_puzzle(player);
        assert_eq!(player.count_logs(&format!("new board {code}, par {par}")), 1);
        player.command(Command::Next);
        let (next, par) = logged_puzzle(player);
        assert_ne!(code, next);
        assert_eq!(player.count_logs(&format!("new board {next}, par {par}")), 1);
        player.tap(cell(2, 2));
        player.command(Command::Restart);
        player.command(Command::Undo);
        assert_eq!((player.count_logs("undid the restart"), player.count_logs("undid key")), (1, 0));
        player.command(Command::Undo);
        assert_eq!((player.count_logs("undid the restart"), player.count_logs("undid key 13")), (1, 1));
        assert_eq!(player.device.refusals(), 0);
        player.command(Command::Restart);
        assert_eq!(player.device.refusals(), 1, "a restart without a move before it");
    });
}

/// The code and the par in the status.
fn logged_puzzle(player: &Player<Handheld>) -> (String, String) {
    let status = player.device.status();
    let word = |name: &str| {
        status.split(' ').find_map(|word| word.strip_prefix(name)).expect("a status with this word").to_string()
    };
    (word("puzzle="), word("par="))
}

on_each_chip!(last_status_is_right_after_fast_keys);
fn last_status_is_right_after_fast_keys(chip: Chip) {
    support::play(chip, |player| {
        player.start_random_puzzle();
        // No four keys are the corners of a rectangle: such keys could include a ghost and would be ambiguous.
        let keys = [cell(0, 1), cell(1, 2), cell(2, 3), cell(3, 1), cell(4, 4)];
        for key in &keys {
            player.press(*key);
            player.wait(us(50));
        }
        player.wait(ms(50));
        for key in &keys {
            player.release(*key);
        }
        player.wait(ms(100));
        let moves = format!(" moves={} ", keys.len());
        assert!(player.device.status().contains(&moves), "{}", player.device.status());
    });
}
