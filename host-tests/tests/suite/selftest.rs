//! The self-test for makers: the display of each fault, and the start of the bootloader.

use std::time::Duration;

use lights_out::battery::Measured;
use lights_out::board::{Board, Cell, Cells};
use lights_out::display::Colour;
use lights_out::game::self_test::{BOOTLOADER_AFTER, Finding, SelfTest};
use lights_out::game::status::Scene;
use lights_out::game::{Game, GameEvent, Input};
use lights_out::gesture::{Command, Corner, Gesture};
use lights_out::keys::KeyEvent;
use lights_out::layout::{KeyMap, Layout};
use lights_out::matrix::{Contact, Contacts};
use player::{CoreDevice, Device, Dice, cell, command, handle_input, ms, tap, tick_game, us};

use crate::support::is_long_campaign;

const CENTRE: Contacts = Contacts::from_bits(1 << 12);
const CENTRE_CELL: Cells = Cells::from_bits(1 << 12);
const REFERENCE: KeyMap = Layout::REFERENCE.keys;

/// Presses and releases every key of a mask. Returns the findings.
fn press_all(test: &mut SelfTest, keys: Contacts) -> Vec<Finding<Contact>> {
    let mut found = Vec::new();
    for key in keys {
        found.extend(test.update_contacts(10_000_000, key.bit()));
        found.extend(test.update_contacts(10_100_000, Contacts::EMPTY));
        found.extend(test.judge(10_200_000));
    }
    // The maker presses no more keys.
    found.extend(test.judge(13_500_000));
    found.extend(test.judge(13_600_000));
    found
}

fn started() -> SelfTest {
    let mut test = SelfTest::new(0, CENTRE);
    assert_eq!(test.update_contacts(300_000, Contacts::EMPTY), None);
    test
}

#[test]
fn good_board_is_reported_once_after_all_keys() {
    let mut test = started();
    assert_eq!(press_all(&mut test, Contacts::ALL), [Finding::AllWork]);
    assert_eq!(press_all(&mut test, Contacts::ALL), []);
    assert!(test.frame(6_000_000, &REFERENCE).0.iter().all(|&light| light == Colour::GOOD));
}

#[test]
fn colours_are_shown_in_sequence() {
    let test = started();
    let shown = [500_000, 1_500_000, 2_500_000, 3_500_000].map(|now| test.frame(now, &REFERENCE).0[7]);
    assert_eq!(shown, [Colour::BAD, Colour::PURE_GREEN, Colour::PURE_BLUE, Colour::WHITE]);
}

#[test]
fn dead_row_or_column_is_found() {
    for line in 0..5 {
        let row = Contacts::from_bits(0b11111 << (5 * line));
        assert_eq!(press_all(&mut started(), !row), [Finding::DeadRow(line)]);
        assert_eq!(press_all(&mut started(), !Contacts::from_bits(0x10_8421 << line)), [Finding::DeadColumn(line)]);
        // No finding while another key has not been pressed.
        let other = Contact::new(5 * ((line + 1) % 5) + 2).unwrap().bit();
        assert_eq!(press_all(&mut started(), !(row | other)), []);
    }
    let mut test = started();
    press_all(&mut test, !Contacts::from_bits(0b11111));
    let frame = test.frame(14_000_000, &REFERENCE);
    assert!(frame.0[..5].iter().all(|&light| light == Colour::BAD));
    assert!(frame.0[5..].iter().all(|&light| light == Colour::GOOD));
}

#[test]
fn keys_that_close_together_are_reported() {
    let mut test = started();
    let (a, b) = (Contact::new(6).unwrap(), Contact::new(7).unwrap());
    assert_eq!(test.update_contacts(5_000_000, a.bit() | b.bit()), Some(Finding::ClosedTogether(a, b)));
    assert_eq!(test.frame(6_000_000, &REFERENCE).0[a.index()], Colour::VIOLET);
}

#[test]
fn key_that_never_opens_is_stuck() {
    let stuck = Contact::new(15).unwrap();
    let mut test = SelfTest::new(0, CENTRE | stuck.bit());
    test.update_contacts(300_000, stuck.bit());
    assert_eq!(test.judge(5_000_000), None);
    assert_eq!(test.judge(9_100_000), Some(Finding::Stuck(stuck)));
    assert_eq!(test.judge(9_200_000), None, "reported once");
    assert_eq!(test.frame(10_000_000, &REFERENCE).0[stuck.index()], Colour::BAD);
}

