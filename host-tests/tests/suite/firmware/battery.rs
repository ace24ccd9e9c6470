//! The real firmware on cells: as they get low and empty, as they sag under load, and as they die at any moment.
//! `LIGHTS_OUT_LONG=1` lets more of them die.

use std::time::Duration;

use emulator::{Death, Handheld, Options, PicoBoard, Supply};
use lights_out::battery::WRITABLE;
use lights_out::board::Board;
use lights_out::game::modes::ModeKind;
use lights_out::solver::CLASSIC;
use player::{Dice, Player, WIPED, cell, limits, ms, us};

use super::support::{expect_nothing_wrong, fresh_starts, full_flash, play, rounds, switched_on};
use crate::scenarios::battery::{each_battery_scenario, empty, low};

each_battery_scenario!(play);

/// Three AAA cells that have been used for a while.
const WORN: u32 = 1_500;
/// How far the meter may be off, and the load may have changed since.
const TOLERANCE: u32 = 30;
/// What Pico and dark LEDs draw, in milliamperes.
const DARK: u32 = 50;

fn cells(millivolts: u32, milliohms: u32) -> Supply {
    Supply::Cells { millivolts, milliohms }
}

fn on_cells(millivolts: u32, milliohms: u32) -> Player<Handheld> {
    switched_on(Options { supply: cells(millivolts, milliohms), ..Options::default() })
}

fn states(player: &Player<Handheld>) -> Vec<&str> {
    player.device.logs().iter().filter_map(|line| Some(line.text.split_once(" state=")?.1)).collect()
}

/// No flash operation was begun on less than it takes.
#[track_caller]
fn expect_no_bold_write(player: &Player<Handheld>) {
    if let Some(lowest) = player.device.lowest_vsys_at_write() {
        assert!(lowest + TOLERANCE >= WRITABLE.into(), "flash was written at {lowest} mV");
    }
}

#[test]
fn what_is_measured_is_what_is_there() {
    for millivolts in [4800, 4500, 3600] {
        let mut player = on_cells(millivolts, WORN);
        player.wait(ms(500));
        let line = player.device.logs().iter().find(|line| line.text.starts_with("battery mv="));
        let told: u32 = line.and_then(|line| line.text[11..].split(' ').next()?.parse().ok()).expect("a voltage");
        let load = player.device.vsys();
        assert!(told.abs_diff(load) < 100, "{told} mV told, and {load} mV with another picture");
    }
}

