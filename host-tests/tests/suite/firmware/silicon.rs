//! The real firmware with parts that are no kinder than real ones: a supply that rises slowly, wires that do, a flash that takes
//! its time, memories that are switched off, a boot ROM that leaves by its own watchdog.

use std::time::Duration;

use lights_out::board::{Board, Cell};
use lights_out::gesture::{Command, STUCK};
use lights_out::solver::CLASSIC;
use lights_out::sound::Sound;
use lights_out::wiring::Wiring;
use test_player::{Dice, Player, cell, firmware, limits, ms, us};
use virtual_handheld::{FlashTimes, Handheld, Mishap, Options, SECTOR, Spoil, Supply};

use super::CHIP;
use super::support::{BEDTIME, SAVES, expect_a_playable_game, expect_nothing_wrong, full_flash, rounds, switched_on};
use crate::support::long_form;

/// Cells with which it falls asleep at once.
const EMPTY: Supply = Supply::Cells { millivolts: 3_150, milliohms: 1_500 };

/// A flash with a game of some moves in it, and its board.
fn saved_game() -> (Vec<u8>, Board) {
    let mut player = switched_on(Options::default());
    player.random_puzzle();
    [cell(1, 1), cell(3, 0), cell(4, 2)].into_iter().for_each(|key| player.tap(key));
    player.wait(ms(1500));
    let board = player.board();
    (player.device.power_off(), board)
}

#[test]
fn a_saved_game_comes_up_however_slowly_the_supply_rises() {
    let (flash, board) = saved_game();
    for rise in [0, 12, 16, 19] {
        let options = Options { flash: Some(flash.clone()), supply_rise: ms(rise), ..Options::default() };
        let mut player = switched_on(options);
        player.wait(ms(60));
        player.expect_board(board);
        assert_eq!(player.device.lost_frames(), 0, "nothing is sent to LEDs that do not listen");
        expect_nothing_wrong(&player.device);
    }
    // One that takes longer than any part that was heard of: late, but not dark for ever.
    let options = Options { flash: Some(flash), supply_rise: ms(80), ..Options::default() };
    let mut player = switched_on(options);
    player.wait(ms(400));
    player.expect_board(board);
}

#[test]
fn a_picture_that_was_spoilt_on_its_way_heals_within_a_third_of_a_second() {
    let mut player = switched_on(Options::default());
    player.random_puzzle();
    for n in 0..20 {
        let right = CLASSIC.press(player.board(), cell(2, 2));
        player.device.spoil_next_frame(if n % 2 == 0 { Spoil::FlipBit(8 + 24 * n) } else { Spoil::DropPulse(30 * n) });
        player.tap(cell(2, 2));
        player.wait(ms(334 - 100));
        player.expect_board(right);
    }
}

#[test]
fn every_key_is_right_however_slowly_the_columns_rise() {
    let with_diodes = [0, 2, 5, 6, 7, 12, 20, 30].map(|rise| (rise, true));
    let without = [0, 6, 12, 30].map(|rise| (rise, false));
    for (rise, diodes) in with_diodes.into_iter().chain(without) {
        let mut player = switched_on(Options { rise: us(rise), diodes, ..Options::default() });
        let mut board = player.random_puzzle();
        for key in Cell::all() {
            player.tap_quickly(key);
            board = CLASSIC.press(board, key);
            assert!(!board.is_dark(), "no key wins");
            player.expect_board(board);
        }
    }
}

/// Taps of 30 ms at random moments, each of which must be answered at once. Gives how many sectors were erased meanwhile.
fn taps_at_any_moment(dice: &mut Dice, flash: Option<Vec<u8>>, erase: Duration, taps: u32, late: Duration) -> u32 {
    let flash_times = FlashTimes { erase, ..FlashTimes::default() };
    let mut player = switched_on(Options { flash, flash_times, ..Options::default() });
    let mut board = player.random_puzzle();
    let erased = |player: &Player<Handheld>| player.device.flash().erases().iter().sum::<u32>();
    let before = erased(&player);
    for n in 0..taps {
        // From a hectic finger to a thinking one.
        player.wait(us(u64::from(dice.below(if n % 4 == 0 { 2_500_000 } else { 150_000 })) + 40_000));
        let key = dice.harmless_key(board);
        let now = player.device.now();
        player.press(key);
        player.device.schedule(now + ms(30), key.index(), false);
        board = CLASSIC.press(board, key);
        let answered = player
            .device
            .run_until(late, |handheld| handheld.frame().is_some_and(|frame| Board::from_bits(frame.lit()) == board));
        assert!(answered, "tap {n} on {} at {now:?} was not answered within {late:?}", key.index());
        player.wait(ms(40));
    }
    expect_nothing_wrong(&player.device);
    erased(&player) - before
}

