//! Every mode on the real firmware, from power-on through the menu by key presses alone; and its sound.

use emulator::{Handheld, Options};
use lights_out::gesture::Command;
use lights_out::sound::Sound;
use player::{Player, cell, limits, ms};

use super::support::{play, switched_on};
use crate::scenarios::modes::{each_mode_scenario, the_tutor_leads_to_a_dark_board};

each_mode_scenario!(play);

#[test]
fn the_tutor_leads_to_a_dark_board_on_every_size() {
    for size in 0..4 {
        play(|player| the_tutor_leads_to_a_dark_board(player, size));
    }
}

/// What was heard since a moment: pitch and length in milliseconds of each note. While a note is set up, register by
/// register, the pin has another pitch for some microseconds: nobody hears that.
fn heard(player: &Player<Handheld>, from: usize) -> Vec<(u32, u128)> {
    let tones = &player.device.tones()[from..];
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
        assert_eq!(player.device.tones(), [], "silent until it is switched on");
        player.command(Command::Menu);
        player.choose(4, 4);
        player.command(Command::Menu);
        for (sound, give) in [
            (Sound::Tap, Box::new(|player: &mut Player<Handheld>| player.tap(cell(4, 4))) as Box<dyn Fn(&mut _)>),
            (
                Sound::Win,
                Box::new(|player: &mut Player<Handheld>| {
                    player.solve();
                    player.wait(ms(800));
                }),
            ),
        ] {
            let from = player.device.tones().len();
            give(player);
            let heard = heard(player, from);
            let last = &heard[heard.len() - sound.notes().len()..];
            for (&(hz, length), note) in last.iter().zip(sound.notes()) {
                assert!(hz.abs_diff(note.hz) <= 3, "{sound:?}: {hz} Hz, not {}", note.hz);
                assert!(length.abs_diff(u128::from(note.length / 1000)) <= 2, "{sound:?}: {length} ms");
            }
            assert_eq!(player.device.tone(), None, "then it is silent");
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
        let contact = player.device.now();
        player.press(cell(4, 4));
        player.device.run_to_next_frame(ms(20)).expect("the lights answer").ended - contact
    };
    let (silent, loud) = (latency(false), latency(true));
    println!("contact to last bit: {silent:?} in silence, {loud:?} with sound");
    assert!(loud <= silent + limits::SOUND_DELAY);
}
