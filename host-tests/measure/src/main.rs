//! `cargo measure`: every figure of the firmware and of the web page in one report, with its limit.
//!
//! The measured firmware is the one that is flashed. It runs on the emulated handheld, where keys are pressed and
//! frames are read from the LED wire. A measurement is a function from the firmware to [`Figure`]s. Each has its own
//! file, which explains it: [`latency`], [`cycles`], [`power`], [`scanning`], [`sizes`], [`speed`]. The crate `player`
//! presses the keys. Then each figure is compared with its limit in [`player::limits`] and with its [`recorded`] value,
//! and a [`report`] is printed. The size of the page's WebAssembly ([`mod@page`]) is part of it.
//!
//! Seeds are fixed and time is emulated: the same firmware gives the same figures on every computer, to the cycle.
//! Figures that depend on the computer are not compared. Three more measurements have their own options, because
//! they measure this computer: [`mod@page`] in real browsers, the first build of a fresh clone ([`cold`]), and our
//! solver against textbook [`solvers`].
#![forbid(unsafe_code)]

mod arguments;
mod cold;
mod cycles;
mod error;
mod figure;
mod latency;
mod page;
mod power;
mod recorded;
mod report;
mod scanning;
mod sizes;
mod solvers;
mod speed;
mod statistics;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::Mutex;
use std::time::Instant;
use std::{env, fs, io, thread};

use arguments::{Extent, HELP, Request};
use emulator::{Firmware, FlashCache, Handheld, Options};
use error::MeasureError;
use figure::Figure;
use flash_image::Chip;
use latency::Rhythm;
use lexopt::Parser;
use player::{Dice, Player};
use recorded::Record;

/// Exit code: a figure is above its limit or worse than recorded.
const FAILED: u8 = 1;
/// Exit code: something could not be measured.
const NOT_MEASURED: u8 = 2;
/// Number of measurements that run at the same time.
const WORKERS: usize = 2;

fn main() -> ExitCode {
    let result = match arguments::parse(Parser::from_env()) {
        Ok(Request::Help) => {
            print!("{HELP}");
            Ok(true)
        }
        Ok(Request::Build) => build().map(|_| true),
        Ok(Request::Page) => page::run(),
        Ok(Request::Cold) => cold::run(),
        Ok(Request::Solvers { json }) => solvers::run(json, &setup::root()),
        Ok(Request::Measure { json, record, extent, elf }) => measure(json, record, extent, elf),
        Err(error) => return setup::report_usage_error("cargo measure", error),
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(FAILED),
        Err(error) => {
            eprintln!("\n{error}");
            ExitCode::from(NOT_MEASURED)
        }
    }
}

/// Measures the firmware of each chip and the size of the page. Returns whether no figure fails.
fn measure(json: bool, record: bool, extent: Extent, elf: Option<PathBuf>) -> Result<bool, MeasureError> {
    let began = Instant::now();
    // Before the build: a commit may follow during the measurement.
    let revision = revision();
    let is_built = elf.is_none();
    let paths = match elf {
        Some(path) => vec![path],
        None if json => build_quietly()?,
        None => build()?,
    };
    // The page before the firmware: its build takes all cores.
    let page = match is_built {
        true => page::built_sizes(|line| if json { eprintln!("{line}") } else { println!("{line}") })?,
        false => Vec::new(),
    };
    let mut measured = Vec::new();
    for path in paths {
        let elf = fs::read(&path).map_err(|error| about(&path, &error))?;
        let firmware = Firmware::from_elf(&elf).map_err(|error| about(&path, &error))?;
        measured.push((firmware.chip(), all_figures(&firmware, &elf, extent)?));
    }

    let recorded = recorded_figures(record.then_some((revision.as_str(), &measured[..])))?;
    let mut judged: Vec<_> =
        measured.into_iter().flat_map(|(chip, figures)| report::judge(chip, figures, &recorded)).collect();
    let is_good = report::is_all_good(&judged) && report::is_all_good(&page);
    if json {
        judged.extend(page);
        print!("{}", report::json(&judged, &recorded, &revision));
    } else {
        println!("\n{}", report::table(&judged, &recorded));
        if !page.is_empty() {
            println!("{}", report::plain_table(&page));
        }
        let verdict = if is_good { "All figures are good." } else { "Some figures FAIL, see above." };
        println!("{verdict} Measured in {:.0} s.", began.elapsed().as_secs_f32());
    }
    Ok(is_good)
}

/// The figures of a chip.
type ChipFigures = (Chip, Vec<Figure>);

