//! The page of the handheld, in words of play: what a visitor does and sees.
//!
//! Lights are seen as a screen reader sees them, by the labels of the keys; hands are the browser's own mouse, fingers
//! and keyboard, so the page cannot tell them from a visitor's.

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::driver::{self, Browser, Button, Kind, Place, Screen};
use super::server::Server;

/// All lights of the menu: every one but the last of the third row.
pub const MENU: u32 = 0x1FF_FFFF & !(1 << 14);

pub const DESKTOP: Screen = Screen { width: 1280, height: 960, scale: 1, touch: false };
pub const PHONE: Screen = Screen { width: 390, height: 844, scale: 2, touch: true };

/// A visitor on the page.
pub struct Visitor {
    pub browser: Box<dyn Browser>,
    address: &'static str,
}

/// Plays one test in one browser: opens the page on a desktop, and in the end sees that nothing went wrong. Where there is
/// no such browser, that is said, and the test counts as skipped.
pub fn visit(kind: Kind, test: &str, play: fn(&mut Visitor)) {
    driver::lend(kind, test, |mut browser| {
        browser.set_screen(DESKTOP);
        let mut visitor = Visitor { browser, address: Server::address() };
        visitor.go();
        play(&mut visitor);
        visitor.expect_no_trouble();
        visitor.browser
    });
}

impl Visitor {
    /// Opens the page, or reloads it, and waits for the greeting to end.
    pub fn go(&mut self) {
        self.browser.go(self.address);
        self.expect(Duration::from_secs(20), "the first picture", |page| {
            page.value("document.documentElement?.dataset.firstFrame ?? ''") != ""
        });
        self.wait(1500);
    }

    /// Nothing went wrong that no light shows: no error was told, and every request was for a file of the page.
    #[track_caller]
    fn expect_no_trouble(&mut self) {
        let troubles = self.browser.troubles();
        assert!(troubles.is_empty(), "errors:\n{}", troubles.join("\n"));
        let requests = self.browser.requests();
        let own = |request: &&String| {
            request.starts_with(self.address) || request.starts_with("blob:") || *request == "about:blank"
        };
        let strange: Vec<_> = requests.iter().filter(|request| !own(request)).collect();
        assert!(strange.is_empty(), "requests that leave the page: {strange:?}");
        assert!(!requests.is_empty(), "the page was asked for");
        let bad = self.value("document.getElementById('notice').className.includes('bad')");
        assert_eq!(bad, false, "{}", self.text("notice"));
    }

    #[track_caller]
    pub fn value(&mut self, expression: &str) -> Value {
        self.browser.value(expression)
    }

    pub fn text(&mut self, id: &str) -> String {
        self.value(&format!("document.getElementById('{id}').textContent")).as_str().unwrap_or_default().to_owned()
    }

    pub fn wait(&mut self, milliseconds: u64) {
        thread::sleep(Duration::from_millis(milliseconds));
    }

    #[track_caller]
    pub fn expect(&mut self, time: Duration, what: &str, mut seen: impl FnMut(&mut Self) -> bool) {
        let started = Instant::now();
        while !seen(self) {
            assert!(started.elapsed() < time, "{what} did not come; the lights are {:025b}", self.lit());
            thread::sleep(Duration::from_millis(60));
        }
    }

    // --- Lights -------------------------------------------------------------------------------------------------------

    /// The last word of each key's label, as a screen reader tells it.
    fn states(&mut self) -> Vec<String> {
        let labels = self.value("[...document.querySelectorAll('.key')].map((key) => key.ariaLabel.split(', ')[1])");
        serde_json::from_value(labels).expect("25 words")
    }

    /// The lights that are on, bit = cell.
    pub fn lit(&mut self) -> u32 {
        self.states().iter().enumerate().fold(0, |mask, (cell, state)| mask | u32::from(state == "lit") << cell)
    }

    /// The board, once it has been still for a second.
    pub fn board(&mut self) -> u32 {
        let mut board = self.lit();
        let mut since = Instant::now();
        let started = since;
        while since.elapsed() < Duration::from_secs(1) {
            assert!(started.elapsed() < Duration::from_secs(30), "the lights do not come to rest");
            thread::sleep(Duration::from_millis(100));
            let now = self.lit();
            if now != board {
                (board, since) = (now, Instant::now());
            }
        }
        board
    }

