//! The page of the handheld, in words of play: what a visitor does and sees.
//!
//! Lights are seen as a screen reader sees them, by the labels of the keys; hands are the browser's own mouse, fingers
//! and keyboard, so the page cannot tell them from a visitor's.

use std::mem;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use lights_out::board::Board;
use lights_out::code;
use lights_out::rules::Variant;
use serde_json::Value;

use super::driver::{self, Browser, Button, Kind, Place, Screen};
use super::server::Server;

/// How long the page may take for what should be there at once: computers that test are busy.
pub const PATIENCE: Duration = Duration::from_secs(20);

pub const DESKTOP: Screen = Screen { width: 1280, height: 960, scale: 1, touch: false };
pub const PHONE: Screen = Screen { width: 390, height: 844, scale: 2, touch: true };

/// A visitor on the page.
pub struct Visitor {
    pub browser: Box<dyn Browser>,
    address: &'static str,
    screen: Screen,
    /// How many of the troubles so far were meant to be.
    forgiven: usize,
}

/// Plays one test in one browser: opens the page on a desktop, and in the end sees that nothing went wrong. Where there is
/// no such browser, that is said, and the test counts as skipped.
pub fn visit(kind: Kind, test: &str, play: fn(&mut Visitor)) {
    visit_on(DESKTOP, kind, test, play);
}

/// The same, on a phone.
pub fn visit_by_phone(kind: Kind, test: &str, play: fn(&mut Visitor)) {
    visit_on(PHONE, kind, test, play);
}

fn visit_on(screen: Screen, kind: Kind, test: &str, play: fn(&mut Visitor)) {
    driver::lend(kind, test, |browser| {
        let mut visitor = Visitor { browser, address: Server::address(), screen, forgiven: 0 };
        visitor.set_screen(screen);
        visitor.go();
        play(&mut visitor);
        visitor.expect_no_trouble();
        visitor.browser
    });
}

impl Visitor {
    /// Hands become fingers where the screen is touched.
    pub fn set_screen(&mut self, screen: Screen) {
        self.browser.set_screen(screen);
        self.screen = screen;
    }

