//! The status in every scene of the game, reached by playing: from the library, and from the log of the firmware.

use std::time::Duration;

use emulator::Handheld;
use lights_out::board::{Board, Presses};
use lights_out::chase::{Chase, ChaseStep};
use lights_out::code::Code;
use lights_out::game::GameEvent;
use lights_out::game::modes::ModeKind;
use lights_out::game::status::Choices;
use lights_out::gesture::Command;
use lights_out::level_boards;
use lights_out::rules::{Rule, Size, Variant};
use lights_out::solver::{CLASSIC, Solver};
use player::{CoreDevice, Device, Player, WIPE_TIME, cell, ms};

/// A device that reports its status.
pub(crate) trait StatusSource: Device {
    /// The last status.
    fn status(&self) -> String;
    /// The last report of the choices in the menu.
    fn choices(&self) -> String;
    /// The number of refused taps and commands.
    fn refusals(&self) -> usize;
}

impl StatusSource for CoreDevice {
    fn status(&self) -> String {
        self.game.clone().status(self.now).to_string()
    }

    fn choices(&self) -> String {
        Choices::from(self.game.state().settings()).to_string()
    }

    fn refusals(&self) -> usize {
        self.outputs.events.iter().filter(|event| **event == GameEvent::Refused).count()
    }
}

impl StatusSource for Handheld {
    fn status(&self) -> String {
        last_line(self, "status ")
    }

    fn choices(&self) -> String {
        last_line(self, "choices ")
    }

    fn refusals(&self) -> usize {
        self.logs().iter().filter(|line| line.text == "refused").count()
    }
}

/// The last line of the log with this prefix.
fn last_line(handheld: &Handheld, prefix: &str) -> String {
    let mut lines = handheld.logs().iter().rev().map(|line| &line.text);
    lines.find(|text| text.starts_with(prefix)).expect("a line with this prefix").clone()
}

/// Checks the whole status.
#[track_caller]
fn expect(player: &Player<impl StatusSource>, words: &str) {
    assert_eq!(player.device.status(), format!("status {words}"));
}

/// Waits until the status contains these words.
#[track_caller]
fn expect_within(player: &mut Player<impl StatusSource>, time: Duration, words: &str) {
    player.expect_within(time, words, |player| player.device.status().contains(words));
}

fn code(board: Board) -> Code {
    Code::of(Variant::CLASSIC, board)
}

/// The greeting, a level with every command, the next level, and the level picker.
pub(crate) fn level_and_picker_are_in_status(player: &mut Player<impl StatusSource>) {
    player.wait(ms(300));
    expect(player, "scene=greeting mode=levels number=0 moves=0 par=0 best=0 key=0 puzzle=-");
    assert_eq!(player.device.choices(), "choices rule=1 size=5 difficulty=2 brightness=3 sound=0");
    let board = player.wait_for_greeting();
    let first = code(board);
    assert_eq!(Some(board), level_boards::board(0));
    let at_start = format!("scene=play mode=levels number=1 moves=0 par=1 best=0 key=0 puzzle={first}");
    expect(player, &at_start);
    player.tap(cell(1, 1));
    expect(player, &format!("scene=play mode=levels number=1 moves=1 par=1 best=0 key=0 puzzle={first}"));
    player.command(Command::Undo);
    expect(player, &at_start);
    assert_eq!(player.device.refusals(), 0);
    player.command(Command::Undo);
    assert_eq!(player.device.refusals(), 1, "an undo without a move");
    player.command(Command::Next);
    assert_eq!(player.device.refusals(), 2, "the next level is locked");
    let key = CLASSIC.hint(board).expect("a level is solvable");
    player.command(Command::Hint);
    let number = key.index() + 1;
    expect(player, &format!("scene=hint mode=levels number=1 moves=0 par=1 best=0 key={number} puzzle={first}"));
    player.command(Command::Demo);
    expect(player, &format!("scene=demo mode=levels number=1 moves=0 par=1 best=0 key=0 puzzle={first}"));
    player.tap(key);
    expect(player, &at_start);
    player.tap(key);
    expect(player, &format!("scene=won mode=levels number=1 moves=1 par=1 best=1 key=0 puzzle={first}"));
    expect_within(player, ms(1500), "scene=score mode=levels number=1 moves=1 par=1 best=1 key=0");
    player.tap(cell(2, 2));
    player.wait(WIPE_TIME);
    let second = code(level_boards::board(1).expect("a second level"));
    expect(player, &format!("scene=play mode=levels number=2 moves=0 par=1 best=0 key=0 puzzle={second}"));

    player.start(ModeKind::Levels, &[]);
    expect(player, "scene=picker mode=levels number=1 moves=0 par=0 best=0 key=0 puzzle=-");
    player.command(Command::Next);
    expect(player, "scene=picker mode=levels number=2 moves=0 par=0 best=0 key=0 puzzle=-");
    let refusals = player.device.refusals();
    player.tap(cell(2, 2));
    assert_eq!(player.device.refusals(), refusals + 1, "a tap on a locked level");
    player.command(Command::Hint);
    assert_eq!(player.device.refusals(), refusals + 4, "taps on two locked levels, and a command without meaning here");
    player.command(Command::Undo);
    player.wait(ms(700));
    player.tap(cell(0, 0));
    player.wait(WIPE_TIME);
    expect(player, &format!("scene=play mode=levels number=1 moves=0 par=1 best=1 key=0 puzzle={first}"));
}

