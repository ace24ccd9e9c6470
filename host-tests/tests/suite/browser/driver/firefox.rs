//! Debian's Firefox. The protocol is [`marionette`](super::marionette)'s; what that lacks is done by firefox.js, from
//! within.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::marionette::Marionette;
use super::process::{self, Processes};
use super::{Browser, Button, FIRST_TAB, Place, Screen, Tab, Wishes, base64};

const FLAGS: [&str; 5] = ["--headless", "--marionette", "--remote-allow-system-access", "--no-remote", "--profile"];
/// What the browser says goes to a file: a pipe that nobody reads would stop it.
const SCRIPT: &str = "\"$@\" </dev/null >\"$0/said\" 2>&1 & browser=$!; cat >/dev/null; kill -9 $browser; wait; \
                      rm -rf \"$0\" || { sleep 1; rm -rf \"$0\"; }";
/// For the browser to start, and for a window to get its size.
const PATIENCE: Duration = Duration::from_secs(60);

/// Any free port, which is then written to a file; no services of its maker's beyond those that Marionette turns off by
/// itself; the console of pages, and of nothing else, on the standard output; downloads without a question; scrollbars
/// that take no room, as on a phone.
fn preferences() -> Value {
    json!({
        "marionette.port": 0,
        "browser.startup.page": 0,
        "browser.shell.checkDefaultBrowser": false,
        "dom.max_script_run_time": 0,
        "datareporting.policy.dataSubmissionEnabled": false,
        "services.settings.server": "data:,#remote-settings-dummy/v1",
        "app.normandy.enabled": false,
        "extensions.webcompat.perform_injections": false,
        "nimbus.rollouts.enabled": false,
        "network.captive-portal-service.enabled": false,
        "network.connectivity-service.enabled": false,
        "network.disable-localhost-when-offline": true,
        "devtools.console.stdout.content": true,
        "devtools.console.stdout.chrome": false,
        "browser.download.folderList": 2,
        "browser.download.alwaysOpenPanel": false,
        "browser.download.always_ask_before_handling_new_types": false,
        "ui.useOverlayScrollbars": 1,
        "media.volume_scale": "0.0",
    })
}

pub struct Firefox {
    marionette: Marionette,
    processes: Processes,
    profile: PathBuf,
    /// Marionette's names of the tabs.
    tabs: Vec<Option<Value>>,
    current: usize,
    fingers: BTreeMap<u32, Place>,
    /// How much of what the browser said belongs to tests before.
    said_before: usize,
}

impl Firefox {
    pub fn start(program: &Path) -> Self {
        let profile = process::new_profile();
        let mut settings = String::new();
        for (name, value) in preferences().as_object().expect("names and values") {
            writeln!(settings, "user_pref({}, {value});", json!(name)).expect("text");
        }
        fs::write(profile.join("user.js"), settings).expect("a file");
        let mut flags: Vec<_> = FLAGS.map(str::to_owned).into();
        flags.push(profile.display().to_string());
        let processes = Processes::start(SCRIPT, &profile, program, &flags);
        let port = wait_for("Firefox to start", || {
            fs::read_to_string(profile.join("MarionetteActivePort")).ok()?.trim().parse().ok()
        });
        let mut marionette = Marionette::connect(port);
        marionette.run(true, include_str!("firefox.js"), json!([]));
        Self { marionette, processes, profile, tabs: Vec::new(), current: 0, fingers: BTreeMap::new(), said_before: 0 }
    }

    /// Calls a function of firefox.js.
    #[track_caller]
    fn inside(&mut self, function: &str, arguments: Value) -> Value {
        self.marionette.run(true, &format!("return window.driver.{function}(...arguments)"), arguments)
    }

    fn set(&mut self, preferences: Value) {
        self.inside("set", json!([preferences]));
    }

    /// Things that one of the hands does, one after the other.
    fn act(&mut self, hand: &str, actions: Value) {
        let mut source = json!({ "type": hand, "id": hand, "actions": actions });
        if hand == "pointer" {
            source["parameters"] = json!({ "pointerType": "mouse" });
        }
        self.marionette.call_page("WebDriver:PerformActions", json!({ "actions": [source] }));
    }

