//! The web page's server, `cargo play` itself.

use std::io::{BufRead, BufReader};
use std::process::{Child, ChildStdout, Stdio};
use std::sync::OnceLock;

/// `cargo play`, running: one for all tests. It ends with us, because then nobody holds its standard input any more.
pub struct Server {
    address: String,
    _child: Child,
    /// Held open, because a program that cannot print stops.
    _output: BufReader<ChildStdout>,
}

impl Server {
    pub fn address() -> &'static str {
        static SERVER: OnceLock<Server> = OnceLock::new();
        &SERVER.get_or_init(Self::start).address
    }

    fn start() -> Self {
        let mut child = setup::cargo()
            .args(["play", "--no-open", "--until-input-ends", "--port", "0"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("cargo runs");
        let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
        let (mut printed, mut address) = (String::new(), None);
        while output.read_line(&mut printed).expect("text") > 0 {
            let line = printed.lines().last().unwrap_or_default();
            if let Some(given) = line.strip_prefix("Play at ") {
                address = Some(given.to_owned());
            }
            // The last word: whether the Pico 2 is on the page too. Nobody but the tests waits for it.
            if let Some(address) = address.take_if(|_| line.starts_with("The page ")) {
                assert!(line.contains("plays the Pico 2"), "{printed}");
                return Self { address, _child: child, _output: output };
            }
        }
        let _ = child.wait();
        panic!("cargo play ended without an address:\n{printed}");
    }
}
