//! Play in any mode: taps, commands, wins, stuck keys.

use lights_out::board::{Board, Cell, Presses};
use lights_out::gesture::Command;
use lights_out::solver::CLASSIC;

use player::{Device, HOLD, Player, WIPE_TIME, cell, ms};

/// Every key flips exactly its own pattern, and a second press flips it back.
pub(crate) fn every_key_flips_its_pattern(player: &mut Player<impl Device>) {
    let start = player.start_random_puzzle();
    for key in Cell::all() {
        // A press that wins is tested elsewhere.
        let flipped = CLASSIC.press(start, key);
        if flipped.is_dark() {
            continue;
        }
        player.tap(key);
        player.expect_board(flipped);
        player.tap(key);
        player.expect_board(start);
    }
}

/// The lights change while the key is still down.
pub(crate) fn tap_acts_on_press(player: &mut Player<impl Device>) {
    let start = player.start_random_puzzle();
    player.press(cell(2, 2));
    player.wait(ms(5));
    player.expect_board(CLASSIC.press(start, cell(2, 2)));
    player.release(cell(2, 2));
    player.expect_nothing_for(ms(300));
}

/// Two corners released too early are two moves, for all six pairs. Two corners with a third key are three moves.
pub(crate) fn incomplete_command_is_two_taps(player: &mut Player<impl Device>) {
    let mut board = player.start_random_puzzle();
    for command in Command::ALL {
        let corners = command.corners().map(|corner| corner.cell());
        player.hold(&corners, ms(600));
        board = CLASSIC.press_all(board, corners.into());
        player.expect_board(board);
        player.expect_nothing_for(ms(300));
        player.hold(&[corners[0], corners[1], cell(2, 2)], HOLD);
        board = CLASSIC.press_all(board, Presses::from([corners[0], corners[1], cell(2, 2)]));
        player.expect_board(board);
    }
}

/// A hint rolls back the taps of its two corners, and a key of a shortest solution pulses until the next press.
pub(crate) fn hint_pulses_key_of_shortest_solution(player: &mut Player<impl Device>) {
    let start = player.start_random_puzzle();
    let par = CLASSIC.par(start).unwrap();
    player.command(Command::Hint);
    let key = player.find_pulsing_key().expect("a key that pulses");
    assert_eq!(CLASSIC.par(CLASSIC.press(start, key)), Some(par - 1), "{key:?} on {start}");
    player.tap(key);
    player.expect_board(CLASSIC.press(start, key));
    player.expect_nothing_for(ms(500));
}

/// Following the hints wins in exactly the par of the board, from any board that the player has reached.
pub(crate) fn hints_win_in_par(player: &mut Player<impl Device>, first_moves: &[Cell]) {
    player.start_random_puzzle();
    first_moves.iter().for_each(|&key| player.tap(key));
    let mut board = player.board();
    let par = CLASSIC.par(board).expect("moves keep a board solvable");
    for left in (0..par).rev() {
        player.command(Command::Hint);
        let key = player.find_pulsing_key().expect("a key that pulses");
        player.tap(key);
        board = CLASSIC.press(board, key);
        assert_eq!(CLASSIC.par(board), Some(left), "the hint is not on a shortest solution: {board}");
    }
    // An animation shows the win. Then the next puzzle starts.
    player.expect_within(ms(1500), "the animation of the win", |player| !player.board().is_dark());
}

/// The solve demo ends with a dark board and then restores the player's board.
pub(crate) fn demo_solves_and_restores_board(player: &mut Player<impl Device>) {
    let start = player.start_random_puzzle();
    let par = u64::from(CLASSIC.par(start).unwrap());
    player.tap(cell(1, 3));
    let board = CLASSIC.press(start, cell(1, 3));
    player.command(Command::Demo);
    player.expect_within(ms(1000 * (par + 3)), "the dark board", |player| player.board().is_dark());
    player.expect_within(ms(1500), "the player's board", |player| player.board() == board);
    player.expect_nothing_for(ms(1000));
    // The move can still be undone.
    player.command(Command::Undo);
    player.expect_board(start);
}

/// Any key stops the demo and is not a move.
pub(crate) fn key_stops_demo(player: &mut Player<impl Device>) {
    let start = player.start_random_puzzle();
    player.command(Command::Demo);
    player.wait(ms(1300));
    player.tap(cell(2, 2));
    player.expect_board(start);
    player.expect_nothing_for(ms(1500));
}

