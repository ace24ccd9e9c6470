//! Each mode, from power-on through the menu, by key presses alone.

use lights_out::board::{Board, Cell, Cells};
use lights_out::game::modes::ModeKind;
use lights_out::gesture::Command;
use lights_out::level_boards;
use lights_out::rules::{Rule, Size, Variant};
use lights_out::solver::{CLASSIC, Solver};

use player::{Device, Player, WIPE_TIME, cell, ms};

/// The menu item of a rule: row and column.
fn rule(column: usize) -> (usize, usize) {
    (1, column)
}

/// The menu item of a size: row and column.
fn size(column: usize) -> (usize, usize) {
    (2, column)
}

/// The menu item of a difficulty: row and column.
fn difficulty(column: usize) -> (usize, usize) {
    (3, column)
}

const BOARD_3X3: u32 = 0b00000_01110_01110_01110_00000;

/// Chosen items are bright, the others dim. A choice is shown immediately. The menu command returns to the unchanged
/// game.
pub(crate) fn menu_shows_choices_and_keeps_game(player: &mut Player<impl Device>) {
    let board = player.wait_for_greeting();
    player.command(Command::Menu);
    assert!(player.is_menu_shown(), "{}", player.board());
    let expect_chosen = |player: &Player<_>, row: usize, column: usize, columns: usize| {
        let chosen = player.brightness(cell(row, column));
        for other in (0..columns).filter(|&other| other != column) {
            let dim = player.brightness(cell(row, other));
            assert!(chosen > 4 * dim && dim > 0, "row {row}: brightness {chosen}, and {dim} in column {other}");
        }
    };
    for (row, column, columns) in [(0, 0, 5), (1, 0, 5), (2, 3, 4), (3, 1, 5), (4, 2, 5)] {
        expect_chosen(player, row, column, columns);
    }
    for (row, column, columns) in [(0, 3, 5), (1, 4, 5), (2, 0, 4), (3, 4, 5)] {
        player.choose(row, column);
        expect_chosen(player, row, column, columns);
    }
    // A chosen brightness acts immediately. Sound is on or off.
    let mut last = 0;
    for column in 0..4 {
        player.choose(4, column);
        let now = player.brightness(cell(0, 3));
        assert!(now > last, "brightness step {column}: {now} after {last}");
        last = now;
    }
    let quiet = player.brightness(cell(4, 4));
    player.choose(4, 4);
    assert!(player.brightness(cell(4, 4)) > 4 * quiet);
    player.choose(4, 4);
    assert_eq!(player.brightness(cell(4, 4)), quiet);
    player.choose(2, 4);
    player.command(Command::Menu);
    player.expect_board(board);
    player.expect_nothing_for(ms(500));
}

/// The two corners of the menu command are choices in the menu, and one may start a mode. The command rolls both back.
pub(crate) fn menu_command_rolls_back_its_two_taps(player: &mut Player<impl Device>) {
    let board = player.wait_for_greeting();
    player.command(Command::Menu);
    let sound = player.brightness(cell(4, 4));
    // The top left corner is the running mode: its tap opens the level picker until the command is recognised.
    player.command(Command::Menu);
    player.expect_board(board);
    player.command(Command::Menu);
    assert_eq!(player.brightness(cell(4, 4)), sound, "the sound was switched");
}

/// Levels open one by one. The level picker shows the results, and its pages turn.
pub(crate) fn levels_open_in_order_and_picker_shows_results(player: &mut Player<impl Device>) {
    let board = |level| level_boards::board(level).unwrap();
    assert_eq!(player.wait_for_greeting(), board(0));
    // The next level is still locked.
    player.command(Command::Next);
    player.expect_board(board(0));
    player.solve();
    player.wait(ms(300));
    player.tap(cell(2, 2));
    player.wait(WIPE_TIME);
    player.expect_board(board(1));
    // Level 2 is solved with two moves too many, and its score is shown to the end.
    player.tap(cell(3, 3));
    player.tap(cell(3, 3));
    player.solve();
    player.wait(ms(7000));
    player.expect_board(board(2));

    player.start(ModeKind::Levels, &[]);
    // Levels solved at par are bright, other solved levels less bright, the open level pulses, locked levels are faint.
    let key = player.find_pulsing_key().expect("the open level pulses");
    assert_eq!(key.index(), 2);
    let [first, second, locked] = [cell(0, 0), cell(0, 1), cell(0, 3)].map(|level| player.brightness(level));
    assert!(first > 2 * second && second > 2 * locked && locked > 0, "{first}, {second}, {locked}");
    player.tap(cell(1, 1));
    assert_eq!(player.find_pulsing_key().map(Cell::index), Some(2), "a locked level was started");
    // Pages turn in both directions, and from the last to the first.
    let two = Board::parse(".###. ...#. .###. .#... .###.").unwrap();
    player.command(Command::Next);
    player.expect_board(two);
    player.wait(ms(800));
    player.expect_board(Board::of(Cells::ALL));
    player.expect_nothing_for(ms(1000));
    player.command(Command::Next);
    player.command(Command::Undo);
    player.expect_board(two);
    player.command(Command::Undo);
    player.wait(ms(800));
    assert_eq!(player.find_pulsing_key().map(Cell::index), Some(2));
    // A solved level can be played again, and the next puzzle is the level after it.
    player.tap(cell(0, 0));
    player.wait(WIPE_TIME);
    player.expect_board(board(0));
    player.command(Command::Next);
    player.expect_board(board(1));
}

