//! The real firmware while sectors of its flash are erased: 45 ms each as a rule, 400 ms at worst, and no two equally long.
//!
//! Sectors are erased in play only when no blank one is left, so these tests start with a flash in which none is blank. A sector holds
//! eight saves: one erase in eight saves is all that play can provoke.

use std::time::Duration;

use emulator::{FlashTimes, Handheld, Options, SECTOR};
use lights_out::board::Board;
use lights_out::solver::CLASSIC;
use player::{Dice, Player, cell, limits, ms, us};

use super::support::{BEDTIME, SAVES, expect_a_playable_game, expect_nothing_wrong, full_flash, rounds, switched_on};
use crate::support::long_form;

/// How long each tap lasts.
const TAP: Duration = ms(30);
/// The largest deviation of an erase from its time.
const VARIATION: f64 = 0.05;
/// Every sector erased at 400 ms takes 102 s.
const ALL_ERASED: Duration = Duration::from_secs(120);

/// A flash without a blank sector for saves, whose erases take about so long.
pub fn erasing(erase: Duration) -> Options {
    let flash_times = FlashTimes { erase, variation: VARIATION, ..FlashTimes::default() };
    Options { flash: Some(full_flash()), flash_times, ..Options::default() }
}

fn erases(player: &Player<Handheld>) -> u32 {
    player.device.flash().erases().iter().sum()
}

/// Plays until an erase has just begun; gives the board.
fn play_until_erase(player: &mut Player<Handheld>, dice: &mut Dice, mut board: Board) -> Board {
    for _ in 0..20 {
        let key = dice.harmless_key(board);
        player.tap(key);
        board = CLASSIC.press(board, key);
        // The save comes after half a second; the erase may wait until the keys have been up for a second.
        if player.device.run_until(ms(1200), Handheld::flash_is_erased) {
            return board;
        }
    }
    panic!("no sector is erased in 20 saves");
}

/// What became of taps in erases.
#[derive(Debug, Default)]
pub struct Taps {
    /// How long each counted tap took to the end of the frame that shows it.
    times: Vec<Duration>,
    /// Erases after which the board was not what the taps make of it.
    wrong: Vec<String>,
    /// Taps that never had a frame of their own.
    unseen: u32,
}

impl Taps {
    /// All of them were right, and answered at once.
    #[track_caller]
    fn expect_right(mut self, what: &str) {
        self.times.sort_unstable();
        let worst = self.times.last().copied().unwrap_or_default();
        println!(
            "{what}: {} answered within {worst:?}, {} without a frame of their own, {} erases with a wrong board",
            self.times.len(),
            self.unseen,
            self.wrong.len()
        );
        assert!(self.wrong.is_empty(), "{what}: taps lost or taken for others: {:#?}", self.wrong);
        assert_eq!(self.unseen, 0, "{what}: taps that were not answered one by one");
        assert!(worst <= limits::PRESS_TO_LIGHT_MAX, "{what}: answered after {worst:?}");
    }
}

