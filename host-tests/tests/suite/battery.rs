//! The battery, on the library: the meaning of a voltage, the times of the readings, and the reaction of the game.

use lights_out::battery::{
    CONFIRM, Charge, EMPTY, Gauge, HYSTERESIS, LOW, MAX_MEASURE_PERIOD, MEASURE_PERIOD, MIN_USB, MIN_WRITABLE,
    Measured, SETTLE,
};
use lights_out::display::{Colour, Frame};
use lights_out::game::modes::ModeKind;
use lights_out::game::status::Scene;
use lights_out::game::{Game, Input, Output};
use lights_out::keys::KeyEvent;
use lights_out::matrix::Contacts;
use player::{CoreDevice, Player, cell, handle_input, ms};
use proptest::prelude::*;

use crate::scenarios::battery::each_battery_scenario;
use crate::support::cases;

fn play(scenario: impl FnOnce(&mut Player<CoreDevice>)) {
    scenario(&mut Player::new(CoreDevice::new(7)));
}

each_battery_scenario!(play);

/// The charge after each of these readings. A reading is made when the gauge requests one.
fn charges(millivolts: &[u16]) -> Vec<Charge> {
    let mut gauge = Gauge::new(0);
    let read = |&millivolts: &u16| {
        let now = gauge.due(true).expect("another reading");
        assert!(gauge.take_request(now, true) && !gauge.take_request(now, true), "one request for each reading");
        gauge.take(now, Measured::Battery(millivolts));
        gauge.battery().charge
    };
    millivolts.iter().map(read).collect()
}

#[test]
fn samples_become_millivolts_or_no_battery() {
    // 4.5 V: the divider gives a third of it, and 3.27 V are 4096 counts.
    assert_eq!(Measured::of_samples(8 * 1879, 8), Measured::Battery(4500));
    assert_eq!(Measured::of_samples(8 * 4095, 8), Measured::Battery(9807), "no overflow");
    for nothing in [0, 100, 740] {
        assert_eq!(Measured::of_samples(8 * nothing, 8), Measured::NoBattery);
    }
    assert!(Measured::NoBattery.is_writable() && Measured::Battery(MIN_WRITABLE).is_writable());
    assert!(!Measured::Battery(MIN_WRITABLE - 1).is_writable());
}

#[test]
fn low_voltage_means_battery_without_vbus_sense() {
    for battery in [MIN_WRITABLE - 1, EMPTY, LOW, MIN_USB - 1].map(Measured::Battery) {
        assert_eq!(battery.unless_usb(), battery);
    }
    for usb in [MIN_USB, 4700, 5200] {
        assert_eq!(Measured::Battery(usb).unless_usb(), Measured::NoBattery);
    }
    assert_eq!(Measured::NoBattery.unless_usb(), Measured::NoBattery);
    // A battery that becomes good again after it was low is still detected as a battery.
    const { assert!(LOW + HYSTERESIS < MIN_USB) };
}

#[test]
fn empty_battery_still_allows_flash_writes() {
    const { assert!(MIN_WRITABLE + 200 <= EMPTY && EMPTY + 200 <= LOW) };
}

#[test]
fn lower_charge_needs_two_readings() {
    use Charge::{Empty, Good, Low, None};
    assert_eq!(charges(&[4500, 3300, 4500, 3300, 3300]), [Good, Good, Good, Good, Low]);
    assert_eq!(charges(&[3300, 3300]), [None, Low]);
    assert_eq!(charges(&[4500, 2500, 3300, 3300]), [Good, Good, Low, Low], "the higher of two readings counts");
    assert_eq!(charges(&[4500, 3300, 3000, 3000]), [Good, Good, Low, Empty]);
    assert_eq!(charges(&[3000, 3000, 3499, 3500, 3799, 3800]), [None, Empty, Empty, Low, Low, Good]);
}