    pub fn address(&self) -> &'static str {
        self.address
    }

    /// What went wrong so far was meant to.
    pub fn forgive(&mut self) {
        self.forgiven = self.browser.troubles().len();
    }

    /// Opens the page, or reloads it, and waits for the greeting to end.
    pub fn go(&mut self) {
        self.follow("");
    }

    /// Opens the page by a link: what comes after its address.
    pub fn follow(&mut self, link: &str) {
        // A link of the page that is open already would not load it anew.
        self.browser.go("about:blank");
        self.browser.go(&format!("{}{link}", self.address));
        self.expect_begun();
    }

    /// Follows a link on the page that is open.
    pub fn follow_here(&mut self, link: &str) {
        self.value(&format!("location.hash = '{link}'"));
    }

    /// As by the button.
    pub fn reload(&mut self) {
        self.browser.reload();
        self.expect_begun();
    }

    fn expect_begun(&mut self) {
        self.expect(2 * PATIENCE, "the handheld", |page| {
            page.value("document.documentElement?.dataset.firstFrame ?? ''") != ""
                && !["", "Hello."].contains(&page.text("status").as_str())
        });
    }

    /// Nothing went wrong that no light shows: no error was told, and every request was for a file of the page.
    #[track_caller]
    fn expect_no_trouble(&mut self) {
        let troubles = self.browser.troubles().split_off(self.forgiven);
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
        self.value(&format!("document.getElementById('{id}')?.textContent ?? ''"))
            .as_str()
            .unwrap_or_default()
            .to_owned()
    }

    pub fn wait(&mut self, milliseconds: u64) {
        thread::sleep(Duration::from_millis(milliseconds));
    }

    /// After a move on a still board, which the page keeps as soon as the finger is gone; on a busy computer that takes its time.
    pub fn let_it_be_kept(&mut self) {
        self.wait(1000);
    }

    /// What the page tells there no longer changes. Gives what it is.
    #[track_caller]
    pub fn expect_standing(&mut self, id: &str) -> String {
        let mut told = self.text(id);
        self.expect(PATIENCE, "an end of changes", |page| {
            page.wait(1200);
            let before = mem::replace(&mut told, page.text(id));
            before == told
        });
        told
    }

    #[track_caller]
    pub fn expect(&mut self, time: Duration, what: &str, mut seen: impl FnMut(&mut Self) -> bool) {
        let started = Instant::now();
        while !seen(self) {
            if started.elapsed() >= time {
                let (status, notice) = (self.text("status"), self.text("notice"));
                panic!("{what} did not come; the lights are {:025b}, the page says: {status} {notice}", self.lit());
            }
            // Looking costs the browser more than what it is looked at for.
            thread::sleep(Duration::from_millis(60));
        }
    }

    // --- Lights -------------------------------------------------------------------------------------------------------

    /// The lights that are on, bit = cell, as they are painted.
    pub fn lit(&mut self) -> u32 {
        let lit = "[...document.querySelectorAll('.light')].reduce((mask, light, cell) => \
                   mask | (light.style.opacity > 0) << cell, 0)";
        self.value(lit).as_u64().and_then(|mask| u32::try_from(mask).ok()).expect("a mask")
    }

    #[track_caller]
    pub fn expect_lit(&mut self, lit: u32) {
        self.expect(PATIENCE, &format!("{lit:025b}"), |page| page.lit() == lit);
    }

    /// The page says this below the handheld.
    #[track_caller]
    pub fn expect_status(&mut self, part: &str) {
        self.expect_text("status", part);
    }

    #[track_caller]
    pub fn expect_notice(&mut self, part: &str) {
        self.expect_text("notice", part);
    }

    #[track_caller]
    pub fn expect_text(&mut self, id: &str, part: &str) {
        self.expect(PATIENCE, part, |page| page.text(id).contains(part));
    }

    /// The puzzle of five by five that is in play or was last, as the log told it.
    #[track_caller]
    pub fn puzzle(&mut self) -> (Variant, Board) {
        let log = self.text("log");
        let codes = log.rsplit("puzzle=").filter_map(|rest| code::parse(rest.get(..7)?).ok());
        { codes }.next().expect("a puzzle of five by five")
    }

    /// The key that a hint points at.
    #[track_caller]
    pub fn hinted(&mut self) -> usize {
        self.expect_status("hint: row ");
        let status = self.text("status");
        let digits: Vec<usize> = status
            .rsplit("hint:")
            .next()
            .unwrap_or_default()
            .chars()
            .filter_map(|letter| letter.to_digit(10))
            .map(|digit| digit as usize)
            .collect();
        5 * (digits[0] - 1) + digits[1] - 1
    }

    // --- Hands --------------------------------------------------------------------------------------------------------

    /// The middle of an element.
    #[track_caller]
    pub fn middle(&mut self, selector: &str) -> Place {
        let place = self.value(&format!(
            "(() => {{ const element = document.querySelector('{selector}'); element.scrollIntoView({{ block: 'nearest' }}); \
             const box = element.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; }})()"
        ));
        (place[0].as_f64().expect("a place"), place[1].as_f64().expect("a place"))
    }

    pub fn key_middle(&mut self, cell: usize) -> Place {
        self.middle(&format!(".key:nth-child({})", cell + 1))
    }

    /// By the mouse, or by a finger.
    fn press(&mut self, place: Place, milliseconds: u64) {
        if self.screen.touch {
            self.browser.touch_down(0, place);
            self.wait(milliseconds);
            self.browser.touch_up(0);
        } else {
            self.browser.mouse_move(place);
            self.browser.mouse_down(Button::Left);
            self.wait(milliseconds);
            self.browser.mouse_up(Button::Left);
        }
    }

    /// A click on whatever this is. What the page says meanwhile may push it aside: then the hand follows.
    pub fn click(&mut self, selector: &str) {
        let mut place = self.middle(selector);
        loop {
            let now = self.middle(selector);
            if now == place {
                break;
            }
            place = now;
        }
        self.press(place, 30);
    }

    /// A click on a key.
    pub fn tap(&mut self, cell: usize) {
        let place = self.key_middle(cell);
        self.press(place, 40);
    }

    /// A click that keeps a key down, or lets it go again.
    pub fn latch(&mut self, cell: usize) {
        let place = self.key_middle(cell);
        self.browser.key_down("Shift", "ShiftLeft");
        self.press(place, 30);
        self.browser.key_up("Shift", "ShiftLeft");
    }

    /// A click on a command.
    pub fn command(&mut self, name: &str) {
        self.click(&format!("[data-command={name}]"));
    }

    /// Fingers on several keys at once.
    pub fn touch(&mut self, cells: &[usize], milliseconds: u64) {
        self.touch_while(cells, |page| page.wait(milliseconds));
    }

    /// Fingers on several keys until the log says so.
    #[track_caller]
    pub fn hold(&mut self, cells: &[usize], told: &str) {
        self.touch_while(cells, |page| page.expect_text("log", told));
    }

    fn touch_while(&mut self, cells: &[usize], held: impl FnOnce(&mut Self)) {
        let places: Vec<_> = cells.iter().map(|&cell| self.key_middle(cell)).collect();
        for (finger, &place) in (0..).zip(&places) {
            self.browser.touch_down(finger, place);
        }
        held(self);
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
        self.wait(40);
        self.key(key, code, false);
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

    /// Opens a panel that is folded away.
    pub fn unfold(&mut self, id: &str) {
        self.value(&format!("document.getElementById('{id}').open = true"));
    }

    /// A click on a choice, by its row and column in the menu, from 0.
    pub fn choose(&mut self, row: usize, column: usize) {
        self.unfold("choices");
        self.click(&format!("#choice-rows fieldset:nth-child({}) button:nth-of-type({})", row + 1, column + 1));
    }

    pub fn set_speed(&mut self, factor: &str) {
        self.unfold("workshop");
        self.click(&format!("#speed input[value=\"{factor}\"] + span"));
    }

    /// Starts a random puzzle by a click; gives its board.
    #[track_caller]
    pub fn random_puzzle(&mut self) -> u32 {
        let before = self.puzzle();
        self.choose(0, 1);
        self.expect(PATIENCE, "another board", |page| {
            page.text("status").contains("Random") && page.puzzle() != before
        });
        let (_, board) = self.puzzle();
        self.expect_lit(board.bits());
        board.bits()
    }
}
