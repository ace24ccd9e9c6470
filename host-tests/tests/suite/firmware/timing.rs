//! The speed of the real firmware in emulated time and cycles, which do not depend on the computer that runs the test.
//! The limits are in `player::limits`; `cargo measure` compares longer runs with the same limits.

use std::time::Duration;

use super::support::power_on;
use emulator::Options;
use flash_image::Chip;
use lights_out::board::Board;
use lights_out::gesture::Command;
use lights_out::solver::CLASSIC;
use player::{Dice, cell, limits, ms, us};

on_each_chip!(each_of_1000_bouncing_presses_is_one_move_in_time);
fn each_of_1000_bouncing_presses_is_one_move_in_time(chip: Chip) {
    let mut dice = Dice::new(2, 5);
    let mut player = power_on(chip, Options::default());
    let mut board = player.start_random_puzzle();
    let mut latencies: Vec<Duration> = Vec::new();
    for n in 0..1000 {
        player.wait(us(dice.below(5000).into()));
        let key = dice.non_winning_key(board);
        let contact = player.tap_bouncing(key, &mut dice);
        board = CLASSIC.press(board, key);
        let frame = player.device.run_to_next_frame(ms(20)).unwrap_or_else(|| panic!("press {n} was not shown"));
        assert_eq!(Board::from_bits(frame.lit()), board, "press {n}");
        latencies.push(frame.ended - contact);
        let frames = player.device.frames();
        player.wait(contact + ms(64) - player.device.now());
        assert_eq!(player.device.frames(), frames, "press {n} sent a second frame");
    }
    latencies.sort_unstable();
    let (p50, p99, max) = (latencies[500], latencies[990], latencies[999]);
    println!("contact to the last bit of the frame, with bounce: p50 {p50:?}, p99 {p99:?}, max {max:?}");
    assert!(p99 <= limits::PRESS_TO_LIGHT_P99 && max <= limits::PRESS_TO_LIGHT_MAX);
    assert_eq!(player.device.wire_faults(), []);
}

on_each_chip!(spike_under_300_us_is_not_a_move);
fn spike_under_300_us_is_not_a_move(chip: Chip) {
    let mut dice = Dice::new(3, 5);
    let mut player = power_on(chip, Options::default());
    let board = player.start_random_puzzle();
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
    assert!(frames.len() > 5, "the frame is not repeated");
    assert!(frames.iter().all(|frame| Board::from_bits(frame.lit()) == board), "a spike changed the board");
}

on_each_chip!(core_sleeps_between_events);
fn core_sleeps_between_events(chip: Chip) {
    let mut player = power_on(chip, Options::default());
    player.start_random_puzzle();
    let before = player.device.cycle_counts();
    player.wait(ms(2000));
    let still = player.device.cycle_counts().awake_share_since(before);
    player.command(Command::Hint);
    let before = player.device.cycle_counts();
    player.wait(ms(2000));
    let hint = player.device.cycle_counts().awake_share_since(before);
    println!("core awake: {:.2} % with a still board, {:.2} % while a hint pulses", 100.0 * still, 100.0 * hint);
    assert!(still <= limits::AWAKE_STILL);
}

on_each_chip!(shortest_solution_is_within_cycle_limit);
fn shortest_solution_is_within_cycle_limit(chip: Chip) {
    let mut dice = Dice::new(4, 5);
    let mut player = power_on(chip, Options::default());
    let watch = player.device.watch_calls("Solver::shortest").expect("shortest is not inlined");
    player.start_random_puzzle();
    for n in 0..16 {
        player.command(if n % 2 == 0 { Command::Hint } else { Command::Next });
        let board = player.board();
        player.tap(dice.non_winning_key(board));
    }
    let calls = player.device.calls(watch).unwrap();
    println!("shortest solution: {} calls, at most {} emulated cycles", calls.cycles.len(), calls.max().unwrap());
    assert!(calls.cycles.len() >= 16);
    assert!(calls.max().unwrap() <= limits::SHORTEST_SOLUTION_CYCLES);
}

on_each_chip!(first_frame_is_within_start_limit);
fn first_frame_is_within_start_limit(chip: Chip) {
    let mut player = power_on(chip, Options::default());
    let frame = player.device.run_to_next_frame(ms(500)).expect("a first frame");
    println!("power-on to the end of the first frame: {:?}", frame.ended);
    assert!(frame.lit() != 0);
    assert!(frame.ended <= limits::START);
}

on_each_chip!(frame_gap_is_within_latch_limits);
fn frame_gap_is_within_latch_limits(chip: Chip) {
    let mut player = power_on(chip, Options::default());
    player.start_random_puzzle();
    // Five keys at intervals of 0.5 ms: faster than frames can be sent.
    for (n, key) in [cell(0, 0), cell(1, 1), cell(2, 2), cell(3, 3), cell(4, 4)].into_iter().enumerate() {
        let at = player.device.now() + us(500 * n as u64);
        player.device.schedule(at, key.index(), true);
    }
    player.wait(ms(30));
    let gap = player.device.shortest_gap().expect("several frames");
    println!("shortest gap between two frames: {gap:?}");
    assert!(gap >= limits::LATCH_GAP_MIN && gap <= limits::LATCH_GAP_MAX);
    assert_eq!(player.device.wire_faults(), []);
}
