//! The whole program runs from RAM. After start-up no instruction is fetched from flash, only the storage task reads
//! flash, and never while the flash chip is busy.

use std::time::Duration;

use emulator::{FlashTimes, Handheld, Options};
use flash_image::Chip::{self, Rp2040, Rp2350};
use lights_out::game::modes::ModeKind;
use lights_out::gesture::Command;
use player::{Player, cell, firmware, ms};

use super::support::{IDLE_TIMEOUT, expect_no_faults, full_flash, power_on};

on_each_chip!(only_saves_are_read_from_flash);
fn only_saves_are_read_from_flash(chip: Chip) {
    expect_only_saves_are_read_from_flash(chip, power_on(chip, with_erases(chip)));
}

/// A flash in which every sector for saves has to be erased before use.
pub(crate) fn with_erases(chip: Chip) -> Options {
    let flash_times = FlashTimes { erase: ms(100), ..FlashTimes::default() };
    Options { flash: Some(full_flash(chip)), flash_times, ..Options::default() }
}

/// Plays every mode, saves, erases, sleeps and wakes on a handheld just switched on. Checks what was read from flash.
#[track_caller]
pub(crate) fn expect_only_saves_are_read_from_flash(chip: Chip, mut player: Player<Handheld>) {
    player.wait_for_greeting();
    player.device.watch_flash();
    let operations = player.device.flash().operations();
    play_every_mode(&mut player);
    player.wait(IDLE_TIMEOUT + Duration::from_secs(12));
    assert!(player.device.is_dormant(), "not asleep");
    assert_eq!(
        player.device.powered_down_memories_in_sleep(),
        Some(0),
        "memories with the program must stay on in sleep"
    );
    player.press(cell(2, 2));
    player.wait(ms(100));
    player.release(cell(2, 2));
    player.wait(ms(1000));
    assert!(!player.board().is_dark(), "not awake");

    assert!(player.device.flash().operations() > operations + 20, "too few saves and erases");
    let used = player.device.flash_use().expect("flash is watched");
    assert_eq!(used.fetched, [0u32; 0], "instructions fetched from flash");
    assert_eq!(used.read_in_handlers, [0u32; 0], "flash read by interrupt handlers");
    let read = used.read.clone().expect("sectors are read before they are used");
    let saves = chip.flash().end - 1024 * 1024;
    assert!(*read.start() >= saves, "read outside the saves: {read:x?}");
    expect_no_faults(&player.device);
}

fn play_every_mode(player: &mut Player<Handheld>) {
    player.command(Command::Hint);
    player.solve();
    player.wait(ms(3000));
    for mode in [ModeKind::Random, ModeKind::Create, ModeKind::Tutor, ModeKind::Action, ModeKind::Levels] {
        player.start(mode, &[(4, 4)]);
        player.tap(cell(1, 2));
        player.tap(cell(3, 3));
        player.wait(ms(1200));
    }
    player.command(Command::Demo);
    player.wait(ms(2000));
    player.tap(cell(0, 2));
}

on_each_chip!(stack_limit_is_set_where_core_has_one);
fn stack_limit_is_set_where_core_has_one(chip: Chip) {
    let mut player = power_on(chip, Options::default());
    player.wait_for_greeting();
    let limit = player.device.stack_limit();
    // The stack grows down to the end of the static data.
    let statics = firmware(chip).symbols().iter().filter(|symbol| symbol.address >> 24 == 0x20);
    let end = statics.map(|symbol| symbol.address + symbol.size).max().expect("static data");
    match chip {
        Rp2040 => assert_eq!(limit, 0, "the Cortex-M0+ has no stack limit register"),
        Rp2350 => assert!((end & !7..end + 64).contains(&limit), "limit {limit:#x}, end of static data {end:#x}"),
    }
}
