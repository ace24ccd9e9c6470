//! `cargo host-tests`: everything from a bare host toolchain to a line that counts all tests.
//!
//! Three steps. The target of the chip is made sure of, and the firmware is built, by the crate `setup`. Then cargo runs
//! every test of the workspace on this computer, with the path of the firmware in `LIGHTS_OUT_ELF` for those that boot
//! it. Cargo's output passes through as it comes; on its way the results of the test programs are added up
//! ([`tally`]), because cargo itself gives one result for each and none for all.
#![forbid(unsafe_code)]

mod arguments;
mod tally;

use std::env;
use std::io::{self, IsTerminal, Read, Write};
use std::path::Path;
use std::process::{ExitCode, Stdio};
use std::time::Instant;

use arguments::{Arguments, HELP, Request};
use setup::progress::Step;
use setup::{SetupError, Target, Toolchain, build_firmware};
use tally::Tally;

/// Where tests find the firmware.
const ELF_VARIABLE: &str = "LIGHTS_OUT_ELF";
const STEPS: usize = 3;

fn main() -> ExitCode {
    match arguments::parse(env::args().skip(1)) {
        Request::Help => {
            print!("{HELP}");
            ExitCode::SUCCESS
        }
        Request::Run(arguments) => match run(&arguments) {
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
    let toolchain = Toolchain::for_target(Target::Thumb, &Step::new(1, STEPS, "thumb target"))?;
    let elf = build_firmware(&toolchain, &Step::new(2, STEPS, "firmware"))?;
    let step = Step::new(3, STEPS, "tests");
    step.say("building and running");
    let (tally, cargo_content) = run_tests(arguments, &elf)?;

    println!();
    step.done(if cargo_content { "finished" } else { "FAILED" });
    if !cargo_content && tally.failed == 0 {
        println!("Not every test ran: a test program could not be built, or it stopped early. See above.");
    }
    let nothing_ran = tally.passed + tally.failed == 0;
    if nothing_ran {
        println!("{}", if arguments.select() { "No test has such a name." } else { "No test was found." });
    }
    println!("{} ignored, {:.0} s in all", tally.ignored, started.elapsed().as_secs_f32());
    println!("{} passed, {} failed", tally.passed, tally.failed);
    Ok(cargo_content && tally.failed == 0 && (!nothing_ran || arguments.select()))
}

/// The results, and whether cargo itself is content: it is not if something did not compile or was killed.
fn run_tests(arguments: &Arguments, elf: &Path) -> Result<(Tally, bool), SetupError> {
    let mut cargo = setup::cargo();
    cargo
        .args(["test", "--profile", "host", "--target", "host-tuple", "--workspace", "--no-fail-fast", "--"])
        .args(&arguments.filters)
        .args(&arguments.for_test_programs)
        .env(ELF_VARIABLE, elf)
        .stdin(Stdio::null())
        .stdout(Stdio::piped());
    // The test programs write into our pipe and would think that nobody sees colours.
    if io::stdout().is_terminal() {
        cargo.arg("--color=always");
    }
    let failed = |error: io::Error| SetupError::CannotRun { program: "cargo test".into(), reason: error.to_string() };
    let mut child = cargo.spawn().map_err(failed)?;
    let mut tally = Tally::default();
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
            // A reader that has gone away does not end the tests: their result is also the exit code.
            let mut out = io::stdout().lock();
            let _ = out.write_all(&piece[..length]).and_then(|()| out.flush());
        }
    }
    let status = child.wait().map_err(failed)?;
    Ok((tally, status.success()))
}
