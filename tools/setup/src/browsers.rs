//! What the tests and the measurements of the web page need: Node.js, the packages of `web/package.json`, and the browsers.
//!
//! Where something is missing and may not be installed, the reason names it and what gets it.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use std::{env, fs, io};

use crate::progress::Step;
use crate::{Ending, Package, SetupError, debian_packages, root, watched};

/// The oldest Node.js whose test runner and whose `fetch` the tests can use.
const NODE: (u32, u32) = (20, 10);
/// For the packages from npm's registry.
const NPM_LIMIT: Duration = Duration::from_secs(300);
/// A file of ours in `node_modules`: the `package-lock.json` that it was made of.
const INSTALLED: &str = ".installed-lock.json";

/// How a browser is found.
#[derive(Debug)]
pub struct Browser {
    /// As the tests call it.
    pub kind: &'static str,
    /// Names of programs; the first is Debian's package too.
    programs: &'static [&'static str],
    /// The environment variable that names another.
    variable: &'static str,
    /// The oldest major version that is used: the one that puppeteer-core 24.43 is released for.
    oldest: u32,
}

/// The browsers that the page is tested in.
pub const BROWSERS: [Browser; 2] = [
    Browser {
        kind: "chromium",
        programs: &["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"],
        variable: "LIGHTS_OUT_CHROMIUM",
        oldest: 148,
    },
    Browser {
        kind: "firefox",
        programs: &["firefox-esr", "firefox"],
        variable: "LIGHTS_OUT_FIREFOX",
        // Firefox 140 lacks `emulation.setScreenOrientationOverride`, which is sent with every window size.
        oldest: 150,
    },
];

impl Browser {
    /// The program of a browser, or why there is none.
    pub fn find_or_install(&self, step: &Step) -> Result<Result<PathBuf, String>, SetupError> {
        let is_recent = |path: &PathBuf| version_of(path).is_some_and(|(major, _)| major >= self.oldest);
        let find = || {
            if let Some(path) = env::var_os(self.variable) {
                return Some(PathBuf::from(path)).filter(is_recent);
            }
            let folders: Vec<_> = env::split_paths(&env::var_os("PATH")?).collect();
            let paths = self.programs.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
            { paths }.find(|path| path.is_file() && is_recent(path))
        };
        let (package, variable) = (self.programs[0], self.variable);
        let needed = format!("{package} {} or newer", self.oldest);
        Ok(match debian_packages(&[package], || find().is_some(), step)? {
            Package::Ready => {
                find().ok_or_else(|| format!("needs {needed}; {package} was installed, but is not in PATH"))
            }
            Package::Missing { command } => Err(format!("needs {needed} ({command}; or {variable} names one)")),
        })
    }
}

/// The major and minor version that a program prints, if it runs.
fn version_of(program: impl AsRef<OsStr>) -> Option<(u32, u32)> {
    let output = Command::new(program).arg("--version").output().ok()?;
    version_in(&String::from_utf8_lossy(&output.stdout))
}

/// The first two numbers of a text like `v20.10.0` or `Mozilla Firefox 140.10.2esr`.
fn version_in(text: &str) -> Option<(u32, u32)> {
    let mut numbers = text.split(|letter: char| !letter.is_ascii_digit()).filter_map(|number| number.parse().ok());
    Some((numbers.next()?, numbers.next()?))
}

/// Why Node.js cannot be used, if it cannot.
pub fn node(step: &Step) -> Result<Option<String>, SetupError> {
    let has_npm = || Command::new("npm").arg("--version").output().is_ok_and(|output| output.status.success());
    let is_ready = || version_of("node").is_some_and(|version| version >= NODE) && has_npm();
    let (major, minor) = NODE;
    Ok(match debian_packages(&["nodejs", "npm"], is_ready, step)? {
        Package::Ready => None,
        Package::Missing { command } => {
            Some(format!("needs Node.js {major}.{minor} or newer and npm ({command}; or https://nodejs.org)"))
        }
    })
}

/// Why the packages of `web/package.json` cannot be used, if they cannot.
pub fn packages(step: &Step) -> Result<Option<String>, SetupError> {
    let folder = root().join("web");
    let about = |path: &Path, error: io::Error| SetupError::File { path: path.to_owned(), reason: error.to_string() };
    let lock_path = folder.join("package-lock.json");
    let lock = fs::read(&lock_path).map_err(|error| about(&lock_path, error))?;
    let installed = folder.join("node_modules").join(INSTALLED);
    if fs::read(&installed).is_ok_and(|installed| installed == lock) {
        return Ok(None);
    }
    step.say("installing puppeteer-core and axe-core with npm");
    let mut npm = Command::new("npm");
    npm.args(["ci", "--no-audit", "--no-fund", "--loglevel=error"]).current_dir(&folder);
    if watched(&mut npm, Some(NPM_LIMIT), step)? != Ending::Success {
        return Ok(Some("needs the packages of web/package.json (cd web && npm ci)".to_owned()));
    }
    fs::write(&installed, lock).map_err(|error| about(&installed, error))?;
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::version_in;

    #[test]
    fn version_is_read_from_what_programs_print() {
        assert_eq!(version_in("v20.20.2\n"), Some((20, 20)));
        assert_eq!(version_in("Mozilla Firefox 140.10.2esr\n"), Some((140, 10)));
        assert_eq!(version_in("Chromium 148.0.7778.167 built on Debian GNU/Linux 12 (bookworm)\n"), Some((148, 0)));
        assert_eq!(version_in("no such program"), None);
    }
}
