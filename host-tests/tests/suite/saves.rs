//! Saves of the game, on the library: the complete state is restored, and invalid bytes are refused.

use lights_out::board::{Cell, Cells};
use lights_out::game::Game;
use lights_out::game::history::UNDO_DEPTH;
use lights_out::game::modes::ModeKind;
use lights_out::gesture::Command;
use lights_out::journal::MAX_PAYLOAD;
use lights_out::keys::KeyEvent;
use lights_out::layout::Layout;
use lights_out::save::{Save, Snapshot, decode};
use player::{CoreDevice, Device, Dice, Player, cell, command, handle_input, ms, tap, tick_game};
use proptest::prelude::*;
use rand_core::Rng;
use rand_pcg::Pcg32;

use crate::support::{cases, is_long_campaign};

/// The game after a power cycle at this time.
fn power_cycled(player: &Player<CoreDevice>) -> Game {
    let save = Save::of(&player.device.game.snapshot()).expect("every game fits");
    Game::restore(player.device.now, 99, decode(save.bytes()).expect("a valid save"), false).expect("a consistent save")
}

#[test]
fn every_mode_is_restored() {
    for mode in ModeKind::ALL {
        for (rule, size) in [(0, 3), (1, 2), (2, 3), (4, 1)] {
            let mut player = Player::new(CoreDevice::new(5));
            player.wait_for_greeting();
            player.start(mode, &[(1, rule), (2, size), (3, 3), (4, 1), (4, 4)]);
            if mode == ModeKind::Levels {
                player.tap(cell(0, 0));
                player.wait(ms(400));
            }
            for key in [cell(1, 1), cell(2, 2), cell(3, 1)] {
                player.tap(key);
            }
            player.wait(ms(1000));
            let game = power_cycled(&player);
            assert_eq!(game.snapshot(), player.device.game.snapshot(), "{mode:?}");
            assert_eq!(game.state().mode().kind(), mode);
            assert_eq!(game.brightness(), player.device.game.brightness());
        }
    }
}

#[test]
fn undo_works_across_a_power_cut() {
    let mut player = Player::new(CoreDevice::new(5));
    let start = player.start_random_puzzle();
    for key in [cell(0, 1), cell(2, 4), cell(3, 3)] {
        player.tap(key);
    }
    player.device.game = power_cycled(&player);
    for _ in 0..3 {
        player.device.input(command(Command::Undo));
    }
    player.expect_board(start);
}

#[test]
fn saved_win_is_shown_again_and_counted_once() {
    let mut player = Player::new(CoreDevice::new(5));
    let start = player.start_random_puzzle();
    player.solve();
    player.device.game = power_cycled(&player);
    player.wait(ms(8000));
    assert_ne!(player.board(), start);
    assert!(!player.board().is_dark());
    assert_eq!(player.device.game.state().records().rounds, 1, "it is counted once");
}

#[test]
fn restore_after_crash_keeps_results_only() {
    let mut player = Player::new(CoreDevice::new(5));
    player.wait_for_greeting();
    player.solve();
    player.start_random_puzzle();
    let saved = decode(Save::of(&player.device.game.snapshot()).unwrap().bytes()).unwrap();
    let game = Game::restore(0, 1, saved.clone(), true).unwrap();
    assert_eq!(game.snapshot().records, saved.records);
    assert_eq!(game.state().mode().kind(), ModeKind::Levels);
}

#[test]
fn save_follows_the_last_change_within_a_second() {
    let mut game = Game::new(0, 1);
    handle_input(&mut game, 100_000, tap(cell(2, 2)));
    let mut now = 100_000;
    let mut saved_at = Vec::new();
    // A key every 300 ms: there is never half a second without a change.
    for n in 0..20_u64 {
        let tapped = 400_000 + 300_000 * n;
        while let Some(due) = game.deadline(now).filter(|&due| due <= tapped) {
            now = due;
            if !tick_game(&mut game, now).saves.is_empty() {
                saved_at.push(now);
            }
        }
        now = tapped;
        if !handle_input(&mut game, now, tap(Cell::new(n as usize % 24 + 1).unwrap())).saves.is_empty() {
            saved_at.push(now);
        }
    }
    assert!(saved_at.len() >= 5, "{saved_at:?}");
    assert!(saved_at.windows(2).all(|pair| pair[1] - pair[0] <= 1_200_000), "{saved_at:?}");
    let last = now;
    while let Some(due) = game.deadline(now) {
        now = due;
        if !tick_game(&mut game, now).saves.is_empty() {
            break;
        }
    }
    assert!(now <= last + 900_000);
}

