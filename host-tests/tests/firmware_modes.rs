//! Every mode on the real firmware, from power-on through the menu by key presses alone; and its sound.

mod common;

use common::elf_device::{ElfDevice, switched_on};
use common::mode_scenarios::{self as scenarios, each_mode_scenario};
use common::words::{Player, cell, ms, us};
use lights_out::gesture::Command;
use lights_out::sound::Sound;
use virtual_handheld::Options;

fn play(scenario: impl FnOnce(&mut Player<ElfDevice>)) {
    let mut player = switched_on(Options::default());
    scenario(&mut player);
    let handheld = &player.0.0;
    assert_eq!(handheld.wire_faults(), [], "on the wire to the LEDs");
    assert_eq!(handheld.resets(), [], "restarts");
    assert!(handheld.frame().is_some_and(|frame| frame.milliamps() <= 400.0));
}

each_mode_scenario!(play);

#[test]
fn the_tutor_leads_to_a_dark_board_on_every_size() {
    for size in 0..4 {
        play(|player| scenarios::the_tutor_leads_to_a_dark_board(player, size));
    }
}

/// What was heard since a moment: pitch and length in milliseconds of each note. While a note is set up, register by
/// register, the pin has another pitch for some microseconds: nobody hears that.
fn heard(player: &Player<ElfDevice>, from: usize) -> Vec<(u32, u128)> {
    let tones = &player.0.0.tones()[from..];
    let ends = tones.iter().skip(1).map(|(at, _)| *at);
    let notes = tones.iter().zip(ends).filter_map(|((at, tone), end)| Some(((*tone)?, (end - *at).as_millis())));
    notes.filter(|&(_, length)| length > 0).collect()
}

#[test]
fn the_piezo_plays_what_the_game_asks_for_once_sound_is_on() {
    play(|player| {
        player.after_greeting();
        player.tap(cell(4, 4));
        player.command(Command::Undo);
        assert_eq!(player.0.0.tones(), [], "silent until it is switched on");
        player.command(Command::Menu);
        player.choose(4, 4);
        player.command(Command::Menu);
        for (sound, give) in [
            (Sound::Tap, Box::new(|player: &mut Player<ElfDevice>| player.tap(cell(4, 4))) as Box<dyn Fn(&mut _)>),
            (
                Sound::Win,
                Box::new(|player: &mut Player<ElfDevice>| {
                    player.solve();
                    player.wait(ms(800));
                }),
            ),
        ] {
            let from = player.0.0.tones().len();
            give(player);
            let heard = heard(player, from);
            let last = &heard[heard.len() - sound.notes().len()..];
            for (&(hz, length), note) in last.iter().zip(sound.notes()) {
                assert!(hz.abs_diff(note.hz) <= 3, "{sound:?}: {hz} Hz, not {}", note.hz);
                assert!(length.abs_diff(u128::from(note.length / 1000)) <= 2, "{sound:?}: {length} ms");
            }
            assert_eq!(player.0.0.tone(), None, "then it is silent");
        }
    });
}

#[test]
fn sound_does_not_delay_the_lights() {
    let latency = |sound: bool| {
        let mut player = switched_on(Options::default());
        player.after_greeting();
        if sound {
            player.command(Command::Menu);
            player.choose(4, 4);
            player.command(Command::Menu);
        }
        player.wait(ms(500));
        let contact = player.0.0.now();
        player.press(cell(4, 4));
        player.0.0.run_to_next_frame(ms(20)).expect("the lights answer").ended - contact
    };
    let (silent, loud) = (latency(false), latency(true));
    println!("contact to last bit: {silent:?} in silence, {loud:?} with sound");
    assert!(loud < silent + us(50));
}
