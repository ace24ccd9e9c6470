//! The web page in a real browser, served by `cargo play` itself.
//!
//! Each test gets a browser with empty storage, plays, and in the end it is seen that the page told no error and asked for
//! nothing but its own files. It plays in Chromium and in Firefox, through [`driver::Browser`]. With `LIGHTS_OUT_PICTURES=1` the pictures in docs/pictures are taken anew.

/// Makes tests of functions, one in each browser: `chromium::NAME` and `firefox::NAME`. The first word is what runs them, a
/// function that takes the kind of browser, the name of the test, and the function.
macro_rules! in_both_browsers {
    ($run:ident: $($test:ident),* $(,)?) => {
        mod chromium {
            $(#[test]
            fn $test() {
                let name = concat!(module_path!(), "::", stringify!($test));
                super::$run($crate::browser::driver::Kind::Chromium, name, super::$test);
            })*
        }
        mod firefox {
            $(#[test]
            fn $test() {
                let name = concat!(module_path!(), "::", stringify!($test));
                super::$run($crate::browser::driver::Kind::Firefox, name, super::$test);
            })*
        }
    };
}

mod driver;
mod driver_proof;
mod page;
mod server;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use lights_out::board::{Board, Cell};
use lights_out::solver::CLASSIC;
use serde_json::json;
use virtual_handheld::Firmware;

use driver::{Screen, Tab, Wishes};
use page::{DESKTOP, MENU, PHONE, Visitor, visit};

in_both_browsers! {
    visit:
    a_game_is_started_and_won_by_clicks_following_hints,
    a_mouse_holds_two_corners,
    two_fingers_hold_two_corners,
    reload_keeps_the_game,
    the_flash_outlives_power_and_reload,
    the_keyboard_alone_plays,
    only_firmware_of_the_handheld_and_whole_memories_are_opened,
    the_memory_goes_out_and_comes_back,
    it_is_there_at_once_and_fast_while_lights_move,
    a_slow_computer_is_told_that_time_runs_slower,
    a_hidden_page_stops_the_clock,
    it_fits_a_phone_and_a_desktop,
}

/// The board after these keys.
fn pressed(board: u32, keys: &[usize]) -> u32 {
    let cells = keys.iter().filter_map(|&key| Cell::new(key));
    cells.fold(Board::from_bits(board), |board, cell| CLASSIC.press(board, cell)).bits()
}

fn scratch(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("lights-out-test-{}-{name}", std::process::id()))
}

fn a_game_is_started_and_won_by_clicks_following_hints(visitor: &mut Visitor) {
    let board = visitor.random_puzzle();
    let par = CLASSIC.par(Board::from_bits(board)).expect("a board that can be solved");
    let mut left = board;
    for _ in 0..par {
        visitor.command("Hint");
        let key = visitor.hinted();
        visitor.tap(key);
        left = pressed(left, &[key]);
    }
    assert_eq!(left, 0, "the hints were a shortest solution");
    let won = format!("won in {par} moves, par {par}");
    visitor.expect(Duration::from_secs(5), &won, |page| page.text("log").contains(&won));
}

fn a_mouse_holds_two_corners(visitor: &mut Visitor) {
    let board = visitor.random_puzzle();
    visitor.tap(7);
    visitor.tap(16);
    visitor.expect_lit(pressed(board, &[7, 16]));
    // Right two: restart. Shift keeps a key down.
    visitor.latch(4);
    visitor.latch(24);
    visitor.expect(Duration::from_secs(5), "the restart", |page| page.text("log").contains("command restart"));
    visitor.latch(4);
    visitor.latch(24);
    visitor.expect_lit(board);
}

fn two_fingers_hold_two_corners(visitor: &mut Visitor) {
    visitor.browser.set_screen(PHONE);
    visitor.go();
    let board = visitor.random_puzzle();
    visitor.touch(&[12], 60);
    visitor.expect_lit(pressed(board, &[12]));
    // Three fingers at once are three moves.
    visitor.touch(&[1, 8, 22], 100);
    visitor.expect_lit(pressed(board, &[12, 1, 8, 22]));
    visitor.touch(&[4, 24], 1000);
    visitor.expect_lit(board);
    visitor.touch(&[0, 4], 1000);
    visitor.hinted();
}

