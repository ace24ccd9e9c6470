//! The status line of the game, on the library.

use std::collections::HashSet;

use lights_out::board::Cell;
use lights_out::game::Game;
use lights_out::game::modes::ModeKind;
use lights_out::game::status::Scene;
use player::{CoreDevice, Player, cell};

use crate::scenarios::status::{StatusSource, each_status_scenario};

fn play(scenario: impl FnOnce(&mut Player<CoreDevice>)) {
    scenario(&mut Player::new(CoreDevice::new(7)));
}

each_status_scenario!(play);

#[test]
fn self_test_is_in_the_status() {
    let device = CoreDevice::power_on(Game::new(0, 7), cell(2, 2).bit());
    assert_eq!(device.status(), "status scene=selftest mode=levels number=0 moves=0 par=0 best=0 key=0 puzzle=-");
}

#[test]
fn scene_and_mode_names_are_distinct_single_words() {
    let scenes: HashSet<_> = Scene::ALL.map(Scene::name).into();
    let modes: HashSet<_> = ModeKind::ALL.map(ModeKind::name).into();
    assert_eq!((scenes.len(), modes.len()), (Scene::COUNT, ModeKind::COUNT));
    let is_word = |word: &&str| word.chars().all(|character| character.is_ascii_lowercase());
    assert!(scenes.iter().chain(&modes).all(is_word), "{scenes:?} {modes:?}");
}

#[test]
fn reading_the_status_changes_nothing() {
    let mut player = Player::new(CoreDevice::new(7));
    player.start_random_puzzle();
    for n in 0..20 {
        player.tap(Cell::new(n * 7 % 25).expect("a cell"));
        let (now, copy) = (player.device.now, player.device.game.clone());
        assert_eq!(copy.status(now), copy.status(now));
        assert_eq!(copy.snapshot(), player.device.game.snapshot());
        assert_eq!(copy.draw(now), player.device.game.draw(now));
    }
}
