//! `cargo host-tests`: everything from a bare host toolchain to a line that counts all tests.
//!
//! For each chip its target is made sure of, and the firmware is built, by the crate `setup`. Then cargo runs every test of the
//! workspace on this computer, with the paths of the firmware in `LIGHTS_OUT_ELF` and `LIGHTS_OUT_PICO2_ELF` for those that boot
//! it. Cargo's output passes through as it comes; on its way the results of the test programs are added up
//! ([`tally`]), because cargo itself gives one result for each and none for all. A test that lacks something on this
//! computer tells so in a file ([`setup::skipped`]), and is counted as skipped, not as passed.
#![forbid(unsafe_code)]

mod arguments;
mod tally;

use std::io::{self, IsTerminal, Read, Write};
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};
use std::thread;
use std::time::Instant;

use arguments::{Arguments, HELP, Request};
use lexopt::Parser;
use setup::progress::Step;
use setup::skipped::{self, Skips};
use setup::{FIRMWARE_STEPS, SetupError};
use tally::Tally;

/// Where tests find the firmware of each chip.
const ELF_VARIABLES: [&str; 2] = ["LIGHTS_OUT_ELF", "LIGHTS_OUT_PICO2_ELF"];
const STEPS: usize = FIRMWARE_STEPS + 1;

fn main() -> ExitCode {
    match arguments::parse(Parser::from_env()) {
        Err(error) => setup::misused("cargo host-tests", error),
        Ok(Request::Help) => {
            print!("{HELP}");
            ExitCode::SUCCESS
        }
        Ok(Request::Run(arguments)) => match run(&arguments) {
            Ok(true) => ExitCode::SUCCESS,
            Ok(false) => ExitCode::FAILURE,
            Err(error) => {
                eprintln!("\n{error}");
                ExitCode::FAILURE
            }
        },
    }
}

/// Whether all is well.
fn run(arguments: &Arguments) -> Result<bool, SetupError> {
    let started = Instant::now();
    let elves: Vec<_> = ELF_VARIABLES.into_iter().zip(setup::build_all_firmware(STEPS)?).collect();
    let step = Step::new(STEPS, STEPS, "tests");
    step.say("building and running");
    let folder = setup::target_directory()?;
    let about_skips = |error: io::Error| SetupError::File { path: folder.clone(), reason: error.to_string() };
    let skips = Skips::new(&folder).map_err(about_skips)?;
    let (mut tally, cargo_content) = run_tests(arguments, &elves, &skips)?;
    let reasons = skips.reasons().map_err(about_skips)?;
    tally.set_skipped(reasons.values().sum());

    println!();
    step.done(if cargo_content { "finished" } else { "FAILED" });
    if !cargo_content && tally.failed == 0 {
        println!("Not every test ran: a test program could not be built, or it stopped early. See above.");
    }
    for (reason, count) in &reasons {
        println!("SKIPPED, {count} of the tests: {reason}");
    }
    let nothing_ran = tally.passed + tally.failed + tally.skipped == 0;
    if nothing_ran {
        println!("{}", if arguments.select() { "No test has such a name." } else { "No test was found." });
    }
    println!("{} skipped, {} ignored, {:.0} s in all", tally.skipped, tally.ignored, started.elapsed().as_secs_f32());
    println!("{} passed, {} failed", tally.passed, tally.failed);
    Ok(cargo_content && tally.failed == 0 && (!nothing_ran || arguments.select()))
}

