//! Each mode, from power-on through the menu by key presses alone, on the library and on the real firmware.

use lights_out::board::{Board, Cell, Cells};
use lights_out::game::modes::ModeKind;
use lights_out::gesture::Command;
use lights_out::level_boards;
use lights_out::rules::{Rule, Size, Variant};
use lights_out::solver::{CLASSIC, Solver};

use player::{Device, Player, WIPED, cell, ms};

/// Row and column of the menu.
fn rule(column: usize) -> (usize, usize) {
    (1, column)
}

fn size(column: usize) -> (usize, usize) {
    (2, column)
}

fn difficulty(column: usize) -> (usize, usize) {
    (3, column)
}

const BOARD_3X3: u32 = 0b00000_01110_01110_01110_00000;

/// Chosen items are bright, the rest dim; a choice is seen at once; the menu command leaves with the game untouched.
pub fn the_menu_chooses_and_leaves_the_game_alone(player: &mut Player<impl Device>) {
    let board = player.after_greeting();
    player.command(Command::Menu);
    assert!(player.is_menu(), "{}", player.board());
    let expect_chosen = |player: &Player<_>, row: usize, column: usize, columns: usize| {
        let chosen = player.brightness(cell(row, column));
        for other in (0..columns).filter(|&other| other != column) {
            let dim = player.brightness(cell(row, other));
            assert!(chosen > 4 * dim && dim > 0, "row {row}: {chosen} against {dim} in column {other}");
        }
    };
    for (row, column, columns) in [(0, 0, 5), (1, 0, 5), (2, 3, 4), (3, 1, 5), (4, 2, 5)] {
        expect_chosen(player, row, column, columns);
    }
    for (row, column, columns) in [(0, 3, 5), (1, 4, 5), (2, 0, 4), (3, 4, 5)] {
        player.choose(row, column);
        expect_chosen(player, row, column, columns);
    }
    // Brightness is seen as it is chosen; sound is a switch of its own.
    let mut last = 0;
    for column in 0..4 {
        player.choose(4, column);
        let now = player.brightness(cell(0, 3));
        assert!(now > last, "step {column}: {now} after {last}");
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

/// The two corners of the menu command are choices themselves, and one may even start a mode: all is taken back.
pub fn leaving_the_menu_takes_its_two_taps_back(player: &mut Player<impl Device>) {
    let board = player.after_greeting();
    player.command(Command::Menu);
    let sound = player.brightness(cell(4, 4));
    // The top left corner is the mode that runs: its tap starts the level picker, for a moment.
    player.command(Command::Menu);
    player.expect_board(board);
    player.command(Command::Menu);
    assert_eq!(player.brightness(cell(4, 4)), sound, "the sound is as it was");
}

/// Level after level, the picker, and what it shows.
pub fn levels_open_one_after_the_other(player: &mut Player<impl Device>) {
    let board = |level| level_boards::board(level).unwrap();
    assert_eq!(player.after_greeting(), board(0));
    // The next is not open yet.
    player.command(Command::Next);
    player.expect_board(board(0));
    player.solve();
    player.wait(ms(300));
    player.tap(cell(2, 2));
    player.wait(WIPED);
    player.expect_board(board(1));
    // Level 2 is solved the long way, and its whole score is watched.
    player.tap(cell(3, 3));
    player.tap(cell(3, 3));
    player.solve();
    player.wait(ms(7000));
    player.expect_board(board(2));

    player.start(ModeKind::Levels, &[]);
    // At par bright, solved lit, open pulsing, the rest faint.
    let key = player.hinted_key().expect("the open level pulses");
    assert_eq!(key.index(), 2);
    let [first, second, unopened] = [cell(0, 0), cell(0, 1), cell(0, 3)].map(|level| player.brightness(level));
    assert!(first > 2 * second && second > 2 * unopened && unopened > 0, "{first}, {second}, {unopened}");
    player.tap(cell(1, 1));
    assert_eq!(player.hinted_key().map(Cell::index), Some(2), "an unopened level does not start");
    // Pages turn both ways and round.
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
    assert_eq!(player.hinted_key().map(Cell::index), Some(2));
    // Any solved level can be played again, and next goes on from there.
    player.tap(cell(0, 0));
    player.wait(WIPED);
    player.expect_board(board(0));
    player.command(Command::Next);
    player.expect_board(board(1));
}

/// Every difficulty deals boards of its pars; on a smaller board only its own keys do anything.
pub fn random_deals_what_was_chosen(player: &mut Player<impl Device>) {
    player.after_greeting();
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
    // The corners are no keys of this board, but they are commands.
    player.command(Command::Undo);
    player.expect_board(board);
    player.command(Command::Hint);
    let key = player.hinted_key().expect("a hint");
    assert_eq!(solver.par(solver.press(board, key)), Some(2));
}

/// Whether the lights stand still, or pulse.
fn pulses(player: &mut Player<impl Device>) -> bool {
    player.hinted_key().is_some()
}

/// One light a tap; the verdict is live; what can be solved can be played; slots keep.
pub fn create_draws_keeps_and_plays(player: &mut Player<impl Device>) {
    player.after_greeting();
    player.start(ModeKind::Create, &[]);
    assert!(player.board().is_dark());
    // This light is in a parity mask, so alone it cannot be put out.
    let single = cell(1, 2);
    player.tap(single);
    player.expect_board(Board::of(single.bit()));
    assert!(pulses(player), "it cannot be solved");
    // It cannot be started, and says so; any key goes back to the drawing.
    player.command(Command::Demo);
    player.expect_board(Board::parse("#...# .#.#. ..#.. .#.#. #...#").unwrap());
    player.tap(cell(0, 0));
    player.expect_board(Board::of(single.bit()));
    // It can be kept, in the second slot.
    player.command(Command::Next);
    player.tap(cell(1, 1));
    player.wait(WIPED);
    // The rest of the plus around it.
    for key in [cell(2, 1), cell(2, 2), cell(2, 3), cell(3, 2)] {
        player.tap(key);
    }
    let plus = CLASSIC.press(Board::DARK, cell(2, 2));
    player.expect_board(plus);
    assert!(!pulses(player), "the plus can be solved");
    player.command(Command::Undo);
    assert!(pulses(player));
    player.tap(cell(3, 2));
    // Its par is 1.
    player.command(Command::Hint);
    assert_ne!(player.board(), plus, "digits");
    player.wait(ms(2000));
    player.expect_board(plus);
    // It is played, and won, and the drawing is there again.
    player.command(Command::Demo);
    player.expect_board(plus);
    player.tap(cell(0, 0));
    player.expect_board(CLASSIC.press(plus, cell(0, 0)));
    player.command(Command::Undo);
    player.tap(cell(2, 2));
    player.wait(ms(300));
    player.tap(cell(2, 2));
    player.wait(WIPED);
    player.expect_board(plus);
    // Wiped away by mistake, and on purpose; and the kept one brought back.
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
    player.wait(WIPED);
    player.expect_board(Board::of(single.bit()));
}

/// Follows the lesson by its pulses to the end; a wrong key on the way changes nothing.
pub fn the_tutor_leads_to_a_dark_board(player: &mut Player<impl Device>, size_column: usize) {
    player.after_greeting();
    player.start(ModeKind::Tutor, &[size(size_column)]);
    let variant = Variant { rule: Rule::Plus, size: Size::ALL[size_column] };
    let solver = Solver::new(variant);
    let mut board = dark_pointers_aside(player);
    assert!(board.lit().is_subset(variant.cells()));
    // A key that the lesson does not ask for: the key above the first light is never one.
    let first = board.lit().first().expect("the lesson does not begin dark");
    if first.row() < variant.size.origin() + variant.size.side() - 1 {
        player.tap(first);
        player.wait(ms(500));
        assert_eq!(dark_pointers_aside(player), board, "a wrong key is no move");
    }
    for _ in 0..80 {
        let Some(key) = player.hinted_key() else { panic!("nothing is pointed out on {board}") };
        player.tap(key);
        board = solver.press(board, key);
        if board.is_dark() {
            player.expect_within(ms(1000), "the ripple", |player| !player.board().is_dark());
            return;
        }
        assert_eq!(dark_pointers_aside(player), board);
    }
    panic!("the lesson does not end");
}

/// The board of the lesson: a pulsing pointer on a dark cell goes out once a second, on a lit one it does not.
fn dark_pointers_aside(player: &mut Player<impl Device>) -> Board {
    let mut always_lit = Cells::ALL;
    for _ in 0..50 {
        always_lit &= player.device.lit();
        player.wait(ms(20));
    }
    Board::of(always_lit)
}

/// The handheld presses keys, ends at 18 lights, shows a score, and begins anew.
pub fn action_speeds_up_and_ends(player: &mut Player<impl Device>) {
    player.after_greeting();
    player.start(ModeKind::Action, &[]);
    assert!(player.board().is_dark());
    player.wait(ms(1000));
    assert!(player.board().is_dark(), "the first press comes after two seconds");
    player.wait(ms(800));
    // It presses one key at a time. The player presses too, and puts out what was lit.
    for _ in 0..4 {
        player.expect_within(ms(2200), "a press", |player| !player.board().is_dark());
        let board = player.board();
        let key = Cell::all().find(|&key| CLASSIC.press(Board::DARK, key) == board);
        player.tap(key.unwrap_or_else(|| panic!("one key was pressed: {board}")));
        assert!(player.board().is_dark());
    }
    // Left alone it fills up in the end, but may fall asleep before: whoever wants to lose presses what lights most.
    for _ in 0..200 {
        let board = player.board();
        if board.lit_count() >= 18 {
            break;
        }
        let lights_most = Cell::all().max_by_key(|&key| CLASSIC.press(board, key).lit_count());
        player.tap(lights_most.expect("25 keys"));
    }
    assert!(player.board().lit_count() >= 18, "it is lost: {}", player.board());
    // The lost board pulses, then the score scrolls; a key starts another game.
    assert!(pulses(player));
    player.wait(ms(3000));
    player.tap(cell(2, 2));
    player.wait(WIPED);
    assert!(player.board().is_dark());
    player.expect_nothing_for(ms(1000));
}

/// Makes a test of each scenario that needs nothing but a player; `$play` plays it.
macro_rules! each_mode_scenario {
    ($play:ident) => {
        crate::scenarios::tests_of!(
            modes, $play:
            the_menu_chooses_and_leaves_the_game_alone,
            leaving_the_menu_takes_its_two_taps_back,
            levels_open_one_after_the_other,
            random_deals_what_was_chosen,
            create_draws_keeps_and_plays,
            action_speeds_up_and_ends,
        );
    };
}
pub(crate) use each_mode_scenario;
