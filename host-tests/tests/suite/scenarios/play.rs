//! What a player can rely on, whatever the mode: taps, commands, wins, keys that stick.

use lights_out::board::{Board, Cell, Presses};
use lights_out::gesture::Command;
use lights_out::solver::CLASSIC;

use player::{Device, HOLD, Player, WIPED, cell, ms};

/// Every key flips exactly its own pattern, and the same again puts it back.
pub fn every_key_flips_its_pattern(player: &mut Player<impl Device>) {
    let start = player.random_puzzle();
    for key in Cell::all() {
        // A press that would win is another story.
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

/// The lights answer while the key is still down.
pub fn a_tap_acts_on_the_press(player: &mut Player<impl Device>) {
    let start = player.random_puzzle();
    player.press(cell(2, 2));
    player.wait(ms(5));
    player.expect_board(CLASSIC.press(start, cell(2, 2)));
    player.release(cell(2, 2));
    player.expect_nothing_for(ms(300));
}

/// Two corners that are let go too early are two moves, for all six pairs; and so are two corners with a third key.
pub fn a_command_cut_short_is_two_taps(player: &mut Player<impl Device>) {
    let mut board = player.random_puzzle();
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

/// Hint: everything is as it was before the two corners, and a key of a shortest solution pulses.
pub fn a_hint_points_at_a_good_key(player: &mut Player<impl Device>) {
    let start = player.random_puzzle();
    let par = CLASSIC.par(start).unwrap();
    player.command(Command::Hint);
    let key = player.hinted_key().expect("something pulses");
    assert_eq!(CLASSIC.par(CLASSIC.press(start, key)), Some(par - 1), "{key:?} on {start}");
    player.tap(key);
    player.expect_board(CLASSIC.press(start, key));
    player.expect_nothing_for(ms(500));
}

/// From wherever the player got to, hint after hint wins in exactly the par of that board.
pub fn hint_after_hint_wins_in_par(player: &mut Player<impl Device>, stray: &[Cell]) {
    player.random_puzzle();
    stray.iter().for_each(|&key| player.tap(key));
    let mut board = player.board();
    let par = CLASSIC.par(board).expect("strays keep a board solvable");
    for left in (0..par).rev() {
        player.command(Command::Hint);
        let key = player.hinted_key().expect("something pulses");
        player.tap(key);
        board = CLASSIC.press(board, key);
        assert_eq!(CLASSIC.par(board), Some(left), "a hint must shorten the way: {board}");
    }
    // The win is told by a picture that is not a board, then comes another puzzle.
    player.expect_within(ms(1500), "the ripple of the win", |player| !player.board().is_dark());
}

/// The solve demo ends dark and gives the player's board back.
pub fn the_demo_solves_and_gives_back(player: &mut Player<impl Device>) {
    let start = player.random_puzzle();
    let par = u64::from(CLASSIC.par(start).unwrap());
    player.tap(cell(1, 3));
    let board = CLASSIC.press(start, cell(1, 3));
    player.command(Command::Demo);
    player.expect_within(ms(1000 * (par + 3)), "the dark board", |player| player.board().is_dark());
    player.expect_within(ms(1500), "the player's board", |player| player.board() == board);
    player.expect_nothing_for(ms(1000));
    // The move is still there to be taken back.
    player.command(Command::Undo);
    player.expect_board(start);
}

/// Any key stops the demo, and is no move.
pub fn a_key_stops_the_demo(player: &mut Player<impl Device>) {
    let start = player.random_puzzle();
    player.command(Command::Demo);
    player.wait(ms(1300));
    player.tap(cell(2, 2));
    player.expect_board(start);
    player.expect_nothing_for(ms(1500));
}

/// Undo takes moves back one by one, and goes on while it is held.
pub fn undo_goes_back_and_repeats(player: &mut Player<impl Device>) {
    let start = player.random_puzzle();
    // None of these wins: each is pressed twice in the end.
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
    // All the rest, and beyond the first move nothing.
    player.hold(&corners, ms(700 + 8 * 300));
    player.expect_board(start);
}

/// Restart gives the board as it was dealt; undo takes that back, and goes on to the moves before it.
pub fn restart_goes_back_to_the_start(player: &mut Player<impl Device>) {
    let start = player.random_puzzle();
    let keys = [cell(0, 1), cell(3, 3), cell(2, 0)];
    keys.into_iter().for_each(|key| player.tap(key));
    let moved = keys.into_iter().fold(start, |board, key| CLASSIC.press(board, key));
    player.command(Command::Restart);
    player.expect_board(start);
    // There is nothing to restart any more: undo takes back the one restart that was.
    player.command(Command::Restart);
    player.expect_board(start);
    player.command(Command::Undo);
    player.expect_board(moved);
    player.command(Command::Undo);
    player.expect_board(CLASSIC.press(moved, keys[2]));
}

/// Restarts between moves are steps like them: undo goes back through all of it, to the very first.
pub fn undo_goes_back_through_restarts(player: &mut Player<impl Device>) {
    let start = player.random_puzzle();
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

/// A win stands: another go at the same puzzle begins with nothing to take back.
pub fn a_win_is_not_undone_by_another_go(player: &mut Player<impl Device>) {
    let start = player.random_puzzle();
    player.solve();
    player.wait(ms(300));
    player.command(Command::Restart);
    player.expect_board(start);
    player.command(Command::Undo);
    player.expect_board(start);
}

/// Next puzzle deals another board of the same difficulty.
pub fn next_deals_another_of_the_same_difficulty(player: &mut Player<impl Device>) {
    let mut seen = vec![player.random_puzzle()];
    for _ in 0..5 {
        player.command(Command::Next);
        let board = player.board();
        assert!(CLASSIC.par(board).is_some_and(|par| (4..=6).contains(&par)), "{board}");
        assert!(!seen.contains(&board), "dealt twice: {board}");
        seen.push(board);
    }
}

/// A corner may be held long before the other one comes, in either order.
pub fn corners_may_come_one_after_the_other(player: &mut Player<impl Device>) {
    let start = player.random_puzzle();
    let [left, right] = Command::Hint.corners().map(|corner| corner.cell());
    for (first, second) in [(left, right), (right, left)] {
        player.press(first);
        player.wait(ms(3000));
        player.expect_board(CLASSIC.press(start, first));
        player.press(second);
        player.wait(ms(100));
        player.expect_board(CLASSIC.press_all(start, Presses::from([first, second])));
        player.wait(HOLD);
        assert!(player.hinted_key().is_some());
        player.release(first);
        player.release(second);
        player.wait(ms(100));
        // The hint is over with the next move; the move is undone again.
        player.tap(cell(2, 2));
        player.expect_board(CLASSIC.press(start, cell(2, 2)));
        player.command(Command::Undo);
        player.expect_board(start);
    }
}

/// The digits of a par of 4 to 6, and what stands between them, as they look when they pass the middle of the lights.
fn glyph(character: char) -> Board {
    let picture = match character {
        '1' => "..#.. .##.. ..#.. ..#.. .###.",
        '4' => ".#.#. .#.#. .###. ...#. ...#.",
        '5' => ".###. .#... .###. ...#. .###.",
        '6' => ".###. .#... .###. .#.#. .###.",
        '-' => "..... ..... .##.. ..... .....",
        _ => panic!("no picture of {character}"),
    };
    Board::parse(picture).expect("25 of # and .")
}

/// A win plays its animation, shows the score, and goes on by itself.
pub fn a_win_is_celebrated_and_goes_on(player: &mut Player<impl Device>) {
    let start = player.random_puzzle();
    let par = CLASSIC.par(start).expect("a board that can be solved");
    player.solve();
    player.expect_within(ms(1000), "the ripple", |player| !player.board().is_dark());
    // After the ripple, which takes a second, moves, dash, par and the number of the round scroll by. Each is alone in the
    // middle for a moment, 0.6 s after the one before; there is a space before the last.
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

/// Any key cuts the celebration short and is no move.
pub fn a_key_cuts_the_win_short(player: &mut Player<impl Device>) {
    let start = player.random_puzzle();
    player.solve();
    player.wait(ms(300));
    player.tap(cell(2, 2));
    player.wait(WIPED);
    let next = player.board();
    assert!(CLASSIC.par(next).is_some_and(|par| (4..=6).contains(&par)), "the next puzzle, untouched: {next}");
    assert_ne!(next, start);
    player.expect_nothing_for(ms(1000));
}

/// A corner whose tap wins, and that turns out to be half of a command, has not won.
pub fn a_win_can_be_taken_back(player: &mut Player<impl Device>) {
    let start = player.random_puzzle();
    // Make a board that one corner solves, by solving all but that: press the solution with the corner added or left out.
    let corner = cell(0, 0);
    let others = CLASSIC.shortest(start).unwrap().presses ^ Presses::from([corner]);
    for key in others {
        player.tap(key);
    }
    let almost = CLASSIC.press(Board::DARK, corner);
    player.expect_board(almost);
    player.press(corner);
    player.wait(ms(100));
    assert_ne!(player.board(), almost, "the win is on the lights");
    // With this corner it is an undo.
    player.press(cell(4, 0));
    player.wait(HOLD);
    player.release(corner);
    player.release(cell(4, 0));
    player.wait(WIPED);
    // The win is taken back, and then one move before it is undone.
    let last = others.iter().last().expect("more than one press");
    player.expect_board(CLASSIC.press(almost, last));
}

/// Several keys that go down together are all seen.
pub fn several_keys_at_once(player: &mut Player<impl Device>) {
    let mut board = player.random_puzzle();
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

/// A key that is held for more than half a minute is ignored; the others go on, and so does it once it was let go.
pub fn a_stuck_key_is_ignored(player: &mut Player<impl Device>) {
    let start = player.random_puzzle();
    let stuck = cell(0, 0);
    player.press(stuck);
    player.wait(ms(31_000));
    let board = CLASSIC.press(start, stuck);
    player.expect_board(board);
    // Corners below it are a command now, because the stuck one is no longer counted.
    player.tap(cell(2, 2));
    player.expect_board(CLASSIC.press(board, cell(2, 2)));
    player.command(Command::Restart);
    player.expect_board(start);
    player.release(stuck);
    player.wait(ms(60));
    player.tap(stuck);
    player.expect_board(board);
}

/// Makes a test of each scenario that needs nothing but a player; `$play` plays it.
macro_rules! each_scenario {
    ($play:ident) => {
        crate::scenarios::tests_of!(
            play, $play:
            every_key_flips_its_pattern,
            a_tap_acts_on_the_press,
            a_command_cut_short_is_two_taps,
            a_hint_points_at_a_good_key,
            the_demo_solves_and_gives_back,
            a_key_stops_the_demo,
            undo_goes_back_and_repeats,
            restart_goes_back_to_the_start,
            undo_goes_back_through_restarts,
            a_win_is_not_undone_by_another_go,
            next_deals_another_of_the_same_difficulty,
            corners_may_come_one_after_the_other,
            a_win_is_celebrated_and_goes_on,
            a_key_cuts_the_win_short,
            a_win_can_be_taken_back,
            several_keys_at_once,
            a_stuck_key_is_ignored,
        );
    };
}
pub(crate) use each_scenario;