#[test]
fn self_test_ends_and_leaves_the_game_unchanged() {
    for by_command in [true, false] {
        let mut game = Game::new(0, 1);
        let snapshot = game.snapshot();
        handle_input(&mut game, 1000, KeyEvent::SelfTest(CENTRE));
        handle_input(&mut game, 2000, tap(cell(0, 0)));
        let outputs = handle_input(&mut game, 3000, KeyEvent::Closed(Contacts::from_bits(0b11)));
        assert_eq!(outputs.events, [GameEvent::Found(Finding::ClosedTogether(cell(0, 0), cell(0, 1)))]);
        if by_command {
            handle_input(&mut game, 5_000_000, command(Command::Menu));
        } else {
            tick_game(&mut game, 181_000_000);
        }
        assert_eq!(game.snapshot(), snapshot);
        assert!(!game.state().is_menu_open());
        assert!(game.deadline(181_000_000).is_some(), "the greeting continues");
    }
}

/// The end of the colour test, in microseconds.
const KEYS_BEGIN: u64 = 4_000_000;
const BOTTOM: Cells = Command::Demo.keys();

/// A handheld in its self-test, after the colours, with all keys up.
fn tester() -> CoreDevice {
    let mut device = CoreDevice::power_on(Game::new(0, 1), CENTRE_CELL);
    device.wait(ms(300));
    device.set_key(cell(2, 2), false);
    device.wait(us(KEYS_BEGIN) - ms(200));
    assert!(device.lit().is_empty(), "the colour test is over");
    device
}

fn hold(device: &mut CoreDevice, keys: Cells, time: Duration) {
    keys.iter().for_each(|key| device.set_key(key, true));
    device.wait(time);
}

#[test]
fn bottom_corners_held_3_s_start_the_bootloader() {
    let mut device = tester();
    hold(&mut device, BOTTOM, ms(600));
    assert_eq!(device.lit(), BOTTOM, "before 0.7 s they are tested as keys");
    device.wait(ms(150));
    let arrow = Board::parse("..#.. ..#.. #.#.# .###. ..#..").unwrap().lit();
    assert_eq!(device.lit(), arrow);
    let brightness =
        |device: &CoreDevice| device.led_colours().iter().flatten().map(|&led| u32::from(led)).sum::<u32>();
    let mut before = brightness(&device);
    for _ in 0..4 {
        device.wait(ms(470));
        assert!(brightness(&device) > before && device.lit() == arrow, "the arrow fills");
        before = brightness(&device);
    }
    // The second corner is detected one scan after the first.
    device.wait(us(BOOTLOADER_AFTER) - ms(750 + 4 * 470));
    assert_eq!(device.outputs.bootloaders, 0);
    device.wait(ms(1));
    assert_eq!(device.outputs.bootloaders, 1);
    // The bootloader is requested once, and the arrow stays.
    device.wait(ms(1000));
    assert_eq!((device.outputs.bootloaders, device.lit()), (1, arrow));
}

#[test]
fn other_holds_do_not_start_the_bootloader() {
    // Both corners or one of them are released too early.
    for released in [BOTTOM, cell(4, 0).bit(), cell(4, 4).bit()] {
        let mut device = tester();
        hold(&mut device, BOTTOM, ms(2990));
        released.iter().for_each(|key| device.set_key(key, false));
        device.wait(ms(5000));
        assert_eq!(device.outputs.bootloaders, 0);
        assert_eq!(device.lit(), BOTTOM, "back to the test of the keys: both keys work");
        // Each hold starts the time again.
        hold(&mut device, BOTTOM, ms(2990));
        assert_eq!(device.outputs.bootloaders, 0);
        device.wait(ms(11));
        assert_eq!(device.outputs.bootloaders, 1);
    }
    // A third key prevents it, before or during the hold. The time starts again after its release.
    for other in !BOTTOM {
        let mut device = tester();
        hold(&mut device, other.bit(), ms(50));
        hold(&mut device, BOTTOM, ms(4000));
        assert_eq!(device.outputs.bootloaders, 0, "{other:?}");
        device.set_key(other, false);
        device.wait(ms(2000));
        device.set_key(other, true);
        device.wait(ms(100));
        device.set_key(other, false);
        device.wait(ms(2900));
        assert_eq!(device.outputs.bootloaders, 0, "{other:?}");
    }
    // Any other two keys.
    for (a, b) in Cell::all().flat_map(|b| Cell::all().take(b.index()).map(move |a| (a, b))) {
        let mut device = tester();
        hold(&mut device, a.bit() | b.bit(), ms(3200));
        assert_eq!(device.outputs.bootloaders, usize::from(Cells::from([a, b]) == BOTTOM), "{a:?} and {b:?}");
    }
}

#[test]
fn stuck_corners_and_colour_answers_start_nothing() {
    // One corner or both have been closed since power-on.
    for stuck in [BOTTOM, cell(4, 0).bit()] {
        let mut device = CoreDevice::power_on(Game::new(0, 1), stuck | CENTRE_CELL);
        device.wait(ms(300));
        device.set_key(cell(2, 2), false);
        device.wait(ms(5000));
        hold(&mut device, BOTTOM, ms(20_000));
        assert_eq!(device.outputs.bootloaders, 0);
    }
    // Held during the colour test: the time starts at its end.
    let mut device = CoreDevice::power_on(Game::new(0, 1), CENTRE_CELL);
    device.wait(ms(300));
    device.set_key(cell(2, 2), false);
    // White is shown: a press is no answer.
    device.wait(ms(3300));
    hold(&mut device, BOTTOM, ms(3390));
    assert_eq!(device.outputs.bootloaders, 0);
    device.wait(ms(20));
    assert_eq!(device.outputs.bootloaders, 1);
}

