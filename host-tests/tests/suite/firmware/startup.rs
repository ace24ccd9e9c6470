//! The real firmware with faults during start-up: a fault, a panic or a hang at any instruction from the first one on,
//! and a slow crystal. The red cross is shown, or the firmware restarts immediately if the LEDs cannot be driven yet.
//! Then the game starts.
//!
//! Cycles are counted from the first instruction of the firmware, after the boot ROM and the RP2040's second-stage
//! bootloader.

use std::time::Duration;

use emulator::{Frame, Handheld, InjectedFault, Options};
use flash_image::Chip;
use player::{Dice, Player, limits, ms};

use super::support::{expect_playable_game, power_on, red_cross, rounds};

/// Longer than the longest timeout of the RP2040's watchdog, which is 8.4 s.
const WATCHDOG_TIMEOUT: Duration = Duration::from_secs(9);
/// Cycles, at 6.5 or 11 MHz, within which the firmware starts the watchdog. A hang before that is permanent.
const UNGUARDED: u64 = 200;
/// The longest allowed time from a fault to the restart.
const RESTART_LIMIT: Duration = Duration::from_secs(4);

/// The cycles of the first instruction and of the end of the first frame.
fn start_up_cycles(chip: Chip) -> (u64, u64) {
    let options = Options::default();
    let boot_rom = options.boot_rom;
    let mut player = power_on(chip, options);
    player.wait(boot_rom);
    let first = player.device.cycle_counts().cycles;
    assert!(player.device.run_to_next_frame(ms(500)).is_some(), "no frame without a fault");
    (first, player.device.cycle_counts().cycles)
}

/// Cycles of start-up at which a fault is injected: the first instructions, then at growing distances, and random ones,
/// as many early as late. (A cycle of the crystal takes ten times as long as a cycle of the PLL, so equal steps would
/// skip most of the time.)
fn fault_cycles(dice: &mut Dice, from: u64, to: u64, count: u32) -> Vec<u64> {
    let length = to - from;
    let steps = (0..).map(|n: i32| (1.35_f64.powi(n)) as u64).take_while(|&step| step < length);
    let mut cycles: Vec<u64> = steps.map(|step| from + step).collect();
    cycles.dedup();
    // Skip some of them if there are more than `count`.
    let every = cycles.len().div_ceil(count as usize);
    let mut chosen: Vec<u64> = cycles.into_iter().step_by(every).collect();
    for _ in 0..count / 2 {
        let magnitude = f64::from(dice.below(1_000_000)) / 1_000_000.0;
        chosen.push(from + (length as f64).powf(magnitude) as u64);
        chosen.push(from + u64::from(dice.below(1_000_000)) * length / 1_000_000);
    }
    chosen
}

/// Switches on, and runs to a cycle of start-up.
fn run_to_cycle(chip: Chip, cycle: u64) -> Player<Handheld> {
    let mut player = power_on(chip, Options::default());
    player.device.record_frames();
    player.device.run_to_cycle(cycle);
    player
}

/// What followed an injected fault.
#[derive(Debug)]
struct Aftermath {
    has_shown_cross: bool,
    has_locked_up: bool,
    /// The time from the fault to the first reset.
    reset_after: Option<Duration>,
}

/// Waits for the reset.
fn wait_for_reset(player: &mut Player<Handheld>) -> Aftermath {
    let began = player.device.now();
    player.device.run_until(WATCHDOG_TIMEOUT, |handheld| !handheld.resets().is_empty());
    let cross = red_cross().bits();
    let is_cross = |frame: &Frame| frame.lit() == cross && frame.leds.iter().all(|led| led.g == 0 && led.b == 0);
    Aftermath {
        has_shown_cross: player.device.take_frames().iter().any(is_cross),
        has_locked_up: player.device.has_locked_up(),
        reset_after: player.device.resets().first().map(|reset| reset.at - began),
    }
}

/// Injects a fault at many cycles of start-up, from cycle `unguarded` on. Reports all bad outcomes, not only the first.
fn expect_recovery_in_start_up(chip: Chip, fault: InjectedFault<'_>, stream: u64, unguarded: u64) {
    let (first, end) = start_up_cycles(chip);
    let mut dice = Dice::new(500, stream);
    let (mut bad, mut crosses, mut restarts, mut impossible) = (Vec::new(), 0, 0, 0);
    for cycle in fault_cycles(&mut dice, first + unguarded, end, rounds(chip, 24, 300)) {
        let mut player = run_to_cycle(chip, cycle);
        let (at, has_supply) = (player.device.now(), player.device.led_supply());
        if !player.device.inject_fault(fault) {
            // A panic is impossible while its function is not in memory yet, and any fault while the core waits for the
            // flash.
            impossible += 1;
            continue;
        }
        let after = wait_for_reset(&mut player);
        // A hang draws nothing. Other faults show the cross once the LEDs have their supply.
        let is_seen = after.has_shown_cross || !has_supply || fault == InjectedFault::Hang;
        let is_over = after.reset_after.is_some_and(|time| time <= RESTART_LIMIT);
        if after.has_locked_up || !is_seen || !is_over {
            bad.push(format!("cycle {} ({at:?}, LED supply {has_supply}): {after:?}", cycle - first));
            continue;
        }
        crosses += u32::from(after.has_shown_cross);
        restarts += u32::from(!after.has_shown_cross);
        expect_playable_game(&mut player);
        assert_eq!(player.device.resets().len(), 1, "more than one reset, {fault:?} in cycle {}", cycle - first);
    }
    println!(
        "{fault:?}: {crosses} red crosses, {restarts} restarts without, {impossible} impossible, {} bad",
        bad.len()
    );
    assert!(bad.is_empty(), "{fault:?} in {} cycles of start-up: {bad:#?}", end - first);
    assert!(crosses + restarts >= rounds(chip, 24, 300) / 3, "too few faults were possible");
}

