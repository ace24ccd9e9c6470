//! The real firmware on the virtual handheld, played through its pins. `LIGHTS_OUT_LONG=1` plays for an hour.

use std::time::Duration;

use emulator::Options;
use lights_out::board::Cell;
use lights_out::gesture::Command;
use player::{Dice, limits, ms};

use super::support::{expect_nothing_wrong, play, rounds, switched_on};
use crate::scenarios::play::{each_scenario, hint_after_hint_wins_in_par};

each_scenario!(play);

#[test]
fn hint_after_hint_wins_from_boards_in_the_middle_of_play() {
    let mut dice = Dice::new(12, 1);
    // Few here: the library plays the same scenario from many.
    for n in 0..rounds(2, 50) {
        let mut player = switched_on(Options { seed: n.into(), ..Options::default() });
        let stray: Vec<Cell> = (0..dice.below(8)).map(|_| dice.key()).collect();
        hint_after_hint_wins_in_par(&mut player, &stray);
        expect_nothing_wrong(&player.device);
    }
}

#[test]
fn hours_of_play_leave_no_trace() {
    let seconds = rounds(60, 3600);
    let mut dice = Dice::new(60, 60);
    let mut player = switched_on(Options::default());
    player.after_greeting();
    player.device.record_frames();
    let (mut frames, mut worst, mut events) = (0, 0.0_f32, 0_u32);
    while player.device.now() < Duration::from_secs(seconds.into()) {
        match dice.below(40) {
            0..30 => player.tap(dice.key()),
            30..38 => player.command(Command::ALL[dice.below(6) as usize]),
            _ => player.wait(ms(dice.below(4000).into())),
        }
        // Time would stand still, and this would never end.
        assert_eq!(player.device.death(), None, "after {events} events");
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
    expect_nothing_wrong(handheld);
    assert!(worst <= limits::CURRENT as f32);
}
