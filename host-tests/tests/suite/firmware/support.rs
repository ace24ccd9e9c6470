//! The real firmware in tests: what must hold after every scenario, and after everything that went wrong.

use std::time::Duration;

use emulator::{Handheld, Options, SECTOR};
use flash_image::Chip;
use lights_out::journal::{Journal, MAX_PAYLOAD};
use lights_out::keys::SLEEP_AFTER;
use lights_out::load::{Loaded, load};
use lights_out::solver::CLASSIC;
use player::mock_flash::MockFlash;
use player::{Player, WIPED, cell, firmware, limits, ms};

use super::CHIP;
use crate::support::long_form;

/// After this time without a key it is asleep, or erases its last sectors before.
pub const BEDTIME: Duration = Duration::from_micros(SLEEP_AFTER + 1_000_000);

/// A player with a handheld just switched on.
pub fn switched_on(options: Options) -> Player<Handheld> {
    Player::new(Handheld::power_on(firmware(CHIP), options))
}

/// The same, with a result to be kept.
pub fn with_the_first_level_won() -> Player<Handheld> {
    let mut player = switched_on(Options::default());
    player.after_greeting();
    player.solve();
    player.wait(ms(300));
    player.tap(cell(2, 2));
    player.wait(WIPED);
    player
}

/// How often a campaign goes round, in its short form and in its long one. Both chips go all the way in the long form; in the short
/// form the second one goes a quarter of it, because what it shares with the first was tried there.
pub fn rounds(short: u32, long: u32) -> u32 {
    match CHIP {
        _ if long_form() => long,
        Chip::Rp2040 => short,
        Chip::Rp2350 => short.div_ceil(4),
    }
}

/// Of a table of cases, each one is tried on the first chip; in the short form each `nth` on the second one.
pub fn step_of_cases(nth: usize) -> usize {
    if CHIP == Chip::Rp2040 || long_form() { 1 } else { nth }
}

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
    assert_eq!(handheld.refused_flash_accesses(), [], "flash read while it was busy");
    assert_eq!(handheld.dead_clocks(), 0, "clocks from sources that do not run");
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

/// Where the ring of saves begins: the last megabyte of the flash is for them, but its first sector counts power-ups.
pub const SAVES: usize = CHIP.flash_size() - 1024 * 1024 + SECTOR;

/// A flash in which no sector for saves is blank, as after hours of play without sleep.
pub fn full_flash() -> Vec<u8> {
    let mut flash = vec![0xFF; CHIP.flash_size()];
    flash[SAVES..].fill(0);
    flash
}

/// A flash with this save in it, and nothing else.
pub fn flash_with(save: &[u8]) -> Vec<u8> {
    flash_with_all(&[save])
}

/// A flash with these saves in it, one after the other.
pub fn flash_with_all(all: &[&[u8]]) -> Vec<u8> {
    let mut saves = MockFlash::new((CHIP.flash_size() - SAVES) / SECTOR);
    let size = saves.size();
    let (mut journal, _) = Journal::open(&mut saves, 0, size, &mut [0; MAX_PAYLOAD]).expect("it is blank");
    all.iter().for_each(|save| journal.append(&mut saves, save).expect("there is room"));
    [vec![0xFF; SAVES], saves.bytes].concat()
}

/// A flash with two saves, of which the second keeps the first.
pub fn flash_keeping(kept: &[u8], save: &[u8]) -> Vec<u8> {
    let mut saves = MockFlash::new((CHIP.flash_size() - SAVES) / SECTOR);
    let size = saves.size();
    let (mut journal, _) = Journal::open(&mut saves, 0, size, &mut [0; MAX_PAYLOAD]).expect("it is blank");
    journal.append(&mut saves, kept).expect("there is room");
    assert!(journal.keep_newest());
    journal.append(&mut saves, save).expect("there is room");
    [vec![0xFF; SAVES], saves.bytes].concat()
}

/// What is in this flash, as this firmware would load it, with the first save that is kept.
pub fn loaded(flash: &[u8]) -> (Loaded, Option<Vec<u8>>) {
    let mut saves = MockFlash::new((CHIP.flash_size() - SAVES) / SECTOR);
    saves.bytes.copy_from_slice(&flash[SAVES..]);
    let (size, mut bytes) = (saves.size(), [0; MAX_PAYLOAD]);
    let loaded = load(&mut saves, 0, size).expect("it can be read");
    let kept = loaded.journal.kept(&mut saves, 0, &mut bytes).expect("it can be read");
    (loaded, kept.map(|length| bytes[..length].to_vec()))
}
