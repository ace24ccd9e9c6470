//! How fast the real firmware is: emulated time and cycles, which do not depend on the machine that runs the test.

mod common;

use std::time::Duration;

use common::elf_device::{ElfDevice, switched_on};
use common::words::{Player, ms, us};
use lights_out::board::{Board, Cell};
use lights_out::gesture::Command;
use lights_out::solver::CLASSIC;
use rand_core::Rng;
use rand_pcg::Pcg32;
use virtual_handheld::Options;

/// Changes a contact at `at` with up to 10 ms of bounce: touches of 20 to 500 us, gaps of up to 250 us.
fn schedule_bounce(player: &mut Player<ElfDevice>, key: Cell, at: Duration, closed: bool, rng: &mut Pcg32) {
    let handheld = &mut player.0.0;
    let end = at + us(u64::from(rng.next_u32() % 10_001));
    let (mut moment, mut state) = (at, closed);
    while moment < end {
        handheld.schedule(moment, key.index(), state);
        let length = if state { 20 + rng.next_u32() % 480 } else { 10 + rng.next_u32() % 240 };
        moment += us(u64::from(length));
        state = !state;
    }
    handheld.schedule(end, key.index(), closed);
}

/// A key whose press does not win.
fn harmless_key(board: Board, rng: &mut Pcg32) -> Cell {
    loop {
        let key = Cell::new(rng.next_u32() as usize % 25).unwrap();
        if !CLASSIC.press(board, key).is_dark() {
            return key;
        }
    }
}

#[test]
fn a_thousand_bouncing_presses_are_a_thousand_moves_and_each_is_seen_at_once() {
    let mut rng = Pcg32::new(2, 5);
    let mut player = switched_on(Options::default());
    let mut board = player.random_puzzle();
    let mut latencies: Vec<Duration> = Vec::new();
    for n in 0..1000 {
        player.wait(us(u64::from(rng.next_u32() % 5000)));
        let key = harmless_key(board, &mut rng);
        let contact = player.0.0.now() + us(100);
        schedule_bounce(&mut player, key, contact, true, &mut rng);
        schedule_bounce(&mut player, key, contact + ms(30), false, &mut rng);
        board = CLASSIC.press(board, key);
        let frame = player.0.0.run_to_next_frame(ms(20)).unwrap_or_else(|| panic!("press {n} was not seen"));
        assert_eq!(Board::from_bits(frame.lit()), board, "press {n}");
        latencies.push(frame.ended - contact);
        let frames = player.0.0.frames();
        player.wait(contact + ms(64) - player.0.0.now());
        assert_eq!(player.0.0.frames(), frames, "press {n} was seen twice");
    }
    latencies.sort_unstable();
    let (p50, p99, max) = (latencies[500], latencies[990], latencies[999]);
    println!("contact to the last bit of the frame, with bounce: p50 {p50:?}, p99 {p99:?}, max {max:?}");
    assert!(p99 <= us(2000) && max <= us(3000));
    assert_eq!(player.0.0.wire_faults(), []);
}

#[test]
fn a_spike_under_0_3_ms_is_no_move() {
    let mut rng = Pcg32::new(3, 5);
    let mut player = switched_on(Options::default());
    let board = player.random_puzzle();
    let frames = player.0.0.frames();
    for _ in 0..500 {
        let key = Cell::new(rng.next_u32() as usize % 25).unwrap();
        let at = player.0.0.now() + us(u64::from(rng.next_u32() % 2000));
        player.0.0.schedule(at, key.index(), true);
        player.0.0.schedule(at + us(u64::from(1 + rng.next_u32() % 299)), key.index(), false);
        player.wait(ms(6));
    }
    player.expect_board(board);
    assert_eq!(player.0.0.frames(), frames);
}

#[test]
fn between_events_the_core_sleeps() {
    let mut player = switched_on(Options::default());
    player.random_puzzle();
    let before = player.0.0.effort();
    player.wait(ms(2000));
    let still = player.0.0.effort().share_since(before);
    player.command(Command::Hint);
    let before = player.0.0.effort();
    player.wait(ms(2000));
    let hint = player.0.0.effort().share_since(before);
    println!("awake: {:.2} % on a still board, {:.2} % while a hint pulses", 100.0 * still, 100.0 * hint);
    assert!(still <= 0.08);
}

#[test]
fn the_shortest_solution_takes_few_cycles() {
    let mut rng = Pcg32::new(4, 5);
    let mut player = switched_on(Options::default());
    let watch = player.0.0.watch_calls("Solver::shortest").expect("shortest is a function of its own");
    player.random_puzzle();
    for n in 0..60 {
        player.command(if n % 2 == 0 { Command::Hint } else { Command::Next });
        let board = player.board();
        player.tap(harmless_key(board, &mut rng));
    }
    let calls = player.0.0.calls(watch).unwrap();
    println!("shortest solution: {} calls, at most {} emulated cycles", calls.cycles.len(), calls.max().unwrap());
    assert!(calls.cycles.len() >= 60);
    assert!(calls.max().unwrap() <= 600);
}

#[test]
fn from_power_on_to_the_first_light() {
    let mut player = switched_on(Options::default());
    let frame = player.0.0.run_to_next_frame(ms(500)).expect("a first frame");
    println!("power-on to the end of the first frame: {:?}", frame.ended);
    assert!(frame.lit() != 0);
    assert!(frame.ended <= ms(50));
}
