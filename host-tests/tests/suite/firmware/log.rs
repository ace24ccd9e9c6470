//! What the real firmware tells in its log of what is going on. Others read these lines: they are an interface.

use emulator::{Handheld, Options};
use lights_out::gesture::Command;
use player::{Player, cell, ms, us};

use super::support::{self, switched_on};
use crate::scenarios::status::{Teller, each_status_scenario};

fn lines<'a>(player: &'a Player<Handheld>, beginning: &'a str) -> impl Iterator<Item = &'a str> {
    player.device.logs().iter().map(|line| line.text.as_str()).filter(move |text| text.starts_with(beginning))
}

/// Plays a scenario, and sees that nothing was told twice.
fn play(scenario: impl FnOnce(&mut Player<Handheld>)) {
    support::play(|player| {
        scenario(player);
        for beginning in ["status ", "choices "] {
            let told: Vec<_> = lines(player, beginning).collect();
            assert!(told.windows(2).all(|pair| pair[0] != pair[1]), "told twice: {told:#?}");
        }
    });
}

each_status_scenario!(play);

#[test]
fn the_self_test_is_told() {
    let mut player = switched_on(Options::default());
    player.hold(&[cell(2, 2)], ms(300));
    assert_eq!(
        player.device.status(),
        "status scene=selftest mode=levels number=0 moves=0 par=0 best=0 key=0 puzzle=-"
    );
}

#[test]
fn a_game_that_goes_on_after_a_power_cut_is_told_at_once() {
    let mut player = switched_on(Options::default());
    player.random_puzzle();
    player.tap(cell(2, 2));
    player.wait(ms(2000));
    let (status, choices) = (player.device.status(), player.device.choices());
    let mut player = switched_on(Options { flash: Some(player.device.power_off()), ..Options::default() });
    player.wait(ms(100));
    assert_eq!(lines(&player, "status ").collect::<Vec<_>>(), [status]);
    assert_eq!(lines(&player, "choices ").collect::<Vec<_>>(), [choices]);
}

#[test]
fn what_happens_is_told_in_words() {
    support::play(|player| {
        player.random_puzzle();
        assert_eq!(player.told("mode random starts"), 1);
        let (code, par) = told_puzzle(player);
        assert_eq!(player.told(&format!("a board is dealt: {code}, par {par}")), 1);
        player.command(Command::Next);
        let (next, par) = told_puzzle(player);
        assert_ne!(code, next);
        assert_eq!(player.told(&format!("a board is dealt: {next}, par {par}")), 1);
        player.tap(cell(2, 2));
        player.command(Command::Restart);
        player.command(Command::Undo);
        assert_eq!((player.told("took back the restart"), player.told("took back key")), (1, 0));
        player.command(Command::Undo);
        assert_eq!((player.told("took back the restart"), player.told("took back key 13")), (1, 1));
        assert_eq!(player.device.refusals(), 0);
        player.command(Command::Restart);
        assert_eq!(player.device.refusals(), 1, "nothing is left to take back");
    });
}

/// Code and par as the status has them.
fn told_puzzle(player: &Player<Handheld>) -> (String, String) {
    let status = player.device.status();
    let word = |name: &str| status.split(' ').find_map(|word| word.strip_prefix(name)).expect("it is told").to_string();
    (word("puzzle="), word("par="))
}

/// However fast keys come: the last thing told is how it is.
#[test]
fn after_a_flurry_of_keys_the_last_line_is_right() {
    support::play(|player| {
        player.random_puzzle();
        // No four of them are the corners of a rectangle: that would be doubtful, because a ghost looks like it.
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
