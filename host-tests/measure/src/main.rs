//! `cargo measure`: every figure of the handheld in one table, with its limit.
//!
//! The firmware is built as it would be flashed and runs on the virtual handheld, where keys are pressed and frames are
//! read off the wire. A measurement is a function from the firmware to [`Figure`]s; each has a file of
//! its own that says what it means: [`latency`], [`cycles`], [`power`], [`scanning`], [`sizes`], [`speed`]. They play in
//! the words of the crate `player`. Then the figures are judged, by what is promised in [`player::limits`] and
//! by what was [`recorded`], and a [`report`] is made of that.
//!
//! Seeds are fixed and time is emulated, so the same firmware gives the same figures to the cycle on every machine;
//! those that depend on the machine are told, not judged. [`mod@bench`] is a program of its own: our solver beside
//! those of the seed texts; so is [`page`], the speed of the web page in real browsers.
#![forbid(unsafe_code)]

mod arguments;
mod bench;
mod cycles;
mod figure;
mod latency;
mod page;
mod power;
mod recorded;
mod report;
mod scanning;
mod sizes;
mod speed;
mod statistics;
mod trouble;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::Mutex;
use std::time::Instant;
use std::{env, fs, io, thread};

use arguments::{Extent, HELP, Request};
use emulator::{Firmware, FlashCache, Handheld, Options};
use figure::Figure;
use flash_image::Chip;
use latency::Rhythm;
use lexopt::Parser;
use player::{Dice, Player};
use recorded::Record;
use trouble::Trouble;

/// Limits are passed.
const FAILED: u8 = 1;
/// There are no figures.
const NOT_MEASURED: u8 = 2;
/// Measurements that run side by side.
const WORKERS: usize = 2;

fn main() -> ExitCode {
    let result = match arguments::parse(Parser::from_env()) {
        Ok(Request::Help) => {
            print!("{HELP}");
            Ok(true)
        }
        Ok(Request::Build) => build().map(|_| true),
        Ok(Request::Page) => page::run(),
        Ok(Request::Seeds { json }) => bench::run(json, &setup::root()),
        Ok(Request::Measure { json, record, extent, elf }) => measure(json, record, extent, elf),
        Err(error) => return setup::misused("cargo measure", error),
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(FAILED),
        Err(trouble) => {
            eprintln!("\n{trouble}");
            ExitCode::from(NOT_MEASURED)
        }
    }
}

/// Whether all is well.
fn measure(json: bool, record: bool, extent: Extent, elf: Option<PathBuf>) -> Result<bool, Trouble> {
    let began = Instant::now();
    // Before the build: somebody may commit while we measure.
    let revision = revision();
    let paths = match elf {
        Some(path) => vec![path],
        None if json => build_aside()?,
        None => build()?,
    };
    let mut measured = Vec::new();
    for path in paths {
        let elf = fs::read(&path).map_err(|error| about(&path, &error))?;
        let firmware = Firmware::from_elf(&elf).map_err(|error| about(&path, &error))?;
        measured.push((firmware.chip(), all_figures(&firmware, &elf, extent)?));
    }

    let record_path = setup::root().join("host-tests/measure/recorded.toml");
    let mut recorded = match fs::read_to_string(&record_path) {
        Ok(text) => Record::read(&text).map_err(|error| about(&record_path, &error))?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => Record::default(),
        Err(error) => return Err(about(&record_path, &error)),
    };
    if record {
        recorded.revision.clone_from(&revision);
        measured.iter().for_each(|(chip, figures)| recorded.take(*chip, figures));
        fs::write(&record_path, recorded.write()).map_err(|error| about(&record_path, &error))?;
    }
    let judged: Vec<_> =
        measured.into_iter().flat_map(|(chip, figures)| report::judge(chip, figures, &recorded)).collect();
    let good = report::all_good(&judged);
    if json {
        print!("{}", report::json(&judged, &recorded, &revision));
    } else {
        println!("\n{}", report::table(&judged, &recorded));
        let verdict = if good { "All limits are kept." } else { "NOT all limits are kept." };
        println!("{verdict} Measured in {:.0} s.", began.elapsed().as_secs_f32());
    }
    Ok(good)
}

fn about(path: &Path, error: &impl std::fmt::Display) -> Trouble {
    Trouble(format!("{}: {error}", path.display()))
}

/// Builds the firmware for each chip, saying so on standard output.
fn build() -> Result<Vec<PathBuf>, Trouble> {
    setup::build_all_firmware(setup::FIRMWARE_STEPS).map_err(|error| Trouble(error.to_string()))
}

/// Builds the firmware with nothing on standard output: in a process of its own, whose output goes to standard error.
fn build_aside() -> Result<Vec<PathBuf>, Trouble> {
    let cannot = |error: io::Error| Trouble(format!("the build could not be started: {error}"));
    let program = env::current_exe().map_err(cannot)?;
    let status = Command::new(program).arg("--build").stdout(Stdio::from(io::stderr())).status().map_err(cannot)?;
    if !status.success() {
        return Err(Trouble("the firmware could not be built, see above".to_owned()));
    }
    setup::firmware_paths().map_err(|error| Trouble(error.to_string()))
}

