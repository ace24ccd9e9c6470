//! Mouse and keyboard on the keys and on the commands: each of them counts, in its order, once.

use lights_out::board::Board;
use lights_out::solver::CLASSIC;

use super::page::{PATIENCE, Visitor, visit};
use super::pressed;

in_both_browsers! {
    visit:
    by_mouse,
    by_keyboard,
    while_it_loads,
}

fn by_mouse(visitor: &mut Visitor) {
    a_mouse_holds_two_corners(visitor);
    every_click_counts_in_its_order(visitor);
    the_moves_of_a_command_are_never_seen(visitor);
    a_game_is_won_by_hints_and_told(visitor);
}

fn by_keyboard(visitor: &mut Visitor) {
    the_keyboard_walks_and_commands(visitor);
    letters_press_keys_if_wanted(visitor);
}

fn while_it_loads(visitor: &mut Visitor) {
    a_click_while_it_loads_does_no_harm(visitor);
    a_reload_right_after_a_move_keeps_it(visitor);
}

fn every_click_counts_in_its_order(visitor: &mut Visitor) {
    let board = visitor.random_puzzle();
    let keys = [7, 16, 18];
    keys.iter().for_each(|&key| visitor.tap(key));
    visitor.expect_status("3 moves");
    // Three at once are three.
    visitor.value("[1, 2, 3].forEach(() => document.querySelector('[data-command=undo]').click())");
    visitor.expect_status("0 moves");
    visitor.expect_lit(board);
    visitor.value("[1, 2].forEach(() => document.querySelector('[data-command=redo]').click())");
    visitor.expect_status("2 moves");
    visitor.expect_lit(pressed(board, &keys[..2]));
    // A key right after a command waits for it, and scrambles nothing.
    visitor.command("hint");
    visitor.tap(12);
    visitor.expect_status("3 moves");
    visitor.expect_lit(pressed(board, &[7, 16, 12]));
    visitor.command("restart");
    visitor.expect_lit(board);
    visitor.command("undo");
    visitor.expect_status("3 moves");
    visitor.expect_lit(pressed(board, &[7, 16, 12]));
    // A ring around the key that a mouse clicked last would tell nothing.
    assert_eq!(visitor.value("document.querySelectorAll('.key:focus').length"), 0);
}

fn the_moves_of_a_command_are_never_seen(visitor: &mut Visitor) {
    let board = visitor.random_puzzle();
    visitor.tap(12);
    visitor.expect_status("1 move");
    let (before, after) = (pressed(board, &[12]), board);
    visitor.expect_lit(before);
    visitor.value(
        "window.seen = new Set(), (function look() { window.seen.add([...document.querySelectorAll('.light')].reduce((mask, light, cell) => \
         mask | (light.style.opacity > 0) << cell, 0)); requestAnimationFrame(look); })()",
    );
    visitor.command("undo");
    visitor.expect_lit(after);
    visitor.wait(100);
    let seen = visitor.value("[...window.seen]");
    let mut seen: Vec<u64> = seen.as_array().expect("boards").iter().filter_map(|board| board.as_u64()).collect();
    seen.sort_unstable();
    let mut expected = [u64::from(before), u64::from(after)];
    expected.sort_unstable();
    assert_eq!(seen, expected);
}

fn a_mouse_holds_two_corners(visitor: &mut Visitor) {
    let board = visitor.random_puzzle();
    visitor.tap(7);
    visitor.tap(16);
    visitor.expect_lit(pressed(board, &[7, 16]));
    // Right two: restart. Shift keeps a key down.
    visitor.latch(4);
    visitor.latch(24);
    visitor.expect_text("log", "command restart");
    visitor.latch(4);
    visitor.latch(24);
    visitor.expect_lit(board);
}

