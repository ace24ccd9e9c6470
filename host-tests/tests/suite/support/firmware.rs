//! The real firmware in tests: what must hold after every scenario, and after everything that went wrong.

use lights_out::solver::CLASSIC;
use test_player::{Player, cell, limits, ms, switched_on};
use virtual_handheld::{Handheld, Options};

/// Plays a scenario on a handheld, and then sees that nothing went wrong behind the player's back.
pub fn play(scenario: impl FnOnce(&mut Player<Handheld>)) {
    let mut player = switched_on(Options::default());
    scenario(&mut player);
    expect_nothing_wrong(&player.device);
}

/// What no light shows, and must not have happened, whatever was played.
#[track_caller]
pub fn expect_nothing_wrong(handheld: &Handheld) {
    assert_eq!(handheld.wire_faults(), [], "every frame is whole, in time, and after a silence");
    assert_eq!(handheld.resets(), [], "restarts");
    assert_eq!(handheld.row_conflicts(), 0, "rows driven against each other");
    assert_eq!(handheld.unsafe_flash_operations(), 0, "flash written with interrupts on");
    let current = handheld.frame().map_or(0.0, |frame| frame.milliamps());
    assert!(current <= limits::CURRENT as f32, "{current} mA");
}

/// Whatever happened: there is a board that can be solved, and it answers to a key.
#[track_caller]
pub fn expect_a_playable_game(player: &mut Player<Handheld>) {
    player.wait(ms(1500));
    let board = player.board();
    assert!(CLASSIC.par(board).is_some_and(|par| par > 0), "{board}");
    player.tap(cell(2, 2));
    player.expect_board(CLASSIC.press(board, cell(2, 2)));
}

/// How often it was told that nothing was found in the flash to go on with.
pub fn fresh_starts(player: &Player<Handheld>) -> usize {
    player.told("fresh start") + player.told("nothing was")
}
