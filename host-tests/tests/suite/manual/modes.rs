//! Pictures of the modes.

use lights_out::board::{Board, Cell, Cells, Presses};
use lights_out::game::GameEvent;
use lights_out::game::modes::Mode;
use lights_out::game::modes::ModeKind;
use lights_out::game::modes::action::limit;
use lights_out::game::puzzle::Puzzle;
use lights_out::gesture::Command;
use lights_out::level_boards;
use lights_out::picture::Frame;
use lights_out::rules::{Rule, Size, Variant};
use lights_out::solver::{CLASSIC, Solver};
use player::{CoreDevice, Player, WIPED, cell, ms};

use super::moments::{Handheld, give, go_to_level, handheld, light_of, parse, press, pulse, score_at, seen, tap_all};
use super::svg::Panel;

pub fn levels() -> Vec<Panel> {
    let mut player = handheld();
    go_to_level(&mut player, 13, &[2, 7, 8, 11]);
    player.start(ModeKind::Levels, &[]);
    let (bright, dim) = pulse(&mut player);
    let chosen = cell(1, 2);
    let tapped = Panel::new(bright, "Any level that is not faint can be tapped").pressed(chosen);
    player.tap(chosen);
    player.wait(WIPED);
    player.expect_board(level_boards::board(chosen.index()).expect("a level"));
    vec![
        Panel::new(bright, "Bright green: solved at par. Amber: solved. Faint: not open yet"),
        Panel::new(dim, "The open level pulses: bright before, dim now"),
        tapped,
        Panel::new(seen(&player), format!("Level {}", chosen.index() + 1)),
    ]
}

/// The puzzle in play in Random.
fn dealt(player: &Handheld) -> &Puzzle {
    let Mode::Random(random) = player.device.game.state().mode() else { panic!("not Random") };
    random.puzzle()
}

pub fn random() -> Vec<Panel> {
    let mut player = handheld();
    player.after_greeting();
    let mut deal = |rule: usize, size: usize, difficulty: usize, what: &str| {
        player.start(ModeKind::Random, &[(1, rule), (2, size), (3, difficulty)]);
        let round = dealt(&player).round();
        let outlined = if round.variant().size == Size::Five { Cells::EMPTY } else { round.variant().cells() };
        Panel::new(seen(&player), format!("{what}, par {}", round.par())).outlined(outlined)
    };
    vec![
        deal(0, 3, 0, "5 × 5, easiest"),
        deal(0, 3, 4, "5 × 5, hardest"),
        deal(1, 2, 2, "4 × 4 with the cross"),
        deal(2, 1, 4, "3 × 3, plus on a torus"),
        deal(0, 0, 4, "2 × 2"),
    ]
}