#[test]
fn no_tap_is_lost_or_late_while_saves_go_on() {
    let taps = rounds(250, 5000);
    for erase in [45, 400] {
        let erases = taps_at_any_moment(&mut Dice::new(erase, 30), None, ms(erase), taps, ms(5));
        assert_eq!(erases, 0, "sectors are erased in sleep, not in play");
    }
}

#[test]
fn no_tap_is_lost_though_a_sector_has_to_be_erased_in_play() {
    for (erase, taps) in if long_form() { [(45, 2000), (400, 1000)] } else { [(45, 120), (400, 60)] } {
        let late = ms(erase) + ms(10);
        let erases = taps_at_any_moment(&mut Dice::new(erase, 31), Some(full_flash()), ms(erase), taps, late);
        println!("{taps} taps, {erases} erases of {erase} ms among them");
        assert!(erases >= 2, "the taps met erases");
    }
}

#[test]
fn a_tap_that_begins_and_ends_while_a_sector_is_erased_is_a_move() {
    let flash_times = FlashTimes { erase: ms(100), ..FlashTimes::default() };
    let mut player = switched_on(Options { flash: Some(full_flash()), flash_times, ..Options::default() });
    player.after_greeting();
    each_tap_in_an_erase_is_a_move(&mut player);
}

/// On a board whose flash has no room left.
pub fn each_tap_in_an_erase_is_a_move(player: &mut Player<Handheld>) {
    let mut board = player.board();
    let keys = [cell(0, 0), cell(1, 3), cell(2, 2), cell(3, 4), cell(4, 1)];
    for (n, key) in keys.into_iter().enumerate() {
        // A move that wants to be saved, and a sector that has to be erased for it, sooner or later.
        let erases = (0..20).any(|_| {
            player.tap(cell(0, 4));
            board = CLASSIC.press(board, cell(0, 4));
            player.device.run_until(ms(1200), Handheld::flash_is_erased)
        });
        assert!(erases, "a sector is erased in the end");
        player.wait(ms(2 + 12 * n as u64));
        player.press(key);
        player.wait(ms(30));
        player.release(key);
        assert!(player.device.flash_is_erased(), "it is over before the erase is");
        player.wait(ms(120));
        board = CLASSIC.press(board, key);
        player.expect_board(board);
    }
}

#[test]
fn sectors_are_erased_in_sleep_and_a_touch_meanwhile_wakes() {
    let flash_times = FlashTimes { erase: ms(45), ..FlashTimes::default() };
    let mut player = switched_on(Options { flash_times, ..Options::default() });
    let board = player.random_puzzle();
    let mut dice = Dice::new(12, 30);
    // Enough for several sectors to have been filled.
    for _ in 0..40 {
        player.tap(dice.harmless_key(player.board()));
        player.wait(ms(950));
    }
    let played = player.board();
    assert_ne!(played, board);
    // The ring has been round once, as far as the handheld can tell: what lies ahead is not blank.
    let mut flash = player.device.power_off();
    for sector in flash[SAVES..].chunks_mut(SECTOR).filter(|sector| sector.iter().all(|&byte| byte == 0xFF)) {
        sector[17] = 0;
    }
    let mut player = switched_on(Options { flash: Some(flash), flash_times, ..Options::default() });
    player.wait(ms(500));
    player.expect_board(played);
    player.device.run_until(BEDTIME, |handheld| !handheld.led_supply());
    let erases = |player: &Player<Handheld>| player.device.flash().erases().iter().sum::<u32>();
    let before = erases(&player);
    player.wait(ms(600));
    assert!(erases(&player) > before + 5, "it uses the time");
    // A tap of 30 ms, over before the sector is erased.
    player.press(cell(3, 3));
    player.wait(ms(30));
    player.release(cell(3, 3));
    player.wait(ms(100));
    player.expect_board(played);
    let board = CLASSIC.press(played, cell(1, 1));
    player.tap(cell(1, 1));
    player.expect_board(board);
    // And in the end it sleeps.
    player.wait(BEDTIME);
    player.device.run_until(Duration::from_secs(60), Handheld::is_dormant);
    assert!(player.device.is_dormant());
    expect_nothing_wrong(&player.device);
}

