//! The real firmware while flash sectors are erased: 45 ms each typically, 400 ms at most, each with a different
//! duration.
//!
//! Sectors are erased during play only when no blank sector is left, so these tests start with a flash that has none. A
//! sector holds eight saves, so there is at most one erase in eight saves.

use std::time::Duration;

use emulator::{FlashTimes, Handheld, Options, SECTOR};
use flash_image::Chip;
use lights_out::board::Board;
use lights_out::solver::CLASSIC;
use player::{Dice, Player, cell, limits, ms, us};

use super::support::{
    IDLE_TIMEOUT, expect_no_faults, expect_playable_game, full_flash, power_on, rounds, saves_offset,
};
use crate::support::is_long_campaign;

/// The duration of each tap.
const TAP: Duration = ms(30);
/// The largest relative deviation of the duration of an erase.
const VARIATION: f64 = 0.05;
/// Longer than it takes to erase every sector in 400 ms each: 102 s.
const ALL_ERASED: Duration = Duration::from_secs(120);

/// A flash without a blank sector for saves, and with erases of about this duration.
fn with_slow_erases(chip: Chip, erase: Duration) -> Options {
    let flash_times = FlashTimes { erase, variation: VARIATION, ..FlashTimes::default() };
    Options { flash: Some(full_flash(chip)), flash_times, ..Options::default() }
}

/// The number of erases so far.
fn count_erases(player: &Player<Handheld>) -> u32 {
    player.device.flash().erases().iter().sum()
}

/// Plays until an erase has just begun. Returns the board.
fn play_until_erase(player: &mut Player<Handheld>, dice: &mut Dice, mut board: Board) -> Board {
    for _ in 0..20 {
        let key = dice.non_winning_key(board);
        player.tap(key);
        board = CLASSIC.press(board, key);
        // The save is written after half a second. An erase may wait until all keys have been up for a second.
        if player.device.run_until(ms(1200), Handheld::is_flash_erasing) {
            return board;
        }
    }
    panic!("no sector was erased in 20 saves");
}

/// The results of taps during erases.
#[derive(Debug, Default)]
struct TapResults {
    /// The time from each tap to the end of the frame that shows it.
    times: Vec<Duration>,
    /// Erases after which the board was wrong.
    wrong: Vec<String>,
    /// Taps without a frame that shows them.
    unseen: u32,
}

impl TapResults {
    /// Checks that each tap was shown within the limit and that every board was right.
    #[track_caller]
    fn expect_right(mut self, what: &str) {
        self.times.sort_unstable();
        let worst = self.times.last().copied().unwrap_or_default();
        println!(
            "{what}: {} taps shown within {worst:?}, {} without a frame, {} erases with a wrong board",
            self.times.len(),
            self.unseen,
            self.wrong.len()
        );
        assert!(self.wrong.is_empty(), "{what}: taps lost or assigned to other keys: {:#?}", self.wrong);
        assert_eq!(self.unseen, 0, "{what}: taps without a frame");
        assert!(worst <= limits::PRESS_TO_LIGHT_MAX, "{what}: shown after {worst:?}");
    }
}

/// Taps during `count` erases. During each erase there is one tap for each range: the tap begins at a random time in
/// that range, in milliseconds after the start of the erase.
fn tap_during_erases(player: &mut Player<Handheld>, dice: &mut Dice, count: u32, ranges: &[(u32, u32)]) -> TapResults {
    let mut board = player.board();
    let mut taps = TapResults::default();
    player.device.record_frames();
    for n in 0..count {
        board = play_until_erase(player, dice, board);
        player.device.take_frames();
        let began = player.device.now();
        let mut expected = Vec::new();
        for &(first, last) in ranges {
            let key = dice.non_winning_key(board);
            let at = began + us((1000 * first + dice.below(1000 * (last - first))).into());
            player.device.schedule(at, key.index(), true);
            player.device.schedule(at + TAP, key.index(), false);
            board = CLASSIC.press(board, key);
            expected.push((at, key, board));
        }
        let last = ranges.last().map_or(0, |range| range.1);
        player.device.run_for(began + ms(last.into()) - player.device.now());
        let before = count_erases(player);
        // Longer than an erase, so that a late frame is counted as late.
        player.wait(ms(600));
        assert!(count_erases(player) > before, "the last tap begins after the end of the erase");
        let frames = player.device.take_frames();
        for &(at, _, shown) in &expected {
            match frames.iter().find(|frame| frame.ended > at && frame.lit() == shown.bits()) {
                Some(frame) => taps.times.push(frame.ended - at),
                None => taps.unseen += 1,
            }
        }
        if player.board() != board {
            let keys: Vec<usize> = expected.iter().map(|(_, key, _)| key.index()).collect();
            taps.wrong.push(format!("erase {n}, keys {keys:?}: {} instead of {board}", player.board()));
            board = player.board();
        }
    }
    taps
}

