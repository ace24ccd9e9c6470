//! A visitor's session with the real firmware, without a browser.

use std::env;
use std::fs;
use std::time::Duration;

use web::file::FileError;
use web::session::Session;

const GREETING: Duration = Duration::from_millis(1500);
const MOMENT: Duration = Duration::from_millis(50);

fn firmware() -> Vec<u8> {
    let path = env::var_os("LIGHTS_OUT_ELF").expect("LIGHTS_OUT_ELF is not set: run `cargo host-tests`");
    fs::read(path).expect("the firmware")
}

fn switched_on() -> Session {
    let mut session = Session::default();
    session.load(&firmware(), true).expect("our own firmware");
    session.power_on(7);
    session.run(GREETING);
    session
}

fn lit(session: &Session) -> usize {
    session.leds().iter().filter(|led| **led != [0; 3]).count()
}

fn tap(session: &mut Session, cell: usize) {
    session.set_key(cell, true);
    session.run(MOMENT);
    session.set_key(cell, false);
    session.run(MOMENT);
}

#[test]
fn lights_answer_and_the_figures_tell_how_fast() {
    let mut session = switched_on();
    assert!(lit(&session) > 0);
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
fn the_log_and_the_tones_are_told_once() {
    let mut session = switched_on();
    let log = session.take_log();
    assert!(log.lines().all(|line| line.split('\t').count() == 4), "{log}");
    assert!(log.contains("\tInfo\tlights-out "), "{log}");
    assert_eq!(session.take_log(), "");
    // Silent until the last key of the menu, which two corners open, switches the sound on.
    assert!(session.take_tones().is_empty());
    for down in [true, false] {
        session.set_key(0, down);
        session.set_key(24, down);
        session.run(Duration::from_secs(1));
    }
    tap(&mut session, 24);
    let tones = session.take_tones();
    assert!(tones.chunks(2).any(|tone| tone[1] > 100.0), "a press is heard: {tones:?}");
    assert!(session.take_tones().is_empty());
}

#[test]
fn off_is_dark_and_keeps_the_flash_and_the_fingers() {
    let mut session = switched_on();
    let memory = session.memory();
    session.set_key(3, true);
    session.power_off();
    assert_eq!((lit(&session), session.figures().state, session.keys()), (0, 0.0, 1 << 3));
    assert_eq!(session.memory(), memory);
    session.run(GREETING);
    assert_eq!(session.figures().now, 0.0, "off is off");
    session.power_on(8);
    session.set_key(3, false);
    session.run(GREETING);
    assert!(lit(&session) > 0);
}

#[test]
fn a_memory_moves_to_another_session_and_can_be_erased() {
    let mut first = switched_on();
    tap(&mut first, 12);
    tap(&mut first, 6);
    first.run(Duration::from_secs(4));
    let (board, memory) = (*first.leds(), first.memory());
    let mut second = switched_on();
    assert_ne!(*second.leds(), board);
    second.set_memory(&memory).expect("a memory");
    second.power_on(9);
    second.run(GREETING);
    assert_eq!(*second.leds(), board, "the game goes on");
    assert!(second.set_memory(&memory[1..]).is_err());
    assert_eq!(*second.leds(), board, "a broken memory changes nothing");
    second.erase_memory();
    second.power_on(9);
    second.run(GREETING);
    assert_ne!(*second.leds(), board);
}

#[test]
fn a_file_that_is_refused_changes_nothing() {
    let mut session = switched_on();
    let before = *session.leds();
    assert_eq!(session.load(b"not a firmware", false), Err(FileError::OtherFile));
    assert_eq!((*session.leds(), session.figures().state), (before, 1.0));
    session.load(&firmware(), false).expect("our own firmware passes its trial");
    assert_eq!(session.figures().state, 0.0);
}

#[test]
fn the_logic_analyser_sees_the_matrix_and_every_bit_on_the_led_wire() {
    let mut session = switched_on();
    session.start_trace();
    tap(&mut session, 12);
    let trace: Vec<_> = session.take_trace().chunks_exact(2).map(|pair| (pair[0], pair[1] as u32)).collect();
    let edges = |line: u32| trace.windows(2).filter(|pair| (pair[0].1 ^ pair[1].1) >> line & 1 == 1).count();
    assert!(trace.is_sorted_by(|a, b| a.0 <= b.0));
    // The centre key: its row is let go and driven again in each scan, and its column follows.
    let (row, column) = (edges(2), edges(5 + 2));
    assert!(row > 100 && column > 100, "{row} and {column}");
    assert_eq!(edges(5), 0, "no other column");
    let led_wire = edges(10);
    assert!(led_wire >= 1200 && led_wire.is_multiple_of(1200), "25 LEDs of 24 bits, up and down: {led_wire}");
    assert_eq!(edges(11), 0, "the supply stays on");
    assert!(session.take_trace().is_empty(), "it is taken off");
}
