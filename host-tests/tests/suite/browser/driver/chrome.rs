//! Debian's Chromium, or what else of its family is here. The protocol is [`pipe`](super::pipe)'s.

use std::collections::BTreeMap;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::pipe::Pipe;
use super::process::{self, Processes};
use super::{Browser, Button, FIRST_TAB, Place, Screen, Tab, Wishes, base64};

/// No window, no services of its maker's, nothing remembered. The sandbox cannot be had by root.
const FLAGS: [&str; 15] = [
    "--headless",
    "--remote-debugging-pipe",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--mute-audio",
    "--hide-scrollbars",
    // On top of what the page's own screen asks for, see `set_screen`.
    "--window-size=1280,960",
];
/// The shell ends with the browser, and the browser when the pipe does.
const SCRIPT: &str = "\"$@\" 3<&0 4>&1 </dev/null >/dev/null; rm -rf \"$0\"";
/// A page that has not loaded after so long will not.
const LOADING: Duration = Duration::from_secs(60);

/// A tab: its target, and the session in which it is spoken to.
struct OpenTab {
    target: Value,
    session: String,
}

pub struct Chromium {
    pipe: Pipe,
    processes: Processes,
    /// Storage of its own, which goes when it is disposed of.
    context: Option<Value>,
    tabs: Vec<Option<OpenTab>>,
    current: usize,
    workers: Vec<String>,
    mouse: Place,
    buttons: u32,
    fingers: BTreeMap<u32, Place>,
    /// The modifier keys that are held, as DevTools counts them.
    modifiers: u32,
    loads: usize,
    troubles: Vec<String>,
    requests: Vec<String>,
}

impl Chromium {
    pub fn start(program: &Path) -> Self {
        let profile = process::new_profile();
        let mut flags: Vec<_> = FLAGS.map(str::to_owned).into();
        flags.push(format!("--user-data-dir={}", profile.display()));
        let mut processes = Processes::start(SCRIPT, &profile, program, &flags);
        Self {
            pipe: Pipe::new(processes.shell()),
            processes,
            context: None,
            tabs: Vec::new(),
            current: 0,
            workers: Vec::new(),
            mouse: (0.0, 0.0),
            buttons: 0,
            fingers: BTreeMap::new(),
            modifiers: 0,
            loads: 0,
            troubles: Vec::new(),
            requests: Vec::new(),
        }
    }

    /// Gives a command to the current tab.
    #[track_caller]
    fn call(&mut self, method: &str, parameters: Value) -> Value {
        let session = self.tabs[self.current].as_ref().expect("a tab that is open").session.clone();
        self.pipe.call(Some(&session), method, parameters)
    }

    /// What the events since the last time tell.
    fn note(&mut self) {
        for event in self.pipe.take_events() {
            let details = &event["params"];
            let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
            match event["method"].as_str() {
                Some("Runtime.exceptionThrown") => self.troubles.push(details["exceptionDetails"].to_string()),
                Some("Runtime.consoleAPICalled") if details["type"] == "error" || details["type"] == "warning" => {
                    self.troubles.push(details["args"].to_string());
                }
                Some("Log.entryAdded") if details["entry"]["level"] == "error" => {
                    self.troubles.push(details["entry"].to_string());
                }
                Some("Network.requestWillBeSent") => self.requests.push(text(&details["request"]["url"])),
                Some("Page.loadEventFired") => self.loads += 1,
                Some("Target.attachedToTarget") if details["targetInfo"]["type"] != "page" => {
                    self.workers.push(text(&details["sessionId"]));
                }
                _ => {}
            }
        }
    }

    fn load(&mut self, method: &str, parameters: Value) {
        self.note();
        let before = self.loads;
        let answer = self.call(method, parameters);
        assert!(answer["errorText"].is_null(), "{method}: {}", answer["errorText"]);
        let started = Instant::now();
        while self.loads == before {
            assert!(started.elapsed() < LOADING, "the page does not load");
            thread::sleep(Duration::from_millis(5));
            self.note();
        }
    }

    fn mouse(&mut self, kind: &str, button: Option<Button>) {
        let name = button.map_or("none", |button| match button {
            Button::Left => "left",
            Button::Middle => "middle",
            Button::Right => "right",
        });
        let event = json!({
            "type": kind, "x": self.mouse.0, "y": self.mouse.1, "button": name, "buttons": self.buttons,
            "clickCount": u32::from(button.is_some()), "modifiers": self.modifiers,
        });
        self.call("Input.dispatchMouseEvent", event);
    }