fn reload_keeps_the_game(visitor: &mut Visitor) {
    let board = visitor.random_puzzle();
    visitor.tap(11);
    visitor.tap(18);
    let played = pressed(board, &[11, 18]);
    visitor.expect_lit(played);
    visitor.wait(3000);
    visitor.go();
    visitor.wait(500);
    visitor.expect_lit(played);
}

fn the_flash_outlives_power_and_reload(visitor: &mut Visitor) {
    let log = |text: &'static str| move |page: &mut Visitor| page.text("log").contains(text);
    visitor.expect(Duration::from_secs(5), "the first power-up", log("power-up 0"));
    assert_ne!(visitor.board(), 0);
    visitor.click("#power");
    visitor.expect_lit(0);
    assert_eq!(visitor.value("document.getElementById('power').ariaChecked"), "false");
    // Off is off.
    visitor.tap(12);
    visitor.expect_lit(0);
    visitor.click("#power");
    visitor.expect(Duration::from_secs(5), "the second power-up", log("power-up 1"));
    visitor.wait(1500);
    assert_ne!(visitor.board(), 0);
    visitor.go();
    visitor.expect(Duration::from_secs(5), "the third power-up", log("power-up 2"));
    // Switched on with the centre key held.
    visitor.click("#self-test");
    visitor.expect(Duration::from_secs(5), "the self-test", log("self-test: look at the lights"));
}

fn the_keyboard_alone_plays(visitor: &mut Visitor) {
    let mut focus = json!(null);
    for _ in 0..5 {
        visitor.type_key("Tab", "Tab");
        focus = visitor.value("document.activeElement.ariaLabel");
        if focus.as_str().is_some_and(|label| label.starts_with("row")) {
            break;
        }
    }
    assert!(focus.as_str().is_some_and(|label| label.starts_with("row 3 column 3")), "{focus}");
    // The menu, by its corners: 1 is the top left, P the bottom right.
    visitor.key("1", "Digit1", true);
    visitor.key("p", "KeyP", true);
    visitor.wait(1000);
    visitor.key("1", "Digit1", false);
    visitor.key("p", "KeyP", false);
    visitor.expect(Duration::from_secs(5), "the menu", |page| page.text("log").contains("command menu"));
    visitor.expect_lit(MENU);
    // The second mode: once to choose it, which leaves the menu as it is, and once to start it, which deals a board.
    let dealt = |page: &mut Visitor| page.text("log").matches("a board is dealt").count();
    let before = dealt(visitor);
    visitor.type_key("2", "Digit2");
    visitor.wait(700);
    assert_eq!((visitor.lit(), dealt(visitor)), (MENU, before), "chosen, and not started");
    visitor.type_key("2", "Digit2");
    visitor.expect(Duration::from_secs(5), "a board", |page| dealt(page) > before);
    let board = visitor.board();
    assert_ne!(board, MENU);
    // From the centre one up and one to the left; space presses.
    visitor.type_key("ArrowUp", "ArrowUp");
    visitor.type_key("ArrowLeft", "ArrowLeft");
    visitor.type_key(" ", "Space");
    visitor.expect_lit(pressed(board, &[6]));
    visitor.type_key("Enter", "Enter");
    visitor.expect_lit(board);
    visitor.type_key("v", "KeyV");
    visitor.expect_lit(pressed(board, &[18]));
    visitor.expect(Duration::from_secs(5), "the words", |page| page.text("heard").starts_with("Lit are row"));
    // A screen reader does not press and release: it clicks.
    visitor.value("document.querySelectorAll('.key')[18].click()");
    visitor.expect_lit(board);
    visitor.key("1", "Digit1", true);
    visitor.key("5", "Digit5", true);
    visitor.expect(Duration::from_secs(10), "the hint in words", |page| page.text("heard").starts_with("Hint: row "));
    visitor.key("1", "Digit1", false);
    visitor.key("5", "Digit5", false);
}