/// The recorded figures. New ones, with their revision, are written to the file first.
fn recorded_figures(new: Option<(&str, &[ChipFigures])>) -> Result<Record, MeasureError> {
    let path = setup::root().join("host-tests/measure/recorded.toml");
    let mut record = match fs::read_to_string(&path) {
        Ok(text) => Record::read(&text).map_err(|error| about(&path, &error))?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => Record::default(),
        Err(error) => return Err(about(&path, &error)),
    };
    if let Some((revision, measured)) = new {
        revision.clone_into(&mut record.revision);
        measured.iter().for_each(|(chip, figures)| record.replace(*chip, figures));
        let text = record.write().map_err(|error| about(&path, &error))?;
        fs::write(&path, text).map_err(|error| about(&path, &error))?;
    }
    Ok(record)
}

fn about(path: &Path, error: &impl std::fmt::Display) -> MeasureError {
    MeasureError(format!("{}: {error}", path.display()))
}

/// Builds the firmware for each chip, with progress on standard output.
fn build() -> Result<Vec<PathBuf>, MeasureError> {
    Ok(setup::build_all_firmware(setup::FIRMWARE_STEPS)?)
}

/// Builds the firmware with progress on standard error, in a separate process.
fn build_quietly() -> Result<Vec<PathBuf>, MeasureError> {
    let failed = |error: io::Error| MeasureError(format!("the build could not be started: {error}"));
    let program = env::current_exe().map_err(failed)?;
    let status = Command::new(program).arg("--build").stdout(Stdio::from(io::stderr())).status().map_err(failed)?;
    if !status.success() {
        return Err(MeasureError("the firmware could not be built, see above".to_owned()));
    }
    Ok(setup::firmware_paths()?)
}

/// The revision of the working tree, marked if there are changes that are not committed.
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

/// The most realistic model: with the flash cache, and this cost of a cache miss.
fn realistic(miss_cycles: u32) -> Options {
    Options { flash_cache: Some(FlashCache { miss_cycles }), ..Options::default() }
}

/// The cost of a cache miss, at least: on the RP2040 56 cycles of quad transfer, and overhead.
const MISS_CYCLES: u32 = 60;
/// The cost of a cache miss with a slower flash chip.
const SLOW_MISS_CYCLES: u32 = 100;

/// Cycles of the system clock in a microsecond.
fn cycles_per_us(chip: Chip) -> f64 {
    match chip {
        Chip::Rp2040 => 125.0,
        Chip::Rp2350 => 150.0,
    }
}

/// A player with a handheld that has just been switched on.
fn switched_on(firmware: &Firmware, options: Options) -> Player<Handheld> {
    Player::new(Handheld::power_on(firmware, options))
}

/// A player with a handheld that has finished the greeting.
fn greeted(firmware: &Firmware, options: Options) -> Player<Handheld> {
    let mut player = switched_on(firmware, options);
    player.wait_for_greeting();
    player
}

/// The random choices of a measurement. Each measurement has its own stream.
fn dice(stream: u64) -> Dice {
    Dice::new(1995, stream)
}

/// The result of a measurement: figures, and the lowest stack pointer, or `u32::MAX` if it was not observed.
type Outcome = Result<(Vec<Figure>, u32), MeasureError>;
type Measurement = fn(&Firmware, Extent) -> Outcome;

/// All measurements, in the order of the table.
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
    |firmware, _| Ok((power::states(firmware)?, u32::MAX)),
    |firmware, _| Ok((power::battery(firmware)?, u32::MAX)),
    |firmware, _| scanning::scans(firmware),
    |firmware, _| Ok((Vec::new(), scanning::soak(firmware)?)),
];

fn in_rhythm(firmware: &Firmware, rhythm: usize, extent: Extent) -> Outcome {
    Ok((latency::in_rhythm(firmware, Rhythm::ALL[rhythm], extent)?, u32::MAX))
}

/// Runs all measurements on [`WORKERS`] threads. The speed of the emulator comes first, while nothing else runs.
fn all_figures(firmware: &Firmware, elf: &[u8], extent: Extent) -> Result<Vec<Figure>, MeasureError> {
    let speed = speed::figures(firmware)?;
    let queue = Mutex::new(0..MEASUREMENTS.len());
    let outcomes: Mutex<[Option<Outcome>; MEASUREMENTS.len()]> = Mutex::new([const { None }; MEASUREMENTS.len()]);
    // A panic of a worker ends the program when the scope ends, so a poisoned lock is never used.
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
