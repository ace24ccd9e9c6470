//! What the page says: status line, legend, names of keys, labels for a screen reader; and the choices without corners.

use super::page::{PATIENCE, Visitor, visit};

in_both_browsers! {
    visit:
    the_page_explains_what_is_on_the_lights,
    without_eyes_or_corners,
    help_and_refusals,
}

fn without_eyes_or_corners(visitor: &mut Visitor) {
    a_screen_reader_is_told_places_and_colours(visitor);
    choices_press_the_right_keys(visitor);
}

fn help_and_refusals(visitor: &mut Visitor) {
    how_to_play_is_one_click_away(visitor);
    what_cannot_be_done_is_said(visitor);
}

fn caption(visitor: &mut Visitor, cell: usize) -> String {
    let text = visitor.value(&format!("document.querySelectorAll('.caption')[{cell}].textContent"));
    text.as_str().unwrap_or_default().to_owned()
}

fn the_page_explains_what_is_on_the_lights(visitor: &mut Visitor) {
    visitor.expect_status("Level 1 · 0 moves · par 1");
    visitor.expect_text("legend", "amber: a light that is on");
    visitor.command("menu");
    visitor.expect_status("Menu: Levels is chosen");
    visitor.expect_text("legend", "row 4, difficulty");
    for (cell, name) in [(0, "Levels"), (9, "Ring"), (13, "5 × 5"), (14, ""), (24, "Sound")] {
        assert_eq!(caption(visitor, cell), name);
    }
    // What a key would do is told while the mouse is on it.
    let place = visitor.key_middle(1);
    visitor.browser.mouse_move(place);
    visitor.expect_text("tell", "Random: chooses Random; tap again to start it.");
    visitor.choose(0, 0);
    visitor.expect_status("Levels, page 1 of 3");
    visitor.expect_text("legend", "not open yet");
    assert_eq!(caption(visitor, 24), "25");
    for (cell, effect) in [(0, "1: starts level 1."), (1, "2: is level 2, not open yet.")] {
        let place = visitor.key_middle(cell);
        // Lights are looked at four times a second, so the mouse may come too early.
        visitor.expect(PATIENCE, effect, |page| {
            page.browser.mouse_move((1.0, 1.0));
            page.browser.mouse_move(place);
            page.text("tell").contains(effect)
        });
    }
    visitor.choose(0, 2);
    visitor.expect_status("Create");
    visitor.expect_text("legend", "this board can be solved");
    visitor.command("next");
    visitor.expect_status("slots");
    assert_eq!((caption(visitor, 5), caption(visitor, 19)), ("keep 1".to_owned(), "load 5".to_owned()));
    visitor.command("next");
    visitor.expect_status("each tap flips one light");
    visitor.choose(0, 3);
    visitor.expect_status("Tutor · 0 moves");
    visitor.expect_text("legend", "the light to chase");
    visitor.choose(0, 4);
    visitor.expect_status("Action · ");
    visitor.unfold("workshop");
    visitor.click("#self-test");
    visitor.expect_status("Self-test");
    visitor.expect_text("legend", "a key that works");
    // Switched off and on again, and asked for a hint: the level is still there.
    visitor.click("#power");
    visitor.expect_status("Switched off");
    visitor.tap(12);
    visitor.expect_notice("The handheld is off");
    visitor.click("#power");
    visitor.expect_status("Action");
}

fn a_screen_reader_is_told_places_and_colours(visitor: &mut Visitor) {
    let label = |cell: usize| format!("document.querySelectorAll('.key')[{cell}].ariaLabel");
    let expect = |visitor: &mut Visitor, cell: usize, text: &str| {
        visitor.expect(PATIENCE, text, |page| page.value(&label(cell)) == text);
    };
    expect(visitor, 0, "row 1 column 1, dark");
    expect(visitor, 3, "row 1 column 4, lit amber");
    visitor.command("hint");
    visitor.hinted();
    expect(visitor, 3, "row 1 column 4, pulsing blue");
    visitor.command("menu");
    visitor.expect_status("Menu");
    expect(visitor, 13, "row 3 column 4, lit green, 5 × 5");
    expect(visitor, 15, "row 4 column 1, lit dim violet, Easy");
    visitor.command("menu");
    visitor.tap(3);
    visitor.expect_status("Level 1 solved in 1, par 1. Nobody can do it in fewer.");
}

fn choices_press_the_right_keys(visitor: &mut Visitor) {
    visitor.choose(0, 1);
    visitor.expect_status("Random, medium");
    let is_chosen = |row: usize, column: usize| {
        format!(
            "document.querySelectorAll('#choice-rows fieldset')[{row}].querySelectorAll('button')[{column}].ariaPressed === 'true'"
        )
    };
    for (row, column) in [(1, 2), (2, 1), (3, 4), (4, 0)] {
        assert_eq!(visitor.value(&is_chosen(row, column)), false);
        visitor.choose(row, column);
        let chosen = is_chosen(row, column);
        visitor.expect(PATIENCE, "the choice", |page| page.value(&chosen) == true);
    }
    visitor.expect_text("log", "choices rule=3 size=3 difficulty=5 brightness=1 sound=0");
    visitor.command("next");
    // The plus on a torus of three by three has no board that takes more than three presses.
    visitor.expect_status("Random, hardest");
    visitor.expect_status("par 3");
    assert_eq!(visitor.value("document.getElementById('sound').ariaPressed"), "false");
    visitor.click("#sound");
    visitor.expect_text("log", "brightness=1 sound=1");
    visitor.expect(PATIENCE, "sound", |page| page.value("document.getElementById('sound').ariaPressed") == "true");
    // The game behind the menu went on.
    visitor.expect_status("Random");
}

fn what_cannot_be_done_is_said(visitor: &mut Visitor) {
    visitor.command("next");
    visitor.expect_notice("Level 1 is not solved yet");
    visitor.command("undo");
    visitor.expect_notice("nothing to take back");
    visitor.command("hint");
    visitor.hinted();
    assert_eq!(visitor.text("notice"), "", "what was said before is gone");
    assert_eq!(visitor.value("document.querySelector('[data-command=redo]').disabled"), true);
}

fn how_to_play_is_one_click_away(visitor: &mut Visitor) {
    visitor.click("#guide");
    visitor.expect_text("guide-text", "Put all the lights out.");
    for part in ["Tutor", "Colours, and how to tell them apart without", "18 lights"] {
        visitor.expect_text("guide-text", part);
    }
    let marks = "document.getElementById('guide-text').textContent.match(/[*|#]{2}|!\\[/g)";
    assert_eq!(visitor.value(marks), serde_json::Value::Null, "no mark of the text's own form is left");
    let pictures =
        "[...document.querySelectorAll('#guide-text img')].map((image) => (image.loading = 'eager', image.decode()))";
    visitor.value(&format!("Promise.all({pictures}).then((all) => all.length)"));
    visitor.type_key("Escape", "Escape");
    let is_open = "document.getElementById('guide-dialog').open";
    visitor.expect(PATIENCE, "the end of the dialogue", |page| page.value(is_open) == false);
}
