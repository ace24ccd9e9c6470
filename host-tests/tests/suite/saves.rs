//! Saves of the game, as a library: everything comes back, and any bytes are a save or none.

use lights_out::board::{Cell, Cells};
use lights_out::game::Game;
use lights_out::game::history::UNDO_DEPTH;
use lights_out::game::modes::ModeKind;
use lights_out::gesture::Command;
use lights_out::journal::MAX_PAYLOAD;
use lights_out::keys::KeyEvent;
use lights_out::layout::Layout;
use lights_out::save::{Save, Snapshot, decode};
use player::{CoreDevice, Device, Dice, Player, cell, command, handled, ms, tap, ticked};
use proptest::prelude::*;
use rand_core::Rng;
use rand_pcg::Pcg32;

use crate::support::{cases, long_form};

/// The game as it comes back after a power cut at this moment.
fn power_cycled(player: &Player<CoreDevice>) -> Game {
    let save = Save::of(&player.device.game.snapshot()).expect("every game fits");
    Game::restore(player.device.now, 99, decode(save.bytes()).expect("what was just saved"), false)
        .expect("it makes sense")
}

#[test]
fn every_mode_comes_back_as_it_was() {
    for mode in ModeKind::ALL {
        for (rule, size) in [(0, 3), (1, 2), (2, 3), (4, 1)] {
            let mut player = Player::new(CoreDevice::new(5));
            player.after_greeting();
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
fn undo_reaches_back_through_a_power_cut() {
    let mut player = Player::new(CoreDevice::new(5));
    let start = player.random_puzzle();
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
fn a_win_that_was_saved_is_celebrated_again_and_goes_on() {
    let mut player = Player::new(CoreDevice::new(5));
    let start = player.random_puzzle();
    player.solve();
    player.device.game = power_cycled(&player);
    player.wait(ms(8000));
    assert_ne!(player.board(), start);
    assert!(!player.board().is_dark());
    assert_eq!(player.device.game.state().records().rounds, 1, "and is not counted twice");
}

#[test]
fn after_crashes_results_are_kept_and_the_game_is_fresh() {
    let mut player = Player::new(CoreDevice::new(5));
    player.after_greeting();
    player.solve();
    player.random_puzzle();
    let saved = decode(Save::of(&player.device.game.snapshot()).unwrap().bytes()).unwrap();
    let game = Game::restore(0, 1, saved.clone(), true).unwrap();
    assert_eq!(game.snapshot().records, saved.records);
    assert_eq!(game.state().mode().kind(), ModeKind::Levels);
}

#[test]
fn a_save_is_due_half_a_second_after_the_last_change_and_never_much_later() {
    let mut game = Game::new(0, 1);
    handled(&mut game, 100_000, tap(cell(2, 2)));
    let mut now = 100_000;
    let mut saved_at = Vec::new();
    // A key every 300 ms: no half second is ever quiet.
    for n in 0..20_u64 {
        let tapped = 400_000 + 300_000 * n;
        while let Some(due) = game.deadline(now).filter(|&due| due <= tapped) {
            now = due;
            if !ticked(&mut game, now).saves.is_empty() {
                saved_at.push(now);
            }
        }
        now = tapped;
        if !handled(&mut game, now, tap(Cell::new(n as usize % 24 + 1).unwrap())).saves.is_empty() {
            saved_at.push(now);
        }
    }
    assert!(saved_at.len() >= 5, "{saved_at:?}");
    assert!(saved_at.windows(2).all(|pair| pair[1] - pair[0] <= 1_200_000), "{saved_at:?}");
    let last = now;
    while let Some(due) = game.deadline(now) {
        now = due;
        if !ticked(&mut game, now).saves.is_empty() {
            break;
        }
    }
    assert!(now <= last + 900_000);
}

#[test]
fn the_longest_save_fits() {
    let layout = taught();
    let mut player =
        Player::new(CoreDevice::built(layout, |contacts| contacts, Game::new_on(layout, 0, 5), Cells::EMPTY));
    player.after_greeting();
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
    assert!(save.bytes().len() < MAX_PAYLOAD - 60, "with room to grow");
}

/// Takes in any bytes and plays on with what comes of them; whatever that is, nothing may panic.
fn survives(bytes: &[u8]) -> bool {
    let Some(game) = decode(bytes).and_then(|saved| Game::restore(1000, 1, saved, false)) else { return false };
    let mut game = game;
    let mut now = 1000;
    for n in 0..40_usize {
        game.draw(now);
        let input = match n % 8 {
            7 => command(Command::ALL[n / 8 % 6]),
            _ => tap(Cell::new(n * 11 % 25).unwrap()),
        };
        handled(&mut game, now, input);
        now += 150_000;
        ticked(&mut game, now);
        assert!(Save::of(&game.snapshot()).is_some());
    }
    true
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn any_bytes_are_a_save_or_none(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        survives(&bytes);
        for version in VERSIONS {
            let mut versioned = vec![version];
            versioned.extend(&bytes);
            survives(&versioned);
        }
    }
}

/// Every version that there was. The last is today's.
pub const VERSIONS: [u8; 3] = [1, 2, 3];

/// Saves to begin with, one for each mode and version: they stand in the tree, so that a change of the format without a new
/// version is noticed too.
pub const CORPUS: [(&str, ModeKind); 5] = [
    ("levels", ModeKind::Levels),
    ("random", ModeKind::Random),
    ("create", ModeKind::Create),
    ("tutor", ModeKind::Tutor),
    ("action", ModeKind::Action),
];

/// The saves of a version, in the order of [`CORPUS`].
pub fn corpus_of(version: u8) -> Vec<Vec<u8>> {
    let corpus = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join("save");
    let folder = corpus.join(format!("v{version}"));
    // What older versions have written cannot be written anew.
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

/// What a board has learned that was built otherwise, in the corpus since version 3: the game of Create of that version.
fn taught() -> Layout {
    Dice::new(3, 25).layout()
}

/// A few moves, and a restart with a few more.
fn played(mode: ModeKind) -> Player<CoreDevice> {
    let layout = if mode == ModeKind::Create { taught() } else { Layout::REFERENCE };
    let mut player =
        Player::new(CoreDevice::built(layout, |contacts| contacts, Game::new_on(layout, 0, 3), Cells::EMPTY));
    player.after_greeting();
    player.start(mode, &[(1, 1), (2, 2)]);
    if mode == ModeKind::Levels {
        player.tap(cell(0, 0));
        player.wait(ms(400));
    }
    if mode == ModeKind::Create {
        // What one press of the cross flips can be played.
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
            let layout = if version >= 3 && *mode == ModeKind::Create { taught() } else { Layout::REFERENCE };
            assert_eq!(*game.layout(), layout, "{name} of version {version}");
        }
    }
}

/// What was in an older save comes back to the last bit: today's bytes of it differ in the version only, and in the layout
/// behind it all, of which there was none.
#[test]
fn nothing_is_lost_of_an_older_save() {
    for bytes in [corpus_of(1), corpus_of(2)].concat() {
        let today = Save::of(&restored(&bytes).expect("it loads").snapshot()).expect("it fits");
        assert_eq!(today.bytes()[1..], [&bytes[1..], &[0]].concat());
    }
}

/// A layout that makes no sense costs nothing but itself.
#[test]
fn a_layout_with_a_key_twice_is_none_and_the_game_goes_on() {
    let create = CORPUS.iter().position(|(_, mode)| *mode == ModeKind::Create).expect("it is in the corpus");
    let good = corpus_of(3).swap_remove(create);
    // It ends with the colours, before them are the lights, and the keys before those.
    let end = good.len();
    for (at, value) in
        [(end - 30, 25), (end - 30, good[end - 31]), (end - 5, good[end - 6]), (end - 1, 6), (end - 52, 2)]
    {
        let mut bytes = good.clone();
        bytes[at] = value;
        let game = restored(&bytes).expect("the rest of it makes sense");
        assert_eq!(*game.layout(), Layout::REFERENCE);
        assert_eq!(game.snapshot(), Snapshot { layout: None, ..restored(&good).expect("it loads").snapshot() });
    }
    assert_eq!(*restored(&good[..end - 1]).expect("it loads").layout(), Layout::REFERENCE, "cut short");
}

#[test]
fn what_was_learned_is_kept_through_crashes_and_where_nothing_else_is() {
    let game = Game::new_on(taught(), 0, 3);
    let saved = decode(Save::of(&game.snapshot()).expect("it fits").bytes()).expect("what was just saved");
    assert_eq!(*Game::restore(0, 1, saved, true).expect("it makes sense").layout(), taught());
}

/// A game of Random of version 1 with two moves: they can be taken back, and a restart is a step from now on.
#[test]
fn a_round_of_version_1_is_played_on() {
    let random = CORPUS.iter().position(|(_, mode)| *mode == ModeKind::Random).expect("it is in the corpus");
    let mut player =
        Player::new(CoreDevice::switched_on(restored(&corpus_of(1)[random]).expect("it loads"), Cells::EMPTY));
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

/// Fuzzing that runs anywhere: saves from the corpus, with bytes changed, cut out, doubled and spliced.
#[test]
fn no_mutation_of_a_save_breaks_the_game() {
    let corpus = corpus();
    let rounds = if long_form() { 3_000_000 } else { 60_000 };
    let mut rng = Pcg32::new(0xF0, 0x22);
    let mut taken_in = 0;
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
        taken_in += u32::from(survives(&bytes));
    }
    println!("{rounds} mutated saves, {taken_in} of them made sense; none broke anything");
    assert!(taken_in > 0 && taken_in < rounds);
}

#[test]
fn sleep_puts_the_lights_out_and_waking_brings_them_back() {
    let mut player = Player::new(CoreDevice::new(5));
    let board = player.random_puzzle();
    player.tap(cell(3, 3));
    let picture = player.device.picture();
    player.device.input(KeyEvent::Sleep);
    assert!(player.board().is_dark() && !player.device.game.is_lit());
    assert_eq!(player.device.game.deadline(player.device.now), None, "nothing wakes it but a key");
    player.device.input(KeyEvent::Wake);
    assert_eq!(player.device.picture(), picture);
    assert_ne!(player.board(), board);
}