    fn key(&mut self, down: bool, key: &str, code: &str) {
        self.inside("key", json!([down, key, code, super::key_number(key, code)]));
        // WebDriver's letters for these keys, on the left.
        let modifier = match key {
            "Shift" => '\u{E008}',
            "Control" => '\u{E009}',
            "Alt" => '\u{E00A}',
            "Meta" => '\u{E03D}',
            _ => return,
        };
        self.act("key", json!([{ "type": if down { "keyDown" } else { "keyUp" }, "value": modifier }]));
    }

    /// What it wrote to its standard output.
    fn said(&self) -> Vec<u8> {
        fs::read(self.profile.join("said")).unwrap_or_default()
    }

    /// The name of a tab that was not there before.
    fn new_tab(&mut self) -> Value {
        let (marionette, tabs) = (&mut self.marionette, &self.tabs);
        wait_for("the new tab", || {
            let all = marionette.call_page("WebDriver:GetWindowHandles", json!({}));
            all.as_array()?.iter().find(|tab| !tabs.iter().flatten().any(|known| known == *tab)).cloned()
        })
    }
}

/// Looks until it is there.
fn wait_for<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let started = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(started.elapsed() < PATIENCE, "waited for {what} in vain");
        thread::sleep(Duration::from_millis(10));
    }
}

