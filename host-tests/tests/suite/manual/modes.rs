//! Pictures of the modes.

use lights_out::board::{Board, Cell, Cells, Presses};
use lights_out::display::Frame;
use lights_out::game::GameEvent;
use lights_out::game::modes::Mode;
use lights_out::game::modes::ModeKind;
use lights_out::game::modes::action::limit;
use lights_out::game::puzzle::Puzzle;
use lights_out::gesture::Command;
use lights_out::level_boards;
use lights_out::rules::{Rule, Size, Variant};
use lights_out::solver::{CLASSIC, Solver};
use player::{CoreDevice, Player, WIPE_TIME, cell, ms};

use super::drawing::Panel;
use super::moments::{Handheld, give, go_to_level, handheld, light_of, parse, press, pulse, score_at, seen, tap_all};

pub(super) fn levels() -> Vec<Panel> {
    let mut player = handheld();
    go_to_level(&mut player, 13, &[2, 7, 8, 11]);
    player.start(ModeKind::Levels, &[]);
    let (bright, dim) = pulse(&mut player);
    let chosen = cell(1, 2);
    let tapped = Panel::new(bright, "Tap any level that is not faint").pressed(chosen);
    player.tap(chosen);
    player.wait(WIPE_TIME);
    player.expect_board(level_boards::board(chosen.index()).expect("a level"));
    vec![
        Panel::new(bright, "Bright green: solved at par. Amber: solved. Faint: locked"),
        Panel::new(dim, "The next open level pulses: here it is dim"),
        tapped,
        Panel::new(seen(&player), format!("Level {}", chosen.index() + 1)),
    ]
}

/// The current puzzle of the Random mode.
fn current_puzzle(player: &Handheld) -> &Puzzle {
    let Mode::Random(random) = player.device.game.state().mode() else { panic!("not the Random mode") };
    random.puzzle()
}

pub(super) fn random() -> Vec<Panel> {
    let mut player = handheld();
    player.wait_for_greeting();
    let mut generate = |rule: usize, size: usize, difficulty: usize, what: &str| {
        player.start(ModeKind::Random, &[(1, rule), (2, size), (3, difficulty)]);
        let round = current_puzzle(&player).round();
        let outlined = if round.variant().size == Size::Five { Cells::EMPTY } else { round.variant().cells() };
        Panel::new(seen(&player), format!("{what}, par {}", round.par())).outlined(outlined)
    };
    vec![
        generate(0, 3, 0, "5 × 5, easiest"),
        generate(0, 3, 4, "5 × 5, hardest"),
        generate(1, 2, 2, "4 × 4 with the cross"),
        generate(2, 1, 4, "3 × 3, plus on a torus"),
        generate(0, 0, 4, "2 × 2"),
    ]
}

/// Action begins with a dark board, where one press shows the cells that a key flips.
pub(super) fn rules() -> Vec<Panel> {
    let mut player = handheld();
    player.wait_for_greeting();
    let captions = [
        "Plus: the classic game",
        "Cross",
        "Plus on a torus: opposite edges are connected",
        "Cross on a torus",
        "Ring: the plus without its centre",
    ];
    let mut panels = Vec::new();
    for (column, caption) in captions.into_iter().enumerate() {
        player.start(ModeKind::Action, &[(1, column)]);
        let rule = Rule::ALL[column];
        let key = if matches!(rule, Rule::PlusTorus | Rule::CrossTorus) { cell(0, 2) } else { cell(2, 2) };
        panels.push(press(&mut player, key, caption));
        let flips = Solver::new(Variant { rule, size: Size::Five }).toggles(key);
        player.expect_board(Board::of(flips));
    }
    panels
}

/// A solvable drawing.
fn heart() -> Board {
    parse(".#.#. #.#.# #...# .#.#. ..#..")
}