/// Each difficulty draws boards of its pars. On a smaller board only its own keys are moves.
pub(crate) fn random_draws_boards_of_chosen_kind(player: &mut Player<impl Device>) {
    player.wait_for_greeting();
    for (column, pars) in [(0, 1..=3), (4, 13..=15), (2, 7..=9)] {
        player.start(ModeKind::Random, &[difficulty(column)]);
        let board = player.board();
        assert!(CLASSIC.par(board).is_some_and(|par| pars.contains(&par)), "{pars:?}: {board}");
    }
    player.start(ModeKind::Random, &[rule(2), size(1), difficulty(4)]);
    let variant = Variant { rule: Rule::PlusTorus, size: Size::Three };
    let solver = Solver::new(variant);
    let board = player.board();
    assert_eq!(board.bits() & !BOARD_3X3, 0, "{board}");
    assert_eq!(solver.par(board), Some(3), "{board}");
    player.tap(cell(0, 2));
    player.tap(cell(4, 4));
    player.expect_board(board);
    player.tap(cell(1, 1));
    player.expect_board(solver.press(board, cell(1, 1)));
    // The corners are not keys of this board, but they give commands.
    player.command(Command::Undo);
    player.expect_board(board);
    player.command(Command::Hint);
    let key = player.find_pulsing_key().expect("a hint");
    assert_eq!(solver.par(solver.press(board, key)), Some(2));
}

/// Whether a light pulses.
fn is_pulsing(player: &mut Player<impl Device>) -> bool {
    player.find_pulsing_key().is_some()
}

/// Create: a tap flips one light, the drawing pulses while it cannot be solved, a solvable drawing can be played, and
/// slots store drawings.
pub(crate) fn create_draws_stores_and_plays(player: &mut Player<impl Device>) {
    player.wait_for_greeting();
    player.start(ModeKind::Create, &[]);
    assert!(player.board().is_dark());
    // This light is in a parity mask, so it cannot be solved alone.
    let single = cell(1, 2);
    player.tap(single);
    player.expect_board(Board::of(single.bit()));
    assert!(is_pulsing(player), "a drawing that cannot be solved does not pulse");
    // Starting it shows a cross. Any key returns to the drawing.
    player.command(Command::Demo);
    player.expect_board(Board::parse("#...# .#.#. ..#.. .#.#. #...#").unwrap());
    player.tap(cell(0, 0));
    player.expect_board(Board::of(single.bit()));
    // It can be stored, in the second slot.
    player.command(Command::Next);
    player.tap(cell(1, 1));
    player.wait(WIPE_TIME);
    // The other lights of a plus.
    for key in [cell(2, 1), cell(2, 2), cell(2, 3), cell(3, 2)] {
        player.tap(key);
    }
    let plus = CLASSIC.press(Board::DARK, cell(2, 2));
    player.expect_board(plus);
    assert!(!is_pulsing(player), "a drawing that can be solved pulses");
    player.command(Command::Undo);
    assert!(is_pulsing(player));
    player.tap(cell(3, 2));
    // The hint command shows its par, 1.
    player.command(Command::Hint);
    assert_ne!(player.board(), plus, "the digits of the par");
    player.wait(ms(2000));
    player.expect_board(plus);
    // It is played and won. Then the drawing is shown again.
    player.command(Command::Demo);
    player.expect_board(plus);
    player.tap(cell(0, 0));
    player.expect_board(CLASSIC.press(plus, cell(0, 0)));
    player.command(Command::Undo);
    player.tap(cell(2, 2));
    player.wait(ms(300));
    player.tap(cell(2, 2));
    player.wait(WIPE_TIME);
    player.expect_board(plus);
    // Restart clears the drawing, undo restores it. After another restart the stored drawing is loaded.
    player.command(Command::Restart);
    assert!(player.board().is_dark());
    player.command(Command::Undo);
    player.expect_board(plus);
    player.command(Command::Restart);
    assert!(player.board().is_dark());
    player.command(Command::Next);
    let slots = player.board();
    assert_eq!(slots.lit(), Cells::in_row(1) | cell(3, 1).bit(), "{slots}");
    player.tap(cell(3, 1));
    player.wait(WIPE_TIME);
    player.expect_board(Board::of(single.bit()));
}