fn the_keyboard_walks_and_commands(visitor: &mut Visitor) {
    let board = visitor.random_puzzle();
    visitor.value("document.activeElement.blur()");
    // Nothing has the focus: arrows begin at the key that was used last, here the centre, and space does not scroll.
    visitor.type_key("ArrowUp", "ArrowUp");
    visitor.type_key("ArrowLeft", "ArrowLeft");
    assert_eq!(visitor.value("document.activeElement.ariaLabel.split(',')[0]"), "row 2 column 2");
    visitor.expect_text("tell", "flips its light");
    visitor.type_key(" ", "Space");
    visitor.expect_lit(pressed(board, &[6]));
    assert_eq!(visitor.value("scrollY"), 0);
    visitor.type_key("Enter", "Enter");
    visitor.expect_lit(board);
    visitor.expect_status("2 moves");
    visitor.expect_text("heard", "Lit are row");
    // A screen reader does not press and release: it clicks.
    visitor.value("document.querySelectorAll('.key')[18].click()");
    visitor.expect_lit(pressed(board, &[18]));
    visitor.type_key("u", "KeyU");
    visitor.expect_status("2 moves");
    for (shift, moves) in [(false, "1 move"), (true, "2 moves"), (true, "3 moves")] {
        visitor.key("Control", "ControlLeft", true);
        if shift {
            visitor.key("Shift", "ShiftLeft", true);
        }
        visitor.type_key(if shift { "Z" } else { "z" }, "KeyZ");
        if shift {
            visitor.key("Shift", "ShiftLeft", false);
        }
        visitor.key("Control", "ControlLeft", false);
        visitor.expect_status(moves);
    }
    visitor.type_key("h", "KeyH");
    visitor.hinted();
    visitor.type_key("r", "KeyR");
    visitor.expect_status("0 moves");
    visitor.type_key("m", "KeyM");
    visitor.expect_status("Menu");
    visitor.type_key("m", "KeyM");
    visitor.expect_status("Random");
    let before = visitor.puzzle();
    visitor.type_key("n", "KeyN");
    visitor.expect(PATIENCE, "another puzzle", |page| page.puzzle() != before);
}

fn letters_press_keys_if_wanted(visitor: &mut Visitor) {
    let board = visitor.random_puzzle();
    visitor.click("#show-keys");
    // A radio button that was clicked last takes no letters away.
    visitor.set_speed("2");
    visitor.type_key("v", "KeyV");
    visitor.expect_lit(pressed(board, &[18]));
    visitor.key("Shift", "ShiftLeft", true);
    visitor.type_key("U", "KeyU");
    visitor.key("Shift", "ShiftLeft", false);
    visitor.expect_lit(board);
    // The menu, by its corners: 1 is the top left, P the bottom right.
    visitor.key("1", "Digit1", true);
    visitor.key("p", "KeyP", true);
    visitor.expect_status("Menu");
    visitor.key("1", "Digit1", false);
    visitor.key("p", "KeyP", false);
    visitor.type_key("3", "Digit3");
    visitor.expect_status("Create is chosen");
    visitor.type_key("3", "Digit3");
    visitor.expect_status("Create: each tap");
}

fn a_game_is_won_by_hints_and_told(visitor: &mut Visitor) {
    let board = visitor.random_puzzle();
    let par = CLASSIC.par(Board::from_bits(board)).expect("a board that can be solved");
    let mut left = board;
    for _ in 0..par {
        visitor.command("hint");
        let key = visitor.hinted();
        visitor.tap(key);
        left = pressed(left, &[key]);
        visitor.expect(PATIENCE, "the end of the hint", |page| !page.text("status").contains("hint:"));
    }
    assert_eq!(left, 0, "the hints were a shortest solution");
    visitor.expect_status(&format!("Solved in {par}, par {par}. Nobody can do it in fewer."));
    assert_eq!(visitor.value("document.getElementById('status').role"), "status", "a screen reader hears it");
}

fn a_reload_right_after_a_move_keeps_it(visitor: &mut Visitor) {
    let board = visitor.random_puzzle();
    visitor.tap(11);
    visitor.tap(18);
    visitor.expect_status("2 moves");
    visitor.let_it_be_kept();
    visitor.reload();
    visitor.expect_status("2 moves");
    visitor.expect_lit(pressed(board, &[11, 18]));
    visitor.command("undo");
    visitor.expect_status("1 move");
    visitor.expect_lit(pressed(board, &[11]));
}

fn a_click_while_it_loads_does_no_harm(visitor: &mut Visitor) {
    visitor.browser.reload();
    let buttons = "'.key, [data-command], #power, #sound, #choice-rows button'";
    let click = format!("document.querySelectorAll({buttons}).forEach((button) => button.click())");
    for _ in 0..10 {
        visitor.value(&format!("document.getElementById('loading').hidden || {click}"));
    }
    visitor.expect_status("Level 1");
}
