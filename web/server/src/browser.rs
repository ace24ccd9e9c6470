//! Opens the page in the user's browser, where there is one to open.

use std::env;
use std::process::{Command, Stdio};

/// Whether a program could be started that shows the address.
pub fn open(address: &str) -> bool {
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

/// The command that opens an address, or nothing where no screen is.
fn opener() -> Vec<&'static str> {
    if cfg!(target_os = "macos") {
        vec!["open"]
    } else if cfg!(windows) {
        // Not `start`, which is no program but a word of the command interpreter.
        vec!["rundll32", "url.dll,FileProtocolHandler"]
    } else if env::var_os("DISPLAY").is_some() || env::var_os("WAYLAND_DISPLAY").is_some() {
        vec!["xdg-open"]
    } else {
        Vec::new()
    }
}
