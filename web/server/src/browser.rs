//! Opens the page in the user's browser.

use std::env;
use std::process::{Command, Stdio};

/// Opens an address. Returns whether a program could be started for it.
pub(crate) fn open(address: &str) -> bool {
    let [program, arguments @ ..] = &*opener() else { return false };
    Command::new(program)
        .args(arguments)
        .arg(address)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .is_ok()
}

/// The command that opens an address; empty without a display.
fn opener() -> Vec<&'static str> {
    if cfg!(target_os = "macos") {
        vec!["open"]
    } else if cfg!(windows) {
        // `start` is not a program but a command of the shell.
        vec!["rundll32", "url.dll,FileProtocolHandler"]
    } else if env::var_os("DISPLAY").is_some() || env::var_os("WAYLAND_DISPLAY").is_some() {
        vec!["xdg-open"]
    } else {
        Vec::new()
    }
}
