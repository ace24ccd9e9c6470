//! The pictures of the manual. The library is played by its keys, and selected frames are drawn. So the manual only
//! shows what the game really does.
//!
//! A picture is compared with its file in docs/pictures. `LIGHTS_OUT_BLESS=1 cargo host-tests manual` writes the files
//! again.

mod drawing;
mod modes;
mod moments;
mod play;
mod self_test;
mod shapes;
mod teaching;

use std::{env, fs};

use lights_out::display::Frame;

use drawing::Panel;

const BLESS: &str = "LIGHTS_OUT_BLESS";
const HOW_TO_UPDATE: &str = "`LIGHTS_OUT_BLESS=1 cargo host-tests manual` writes it again";

/// All pictures: the name of the file, and its content.
fn pictures() -> Vec<(&'static str, String)> {
    vec![
        ("hero", play::hero()),
        ("greeting", drawing::strip("First power-on", &play::greeting())),
        ("play", drawing::strip("A press and a hint", &play::play())),
        ("demo", drawing::strip("The solve demo", &play::demo())),
        ("win", drawing::strip("A win and its score", &play::win())),
        ("menu", play::menu()),
        ("levels", drawing::strip("Levels", &modes::levels())),
        ("random", drawing::strip("Random boards of several sizes", &modes::random())),
        ("rules", drawing::strip("The cells that one key flips, for each rule", &modes::rules())),
        ("create", drawing::strip("Create", &modes::create())),
        ("tutor", drawing::strip("Tutor", &modes::tutor())),
        ("action", drawing::strip("Action", &modes::action())),
        ("battery", drawing::strip("The battery", &battery())),
        (
            "crash",
            drawing::strip("After a crash", &[Panel::new(Frame::CROSS, "A crash: the handheld restarts by itself")]),
        ),
        ("self-test", drawing::strip("The self-test of the keys", &self_test::self_test())),
        ("bootloader", drawing::strip("Start of the bootloader", &self_test::bootloader())),
        ("teaching", drawing::strip("The teaching of the wiring", &teaching::teaching())),
    ]
}

fn battery() -> [Panel; 2] {
    [
        Panel::new(Frame::BATTERY_LOW, "Low: shown for a second, then the game continues"),
        Panel::new(Frame::BATTERY_EMPTY, "Empty: the game is saved, and the handheld sleeps"),
    ]
}

#[test]
fn pictures_in_docs_match_the_game() {
    let folder = setup::root().join("docs").join("pictures");
    let bless = env::var_os(BLESS).is_some_and(|value| value == "1");
    let mut wrong = Vec::new();
    for (name, svg) in pictures() {
        let file = format!("{name}.svg");
        if bless {
            fs::create_dir_all(&folder).expect("a writable folder");
            fs::write(folder.join(file), svg).expect("a writable file");
        } else if fs::read(folder.join(&file)).ok().as_deref() != Some(svg.as_bytes()) {
            wrong.push(format!("docs/pictures/{file} differs from the game; {HOW_TO_UPDATE}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn manual_shows_exactly_these_pictures() {
    let manual = fs::read_to_string(setup::root().join("docs").join("how-to-play.md")).expect("a readable manual");
    let mut shown: Vec<&str> =
        manual.split("](pictures/").skip(1).filter_map(|rest| Some(rest.split_once(".svg)")?.0)).collect();
    // Pictures for makers are on another page.
    let for_makers = ["self-test", "teaching"];
    let mut drawn: Vec<&str> =
        pictures().into_iter().map(|(name, _)| name).filter(|name| !for_makers.contains(name)).collect();
    shown.sort_unstable();
    drawn.sort_unstable();
    assert_eq!(shown, drawn);
}