/// On the dark board that Action begins with, one press shows what a key flips.
pub fn rules() -> Vec<Panel> {
    let mut player = handheld();
    player.after_greeting();
    let captions = [
        "Plus: the classic game",
        "Cross",
        "Plus on a torus: what leaves at the top comes in below",
        "Cross on a torus",
        "Ring: the plus without its own light",
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

/// A drawing that can be solved.
fn heart() -> Board {
    parse(".#.#. #.#.# #...# .#.#. ..#..")
}

pub fn create() -> Vec<Panel> {
    let mut player = handheld();
    player.after_greeting();
    player.start(ModeKind::Create, &[]);
    tap_all(&mut player, heart());
    let mut panels = vec![Panel::new(seen(&player), "Still and green: this drawing can be solved")];
    give(&mut player, Command::Hint, "");
    let par = CLASSIC.par(heart()).expect("a drawing that can be solved");
    assert_eq!(par.to_string().len(), 2, "the caption tells of the first of two digits");
    let digits = Panel::new(score_at(&player, 0), format!("Hint shows its par, {par}: first the {}", par / 10));
    // Any key cuts it short.
    player.tap(cell(2, 2));
    player.command(Command::Next);
    player.tap(cell(1, 1));
    player.wait(WIPED);
    let one_too_many = cell(3, 2);
    player.tap(one_too_many);
    assert!(!CLASSIC.is_solvable(player.board()));
    let (bright, dim) = pulse(&mut player);
    panels.push(Panel::new(bright, "One light more: red and pulsing, it cannot be solved").pressed(one_too_many));
    panels.push(Panel::new(dim, "The same, half a second later"));
    give(&mut player, Command::Demo, "");
    panels.push(Panel::new(seen(&player), "So it cannot be played: a cross"));
    panels.push(digits);
    player.tap(cell(2, 2));
    player.command(Command::Next);
    player.tap(cell(1, 3));
    player.wait(WIPED);
    player.command(Command::Next);
    panels.push(Panel::new(seen(&player), "The slots: row 2 keeps, row 4 brings back. Two are in use"));
    panels
}

/// The keys that the lesson accepts.
fn right_keys(player: &Handheld) -> Presses {
    let Mode::Tutor(tutor) = player.device.game.state().mode() else { panic!("not the tutor") };
    tutor.right_keys(&CLASSIC)
}

pub fn tutor() -> Vec<Panel> {
    // Not every board calls for the top row.
    (5..50).find_map(lesson).expect("three of four boards call for the top row")
}

/// A lesson from its first key to the second chase, if it comes to that.
fn lesson(seed: u64) -> Option<Vec<Panel>> {
    let mut player = Player::new(CoreDevice::new(seed));
    player.after_greeting();
    player.start(ModeKind::Tutor, &[]);
    let (chase, _) = pulse(&mut player);
    let right = right_keys(&player).first().expect("something to chase");
    let chased = press(&mut player, right, "Pressed: that light is out, and the next is white");
    let wrong = Cell::all().find(|key| !right_keys(&player).contains(*key)).expect("a wrong key");
    let refused = press(&mut player, wrong, "A wrong key glows red and does nothing");
    // A key that chases lies below a light, so the top row is asked for only when nothing is left to chase.
    while !right_keys(&player).is_subset(Presses::on(Cells::in_row(0))) {
        player.tap(right_keys(&player).first()?);
        if player.device.put_out.news.iter().any(|news| matches!(news, GameEvent::Won { .. })) {
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
        Panel::new(top_row, "Only the bottom row is left: press what is blue in the top row…"),
        Panel::new(again, "…and chase once more: now it all goes out"),
    ])
}

pub fn action() -> Vec<Panel> {
    let mut player = handheld();
    player.after_greeting();
    player.start(ModeKind::Action, &[]);
    player.expect_within(ms(2000), "the first press", |player| !player.board().is_dark());
    let mut panels = vec![Panel::new(seen(&player), "After two seconds the handheld presses a key")];
    player.expect_within(ms(60_000), "a fuller board", |player| player.board().lit_count() >= 10);
    panels.push(Panel::new(seen(&player), "It goes on, faster and faster"));
    let fewest = |board: Board| Cell::all().min_by_key(|&key| CLASSIC.press(board, key).lit_count()).expect("a key");
    let key = fewest(player.board());
    panels.push(press(&mut player, key, "Press keys to keep the lights down"));
    // Nobody plays on.
    player.expect_within(ms(600_000), "the end", |player| player.board().lit_count() >= limit(Variant::CLASSIC));
    let Some(&GameEvent::Survived { presses }) = player.device.put_out.news.last() else { panic!("not over") };
    panels.push(Panel::new(pulse_of_lost(&player), "18 lights: lost. The board pulses red"));
    player.wait(ms(1000));
    let score = presses.to_string();
    let caption = match score.len() {
        1 => format!("The score: {score} presses survived"),
        _ => format!("The score, {score} presses survived: first the {}", &score[..1]),
    };
    panels.push(Panel::new(score_at(&player, 0), caption));
    panels
}

/// The lost board at its brightest; it is seen for a second, so a copy of the game is looked at.
fn pulse_of_lost(player: &Handheld) -> Frame {
    let moments = (0..200).map(|step| player.device.game.clone().draw(player.device.now + 4000 * step));
    moments.max_by_key(light_of).expect("many moments")
}
