//! How fast the real firmware is: emulated time and cycles, which do not depend on the machine that runs the test. What is
//! promised stands in `player::limits`; `cargo measure` judges longer runs by the same.

use std::time::Duration;

use super::support::switched_on;
use emulator::Options;
use lights_out::board::Board;
use lights_out::gesture::Command;
use lights_out::solver::CLASSIC;
use player::{Dice, cell, limits, ms, us};

#[test]
fn a_thousand_bouncing_presses_are_a_thousand_moves_and_each_is_seen_at_once() {
    let mut dice = Dice::new(2, 5);
    let mut player = switched_on(Options::default());
    let mut board = player.random_puzzle();
    let mut latencies: Vec<Duration> = Vec::new();
    for n in 0..1000 {
        player.wait(us(dice.below(5000).into()));
        let key = dice.harmless_key(board);
        let contact = player.tap_bouncing(key, &mut dice);
        board = CLASSIC.press(board, key);
        let frame = player.device.run_to_next_frame(ms(20)).unwrap_or_else(|| panic!("press {n} was not seen"));
        assert_eq!(Board::from_bits(frame.lit()), board, "press {n}");
        latencies.push(frame.ended - contact);
        let frames = player.device.frames();
        player.wait(contact + ms(64) - player.device.now());
        assert_eq!(player.device.frames(), frames, "press {n} was seen twice");
    }
    latencies.sort_unstable();
    let (p50, p99, max) = (latencies[500], latencies[990], latencies[999]);
    println!("contact to the last bit of the frame, with bounce: p50 {p50:?}, p99 {p99:?}, max {max:?}");
    assert!(p99 <= limits::PRESS_TO_LIGHT_P99 && max <= limits::PRESS_TO_LIGHT_MAX);
    assert_eq!(player.device.wire_faults(), []);
}

#[test]
fn a_spike_under_0_3_ms_is_no_move() {
    let mut dice = Dice::new(3, 5);
    let mut player = switched_on(Options::default());
    let board = player.random_puzzle();
    player.device.record_frames();
    for _ in 0..500 {
        let key = dice.key().index();
        let at = player.device.now() + us(dice.below(2000).into());
        let length = us(1 + u64::from(dice.below(limits::SPIKE.as_micros() as u32 - 1)));
        player.device.schedule(at, key, true);
        player.device.schedule(at + length, key, false);
        player.wait(ms(6));
    }
    let frames = player.device.take_frames();
    assert!(frames.len() > 5, "the picture is sent again and again");
    assert!(frames.iter().all(|frame| Board::from_bits(frame.lit()) == board), "and is always the same");
}

#[test]
fn between_events_the_core_sleeps() {
    let mut player = switched_on(Options::default());
    player.random_puzzle();
    let before = player.device.effort();
    player.wait(ms(2000));
    let still = player.device.effort().share_since(before);
    player.command(Command::Hint);
    let before = player.device.effort();
    player.wait(ms(2000));
    let hint = player.device.effort().share_since(before);
    println!("awake: {:.2} % on a still board, {:.2} % while a hint pulses", 100.0 * still, 100.0 * hint);
    assert!(still <= limits::AWAKE_STILL);
}

#[test]
fn the_shortest_solution_takes_few_cycles() {
    let mut dice = Dice::new(4, 5);
    let mut player = switched_on(Options::default());
    let watch = player.device.watch_calls("Solver::shortest").expect("shortest is a function of its own");
    player.random_puzzle();
    for n in 0..16 {
        player.command(if n % 2 == 0 { Command::Hint } else { Command::Next });
        let board = player.board();
        player.tap(dice.harmless_key(board));
    }
    let calls = player.device.calls(watch).unwrap();
    println!("shortest solution: {} calls, at most {} emulated cycles", calls.cycles.len(), calls.max().unwrap());
    assert!(calls.cycles.len() >= 16);
    assert!(calls.max().unwrap() <= limits::SHORTEST_SOLUTION_CYCLES);
}

#[test]
fn from_power_on_to_the_first_light() {
    let mut player = switched_on(Options::default());
    let frame = player.device.run_to_next_frame(ms(500)).expect("a first frame");
    println!("power-on to the end of the first frame: {:?}", frame.ended);
    assert!(frame.lit() != 0);
    assert!(frame.ended <= limits::START);
}

#[test]
fn frames_back_to_back_keep_the_silence_and_waste_none() {
    let mut player = switched_on(Options::default());
    player.random_puzzle();
    // Five keys, each half a millisecond after the one before: faster than frames can go out.
    for (n, key) in [cell(0, 0), cell(1, 1), cell(2, 2), cell(3, 3), cell(4, 4)].into_iter().enumerate() {
        let at = player.device.now() + us(500 * n as u64);
        player.device.schedule(at, key.index(), true);
    }
    player.wait(ms(30));
    let gap = player.device.shortest_gap().expect("several frames");
    println!("shortest silence between two frames: {gap:?}");
    assert!(gap >= limits::LATCH_SILENCE && gap <= limits::LATCH_SILENCE_MOST);
    assert_eq!(player.device.wire_faults(), []);
}
