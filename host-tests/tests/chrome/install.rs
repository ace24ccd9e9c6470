//! Finds a browser, and installs one where that can be done without asking.
//!
//! Without one, a test says by its name that it was skipped; where `CI` is `true` it fails instead.

use std::env;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// Names of the family, and the variable that names another.
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const VARIABLE: &str = "LIGHTS_OUT_BROWSER";

/// The browser, or nothing if the test is to be skipped, which has then been said.
pub fn browser(test: &str) -> Option<PathBuf> {
    static FOUND: OnceLock<Option<PathBuf>> = OnceLock::new();
    let found = FOUND.get_or_init(|| find().or_else(install)).clone();
    if found.is_none() {
        let reason = format!("no Chromium is here, and none could be installed ({VARIABLE} may name one)");
        assert!(env::var("CI").as_deref() != Ok("true"), "{reason}");
        say(&format!("SKIPPED browser::{test}: {reason}"));
    }
    found
}

/// Past the test harness, which keeps what a passing test prints to itself.
fn say(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

fn find() -> Option<PathBuf> {
    if let Some(path) = env::var_os(VARIABLE) {
        return Some(path.into());
    }
    let folders: Vec<_> = env::split_paths(&env::var_os("PATH")?).collect();
    NAMES.iter().find_map(|name| folders.iter().map(|folder| folder.join(name)).find(|path| path.is_file()))
}

/// By Debian's packages, as root or with a sudo that asks for no password.
fn install() -> Option<PathBuf> {
    let prefix: &[&str] = if succeeds(&["sh", "-c", "test \"$(id -u)\" = 0"]) {
        &[]
    } else if succeeds(&["sudo", "-n", "true"]) {
        &["sudo", "-n"]
    } else {
        return None;
    };
    let apt = |arguments: &[&str]| {
        let options = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "--quiet", "-o", "DPkg::Lock::Timeout=120"];
        let words: Vec<&str> = prefix.iter().chain(&options).chain(arguments).copied().collect();
        succeeds(&words)
    };
    say("The browser tests need Chromium: installing Debian's package, which takes a minute or two.");
    let wanted = ["install", "--yes", "--no-install-recommends", "chromium"];
    if !apt(&wanted) {
        say("Fetching Debian's package lists, and trying again.");
        if !apt(&["update"]) || !apt(&wanted) {
            return None;
        }
    }
    say("Chromium is installed.");
    find()
}

fn succeeds(words: &[&str]) -> bool {
    let mut command = Command::new(words[0]);
    command.args(&words[1..]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}