#[test]
fn bottom_corners_follow_the_learned_layout() {
    let layout = Dice::new(21, 3).layout();
    let mut device =
        CoreDevice::power_on_board(layout, |contacts| contacts, Game::with_layout(layout, 0, 1), CENTRE_CELL);
    device.wait(ms(300));
    device.set_key(cell(2, 2), false);
    device.wait(ms(4500));
    hold(&mut device, BOTTOM, ms(3001));
    assert_eq!(device.outputs.bootloaders, 1);
}

#[test]
fn sleep_resets_held_corners_of_the_self_test() {
    let mut device = tester();
    hold(&mut device, BOTTOM, ms(1000));
    // During sleep the release of the corners is not detected.
    device.input(KeyEvent::Sleep);
    device.wait(ms(100));
    device.input(KeyEvent::Wake);
    device.wait(ms(10_000));
    assert_eq!(device.outputs.bootloaders, 0);
}

/// Random inputs of keys, clock and battery, without the self-test.
#[test]
fn random_inputs_do_not_start_the_bootloader() {
    let mut scenes = std::collections::HashSet::new();
    for seed in 0..if is_long_campaign() { 2000 } else { 60 } {
        let mut dice = Dice::new(seed, 31);
        let mut game = Game::new(0, seed);
        let mut now = 0;
        for _ in 0..1500 {
            now += [1_000, 50_000, 700_000, 3_000_000, 40_000_000][dice.below(5) as usize];
            let corner = Corner::ALL[dice.below(4) as usize];
            let input: Input = match dice.below(24) {
                0 => KeyEvent::Sleep.into(),
                1..=2 => KeyEvent::Wake.into(),
                3 if dice.below(8) == 0 => KeyEvent::Teach.into(),
                4..=7 => {
                    let corners = REFERENCE.contacts_of_cells(BOTTOM);
                    let any = Contacts::from_bits(dice.below(1 << 25));
                    KeyEvent::Closed([corners, corners, Contacts::EMPTY, any][dice.below(4) as usize]).into()
                }
                8 => Input::Battery(Measured::Battery(2800 + dice.below(2000) as u16)),
                9 => Input::Battery(Measured::NoBattery),
                10..=12 => command(Command::Demo).into(),
                13..=15 => {
                    let command = Command::ALL[dice.below(6) as usize];
                    KeyEvent::Gesture(Gesture::Command { command, roll_back: Some(corner) }).into()
                }
                16..=17 => tap(corner.cell()).into(),
                _ => tap(dice.key()).into(),
            };
            let mut bootloaders = handle_input(&mut game, now, input).bootloaders;
            for _ in 0..dice.below(4) {
                now = game.deadline(now).map_or(now, |due| due.clamp(now, now + 20_000));
                bootloaders += tick_game(&mut game, now).bootloaders;
            }
            scenes.insert(game.status(now).scene.name());
            assert_eq!(bootloaders, 0, "seed {seed} at {now} after {input:?}");
        }
    }
    assert!(
        scenes.len() >= 18 && !scenes.contains(Scene::SelfTest.name()),
        "every scene except for the self-test is reached: {scenes:?}"
    );
}

/// Random keys from power-on, often the bottom corners, without the self-test.
#[test]
fn random_keys_do_not_start_the_bootloader() {
    for seed in 0..if is_long_campaign() { 500 } else { 25 } {
        let mut dice = Dice::new(seed, 32);
        let held = Cells::from_bits(dice.below(1 << 25) & dice.below(1 << 25)) & !CENTRE_CELL;
        let held = [Cells::EMPTY, BOTTOM, Cells::from_bits(1 << dice.below(12)), held][dice.below(4) as usize];
        let mut device = CoreDevice::power_on(Game::new(0, seed), held);
        let mut down = held;
        for _ in 0..400 {
            let goal = match dice.below(8) {
                0..=2 => BOTTOM,
                3 => Cells::EMPTY,
                4 => Command::ALL[dice.below(6) as usize].keys(),
                5 => BOTTOM | dice.key().bit(),
                _ => dice.key().bit(),
            };
            (goal ^ down).iter().for_each(|key| device.set_key(key, goal.contains(key)));
            down = goal;
            let longest = [60, 60, 60, 900, 900, 4_000, 4_000, 7_000][dice.below(8) as usize];
            let longest = if dice.below(200) == 0 { 400_000 } else { longest };
            device.wait(ms(u64::from(1 + dice.below(longest))));
        }
        assert_eq!(device.outputs.bootloaders, 0, "seed {seed}");
    }
}