/// The menu: the chosen mode, and every choice.
pub(crate) fn menu_choices_are_in_status(player: &mut Player<impl StatusSource>) {
    player.wait_for_greeting();
    let before = player.device.status();
    player.command(Command::Menu);
    expect(player, "scene=menu mode=levels number=0 moves=0 par=0 best=0 key=0 puzzle=-");
    for (mode, name) in ModeKind::ALL.into_iter().zip(["levels", "random", "create", "tutor", "action"]).rev() {
        if mode != ModeKind::Levels {
            player.choose(0, mode as usize);
            expect(player, &format!("scene=menu mode={name} number=0 moves=0 par=0 best=0 key=0 puzzle=-"));
        }
    }
    for (row, column, choices) in [
        (1, 4, "rule=5 size=5 difficulty=2 brightness=3 sound=0"),
        (2, 0, "rule=5 size=2 difficulty=2 brightness=3 sound=0"),
        (3, 4, "rule=5 size=2 difficulty=5 brightness=3 sound=0"),
        (4, 0, "rule=5 size=2 difficulty=5 brightness=1 sound=0"),
        (4, 4, "rule=5 size=2 difficulty=5 brightness=1 sound=1"),
        (4, 4, "rule=5 size=2 difficulty=5 brightness=1 sound=0"),
    ] {
        player.choose(row, column);
        assert_eq!(player.device.choices(), format!("choices {choices}"));
    }
    player.command(Command::Hint);
    assert_eq!(player.device.refusals(), 1);
    player.command(Command::Menu);
    assert_eq!(player.device.status(), before);
}

/// Random: the number of the round, and a puzzle of another rule and size.
pub(crate) fn random_round_and_puzzle_are_in_status(player: &mut Player<impl StatusSource>) {
    let board = player.start_random_puzzle();
    let par = CLASSIC.par(board).expect("a solvable board");
    expect(player, &format!("scene=play mode=random number=1 moves=0 par={par} best=0 key=0 puzzle={}", code(board)));
    player.solve();
    player.wait(ms(300));
    let moves = par;
    expect(
        player,
        &format!("scene=won mode=random number=1 moves={moves} par={par} best=0 key=0 puzzle={}", code(board)),
    );
    player.tap(cell(2, 2));
    player.wait(WIPE_TIME);
    let board = player.board();
    let par = CLASSIC.par(board).expect("a solvable board");
    expect(player, &format!("scene=play mode=random number=2 moves=0 par={par} best=0 key=0 puzzle={}", code(board)));
    player.start(ModeKind::Random, &[(1, 2), (2, 1)]);
    let variant = Variant { rule: Rule::PlusTorus, size: Size::Three };
    let (board, par) = (player.board(), Solver::new(variant).par(player.board()).expect("a solvable board"));
    let other = Code::of(variant, board);
    expect(player, &format!("scene=play mode=random number=2 moves=0 par={par} best=0 key=0 puzzle={other}"));
}

/// Create: the drawing, its slots, its par, playing it, and refused commands.
pub(crate) fn create_drawing_is_in_status(player: &mut Player<impl StatusSource>) {
    player.wait_for_greeting();
    player.start(ModeKind::Create, &[]);
    let status_of = |scene: &str, par: u32, board: Board| {
        format!("scene={scene} mode=create number=0 moves=0 par={par} best=0 key=0 puzzle={}", code(board))
    };
    expect(player, &status_of("draw", 0, Board::DARK));
    player.tap(cell(1, 2));
    let single = Board::of(cell(1, 2).bit());
    expect(player, &status_of("draw", 0, single));
    player.command(Command::Demo);
    expect(player, &status_of("refused", 0, single));
    assert_eq!(player.device.refusals(), 1);
    player.tap(cell(0, 0));
    player.command(Command::Next);
    expect(player, &status_of("slots", 0, single));
    player.tap(cell(3, 0));
    player.command(Command::Hint);
    assert_eq!(player.device.refusals(), 3, "a tap on an empty slot, and a command without meaning here");
    player.tap(cell(0, 0));
    player.wait(WIPE_TIME);
    [cell(2, 1), cell(2, 2), cell(2, 3), cell(3, 2)].into_iter().for_each(|key| player.tap(key));
    let plus = CLASSIC.press(Board::DARK, cell(2, 2));
    expect(player, &status_of("draw", 0, plus));
    player.command(Command::Hint);
    expect(player, &status_of("par", 1, plus));
    player.tap(cell(0, 0));
    player.command(Command::Demo);
    expect(player, &status_of("play", 1, plus));
    player.tap(cell(2, 2));
    expect(player, &status_of("won", 1, plus).replace("moves=0", "moves=1"));
    player.tap(cell(2, 2));
    player.wait(WIPE_TIME);
    expect(player, &status_of("draw", 0, plus));
    (0..5).for_each(|_| player.command(Command::Undo));
    expect(player, &status_of("draw", 0, Board::DARK));
    player.command(Command::Undo);
    assert_eq!(player.device.refusals(), 4, "an undo without a move");
}

