//! The real firmware on boards that have different parts at GP24, GP25 and GP29: Picos with and without radio, and
//! clones.

use emulator::{Handheld, Options, PicoBoard, Supply};
use player::{Player, cell, limits, ms};

use super::support::{expect_nothing_wrong, step_of_cases, switched_on};

/// The radio's chip select; on other boards the lamp.
const SELECT: u32 = 25;

fn cells(millivolts: u32) -> Supply {
    Supply::Cells { millivolts, milliohms: 0 }
}

/// What the firmware says of its board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Found {
    Plain,
    Radio,
    NothingToMeasure,
}

impl Found {
    fn of(player: &Player<Handheld>) -> Vec<Self> {
        let kind = |line: &str| match line {
            line if line.starts_with("no radio:") => Some(Self::Plain),
            line if line.starts_with("radio:") => Some(Self::Radio),
            line if line.starts_with("the battery cannot be measured") => Some(Self::NothingToMeasure),
            _ => None,
        };
        player.device.logs().iter().filter_map(|line| kind(&line.text)).collect()
    }
}

/// Switches a handheld on, and sees which board it finds: once, and with GP25 high exactly on a board with radio. On a
/// plain board GP25 was never high, because that would flash its lamp.
#[track_caller]
fn expect_found(options: Options, expected: Found) -> Player<Handheld> {
    let case =
        format!("{:?}, {:?}, {} ohm, {} pF", options.board, options.supply, options.pad_pull, options.vsys_filter);
    let mut player = switched_on(options);
    player.device.probe_pins(1 << SELECT);
    player.device.run_until(ms(60), |handheld| handheld.frame().is_some());
    assert_eq!(Found::of(&player), [expected], "{case}");
    assert_eq!(player.device.pin(SELECT), expected == Found::Radio, "GP25: {case}");
    let was_high = player.device.probed().any(|(_, levels)| levels != 0);
    assert!(expected != Found::Plain || !was_high, "the lamp was on: {case}");
    player
}

/// The voltage that was told last, in millivolts.
fn told_voltage(player: &Player<Handheld>) -> Option<u32> {
    let line = player.device.logs().iter().rev().find_map(|line| line.text.strip_prefix("battery mv="))?;
    line.split(' ').next()?.parse().ok()
}

#[test]
fn boards_are_told_apart_at_any_voltage() {
    let voltages = (2_000..=5_200).step_by(200);
    let cases = voltages.flat_map(|millivolts| {
        [50_000, 65_000, 80_000].into_iter().flat_map(move |pad_pull| {
            [1_000, 10_000].into_iter().flat_map(move |vsys_filter| {
                [(PicoBoard::Plain, Found::Plain), (PicoBoard::Radio, Found::Radio)].into_iter().map(
                    move |(board, found)| {
                        let supply = cells(millivolts);
                        (Options { board, supply, pad_pull, vsys_filter, ..Options::default() }, found)
                    },
                )
            })
        })
    });
    // 204 cases. A fifth of them still has each board with each pull and each capacitor: there are 12 of these
    // combinations, and 5 does not divide that.
    for (seed, (options, found)) in (0..).zip(cases).step_by(step_of_cases(5)) {
        expect_found(Options { seed, ..options }, found);
    }
}

#[test]
fn boards_are_told_apart_on_usb() {
    for (board, found) in [(PicoBoard::Plain, Found::Plain), (PicoBoard::Radio, Found::Radio)] {
        let mut player = expect_found(Options { board, supply: Supply::Usb, ..Options::default() }, found);
        player.wait(ms(1_000));
        assert_eq!(told_voltage(&player), None, "USB is no battery");
        expect_nothing_wrong(&player.device);
    }
}

#[test]
fn boards_are_told_apart_while_the_cells_sag() {
    // The LEDs' capacitor takes 300 mA for 16 ms: 0.9 V of worn cells.
    for (board, found) in [(PicoBoard::Plain, Found::Plain), (PicoBoard::Radio, Found::Radio)] {
        for millivolts in [3_300, 3_900] {
            let supply = Supply::Cells { millivolts, milliohms: 3_000 };
            expect_found(Options { board, supply, vsys_filter: 10_000, ..Options::default() }, found);
        }
    }
}

