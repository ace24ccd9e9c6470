//! The page of the handheld, in words of play: what a visitor does and sees.
//!
//! Lights are seen as a screen reader sees them, by the labels of the keys; hands are the browser's own mouse, fingers
//! and keyboard, so the page cannot tell them from a visitor's.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, ChildStdout, Stdio};
use std::sync::{Mutex, MutexGuard, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::chrome::Browser;
use super::install;

/// All lights of the menu: every one but the last of the third row.
pub const MENU: u32 = 0x1FF_FFFF & !(1 << 14);

/// `cargo play`, running: one for all tests. It ends with us, because then nobody holds its standard input any more.
struct Server {
    address: String,
    _child: Child,
    /// Held open, because a program that cannot print stops.
    _output: BufReader<ChildStdout>,
}

impl Server {
    fn address() -> &'static str {
        static SERVER: OnceLock<Server> = OnceLock::new();
        &SERVER.get_or_init(Self::start).address
    }

    fn start() -> Self {
        let mut child = setup::cargo()
            .args(["play", "--no-open", "--until-input-ends"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("cargo runs");
        let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut printed = String::new();
        while output.read_line(&mut printed).expect("text") > 0 {
            if let Some(address) = printed.lines().last().and_then(|line| line.strip_prefix("Play at ")) {
                return Self { address: address.to_owned(), _child: child, _output: output };
            }
        }
        let _ = child.wait();
        panic!("cargo play ended without an address:\n{printed}");
    }
}

/// A visitor on the page.
pub struct Visitor {
    pub browser: Browser,
    address: &'static str,
    /// One at a time: a browser and an emulator want a computer for themselves.
    _turn: MutexGuard<'static, ()>,
}

impl Visitor {
    /// Opens the page in a window of this many points; nothing, and said so, where there is no browser.
    pub fn open(test: &str, width: u32, height: u32) -> Option<Self> {
        static TURN: Mutex<()> = Mutex::new(());
        let turn = TURN.lock().unwrap_or_else(|failed| failed.into_inner());
        let program = install::browser(test)?;
        let address = Server::address();
        let browser = Browser::start(&program, width, height);
        let mut visitor = Self { browser, address, _turn: turn };
        visitor.set_size(width, height, 1);
        visitor.go();
        Some(visitor)
    }

    pub fn set_size(&mut self, width: u32, height: u32, scale: u32) {
        let metrics = json!({ "width": width, "height": height, "deviceScaleFactor": scale, "mobile": scale > 1 });
        self.browser.call("Emulation.setDeviceMetricsOverride", metrics);
        let touch = json!({ "enabled": scale > 1, "maxTouchPoints": if scale > 1 { 5 } else { 1 } });
        self.browser.call("Emulation.setTouchEmulationEnabled", touch);
    }

    /// Opens the page, or reloads it, and waits for the greeting to end.
    pub fn go(&mut self) {
        let address = self.address;
        self.browser.call("Page.navigate", json!({ "url": address }));
        self.expect(Duration::from_secs(20), "the first picture", |page| {
            page.value("document.documentElement?.dataset.firstFrame ?? ''") != ""
        });
        self.wait(1500);
    }

    /// Done: nothing went wrong that no light shows.
    pub fn leave(mut self) {
        let address = self.address;
        self.browser.expect_no_trouble(address);
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
    fn middle(&mut self, selector: &str) -> (f64, f64) {
        let place = self.value(&format!(
            "(() => {{ const element = document.querySelector('{selector}'); element.scrollIntoView({{ block: 'nearest' }}); \
             const box = element.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; }})()"
        ));
        (place[0].as_f64().expect("a place"), place[1].as_f64().expect("a place"))
    }

    fn key_middle(&mut self, cell: usize) -> (f64, f64) {
        self.middle(&format!(".key:nth-child({})", cell + 1))
    }

    fn mouse(&mut self, (x, y): (f64, f64), shift: bool, milliseconds: u64) {
        for kind in ["mouseMoved", "mousePressed", "mouseReleased"] {
            let button = if kind == "mouseMoved" { "none" } else { "left" };
            let modifiers = if shift { 8 } else { 0 };
            let event =
                json!({ "type": kind, "x": x, "y": y, "button": button, "clickCount": 1, "modifiers": modifiers });
            self.browser.call("Input.dispatchMouseEvent", event);
            if kind == "mousePressed" {
                self.wait(milliseconds);
            }
        }
    }

    /// A click on whatever this is.
    pub fn click(&mut self, selector: &str) {
        let place = self.middle(selector);
        self.mouse(place, false, 30);
    }

    /// A click on a key.
    pub fn tap(&mut self, cell: usize) {
        let place = self.key_middle(cell);
        self.mouse(place, false, 60);
        self.wait(100);
    }

    /// A click that keeps a key down, or lets it go again.
    pub fn latch(&mut self, cell: usize) {
        let place = self.key_middle(cell);
        self.mouse(place, true, 30);
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
        for down in 1..=places.len() {
            let points: Vec<_> =
                (0..).zip(&places[..down]).map(|(id, (x, y))| json!({ "x": x, "y": y, "id": id })).collect();
            self.browser.call("Input.dispatchTouchEvent", json!({ "type": "touchStart", "touchPoints": points }));
        }
        self.wait(milliseconds);
        self.browser.call("Input.dispatchTouchEvent", json!({ "type": "touchEnd", "touchPoints": [] }));
    }

    /// A key of the keyboard, by its name and place.
    pub fn key(&mut self, key: &str, code: &str, down: bool) {
        let kind = if down { "rawKeyDown" } else { "keyUp" };
        let number = match code {
            "Tab" => 9,
            "Enter" => 13,
            "Space" => 32,
            "ArrowLeft" => 37,
            "ArrowUp" => 38,
            "ArrowRight" => 39,
            "ArrowDown" => 40,
            _ => u32::from(key.as_bytes()[0].to_ascii_uppercase()),
        };
        let event = json!({ "type": kind, "key": key, "code": code, "windowsVirtualKeyCode": number });
        self.browser.call("Input.dispatchKeyEvent", event);
    }

    pub fn type_key(&mut self, key: &str, code: &str) {
        self.key(key, code, true);
        self.wait(60);
        self.key(key, code, false);
        self.wait(100);
    }

    /// Gives the page a file, as its file dialogue would.
    pub fn open_file(&mut self, path: &Path) {
        let document = self.browser.call("DOM.getDocument", json!({}));
        let query = json!({ "nodeId": document["root"]["nodeId"], "selector": "#file" });
        let node = self.browser.call("DOM.querySelector", query);
        let files = json!({ "nodeId": node["nodeId"], "files": [path.display().to_string()] });
        self.browser.call("DOM.setFileInputFiles", files);
    }

    /// Drops a file on the page.
    pub fn drop_file(&mut self, path: &Path) {
        let data = json!({ "items": [], "files": [path.display().to_string()], "dragOperationsMask": 1 });
        for kind in ["dragEnter", "dragOver", "drop"] {
            let event = json!({ "type": kind, "x": 300, "y": 300, "data": data });
            self.browser.call("Input.dispatchDragEvent", event);
        }
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
