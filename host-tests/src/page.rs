//! The tests of the web page: JavaScript, run by Node's own test runner.
//!
//! The tests in `web/tests/*.test.mjs` need no browser, and each file is a program. The tests in
//! `web/tests/browser/*.mjs` are one program, `web/tests/browser.mjs`, which runs once in each browser. A test is a
//! line that begins with `test("NAME"`. For filters its name is `page::FILE::NAME` or `browser::FILE::NAME`, with `_`
//! for every space.
//!
//! The tests need Node.js, the packages of `web/package.json` and the browsers. If one of them is missing and cannot be
//! installed, the tests that need it are skipped, and the command that installs it is printed.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, io};

use setup::SetupError;
use setup::browsers::{self, BROWSERS};
use setup::progress::Step;

/// The selected tests.
#[derive(Debug, Default)]
pub(crate) struct PageTests {
    /// Programs that need no browser.
    files: Vec<PathBuf>,
    /// The names of their tests.
    names: Vec<String>,
    /// The names of the tests that need a browser.
    browser_names: Vec<String>,
}

/// A run of tests by Node.js.
#[derive(Debug)]
pub(crate) struct Program {
    arguments: Vec<OsString>,
    variables: Vec<(&'static str, OsString)>,
    /// The number of tests.
    pub(crate) tests: u64,
    /// The reason why it cannot run, if it cannot.
    pub(crate) missing: Option<String>,
}

impl Program {
    /// The command that runs the tests. It must not be used if something is missing.
    pub(crate) fn node(&self) -> Command {
        let mut node = Command::new("node");
        node.args(&self.arguments).envs(self.variables.iter().map(|(name, value)| (name, value)));
        node
    }
}

impl PageTests {
    /// Finds the tests whose names contain one of the filters. Without a filter, it finds all tests.
    pub(crate) fn find(filters: &[String]) -> io::Result<Self> {
        let folder = setup::root().join("web").join("tests");
        let mut found = Self::default();
        for (group, folder, is_browser) in [("page", folder.clone(), false), ("browser", folder.join("browser"), true)]
        {
            for path in sorted_paths(&folder)? {
                let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                let Some(file) = name.strip_suffix(if is_browser { ".mjs" } else { ".test.mjs" }) else { continue };
                let names = matching(&fs::read_to_string(&path)?, &format!("{group}::{file}"), filters);
                if is_browser {
                    found.browser_names.extend(names);
                } else if !names.is_empty() {
                    found.names.extend(names);
                    found.files.push(path);
                }
            }
        }
        Ok(found)
    }

    /// Whether no test was found.
    pub(crate) fn is_empty(&self) -> bool {
        self.names.is_empty() && self.browser_names.is_empty()
    }

    /// Installs what the tests need. The first program is for all tests without a browser; then one follows for each
    /// browser.
    pub(crate) fn programs(&self, address: &str, step: &Step) -> Result<Vec<Program>, SetupError> {
        let no_node = browsers::install_node(step)?;
        let program = |names: &[String], missing: Option<String>| Program {
            arguments: vec!["--test-reporter=spec".into()],
            variables: vec![("LIGHTS_OUT_ADDRESS", address.into()), ("LIGHTS_OUT_TESTS", names.join("\n").into())],
            tests: names.len() as u64,
            missing,
        };
        let mut programs = Vec::new();
        if !self.names.is_empty() {
            let mut node = program(&self.names, no_node.clone());
            node.arguments.extend(["--test".into(), "--test-concurrency=1".into()]);
            node.arguments.extend(self.files.iter().map(|file| file.clone().into_os_string()));
            programs.push(node);
        }
        if !self.browser_names.is_empty() {
            let no_packages = if no_node.is_none() { browsers::install_packages(step)? } else { no_node };
            for browser in &BROWSERS {
                let found =
                    no_packages.clone().map_or_else(|| browser.find_or_install(step), |reason| Ok(Err(reason)))?;
                let mut node = program(&self.browser_names, found.as_ref().err().cloned());
                node.variables.push(("LIGHTS_OUT_BROWSER_KIND", browser.kind.into()));
                node.variables.push(("LIGHTS_OUT_BROWSER", found.unwrap_or_default().into_os_string()));
                node.arguments.push(setup::root().join("web").join("tests").join("browser.mjs").into_os_string());
                programs.push(node);
            }
        }
        Ok(programs)
    }
}

fn sorted_paths(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}

/// The names of the tests in a file that contain one of the filters.
fn matching(text: &str, group: &str, filters: &[String]) -> Vec<String> {
    let names = text.lines().filter_map(|line| line.strip_prefix("test(\"")?.split_once('"')).map(|(name, _)| name);
    let is_match = |name: &&str| {
        let full = format!("{group}::{}", name.replace(' ', "_"));
        filters.is_empty() || filters.iter().any(|filter| full.contains(&filter.replace(' ', "_")))
    };
    names.filter(is_match).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "\
import { test } from \"./support/test.mjs\";
test(\"a tap is a move\", async () => {
  test(\"not at the beginning of a line\");
});
test(\"two corners are a command\", () => visit(async (visitor) => {
";

    fn filters(words: &[&str]) -> Vec<String> {
        words.iter().map(|&word| word.to_owned()).collect()
    }

    #[test]
    fn tests_are_found_by_file_and_name() {
        let find = |words: &[&str]| matching(FILE, "page::worker", &filters(words)).len();
        assert_eq!(find(&[]), 2);
        assert_eq!(find(&["page"]), 2);
        assert_eq!(find(&["worker::a_tap"]), 1);
        assert_eq!(find(&["a tap", "corners"]), 2);
        assert_eq!(find(&["solver"]), 0);
    }

    #[test]
    fn every_test_file_has_tests() {
        let all = PageTests::find(&[]).expect("the files");
        assert!(all.files.len() > 3 && all.browser_names.len() > 10);
        for path in &all.files {
            let text = fs::read_to_string(path).expect("a file");
            let marks = text.matches("test(\"").count();
            assert_eq!(matching(&text, "", &[]).len(), marks, "{}: a test that no filter can find", path.display());
        }
        assert_eq!(PageTests::find(&filters(&["browser::keys"])).expect("the files").files, Vec::<PathBuf>::new());
        assert!(PageTests::find(&filters(&["no such test"])).expect("the files").is_empty());
    }
}