fn only_firmware_of_the_handheld_and_whole_memories_are_opened(visitor: &mut Visitor) {
    let said = |part: &'static str| move |page: &mut Visitor| page.text("notice").contains(part);
    let patience = Duration::from_secs(20);
    let board = visitor.board();
    visitor.open_file(&setup::root().join("Cargo.toml"));
    visitor.expect(patience, "a refusal", said("neither an ELF file nor a UF2 file"));
    let broken = scratch("broken.flash");
    fs::write(&broken, b"LightsOutFlash1\nand then nothing right").unwrap();
    visitor.open_file(&broken);
    visitor.expect(patience, "a refusal", said("damaged"));
    fs::remove_file(&broken).unwrap();
    assert_eq!(visitor.board(), board, "nothing has changed");

    let elf = std::env::var_os("LIGHTS_OUT_ELF").expect("LIGHTS_OUT_ELF is not set: run `cargo host-tests`");
    visitor.open_file(Path::new(&elf));
    visitor.expect(patience, "the ELF", said("lights-out is running"));
    let uf2 = scratch("lights-out.uf2");
    fs::write(&uf2, to_uf2(&fs::read(&elf).unwrap())).unwrap();
    visitor.drop_file(&uf2);
    visitor.expect(patience, "the UF2", said(".uf2 is running"));
    fs::remove_file(&uf2).unwrap();
    visitor.wait(1500);
    assert_ne!(visitor.board(), 0);
}

/// The file that is dragged onto a Pico.
fn to_uf2(elf: &[u8]) -> Vec<u8> {
    let firmware = Firmware::from_elf(elf).expect("a firmware");
    let end = firmware.image().iter().rposition(|&byte| byte != 0xFF).expect("a program") + 1;
    let pages = firmware.image()[..end.next_multiple_of(256)].chunks(256);
    let total = pages.len() as u32;
    let mut file = Vec::new();
    for (number, page) in (0..).zip(pages) {
        for word in [0x0A32_4655, 0x9E5D_5157, 0x2000, 0x1000_0000 + 256 * number, 256, number, total, 0xE48B_FF56u32] {
            file.extend(word.to_le_bytes());
        }
        file.extend(page);
        file.resize(file.len() + 220, 0);
        file.extend(0x0AB1_6F30u32.to_le_bytes());
    }
    file
}

fn the_memory_goes_out_and_comes_back(visitor: &mut Visitor) {
    let folder = scratch("downloads");
    visitor.browser.set_downloads(&folder);
    visitor.click("#export");
    let file = folder.join("lights-out.flash");
    visitor.expect(Duration::from_secs(10), "the file", |_| file.is_file());
    visitor.open_file(&file);
    visitor.expect(Duration::from_secs(10), "the memory", |page| page.text("notice").contains("memory is now that of"));
    visitor.expect(Duration::from_secs(5), "the second power-up", |page| page.text("log").contains("power-up 1"));
    fs::remove_dir_all(&folder).unwrap();
}

fn it_is_there_at_once_and_fast_while_lights_move(visitor: &mut Visitor) {
    let first = visitor.value("Number(document.documentElement.dataset.firstFrame)").as_f64().expect("milliseconds");
    assert!(first < 2000.0, "the first picture came after {first} ms");
    let files = "performance.getEntriesByType('resource').reduce((sum, file) => sum + file.decodedBodySize, 0)";
    let bytes = visitor.value(files).as_u64().expect("a number");
    assert!((500_000..1_480_000).contains(&bytes), "all files beside the page's text: {bytes} bytes");
    visitor.random_puzzle();
    visitor.set_speed("4");
    // A hint pulses until the next move. Once a second the page tells how fast time ran.
    visitor.command("Hint");
    visitor.hinted();
    let frames = visitor.value("Number(document.getElementById('frames').textContent.replace(',', ''))").as_f64();
    visitor.wait(2200);
    let later = visitor.value("Number(document.getElementById('frames').textContent.replace(',', ''))").as_f64();
    let (pace, share) = (visitor.text("pace"), visitor.value("document.getElementById('pace').title"));
    println!("first picture after {first} ms; while a light pulses {pace} of real time with {share}");
    assert!(later > frames.map(|frames| frames + 50.0), "frames are sent: {frames:?}, then {later:?}");
    let factor: f64 = pace.trim_end_matches('×').parse().expect("a number");
    assert!(factor >= 2.5, "{pace}");
}