/// The revision in the working tree, marked if there are changes that are not part of it.
fn revision() -> String {
    let git = |arguments: &[&str]| {
        let output =
            Command::new("git").current_dir(setup::root()).args(arguments).stderr(Stdio::null()).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    match (git(&["rev-parse", "--short", "HEAD"]), git(&["status", "--porcelain", "--", "src", "Cargo.lock"])) {
        (Some(revision), Some(changes)) if changes.is_empty() => revision,
        (Some(revision), _) => format!("{revision} with changes"),
        (None, _) => "unknown".to_owned(),
    }
}

/// A handheld as real as the model gets: with the flash's cache, and so many cycles for a miss.
fn honest(miss_cycles: u32) -> Options {
    Options { flash_cache: Some(FlashCache { miss_cycles }), ..Options::default() }
}

/// What a miss of the cache costs at the least: on the RP2040 56 cycles of quad transfer, and some overhead.
const MISS: u32 = 60;
/// What it may cost on a slower chip.
const SLOW_MISS: u32 = 100;

/// Cycles of the system clock in a microsecond.
fn cycles_per_us(chip: Chip) -> f64 {
    match chip {
        Chip::Rp2040 => 125.0,
        Chip::Rp2350 => 150.0,
    }
}

/// A player with a handheld that was just switched on.
fn switched_on(firmware: &Firmware, options: Options) -> Player<Handheld> {
    Player::new(Handheld::power_on(firmware, options))
}

/// The same, once the greeting has ended.
fn greeted(firmware: &Firmware, options: Options) -> Player<Handheld> {
    let mut player = switched_on(firmware, options);
    player.after_greeting();
    player
}

/// What decides in a measurement; `stream` tells the dice of one from those of another.
fn dice(stream: u64) -> Dice {
    Dice::new(1995, stream)
}

/// What a measurement gives: figures, and the lowest place of the stack if it looked.
type Outcome = Result<(Vec<Figure>, u32), Trouble>;
type Measurement = fn(&Firmware, Extent) -> Outcome;

/// In the order of the table.
const MEASUREMENTS: [Measurement; 14] = [
    |firmware, extent| in_rhythm(firmware, 0, extent),
    |firmware, extent| in_rhythm(firmware, 1, extent),
    |firmware, extent| in_rhythm(firmware, 2, extent),
    |firmware, extent| in_rhythm(firmware, 3, extent),
    |firmware, extent| Ok((latency::with_slow_flash(firmware, extent)?, u32::MAX)),
    |firmware, extent| Ok((latency::animated(firmware, extent)?, u32::MAX)),
    |firmware, _| cycles::parity(firmware),
    |firmware, _| cycles::classic(firmware),
    |firmware, _| cycles::rules(firmware),
    |firmware, _| Ok((power::starts(firmware)?, u32::MAX)),
    |firmware, _| Ok((power::life(firmware)?, u32::MAX)),
    |firmware, _| Ok((power::battery(firmware)?, u32::MAX)),
    |firmware, _| scanning::scans(firmware),
    |firmware, _| Ok((Vec::new(), scanning::soak(firmware)?)),
];

fn in_rhythm(firmware: &Firmware, rhythm: usize, extent: Extent) -> Outcome {
    Ok((latency::in_rhythm(firmware, Rhythm::ALL[rhythm], extent)?, u32::MAX))
}

/// Everything, on as many threads as there are workers; the speed of the machine first, while nothing else runs.
fn all_figures(firmware: &Firmware, elf: &[u8], extent: Extent) -> Result<Vec<Figure>, Trouble> {
    let speed = speed::figures(firmware)?;
    let queue = Mutex::new(0..MEASUREMENTS.len());
    let outcomes: Mutex<[Option<Outcome>; MEASUREMENTS.len()]> = Mutex::new([const { None }; MEASUREMENTS.len()]);
    // A worker that panics takes the program down with it when the scope ends, so no lock is ever found poisoned.
    thread::scope(|scope| {
        for _ in 0..WORKERS {
            scope.spawn(|| {
                while let Some(index) = queue.lock().ok().and_then(|mut queue| queue.next()) {
                    let outcome = MEASUREMENTS[index](firmware, extent);
                    if let Ok(mut outcomes) = outcomes.lock() {
                        outcomes[index] = Some(outcome);
                    }
                }
            });
        }
    });
    let outcomes = outcomes.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    let (mut figures, mut lowest) = (Vec::new(), u32::MAX);
    for outcome in outcomes.into_iter().flatten() {
        let (more, stack) = outcome?;
        figures.extend(more);
        lowest = lowest.min(stack);
    }
    figures.extend(sizes::figures(firmware.chip(), elf, scanning::stack(firmware, lowest))?);
    figures.extend(speed);
    Ok(figures)
}