/// The lesson: the number of the requested key, until the lesson ends.
pub(crate) fn tutor_key_is_in_status(player: &mut Player<impl StatusSource>) {
    player.wait_for_greeting();
    player.start(ModeKind::Tutor, &[(2, 2)]);
    let variant = Variant { rule: Rule::Plus, size: Size::Four };
    let solver = Solver::new(variant);
    let chase = Chase::new(&solver).expect("the rule can be chased");
    let text = player.device.status();
    let (_, start) = text.rsplit_once("puzzle=").expect("a status with the puzzle");
    let (parsed, mut board) = lights_out::code::parse(start).expect("a code");
    assert_eq!(parsed, variant);
    let par = solver.par(board).expect("a solvable board");
    let (mut chased, mut from_top, mut top_row) = (0, 0, Presses::EMPTY);
    for moves in 0..80 {
        let key = match chase.next(board) {
            _ if !top_row.is_empty() => top_row.first().expect("a key of the top row"),
            ChaseStep::Chase { key, .. } => {
                chased += 1;
                key
            }
            ChaseStep::TopRow(keys) => {
                top_row = keys;
                keys.first().expect("a key of the top row")
            }
            ChaseStep::Done => break,
            ChaseStep::Stuck => panic!("{board} cannot be chased"),
        };
        let scene = if top_row.is_empty() { "chase" } else { "toprow" };
        from_top += usize::from(!top_row.is_empty());
        let number = key.index() + 1;
        let words =
            format!("scene={scene} mode=tutor number=0 moves={moves} par={par} best=0 key={number} puzzle={start}");
        expect(player, &words);
        if moves == 0 {
            // The key of the light itself is never the key that chases the light.
            player.tap(board.lit().first().expect("a light is on"));
            assert_eq!(player.device.refusals(), 1, "a wrong key");
            expect(player, &words);
        }
        player.tap(key);
        top_row &= !Presses::from([key]);
        board = solver.press(board, key);
    }
    assert!(board.is_dark() && chased > 0);
    println!("{chased} lights chased, {from_top} keys of the top row");
    assert!(player.device.status().starts_with("status scene=won mode=tutor"), "{}", player.device.status());
}

/// Action: the number of survived presses, and the best result.
pub(crate) fn action_score_is_in_status(player: &mut Player<impl StatusSource>) {
    player.wait_for_greeting();
    // On the smallest board three lights end the game, so it is short.
    player.start(ModeKind::Action, &[(2, 0)]);
    expect(player, "scene=action mode=action number=0 moves=0 par=0 best=0 key=0 puzzle=-");
    player.command(Command::Hint);
    assert_eq!(player.device.refusals(), 1);
    expect_within(player, ms(60_000), "scene=lost");
    let text = player.device.status();
    let survived: u32 = (1..100)
        .find(|n| text == format!("status scene=lost mode=action number=0 moves={n} par=0 best={n} key=0 puzzle=-"))
        .unwrap_or_else(|| panic!("{text}"));
    assert_eq!(player.device.refusals(), 1, "a lost game is not a refusal");
    player.tap(cell(2, 2));
    player.wait(WIPE_TIME);
    expect(player, &format!("scene=action mode=action number=0 moves=0 par=0 best={survived} key=0 puzzle=-"));
}

/// The status during sleep. After waking it is the same as before sleep.
pub(crate) fn sleep_is_in_status(player: &mut Player<impl StatusSource>) {
    player.start_random_puzzle();
    player.tap(cell(2, 2));
    let before = player.device.status();
    player.wait(ms(181_000));
    expect(player, "scene=asleep mode=random number=0 moves=0 par=0 best=0 key=0 puzzle=-");
    player.tap(cell(2, 2));
    player.wait(ms(100));
    assert_eq!(player.device.status(), before);
}

/// Makes a test of each of these scenarios: see `tests_of`.
macro_rules! each_status_scenario {
    ($($play:tt)+) => {
        crate::scenarios::tests_of!(
            status, $($play)+:
            level_and_picker_are_in_status,
            menu_choices_are_in_status,
            random_round_and_puzzle_are_in_status,
            create_drawing_is_in_status,
            tutor_key_is_in_status,
            action_score_is_in_status,
            sleep_is_in_status,
        );
    };
}
pub(crate) use each_status_scenario;
