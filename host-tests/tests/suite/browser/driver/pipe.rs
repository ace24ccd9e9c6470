//! Chromium's protocol, DevTools: commands, answers and events as JSON, each ended by a zero byte.
//!
//! Chromium started with `--remote-debugging-pipe` reads commands from file descriptor 3 and writes answers and events to
//! 4. A shell lays the child's standard input and output there, so neither a WebSocket nor unsafe code is needed.
//!
//! Every tab and worker is a session of its own. Workers are held at their start until somebody listens to them; the
//! thread that reads does that by itself, because a test may be asleep.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

/// A browser that has said nothing for so long has hung.
const PATIENCE: Duration = Duration::from_secs(60);
/// The number of commands whose answers nobody waits for.
const UNANSWERED: u64 = 0;

/// The half that speaks, shared by the test and by the thread that reads.
struct Mouth {
    commands: Mutex<ChildStdin>,
    offline: AtomicBool,
}

impl Mouth {
    fn say(&self, number: u64, session: Option<&str>, method: &str, parameters: Value) {
        let mut command = json!({ "id": number, "method": method, "params": parameters });
        if let Some(session) = session {
            command["sessionId"] = json!(session);
        }
        let mut commands = self.commands.lock().unwrap_or_else(|failed| failed.into_inner());
        // A browser that does not listen does not answer either, which is noticed.
        let _ = write!(commands, "{command}\0").and_then(|()| commands.flush());
    }

    /// The commands that listen to a tab or worker, and to the workers that it will start, and let it run.
    fn listening(&self) -> [(&'static str, Value); 6] {
        [
            ("Runtime.enable", json!({})),
            ("Log.enable", json!({})),
            ("Network.enable", json!({})),
            ("Network.emulateNetworkConditions", conditions(self.offline.load(Ordering::Relaxed))),
            ("Target.setAutoAttach", json!({ "autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true })),
            ("Runtime.runIfWaitingForDebugger", json!({})),
        ]
    }
}

/// Without limits of speed.
fn conditions(offline: bool) -> Value {
    json!({ "offline": offline, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1 })
}

pub struct Pipe {
    mouth: Arc<Mouth>,
    messages: Receiver<Value>,
    events: Vec<Value>,
    last_number: u64,
}

impl Pipe {
    pub fn new(shell: &mut Child) -> Self {
        let commands = Mutex::new(shell.stdin.take().expect("a pipe"));
        let answers = shell.stdout.take().expect("a pipe");
        let mouth = Arc::new(Mouth { commands, offline: AtomicBool::new(false) });
        let (sender, messages) = mpsc::channel();
        let weak = Arc::downgrade(&mouth);
        let listen = move |session: &str| {
            weak.upgrade().is_some_and(|mouth| {
                for (method, parameters) in mouth.listening() {
                    mouth.say(UNANSWERED, Some(session), method, parameters);
                }
                true
            })
        };
        thread::spawn(move || read(answers, &sender, &listen));
        Self { mouth, messages, events: Vec::new(), last_number: UNANSWERED }
    }

    /// Gives a command to a session, or to the browser itself, and waits for its answer.
    #[track_caller]
    pub fn call(&mut self, session: Option<&str>, method: &str, parameters: Value) -> Value {
        self.try_call(session, method, parameters).unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    /// The same where an error is no surprise.
    pub fn try_call(&mut self, session: Option<&str>, method: &str, parameters: Value) -> Result<Value, Value> {
        self.last_number += 1;
        self.mouth.say(self.last_number, session, method, parameters);
        loop {
            let mut message = self.messages.recv_timeout(PATIENCE).expect("the browser answers");
            if message["id"] == json!(self.last_number) {
                return if message["error"].is_null() {
                    Ok(message["result"].take())
                } else {
                    Err(message["error"].take())
                };
            }
            self.events.push(message);
        }
    }

    /// Listens to a tab. Each answer is waited for: a tab that is sent elsewhere before it has heard all of it may forget the rest,
    /// because its next page runs in another process.
    pub fn listen(&mut self, session: &str) {
        for (method, parameters) in self.mouth.listening() {
            self.call(Some(session), method, parameters);
        }
    }

    /// The events since the last time.
    pub fn take_events(&mut self) -> Vec<Value> {
        self.events.extend(self.messages.try_iter());
        std::mem::take(&mut self.events)
    }

    /// Takes the network away from these sessions, and from those to come.
    pub fn set_offline(&mut self, sessions: &[String], offline: bool) {
        self.mouth.offline.store(offline, Ordering::Relaxed);
        for session in sessions {
            // Workers may have gone.
            let _ = self.try_call(Some(session), "Network.emulateNetworkConditions", conditions(offline));
        }
    }
}

/// Until the browser or the test ends.
fn read(answers: ChildStdout, sender: &Sender<Value>, listen: &impl Fn(&str) -> bool) {
    for message in BufReader::new(answers).split(0).map_while(Result::ok) {
        let message: Value = serde_json::from_slice(&message).expect("JSON");
        if message["method"] == "Target.attachedToTarget"
            && message["params"]["targetInfo"]["type"] != "page"
            && !message["params"]["sessionId"].as_str().is_some_and(listen)
        {
            return;
        }
        if sender.send(message).is_err() {
            return;
        }
    }
}