#[test]
fn boards_are_told_apart_after_a_restart() {
    // The pin still has its charge, and the radio was selected until the reset.
    for (board, found) in [(PicoBoard::Plain, Found::Plain), (PicoBoard::Radio, Found::Radio)] {
        let options =
            Options { board, supply: cells(3_200), pad_pull: 80_000, vsys_filter: 10_000, ..Options::default() };
        let mut player = expect_found(options, found);
        player.device.probe_reset();
        player.wait(ms(60));
        assert_eq!(Found::of(&player), [found, found]);
        assert_eq!(player.device.pin(SELECT), found == Found::Radio);
    }
}

#[test]
fn plain_board_at_low_voltage_still_looks_for_usb() {
    let mut player = expect_found(
        Options { supply: cells(3_300), pad_pull: 50_000, vsys_filter: 10_000, ..Options::default() },
        Found::Plain,
    );
    player.wait(ms(1_500));
    assert!(told_voltage(&player).is_some_and(|told| told.abs_diff(3_300) < 50), "{:?}", told_voltage(&player));
    player.device.set_supply(Supply::Usb);
    player.wait(ms(61_000));
    assert_eq!(player.told("battery mv=0 state=none"), 1, "{:?}", player.device.logs());
}

#[test]
fn clone_with_nothing_to_measure_has_no_battery() {
    let other = |millivolts, ohms| PicoBoard::Other { millivolts, ohms, button: true };
    let boards = [
        // Floating pins, one of them where a third of 2.4 V would be.
        PicoBoard::Bare { drift: 0 },
        PicoBoard::Bare { drift: 800 },
        PicoBoard::Bare { drift: 1_500 },
        PicoBoard::Bare { drift: 3_300 },
        // A button, a lamp to ground, a sensor at a third of 2.4 and of 4.5 V, half of 3.3 V by two resistors.
        other(3_300, 10_000),
        other(0, 1_000),
        other(800, 1_000),
        other(1_500, 1_000),
        other(1_650, 5_000),
        // As weak as the divider, but no board has so much.
        other(3_300, 66_667),
    ];
    for (seed, board) in (0..).zip(boards).step_by(step_of_cases(3)) {
        let options = Options { board, supply: cells(4_500), seed, ..Options::default() };
        let mut player = expect_found(options, Found::NothingToMeasure);
        assert_eq!(player.told("cannot be counted"), 0, "writing is allowed: {board:?}");
        player.after_greeting();
        let writes = player.device.flash().operations();
        player.random_puzzle();
        player.tap(cell(2, 3));
        player.wait(ms(1_500));
        assert!(player.device.flash().operations() > writes, "it is saved: {board:?}");
        assert_eq!(player.told("battery mv="), 0, "{board:?}: {:?}", player.device.logs());
        expect_nothing_wrong(&player.device);
    }
}

#[test]
fn converter_that_failed_at_start_is_not_asked_again() {
    let mut player = switched_on(Options { supply: cells(3_000), ..Options::default() });
    player.device.fail_conversions(u32::MAX);
    player.wait(ms(60));
    assert_eq!(Found::of(&player), [Found::NothingToMeasure]);
    assert!(!player.device.pin(SELECT));
    player.device.fail_conversions(0);
    // The next reading is after a minute.
    player.wait(ms(62_000));
    assert!(player.device.led_supply(), "it does not sleep for a battery that it knows nothing of");
    assert_eq!(player.told("battery mv="), 0);
}

#[test]
fn some_failed_conversions_at_start_do_not_matter() {
    let mut player = switched_on(Options { supply: cells(3_900), ..Options::default() });
    player.device.fail_conversions(5);
    player.wait(ms(60));
    assert_eq!(Found::of(&player), [Found::Plain]);
}

#[test]
fn slowest_board_is_lit_no_later() {
    let start = |board, vsys_filter| {
        let options = Options { board, vsys_filter, supply: cells(4_500), ..Options::default() };
        switched_on(options).device.run_to_next_frame(ms(500)).expect("a first frame").ended
    };
    let first = start(PicoBoard::Plain, 1_000);
    let last = start(PicoBoard::Radio, 10_000);
    println!("first light: {first:?} on a Pico, {last:?} with a radio and 10 nF");
    assert!(last <= limits::START + limits::SUPPLY_RISE);
    assert!(last <= first + ms(1), "the supply of the LEDs takes longer: {first:?}, {last:?}");
}