/// Taps in so many erases of one power-on. In each erase there is one tap for each range, which says when it begins, in milliseconds
/// after the start of the erase.
pub fn tap_in_erases(player: &mut Player<Handheld>, dice: &mut Dice, count: u32, ranges: &[(u32, u32)]) -> Taps {
    let mut board = player.board();
    let mut taps = Taps::default();
    player.device.record_frames();
    for n in 0..count {
        board = play_until_erase(player, dice, board);
        player.device.take_frames();
        let began = player.device.now();
        let mut expected = Vec::new();
        for &(first, last) in ranges {
            let key = dice.harmless_key(board);
            let at = began + us((1000 * first + dice.below(1000 * (last - first))).into());
            player.device.schedule(at, key.index(), true);
            player.device.schedule(at + TAP, key.index(), false);
            board = CLASSIC.press(board, key);
            expected.push((at, key, board));
        }
        let last = ranges.last().map_or(0, |range| range.1);
        player.device.run_for(began + ms(last.into()) - player.device.now());
        let reaches = erases(player);
        // Longer than an erase, so that a late answer is seen as one.
        player.wait(ms(600));
        assert!(erases(player) > reaches, "the last tap begins before the erase ends");
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

/// A handheld whose erases take about so long, in a game.
fn in_play(erase: Duration) -> Player<Handheld> {
    let mut player = switched_on(erasing(erase));
    player.random_puzzle();
    player
}

#[test]
fn taps_inside_an_erase_count_for_their_own_keys() {
    let mut player = in_play(ms(45));
    let taps = tap_in_erases(&mut player, &mut Dice::new(45, 40), rounds(16, 100), &[(1, 12)]);
    taps.expect_right("30 ms taps inside a 45 ms erase");
    expect_nothing_wrong(&player.device);
}

#[test]
fn taps_across_the_end_of_an_erase_count() {
    let mut player = in_play(ms(45));
    let taps = tap_in_erases(&mut player, &mut Dice::new(45, 41), rounds(16, 100), &[(20, 42)]);
    taps.expect_right("30 ms taps across the end of a 45 ms erase");
    expect_nothing_wrong(&player.device);
}

#[test]
fn four_taps_in_one_slow_erase_count() {
    let mut player = in_play(ms(400));
    let ranges = [(2, 20), (90, 110), (180, 200), (270, 290)];
    let taps = tap_in_erases(&mut player, &mut Dice::new(400, 42), rounds(12, 60), &ranges);
    taps.expect_right("four 30 ms taps in a 400 ms erase");
    expect_nothing_wrong(&player.device);
}

/// On a board in play whose flash has no room left and erases slowly.
pub fn each_tap_in_an_erase_is_a_move(player: &mut Player<Handheld>) {
    tap_in_erases(player, &mut Dice::new(100, 43), 5, &[(2, 50)]).expect_right("taps inside an erase");
}

/// Taps of 30 ms at random moments, each of which must be answered at once. Gives how many sectors were erased meanwhile.
fn taps_at_any_moment(dice: &mut Dice, options: Options, taps: u32) -> u32 {
    let mut player = switched_on(options);
    let mut board = player.random_puzzle();
    let before = erases(&player);
    for n in 0..taps {
        // From a hectic finger to a thinking one.
        player.wait(us(u64::from(dice.below(if n % 4 == 0 { 2_500_000 } else { 150_000 })) + 40_000));
        let key = dice.harmless_key(board);
        let now = player.device.now();
        player.press(key);
        player.device.schedule(now + TAP, key.index(), false);
        board = CLASSIC.press(board, key);
        let late = limits::PRESS_TO_LIGHT_MAX;
        let answered = player
            .device
            .run_until(late, |handheld| handheld.frame().is_some_and(|frame| Board::from_bits(frame.lit()) == board));
        assert!(answered, "tap {n} on {} at {now:?} was not answered within {late:?}", key.index());
        player.wait(ms(40));
    }
    expect_nothing_wrong(&player.device);
    erases(&player) - before
}

#[test]
fn no_tap_is_lost_or_late_while_saves_go_on() {
    for erase in [45, 400] {
        let options = Options { flash: None, ..erasing(ms(erase)) };
        let erases = taps_at_any_moment(&mut Dice::new(erase, 30), options, rounds(250, 5000));
        assert_eq!(erases, 0, "sectors are erased in sleep, not in play");
    }
}

#[test]
fn no_tap_is_lost_or_late_while_sectors_are_erased() {
    for (erase, taps) in if long_form() { [(45, 2000), (400, 1000)] } else { [(45, 120), (400, 100)] } {
        let erases = taps_at_any_moment(&mut Dice::new(erase, 31), erasing(ms(erase)), taps);
        println!("{taps} taps, {erases} erases of {erase} ms among them");
        assert!(erases >= 2, "the taps met erases");
    }
}

#[test]
fn sectors_are_erased_in_sleep_and_a_touch_meanwhile_wakes() {
    for erase in [45, 400] {
        let mut player = in_play(ms(erase));
        player.tap(cell(2, 1));
        let board = player.board();
        assert!(player.device.run_until(BEDTIME, |handheld| !handheld.led_supply()));
        let before = erases(&player);
        player.wait(ms(1700));
        assert!(erases(&player) >= before + 3, "sectors are erased before sleep");
        assert!(player.device.run_until(ms(100), Handheld::flash_is_erased));
        // A tap of 30 ms, over before the sector is erased.
        player.wait(ms(5));
        let (touched, frames) = (player.device.now(), player.device.frames());
        player.device.schedule(touched, cell(3, 3).index(), true);
        player.device.schedule(touched + TAP, cell(3, 3).index(), false);
        player.device.run_until(ms(1000), |handheld| handheld.frames() > frames);
        let woken = player.device.now() - touched;
        println!("a touch in an erase of {erase} ms before sleep: lights after {woken:?}");
        player.wait(ms(500));
        player.expect_board(board);
        assert!(woken <= limits::WAKE, "{woken:?}");
        player.tap(cell(1, 1));
        player.expect_board(CLASSIC.press(board, cell(1, 1)));
        expect_nothing_wrong(&player.device);
    }
}

/// Sectors for saves that are not blank.
fn dirty(player: &Player<Handheld>) -> usize {
    let sectors = player.device.flash().image()[SAVES..].chunks(SECTOR);
    sectors.filter(|sector| sector.iter().any(|&byte| byte != 0xFF)).count()
}

#[test]
fn no_watchdog_bite_while_every_sector_is_erased_slowly() {
    let mut player = in_play(ms(400));
    player.tap(cell(2, 1));
    let board = player.board();
    let mut sleeps = 0;
    // Those of the newest two saves stay.
    while dirty(&player) > 2 && sleeps < 16 {
        let before = dirty(&player);
        assert!(
            player.device.run_until(BEDTIME + ALL_ERASED, Handheld::is_dormant),
            "sleep {sleeps}: it is not asleep; resets: {:?}",
            player.device.resets()
        );
        assert!(!player.device.flash_is_busy(), "the clocks are not stopped in a flash operation");
        assert_eq!(player.device.resets(), [], "sleep {sleeps}");
        assert!(dirty(&player) < before, "sleep {sleeps}: sectors are erased");
        player.wait(ms(1000));
        sleeps += 1;
        let (touched, frames) = (player.device.now(), player.device.frames());
        player.press(cell(0, 2));
        assert!(
            player.device.run_until(limits::WAKE, |handheld| handheld.frames() > frames),
            "sleep {sleeps}: it wakes"
        );
        println!("sleep {sleeps}: {} sectors left, awake after {:?}", dirty(&player), player.device.now() - touched);
        player.wait(ms(200));
        player.release(cell(0, 2));
        player.wait(ms(100));
        player.expect_board(board);
    }
    assert!(dirty(&player) <= 2, "all sectors are erased in the end");
    assert_eq!(player.told("gives no sign of life"), 0, "heartbeats");
    expect_nothing_wrong(&player.device);
    // The last start does not count as a crash either: nothing is left of three of them.
    player.device.probe_reset();
    player.wait(ms(2000));
    assert_eq!(player.told("restarted by the watchdog"), 0, "marked as a crash");
    expect_a_playable_game(&mut player);
}
