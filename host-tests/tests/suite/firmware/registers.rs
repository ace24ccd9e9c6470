//! Which registers the real firmware touches in long runs with everything in them. They and the emulator's table of
//! registers must agree: see [`emulator::register_audit`].

use std::collections::BTreeMap;
use std::time::Duration;

use emulator::{Death, FlashTimes, Handheld, Mishap, Options, PicoBoard, RegisterUse, Supply, register_audit};
use lights_out::game::modes::ModeKind;
use lights_out::gesture::Command;
use lights_out::keys::SLEEP_AFTER;
use player::{Dice, Player, cell, firmware, ms};

use super::CHIP;
use super::support::full_flash;

/// A player with a handheld just switched on, from its first instruction on under watch.
fn watched(options: Options) -> Player<Handheld> {
    let mut device = Handheld::power_on(firmware(CHIP), options);
    device.trace_registers();
    Player::new(device)
}

/// Plays with sound, saves, and sectors that have to be erased; sleeps, wakes, is updated and reset by a probe.
fn play_sleep_and_wake() -> Player<Handheld> {
    let flash_times = FlashTimes { erase: ms(45), ..FlashTimes::default() };
    let mut player = watched(Options { flash: Some(full_flash()), flash_times, ..Options::default() });
    player.after_greeting();
    // Sound is switched on in the menu.
    player.command(Command::Menu);
    player.choose(4, 4);
    player.command(Command::Menu);
    player.start(ModeKind::Random, &[]);
    let mut dice = Dice::new(21, 1);
    for _ in 0..10 {
        player.tap(dice.harmless_key(player.board()));
        player.wait(ms(700));
    }
    assert!(player.device.flash().erases().iter().sum::<u32>() > 0, "sectors were erased in play");
    [Command::Hint, Command::Undo, Command::Menu].into_iter().for_each(|command| player.command(command));
    player.wait(ms(500));
    assert!(!player.device.tones().is_empty(), "there was sound");
    player.wait(Duration::from_micros(SLEEP_AFTER) + ms(1000));
    assert!(player.device.run_until(Duration::from_secs(60), Handheld::is_dormant), "it sleeps");
    player.wait(ms(1000));
    player.tap(cell(3, 3));
    player.wait(ms(1000));
    assert!(player.device.led_supply() && !player.device.is_dormant(), "it is awake");
    player.device.update(firmware(CHIP));
    player.wait(ms(1000));
    player.device.probe_reset();
    player.wait(ms(1000));
    player
}

/// Panics, faults and hangs, each to its end.
fn fail() -> Player<Handheld> {
    let mut player = watched(Options::default());
    player.after_greeting();
    for mishap in [Mishap::Panic("for the record"), Mishap::Fault, Mishap::Hang] {
        assert!(player.device.inflict(mishap));
        player.wait(ms(5000));
    }
    assert_eq!(player.device.resets().len(), 3);
    player
}

/// A fault in the boot stage.
fn fail_at_once() -> Player<Handheld> {
    let options = Options::default();
    let boot_rom = options.boot_rom;
    let mut player = watched(options);
    player.wait(boot_rom + ms(1));
    assert!(player.device.inflict(Mishap::Fault));
    player.wait(ms(3000));
    assert_eq!(player.device.resets().len(), 1);
    player
}

/// Cells that get low and empty, on this board.
fn run_out(board: PicoBoard) -> Player<Handheld> {
    let cells = |millivolts| Supply::Cells { millivolts, milliohms: 500 };
    let mut player = watched(Options { supply: cells(4_500), board, ..Options::default() });
    player.after_greeting();
    for millivolts in [4_200, 3_500, 3_000] {
        player.device.set_supply(cells(millivolts));
        player.tap(cell(1, 1));
        player.wait(ms(20_000));
    }
    player
}

/// The self-test, and from there what a maker teaches.
fn test_and_teach() -> Player<Handheld> {
    let mut player = watched(Options::default());
    player.press(cell(2, 2));
    player.hold_to_teach(cell(2, 2));
    player.tell_colours(cell(0, 1));
    player.teach_keys();
    player.expect_taught();
    player.wait(ms(2000));
    player
}

/// A key is stuck when it falls asleep, so that it dozes with a slow clock; another key wakes it.
fn doze() -> Player<Handheld> {
    let empty = Supply::Cells { millivolts: 3_150, milliohms: 1_500 };
    let mut player = watched(Options { supply: empty, ..Options::default() });
    player.wait(ms(100));
    player.press(cell(0, 2));
    assert!(player.device.run_until(ms(4000), |handheld| !handheld.led_supply()), "it sleeps");
    player.device.set_supply(Options::default().supply);
    player.wait(ms(3000));
    assert!(!player.device.is_dormant() && player.told("sleeps: a key is down") == 1);
    player.tap(cell(3, 3));
    player.wait(ms(500));
    assert!(player.device.led_supply() && player.told("wakes") == 1);
    player
}

/// The bootloader, from the self-test.
fn start_bootloader() -> Player<Handheld> {
    let mut player = watched(Options::default());
    player.hold(&[cell(2, 2)], ms(300));
    player.wait(ms(4000));
    Command::Demo.corners().into_iter().for_each(|corner| player.press(corner.cell()));
    player.wait(ms(3100));
    assert_eq!(player.device.death(), Some(Death::UsbBoot { has_drive: true }));
    player
}

/// All of it, and what it has touched.
fn touched() -> BTreeMap<u32, RegisterUse> {
    let players = [
        play_sleep_and_wake(),
        fail(),
        fail_at_once(),
        run_out(PicoBoard::Plain),
        run_out(PicoBoard::Radio),
        test_and_teach(),
        doze(),
        start_bootloader(),
    ];
    let mut all = BTreeMap::<u32, RegisterUse>::new();
    for (address, used) in players.iter().flat_map(|player| player.device.touched_registers()) {
        let so_far = all.entry(address).or_default();
        so_far.read |= used.read;
        so_far.written |= used.written;
        so_far.by_dma |= used.by_dma;
    }
    all
}

#[test]
fn the_table_has_what_is_touched_and_nothing_else() {
    let touched = touched();
    let missing: Vec<_> = touched
        .iter()
        .filter(|(address, _)| register_audit::find(CHIP, **address).is_none())
        .map(|(address, used)| format!("{address:#010x} {used:?}"))
        .collect();
    assert!(missing.is_empty(), "not in emulator::register_audit:\n{}", missing.join("\n"));
    let idle: Vec<_> = register_audit::blocks(CHIP)
        .iter()
        .flat_map(|block| block.registers.iter().map(move |row| (block, row)))
        .flat_map(|(block, row)| [row.at.0, row.at.1].map(|at| (block, row, at)))
        .filter(|(block, _, at)| !touched.contains_key(&(block.base + at)))
        .map(|(block, row, at)| format!("{} {}: {at:#x}", block.name, row.name))
        .collect();
    assert!(idle.is_empty(), "rows whose first or last register is not touched:\n{}", idle.join("\n"));
}
