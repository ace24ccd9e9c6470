//! The whole program runs from RAM: after start-up nothing is fetched from flash, and only `storage` reads it, and never while the
//! flash chip is busy.

use std::time::Duration;

use emulator::{FlashTimes, Handheld, Options};
use flash_image::Chip;
use lights_out::game::modes::ModeKind;
use lights_out::gesture::Command;
use player::{Player, cell, firmware, ms};

use super::CHIP;
use super::support::{BEDTIME, expect_nothing_wrong, full_flash, switched_on};

/// The base of the flash's addresses.
const FLASH: u32 = 0x1000_0000;

#[test]
fn flash_is_only_read_by_storage() {
    expect_flash_is_only_read_by_storage(switched_on(with_erases()));
}

/// A handheld whose sectors for saves all have to be erased.
pub fn with_erases() -> Options {
    let flash_times = FlashTimes { erase: ms(100), ..FlashTimes::default() };
    Options { flash: Some(full_flash()), flash_times, ..Options::default() }
}

/// Plays every mode, saves, erases, sleeps and wakes, on a handheld just switched on.
#[track_caller]
pub fn expect_flash_is_only_read_by_storage(mut player: Player<Handheld>) {
    player.after_greeting();
    player.device.watch_flash();
    let operations = player.device.flash().operations();
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
    player.wait(BEDTIME + Duration::from_secs(12));
    assert!(player.device.is_dormant(), "it sleeps");
    assert_eq!(player.device.memories_off_in_sleep(), Some(0), "memories stay on, because the program is in them");
    player.press(cell(2, 2));
    player.wait(ms(100));
    player.release(cell(2, 2));
    player.wait(ms(1000));
    assert!(!player.board().is_dark(), "it is awake");

    assert!(player.device.flash().operations() > operations + 20, "saves and erases are among it");
    let used = player.device.flash_use().expect("it is watched");
    assert_eq!(used.fetched, [0u32; 0], "instructions fetched from flash");
    assert_eq!(used.read_in_handlers, [0u32; 0], "only the thread reads flash");
    let read = used.read.clone().expect("sectors are looked at before they are used");
    let saves = FLASH + CHIP.flash_size() as u32 - 1024 * 1024;
    assert!(*read.start() >= saves, "only saves are read, not {read:x?}");
    expect_nothing_wrong(&player.device);
}

#[test]
fn stack_has_a_limit_where_the_core_knows_one() {
    let mut player = switched_on(Options::default());
    player.after_greeting();
    let limit = player.device.stack_limit();
    // The stack comes down to the end of the statics.
    let statics = firmware(CHIP).symbols().iter().filter(|symbol| symbol.address >> 24 == 0x20);
    let end = statics.map(|symbol| symbol.address + symbol.size).max().expect("some");
    match CHIP {
        Chip::Rp2040 => assert_eq!(limit, 0, "the Cortex-M0+ has no register for it"),
        Chip::Rp2350 => assert!((end & !7..end + 64).contains(&limit), "{limit:#x}, and statics up to {end:#x}"),
    }
}