fn a_slow_computer_is_told_that_time_runs_slower(visitor: &mut Visitor) {
    visitor.set_speed("4");
    visitor.browser.slow_down(20);
    visitor.command("Hint");
    let patience = Duration::from_secs(40);
    visitor.expect(patience, "the word", |page| page.text("notice").contains("time runs slower"));
    visitor.browser.slow_down(1);
    visitor.expect(patience, "full speed", |page| page.text("notice").is_empty() && page.text("pace") == "4.00×");
}

fn a_hidden_page_stops_the_clock(visitor: &mut Visitor) {
    let hide = |visitor: &mut Visitor| {
        let other = visitor.browser.open_tab("about:blank");
        visitor.expect(Duration::from_secs(5), "another page", |page| page.value("document.hidden") == true);
        other
    };
    let show = |visitor: &mut Visitor, other: Tab| {
        visitor.browser.close_tab(other);
        visitor.expect(Duration::from_secs(5), "the page again", |page| page.value("document.hidden") == false);
        visitor.wait(1200);
    };
    // While a hint pulses, frames are sent all the time.
    visitor.command("Hint");
    visitor.hinted();
    let other = hide(visitor);
    visitor.wait(1500);
    let frames = visitor.text("frames");
    visitor.wait(2000);
    assert_eq!(visitor.text("frames"), frames);
    show(visitor, other);
    assert_ne!(visitor.text("frames"), frames);
    let pace = visitor.text("pace");
    assert!(
        pace.trim_end_matches('×').parse::<f64>().is_ok_and(|factor| factor < 1.2),
        "nothing is made up for: {pace}"
    );
    // A key that is down when the page goes out of sight is let go: nobody would hear of its release.
    visitor.key("a", "KeyA", true);
    visitor
        .expect(Duration::from_secs(5), "the key", |page| page.value("!!document.querySelector('.key.down')") == true);
    let other = hide(visitor);
    show(visitor, other);
    assert_eq!(visitor.value("!!document.querySelector('.key.down')"), false);
}

fn it_fits_a_phone_and_a_desktop(visitor: &mut Visitor) {
    let take_anew = std::env::var_os("LIGHTS_OUT_PICTURES").is_some();
    let pictures = setup::root().join("docs").join("pictures");
    let small = Screen { width: 320, height: 568, ..PHONE };
    for (screen, dark, name) in
        [(DESKTOP, true, "page-desktop.png"), (PHONE, false, "page-phone.png"), (small, true, "")]
    {
        let Screen { width, height, .. } = screen;
        visitor.browser.set_screen(screen);
        visitor.browser.set_wishes(Wishes { dark, reduced_motion: false });
        visitor.go();
        visitor.random_puzzle();
        visitor.value("scrollTo(0, 0), document.activeElement.blur()");
        visitor.wait(300);
        let scroll = visitor.value("document.documentElement.scrollWidth").as_u64();
        assert_eq!(scroll, Some(width.into()), "nothing sticks out at {width} points");
        // A finger wants 40 points or so, also on the smallest screen.
        let key = visitor.value("document.querySelector('.key').getBoundingClientRect().width").as_f64();
        assert!(key.is_some_and(|key| key >= 40.0), "{key:?}");
        let seen = visitor.value("document.getElementById('case').getBoundingClientRect().bottom <= innerHeight");
        assert_eq!(seen, true, "the whole handheld is in sight at {width} x {height}");
        let picture = visitor.browser.screenshot();
        assert!(picture.starts_with(b"\x89PNG") && picture.len() > 20_000);
        // Chromium's are the ones in the documentation.
        if take_anew && !name.is_empty() && visitor.browser.name() == "Chromium" {
            fs::create_dir_all(&pictures).expect("a folder");
            fs::write(pictures.join(name), picture).expect("a picture");
        }
    }
}
