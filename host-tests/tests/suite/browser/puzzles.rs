//! Codes, links, the puzzle of the day, and pictures to share.

use std::fs;

use lights_out::board::{Board, Cell};
use lights_out::code::Code;
use lights_out::rules::{Rule, Size, Variant};
use lights_out::solver::{CLASSIC, Solver};
use lights_out::{daily, level_boards};

use super::page::{PATIENCE, Visitor, visit};
use super::scratch;

in_both_browsers! {
    visit:
    codes_links_and_days,
}

fn codes_links_and_days(visitor: &mut Visitor) {
    links_open_boards_ready_to_play(visitor);
    a_code_goes_out_and_comes_in(visitor);
    the_puzzle_of_the_day_is_the_same_for_all(visitor);
}

fn code(board: u32) -> String {
    Code::of(Variant::CLASSIC, Board::from_bits(board)).to_string()
}

fn links_open_boards_ready_to_play(visitor: &mut Visitor) {
    let level = level_boards::board(40).expect("a level").bits();
    visitor.follow(&format!("#play={}", code(level)));
    visitor.expect_status("A drawn board · 0 moves · par 9");
    visitor.expect_lit(level);
    assert_eq!(visitor.value("location.hash"), "", "a reload does not begin anew");
    // Any rule and size.
    let ring = Variant { rule: Rule::Ring, size: Size::Four };
    let board = Solver::new(ring).press(Board::DARK, Cell::new(6).expect("a cell"));
    visitor.follow_here(&format!("#play={}", Code::of(ring, board)));
    visitor.expect_status("A drawn board · 0 moves · par 1");
    visitor.expect_lit(board.bits());
    visitor.follow_here("#draw=0001CCB");
    visitor.expect_status("Create: each tap flips one light.");
    visitor.follow("#level=1");
    visitor.expect_status("Level 1 · ");
    visitor.follow_here("#level=30");
    visitor.expect_notice("Level 30 is not open on this handheld yet");
    visitor.expect_lit(level_boards::board(29).expect("a level").bits());
    // One light alone cannot be put out.
    visitor.follow_here(&format!("#play={}", code(1)));
    visitor.expect_notice("Nobody can solve this board");
    for (link, reason) in [
        ("#play=0001CCX", "check character"),
        ("#play=0001?CB", "?"),
        ("#play=12", "2"),
        ("#level=76", "levels 1 to 75"),
        ("#daily=yesterday", "is no date"),
        ("#cheat", "does not know"),
    ] {
        visitor.follow_here(link);
        visitor.expect_notice(reason);
    }
}

fn a_code_goes_out_and_comes_in(visitor: &mut Visitor) {
    let board = visitor.random_puzzle();
    visitor.click("#share");
    visitor.expect_text("share-code", &code(board));
    visitor.value("navigator.clipboard.writeText = async (text) => { window.copied = text; }");
    visitor.click("#copy-link");
    let link = format!("#play={}", code(board));
    visitor.expect(PATIENCE, "the link", |page| {
        page.value("window.copied ?? ''").as_str().is_some_and(|copied| copied.ends_with(&link))
    });
    let folder = scratch("picture");
    visitor.browser.set_downloads(&folder);
    visitor.click("#picture");
    let picture = folder.join(format!("lights-out-{}.png", code(board)));
    visitor.expect(PATIENCE, "the picture", |_| {
        fs::read(&picture).is_ok_and(|bytes| bytes.starts_with(b"\x89PNG") && bytes.ends_with(b"IEND\xaeB`\x82"))
    });
    fs::remove_dir_all(&folder).expect("a folder");
    visitor.click("#code");
    for letter in ["0", "0", "x"] {
        visitor.type_key(letter, if letter == "x" { "KeyX" } else { "Digit0" });
    }
    visitor.click("#code-form button[value=play]");
    visitor.expect(PATIENCE, "a reason", |page| !page.text("code-reason").is_empty());
    assert_eq!(visitor.value("document.getElementById('share-dialog').open"), true);
    visitor.value("document.getElementById('code').value = '0001-ccb'");
    visitor.click("#code-form button[value=play]");
    visitor.expect_status("A drawn board · 0 moves · par 1");
}

fn the_puzzle_of_the_day_is_the_same_for_all(visitor: &mut Visitor) {
    visitor.follow("#daily=2026-11-16");
    let days_since_1970 = 20_773;
    let (variant, board) = daily::puzzle(days_since_1970);
    assert_eq!(variant, Variant::CLASSIC);
    let best = CLASSIC.shortest(board).expect("a board that can be solved");
    visitor.expect_notice("The puzzle of 16 November 2026");
    visitor.expect_lit(board.bits());
    for key in Cell::of_mask(best.presses) {
        visitor.tap(key.index());
    }
    let par = best.presses.count_ones();
    visitor.expect_status(&format!("Solved in {par}, par {par}."));
    visitor.expect_text("daily-result", &format!("Your best: {par}."));
    visitor.value("navigator.clipboard.writeText = async (text) => { window.copied = text; }");
    visitor.click("#daily-copy");
    visitor.expect(PATIENCE, "the result", |page| page.value("window.copied ?? ''") != "");
    let copied = visitor.value("window.copied");
    let copied = copied.as_str().expect("a text");
    assert!(copied.starts_with(&format!("Lights Out, 16 November 2026\n★★★ solved in {par}, par {par}\n")), "{copied}");
    assert!(copied.ends_with("#daily=2026-11-16"), "{copied}");
    assert!(!copied.contains(&code(board.bits())), "no light of it is told");
}
