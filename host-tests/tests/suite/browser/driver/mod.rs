//! A browser for tests, in words of use: what a visitor's hands, eyes and computer do. [`Chromium`](chrome) and
//! [`Firefox`](firefox) are told the same things in their own protocols.
//!
//! Hands are real: the events come from the browser itself, so the page can neither tell them from a visitor's nor have
//! them without what a browser makes of them (clicks, focus, scrolling, `pointercancel`). [`Browser::drop_file`] is the
//! one exception, and only in Firefox.
//!
//! A browser takes seconds to start, so a running one is lent from test to test. Each gets a fresh context in it
//! ([`Browser::begin_anew`]), with empty storage and no workers; one whose test failed is ended instead of given back.

mod base64;
mod chrome;
mod firefox;
mod install;
mod marionette;
mod pipe;
mod process;

use std::path::Path;
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use serde_json::Value;

/// The browsers there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Chromium,
    Firefox,
}

/// A point of the page's visible part, in CSS pixels from its top left.
pub type Place = (f64, f64);

/// A button of the mouse, numbered as the page's events number it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Button {
    Left = 0,
    Middle = 1,
    Right = 2,
}

/// What the page is seen on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Screen {
    /// In CSS pixels, without any frame: the page's `innerWidth` and `innerHeight`.
    pub width: u32,
    pub height: u32,
    /// Pixels of the screen for each CSS pixel.
    pub scale: u32,
    /// Whether it is a screen for fingers, without a mouse. The page sees it from its next load on.
    pub touch: bool,
}

/// What a visitor has asked the system for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wishes {
    pub dark: bool,
    pub reduced_motion: bool,
}

/// One of the tabs that were opened since [`Browser::begin_anew`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tab(usize);

/// The tab that is there from the beginning.
pub const FIRST_TAB: Tab = Tab(0);

/// A running browser. What it cannot do, or does not answer, is a panic.
pub trait Browser: Send {
    fn name(&self) -> &'static str;

    /// Empty storage, one blank tab, nothing held down, nothing noted; screen, wishes and network as they were at first.
    fn begin_anew(&mut self);

    // --- Pages --------------------------------------------------------------------------------------------------------

    /// Opens an address, and waits until it is loaded.
    fn go(&mut self, address: &str);

    /// As by the button: the page may keep what was typed, and its storage.
    fn reload(&mut self);

    /// Opens another tab in front, which hides the one before. Words still go to the tab they went to.
    fn open_tab(&mut self, address: &str) -> Tab;

    /// Closes a tab, which shows the one before. Words must not go to it any more.
    fn close_tab(&mut self, tab: Tab);

    /// Words go to this tab from now on. It stays where it is, before or behind.
    fn use_tab(&mut self, tab: Tab);

    /// What an expression is on the page; a promise is waited for.
    fn value(&mut self, expression: &str) -> Value;

    /// What is in sight, as a PNG file.
    fn screenshot(&mut self) -> Vec<u8>;

    // --- Hands --------------------------------------------------------------------------------------------------------

    /// Not on a touch screen: there Firefox gives a page no pointer events of a mouse.
    fn mouse_move(&mut self, place: Place);

    /// Where the mouse was moved to last. Modifier keys that are held count.
    fn mouse_down(&mut self, button: Button);

    fn mouse_up(&mut self, button: Button);

    /// Puts a finger on the screen. Fingers are told apart by their numbers.
    fn touch_down(&mut self, finger: u32, place: Place);

    /// Moves a finger that is down. Far enough, and where the page lets it, that becomes scrolling.
    fn touch_move(&mut self, finger: u32, place: Place);

    /// A short touch becomes a click. Not always in Chromium when two fingers were down before: the page gets the touch, but
    /// in most runs of the proof no click followed. Why is not known, and the same commands from elsewhere did not show it.
    fn touch_up(&mut self, finger: u32);

    /// The system takes all fingers away from the page.
    fn touch_cancel(&mut self);

    /// A key of the keyboard by what it means, such as `a`, `A`, `Enter`, `Shift`, and by its place, such as `KeyA`.
    fn key_down(&mut self, key: &str, code: &str);