/// Undo rolls back one move, and repeats while it is held.
pub(crate) fn undo_repeats_while_held(player: &mut Player<impl Device>) {
    let start = player.start_random_puzzle();
    // The expected boards assume that no tap wins.
    let keys: Vec<Cell> = (0..10).map(|i| cell(i % 5, i / 5 + 1)).collect();
    let mut boards = vec![start];
    for &key in &keys {
        player.tap(key);
        boards.push(CLASSIC.press(*boards.last().unwrap(), key));
        player.expect_board(*boards.last().unwrap());
    }
    player.command(Command::Undo);
    boards.pop();
    player.expect_board(*boards.last().unwrap());
    // Held for 0.7 s and three times 0.3 s: four moves.
    let corners = Command::Undo.corners().map(|corner| corner.cell());
    player.hold(&corners, ms(700 + 3 * 300 + 100));
    boards.truncate(boards.len() - 4);
    player.expect_board(*boards.last().unwrap());
    // All other moves. Before the first move there is nothing to undo.
    player.hold(&corners, ms(700 + 8 * 300));
    player.expect_board(start);
}

/// Restart restores the first board. Undo rolls the restart back, and then the moves before it.
pub(crate) fn restart_can_be_undone(player: &mut Player<impl Device>) {
    let start = player.start_random_puzzle();
    let keys = [cell(0, 1), cell(3, 3), cell(2, 0)];
    keys.into_iter().for_each(|key| player.tap(key));
    let moved = keys.into_iter().fold(start, |board, key| CLASSIC.press(board, key));
    player.command(Command::Restart);
    player.expect_board(start);
    // A second restart does nothing, so that undo rolls back the first one.
    player.command(Command::Restart);
    player.expect_board(start);
    player.command(Command::Undo);
    player.expect_board(moved);
    player.command(Command::Undo);
    player.expect_board(CLASSIC.press(moved, keys[2]));
}

/// Restarts are steps like moves: undo rolls back all of them, to the first board.
pub(crate) fn undo_rolls_back_restarts_and_moves(player: &mut Player<impl Device>) {
    let start = player.start_random_puzzle();
    let mut boards = vec![start];
    for key in [cell(1, 1), cell(2, 3), cell(3, 2)] {
        for key in [key, cell(2, 2)] {
            player.tap(key);
            boards.push(CLASSIC.press(boards[boards.len() - 1], key));
            player.expect_board(boards[boards.len() - 1]);
        }
        player.command(Command::Restart);
        boards.push(start);
        player.expect_board(start);
    }
    for board in boards.iter().rev().skip(1) {
        player.command(Command::Undo);
        player.expect_board(*board);
    }
    player.command(Command::Undo);
    player.expect_board(start);
}

/// A restart after a win begins the puzzle again, with nothing to undo.
pub(crate) fn restart_after_win_has_nothing_to_undo(player: &mut Player<impl Device>) {
    let start = player.start_random_puzzle();
    player.solve();
    player.wait(ms(300));
    player.command(Command::Restart);
    player.expect_board(start);
    player.command(Command::Undo);
    player.expect_board(start);
}

/// The command for the next puzzle draws another board of the same difficulty.
pub(crate) fn next_draws_another_board_of_same_difficulty(player: &mut Player<impl Device>) {
    let mut seen = vec![player.start_random_puzzle()];
    for _ in 0..5 {
        player.command(Command::Next);
        let board = player.board();
        assert!(CLASSIC.par(board).is_some_and(|par| (4..=6).contains(&par)), "{board}");
        assert!(!seen.contains(&board), "drawn twice: {board}");
        seen.push(board);
    }
}

/// One corner may be held long before the other one is pressed, in either order.
pub(crate) fn corners_of_command_may_be_seconds_apart(player: &mut Player<impl Device>) {
    let start = player.start_random_puzzle();
    let [left, right] = Command::Hint.corners().map(|corner| corner.cell());
    for (first, second) in [(left, right), (right, left)] {
        player.press(first);
        player.wait(ms(3000));
        player.expect_board(CLASSIC.press(start, first));
        player.press(second);
        player.wait(ms(100));
        player.expect_board(CLASSIC.press_all(start, Presses::from([first, second])));
        player.wait(HOLD);
        assert!(player.find_pulsing_key().is_some());
        player.release(first);
        player.release(second);
        player.wait(ms(100));
        // A move ends the hint. Undo the move for the next round.
        player.tap(cell(2, 2));
        player.expect_board(CLASSIC.press(start, cell(2, 2)));
        player.command(Command::Undo);
        player.expect_board(start);
    }
}

/// The characters of a score with a par of 4 to 6, as they look in the middle of the lights.
fn glyph(character: char) -> Board {
    let lights = match character {
        '1' => "..#.. .##.. ..#.. ..#.. .###.",
        '4' => ".#.#. .#.#. .###. ...#. ...#.",
        '5' => ".###. .#... .###. ...#. .###.",
        '6' => ".###. .#... .###. .#.#. .###.",
        '-' => "..... ..... .##.. ..... .....",
        _ => panic!("no glyph of {character}"),
    };
    Board::parse(lights).expect("25 cells")
}