#[test]
fn longest_save_fits() {
    let layout = learned_layout();
    let mut player = Player::new(CoreDevice::power_on_board(
        layout,
        |contacts| contacts,
        Game::with_layout(layout, 0, 5),
        Cells::EMPTY,
    ));
    player.wait_for_greeting();
    for _ in 0..75 {
        player.solve();
        player.wait(ms(100));
        player.tap(cell(2, 2));
        player.wait(ms(400));
    }
    player.start(ModeKind::Create, &[]);
    for slot in 0..5 {
        player.tap(cell(slot, slot));
        player.command(Command::Next);
        player.tap(cell(1, slot));
        player.wait(ms(400));
    }
    player.start(ModeKind::Random, &[(3, 4)]);
    for n in 0..UNDO_DEPTH + 50 {
        player.device.input(tap(Cell::new(n * 7 % 25).unwrap()));
    }
    player.device.input(command(Command::Restart));
    let save = Save::of(&player.device.game.snapshot()).expect("it fits");
    println!("the longest save takes {} of {MAX_PAYLOAD} bytes", save.bytes().len());
    assert!(save.bytes().len() < MAX_PAYLOAD - 60, "at least 60 bytes are left");
}

/// Decodes any bytes and plays the restored game. Nothing may panic. Returns whether the bytes are a valid save.
fn decode_and_play(bytes: &[u8]) -> bool {
    let Some(game) = decode(bytes).and_then(|saved| Game::restore(1000, 1, saved, false)) else { return false };
    let mut game = game;
    let mut now = 1000;
    for n in 0..40_usize {
        game.draw(now);
        let input = match n % 8 {
            7 => command(Command::ALL[n / 8 % 6]),
            _ => tap(Cell::new(n * 11 % 25).unwrap()),
        };
        handle_input(&mut game, now, input);
        now += 150_000;
        tick_game(&mut game, now);
        assert!(Save::of(&game.snapshot()).is_some());
    }
    true
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn any_bytes_are_decoded_without_panic(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        decode_and_play(&bytes);
        for version in VERSIONS {
            let mut versioned = vec![version];
            versioned.extend(&bytes);
            decode_and_play(&versioned);
        }
    }
}

/// All versions of the save format. The last one is the current version.
pub(super) const VERSIONS: [u8; 3] = [1, 2, 3];

/// The committed saves: one for each mode and version. They detect a change of the format without a new version.
pub(super) const CORPUS: [(&str, ModeKind); 5] = [
    ("levels", ModeKind::Levels),
    ("random", ModeKind::Random),
    ("create", ModeKind::Create),
    ("tutor", ModeKind::Tutor),
    ("action", ModeKind::Action),
];

/// The saves of a version, in the order of [`CORPUS`].
pub(super) fn corpus_of(version: u8) -> Vec<Vec<u8>> {
    let corpus = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join("save");
    let folder = corpus.join(format!("v{version}"));
    // Saves of older versions cannot be written again.
    let bless = Some(&version) == VERSIONS.last() && std::env::var_os("LIGHTS_OUT_BLESS").is_some();
    CORPUS
        .iter()
        .map(|(name, mode)| {
            let path = folder.join(format!("{name}.bin"));
            if bless {
                std::fs::create_dir_all(&folder).unwrap();
                std::fs::write(&path, Save::of(&played(*mode).device.game.snapshot()).unwrap().bytes()).unwrap();
            }
            std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
        })
        .collect()
}

/// A learned layout. In the corpus the save of the Create mode has it, since version 3.
fn learned_layout() -> Layout {
    Dice::new(3, 25).layout()
}

/// A game in this mode with two moves, a restart, and one more move.
fn played(mode: ModeKind) -> Player<CoreDevice> {
    let layout = if mode == ModeKind::Create { learned_layout() } else { Layout::REFERENCE };
    let mut player = Player::new(CoreDevice::power_on_board(
        layout,
        |contacts| contacts,
        Game::with_layout(layout, 0, 3),
        Cells::EMPTY,
    ));
    player.wait_for_greeting();
    player.start(mode, &[(1, 1), (2, 2)]);
    if mode == ModeKind::Levels {
        player.tap(cell(0, 0));
        player.wait(ms(400));
    }
    if mode == ModeKind::Create {
        // The cells that one press of the cross flips: a solvable drawing.
        let drawing = [cell(0, 0), cell(0, 2), cell(1, 1), cell(2, 0), cell(2, 2)];
        drawing.into_iter().for_each(|key| player.tap(key));
        player.command(Command::Demo);
    }
    [cell(1, 2), cell(2, 2)].into_iter().for_each(|key| player.tap(key));
    player.command(Command::Restart);
    player.tap(cell(1, 3));
    player
}

fn corpus() -> Vec<Vec<u8>> {
    VERSIONS.into_iter().flat_map(corpus_of).collect()
}

fn restored(bytes: &[u8]) -> Option<Game> {
    decode(bytes).and_then(|saved| Game::restore(0, 1, saved, false))
}

