//! Fingers on a phone: several at once, one that scrolls, one that the system takes away.

use super::page::{PATIENCE, Visitor, visit_by_phone};
use super::pressed;

in_both_browsers! {
    visit_by_phone:
    two_fingers_hold_two_corners,
    a_scroll_that_begins_on_a_command_is_no_command,
}

fn two_fingers_hold_two_corners(visitor: &mut Visitor) {
    let board = visitor.random_puzzle();
    visitor.touch(&[12], 60);
    visitor.expect_lit(pressed(board, &[12]));
    // Three fingers at once are three moves.
    visitor.touch(&[1, 8, 22], 100);
    visitor.expect_lit(pressed(board, &[12, 1, 8, 22]));
    // Held until it is understood: on a busy computer the handheld's time runs slower.
    visitor.hold(&[4, 24], "command restart");
    visitor.expect_lit(board);
    visitor.hold(&[0, 4], "command hint");
    visitor.hinted();
}

fn a_scroll_that_begins_on_a_command_is_no_command(visitor: &mut Visitor) {
    let board = visitor.random_puzzle();
    // A finger that the system takes away lets its key go, and that is all.
    let place = visitor.key_middle(7);
    visitor.browser.touch_down(0, place);
    visitor.expect_lit(pressed(board, &[7]));
    visitor.browser.touch_cancel();
    visitor.expect(PATIENCE, "the key up", |page| page.value("document.querySelectorAll('.key.down').length") == 0);
    visitor.expect_status("1 move");
    let (x, y) = visitor.middle("[data-command=restart]");
    visitor.browser.touch_down(0, (x, y));
    for step in 1..=10 {
        visitor.browser.touch_move(0, (x, y - 20.0 * f64::from(step)));
        visitor.wait(20);
    }
    visitor.browser.touch_up(0);
    visitor.expect(PATIENCE, "scrolling", |page| page.value("scrollY > 50") == true);
    visitor.wait(300);
    assert!(visitor.text("status").contains("1 move"), "{}", visitor.text("status"));
}