impl Browser for Firefox {
    fn name(&self) -> &'static str {
        "Firefox"
    }

    fn begin_anew(&mut self) {
        self.slow_down(1);
        self.set_offline(false);
        self.set_wishes(Wishes::default());
        if !self.tabs.is_empty() {
            self.use_tab(FIRST_TAB);
            self.marionette.call_page("WebDriver:ReleaseActions", json!({}));
        }
        self.fingers.clear();
        self.inside("beginAnew", json!([]));
        self.tabs.clear();
        let tab = wait_for("the old tabs to close", || {
            let tabs = self.marionette.call_page("WebDriver:GetWindowHandles", json!({}));
            (tabs.as_array()?.len() == 1).then(|| tabs[0].clone())
        });
        self.tabs.push(Some(tab));
        self.use_tab(FIRST_TAB);
        self.set_screen(Screen { width: 1280, height: 960, scale: 1, touch: false });
        self.said_before = self.said().len();
    }

    fn go(&mut self, address: &str) {
        self.marionette.call_page("WebDriver:Navigate", json!({ "url": address }));
    }

    fn reload(&mut self) {
        self.marionette.call_page("WebDriver:Refresh", json!({}));
    }

    fn open_tab(&mut self, address: &str) -> Tab {
        self.inside("openTab", json!([]));
        let name = self.new_tab();
        self.tabs.push(Some(name));
        let (before, new) = (Tab(self.current), Tab(self.tabs.len() - 1));
        if address != "about:blank" {
            self.use_tab(new);
            // The blank page may come late, and be taken for the one that was asked for.
            wait_for("the new tab's page", || {
                self.go(address);
                (self.value("location.href") != "about:blank").then_some(())
            });
            self.use_tab(before);
        }
        new
    }

    fn close_tab(&mut self, tab: Tab) {
        self.inside("closeTab", json!([tab.0]));
        self.tabs[tab.0] = None;
    }

    fn use_tab(&mut self, tab: Tab) {
        let name = self.tabs[tab.0].as_ref().expect("a tab that is open");
        self.marionette.call_page("WebDriver:SwitchToWindow", json!({ "handle": name, "focus": false }));
        self.current = tab.0;
    }

    #[track_caller]
    fn value(&mut self, expression: &str) -> Value {
        self.marionette.run(false, &format!("return (async () => ({expression}))()"), json!([]))
    }

    fn screenshot(&mut self) -> Vec<u8> {
        let picture = self.marionette.call_page("WebDriver:TakeScreenshot", json!({ "full": false, "hash": false }));
        base64::decode(picture["value"].as_str().expect("a picture"))
    }

    fn mouse_move(&mut self, (x, y): Place) {
        self.act("pointer", json!([{ "type": "pointerMove", "x": x, "y": y, "duration": 0 }]));
    }

    fn mouse_down(&mut self, button: Button) {
        self.act("pointer", json!([{ "type": "pointerDown", "button": button as u32 }]));
    }

    fn mouse_up(&mut self, button: Button) {
        self.act("pointer", json!([{ "type": "pointerUp", "button": button as u32 }]));
    }

    fn touch_down(&mut self, finger: u32, place: Place) {
        self.touch_move(finger, place);
    }

    fn touch_move(&mut self, finger: u32, place: Place) {
        self.fingers.insert(finger, place);
        self.inside("touch", json!([finger, "contact", place.0, place.1]));
    }

    fn touch_up(&mut self, finger: u32) {
        let (x, y) = self.fingers.remove(&finger).expect("a finger that is down");
        self.inside("touch", json!([finger, "remove", x, y]));
    }

    fn touch_cancel(&mut self) {
        for (finger, (x, y)) in std::mem::take(&mut self.fingers) {
            self.inside("touch", json!([finger, "cancel", x, y]));
        }
    }

    fn key_down(&mut self, key: &str, code: &str) {
        self.key(true, key, code);
    }

    fn key_up(&mut self, key: &str, code: &str) {
        self.key(false, key, code);
    }

    fn choose_file(&mut self, selector: &str, file: &Path) {
        let query = json!({ "using": "css selector", "value": selector });
        let element = self.marionette.call_page("WebDriver:FindElement", query)["value"].take();
        // An object of one field, whose name WebDriver has chosen never to collide.
        let element = element.as_object().and_then(|element| element.values().next()).expect("an element");
        let keys = json!({ "id": element, "text": file.display().to_string() });
        self.marionette.call_page("WebDriver:ElementSendKeys", keys);
    }

    /// Not by real events: Marionette has none for this. The page gets events that a script has made, with a real file.
    fn drop_file(&mut self, (x, y): Place, file: &Path) {
        let script = "
            const [x, y, name, letters] = arguments;
            const dataTransfer = new DataTransfer();
            dataTransfer.items.add(new File([Uint8Array.from(atob(letters), (letter) => letter.charCodeAt(0))], name));
            const init = { dataTransfer, clientX: x, clientY: y, bubbles: true, cancelable: true, composed: true };
            for (const type of ['dragenter', 'dragover', 'drop']) {
              document.elementFromPoint(x, y).dispatchEvent(new DragEvent(type, init));
            }";
        let name = file.file_name().expect("a file").display().to_string();
        let letters = base64::encode(&fs::read(file).expect("a file that can be read"));
        self.marionette.run(false, script, json!([x, y, name, letters]));
    }

    fn set_screen(&mut self, screen: Screen) {
        let Screen { width, height, scale, touch } = screen;
        self.inside("setScreen", json!([self.current, width, height, scale, touch]));
        wait_for("the window to get its size", || {
            // A blank page on a touch screen is as wide as old pages are: 980, scaled down.
            let sizes = self.value("[devicePixelRatio, innerWidth, outerWidth]");
            (sizes[0] == scale && (sizes[1] == width || touch && sizes[2] == width)).then_some(())
        });
    }

    fn set_wishes(&mut self, wishes: Wishes) {
        self.set(json!({
            // 0 is dark, 1 light.
            "layout.css.prefers-color-scheme.content-override": u32::from(!wishes.dark),
            "ui.prefersReducedMotion": u32::from(wishes.reduced_motion),
        }));
    }

    fn set_offline(&mut self, offline: bool) {
        self.inside("setOffline", json!([offline]));
    }

    fn set_downloads(&mut self, folder: &Path) {
        fs::create_dir_all(folder).expect("a folder");
        self.set(json!({ "browser.download.dir": folder.display().to_string() }));
    }

    fn slow_down(&mut self, times: u32) {
        self.processes.slow_down(times);
    }

    fn troubles(&mut self) -> Vec<String> {
        let troubles = self.marionette.run(true, "return window.driver.troubles", json!([]));
        let mut troubles: Vec<String> = serde_json::from_value(troubles).expect("texts");
        let said = self.said();
        let said = String::from_utf8_lossy(&said[self.said_before..]);
        // Firefox's own search for experiments, which no setting keeps off this console.
        let own = |line: &str| line.starts_with("console.error: RSLoader:");
        let bad = |line: &&str| (line.starts_with("console.error:") || line.starts_with("console.warn:")) && !own(line);
        troubles.extend(said.lines().filter(bad).map(str::to_owned));
        troubles
    }

    fn requests(&mut self) -> Vec<String> {
        let requests = self.marionette.run(true, "return window.driver.requests", json!([]));
        serde_json::from_value(requests).expect("texts")
    }

    fn processor_seconds(&self) -> f64 {
        self.processes.processor_seconds()
    }
}
