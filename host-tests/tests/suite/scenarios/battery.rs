//! What a battery does to the game, from fresh to empty. The cells here are ideal: what is fed is what is measured.

use emulator::{Handheld, Supply};
use lights_out::board::{Board, Cell};
use lights_out::game::GameEvent;
use lights_out::game::modes::ModeKind;
use lights_out::gesture::Command;
use lights_out::picture::wire::current;
use lights_out::picture::{Colour, Frame};
use lights_out::solver::CLASSIC;
use player::{CoreDevice, Device, Player, WIPED, cell, limits, ms};
use smart_leds::RGB8;
use std::time::Duration;

/// A minute, and the time that a second reading takes.
const NEXT_READING: Duration = ms(60_500);
/// The picture of a low battery is on the lights this long after power-on or a touch.
const SHOWN_WITHIN: Duration = ms(150);
/// So long it is seen, and wiped away.
const SHOWN: Duration = ms(1050 + 350);

/// Something that is fed.
pub trait Fed: Device {
    /// By cells of so many millivolts from now on; `None` is USB.
    fn feed(&mut self, millivolts: Option<u16>);
    /// Whether nothing runs, and nothing is lit.
    fn is_asleep(&self) -> bool;
    /// What was told of the battery, the last one last.
    fn battery_lines(&self) -> Vec<String>;
}

impl Fed for CoreDevice {
    fn feed(&mut self, millivolts: Option<u16>) {
        self.supply = millivolts.map_or(lights_out::battery::Measured::Nothing, lights_out::battery::Measured::Cells);
    }

    fn is_asleep(&self) -> bool {
        !self.is_lit()
    }

    fn battery_lines(&self) -> Vec<String> {
        let lines = self.put_out.news.iter().filter_map(|news| match news {
            GameEvent::Battery(battery) => {
                Some(format!("battery mv={} state={}", battery.millivolts, battery.charge.name()))
            }
            _ => None,
        });
        lines.collect()
    }
}

impl Fed for Handheld {
    fn feed(&mut self, millivolts: Option<u16>) {
        self.set_supply(
            millivolts.map_or(Supply::Usb, |millivolts| Supply::Cells { millivolts: millivolts.into(), milliohms: 0 }),
        );
    }

    fn is_asleep(&self) -> bool {
        self.is_dormant() && !self.led_supply()
    }

    fn battery_lines(&self) -> Vec<String> {
        self.logs().iter().map(|line| line.text.clone()).filter(|text| text.starts_with("battery ")).collect()
    }
}

fn lit(frame: &Frame) -> Board {
    let lights = Cell::all().filter(|cell| frame.0[cell.index()] != Colour::OFF);
    Board::of(lights.collect())
}

/// The picture of a low battery.
pub fn low() -> Board {
    lit(&Frame::BATTERY_LOW)
}

/// The picture of an empty one.
pub fn empty() -> Board {
    lit(&Frame::BATTERY_EMPTY)
}

/// What the lights and the board draw, in milliamperes.
fn milliamps(player: &Player<impl Device>) -> u32 {
    let mut leds = [RGB8::default(); 25];
    for (led, [r, g, b]) in leds.iter_mut().zip(player.device.picture()) {
        *led = RGB8::new(r, g, b);
    }
    current::drawn(&leds)
}

/// The states that were told, in order.
#[track_caller]
fn expect_told(player: &Player<impl Fed>, states: &[&str]) {
    let lines = player.device.battery_lines();
    let told: Vec<&str> = lines.iter().filter_map(|line| Some(line.split_once("state=")?.1)).collect();
    assert_eq!(told, states, "{lines:?}");
}

#[track_caller]
fn expect_picture(player: &mut Player<impl Fed>, picture: Board) {
    player.expect_within(SHOWN_WITHIN, "the battery", |player| player.board() == picture);
}

/// Low at start: shown for a second, then the game, with no more than 150 mA.
pub fn a_low_battery_is_shown_for_a_second_at_start(player: &mut Player<impl Fed>) {
    player.device.feed(Some(3350));
    expect_picture(player, low());
    player.expect_nothing_for(ms(950));
    player.wait(ms(100));
    let board = player.after_greeting();
    assert_eq!(CLASSIC.par(board), Some(1), "the first level");
    player.tap(cell(0, 0));
    player.expect_board(CLASSIC.press(board, cell(0, 0)));
    player.start(ModeKind::Random, &[(4, 3)]);
    player.try_menu().expect("the menu opens as ever");
    assert!(milliamps(player) <= limits::LOW_BATTERY_CURRENT, "{} mA", milliamps(player));
    assert!(milliamps(player) > limits::LOW_BATTERY_CURRENT * 8 / 10, "but not less than it may");
    expect_told(player, &["low"]);
}

