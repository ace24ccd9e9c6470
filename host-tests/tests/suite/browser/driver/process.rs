//! The processes of a browser: its profile folder, its end, its cost, and a slower computer for it.
//!
//! A browser must not outlive the tests, even when they are killed, and must leave no folder behind. So a shell stands
//! between: it holds the other end of a pipe of ours, and when that closes, for whatever reason, it ends the browser and
//! removes the folder. Signals go through the shell too, which saves unsafe code.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Linux counts processor time in these: `getconf CLK_TCK` has said 100 on every computer for decades.
const TICKS_PER_SECOND: f64 = 100.0;
/// A browser that has not ended after so long is left to its fate.
const LAST_PATIENCE: Duration = Duration::from_secs(10);
/// The time that a slowed process runs at a stretch, in seconds.
const SLICE: f64 = 0.01;

/// A new folder for a profile.
pub fn new_profile() -> PathBuf {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let profile = std::env::temp_dir().join(format!("lights-out-browser-{}-{number}", std::process::id()));
    fs::create_dir_all(&profile).expect("a folder");
    profile
}

/// A shell that runs a browser.
pub struct Processes {
    shell: Child,
    /// Slows these processes down.
    brake: Option<(Child, Vec<String>)>,
}

impl Processes {
    /// Starts the script with the profile as `$0` and the program and its arguments as `$@`. It must end, and remove the
    /// profile, when its standard input ends.
    pub fn start(script: &str, profile: &Path, program: &Path, arguments: &[String]) -> Self {
        let shell = Command::new("sh")
            .args(["-c", script])
            .args([profile, program])
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("a shell");
        Self { shell, brake: None }
    }

    pub fn shell(&mut self) -> &mut Child {
        &mut self.shell
    }

    /// The processes below the shell, with the processor time of each and of its children that have ended.
    fn tree(&self) -> BTreeMap<u32, f64> {
        let mut all = BTreeMap::new();
        for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
            let number = entry.file_name().to_str().and_then(|name| name.parse::<u32>().ok());
            // A process may end while we look.
            if let (Some(number), Ok(stat)) = (number, fs::read_to_string(entry.path().join("stat"))) {
                // The name in brackets may hold anything. Behind it: state, parent; at 11 to 14 the four times.
                let fields: Vec<_> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
                let ticks: f64 = fields[11..15].iter().filter_map(|ticks| ticks.parse::<f64>().ok()).sum();
                all.insert(number, (fields[1].parse::<u32>().unwrap_or(0), ticks / TICKS_PER_SECOND));
            }
        }
        let mut tree = BTreeMap::new();
        let mut todo = vec![self.shell.id()];
        while let Some(number) = todo.pop() {
            tree.insert(number, all.get(&number).map_or(0.0, |(_, seconds)| *seconds));
            todo.extend(all.iter().filter(|(_, (parent, _))| *parent == number).map(|(child, _)| child));
        }
        tree
    }

    pub fn processor_seconds(&self) -> f64 {
        self.tree().values().sum()
    }

    /// Stops the processes that run pages most of the time, and lets them run one part in so many: workers are slowed as
    /// well, which Chromium's own brake does not do.
    pub fn slow_down(&mut self, times: u32) {
        if let Some((mut brake, pages)) = self.brake.take() {
            let _ = brake.kill();
            let _ = brake.wait();
            let _ = Command::new("sh").args(["-c", "kill -CONT \"$@\"", "brake"]).args(pages).status();
        }
        if times > 1 {
            let pages = self.tree().into_keys().filter(|&number| runs_pages(number));
            let pages: Vec<_> = pages.map(|number| number.to_string()).collect();
            assert!(!pages.is_empty(), "a process that runs pages");
            // It ends with the first of them.
            let script = "while kill -STOP \"$@\"; do sleep $REST; kill -CONT \"$@\"; sleep $RUN; done";
            let mut brake = Command::new("sh");
            brake.args(["-c", script, "brake"]).args(&pages).stderr(Stdio::null());
            brake.env("RUN", SLICE.to_string()).env("REST", (SLICE * f64::from(times - 1)).to_string());
            self.brake = Some((brake.spawn().expect("a shell"), pages));
        }
    }
}

/// Chromium's are renderers; Firefox's end with the word tab.
fn runs_pages(number: u32) -> bool {
    let line = fs::read_to_string(format!("/proc/{number}/cmdline")).unwrap_or_default();
    // Chromium writes its own over with spaces.
    let words: Vec<_> = line.split(['\0', ' ']).filter(|word| !word.is_empty()).collect();
    words.contains(&"--type=renderer") || words.contains(&"-contentproc") && words.last() == Some(&"tab")
}

impl Drop for Processes {
    fn drop(&mut self) {
        self.slow_down(1);
        drop(self.shell.stdin.take());
        let started = Instant::now();
        while matches!(self.shell.try_wait(), Ok(None)) {
            if started.elapsed() > LAST_PATIENCE {
                let _ = self.shell.kill();
            }
            thread::sleep(Duration::from_millis(10));
        }
    }
}
