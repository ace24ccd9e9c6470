//! What the tests and the measurements of the web page need: Node.js, the packages of `web/package.json`, and the browsers.
//!
//! Where something is missing and may not be installed, the reason names it and what gets it.

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
}

/// The browsers that the page is tested in.
pub const BROWSERS: [Browser; 2] = [
    Browser {
        kind: "chromium",
        programs: &["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"],
        variable: "LIGHTS_OUT_CHROMIUM",
    },
    Browser { kind: "firefox", programs: &["firefox-esr", "firefox"], variable: "LIGHTS_OUT_FIREFOX" },
];

impl Browser {
    /// The program of a browser, or why there is none.
    pub fn find_or_install(&self, step: &Step) -> Result<Result<PathBuf, String>, SetupError> {
        let find = || {
            if let Some(path) = env::var_os(self.variable) {
                return Some(PathBuf::from(path));
            }
            let folders: Vec<_> = env::split_paths(&env::var_os("PATH")?).collect();
            let paths = self.programs.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
            { paths }.find(|path| path.is_file())
        };
        let package = self.programs[0];
        Ok(match debian_packages(&[package], || find().is_some(), step)? {
            Package::Ready => find().ok_or_else(|| format!("{package} was installed, but is not in PATH")),
            Package::Missing { command } => Err(format!("needs {package} ({command}; or {} names one)", self.variable)),
        })
    }
}

/// Why Node.js cannot be used, if it cannot.
pub fn node(step: &Step) -> Result<Option<String>, SetupError> {
    let version = || {
        let output = Command::new("node").arg("--version").output().ok()?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let mut numbers = text.trim().trim_start_matches('v').split('.').map_while(|number| number.parse::<u32>().ok());
        Some((numbers.next()?, numbers.next()?))
    };
    let has_npm = || Command::new("npm").arg("--version").output().is_ok_and(|output| output.status.success());
    let is_ready = || version().is_some_and(|version| version >= NODE) && has_npm();
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
