//! Finds a browser, and installs one where that may be done: as root, or where the crate `setup` is told to.
//!
//! Without one, a test is skipped, which is said and counted; where `CI` is `true` it fails instead.

use std::env;
use std::path::PathBuf;
use std::sync::OnceLock;

use setup::progress::Step;
use setup::{Package, debian_package, skipped};

use super::Kind;

/// How a kind is found.
struct Names {
    /// Of programs; the first is Debian's package too.
    programs: &'static [&'static str],
    /// The environment variable that names another.
    variable: &'static str,
}

const CHROMIUM: Names = Names {
    programs: &["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"],
    variable: "LIGHTS_OUT_BROWSER",
};
const FIREFOX: Names = Names { programs: &["firefox-esr", "firefox"], variable: "LIGHTS_OUT_FIREFOX" };

/// The browser, or nothing if the test is to be skipped, which has then been said.
pub fn program(kind: Kind, test: &str) -> Option<PathBuf> {
    static FOUND: [OnceLock<Result<PathBuf, String>>; 2] = [const { OnceLock::new() }; 2];
    let names = match kind {
        Kind::Chromium => CHROMIUM,
        Kind::Firefox => FIREFOX,
    };
    let found = FOUND[kind as usize].get_or_init(|| find(&names).map_or_else(|| install(&names), Ok));
    if let Err(reason) = found {
        assert!(env::var("CI").as_deref() != Ok("true"), "{reason}");
        skipped::skip(test, reason);
    }
    found.clone().ok()
}

fn find(names: &Names) -> Option<PathBuf> {
    if let Some(path) = env::var_os(names.variable) {
        return Some(path.into());
    }
    let folders: Vec<_> = env::split_paths(&env::var_os("PATH")?).collect();
    names.programs.iter().find_map(|name| folders.iter().map(|folder| folder.join(name)).find(|path| path.is_file()))
}

/// By Debian's package; the error tells how to get it.
fn install(names: &Names) -> Result<PathBuf, String> {
    let (package, variable) = (names.programs[0], names.variable);
    match debian_package(package, &Step::new(1, 1, "browser tests")) {
        Ok(Package::Ready) => find(names).ok_or_else(|| format!("{package} was installed, but is not in PATH")),
        Ok(Package::Missing { command }) => Err(format!("needs {package} ({command}; or {variable} names one)")),
        Err(error) => Err(error.to_string()),
    }
}