/// The results, and whether cargo itself is content: it is not if something did not compile or was killed.
fn run_tests(arguments: &Arguments, elves: &[(&str, PathBuf)], skips: &Skips) -> Result<(Tally, bool), SetupError> {
    let tests = &Tests { arguments, elves, skips };
    if arguments.select() {
        return tests.run(tests.cargo(&["--workspace"]), &[], Show::AsItComes);
    }
    // The tests in a browser mostly wait, and take turns: so those in each browser go their own way, beside all others. Those step
    // back when a browser wants the processor, because it is judged by how fast it is.
    let built = tests.cargo(&["--workspace", "--no-run"]).status().map_err(failed)?;
    if !built.success() {
        return Ok((Tally::default(), false));
    }
    let in_browser = |other| {
        let words = [BROWSER, ONE_AT_A_TIME, "--skip", other];
        tests.run(tests.cargo(&["--package", SUITE.0, "--test", SUITE.1]), &words, Show::AtTheEnd)
    };
    thread::scope(|scope| {
        // First what takes longest: cargo looks whether all is built, one call after the other.
        let suite = nice(tests.cargo(&["--package", SUITE.0, "--test", SUITE.1]));
        let suite = scope.spawn(move || tests.run(suite, &["--skip", BROWSER], Show::AsItComes));
        let [chromium, firefox] = BROWSERS.map(|other| scope.spawn(move || in_browser(other)));
        // Small programs, one after the other: soon, for at the end they would leave a core idle.
        let small = |what: &'static [&str]| scope.spawn(move || tests.run(tests.cargo(what), &[], Show::AtTheEnd));
        let [small, ours] = [small(&["--workspace", "--exclude", SUITE.0]), small(&["--package", SUITE.0, "--bins"])];
        let (mut tally, mut content) = (Tally::default(), true);
        for stream in [suite, chromium, firefox, small, ours] {
            // It panics only if we did something wrong.
            let (its, is_content) = stream.join().expect("no panic")?;
            tally.add(&its);
            content &= is_content;
        }
        Ok((tally, content))
    })
}

/// The package and the program with most of the tests.
const SUITE: (&str, &str) = ("host-tests", "suite");
/// The tests that open the web page.
const BROWSER: &str = "browser::";
/// How those in each browser are told from those in the other.
const BROWSERS: [&str; 2] = ["::chromium::", "::firefox::"];
const ONE_AT_A_TIME: &str = "--test-threads=1";

fn failed(error: io::Error) -> SetupError {
    SetupError::CannotRun { program: "cargo test".into(), reason: error.to_string() }
}

/// The same command, with a lower claim to the processor, where that can be had.
fn nice(command: Command) -> Command {
    if !cfg!(unix) {
        return command;
    }
    let mut nice = Command::new("nice");
    nice.arg("-n10").arg(command.get_program()).args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => nice.env(name, value),
            None => nice.env_remove(name),
        };
    }
    if let Some(folder) = command.get_current_dir() {
        nice.current_dir(folder);
    }
    nice
}

/// When the output of tests is shown.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Show {
    AsItComes,
    AtTheEnd,
}

/// What all calls of cargo have in common.
struct Tests<'a> {
    arguments: &'a Arguments,
    /// The firmware of each chip, and the variable by which tests find it.
    elves: &'a [(&'a str, PathBuf)],
    skips: &'a Skips,
}

impl Tests<'_> {
    fn cargo(&self, what: &[&str]) -> Command {
        let mut cargo = setup::cargo();
        cargo.args(["test", "--profile", "host", "--target", "host-tuple", "--no-fail-fast"]).args(what);
        cargo.envs(self.elves.iter().map(|(variable, elf)| (variable, elf)));
        cargo.env(skipped::VARIABLE, self.skips.path()).stdin(Stdio::null());
        cargo
    }

    fn run(&self, mut cargo: Command, words: &[&str], show: Show) -> Result<(Tally, bool), SetupError> {
        cargo.arg("--").args(words).args(&self.arguments.filters).args(&self.arguments.for_test_programs);
        // The test programs write into our pipe and would think that nobody sees colours.
        if io::stdout().is_terminal() {
            cargo.arg("--color=always");
        }
        if show == Show::AtTheEnd {
            cargo.stderr(Stdio::null());
        }
        let mut child = cargo.stdout(Stdio::piped()).spawn().map_err(failed)?;
        let (mut tally, mut kept) = (Tally::default(), Vec::new());
        if let Some(mut output) = child.stdout.take() {
            // In pieces, not in lines: the name of a test that takes minutes should be seen before its result.
            let mut piece = [0; 4096];
            loop {
                let length = match output.read(&mut piece) {
                    Ok(0) => break,
                    Ok(length) => length,
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                    Err(error) => return Err(failed(error)),
                };
                tally.read(&piece[..length]);
                match show {
                    Show::AsItComes => print(&piece[..length]),
                    Show::AtTheEnd => kept.extend_from_slice(&piece[..length]),
                }
            }
        }
        let status = child.wait().map_err(failed)?;
        print(&kept);
        Ok((tally, status.success()))
    }
}

/// A reader that has gone away does not end the tests: their result is also the exit code.
fn print(bytes: &[u8]) {
    let mut out = io::stdout().lock();
    let _ = out.write_all(bytes).and_then(|()| out.flush());
}
