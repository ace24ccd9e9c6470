//! Finds a browser, and installs one where that may be done: as root, or where the crate `setup` is told to.
//!
//! Without one, a test is skipped, which is said and counted; where `CI` is `true` it fails instead.

use std::env;
use std::path::PathBuf;
use std::sync::OnceLock;

use setup::progress::Step;
use setup::{Package, debian_package, skipped};

/// Names of the family, and the variable that names another.
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const VARIABLE: &str = "LIGHTS_OUT_BROWSER";

/// The browser, or nothing if the test is to be skipped, which has then been said.
pub fn browser(test: &str) -> Option<PathBuf> {
    static FOUND: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    let found = FOUND.get_or_init(|| find().map_or_else(install, Ok));
    if let Err(reason) = found {
        assert!(env::var("CI").as_deref() != Ok("true"), "{reason}");
        skipped::skip(&format!("browser::{test}"), reason);
    }
    found.clone().ok()
}

fn find() -> Option<PathBuf> {
    if let Some(path) = env::var_os(VARIABLE) {
        return Some(path.into());
    }
    let folders: Vec<_> = env::split_paths(&env::var_os("PATH")?).collect();
    NAMES.iter().find_map(|name| folders.iter().map(|folder| folder.join(name)).find(|path| path.is_file()))
}

/// By Debian's package; the error tells how to get it.
fn install() -> Result<PathBuf, String> {
    match debian_package(NAMES[0], &Step::new(1, 1, "browser tests")) {
        Ok(Package::Ready) => find().ok_or_else(|| "chromium was installed, but is not in PATH".to_owned()),
        Ok(Package::Missing { command }) => Err(format!("needs chromium ({command}; or {VARIABLE} names one)")),
        Err(error) => Err(error.to_string()),
    }
}
