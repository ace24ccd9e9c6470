//! Firefox's protocol, Marionette: `LENGTH:[0, number, command, parameters]` one way over TCP, and
//! `LENGTH:[1, number, error, result]` the other. The commands are WebDriver's, and scripts may run in the browser itself
//! (the "chrome" context) as well as in a page (the "content" context).

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::time::Duration;

use serde_json::{Value, json};

/// A browser that has said nothing for so long has hung. Longer than its own limits for pages and scripts.
const PATIENCE: Duration = Duration::from_secs(75);
/// For a page to load, and for a script's promise, in milliseconds.
const PAGE_PATIENCE: u64 = 60_000;

pub struct Marionette {
    stream: BufReader<TcpStream>,
    last_number: u64,
    in_browser: bool,
}

impl Marionette {
    pub fn connect(port: u16) -> Self {
        let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).expect("Firefox listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a time limit");
        // A command is one small packet, and waits for nothing.
        stream.set_nodelay(true).expect("a setting of TCP");
        let mut marionette = Self { stream: BufReader::new(stream), last_number: 0, in_browser: false };
        let greeting = marionette.read();
        assert_eq!(greeting["marionetteProtocol"], 3, "{greeting}");
        let limits = json!({ "pageLoad": PAGE_PATIENCE, "script": PAGE_PATIENCE });
        marionette.call("WebDriver:NewSession", json!({ "capabilities": { "alwaysMatch": { "timeouts": limits } } }));
        marionette
    }

    fn read(&mut self) -> Value {
        let mut length = Vec::new();
        self.stream.read_until(b':', &mut length).expect("Firefox answers");
        let length = std::str::from_utf8(&length).ok().and_then(|length| length.strip_suffix(':')?.parse().ok());
        let mut message = vec![0; length.expect("Firefox answers, and has not ended")];
        self.stream.read_exact(&mut message).expect("the whole message");
        serde_json::from_slice(&message).expect("JSON")
    }

    /// Gives a command, and waits for its answer.
    #[track_caller]
    pub fn call(&mut self, command: &str, parameters: Value) -> Value {
        self.try_call(command, &parameters).unwrap_or_else(|error| panic!("{command} {parameters}: {error}"))
    }

    fn try_call(&mut self, command: &str, parameters: &Value) -> Result<Value, String> {
        self.last_number += 1;
        let text = json!([0, self.last_number, command, parameters]).to_string();
        write!(self.stream.get_mut(), "{}:{text}", text.len()).expect("Firefox listens");
        let mut answer = self.read();
        assert_eq!(answer[1], self.last_number, "{command}: {answer}");
        match &answer[2] {
            Value::Null => Ok(answer[3].take()),
            error => Err(format!("{}: {}", error["error"], error["message"])),
        }
    }

    /// Runs the body of a function in the page, or in the browser itself; a promise is waited for.
    #[track_caller]
    pub fn run(&mut self, in_browser: bool, script: &str, arguments: Value) -> Value {
        self.set_context(in_browser);
        // In one sandbox for all scripts of a context.
        let parameters = json!({ "script": script, "args": arguments, "newSandbox": false });
        let told = |error| format!("{script}: {error}");
        super::of_page_that_stays(|| self.try_call("WebDriver:ExecuteScript", &parameters).map_err(told))["value"]
            .take()
    }

    /// A command for pages and tabs; in the browser's own context it would be about windows.
    #[track_caller]
    pub fn call_page(&mut self, command: &str, parameters: Value) -> Value {
        self.set_context(false);
        self.call(command, parameters)
    }

    fn set_context(&mut self, in_browser: bool) {
        if in_browser != self.in_browser {
            let context = if in_browser { "chrome" } else { "content" };
            self.call("Marionette:SetContext", json!({ "value": context }));
            self.in_browser = in_browser;
        }
    }
}