    fn key_up(&mut self, key: &str, code: &str);

    /// Gives a file to the file input with this selector, as its dialogue would.
    fn choose_file(&mut self, selector: &str, file: &Path);

    fn drop_file(&mut self, place: Place, file: &Path);

    // --- Surroundings -------------------------------------------------------------------------------------------------

    fn set_screen(&mut self, screen: Screen);

    fn set_wishes(&mut self, wishes: Wishes);

    /// Takes the network away from pages and workers, or gives it back.
    fn set_offline(&mut self, offline: bool);

    /// Where downloads go, without a question.
    fn set_downloads(&mut self, folder: &Path);

    /// Gives pages only one part in so many of their time, as a slow computer would. 1 is full speed.
    fn slow_down(&mut self, times: u32);

    // --- What went on -------------------------------------------------------------------------------------------------

    /// Errors that nobody caught, and errors and warnings on the console, of pages and of workers.
    fn troubles(&mut self) -> Vec<String>;

    /// The addresses that pages and workers asked for.
    fn requests(&mut self) -> Vec<String>;

    /// The processor time that all processes of the browser have used since it was started, in seconds.
    fn processor_seconds(&self) -> f64;
}

/// Lends a browser with a fresh context to a test, which gives it back if it does not fail. Where there is none, that is
/// said, and the test counts as skipped.
///
/// One at a time: a browser and an emulator want a computer for themselves. And never two that wait for their next test,
/// because even an idle browser takes memory and some time.
pub fn lend(kind: Kind, test: &str, use_it: impl FnOnce(Box<dyn Browser>) -> Box<dyn Browser>) {
    static IDLE: Mutex<Option<(Kind, Box<dyn Browser>)>> = Mutex::new(None);
    // A test that fails takes its browser with it, and leaves nothing here that could be wrong.
    let mut idle = IDLE.lock().unwrap_or_else(|failed| failed.into_inner());
    let Some(program) = install::program(kind, test) else { return };
    let mut browser: Box<dyn Browser> = match idle.take() {
        Some((same, browser)) if same == kind => browser,
        other => {
            drop(other);
            match kind {
                Kind::Chromium => Box::new(chrome::Chromium::start(&program)),
                Kind::Firefox => Box::new(firefox::Firefox::start(&program)),
            }
        }
    };
    browser.begin_anew();
    *idle = Some((kind, use_it(browser)));
}

/// What a page answers. One that reloads itself takes the question with it: then the next one is asked.
#[track_caller]
fn of_page_that_stays(mut ask: impl FnMut() -> Result<Value, String>) -> Value {
    const GONE: [&str; 4] = ["navigated", "context was destroyed", "was unloaded", "destroyed before query resolved"];
    for _ in 0..100 {
        match ask() {
            Ok(answer) => return answer,
            Err(error) if GONE.iter().any(|gone| error.contains(gone)) => thread::sleep(Duration::from_millis(50)),
            Err(error) => panic!("{error}"),
        }
    }
    panic!("the page does not stay");
}

/// The old number of a key, `KeyboardEvent.keyCode`, that both protocols want to be told.
fn key_number(key: &str, code: &str) -> u32 {
    match code {
        "Backspace" => 8,
        "Tab" => 9,
        "Enter" => 13,
        "ShiftLeft" | "ShiftRight" => 16,
        "ControlLeft" | "ControlRight" => 17,
        "AltLeft" | "AltRight" => 18,
        "Escape" => 27,
        "Space" => 32,
        "PageUp" => 33,
        "PageDown" => 34,
        "End" => 35,
        "Home" => 36,
        "ArrowLeft" => 37,
        "ArrowUp" => 38,
        "ArrowRight" => 39,
        "ArrowDown" => 40,
        "Delete" => 46,
        // Of a letter or digit, its capital.
        _ if key.len() == 1 && key.as_bytes()[0].is_ascii_alphanumeric() => {
            key.as_bytes()[0].to_ascii_uppercase().into()
        }
        _ => 0,
    }
}