/// A win plays its animation, shows the score, and then the next puzzle starts.
pub(crate) fn win_shows_animation_score_and_next_puzzle(player: &mut Player<impl Device>) {
    let start = player.start_random_puzzle();
    let par = CLASSIC.par(start).expect("a solvable board");
    player.solve();
    player.expect_within(ms(1000), "the animation of the win", |player| !player.board().is_dark());
    // After the animation of one second, the moves, a dash, the par and the number of the round scroll by. Each
    // character is alone in the middle for a moment, 0.6 s after the one before. There is a space before the last.
    let digit = char::from_digit(par, 10).expect("one digit");
    for (character, time) in [(digit, 2000), ('-', 700), (digit, 700), ('1', 1300)] {
        player
            .expect_within(ms(time), &format!("{character} of the score"), |player| player.board() == glyph(character));
    }
    player.wait(ms(1500));
    let next = player.board();
    assert!(CLASSIC.par(next).is_some_and(|par| (4..=6).contains(&par)), "{next}");
    assert_ne!(next, start);
    player.expect_nothing_for(ms(1000));
}

/// Any key ends the animation of a win and is not a move.
pub(crate) fn key_ends_win_animation(player: &mut Player<impl Device>) {
    let start = player.start_random_puzzle();
    player.solve();
    player.wait(ms(300));
    player.tap(cell(2, 2));
    player.wait(WIPE_TIME);
    let next = player.board();
    assert!(CLASSIC.par(next).is_some_and(|par| (4..=6).contains(&par)), "not the next puzzle without a move: {next}");
    assert_ne!(next, start);
    player.expect_nothing_for(ms(1000));
}

/// A command rolls back the tap of its first corner, even if that tap was a win.
pub(crate) fn command_rolls_back_winning_tap(player: &mut Player<impl Device>) {
    let start = player.start_random_puzzle();
    // Make a board that one corner solves: press the solution with the corner added or left out.
    let corner = cell(0, 0);
    let others = CLASSIC.shortest(start).unwrap().presses ^ Presses::from([corner]);
    for key in others {
        player.tap(key);
    }
    let almost = CLASSIC.press(Board::DARK, corner);
    player.expect_board(almost);
    player.press(corner);
    player.wait(ms(100));
    assert_ne!(player.board(), almost, "the win is not shown");
    // Both corners together are the undo command.
    player.press(cell(4, 0));
    player.wait(HOLD);
    player.release(corner);
    player.release(cell(4, 0));
    player.wait(WIPE_TIME);
    // The win is rolled back, and then the move before it is undone.
    let last = others.iter().last().expect("more than one press");
    player.expect_board(CLASSIC.press(almost, last));
}

/// Several keys that are pressed together are all moves.
pub(crate) fn keys_pressed_together_are_all_moves(player: &mut Player<impl Device>) {
    let mut board = player.start_random_puzzle();
    let groups = [
        vec![cell(1, 1), cell(3, 3)],
        vec![cell(0, 2), cell(2, 2), cell(4, 2)],
        vec![cell(0, 1), cell(1, 2), cell(2, 3), cell(3, 1), cell(4, 4)],
    ];
    for keys in groups {
        keys.iter().for_each(|&key| player.press(key));
        player.wait(ms(30));
        keys.iter().for_each(|&key| player.release(key));
        player.wait(ms(60));
        board = keys.iter().fold(board, |board, &key| CLASSIC.press(board, key));
        player.expect_board(board);
    }
}

/// A key that is held for more than half a minute is ignored until it is released. The other keys work.
pub(crate) fn stuck_key_is_ignored_until_release(player: &mut Player<impl Device>) {
    let start = player.start_random_puzzle();
    let stuck = cell(0, 0);
    player.press(stuck);
    player.wait(ms(31_000));
    let board = CLASSIC.press(start, stuck);
    player.expect_board(board);
    // Other corners give commands, because the stuck corner is not counted.
    player.tap(cell(2, 2));
    player.expect_board(CLASSIC.press(board, cell(2, 2)));
    player.command(Command::Restart);
    player.expect_board(start);
    player.release(stuck);
    player.wait(ms(60));
    player.tap(stuck);
    player.expect_board(board);
}

/// Makes a test of each scenario whose only argument is a player: see `tests_of`.
macro_rules! each_play_scenario {
    ($($play:tt)+) => {
        crate::scenarios::tests_of!(
            play, $($play)+:
            every_key_flips_its_pattern,
            tap_acts_on_press,
            incomplete_command_is_two_taps,
            hint_pulses_key_of_shortest_solution,
            demo_solves_and_restores_board,
            key_stops_demo,
            undo_repeats_while_held,
            restart_can_be_undone,
            undo_rolls_back_restarts_and_moves,
            restart_after_win_has_nothing_to_undo,
            next_draws_another_board_of_same_difficulty,
            corners_of_command_may_be_seconds_apart,
            win_shows_animation_score_and_next_puzzle,
            key_ends_win_animation,
            command_rolls_back_winning_tap,
            keys_pressed_together_are_all_moves,
            stuck_key_is_ignored_until_release,
        );
    };
}
pub(crate) use each_play_scenario;