on_each_chip!(fault_in_start_up_shows_cross_or_restarts);
fn fault_in_start_up_shows_cross_or_restarts(chip: Chip) {
    expect_recovery_in_start_up(chip, InjectedFault::Fault, 50, 0);
}

on_each_chip!(no_fault_is_hidden_after_led_supply_is_on);
/// This covers the cycles in which embassy-rp takes the lock of its critical section: there, a fault handler that takes
/// the lock again would cause a deadlock.
fn no_fault_is_hidden_after_led_supply_is_on(chip: Chip) {
    let (first, end) = start_up_cycles(chip);
    let mut player = run_to_cycle(chip, first);
    while !player.device.led_supply() {
        let next = player.device.cycle_counts().cycles + 1;
        player.device.run_to_cycle(next);
    }
    let power_on = player.device.cycle_counts().cycles;
    assert!(power_on < end);
    for cycle in (power_on..).take(rounds(chip, 120, 2000) as usize) {
        let mut player = run_to_cycle(chip, cycle);
        assert!(player.device.inject_fault(InjectedFault::Fault));
        let is_reset_at_once = |player: &Player<Handheld>| player.device.now() < ms(100);
        assert!(wait_for_reset(&mut player).has_shown_cross || is_reset_at_once(&player), "cycle {}", cycle - first);
    }
}

on_each_chip!(panic_in_start_up_shows_cross_or_restarts);
fn panic_in_start_up_shows_cross_or_restarts(chip: Chip) {
    expect_recovery_in_start_up(chip, InjectedFault::Panic("too early"), 51, 0);
}

on_each_chip!(hang_in_start_up_ends_in_watchdog_reset);
fn hang_in_start_up_ends_in_watchdog_reset(chip: Chip) {
    expect_recovery_in_start_up(chip, InjectedFault::Hang, 52, UNGUARDED);
}

on_each_chip!(slow_crystal_delays_first_frame_only);
fn slow_crystal_delays_first_frame_only(chip: Chip) {
    for start in [2, 20, 200, 1000] {
        let mut player = power_on(chip, Options { crystal_start: ms(start), ..Options::default() });
        let frame = player.device.run_to_next_frame(ms(start) + RESTART_LIMIT).unwrap_or_else(|| {
            panic!("{start} ms: no frame; resets: {:?}", player.device.resets());
        });
        let (late, resets) = (frame.ended, player.device.resets().len());
        println!("crystal start {start} ms: first frame after {late:?}, {resets} resets");
        assert_eq!(resets, 0, "resets with a crystal start of {start} ms");
        if start <= 20 {
            assert!(late <= limits::START + ms(start) + ms(1), "{start} ms: {late:?}");
        }
        expect_playable_game(&mut player);
        assert_eq!(player.count_logs("three crashes"), 0, "{start} ms");
    }
}

on_each_chip!(failed_crystal_start_is_retried);
fn failed_crystal_start_is_retried(chip: Chip) {
    for failures in 1..=4 {
        let mut player = power_on(chip, Options { crystal_failures: failures, ..Options::default() });
        let frame = player.device.run_to_next_frame(RESTART_LIMIT * (failures + 1));
        let frame = frame.unwrap_or_else(|| {
            panic!("{failures} failures: no frame; resets: {:?}", player.device.resets());
        });
        println!("{failures} failed crystal starts: first frame after {:?}", frame.ended);
        expect_playable_game(&mut player);
        assert_eq!(player.count_logs("three crashes"), 0, "failed crystal starts were counted as crashes");
    }
}

on_each_chip!(dead_crystal_is_retried_without_end);
fn dead_crystal_is_retried_without_end(chip: Chip) {
    let mut player = power_on(chip, Options { crystal_failures: u32::MAX, ..Options::default() });
    for _ in 0..4 {
        let before = player.device.reset_count();
        player.wait(RESTART_LIMIT);
        assert!(player.device.reset_count() > before, "no watchdog reset");
    }
    assert_eq!(player.device.frames(), 0);
    assert!(!player.device.has_locked_up());
}
