//! A browser for tests: Debian's Chromium, or what else of its family is here, told what to do over a pipe.
//!
//! Chromium started with `--remote-debugging-pipe` reads commands from file descriptor 3 and writes answers and events to
//! 4, JSON ended by a zero byte (the DevTools protocol). A shell lays the child's standard input and output there, so
//! neither a WebSocket nor unsafe code is needed. Events are looked at on the way: errors on the page's console and
//! requests are kept for [`Browser::expect_no_trouble`].

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

/// A browser that has said nothing for so long has hung.
const PATIENCE: Duration = Duration::from_secs(60);

/// No window, no services of its maker's, nothing remembered. The sandbox cannot be had by root.
const FLAGS: [&str; 14] = [
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
];

/// A running browser with one page.
pub struct Browser {
    child: Child,
    commands: ChildStdin,
    messages: Receiver<Value>,
    profile: PathBuf,
    next: u64,
    session: Option<String>,
    /// Errors that the page or the browser told.
    troubles: Vec<String>,
    /// Addresses that the page asked for.
    requests: Vec<String>,
}

impl Browser {
    /// Starts a browser with an empty profile, and a page of this many points.
    pub fn start(program: &Path, width: u32, height: u32) -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let profile = std::env::temp_dir().join(format!("lights-out-browser-{}-{number}", std::process::id()));
        let mut child = Command::new("sh")
            .args(["-c", "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null"])
            .arg(program)
            .args(FLAGS)
            .arg(format!("--user-data-dir={}", profile.display()))
            .arg(format!("--window-size={width},{height}"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("a shell");
        let commands = child.stdin.take().expect("a pipe");
        let answers = child.stdout.take().expect("a pipe");
        let (sender, messages) = mpsc::channel();
        thread::spawn(move || {
            for message in BufReader::new(answers).split(0).map_while(Result::ok) {
                if sender.send(serde_json::from_slice(&message).expect("JSON")).is_err() {
                    break;
                }
            }
        });
        let (troubles, requests) = (Vec::new(), Vec::new());
        let mut browser = Self { child, commands, messages, profile, next: 0, session: None, troubles, requests };
        let target = browser.call("Target.createTarget", json!({ "url": "about:blank" }));
        let attach = json!({ "targetId": target["targetId"], "flatten": true });
        let session = browser.call("Target.attachToTarget", attach);
        browser.session = session["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Log", "Network", "DOM"] {
            browser.call(&format!("{domain}.enable"), json!({}));
        }
        browser
    }

    /// Gives a command to the browser itself, not to the page.
    #[track_caller]
    pub fn call_browser(&mut self, method: &str, parameters: Value) -> Value {
        let session = self.session.take();
        let answer = self.call(method, parameters);
        self.session = session;
        answer
    }

    /// Gives a command, and waits for its answer.
    #[track_caller]
    pub fn call(&mut self, method: &str, parameters: Value) -> Value {
        self.next += 1;
        let mut command = json!({ "id": self.next, "method": method, "params": parameters });
        if let Some(session) = &self.session {
            command["sessionId"] = json!(session);
        }
        write!(self.commands, "{command}\0").and_then(|()| self.commands.flush()).expect("the browser listens");
        loop {
            let mut message = self.messages.recv_timeout(PATIENCE).expect("the browser answers");
            if message["id"] == json!(self.next) {
                assert!(message["error"].is_null(), "{method}: {}", message["error"]);
                return message["result"].take();
            }
            self.note(&message);
        }
    }

    fn note(&mut self, event: &Value) {
        let details = &event["params"];
        match event["method"].as_str() {
            Some("Runtime.exceptionThrown") => self.troubles.push(details["exceptionDetails"].to_string()),
            Some("Runtime.consoleAPICalled") if details["type"] == "error" || details["type"] == "warning" => {
                self.troubles.push(details["args"].to_string());
            }
            Some("Log.entryAdded") if details["entry"]["level"] == "error" => {
                self.troubles.push(details["entry"].to_string());
            }
            Some("Network.requestWillBeSent") => {
                self.requests.push(details["request"]["url"].as_str().unwrap_or_default().to_owned());
            }
            _ => {}
        }
    }

    /// What an expression is on the page.
    #[track_caller]
    pub fn value(&mut self, expression: &str) -> Value {
        let parameters = json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
        let mut answer = self.call("Runtime.evaluate", parameters);
        assert!(answer["exceptionDetails"].is_null(), "{expression}: {}", answer["exceptionDetails"]);
        answer["result"]["value"].take()
    }

    /// What is in sight, as a PNG file.
    pub fn screenshot(&mut self) -> Vec<u8> {
        let answer = self.call("Page.captureScreenshot", json!({ "format": "png" }));
        from_base64(answer["data"].as_str().expect("a picture"))
    }

    /// No error was told, and every request was for a file of the page.
    #[track_caller]
    pub fn expect_no_trouble(&mut self, address: &str) {
        // Events that are under way arrive before this answer.
        self.value("1");
        assert!(self.troubles.is_empty(), "errors:\n{}", self.troubles.join("\n"));
        let strange: Vec<_> = self
            .requests
            .iter()
            .filter(|request| {
                !request.starts_with(address) && !request.starts_with("blob:") && *request != "about:blank"
            })
            .collect();
        assert!(strange.is_empty(), "requests that leave the page: {strange:?}");
        assert!(!self.requests.is_empty(), "the page was asked for");
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // A browser that has gone already is as good.
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = fs::remove_dir_all(&self.profile);
    }
}

fn from_base64(text: &str) -> Vec<u8> {
    let value = |letter: u8| match letter {
        b'A'..=b'Z' => letter - b'A',
        b'a'..=b'z' => letter - b'a' + 26,
        b'0'..=b'9' => letter - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let letters: Vec<u8> = text.bytes().filter(|&letter| letter != b'=').map(value).collect();
    letters
        .chunks(4)
        .flat_map(|four| {
            let bits = four.iter().fold(0u32, |bits, &six| bits << 6 | u32::from(six)) << (6 * (4 - four.len()));
            bits.to_be_bytes()[1..four.len()].to_vec()
        })
        .collect()
}