#[test]
fn a_board_with_a_radio_is_known_and_its_battery_is_measured_all_the_same() {
    // Nobody can say there whether USB gives power; what has 4 V or more may be that, and is no battery.
    let of_board = |radio: bool, supply: Supply| {
        let board = if radio { PicoBoard::Radio } else { PicoBoard::Plain };
        let mut player = switched_on(Options { board, supply, ..Options::default() });
        player.wait(ms(2000));
        assert_eq!(player.told("radio:"), 1, "{:?}", player.device.logs());
        assert_eq!(player.told("no radio:"), usize::from(!radio));
        expect_nothing_wrong(&player.device);
        states(&player).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    for (supply, with_radio, without) in [
        (Supply::Usb, &[][..], &[][..]),
        (cells(4_700, 500), &[][..], &["good"][..]),
        (cells(3_900, 500), &["good"][..], &["good"][..]),
        (cells(3_400, 500), &["low"][..], &["low"][..]),
        (cells(3_100, 500), &["empty"][..], &["empty"][..]),
    ] {
        assert_eq!(of_board(true, supply), with_radio, "{supply:?}, with a radio");
        assert_eq!(of_board(false, supply), without, "{supply:?}, without a radio");
    }
}

#[test]
fn without_a_way_to_vsys_it_says_so_and_plays_as_without_a_battery() {
    let mut player = on_cells(3_900, 500);
    // All conversions at the start, of the radio's way too.
    player.device.fail_conversions(u32::MAX);
    player.wait(ms(60));
    assert_eq!(player.told("the battery cannot be measured"), 1, "{:?}", player.device.logs());
    player.device.fail_conversions(0);
    player.after_greeting();
    let board = player.random_puzzle();
    player.tap(cell(2, 3));
    player.expect_board(CLASSIC.press(board, cell(2, 3)));
    assert!(states(&player).is_empty(), "{:?}", player.device.logs());
    expect_nothing_wrong(&player.device);
}

#[test]
fn the_supply_of_the_lights_that_fills_its_capacitor_makes_nothing_low() {
    // 300 mA for 16 ms: 0.6 V less than they have.
    let mut player = on_cells(3_750, 2_000);
    player.after_greeting();
    assert_eq!(states(&player), ["good"]);
    player.wait(Duration::from_secs(181));
    assert!(player.device.is_dormant());
    player.tap(cell(2, 2));
    player.wait(ms(500));
    assert_eq!(states(&player), ["good"]);
    expect_nothing_wrong(&player.device);
}

#[test]
fn sags_under_load_around_the_thresholds_do_not_flap() {
    for millivolts in [3_450, 3_500, 3_550, 3_650] {
        let mut player = on_cells(millivolts, WORN);
        player.after_greeting();
        player.wait(ms(1500));
        if player.device.is_dormant() {
            continue;
        }
        player.start(ModeKind::Random, &[(4, 3)]);
        for n in 0..rounds(2, 6) {
            // From a dark board to a bright menu, and back.
            player.try_menu().expect("the menu opens");
            player.wait(ms(if n % 2 == 0 { 61_000 } else { 1_000 }));
            if player.device.is_dormant() {
                break;
            }
            player.command(lights_out::gesture::Command::Menu);
            player.wait(ms(61_000));
        }
        let states = states(&player);
        let worst = ["good", "low", "empty"].iter().filter(|state| states.contains(state)).count();
        assert_eq!(states.len(), worst, "{millivolts} mV: each is told once: {states:?}");
        expect_nothing_wrong(&player.device);
    }
}

#[test]
fn an_empty_battery_costs_nothing_however_it_is_switched_off() {
    let mut player = on_cells(4_500, WORN);
    let dealt = player.random_puzzle();
    player.tap(cell(2, 3));
    let board = CLASSIC.press(dealt, cell(2, 3));
    // Right after the tap: it is saved because the cells are empty, not because time has passed.
    player.device.set_supply(cells(3_000, 0));
    player.device.run_until(Duration::from_secs(70), |handheld| handheld.is_dormant());
    assert!(player.device.is_dormant() && !player.device.led_supply());
    expect_no_bold_write(&player);
    expect_nothing_wrong(&player.device);
    // New cells are a power cut.
    let flash = Some(player.device.power_off());
    let mut player = switched_on(Options { flash, supply: cells(4_800, 500), ..Options::default() });
    player.wait(ms(500));
    player.expect_board(board);
    assert_eq!(states(&player), ["good"]);
}

#[test]
fn an_empty_battery_at_start_is_shown_and_it_sleeps() {
    let mut player = on_cells(3_150, WORN);
    player.expect_within(ms(150), "the battery", |player| player.board() == empty());
    player.wait(ms(1500));
    assert!(player.device.is_dormant() && !player.device.led_supply());
}

/// Between two readings of the minute the voltage falls below what flash can be written with, and then a key is pressed.
fn with_a_move_at_too_low_a_voltage() -> (Player<Handheld>, Board) {
    let mut player = on_cells(4_500, 0);
    let dealt = player.random_puzzle();
    player.wait(ms(1500));
    player.device.set_supply(cells(2_700, 0));
    player.tap(cell(2, 3));
    (player, CLASSIC.press(dealt, cell(2, 3)))
}

#[test]
fn nothing_is_written_while_it_is_too_low_and_all_of_it_when_it_is_back() {
    let (mut player, board) = with_a_move_at_too_low_a_voltage();
    let writes = player.device.flash().operations();
    player.wait(ms(3000));
    assert_eq!(player.device.flash().operations(), writes, "it waits");
    player.expect_board(board);
    player.device.set_supply(cells(2_900, 0));
    player.wait(ms(600));
    assert!(player.device.flash().operations() > writes, "it is written");
    expect_no_bold_write(&player);
    let flash = Some(player.device.power_off());
    let mut player = switched_on(Options { flash, ..Options::default() });
    player.wait(ms(100));
    player.expect_board(board);
}

#[test]
fn it_sleeps_though_the_save_has_to_wait_and_saves_when_it_wakes() {
    let (mut player, board) = with_a_move_at_too_low_a_voltage();
    let writes = player.device.flash().operations();
    let asleep = player.device.run_until(Duration::from_secs(75), |handheld| handheld.is_dormant());
    assert!(asleep && player.device.resets().is_empty(), "no deadlock, no watchdog");
    assert_eq!(player.device.flash().operations(), writes);
    player.wait(Duration::from_secs(60));
    player.device.set_supply(cells(4_500, 0));
    player.tap(cell(0, 0));
    player.wait(ms(1500));
    player.expect_board(board);
    let flash = Some(player.device.power_off());
    let mut player = switched_on(Options { flash, ..Options::default() });
    player.wait(ms(100));
    player.expect_board(board);
}

#[test]
fn the_power_up_is_not_counted_while_it_is_too_low() {
    let mut player = on_cells(2_700, 0);
    player.wait(ms(60));
    assert_eq!(player.device.flash().operations(), 0);
    assert_eq!(player.told("cannot be counted"), 1);
}

#[test]
fn the_self_test_shows_the_voltage_on_cells_and_not_on_usb() {
    let digit = "..#.# ..#.# ..### ....# ....#";
    for (supply, shown) in [(cells(4_450, 0), true), (Supply::Usb, false)] {
        let mut player = switched_on(Options { supply, ..Options::default() });
        player.hold(&[cell(2, 2)], ms(300));
        player.wait(ms(4000 - 345));
        let mut seen = false;
        for _ in 0..60 {
            player.wait(ms(50));
            seen |= player.board() == Board::parse(digit).expect("25 of # and .");
        }
        assert_eq!(seen, shown, "a 4 comes in");
        player.wait(ms(500));
        assert!(player.board().is_dark(), "then the keys");
        player.tap(cell(1, 1));
        player.expect_board(Board::of(cell(1, 1).bit()));
        assert_eq!(player.told("battery mv=4"), usize::from(shown));
    }
}

#[test]
fn a_converter_that_fails_is_no_battery() {
    let mut player = on_cells(3_000, 0);
    player.device.fail_conversions(u32::MAX);
    player.after_greeting();
    player.wait(ms(2000));
    assert!(player.device.led_supply() && states(&player).is_empty());
    assert_eq!(CLASSIC.par(player.board()), Some(1), "the first level");
}

#[test]
fn a_low_battery_comes_up_no_later_than_the_game() {
    let mut player = on_cells(3_300, 0);
    let first = player.device.run_to_next_frame(ms(500)).expect("a first frame");
    assert!(first.ended <= limits::START);
    player.expect_within(ms(60), "the battery", |player| player.board() == low());
}

/// Plays on cells that get weaker until they give way; what comes back was on the lights less than a second before, or what could
/// not be written because they were too low.
fn play_until_they_die(dice: &mut Dice, flash: Vec<u8>, saved: Board, round: u32) -> (Vec<u8>, Board, Option<Death>) {
    let start = 3_600 + dice.below(900);
    let milliohms = 500 + dice.below(4_000);
    // From a slow decline to cells that fall out.
    let fall = 1 + dice.below(if round.is_multiple_of(2) { 40 } else { 400 });
    let supply = cells(start, milliohms);
    let mut player = switched_on(Options { flash: Some(flash), supply, seed: dice.seed(), ..Options::default() });
    player.wait(ms(1500));
    let mut millivolts = start;
    let mut shown: Vec<(Duration, Board)> = vec![(Duration::ZERO, saved)];
    // From when on a brighter picture may make them too low.
    let mut writable_until: Option<Duration> = None;
    while player.device.death().is_none() && player.device.now() < Duration::from_secs(60) {
        millivolts = millivolts.saturating_sub(dice.below(2 * fall));
        player.device.set_supply(cells(millivolts, milliohms));
        if player.device.vsys() < u32::from(WRITABLE) + 300 {
            writable_until.get_or_insert(player.device.now());
        }
        let board = player.board();
        let key = dice.key();
        let is_on_the_board = board != empty() && board != low() && !board.is_dark();
        if is_on_the_board && !CLASSIC.press(board, key).is_dark() {
            player.press(key);
            shown.push((player.device.now(), CLASSIC.press(board, key)));
            player.wait(ms(30));
            player.release(key);
            shown.push((player.device.now(), player.board()));
        }
        let pause = if dice.below(4) == 0 { 1_500_000 } else { 150_000 };
        player.wait(us(30_000 + u64::from(dice.below(pause))));
    }
    // A picture may come between the look and the write, or between the two pages of a save.
    let sag = (limits::LOW_BATTERY_CURRENT - DARK) * milliohms / 1000;
    let lowest = player.device.lowest_vsys_at_write().unwrap_or(u32::MAX);
    assert!(
        lowest.saturating_add(TOLERANCE + sag) >= WRITABLE.into(),
        "round {round}: flash was written at {lowest} mV"
    );
    let death = player.device.death();
    let over = player.device.now().min(writable_until.unwrap_or(Duration::MAX));
    let flash = player.device.power_off();
    let mut player = switched_on(Options { flash: Some(flash), ..Options::default() });
    let frame = player.device.run_to_next_frame(ms(500)).expect("it starts");
    let board = Board::from_bits(frame.lit());
    assert_eq!(fresh_starts(&player), 0, "round {round}: the save was lost: {:?}", player.device.logs());
    let safe = shown.iter().rposition(|(at, _)| *at + ms(1100) < over).unwrap_or(0);
    let allowed: Vec<Board> = shown[safe..].iter().map(|(_, board)| *board).collect();
    assert!(allowed.contains(&board), "round {round}: {board} came back, but {allowed:?} were on the lights");
    (player.device.power_off(), board, death)
}

#[test]
fn cells_that_die_at_any_moment_cost_no_more_than_the_last_second() {
    let plays = rounds(12, 500);
    let mut dice = Dice::new(14, 15);
    let mut player = switched_on(Options::default());
    let mut board = player.random_puzzle();
    player.wait(ms(1200));
    let mut flash = player.device.power_off();
    let mut deaths = 0;
    for round in 0..plays {
        let death;
        (flash, board, death) = play_until_they_die(&mut dice, flash, board, round);
        deaths += u32::from(death == Some(Death::BrownOut));
    }
    println!("{plays} sets of cells, {deaths} of them until the power broke down: nothing lost");
    assert!(deaths > plays / 2);
}

/// The whole of the flash for saves has to be erased, and the cells die over it.
#[test]
fn cells_that_die_over_an_erase_cost_nothing() {
    let mut dice = Dice::new(14, 16);
    let mut player = switched_on(Options { flash: Some(full_flash()), ..Options::default() });
    player.random_puzzle();
    player.wait(ms(1500));
    let board = player.board();
    let mut flash = player.device.power_off();
    for round in 0..rounds(3, 100) {
        let mut player = switched_on(Options { flash: Some(flash), supply: cells(4_000, WORN), ..Options::default() });
        player.wait(ms(500));
        player.wait(Duration::from_secs(180));
        player.device.run_until(Duration::from_secs(9), |handheld| handheld.flash_is_erased());
        player.wait(us(dice.below(400_000).into()));
        player.device.set_supply(cells(2_000 + dice.below(800), WORN));
        player.wait(Duration::from_secs(12));
        expect_no_bold_write(&player);
        flash = player.device.power_off();
        let mut player = switched_on(Options { flash: Some(flash), ..Options::default() });
        player.wait(WIPED);
        assert_eq!(fresh_starts(&player), 0, "round {round}");
        player.expect_board(board);
        flash = player.device.power_off();
    }
}
