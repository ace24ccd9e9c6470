//! A session with the real firmware of both chips, without a browser.

mod common;

use std::env;
use std::fs;
use std::time::Duration;

use common::load;
use flash_image::{Chip, Image, uf2};
use web::file::FileError;
use web::session::Session;

const GREETING: Duration = Duration::from_millis(1500);
const KEY_TIME: Duration = Duration::from_millis(50);

fn firmware(chip: Chip) -> Vec<u8> {
    let variable = match chip {
        Chip::Rp2040 => "LIGHTS_OUT_ELF",
        Chip::Rp2350 => "LIGHTS_OUT_PICO2_ELF",
    };
    let path = env::var_os(variable).unwrap_or_else(|| panic!("{variable} is not set: run `cargo host-tests`"));
    fs::read(path).expect("the firmware")
}

/// A session with the page's own firmware for each chip, in which the handheld with this chip is switched on.
fn switched_on(chip: Chip) -> Session {
    let mut session = Session::default();
    Chip::ALL.into_iter().for_each(|chip| session.add_own_firmware(&firmware(chip)).expect("our own firmware"));
    use_chip(&mut session, chip);
    session
}

fn use_chip(session: &mut Session, chip: Chip) {
    assert!(session.load_own(chip));
    assert_eq!(session.chip(), chip);
    switch_on(session);
}

fn switch_on(session: &mut Session) {
    session.power_on(7);
    session.run(GREETING);
}

fn lit_count(session: &Session) -> usize {
    session.leds().iter().filter(|led| **led != [0; 3]).count()
}

fn tap(session: &mut Session, cell: usize) {
    session.set_key(cell, true);
    session.run(KEY_TIME);
    session.set_key(cell, false);
    session.run(KEY_TIME);
}

#[test]
fn press_changes_the_lights_and_has_a_latency() {
    Chip::ALL.into_iter().for_each(check_latency);
}

fn check_latency(chip: Chip) {
    let mut session = switched_on(chip);
    assert!(lit_count(&session) > 0);
    assert_eq!(session.figures().latency, 0.0, "no press yet");
    let before = *session.leds();
    tap(&mut session, 12);
    assert_ne!(*session.leds(), before);
    let figures = session.figures();
    assert!((0.75..5.0).contains(&figures.latency), "{figures:?}");
    assert!(figures.awake < figures.cycles && figures.frames > 1.0 && figures.state == 1.0, "{figures:?}");
    assert!((25.0..400.0).contains(&figures.led_current), "{figures:?}");
}

#[test]
fn log_and_tones_are_returned_once() {
    let mut session = switched_on(Chip::Rp2040);
    let log = session.take_log();
    assert!(log.lines().all(|line| line.split('\t').count() == 4), "{log}");
    assert!(log.contains("\tInfo\tlights-out "), "{log}");
    assert_eq!(session.take_log(), "");
    // Silent until the sound is switched on: two corners open the menu, and its last key is the sound.
    assert!(session.take_tones().is_empty());
    for down in [true, false] {
        session.set_key(0, down);
        session.set_key(24, down);
        session.run(Duration::from_secs(1));
    }
    tap(&mut session, 24);
    let tones = session.take_tones();
    assert!(tones.chunks(2).any(|tone| tone[1] > 100.0), "a press makes a sound: {tones:?}");
    assert!(session.take_tones().is_empty());
}

#[test]
fn power_off_keeps_flash_and_pressed_keys() {
    let mut session = switched_on(Chip::Rp2040);
    let memory = session.memory();
    session.set_key(3, true);
    session.power_off();
    assert_eq!((lit_count(&session), session.figures().state, session.keys()), (0, 0.0, 1 << 3));
    assert_eq!(session.memory(), memory);
    session.run(GREETING);
    assert_eq!(session.figures().now, 0.0, "no time passes while it is off");
    session.power_on(8);
    session.set_key(3, false);
    session.run(GREETING);
    assert!(lit_count(&session) > 0);
}

/// Makes two moves and waits until they are saved. Returns the lights.
fn play(session: &mut Session) -> [[u8; 3]; 25] {
    tap(session, 12);
    tap(session, 6);
    session.run(Duration::from_secs(4));
    *session.leds()
}

