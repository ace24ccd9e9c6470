//! The real firmware when something goes wrong before its first picture: a fault, a panic or a hang at any instruction from its first one
//! on, and a crystal that takes its time. It ends in the red X, or where no LED can be driven yet in a restart, and then in a game.
//!
//! The boot ROM and, on the RP2040, the second-stage loader are not ours and are over when these tests begin to count.

use std::time::Duration;

use emulator::{Frame, Handheld, Mishap, Options};
use lights_out::board::Board;
use player::{Dice, Player, limits, ms};

use super::support::{expect_a_playable_game, rounds, switched_on};

/// The picture of a crash.
const RED_X: &str = "#...# .#.#. ..#.. .#.#. #...#";
/// Whatever went wrong is over after this: the longest time that the RP2040's watchdog can count to is 8.4 s.
const OVER: Duration = Duration::from_secs(9);
/// Cycles, at 6.5 or 11 MHz, that the firmware has to get the watchdog going. A hang before that is for ever.
const UNGUARDED: u64 = 200;
/// A player waits no longer than this for a start that went wrong once.
const PATIENCE: Duration = Duration::from_secs(4);

/// The cycles of the firmware's first instruction and of the end of its first frame.
fn start_up() -> (u64, u64) {
    let options = Options::default();
    let boot_rom = options.boot_rom;
    let mut player = switched_on(options);
    player.wait(boot_rom);
    let first = player.device.effort().cycles;
    assert!(player.device.run_to_next_frame(ms(500)).is_some(), "it starts when nothing goes wrong");
    (first, player.device.effort().cycles)
}

/// Cycles of start-up at which something goes wrong: its first instructions, then ever farther apart, and some at random, as many early as
/// late ones. (A cycle at the crystal's speed takes ten times as long as one of the PLL, so even steps would leave out most of the time.)
fn moments(dice: &mut Dice, from: u64, to: u64, count: u32) -> Vec<u64> {
    let length = to - from;
    let steps = (0..).map(|n: i32| (1.35_f64.powi(n)) as u64).take_while(|&step| step < length);
    let mut moments: Vec<u64> = steps.map(|step| from + step).collect();
    moments.dedup();
    // Every so many of them, if there are more than asked for.
    let every = moments.len().div_ceil(count as usize);
    let mut chosen: Vec<u64> = moments.into_iter().step_by(every).collect();
    for _ in 0..count / 2 {
        let magnitude = f64::from(dice.below(1_000_000)) / 1_000_000.0;
        chosen.push(from + (length as f64).powf(magnitude) as u64);
        chosen.push(from + u64::from(dice.below(1_000_000)) * length / 1_000_000);
    }
    chosen
}

/// A handheld that has run to a cycle of its first start.
fn started_to(cycle: u64) -> Player<Handheld> {
    let mut player = switched_on(Options::default());
    player.device.record_frames();
    player.device.run_to_cycle(cycle);
    player
}

/// What followed after something went wrong.
#[derive(Debug)]
struct Aftermath {
    has_shown_x: bool,
    has_locked_up: bool,
    /// From what went wrong to the first reset.
    reset_after: Option<Duration>,
}

/// Waits for the reset, and plays.
fn aftermath(player: &mut Player<Handheld>) -> Aftermath {
    let began = player.device.now();
    player.device.run_until(OVER, |handheld| !handheld.resets().is_empty());
    let cross = Board::parse(RED_X).expect("25 of them").bits();
    let is_cross = |frame: &Frame| frame.lit() == cross && frame.leds.iter().all(|led| led.g == 0 && led.b == 0);
    Aftermath {
        has_shown_x: player.device.take_frames().iter().any(is_cross),
        has_locked_up: player.device.has_locked_up(),
        reset_after: player.device.resets().first().map(|reset| reset.at - began),
    }
}