#[test]
fn saves_of_every_version_still_load() {
    for version in VERSIONS {
        for ((name, mode), bytes) in CORPUS.iter().zip(corpus_of(version)) {
            assert_eq!(bytes[0], version, "{name}");
            let game = restored(&bytes).unwrap_or_else(|| panic!("{name} of version {version} does not load"));
            assert_eq!(game.state().mode().kind(), *mode, "{name}");
            let layout = if version >= 3 && *mode == ModeKind::Create { learned_layout() } else { Layout::REFERENCE };
            assert_eq!(*game.layout(), layout, "{name} of version {version}");
        }
    }
}

/// An older save that is saved again differs only in the version and in the layout at its end, which older versions do
/// not have.
#[test]
fn older_save_is_restored_completely() {
    for bytes in [corpus_of(1), corpus_of(2)].concat() {
        let saved_again = Save::of(&restored(&bytes).expect("a valid save").snapshot()).expect("it fits");
        assert_eq!(saved_again.bytes()[1..], [&bytes[1..], &[0]].concat());
    }
}

/// An inconsistent layout is dropped. The rest of the save is used.
#[test]
fn invalid_layout_is_dropped_and_game_restored() {
    let create = CORPUS.iter().position(|(_, mode)| *mode == ModeKind::Create).expect("a mode of the corpus");
    let good = corpus_of(3).swap_remove(create);
    // A save ends with the positions of keys, the positions of LEDs, and the colour order.
    let end = good.len();
    for (at, value) in
        [(end - 30, 25), (end - 30, good[end - 31]), (end - 5, good[end - 6]), (end - 1, 6), (end - 52, 2)]
    {
        let mut bytes = good.clone();
        bytes[at] = value;
        let game = restored(&bytes).expect("the rest is consistent");
        assert_eq!(*game.layout(), Layout::REFERENCE);
        assert_eq!(game.snapshot(), Snapshot { layout: None, ..restored(&good).expect("a valid save").snapshot() });
    }
    assert_eq!(*restored(&good[..end - 1]).expect("a valid save").layout(), Layout::REFERENCE, "truncated");
}

#[test]
fn restore_after_crash_keeps_the_layout() {
    let game = Game::with_layout(learned_layout(), 0, 3);
    let saved = decode(Save::of(&game.snapshot()).expect("it fits").bytes()).expect("a valid save");
    assert_eq!(*Game::restore(0, 1, saved, true).expect("a consistent save").layout(), learned_layout());
}

/// A Random game of version 1 with two moves: the moves can be undone, and a restart is a step in the history.
#[test]
fn round_of_version_1_can_be_continued() {
    let random = CORPUS.iter().position(|(_, mode)| *mode == ModeKind::Random).expect("a mode of the corpus");
    let mut player =
        Player::new(CoreDevice::power_on(restored(&corpus_of(1)[random]).expect("a valid save"), Cells::EMPTY));
    let moved = player.board();
    player.device.input(command(Command::Restart));
    let start = player.board();
    assert_ne!(moved, start);
    player.device.input(command(Command::Undo));
    player.expect_board(moved);
    for _ in 0..2 {
        player.device.input(command(Command::Undo));
    }
    player.expect_board(start);
}

/// Fuzzing without a fuzzer: saves of the corpus with bytes changed, removed, inserted and spliced.
#[test]
fn no_mutated_save_breaks_the_game() {
    let corpus = corpus();
    let rounds = if is_long_campaign() { 3_000_000 } else { 60_000 };
    let mut rng = Pcg32::new(0xF0, 0x22);
    let mut accepted = 0;
    for _ in 0..rounds {
        let mut bytes = corpus[rng.next_u32() as usize % corpus.len()].clone();
        for _ in 0..=rng.next_u32() % 4 {
            let at = rng.next_u32() as usize % bytes.len().max(1);
            match rng.next_u32() % 6 {
                0 => bytes[at] = rng.next_u32() as u8,
                1 => bytes[at] ^= 1 << (rng.next_u32() % 8),
                2 => bytes.truncate(at.max(2)),
                3 => bytes.insert(at, rng.next_u32() as u8),
                4 => bytes[at] = [0, 1, 24, 25, 127, 128, 255][rng.next_u32() as usize % 7],
                _ => {
                    let other = &corpus[rng.next_u32() as usize % corpus.len()];
                    bytes.truncate(at.max(2));
                    bytes.extend(other.iter().skip(at));
                }
            }
        }
        accepted += u32::from(decode_and_play(&bytes));
    }
    println!("{rounds} mutated saves, {accepted} of them were valid; none broke the game");
    assert!(accepted > 0 && accepted < rounds);
}

#[test]
fn sleep_darkens_the_lights_and_wake_restores_them() {
    let mut player = Player::new(CoreDevice::new(5));
    let board = player.start_random_puzzle();
    player.tap(cell(3, 3));
    let before = player.device.led_colours();
    player.device.input(KeyEvent::Sleep);
    assert!(player.board().is_dark() && !player.device.game.is_lit());
    assert_eq!(player.device.game.deadline(player.device.now), None, "only a key wakes it");
    player.device.input(KeyEvent::Wake);
    assert_eq!(player.device.led_colours(), before);
    assert_ne!(player.board(), board);
}
