//! The real firmware detects its board: Picos with and without radio, and clones, which have different parts at GP24,
//! GP25 and GP29.

use emulator::{Handheld, Options, PicoBoard, Supply};
use flash_image::Chip;
use player::{Player, cell, limits, ms};

use super::support::{case_step, expect_no_faults, power_on};

/// GP25: the chip select of the radio, or the on-board LED on a board without radio.
const SELECT: u32 = 25;

fn battery(millivolts: u32) -> Supply {
    Supply::Battery { millivolts, milliohms: 0 }
}

/// The kind of board, as the firmware logs it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum BoardKind {
    Plain,
    Radio,
    Unmeasurable,
}

impl BoardKind {
    fn logged(player: &Player<Handheld>) -> Vec<Self> {
        let kind = |line: &str| match line {
            line if line.starts_with("no radio:") => Some(Self::Plain),
            line if line.starts_with("radio:") => Some(Self::Radio),
            line if line.starts_with("the battery cannot be measured") => Some(Self::Unmeasurable),
            _ => None,
        };
        player.device.logs().iter().filter_map(|line| kind(&line.text)).collect()
    }
}

/// Switches on, and checks which board is detected: it is logged once, and GP25 is high only on a board with radio. On
/// a plain board GP25 must never be high, because that would flash the on-board LED.
#[track_caller]
fn expect_detected(chip: Chip, options: Options, expected: BoardKind) -> Player<Handheld> {
    let case =
        format!("{:?}, {:?}, {} ohm, {} pF", options.board, options.supply, options.pad_pull, options.vsys_filter);
    let mut player = power_on(chip, options);
    player.device.start_logic_analyser(1 << SELECT);
    player.device.run_until(ms(60), |handheld| handheld.frame().is_some());
    assert_eq!(BoardKind::logged(&player), [expected], "{case}");
    assert_eq!(player.device.pin(SELECT), expected == BoardKind::Radio, "GP25: {case}");
    let was_high = player.device.logic_samples().any(|(_, levels)| levels != 0);
    assert!(expected != BoardKind::Plain || !was_high, "the on-board LED was on: {case}");
    player
}

/// The last voltage in the log, in millivolts.
fn logged_voltage(player: &Player<Handheld>) -> Option<u32> {
    let line = player.device.logs().iter().rev().find_map(|line| line.text.strip_prefix("battery mv="))?;
    line.split(' ').next()?.parse().ok()
}

on_each_chip!(board_is_detected_at_any_voltage);
fn board_is_detected_at_any_voltage(chip: Chip) {
    let voltages = (2_000..=5_200).step_by(200);
    let cases = voltages.flat_map(|millivolts| {
        [50_000, 65_000, 80_000].into_iter().flat_map(move |pad_pull| {
            [1_000, 10_000].into_iter().flat_map(move |vsys_filter| {
                [(PicoBoard::Plain, BoardKind::Plain), (PicoBoard::Radio, BoardKind::Radio)].into_iter().map(
                    move |(board, found)| {
                        let supply = battery(millivolts);
                        (Options { board, supply, pad_pull, vsys_filter, ..Options::default() }, found)
                    },
                )
            })
        })
    });
    // 204 cases. Every fifth case still covers each board with each pull and each capacitor: there are 12 of these
    // combinations, and 5 and 12 have no common divisor.
    for (seed, (options, found)) in (0..).zip(cases).step_by(case_step(chip, 5)) {
        expect_detected(chip, Options { seed, ..options }, found);
    }
}

on_each_chip!(board_is_detected_on_usb);
fn board_is_detected_on_usb(chip: Chip) {
    for (board, found) in [(PicoBoard::Plain, BoardKind::Plain), (PicoBoard::Radio, BoardKind::Radio)] {
        let mut player = expect_detected(chip, Options { board, supply: Supply::Usb, ..Options::default() }, found);
        player.wait(ms(1_000));
        assert_eq!(logged_voltage(&player), None, "USB is not a battery");
        expect_no_faults(&player.device);
    }
}

on_each_chip!(board_is_detected_while_battery_sags);
fn board_is_detected_while_battery_sags(chip: Chip) {
    // The capacitor of the LEDs draws 300 mA for 16 ms: a used battery sags by 0.9 V.
    for (board, found) in [(PicoBoard::Plain, BoardKind::Plain), (PicoBoard::Radio, BoardKind::Radio)] {
        for millivolts in [3_300, 3_900] {
            let supply = Supply::Battery { millivolts, milliohms: 3_000 };
            expect_detected(chip, Options { board, supply, vsys_filter: 10_000, ..Options::default() }, found);
        }
    }
}