/// A key cuts it short, and is not a move; a command acts.
pub fn a_key_cuts_the_low_battery_short(player: &mut Player<impl Fed>) {
    player.device.feed(Some(3350));
    expect_picture(player, low());
    player.tap(cell(2, 2));
    assert_eq!(CLASSIC.par(player.after_greeting()), Some(1), "the first level, untouched");
    player.wait(ms(180_500));
    assert!(player.device.is_asleep());
    player.tap(cell(2, 2));
    expect_picture(player, low());
    player.command(Command::Menu);
    assert!(player.is_menu(), "{}", player.board());
}

/// In play it is told by the current alone, and not again until it has been better by far.
pub fn a_battery_that_gets_low_in_play_dims_the_lights(player: &mut Player<impl Fed>) {
    player.device.feed(Some(4500));
    player.random_puzzle();
    player.try_menu().expect("the menu opens");
    player.choose(4, 3);
    player.wait(WIPED);
    assert!(milliamps(player) > limits::LOW_BATTERY_CURRENT && milliamps(player) <= limits::CURRENT);
    let steps: [(u16, &[&str], bool); 6] = [
        (3420, &["good"], false),
        (3390, &["good", "low"], true),
        (3420, &["good", "low"], true),
        (3780, &["good", "low"], true),
        (3820, &["good", "low", "good"], false),
        (3420, &["good", "low", "good"], false),
    ];
    for (millivolts, told, is_dim) in steps {
        player.device.feed(Some(millivolts));
        // Awake all the time.
        player.choose(4, 3);
        player.wait(NEXT_READING);
        assert!(player.is_menu(), "no other picture: {}", player.board());
        expect_told(player, told);
        assert_eq!(
            milliamps(player) <= limits::LOW_BATTERY_CURRENT,
            is_dim,
            "{} mA at {millivolts} mV",
            milliamps(player)
        );
    }
}

/// A sleeper is woken to it.
pub fn a_low_battery_is_shown_on_waking(player: &mut Player<impl Fed>) {
    player.device.feed(Some(4000));
    let board = player.random_puzzle();
    player.device.feed(Some(3350));
    player.wait(ms(180_500));
    assert!(player.device.is_asleep());
    player.tap(cell(2, 2));
    expect_picture(player, low());
    player.wait(SHOWN);
    player.expect_board(board);
    // Once a wake.
    player.expect_nothing_for(ms(3000));
}

/// Empty: everything is saved, the picture is seen, it sleeps; a key wakes it to the same, until it is fed again.
pub fn an_empty_battery_ends_the_game_and_new_cells_go_on_with_it(player: &mut Player<impl Fed>) {
    player.device.feed(Some(4000));
    let dealt = player.random_puzzle();
    player.tap(cell(1, 1));
    let board = CLASSIC.press(dealt, cell(1, 1));
    player.device.feed(Some(3050));
    player.expect_within(NEXT_READING, "the battery", |player| player.board() == empty());
    player.tap(cell(3, 3));
    player.wait(ms(800));
    player.expect_board(empty());
    player.wait(ms(500));
    assert!(player.device.is_asleep(), "it sleeps");
    for _ in 0..3 {
        player.wait(ms(5000));
        player.tap(cell(2, 2));
        expect_picture(player, empty());
        player.command(Command::Menu);
        player.expect_within(ms(1500), "sleep", |player| player.device.is_asleep());
    }
    // A little more is not enough: it would be gone at once.
    player.device.feed(Some(3400));
    player.tap(cell(2, 2));
    player.wait(ms(1500));
    assert!(player.device.is_asleep());
    player.device.feed(Some(4500));
    player.tap(cell(2, 2));
    player.wait(ms(150) + WIPED);
    player.expect_board(board);
    player.tap(cell(3, 3));
    player.expect_board(CLASSIC.press(board, cell(3, 3)));
    expect_told(player, &["good", "empty", "good"]);
}

/// With the cable in, nothing is low.
pub fn on_usb_there_is_no_battery(player: &mut Player<impl Fed>) {
    player.device.feed(Some(3000));
    expect_picture(player, empty());
    player.wait(ms(1500));
    assert!(player.device.is_asleep());
    player.device.feed(None);
    player.tap(cell(2, 2));
    assert_eq!(CLASSIC.par(player.after_greeting()), Some(1), "the first level");
    player.start(ModeKind::Random, &[(4, 3)]);
    player.try_menu().expect("the menu opens");
    assert!(milliamps(player) > limits::LOW_BATTERY_CURRENT);
    player.wait(NEXT_READING);
    expect_told(player, &["empty", "none"]);
}

/// Makes a test of each of these scenarios; `$play` plays it.
macro_rules! each_battery_scenario {
    ($play:ident) => {
        crate::scenarios::tests_of!(
            battery, $play:
            a_low_battery_is_shown_for_a_second_at_start,
            a_key_cuts_the_low_battery_short,
            a_battery_that_gets_low_in_play_dims_the_lights,
            a_low_battery_is_shown_on_waking,
            an_empty_battery_ends_the_game_and_new_cells_go_on_with_it,
            on_usb_there_is_no_battery,
        );
    };
}
pub(crate) use each_battery_scenario;
