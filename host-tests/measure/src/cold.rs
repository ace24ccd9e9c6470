//! `cargo measure --cold`: the time of the first `cargo play` in a fresh clone.
//!
//! The last commit is cloned into a temporary folder with its own target folder, so that nothing has been built before.
//! The crates are downloaded before the clock starts: the network does not count. The clock stops when the page is
//! served: then the WebAssembly and the firmware of the Pico are built. The limit is for two idle cores.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use player::limits;
use setup::progress::Step;

use crate::error::MeasureError;
use crate::figure::{Figure, Unit};
use crate::report::{self, Judged};

const STEPS: usize = 3;

/// Clones, builds and prints the time. Returns whether it is within the limit. The folder is removed in any case.
pub(crate) fn run() -> Result<bool, MeasureError> {
    let folder = tempfile::tempdir().map_err(|error| MeasureError(format!("no temporary folder: {error}")))?;
    let (clone, target) = (folder.path().join("project"), folder.path().join("target"));

    let step = Step::new(1, STEPS, "clone");
    step.report("cloning the last commit");
    let mut git = Command::new("git");
    expect_success(git.args(["clone", "--quiet", "--no-hardlinks"]).arg(setup::root()).arg(&clone), "git clone")?;
    step.done("cloned");

    let step = Step::new(2, STEPS, "crates");
    step.report("downloading");
    expect_success(cargo_in(&clone, &target).args(["fetch", "--locked"]), "cargo fetch")?;
    step.done("downloaded");

    let step = Step::new(3, STEPS, "cargo play");
    let time = time_until_served(&mut cargo_in(&clone, &target), &step)?;
    step.done("served");

    let figure = Figure::new("play.cold", "cold cargo play", Unit::Seconds, time.as_secs_f64())
        .not_recorded()
        .at_most(limits::COLD_PLAY.as_secs_f64())
        .note("on two idle cores");
    let judged = [Judged::new(None, figure, None)];
    println!("\n{}", report::plain_table(&judged));
    Ok(report::is_all_good(&judged))
}

/// Runs `cargo play`, and returns the time until the page is served. Waits until the firmware for the Pico 2 is built
/// as well, so that no build is left running in the folder.
fn time_until_served(cargo: &mut Command, step: &Step) -> Result<Duration, MeasureError> {
    let failed = |error: std::io::Error| MeasureError(format!("cargo play could not be started: {error}"));
    let started = Instant::now();
    cargo.args(["play", "--no-open", "--until-input-ends", "--port", "0"]);
    let mut play = cargo.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().map_err(failed)?;
    let mut served = None;
    for line in play.stdout.take().into_iter().flat_map(|output| BufReader::new(output).lines()) {
        let line = line.map_err(failed)?;
        if line.starts_with('[') {
            step.report(&line);
        } else if line.starts_with("Play at ") {
            served = Some(started.elapsed());
        } else if line.starts_with("The page plays the Pico") {
            break;
        }
    }
    drop(play.stdin.take());
    play.wait().map_err(failed)?;
    served.ok_or_else(|| MeasureError("cargo play ended before it served the page.".to_owned()))
}

/// Cargo in the clone. The variables that cargo has set for this program are removed, because they name this project.
fn cargo_in(clone: &Path, target: &Path) -> Command {
    let mut cargo = setup::cargo();
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("CARGO_PKG_") || name == "CARGO_MANIFEST_DIR" {
            cargo.env_remove(name);
        }
    }
    cargo.current_dir(clone).env("CARGO_TARGET_DIR", target);
    cargo
}

fn expect_success(command: &mut Command, name: &str) -> Result<(), MeasureError> {
    let status = command.status().map_err(|error| MeasureError(format!("{name} could not be started: {error}")))?;
    if status.success() { Ok(()) } else { Err(MeasureError(format!("{name} failed, see above."))) }
}
