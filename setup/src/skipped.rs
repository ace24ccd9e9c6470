//! Tests that could not run, told to whoever adds up the results.
//!
//! The test harness knows passed, failed and ignored, and keeps to itself what a passing test prints. So a test that lacks
//! something returns early, which counts as passed, and adds a line to a file that [`VARIABLE`] names; `cargo host-tests`
//! reads it, subtracts, and says in words what was not tested.

use std::collections::BTreeMap;
use std::env;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The environment variable with the path of the file.
pub const VARIABLE: &str = "LIGHTS_OUT_SKIPPED";
/// How a line begins, on the screen and in the file: `SKIPPED browser::hint: needs chromium (apt-get install chromium)`.
const SKIPPED: &str = "SKIPPED ";

/// Says that a test is skipped, and why: past the harness, and into the file if there is one. A line that cannot be written
/// is a skipped test that is not counted, so that is a panic.
pub fn skip(test: &str, reason: &str) {
    let line = format!("{SKIPPED}{test}: {reason}\n");
    // Nobody may be looking.
    let _ = io::stderr().write_all(line.as_bytes());
    if let Some(path) = env::var_os(VARIABLE) {
        append(Path::new(&path), &line).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
}

/// In one write, because other tests may write at the same time.
fn append(path: &Path, line: &str) -> io::Result<()> {
    File::options().create(true).append(true).open(path)?.write_all(line.as_bytes())
}

/// The file, for the time of one run.
#[derive(Debug)]
pub struct Skips {
    path: PathBuf,
}

impl Skips {
    /// An empty one in this folder.
    pub fn new(folder: &Path) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        let path = folder.join(format!("skipped-{}.txt", std::process::id()));
        File::create(&path)?;
        Ok(Self { path })
    }

    /// What [`VARIABLE`] is to be set to.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How many tests were skipped for which reason.
    pub fn reasons(&self) -> io::Result<BTreeMap<String, u64>> {
        let mut reasons = BTreeMap::new();
        for line in fs::read_to_string(&self.path)?.lines() {
            let told = line.strip_prefix(SKIPPED).and_then(|line| line.split_once(": "));
            *reasons.entry(told.map_or(line, |(_, reason)| reason).to_owned()).or_default() += 1;
        }
        Ok(reasons)
    }
}

impl Drop for Skips {
    fn drop(&mut self) {
        // Left behind it does no harm: its name will not come again soon.
        let _ = fs::remove_file(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_counted_by_reason_and_the_file_goes() {
        let skips = Skips::new(&env::temp_dir().join("lights-out-skips")).unwrap();
        assert_eq!(skips.reasons().unwrap(), BTreeMap::new());
        for line in ["SKIPPED a::b: needs x (get x)\n", "SKIPPED a::c: needs x (get x)\n", "SKIPPED d: needs y\n"] {
            append(skips.path(), line).unwrap();
        }
        let expected = [("needs x (get x)".to_owned(), 2), ("needs y".to_owned(), 1)];
        assert_eq!(skips.reasons().unwrap(), expected.into());
        let path = skips.path().to_owned();
        drop(skips);
        assert!(!path.exists());
    }
}
