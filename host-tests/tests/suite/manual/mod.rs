//! The pictures of the manual. The library is played through its keys to the moments that are worth seeing, and what is
//! then on the lights is drawn: so the manual cannot show what the game does not.
//!
//! A picture is compared with its file in docs/pictures. `LIGHTS_OUT_BLESS=1 cargo host-tests manual` draws them anew.

mod modes;
mod moments;
mod play;
mod self_test;
mod svg;
mod teaching;

use std::{env, fs};

use lights_out::picture::Frame;

use svg::Panel;

const BLESS: &str = "LIGHTS_OUT_BLESS";
const HOW_TO_DRAW_ANEW: &str = "`LIGHTS_OUT_BLESS=1 cargo host-tests manual` draws it anew";

/// All pictures: the name of the file, and what is in it.
fn pictures() -> Vec<(&'static str, String)> {
    vec![
        ("hero", play::hero()),
        ("greeting", svg::strip("First power-on", &play::greeting())),
        ("play", svg::strip("A press, and a hint", &play::play())),
        ("demo", svg::strip("The solve demo", &play::demo())),
        ("win", svg::strip("A win and its score", &play::win())),
        ("menu", play::menu()),
        ("levels", svg::strip("Levels", &modes::levels())),
        ("random", svg::strip("Random boards of several sizes", &modes::random())),
        ("rules", svg::strip("What one key flips, by rule", &modes::rules())),
        ("create", svg::strip("Create", &modes::create())),
        ("tutor", svg::strip("Tutor", &modes::tutor())),
        ("action", svg::strip("Action", &modes::action())),
        ("battery", svg::strip("The battery", &battery())),
        ("crash", svg::strip("After a crash", &[Panel::new(Frame::CROSS, "A crash: it starts again by itself")])),
        ("self-test", svg::strip("The self-test of the keys", &self_test::self_test())),
        ("bootloader", svg::strip("The way to the bootloader", &self_test::bootloader())),
        ("teaching", svg::strip("The teaching of the wiring", &teaching::teaching())),
    ]
}

fn battery() -> [Panel; 2] {
    [
        Panel::new(Frame::BATTERY_LOW, "Low: for a second, then you play on"),
        Panel::new(Frame::BATTERY_EMPTY, "Empty: all is saved, and it sleeps"),
    ]
}

#[test]
fn pictures_in_docs_are_what_the_game_draws() {
    let folder = setup::root().join("docs").join("pictures");
    let bless = env::var_os(BLESS).is_some_and(|value| value == "1");
    let mut wrong = Vec::new();
    for (name, svg) in pictures() {
        let file = format!("{name}.svg");
        if bless {
            fs::create_dir_all(&folder).expect("a folder that can be made");
            fs::write(folder.join(file), svg).expect("a file that can be written");
        } else if fs::read(folder.join(&file)).ok().as_deref() != Some(svg.as_bytes()) {
            wrong.push(format!("docs/pictures/{file} is not what the game draws now; {HOW_TO_DRAW_ANEW}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn pictures_are_all_shown_in_the_manual_and_no_others() {
    let manual = fs::read_to_string(setup::root().join("docs").join("how-to-play.md")).expect("a readable manual");
    let mut shown: Vec<&str> =
        manual.split("](pictures/").skip(1).filter_map(|rest| Some(rest.split_once(".svg)")?.0)).collect();
    // What is for makers is on a page of theirs.
    let for_makers = ["self-test", "teaching"];
    let mut drawn: Vec<&str> =
        pictures().into_iter().map(|(name, _)| name).filter(|name| !for_makers.contains(name)).collect();
    shown.sort_unstable();
    drawn.sort_unstable();
    assert_eq!(shown, drawn);
}