    /// Tells what a finger does, or all of them.
    fn touch(&mut self, kind: &str, finger: Option<(u32, Place)>) {
        let points: Vec<_> = finger.iter().map(|(finger, (x, y))| json!({ "x": x, "y": y, "id": finger })).collect();
        let event = json!({ "type": kind, "touchPoints": points, "modifiers": self.modifiers });
        self.call("Input.dispatchTouchEvent", event);
    }

    fn key(&mut self, kind: &str, key: &str, code: &str) {
        let mut event = json!({
            "type": kind, "key": key, "code": code, "modifiers": self.modifiers,
            "windowsVirtualKeyCode": super::key_number(key, code),
        });
        // What the key types, without which Enter does not press a button.
        let text = if key == "Enter" { "\r" } else { key };
        if kind == "keyDown" && text.chars().count() == 1 && self.modifiers & !SHIFT == 0 {
            event["text"] = json!(text);
        }
        self.call("Input.dispatchKeyEvent", event);
    }
}

const SHIFT: u32 = 8;

fn modifier(key: &str) -> u32 {
    match key {
        "Alt" => 1,
        "Control" => 2,
        "Meta" => 4,
        "Shift" => SHIFT,
        _ => 0,
    }
}

impl Browser for Chromium {
    fn name(&self) -> &'static str {
        "Chromium"
    }

    fn begin_anew(&mut self) {
        self.slow_down(1);
        self.set_offline(false);
        let context = self.pipe.call(None, "Target.createBrowserContext", json!({}))["browserContextId"].take();
        if let Some(old) = self.context.replace(context) {
            self.pipe.call(None, "Target.disposeBrowserContext", json!({ "browserContextId": old }));
        }
        self.tabs.clear();
        self.fingers.clear();
        (self.buttons, self.modifiers) = (0, 0);
        self.open_tab("about:blank");
        self.use_tab(FIRST_TAB);
        self.note();
        self.workers.clear();
        self.troubles.clear();
        self.requests.clear();
    }

    fn go(&mut self, address: &str) {
        self.load("Page.navigate", json!({ "url": address }));
    }

    fn reload(&mut self) {
        self.load("Page.reload", json!({}));
    }

    fn open_tab(&mut self, address: &str) -> Tab {
        let create = json!({ "url": "about:blank", "browserContextId": self.context });
        let target = self.pipe.call(None, "Target.createTarget", create)["targetId"].take();
        let attach = json!({ "targetId": target, "flatten": true });
        let session = self.pipe.call(None, "Target.attachToTarget", attach)["sessionId"].take();
        let session = session.as_str().expect("a session").to_owned();
        for domain in ["Page", "DOM"] {
            self.pipe.call(Some(&session), &format!("{domain}.enable"), json!({}));
        }
        self.pipe.listen(&session);
        self.tabs.push(Some(OpenTab { target, session }));
        let before = std::mem::replace(&mut self.current, self.tabs.len() - 1);
        if address != "about:blank" {
            self.go(address);
        }
        Tab(std::mem::replace(&mut self.current, before))
    }

    fn close_tab(&mut self, tab: Tab) {
        let tab = self.tabs[tab.0].take().expect("a tab that is open");
        self.pipe.call(None, "Target.closeTarget", json!({ "targetId": tab.target }));
    }

    fn use_tab(&mut self, tab: Tab) {
        self.current = tab.0;
    }

    #[track_caller]
    fn value(&mut self, expression: &str) -> Value {
        let parameters = json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
        let session = self.tabs[self.current].as_ref().expect("a tab that is open").session.clone();
        let mut answer = super::of_page_that_stays(|| {
            self.pipe
                .try_call(Some(&session), "Runtime.evaluate", parameters.clone())
                .map_err(|error| error.to_string())
        });
        assert!(answer["exceptionDetails"].is_null(), "{expression}: {}", answer["exceptionDetails"]);
        answer["result"]["value"].take()
    }

    fn screenshot(&mut self) -> Vec<u8> {
        let answer = self.call("Page.captureScreenshot", json!({ "format": "png" }));
        base64::decode(answer["data"].as_str().expect("a picture"))
    }

    fn mouse_move(&mut self, place: Place) {
        self.mouse = place;
        self.mouse("mouseMoved", None);
    }

    fn mouse_down(&mut self, button: Button) {
        self.buttons |= pressed(button);
        self.mouse("mousePressed", Some(button));
    }

    fn mouse_up(&mut self, button: Button) {
        self.buttons &= !pressed(button);
        self.mouse("mouseReleased", Some(button));
    }

    fn touch_down(&mut self, finger: u32, place: Place) {
        self.fingers.insert(finger, place);
        self.touch("touchStart", Some((finger, place)));
    }

    fn touch_move(&mut self, finger: u32, place: Place) {
        self.fingers.insert(finger, place);
        self.touch("touchMove", Some((finger, place)));
    }

    fn touch_up(&mut self, finger: u32) {
        let place = self.fingers.remove(&finger).expect("a finger that is down");
        self.touch("touchEnd", Some((finger, place)));
    }

    fn touch_cancel(&mut self) {
        self.fingers.clear();
        self.touch("touchCancel", None);
    }

    fn key_down(&mut self, key: &str, code: &str) {
        self.modifiers |= modifier(key);
        self.key("keyDown", key, code);
    }

    fn key_up(&mut self, key: &str, code: &str) {
        self.modifiers &= !modifier(key);
        self.key("keyUp", key, code);
    }

    fn choose_file(&mut self, selector: &str, file: &Path) {
        let document = self.call("DOM.getDocument", json!({}));
        let query = json!({ "nodeId": document["root"]["nodeId"], "selector": selector });
        let node = self.call("DOM.querySelector", query);
        self.call("DOM.setFileInputFiles", json!({ "nodeId": node["nodeId"], "files": [file.display().to_string()] }));
    }

    fn drop_file(&mut self, (x, y): Place, file: &Path) {
        let data = json!({ "items": [], "files": [file.display().to_string()], "dragOperationsMask": 1 });
        for kind in ["dragEnter", "dragOver", "drop"] {
            self.call("Input.dispatchDragEvent", json!({ "type": kind, "x": x, "y": y, "data": data }));
        }
    }

    fn set_screen(&mut self, screen: Screen) {
        let Screen { width, height, scale, touch } = screen;
        let metrics = json!({ "width": width, "height": height, "deviceScaleFactor": scale, "mobile": touch });
        self.call("Emulation.setDeviceMetricsOverride", metrics);
        let fingers = json!({ "enabled": touch, "maxTouchPoints": if touch { 5 } else { 1 } });
        self.call("Emulation.setTouchEmulationEnabled", fingers);
    }

    fn set_wishes(&mut self, wishes: Wishes) {
        let scheme = if wishes.dark { "dark" } else { "light" };
        let motion = if wishes.reduced_motion { "reduce" } else { "no-preference" };
        let features = json!([
            { "name": "prefers-color-scheme", "value": scheme },
            { "name": "prefers-reduced-motion", "value": motion },
        ]);
        self.call("Emulation.setEmulatedMedia", json!({ "features": features }));
    }

    fn set_offline(&mut self, offline: bool) {
        self.note();
        let tabs = self.tabs.iter().flatten().map(|tab| tab.session.clone());
        let sessions: Vec<_> = tabs.chain(self.workers.iter().cloned()).collect();
        self.pipe.set_offline(&sessions, offline);
    }

    fn set_downloads(&mut self, folder: &Path) {
        let leave = json!({
            "behavior": "allow", "downloadPath": folder.display().to_string(), "browserContextId": self.context,
        });
        self.pipe.call(None, "Browser.setDownloadBehavior", leave);
    }

    fn slow_down(&mut self, times: u32) {
        self.processes.slow_down(times);
    }

    fn troubles(&mut self) -> Vec<String> {
        // Events that are under way arrive before this answer.
        self.value("1");
        self.note();
        self.troubles.clone()
    }

    fn requests(&mut self) -> Vec<String> {
        self.value("1");
        self.note();
        self.requests.clone()
    }

    fn processor_seconds(&self) -> f64 {
        self.processes.processor_seconds()
    }
}

/// The bit of a button in `MouseEvent.buttons`.
fn pressed(button: Button) -> u32 {
    match button {
        Button::Left => 1,
        Button::Right => 2,
        Button::Middle => 4,
    }
}