/// A game on a handheld with erases of about this duration.
fn start_game(chip: Chip, erase: Duration) -> Player<Handheld> {
    let mut player = power_on(chip, with_slow_erases(chip, erase));
    player.start_random_puzzle();
    player
}

on_each_chip!(tap_inside_erase_is_a_move_of_its_key);
fn tap_inside_erase_is_a_move_of_its_key(chip: Chip) {
    let mut player = start_game(chip, ms(45));
    let taps = tap_during_erases(&mut player, &mut Dice::new(45, 40), rounds(chip, 16, 100), &[(1, 12)]);
    taps.expect_right("30 ms taps inside a 45 ms erase");
    expect_no_faults(&player.device);
}

on_each_chip!(tap_across_end_of_erase_is_a_move);
fn tap_across_end_of_erase_is_a_move(chip: Chip) {
    let mut player = start_game(chip, ms(45));
    let taps = tap_during_erases(&mut player, &mut Dice::new(45, 41), rounds(chip, 16, 100), &[(20, 42)]);
    taps.expect_right("30 ms taps across the end of a 45 ms erase");
    expect_no_faults(&player.device);
}

on_each_chip!(four_taps_in_one_slow_erase_are_moves);
fn four_taps_in_one_slow_erase_are_moves(chip: Chip) {
    let mut player = start_game(chip, ms(400));
    let ranges = [(2, 20), (90, 110), (180, 200), (270, 290)];
    let taps = tap_during_erases(&mut player, &mut Dice::new(400, 42), rounds(chip, 12, 60), &ranges);
    taps.expect_right("four 30 ms taps in a 400 ms erase");
    expect_no_faults(&player.device);
}

/// Checks taps during erases, on a handheld with a game, without a blank sector and with erases of 100 ms.
pub(super) fn expect_taps_during_erases_are_moves(player: &mut Player<Handheld>) {
    tap_during_erases(player, &mut Dice::new(100, 43), 5, &[(2, 50)]).expect_right("taps inside an erase");
}

/// Taps keys at random moments, and checks that each tap is shown within the limit. Returns the number of erases during
/// that time.
fn tap_at_random_moments(chip: Chip, dice: &mut Dice, options: Options, taps: u32) -> u32 {
    let mut player = power_on(chip, options);
    let mut board = player.start_random_puzzle();
    let before = count_erases(&player);
    for n in 0..taps {
        // From fast tapping to a player who thinks.
        player.wait(us(u64::from(dice.below(if n % 4 == 0 { 2_500_000 } else { 150_000 })) + 40_000));
        let key = dice.non_winning_key(board);
        let now = player.device.now();
        player.press(key);
        player.device.schedule(now + TAP, key.index(), false);
        board = CLASSIC.press(board, key);
        let limit = limits::PRESS_TO_LIGHT_MAX;
        let is_shown = player
            .device
            .run_until(limit, |handheld| handheld.frame().is_some_and(|frame| Board::from_bits(frame.lit()) == board));
        assert!(is_shown, "tap {n} on key {} at {now:?} was not shown within {limit:?}", key.index());
        player.wait(ms(40));
    }
    expect_no_faults(&player.device);
    count_erases(&player) - before
}

on_each_chip!(no_tap_is_lost_or_late_during_saves);
fn no_tap_is_lost_or_late_during_saves(chip: Chip) {
    for erase in [45, 400] {
        let options = Options { flash: None, ..with_slow_erases(chip, ms(erase)) };
        let erases = tap_at_random_moments(chip, &mut Dice::new(erase, 30), options, rounds(chip, 250, 5000));
        assert_eq!(erases, 0, "sectors were erased in play although blank ones were left");
    }
}