#[test]
fn readings_are_due_after_start_doubt_and_wake() {
    let mut gauge = Gauge::new(1000);
    assert_eq!((gauge.due(true), gauge.due(false)), (Some(1000 + SETTLE), Some(1000 + SETTLE)));
    gauge.take(50_000, Measured::Battery(3300));
    assert_eq!(gauge.due(false), Some(50_000 + CONFIRM));
    gauge.take(70_000, Measured::Battery(3300));
    assert_eq!((gauge.due(true), gauge.due(false)), (Some(70_000 + MEASURE_PERIOD), Some(70_000 + MAX_MEASURE_PERIOD)));
    gauge.sleep();
    assert_eq!(gauge.due(true), None);
    gauge.wake(1_000_000);
    assert_eq!(gauge.due(false), Some(1_000_000 + SETTLE));
}

proptest! {
    #![proptest_config(cases(2_000))]

    /// Readings that differ by less than the hysteresis may lower the charge, but never raise it again.
    #[test]
    fn small_voltage_changes_never_raise_the_charge(
        lowest in 2000..5000_u16,
        offsets in proptest::collection::vec(0..HYSTERESIS, 2..200),
    ) {
        let readings: Vec<u16> = offsets.iter().map(|offset| lowest + offset).collect();
        let charges = charges(&readings);
        prop_assert!(charges.is_sorted(), "{charges:?}");
    }

    /// A single low reading never makes the charge low or empty.
    #[test]
    fn single_reading_does_not_lower_the_charge(readings in proptest::collection::vec(1800..5000_u16, 2..100)) {
        let charges = charges(&readings);
        for n in 1..readings.len() {
            if charges[n] > charges[n - 1] && charges[n] >= Charge::Low {
                let threshold = if charges[n] == Charge::Empty { EMPTY } else { LOW };
                prop_assert!(readings[n].max(readings[n - 1]) < threshold, "{readings:?} {charges:?}");
            }
        }
    }

    /// The voltage changes at random while the player continues. As soon as the battery is empty, the game is saved.
    #[test]
    fn empty_battery_saves_the_game(
        acts in proptest::collection::vec((1800..5000_u16, 0..25_usize, 1..3000_u64), 1..60),
    ) {
        let mut player = Player::new(CoreDevice::new(5));
        player.wait_for_greeting();
        for (millivolts, key, pause) in acts {
            player.device.supply = Measured::Battery(millivolts);
            player.tap(cell(key / 5, key % 5));
            let first = player.device.outputs.clone();
            player.device.input(Input::Battery(player.device.supply));
            player.device.input(Input::Battery(player.device.supply));
            if player.device.game.charge() == Charge::Empty {
                let last = player.device.outputs.saves.last().or(first.saves.last());
                let now = lights_out::save::Save::of(&player.device.game.snapshot());
                prop_assert_eq!(last, now.as_ref());
            }
            player.wait(ms(pause));
        }
    }
}

/// The lesson of the Tutor is always animated.
#[test]
fn endless_animation_allows_reading_every_five_minutes() {
    let mut player = Player::new(CoreDevice::new(7));
    player.wait_for_greeting();
    player.start(ModeKind::Tutor, &[]);
    let before = player.device.outputs.battery_readings;
    for _ in 0..5 {
        player.wait(ms(60_000));
        // A key press restarts the idle timeout.
        player.press(cell(4, 4));
        player.wait(ms(50));
        player.release(cell(4, 4));
    }
    assert_eq!(player.device.outputs.battery_readings, before + 1);
}

/// A command rolls back its first tap, but not the state of the battery.
#[test]
fn command_does_not_roll_back_empty_battery() {
    let mut player = Player::new(CoreDevice::new(7));
    player.start_random_puzzle();
    player.press(cell(0, 0));
    player.wait(ms(50));
    player.device.supply = Measured::Battery(3000);
    player.device.input(Input::Battery(player.device.supply));
    player.device.input(Input::Battery(player.device.supply));
    player.press(cell(4, 4));
    player.wait(ms(850));
    assert_eq!(player.board(), crate::scenarios::battery::empty_battery_lights());
    player.wait(ms(500));
    assert!(!player.device.is_lit());
}

