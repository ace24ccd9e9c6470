//! The registers that the real firmware accesses in long runs of all its functions. They must agree with the emulator's
//! table of registers: see [`emulator::register_audit`].

use std::collections::BTreeMap;
use std::time::Duration;

use emulator::{
    FlashTimes, Handheld, InjectedFault, Options, PicoBoard, RegisterUse, StopReason, Supply, register_audit,
};
use flash_image::Chip;
use lights_out::game::modes::ModeKind;
use lights_out::gesture::Command;
use lights_out::keys::SLEEP_AFTER;
use player::{Dice, Player, cell, firmware, ms};

use super::support::{EMPTY_BATTERY, full_flash};

/// Switches on, and records register accesses from the first instruction on.
fn power_on_traced(chip: Chip, options: Options) -> Player<Handheld> {
    let mut device = Handheld::power_on(firmware(chip), options);
    device.trace_registers();
    Player::new(device)
}

/// Plays with sound, saves and erases. Then the handheld sleeps and wakes, gets an update, and is reset by a probe.
fn play_sleep_and_wake(chip: Chip) -> Player<Handheld> {
    let flash_times = FlashTimes { erase: ms(45), ..FlashTimes::default() };
    let mut player =
        power_on_traced(chip, Options { flash: Some(full_flash(chip)), flash_times, ..Options::default() });
    player.wait_for_greeting();
    // Switch the sound on in the menu.
    player.command(Command::Menu);
    player.choose(4, 4);
    player.command(Command::Menu);
    player.start(ModeKind::Random, &[]);
    let mut dice = Dice::new(21, 1);
    for _ in 0..10 {
        player.tap(dice.non_winning_key(player.board()));
        player.wait(ms(700));
    }
    assert!(player.device.flash().erases().iter().sum::<u32>() > 0, "no sector was erased in play");
    [Command::Hint, Command::Undo, Command::Menu].into_iter().for_each(|command| player.command(command));
    player.wait(ms(500));
    assert!(!player.device.tones().is_empty(), "no sound was played");
    player.wait(Duration::from_micros(SLEEP_AFTER) + ms(1000));
    assert!(player.device.run_until(Duration::from_secs(60), Handheld::is_dormant), "not asleep");
    player.wait(ms(1000));
    player.tap(cell(3, 3));
    player.wait(ms(1000));
    assert!(player.device.led_supply() && !player.device.is_dormant(), "not awake");
    player.device.update(firmware(chip));
    player.wait(ms(1000));
    player.device.probe_reset();
    player.wait(ms(1000));
    player
}

/// A panic, a fault and a hang, each until the game runs again.
fn crash(chip: Chip) -> Player<Handheld> {
    let mut player = power_on_traced(chip, Options::default());
    player.wait_for_greeting();
    for fault in [InjectedFault::Panic("injected panic"), InjectedFault::Fault, InjectedFault::Hang] {
        assert!(player.device.inject_fault(fault));
        player.wait(ms(5000));
    }
    assert_eq!(player.device.resets().len(), 3);
    player
}

/// A fault in the boot stage.
fn crash_in_boot_stage(chip: Chip) -> Player<Handheld> {
    let options = Options::default();
    let boot_rom = options.boot_rom;
    let mut player = power_on_traced(chip, options);
    player.wait(boot_rom + ms(1));
    assert!(player.device.inject_fault(InjectedFault::Fault));
    player.wait(ms(3000));
    assert_eq!(player.device.resets().len(), 1);
    player
}

/// A battery that gets low and then empty, on this board.
fn drain_battery(chip: Chip, board: PicoBoard) -> Player<Handheld> {
    let battery = |millivolts| Supply::Battery { millivolts, milliohms: 500 };
    let mut player = power_on_traced(chip, Options { supply: battery(4_500), board, ..Options::default() });
    player.wait_for_greeting();
    for millivolts in [4_200, 3_500, 3_000] {
        player.device.set_supply(battery(millivolts));
        player.tap(cell(1, 1));
        player.wait(ms(20_000));
    }
    player
}

/// The self-test, and then the teaching of the wiring.
fn self_test_and_teach(chip: Chip) -> Player<Handheld> {
    let mut player = power_on_traced(chip, Options::default());
    player.press(cell(2, 2));
    player.hold_to_teach(cell(2, 2));
    player.confirm_colours(cell(0, 1));
    player.teach_keys();
    player.expect_taught();
    player.wait(ms(2000));
    player
}

/// Sleep with a stuck key, which keeps a slow clock running; another key wakes.
fn sleep_with_stuck_key(chip: Chip) -> Player<Handheld> {
    let mut player = power_on_traced(chip, Options { supply: EMPTY_BATTERY, ..Options::default() });
    player.wait(ms(100));
    player.press(cell(0, 2));
    assert!(player.device.run_until(ms(4000), |handheld| !handheld.led_supply()), "not asleep");
    player.device.set_supply(Options::default().supply);
    player.wait(ms(3000));
    assert!(!player.device.is_dormant() && player.count_logs("asleep with a key down") == 1);
    player.tap(cell(3, 3));
    player.wait(ms(500));
    assert!(player.device.led_supply() && player.count_logs("waking up") == 1);
    player
}

/// The start of the bootloader from the self-test.
fn start_bootloader(chip: Chip) -> Player<Handheld> {
    let mut player = power_on_traced(chip, Options::default());
    player.hold(&[cell(2, 2)], ms(300));
    player.wait(ms(4000));
    Command::Demo.corners().into_iter().for_each(|corner| player.press(corner.cell()));
    player.wait(ms(3100));
    assert_eq!(player.device.stop_reason(), Some(StopReason::UsbBoot { has_drive: true }));
    player
}

/// The registers that all these runs have accessed.
fn accessed_registers(chip: Chip) -> BTreeMap<u32, RegisterUse> {
    let players = [
        play_sleep_and_wake(chip),
        crash(chip),
        crash_in_boot_stage(chip),
        drain_battery(chip, PicoBoard::Plain),
        drain_battery(chip, PicoBoard::Radio),
        self_test_and_teach(chip),
        sleep_with_stuck_key(chip),
        start_bootloader(chip),
    ];
    let mut all = BTreeMap::<u32, RegisterUse>::new();
    for (address, used) in players.iter().flat_map(|player| player.device.accessed_registers()) {
        let so_far = all.entry(address).or_default();
        so_far.read |= used.read;
        so_far.written |= used.written;
        so_far.by_dma |= used.by_dma;
    }
    all
}

on_each_chip!(register_table_matches_accessed_registers);
fn register_table_matches_accessed_registers(chip: Chip) {
    let accessed = accessed_registers(chip);
    let missing: Vec<_> = accessed
        .iter()
        .filter(|(address, _)| register_audit::find(chip, **address).is_none())
        .map(|(address, used)| format!("{address:#010x} {used:?}"))
        .collect();
    assert!(missing.is_empty(), "not in emulator::register_audit:\n{}", missing.join("\n"));
    let unused: Vec<_> = register_audit::blocks(chip)
        .iter()
        .flat_map(|block| block.registers.iter().map(move |row| (block, row)))
        .flat_map(|(block, row)| [row.at.0, row.at.1].map(|at| (block, row, at)))
        .filter(|(block, _, at)| !accessed.contains_key(&(block.base + at)))
        .map(|(block, row, at)| format!("{} {}: {at:#x}", block.name, row.name))
        .collect();
    assert!(unused.is_empty(), "rows whose first or last register is not accessed:\n{}", unused.join("\n"));
}