on_each_chip!(no_tap_is_lost_or_late_during_erases);
fn no_tap_is_lost_or_late_during_erases(chip: Chip) {
    for (erase, taps) in if is_long_campaign() { [(45, 2000), (400, 1000)] } else { [(45, 120), (400, 100)] } {
        let erases = tap_at_random_moments(chip, &mut Dice::new(erase, 31), with_slow_erases(chip, ms(erase)), taps);
        println!("{taps} taps during {erases} erases of {erase} ms");
        assert!(erases >= 2, "too few erases");
    }
}

on_each_chip!(tap_during_erase_before_sleep_wakes);
fn tap_during_erase_before_sleep_wakes(chip: Chip) {
    for erase in [45, 400] {
        let mut player = start_game(chip, ms(erase));
        player.tap(cell(2, 1));
        let board = player.board();
        assert!(player.device.run_until(IDLE_TIMEOUT, |handheld| !handheld.led_supply()));
        let before = count_erases(&player);
        player.wait(ms(1700));
        assert!(count_erases(&player) >= before + 3, "too few sectors were erased before sleep");
        assert!(player.device.run_until(ms(100), Handheld::is_flash_erasing));
        // The tap ends before the erase does.
        player.wait(ms(5));
        let (pressed_at, frames) = (player.device.now(), player.device.frames());
        player.device.schedule(pressed_at, cell(3, 3).index(), true);
        player.device.schedule(pressed_at + TAP, cell(3, 3).index(), false);
        player.device.run_until(ms(1000), |handheld| handheld.frames() > frames);
        let woken = player.device.now() - pressed_at;
        println!("a tap during an erase of {erase} ms before sleep: first frame after {woken:?}");
        player.wait(ms(500));
        player.expect_board(board);
        assert!(woken <= limits::WAKE, "{woken:?}");
        player.tap(cell(1, 1));
        player.expect_board(CLASSIC.press(board, cell(1, 1)));
        expect_no_faults(&player.device);
    }
}

/// The number of sectors for saves that are not blank.
fn count_used_sectors(chip: Chip, player: &Player<Handheld>) -> usize {
    let sectors = player.device.flash().image()[saves_offset(chip)..].chunks(SECTOR);
    sectors.filter(|sector| sector.iter().any(|&byte| byte != 0xFF)).count()
}

on_each_chip!(slow_erases_cause_no_watchdog_reset);
fn slow_erases_cause_no_watchdog_reset(chip: Chip) {
    let mut player = start_game(chip, ms(400));
    player.tap(cell(2, 1));
    let board = player.board();
    let mut sleeps = 0;
    // The sectors of the two newest saves are not erased.
    while count_used_sectors(chip, &player) > 2 && sleeps < 16 {
        let before = count_used_sectors(chip, &player);
        assert!(
            player.device.run_until(IDLE_TIMEOUT + ALL_ERASED, Handheld::is_dormant),
            "sleep {sleeps}: not asleep; resets: {:?}",
            player.device.resets()
        );
        assert!(!player.device.is_flash_busy(), "the clocks were stopped during a flash operation");
        assert_eq!(player.device.resets(), [], "sleep {sleeps}");
        assert!(count_used_sectors(chip, &player) < before, "sleep {sleeps}: no sector was erased");
        player.wait(ms(1000));
        sleeps += 1;
        let (pressed_at, frames) = (player.device.now(), player.device.frames());
        player.press(cell(0, 2));
        assert!(
            player.device.run_until(limits::WAKE, |handheld| handheld.frames() > frames),
            "sleep {sleeps}: not awake"
        );
        println!(
            "sleep {sleeps}: {} sectors left, awake after {:?}",
            count_used_sectors(chip, &player),
            player.device.now() - pressed_at
        );
        player.wait(ms(200));
        player.release(cell(0, 2));
        player.wait(ms(100));
        player.expect_board(board);
    }
    assert!(count_used_sectors(chip, &player) <= 2, "sectors were not erased");
    assert_eq!(player.count_logs("no heartbeat"), 0, "missed heartbeats");
    expect_no_faults(&player.device);
    // No start was counted as a crash.
    player.device.probe_reset();
    player.wait(ms(2000));
    assert_eq!(player.count_logs("watchdog reset"), 0, "a start was counted as a crash");
    expect_playable_game(&mut player);
}