/// Lets it happen at many moments of start-up. Reports all that ends badly, not only the first.
fn goes_wrong_at_any_moment(mishap: Mishap<'_>, stream: u64, unguarded: u64) {
    let (first, end) = start_up();
    let mut dice = Dice::new(500, stream);
    let (mut bad, mut crosses, mut restarts, mut impossible) = (Vec::new(), 0, 0, 0);
    for cycle in moments(&mut dice, first + unguarded, end, rounds(24, 300)) {
        let mut player = started_to(cycle);
        let (at, has_supply) = (player.device.now(), player.device.led_supply());
        if !player.device.inflict(mishap) {
            // No panic can be called where its function is not in memory yet; no mishap can hit a core that waits for its flash.
            impossible += 1;
            continue;
        }
        let after = aftermath(&mut player);
        // A hang draws nothing. All else does, once the LEDs have their supply.
        let is_seen = after.has_shown_x || !has_supply || mishap == Mishap::Hang;
        let is_over = after.reset_after.is_some_and(|time| time <= PATIENCE);
        if after.has_locked_up || !is_seen || !is_over {
            bad.push(format!("cycle {} ({at:?}, LED supply {has_supply}): {after:?}", cycle - first));
            continue;
        }
        crosses += u32::from(after.has_shown_x);
        restarts += u32::from(!after.has_shown_x);
        expect_a_playable_game(&mut player);
        assert_eq!(player.device.resets().len(), 1, "one restart, {mishap:?} in cycle {}", cycle - first);
    }
    println!("{mishap:?}: {crosses} red X, {restarts} restarts without, {impossible} impossible, {} bad", bad.len());
    assert!(bad.is_empty(), "{mishap:?} of {} cycles: {bad:#?}", end - first);
    assert!(crosses + restarts >= rounds(24, 300) / 3, "many of them could happen");
}

#[test]
fn a_fault_in_start_up_ends_in_a_cross_or_a_restart() {
    goes_wrong_at_any_moment(Mishap::Fault, 50, 0);
}

/// Also between the two steps in which embassy-rp takes the lock of critical sections, where the handler's own would wait for ever.
#[test]
fn no_cycle_behind_the_supply_switch_swallows_a_fault() {
    let (first, end) = start_up();
    let mut player = started_to(first);
    while !player.device.led_supply() {
        let next = player.device.effort().cycles + 1;
        player.device.run_to_cycle(next);
    }
    let switched_on = player.device.effort().cycles;
    assert!(switched_on < end);
    for cycle in (switched_on..).take(rounds(120, 2000) as usize) {
        let mut player = started_to(cycle);
        assert!(player.device.inflict(Mishap::Fault));
        let is_restarted_at_once = |player: &Player<Handheld>| player.device.now() < ms(100);
        assert!(aftermath(&mut player).has_shown_x || is_restarted_at_once(&player), "cycle {}", cycle - first);
    }
}

#[test]
fn a_panic_in_start_up_ends_in_a_cross_or_a_restart() {
    goes_wrong_at_any_moment(Mishap::Panic("too early"), 51, 0);
}

#[test]
fn a_hang_in_start_up_is_ended_by_the_watchdog() {
    goes_wrong_at_any_moment(Mishap::Hang, 52, UNGUARDED);
}

#[test]
fn a_slow_crystal_only_makes_it_late() {
    for start in [2, 20, 200, 1000] {
        let mut player = switched_on(Options { crystal_start: ms(start), ..Options::default() });
        let frame = player.device.run_to_next_frame(ms(start) + PATIENCE).unwrap_or_else(|| {
            panic!("{start} ms: no frame; resets: {:?}", player.device.resets());
        });
        let (late, resets) = (frame.ended, player.device.resets().len());
        println!("a crystal that takes {start} ms: first light after {late:?}, {resets} restarts");
        assert_eq!(resets, 0, "{start} ms are waited for");
        if start <= 20 {
            assert!(late <= limits::START + ms(start) + ms(1), "{start} ms: {late:?}");
        }
        expect_a_playable_game(&mut player);
        assert_eq!(player.told("three crashes"), 0, "{start} ms");
    }
}

#[test]
fn a_crystal_that_fails_to_start_is_tried_again() {
    for failures in 1..=4 {
        let mut player = switched_on(Options { crystal_failures: failures, ..Options::default() });
        let frame = player.device.run_to_next_frame(PATIENCE * (failures + 1));
        let frame = frame.unwrap_or_else(|| {
            panic!("{failures} failures: no frame; resets: {:?}", player.device.resets());
        });
        println!("{failures} failures of the crystal: first light after {:?}", frame.ended);
        expect_a_playable_game(&mut player);
        assert_eq!(player.told("three crashes"), 0, "the game is not to blame");
    }
}

#[test]
fn a_crystal_that_never_starts_is_tried_for_ever() {
    let mut player = switched_on(Options { crystal_failures: u32::MAX, ..Options::default() });
    for _ in 0..4 {
        let before = player.device.reset_count();
        player.wait(PATIENCE);
        assert!(player.device.reset_count() > before, "the watchdog ends each try");
    }
    assert_eq!(player.device.frames(), 0);
    assert!(!player.device.has_locked_up());
}