/// A reading that arrives during sleep shows nothing.
#[test]
fn reading_during_sleep_does_not_wake() {
    let mut game = Game::new(0, 1);
    handle_input(&mut game, 1_000_000, KeyEvent::Sleep);
    for now in [1_100_000, 1_200_000] {
        let mut outputs = 0;
        game.handle(now, Input::Battery(Measured::Battery(3000)), |output| {
            outputs += u32::from(output == Output::Sleep)
        });
        assert!(!game.is_lit() && outputs == 0);
        assert_eq!(game.draw(now), Frame::DARK);
    }
    assert_eq!(game.deadline(1_300_000), None);
    handle_input(&mut game, 2_000_000, KeyEvent::Wake);
    assert_eq!(game.draw(2_000_001), Frame::BATTERY_EMPTY);
}

/// The scrolling text of the self-test: the rightmost column at each step.
fn scrolled(game: &mut Game, from: u64) -> Vec<u32> {
    (0..17)
        .map(|column| {
            let frame = game.draw(from + 150_000 * column + 1000);
            (0..5).fold(0, |mask, row| mask | u32::from(frame.0[5 * row + 4] != Colour::OFF) << row)
        })
        .collect()
}

#[test]
fn self_test_shows_voltage_on_battery_only() {
    for (measured, colour) in [
        (Measured::NoBattery, None),
        (Measured::Battery(4480), Some(Colour::GOOD)),
        (Measured::Battery(3360), Some(Colour::LIGHT)),
    ] {
        let mut game = Game::new(0, 1);
        handle_input(&mut game, 0, KeyEvent::SelfTest(Contacts::from_bits(1 << 12)));
        handle_input(&mut game, 30_000, Input::Battery(measured));
        handle_input(&mut game, 50_000, Input::Battery(measured));
        handle_input(&mut game, 300_000, KeyEvent::Closed(Contacts::EMPTY));
        assert_eq!(game.draw(500_000).0, [Colour::BAD; 25], "the colour test comes first");
        let columns = scrolled(&mut game, 4_000_000);
        let seen = game.draw(4_000_000 + 2 * 150_000).0.into_iter().find(|&led| led != Colour::OFF);
        assert_eq!(seen, colour);
        if measured == Measured::Battery(4480) {
            assert_eq!(
                columns[..11],
                [0b00111, 0b00100, 0b11111, 0, 0, 0b10000, 0, 0, 0b10111, 0b10101, 0b11101],
                "4.5"
            );
        }
        assert_eq!(game.draw(4_000_000 + 17 * 150_000), Frame::DARK, "then the test of the keys");
    }
}

/// Each overlay has its own layer: a teaching that is requested later does not hide the symbol of the empty battery.
#[test]
fn empty_battery_stays_in_front_of_the_teaching() {
    let mut game = Game::new(0, 1);
    for now in [100_000, 400_000] {
        handle_input(&mut game, now, Input::Battery(Measured::Battery(3000)));
    }
    handle_input(&mut game, 500_000, KeyEvent::Teach);
    assert_eq!(game.draw(500_000), Frame::BATTERY_EMPTY);
    handle_input(&mut game, 1_500_000, KeyEvent::Sleep);
    assert_eq!(game.draw(1_500_000), Frame::DARK);
    handle_input(&mut game, 2_000_000, KeyEvent::Wake);
    assert_eq!(game.draw(2_000_000), Frame::BATTERY_EMPTY);
    for now in [2_100_000, 2_400_000] {
        handle_input(&mut game, now, Input::Battery(Measured::NoBattery));
    }
    assert_eq!(game.status(2_400_000).scene, Scene::Teaching);
}
