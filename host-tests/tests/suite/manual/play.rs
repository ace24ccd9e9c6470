//! Pictures of play: greeting, commands, a win, the menu.

use lights_out::board::SIDE;
use lights_out::game::GameEvent;
use lights_out::game::modes::ModeKind;
use lights_out::gesture::Command;
use player::{cell, ms};

use super::drawing::{self, MenuRow, Panel};
use super::moments::{give, go_to_level, handheld, parse, press, pulse, score_at, seen, solution, tap_all};

/// A drawn star with a hint. It takes five presses, and the first one is in its middle.
pub(super) fn hero() -> String {
    let mut player = handheld();
    player.wait_for_greeting();
    player.start(ModeKind::Create, &[]);
    tap_all(&mut player, parse("..#.. ##### .###. .#.#. #...#"));
    player.command(Command::Demo);
    player.command(Command::Hint);
    let pointed = player.find_pulsing_key().expect("a hint");
    let left = [
        (Command::Hint, ["the next key of a", "shortest solution pulses"]),
        (Command::Undo, ["undoes a move;", "hold for more"]),
        (Command::Menu, ["modes, rules, sizes,", "brightness, sound"]),
    ];
    let right = [
        (Command::Demo, ["plays a shortest solution,", "then restores your board"]),
        (Command::Restart, ["starts this puzzle", "again"]),
        (Command::Next, ["goes to another", "puzzle"]),
    ];
    let title = "The handheld: 25 lit keys, a hint, and the six commands of two held corners";
    drawing::hero(title, &pulse(&mut player).0, pointed, &left, &right)
}

pub(super) fn greeting() -> Vec<Panel> {
    let mut player = handheld();
    let mut wave = |time, caption| {
        player.wait(ms(time));
        Panel::new(seen(&player), caption)
    };
    vec![
        wave(150, "Power on: a wave of light"),
        wave(250, "It takes less than a second; any key ends it"),
        wave(1200, "Level 1"),
    ]
}

pub(super) fn play() -> Vec<Panel> {
    let mut player = handheld();
    go_to_level(&mut player, 11, &[]);
    let board = Panel::new(seen(&player), "A board: put all lights out");
    let first = solution(&player)[0];
    let pressed = press(&mut player, first, "A press flips the light of the key and its neighbours");
    let asking = give(&mut player, Command::Hint, "Stuck? Hold the top two corners…");
    let (bright, dim) = pulse(&mut player);
    vec![
        board,
        pressed,
        asking,
        Panel::new(bright, "…and the next key to press pulses blue"),
        Panel::new(dim, "The flips of the corners are rolled back"),
    ]
}

pub(super) fn demo() -> Vec<Panel> {
    let mut player = handheld();
    go_to_level(&mut player, 8, &[]);
    let keys = solution(&player);
    assert_eq!(keys.len(), 2, "two steps fit the strip");
    let mut panels = vec![give(&mut player, Command::Demo, "Hold the bottom two corners")];
    // A step takes 600 ms: its key is blue for 400 ms, then it is pressed.
    for (wait, caption) in [
        (200, "The first key of a shortest solution is blue"),
        (300, "Now it is pressed"),
        (300, "The next key…"),
        (300, "…and all lights are off: solved"),
        (2000, "Then your own board returns"),
    ] {
        player.wait(ms(wait));
        panels.push(Panel::new(seen(&player), caption));
    }
    panels
}

pub(super) fn win() -> Vec<Panel> {
    let mut player = handheld();
    go_to_level(&mut player, 6, &[]);
    player.tap(cell(2, 2));
    player.tap(cell(2, 2));
    let keys = solution(&player);
    let (last, others) = keys.split_last().expect("at least one press");
    others.iter().for_each(|&key| player.tap(key));
    player.press(*last);
    player.wait(ms(170));
    let mut panels =
        vec![Panel::new(seen(&player), "All lights are off: a green ripple from the last key").pressed(*last)];
    player.release(*last);
    player.wait(ms(180));
    panels.push(Panel::new(seen(&player), "It spreads to the edges"));
    let Some(&GameEvent::Won { moves, par }) = player.device.outputs.events.last() else { panic!("not won") };
    assert!(moves < 10 && par < 10 && moves != par, "each caption names one digit");
    // The ripple takes a second.
    player.wait(ms(660));
    for (glyph, caption) in [
        (0, format!("The score scrolls. First the moves: {moves}…")),
        (1, "…a dash…".to_owned()),
        (2, format!("…the par: {par}…")),
        (4, "…and the level: 6".to_owned()),
    ] {
        panels.push(Panel::new(score_at(&player, glyph), caption));
    }
    panels
}

pub(super) fn menu() -> String {
    const ROWS: [MenuRow; SIDE] = [
        ("MODE: tap the selected mode again to start", ["Levels", "Random", "Create", "Tutor", "Action"]),
        ("RULE: the cells that a key flips", ["plus", "cross", "plus, torus", "cross, torus", "ring"]),
        ("SIZE", ["2 × 2", "3 × 3", "4 × 4", "5 × 5", ""]),
        ("DIFFICULTY of Random", ["easiest", "easy", "medium", "hard", "hardest"]),
        ("BRIGHTNESS, and SOUND on or off", ["dimmest", "dim", "bright", "brightest", "sound"]),
    ];
    let mut player = handheld();
    player.wait_for_greeting();
    player.command(Command::Menu);
    assert!(player.is_menu_shown());
    drawing::menu("The menu with its default settings", &seen(&player), &ROWS)
}