    #[track_caller]
    pub fn expect_lit(&mut self, lit: u32) {
        self.expect(Duration::from_secs(5), &format!("{lit:025b}"), |page| page.lit() == lit);
    }

    /// The key that a hint points at.
    #[track_caller]
    pub fn hinted(&mut self) -> usize {
        let mut hinted = None;
        self.expect(Duration::from_secs(10), "a hint", |page| {
            hinted = page.states().iter().position(|state| state == "pulsing");
            hinted.is_some()
        });
        hinted.expect("just seen")
    }

    // --- Hands --------------------------------------------------------------------------------------------------------

    /// The middle of an element.
    #[track_caller]
    fn middle(&mut self, selector: &str) -> Place {
        let place = self.value(&format!(
            "(() => {{ const element = document.querySelector('{selector}'); element.scrollIntoView({{ block: 'nearest' }}); \
             const box = element.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; }})()"
        ));
        (place[0].as_f64().expect("a place"), place[1].as_f64().expect("a place"))
    }

    fn key_middle(&mut self, cell: usize) -> Place {
        self.middle(&format!(".key:nth-child({})", cell + 1))
    }

    fn mouse(&mut self, place: Place, milliseconds: u64) {
        self.browser.mouse_move(place);
        self.browser.mouse_down(Button::Left);
        self.wait(milliseconds);
        self.browser.mouse_up(Button::Left);
    }

    /// A click on whatever this is.
    pub fn click(&mut self, selector: &str) {
        let place = self.middle(selector);
        self.mouse(place, 30);
    }

    /// A click on a key.
    pub fn tap(&mut self, cell: usize) {
        let place = self.key_middle(cell);
        self.mouse(place, 60);
        self.wait(100);
    }

    /// A click that keeps a key down, or lets it go again.
    pub fn latch(&mut self, cell: usize) {
        let place = self.key_middle(cell);
        self.browser.key_down("Shift", "ShiftLeft");
        self.mouse(place, 30);
        self.browser.key_up("Shift", "ShiftLeft");
    }

    /// A click on a command of the legend, by its name.
    pub fn command(&mut self, name: &str) {
        let number = ["Hint", "Solve", "Undo", "Restart", "Menu", "Next"].iter().position(|known| *known == name);
        self.click(&format!("#legend button:nth-child({})", number.expect("a command") + 1));
        self.wait(1100);
    }

    /// Fingers on several keys at once.
    pub fn touch(&mut self, cells: &[usize], milliseconds: u64) {
        let places: Vec<_> = cells.iter().map(|&cell| self.key_middle(cell)).collect();
        for (finger, &place) in (0..).zip(&places) {
            self.browser.touch_down(finger, place);
        }
        self.wait(milliseconds);
        for finger in 0..places.len() as u32 {
            self.browser.touch_up(finger);
        }
    }

    /// A key of the keyboard, by its name and place.
    pub fn key(&mut self, key: &str, code: &str, down: bool) {
        if down {
            self.browser.key_down(key, code);
        } else {
            self.browser.key_up(key, code);
        }
    }

    pub fn type_key(&mut self, key: &str, code: &str) {
        self.key(key, code, true);
        self.wait(60);
        self.key(key, code, false);
        self.wait(100);
    }

    /// Gives the page a file, as its file dialogue would.
    pub fn open_file(&mut self, path: &Path) {
        self.browser.choose_file("#file", path);
    }

    /// Drops a file on the page.
    pub fn drop_file(&mut self, path: &Path) {
        self.browser.drop_file((300.0, 300.0), path);
    }

    // --- Play ---------------------------------------------------------------------------------------------------------

    pub fn set_speed(&mut self, factor: &str) {
        self.click(&format!("#speed input[value=\"{factor}\"] + span"));
    }

    /// Starts a random puzzle from the menu, by clicks; gives its board.
    #[track_caller]
    pub fn random_puzzle(&mut self) -> u32 {
        self.command("Menu");
        self.expect_lit(MENU);
        let random = 1;
        self.tap(random);
        self.wait(700);
        if self.lit() == MENU {
            self.tap(random);
            self.wait(700);
        }
        let board = self.board();
        assert_ne!(board, MENU);
        board
    }
}
