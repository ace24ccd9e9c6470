//! The programs that the tests and measurements of the web page need: Node.js, the packages of `web/package.json`,
//! browsers.
//!
//! If one is missing and may not be installed, a sentence names it and the command that installs it.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use std::{env, fs, io};

use crate::progress::Step;
use crate::{Ending, Package, SetupError, install_debian_packages, root, run_with_limit};

/// The oldest Node.js whose test runner and whose `fetch` the tests can use.
const NODE: (u32, u32) = (20, 10);
/// Time limit for the installation of packages from npm's registry.
const NPM_LIMIT: Duration = Duration::from_secs(300);
/// A file in `node_modules`: a copy of the `package-lock.json` that it was installed from.
const INSTALLED: &str = ".installed-lock.json";

/// A browser, and how to find its program.
#[derive(Debug)]
pub struct Browser {
    /// Its name in the tests.
    pub kind: &'static str,
    /// Names of its program. The first is also the name of Debian's package.
    programs: &'static [&'static str],
    /// The environment variable with the path of its program, for one that is not in PATH.
    variable: &'static str,
    /// The oldest major version that can be used: the one that puppeteer-core 24.43 is released for.
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
        // Firefox 140 lacks `emulation.setScreenOrientationOverride`, which puppeteer-core sends with every window
        // size.
        oldest: 150,
    },
];

impl Browser {
    /// The path of the program, which is installed if it is missing; or a sentence that says why there is none.
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
        Ok(match install_debian_packages(&[package], || find().is_some(), step)? {
            Package::Ready => {
                find().ok_or_else(|| format!("needs {needed}; {package} was installed, but was not found in PATH"))
            }
            Package::Missing { command } => Err(format!("needs {needed} ({command}; or set {variable} to its path)")),
        })
    }
}

/// The major and minor version that a program prints, or `None` if it does not start.
fn version_of(program: impl AsRef<OsStr>) -> Option<(u32, u32)> {
    let output = Command::new(program).arg("--version").output().ok()?;
    version_in(&String::from_utf8_lossy(&output.stdout))
}

/// The first two numbers of a text such as `v20.10.0` or `Mozilla Firefox 140.10.2esr`.
fn version_in(text: &str) -> Option<(u32, u32)> {
    let mut numbers = text.split(|letter: char| !letter.is_ascii_digit()).filter_map(|number| number.parse().ok());
    Some((numbers.next()?, numbers.next()?))
}

/// Installs Node.js if it is missing. Returns a sentence that says what is missing if it cannot be used.
pub fn install_node(step: &Step) -> Result<Option<String>, SetupError> {
    let has_npm = || Command::new("npm").arg("--version").output().is_ok_and(|output| output.status.success());
    let is_ready = || version_of("node").is_some_and(|version| version >= NODE) && has_npm();
    let (major, minor) = NODE;
    Ok(match install_debian_packages(&["nodejs", "npm"], is_ready, step)? {
        Package::Ready => None,
        Package::Missing { command } => {
            Some(format!("needs Node.js {major}.{minor} or newer and npm ({command}; or https://nodejs.org)"))
        }
    })
}

/// Installs the packages of `web/package.json` if they are missing. Returns a sentence that says what is missing if
/// that failed.
pub fn install_packages(step: &Step) -> Result<Option<String>, SetupError> {
    let folder = root().join("web");
    let about = |path: &Path, error: io::Error| SetupError::File { path: path.to_owned(), reason: error.to_string() };
    let lock_path = folder.join("package-lock.json");
    let lock = fs::read(&lock_path).map_err(|error| about(&lock_path, error))?;
    let installed = folder.join("node_modules").join(INSTALLED);
    if fs::read(&installed).is_ok_and(|installed| installed == lock) {
        return Ok(None);
    }
    step.report("installing puppeteer-core and axe-core with npm");
    let mut npm = Command::new("npm");
    npm.args(["ci", "--no-audit", "--no-fund", "--loglevel=error"]).current_dir(&folder);
    if run_with_limit(&mut npm, Some(NPM_LIMIT), step)? != Ending::Success {
        return Ok(Some("needs the packages of web/package.json (cd web && npm ci)".to_owned()));
    }
    fs::write(&installed, lock).map_err(|error| about(&installed, error))?;
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::version_in;

    #[test]
    fn version_is_read_from_program_output() {
        assert_eq!(version_in("v20.20.2\n"), Some((20, 20)));
        assert_eq!(version_in("Mozilla Firefox 140.10.2esr\n"), Some((140, 10)));
        assert_eq!(version_in("Chromium 148.0.7778.167 built on Debian GNU/Linux 12 (bookworm)\n"), Some((148, 0)));
        assert_eq!(version_in("no such program"), None);
    }
}
