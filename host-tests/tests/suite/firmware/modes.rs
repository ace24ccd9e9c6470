//! Every mode on the real firmware, from power-on through the menu, by key presses alone; and its sound.

use emulator::{Handheld, Options};
use flash_image::Chip;
use lights_out::gesture::Command;
use lights_out::sound::Sound;
use player::{Player, cell, limits, ms};

use super::support::{play, power_on};
use crate::scenarios::modes::{each_mode_scenario, tutor_leads_to_dark_board};

each_mode_scenario!(play on each chip);

on_each_chip!(tutor_leads_to_dark_board_on_every_size);
fn tutor_leads_to_dark_board_on_every_size(chip: Chip) {
    for size in 0..4 {
        play(chip, |player| tutor_leads_to_dark_board(player, size));
    }
}

/// The notes since index `from`: the pitch in hertz and the length in milliseconds of each. While the registers of a
/// note are set one by one, the pin has another pitch for some microseconds, which is inaudible.
fn notes_since(player: &Player<Handheld>, from: usize) -> Vec<(u32, u128)> {
    let tones = &player.device.tones()[from..];
    let ends = tones.iter().skip(1).map(|(at, _)| *at);
    let notes = tones.iter().zip(ends).filter_map(|((at, tone), end)| Some(((*tone)?, (end - *at).as_millis())));
    notes.filter(|&(_, length)| length > 0).collect()
}

on_each_chip!(piezo_plays_sounds_when_sound_is_on);
fn piezo_plays_sounds_when_sound_is_on(chip: Chip) {
    play(chip, |player| {
        player.wait_for_greeting();
        player.tap(cell(4, 4));
        player.command(Command::Undo);
        assert_eq!(player.device.tones(), [], "a sound although sound is off");
        player.command(Command::Menu);
        player.choose(4, 4);
        player.command(Command::Menu);
        for (sound, trigger) in [
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
            trigger(player);
            let heard = notes_since(player, from);
            let last = &heard[heard.len() - sound.notes().len()..];
            for (&(hz, length), note) in last.iter().zip(sound.notes()) {
                assert!(hz.abs_diff(note.hz) <= 3, "{sound:?}: {hz} Hz, expected {}", note.hz);
                assert!(length.abs_diff(u128::from(note.length / 1000)) <= 2, "{sound:?}: {length} ms");
            }
            assert_eq!(player.device.tone(), None, "a tone after the sound");
        }
    });
}

on_each_chip!(sound_does_not_delay_frames);
fn sound_does_not_delay_frames(chip: Chip) {
    let latency = |sound: bool| {
        let mut player = power_on(chip, Options::default());
        player.wait_for_greeting();
        if sound {
            player.command(Command::Menu);
            player.choose(4, 4);
            player.command(Command::Menu);
        }
        player.wait(ms(500));
        let contact = player.device.now();
        player.press(cell(4, 4));
        player.device.run_to_next_frame(ms(20)).expect("a frame").ended - contact
    };
    let (silent, loud) = (latency(false), latency(true));
    println!("contact to last bit of the frame: {silent:?} without sound, {loud:?} with sound");
    assert!(loud <= silent + limits::SOUND_DELAY);
}