pub(super) fn create() -> Vec<Panel> {
    let mut player = handheld();
    player.wait_for_greeting();
    player.start(ModeKind::Create, &[]);
    tap_all(&mut player, heart());
    let mut panels = vec![Panel::new(seen(&player), "Green: this drawing is solvable")];
    give(&mut player, Command::Hint, "");
    let par = CLASSIC.par(heart()).expect("a solvable drawing");
    assert_eq!(par.to_string().len(), 2, "the caption names the first of two digits");
    let digits = Panel::new(score_at(&player, 0), format!("Hint shows the par, {par}: here the {}", par / 10));
    // Any key ends the text.
    player.tap(cell(2, 2));
    player.command(Command::Next);
    player.tap(cell(1, 1));
    player.wait(WIPE_TIME);
    let extra = cell(3, 2);
    player.tap(extra);
    assert!(!CLASSIC.is_solvable(player.board()));
    let (bright, dim) = pulse(&mut player);
    panels.push(Panel::new(bright, "One more light: red and pulsing, it is not solvable").pressed(extra));
    panels.push(Panel::new(dim, "The same, half a second later"));
    give(&mut player, Command::Demo, "");
    panels.push(Panel::new(seen(&player), "It cannot be played: a cross"));
    panels.push(digits);
    player.tap(cell(2, 2));
    player.command(Command::Next);
    player.tap(cell(1, 3));
    player.wait(WIPE_TIME);
    player.command(Command::Next);
    panels.push(Panel::new(seen(&player), "The slots: row 2 saves, row 4 loads. Two are in use"));
    panels
}

/// The keys that the lesson accepts.
fn right_keys(player: &Handheld) -> Presses {
    let Mode::Tutor(tutor) = player.device.game.state().mode() else { panic!("not the Tutor mode") };
    tutor.right_keys(&CLASSIC)
}

pub(super) fn tutor() -> Vec<Panel> {
    // Not every board needs the top row.
    (5..50).find_map(lesson).expect("three of four boards need the top row")
}

/// A lesson from its first key to the second chase. `None` if the board needs no second chase.
fn lesson(seed: u64) -> Option<Vec<Panel>> {
    let mut player = Player::new(CoreDevice::new(seed));
    player.wait_for_greeting();
    player.start(ModeKind::Tutor, &[]);
    let (chase, _) = pulse(&mut player);
    let right = right_keys(&player).first().expect("a light to chase");
    let chased = press(&mut player, right, "Pressed: that light is off, and the next one is white");
    let wrong = Cell::all().find(|key| !right_keys(&player).contains(*key)).expect("a wrong key");
    let refused = press(&mut player, wrong, "A wrong key turns red and does nothing");
    // A chasing key lies below a light, so the top row is requested only when no light is left to chase.
    while !right_keys(&player).is_subset(Presses::on(Cells::in_row(0))) {
        player.tap(right_keys(&player).first()?);
        if player.device.outputs.events.iter().any(|event| matches!(event, GameEvent::Won { .. })) {
            return None;
        }
    }
    let (top_row, _) = pulse(&mut player);
    right_keys(&player).iter().for_each(|key| player.tap(key));
    let (again, _) = pulse(&mut player);
    Some(vec![
        Panel::new(chase, "Chase the white light: press the blue key below it"),
        chased,
        refused,
        Panel::new(top_row, "Only the bottom row is left: press the blue keys in the top row…"),
        Panel::new(again, "…and chase again: now all lights go out"),
    ])
}

pub(super) fn action() -> Vec<Panel> {
    let mut player = handheld();
    player.wait_for_greeting();
    player.start(ModeKind::Action, &[]);
    player.expect_within(ms(2000), "the first press", |player| !player.board().is_dark());
    let mut panels = vec![Panel::new(seen(&player), "After two seconds the handheld presses a key")];
    player.expect_within(ms(60_000), "a fuller board", |player| player.board().lit_count() >= 10);
    panels.push(Panel::new(seen(&player), "It presses faster and faster"));
    let fewest = |board: Board| Cell::all().min_by_key(|&key| CLASSIC.press(board, key).lit_count()).expect("a key");
    let key = fewest(player.board());
    panels.push(press(&mut player, key, "Press keys to keep the number of lights low"));
    // The player stops.
    player.expect_within(ms(600_000), "the end", |player| player.board().lit_count() >= limit(Variant::CLASSIC));
    let Some(&GameEvent::Survived { presses }) = player.device.outputs.events.last() else {
        panic!("the game is not over")
    };
    panels.push(Panel::new(pulse_of_lost(&player), "18 lights: the game is over. The board pulses red"));
    player.wait(ms(1000));
    let score = presses.to_string();
    let caption = match score.len() {
        1 => format!("The score: {score} presses survived"),
        _ => format!("The score, {score} presses survived: here the {}", &score[..1]),
    };
    panels.push(Panel::new(score_at(&player, 0), caption));
    panels
}

/// The lost board at its brightest. It is shown for one second only, so a copy of the game is drawn.
fn pulse_of_lost(player: &Handheld) -> Frame {
    let frames = (0..200).map(|step| player.device.game.clone().draw(player.device.now + 4000 * step));
    frames.max_by_key(light_of).expect("200 frames")
}