on_each_chip!(board_is_detected_after_reset);
fn board_is_detected_after_reset(chip: Chip) {
    // The pin still holds its charge, and the radio was selected until the reset.
    for (board, found) in [(PicoBoard::Plain, BoardKind::Plain), (PicoBoard::Radio, BoardKind::Radio)] {
        let options =
            Options { board, supply: battery(3_200), pad_pull: 80_000, vsys_filter: 10_000, ..Options::default() };
        let mut player = expect_detected(chip, options, found);
        player.device.probe_reset();
        player.wait(ms(60));
        assert_eq!(BoardKind::logged(&player), [found, found]);
        assert_eq!(player.device.pin(SELECT), found == BoardKind::Radio);
    }
}

on_each_chip!(plain_board_detects_usb_at_low_voltage);
fn plain_board_detects_usb_at_low_voltage(chip: Chip) {
    let mut player = expect_detected(
        chip,
        Options { supply: battery(3_300), pad_pull: 50_000, vsys_filter: 10_000, ..Options::default() },
        BoardKind::Plain,
    );
    player.wait(ms(1_500));
    assert!(
        logged_voltage(&player).is_some_and(|voltage| voltage.abs_diff(3_300) < 50),
        "{:?}",
        logged_voltage(&player)
    );
    player.device.set_supply(Supply::Usb);
    player.wait(ms(61_000));
    assert_eq!(player.count_logs("battery mv=0 state=none"), 1, "{:?}", player.device.logs());
}

on_each_chip!(clone_without_vsys_divider_has_no_battery);
fn clone_without_vsys_divider_has_no_battery(chip: Chip) {
    let other = |millivolts, ohms| PicoBoard::Other { millivolts, ohms, button: true };
    let boards = [
        // Floating pins; one of them drifts to a third of 2.4 V.
        PicoBoard::Bare { drift: 0 },
        PicoBoard::Bare { drift: 800 },
        PicoBoard::Bare { drift: 1_500 },
        PicoBoard::Bare { drift: 3_300 },
        // A button, an LED to ground, a sensor at a third of 2.4 V and of 4.5 V, two resistors that halve 3.3 V.
        other(3_300, 10_000),
        other(0, 1_000),
        other(800, 1_000),
        other(1_500, 1_000),
        other(1_650, 5_000),
        // The impedance of a VSYS divider, but a voltage that no board has.
        other(3_300, 66_667),
    ];
    for (seed, board) in (0..).zip(boards).step_by(case_step(chip, 3)) {
        let options = Options { board, supply: battery(4_500), seed, ..Options::default() };
        let mut player = expect_detected(chip, options, BoardKind::Unmeasurable);
        assert_eq!(player.count_logs("power-up not counted"), 0, "writing must be allowed: {board:?}");
        player.wait_for_greeting();
        let writes = player.device.flash().operations();
        player.start_random_puzzle();
        player.tap(cell(2, 3));
        player.wait(ms(1_500));
        assert!(player.device.flash().operations() > writes, "not saved: {board:?}");
        assert_eq!(player.count_logs("battery mv="), 0, "{board:?}: {:?}", player.device.logs());
        expect_no_faults(&player.device);
    }
}

on_each_chip!(failed_converter_is_not_read_again);
fn failed_converter_is_not_read_again(chip: Chip) {
    let mut player = power_on(chip, Options { supply: battery(3_000), ..Options::default() });
    player.device.fail_conversions(u32::MAX);
    player.wait(ms(60));
    assert_eq!(BoardKind::logged(&player), [BoardKind::Unmeasurable]);
    assert!(!player.device.pin(SELECT));
    player.device.fail_conversions(0);
    // The next reading would be after one minute.
    player.wait(ms(62_000));
    assert!(player.device.led_supply(), "asleep because of an unknown battery");
    assert_eq!(player.count_logs("battery mv="), 0);
}

on_each_chip!(few_failed_conversions_do_not_matter);
fn few_failed_conversions_do_not_matter(chip: Chip) {
    let mut player = power_on(chip, Options { supply: battery(3_900), ..Options::default() });
    player.device.fail_conversions(5);
    player.wait(ms(60));
    assert_eq!(BoardKind::logged(&player), [BoardKind::Plain]);
}

on_each_chip!(board_detection_does_not_delay_first_frame);
fn board_detection_does_not_delay_first_frame(chip: Chip) {
    let start = |board, vsys_filter| {
        let options = Options { board, vsys_filter, supply: battery(4_500), ..Options::default() };
        power_on(chip, options).device.run_to_next_frame(ms(500)).expect("a first frame").ended
    };
    let first = start(PicoBoard::Plain, 1_000);
    let last = start(PicoBoard::Radio, 10_000);
    println!("first frame: {first:?} on a Pico, {last:?} with radio and 10 nF");
    assert!(last <= limits::START + limits::SUPPLY_RISE);
    assert!(last <= first + ms(1), "detection takes longer than the LED supply: {first:?}, {last:?}");
}