/// Follows the pulses of the lesson to its end. A wrong key changes nothing.
pub(crate) fn tutor_leads_to_dark_board(player: &mut Player<impl Device>, size_column: usize) {
    player.wait_for_greeting();
    player.start(ModeKind::Tutor, &[size(size_column)]);
    let variant = Variant { rule: Rule::Plus, size: Size::ALL[size_column] };
    let solver = Solver::new(variant);
    let mut board = lesson_board(player);
    assert!(board.lit().is_subset(variant.cells()));
    // The lesson chases a light with the key below it, so the key of the first light itself is wrong.
    let first = board.lit().first().expect("the lesson begins with lights");
    if first.row() < variant.size.origin() + variant.size.side() - 1 {
        player.tap(first);
        player.wait(ms(500));
        assert_eq!(lesson_board(player), board, "a wrong key was a move");
    }
    for _ in 0..80 {
        let Some(key) = player.find_pulsing_key() else { panic!("no key pulses on {board}") };
        player.tap(key);
        board = solver.press(board, key);
        if board.is_dark() {
            player.expect_within(ms(1000), "the animation of the win", |player| !player.board().is_dark());
            return;
        }
        assert_eq!(lesson_board(player), board);
    }
    panic!("the lesson did not end in 80 moves");
}

/// The board of the lesson: the lights that stay on for a second. The pulse on a cell whose light is off goes dark each
/// second.
fn lesson_board(player: &mut Player<impl Device>) -> Board {
    let mut always_lit = Cells::ALL;
    for _ in 0..50 {
        always_lit &= player.device.lit();
        player.wait(ms(20));
    }
    Board::of(always_lit)
}

/// The handheld presses keys, the game is lost at 18 lights, the score is shown, and a key starts the next game.
pub(crate) fn action_speeds_up_and_ends(player: &mut Player<impl Device>) {
    player.wait_for_greeting();
    player.start(ModeKind::Action, &[]);
    assert!(player.board().is_dark());
    player.wait(ms(1000));
    assert!(player.board().is_dark(), "the first press of the handheld comes after two seconds");
    player.wait(ms(800));
    // The handheld presses one key at a time. The player presses the same key, which turns the lights off.
    for _ in 0..4 {
        player.expect_within(ms(2200), "a press of the handheld", |player| !player.board().is_dark());
        let board = player.board();
        let key = Cell::all().find(|&key| CLASSIC.press(Board::DARK, key) == board);
        player.tap(key.unwrap_or_else(|| panic!("not the lights of one key: {board}")));
        assert!(player.board().is_dark());
    }
    // Without presses the idle timeout might end the game first. To lose, the player presses the key that turns most
    // lights on.
    for _ in 0..200 {
        let board = player.board();
        if board.lit_count() >= 18 {
            break;
        }
        let lights_most = Cell::all().max_by_key(|&key| CLASSIC.press(board, key).lit_count());
        player.tap(lights_most.expect("25 keys"));
    }
    assert!(player.board().lit_count() >= 18, "the game is not lost: {}", player.board());
    // The lost board pulses, then the score scrolls. A key starts the next game.
    assert!(is_pulsing(player));
    player.wait(ms(3000));
    player.tap(cell(2, 2));
    player.wait(WIPE_TIME);
    assert!(player.board().is_dark());
    player.expect_nothing_for(ms(1000));
}

/// Makes a test of each scenario whose only argument is a player: see `tests_of`.
macro_rules! each_mode_scenario {
    ($($play:tt)+) => {
        crate::scenarios::tests_of!(
            modes, $($play)+:
            menu_shows_choices_and_keeps_game,
            menu_command_rolls_back_its_two_taps,
            levels_open_in_order_and_picker_shows_results,
            random_draws_boards_of_chosen_kind,
            create_draws_stores_and_plays,
            action_speeds_up_and_ends,
        );
    };
}
pub(crate) use each_mode_scenario;