#[test]
fn memory_can_be_moved_and_erased() {
    for chip in Chip::ALL {
        let mut first = switched_on(chip);
        let (board, memory) = (play(&mut first), first.memory());
        let mut second = switched_on(chip);
        assert_ne!(*second.leds(), board);
        second.set_memory(&memory).expect("a memory");
        switch_on(&mut second);
        assert_eq!(*second.leds(), board, "the game continues");
        assert!(second.set_memory(&memory[1..]).is_err());
        assert_eq!(*second.leds(), board, "a damaged file changes nothing");
        second.erase_memory();
        switch_on(&mut second);
        assert_ne!(*second.leds(), board);
    }
}

#[test]
fn game_is_saved_despite_a_forged_memory() {
    let files = [
        ("a sequence number at its maximum", &include_bytes!("hostile/wrap.flash")[..], false),
        ("no free space", include_bytes!("hostile/stuck.flash"), true),
    ];
    for (kind, file, is_damaged) in files {
        let mut session = switched_on(Chip::Rp2040);
        session.set_memory(file).expect("a memory");
        switch_on(&mut session);
        assert_eq!(session.take_log().contains("journal damaged"), is_damaged, "{kind}");
        for round in 0..3 {
            let before = *session.leds();
            let played = play(&mut session);
            assert_ne!(played, before, "{kind}, round {round}");
            switch_on(&mut session);
            assert_eq!(*session.leds(), played, "{kind}, round {round}: the game continues");
        }
    }
}

#[test]
fn each_chip_has_its_own_memory() {
    let mut session = switched_on(Chip::Rp2040);
    let fresh = *session.leds();
    let played = play(&mut session);
    use_chip(&mut session, Chip::Rp2350);
    assert_eq!(*session.leds(), fresh, "the other handheld is new");
    let memory = session.memory();
    use_chip(&mut session, Chip::Rp2040);
    assert_eq!(*session.leds(), played, "the game continues");
    session.set_memory(&memory).expect("the memory of the other chip");
    assert_eq!((*session.leds(), session.figures().state), (played, 1.0), "the current handheld does not change");
    session.erase_memory();
    use_chip(&mut session, Chip::Rp2350);
    assert_eq!(session.memory()[..16], memory[..16]);
    assert!(session.take_log().contains("power-up 1"), "the memory that was loaded");
}

#[test]
fn file_for_both_chips_is_loaded_for_the_current_chip() {
    let image = |chip| Image::from_elf(&firmware(chip)).expect("a firmware");
    let both = uf2::write_all(&Chip::ALL.map(image));
    let mut session = switched_on(Chip::Rp2040);
    load(&mut session, &uf2::write(&image(Chip::Rp2350))).expect("a UF2 file for the other chip");
    assert_eq!(session.chip(), Chip::Rp2350);
    assert!(session.has_log(), "it equals the page's own firmware, so its log can be decoded");
    for chip in Chip::ALL {
        load(&mut session, &firmware(chip)).expect("an ELF file");
        assert_eq!(session.chip(), chip);
        load(&mut session, &both).expect("a UF2 file for both chips");
        assert_eq!(session.chip(), chip);
        switch_on(&mut session);
        assert!(lit_count(&session) > 0);
    }
}

#[test]
fn refused_file_changes_nothing() {
    let mut session = switched_on(Chip::Rp2040);
    let before = *session.leds();
    assert_eq!(load(&mut session, b"not a firmware"), Err(FileError::OtherFile));
    assert_eq!((*session.leds(), session.figures().state), (before, 1.0));
    load(&mut session, &firmware(Chip::Rp2040)).expect("our own firmware passes its trial");
    assert_eq!(session.figures().state, 0.0);
}

#[test]
fn logic_analyser_records_matrix_and_led_data() {
    let mut session = switched_on(Chip::Rp2040);
    session.start_trace();
    tap(&mut session, 12);
    let trace: Vec<_> = session.take_trace().chunks_exact(2).map(|pair| (pair[0], pair[1] as u32)).collect();
    let edges = |line: u32| trace.windows(2).filter(|pair| (pair[0].1 ^ pair[1].1) >> line & 1 == 1).count();
    assert!(trace.is_sorted_by(|a, b| a.0 <= b.0));
    // The centre key: each scan releases its row and drives it again, and its column follows.
    let (row, column) = (edges(2), edges(5 + 2));
    assert!(row > 100 && column > 100, "{row} and {column}");
    assert_eq!(edges(5), 0, "no other column");
    let led_wire = edges(10);
    assert!(led_wire >= 1200 && led_wire.is_multiple_of(1200), "25 LEDs of 24 bits, two edges each: {led_wire}");
    assert_eq!(edges(11), 0, "the supply stays on");
    assert!(session.take_trace().is_empty(), "it is disconnected");
}
