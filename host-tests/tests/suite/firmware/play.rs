//! The scenarios of play on the real firmware, through its pins. `LIGHTS_OUT_LONG=1` plays at random for an hour, not
//! for a minute.

use std::time::Duration;

use emulator::Options;
use flash_image::Chip;
use lights_out::board::Cell;
use lights_out::gesture::Command;
use player::{Dice, limits, ms};

use super::support::{expect_no_faults, play, power_on, rounds};
use crate::scenarios::play::{each_play_scenario, hints_win_in_par};

each_play_scenario!(play on each chip);

on_each_chip!(hints_win_from_boards_in_the_middle_of_play);
fn hints_win_from_boards_in_the_middle_of_play(chip: Chip) {
    let mut dice = Dice::new(12, 1);
    // Few rounds: the library runs the same scenario from many boards.
    for n in 0..rounds(chip, 2, 50) {
        let mut player = power_on(chip, Options { seed: n.into(), ..Options::default() });
        let first_moves: Vec<Cell> = (0..dice.below(8)).map(|_| dice.key()).collect();
        hints_win_in_par(&mut player, &first_moves);
        expect_no_faults(&player.device);
    }
}

on_each_chip!(random_play_causes_no_fault);
fn random_play_causes_no_fault(chip: Chip) {
    let seconds = rounds(chip, 60, 3600);
    let mut dice = Dice::new(60, 60);
    let mut player = power_on(chip, Options::default());
    player.wait_for_greeting();
    player.device.record_frames();
    let (mut frames, mut worst, mut events) = (0, 0.0_f32, 0_u32);
    while player.device.now() < Duration::from_secs(seconds.into()) {
        match dice.below(40) {
            0..30 => player.tap(dice.key()),
            30..38 => player.command(Command::ALL[dice.below(6) as usize]),
            _ => player.wait(ms(dice.below(4000).into())),
        }
        // Without power the emulated time does not advance, and the loop would not end.
        assert_eq!(player.device.stop_reason(), None, "after {events} events");
        events += 1;
        for frame in player.device.take_frames() {
            frames += 1;
            worst = worst.max(frame.milliamps());
        }
    }
    let handheld = &player.device;
    println!(
        "{seconds} s of play: {events} events, {frames} frames, {} saves, at most {worst:.0} mA",
        handheld.flash().programs()
    );
    expect_no_faults(handheld);
    assert!(worst <= limits::CURRENT as f32);
}