#[test]
fn a_tone_is_heard_at_once_after_a_lower_one_and_the_pin_rests_low() {
    let mut player = switched_on(Options::default());
    player.after_greeting();
    player.command(Command::Menu);
    player.choose(4, 4);
    player.command(Command::Menu);
    for n in 0..4 {
        // The next level is not open: the lowest tones there are.
        player.command(Command::Next);
        player.wait(ms(100 + 7 * n));
        assert!(!player.device.pin(Wiring::REFERENCE.piezo.into()), "the pin rests low");
        let (before, pressed) = (player.device.tones().len(), player.device.now());
        player.press(cell(4, 4));
        player.wait(ms(30));
        let heard = player.device.tones()[before..].iter().find_map(|(at, tone)| tone.map(|hz| (*at - pressed, hz)));
        let (after, hz) = heard.expect("the tap is heard");
        assert!(hz.abs_diff(Sound::Tap.notes()[0].hz) <= 3, "{hz} Hz");
        // A press is believed after 0.3 ms; then at most a period.
        assert!(after <= us(400) + Duration::from_secs(1) / hz, "heard after {after:?}");
        player.release(cell(4, 4));
        player.wait(ms(60));
        assert!(!player.device.pin(Wiring::REFERENCE.piezo.into()), "and rests low again");
    }
}

#[test]
fn an_interrupt_on_the_way_into_sleep_does_no_harm() {
    let asleep = |interrupt: Option<u64>| {
        let mut player = switched_on(Options { supply: EMPTY, ..Options::default() });
        if let Some(cycle) = interrupt {
            // The timer's alarm.
            player.device.raise_interrupt_at(0, cycle);
        }
        assert!(player.device.run_until(ms(3000), Handheld::is_dormant));
        player.device.set_supply(Options::default().supply);
        player
    };
    let mut player = asleep(None);
    let dormant = player.device.effort().cycles;
    assert_eq!(player.device.powered_down_accesses(), []);
    player.tap(cell(2, 2));
    expect_a_playable_game(&mut player);
    let window = u64::from(rounds(12, 2000));
    for cycle in dormant - window..=dormant {
        let mut player = asleep(Some(cycle));
        assert_eq!(player.device.powered_down_accesses(), [], "an interrupt {} cycles before", dormant - cycle);
        player.tap(cell(2, 2));
        player.wait(ms(60));
        assert!(!player.board().is_dark());
        assert_eq!(player.device.powered_down_accesses(), []);
    }
}

#[test]
fn updates_and_a_probes_resets_drop_nobodys_game() {
    let mut player = switched_on(Options::default());
    player.random_puzzle();
    player.tap(cell(1, 3));
    player.wait(ms(1500));
    let board = player.board();
    for n in 0..6 {
        if n < 3 {
            player.device.update(firmware(CHIP));
        } else {
            player.device.probe_reset();
        }
        player.wait(ms(2000));
        player.expect_board(board);
    }
    assert_eq!(player.told("three crashes"), 0);
}

#[test]
fn a_crash_while_it_falls_asleep_shows_its_cross() {
    let mut player = switched_on(Options::default());
    player.after_greeting();
    assert!(player.device.run_until(2 * BEDTIME, |handheld| !handheld.led_supply()));
    assert!(player.device.inflict(Mishap::Fault));
    player.wait(ms(100));
    assert_eq!(player.board(), Board::parse("#...# .#.#. ..#.. .#.#. #...#").unwrap());
    player.wait(ms(3500));
    expect_a_playable_game(&mut player);
}

#[test]
fn a_key_that_is_stuck_lets_it_sleep_and_wakes_it_only_once_it_was_let_go() {
    let mut player = switched_on(Options::default());
    player.after_greeting();
    player.press(cell(3, 1));
    player.wait(BEDTIME + Duration::from_micros(STUCK));
    assert!(player.device.is_dormant() && !player.device.led_supply());
    assert_eq!(player.told("key 16 seems stuck"), 1);
    player.wait(ms(5000));
    assert!(player.device.is_dormant(), "it does not wake");
    player.release(cell(3, 1));
    player.wait(ms(500));
    assert!(player.device.is_dormant() && !player.device.led_supply(), "letting go is no touch");
    player.press(cell(3, 1));
    player.wait(limits::WAKE);
    assert!(!player.board().is_dark(), "but now it wakes");
    player.release(cell(3, 1));
    player.wait(ms(100));
    assert_eq!(player.told("wakes"), 1);
}

#[test]
fn the_pulses_on_the_wire_are_inside_every_data_sheet() {
    let mut player = switched_on(Options::default());
    player.random_puzzle();
    player.command(Command::Hint);
    player.wait(ms(1000));
    println!("{:?}", player.device.wire_times());
    assert_eq!(player.device.wire_faults(), []);
}
