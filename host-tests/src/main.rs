//! `cargo host-tests`: runs every test of the project. Only rustup's host toolchain has to be installed.
//!
//! The crate `setup` installs the target of each chip and builds the firmware. Then all test programs of the workspace
//! run on this computer, with the paths of the firmware in `LIGHTS_OUT_ELF` and `LIGHTS_OUT_PICO2_ELF` for tests that
//! boot it. At the same time Node.js runs the tests of the web [`page`], which a [`Server`] serves. The output of the
//! test programs is printed, and their results are added up ([`tally`]). Tests that need a missing program are counted
//! as skipped.
#![forbid(unsafe_code)]

mod arguments;
mod page;
mod programs;
mod tally;

use std::io::{self, IsTerminal, Read, Write};
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;
use std::{env, thread};

use arguments::{Arguments, HELP, Request};
use lexopt::Parser;
use page::{PageTests, Program};
use programs::TestProgram;
use setup::progress::Step;
use setup::{FIRMWARE_STEPS, Server, SetupError};
use tally::Tally;

/// The environment variables with the path of the firmware for each chip.
const ELF_VARIABLES: [&str; 2] = ["LIGHTS_OUT_ELF", "LIGHTS_OUT_PICO2_ELF"];
const STEPS: usize = FIRMWARE_STEPS + 3;

fn main() -> ExitCode {
    match arguments::parse(Parser::from_env()) {
        Err(error) => setup::report_usage_error("cargo host-tests", error),
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

/// Builds and runs everything. Returns whether no test failed.
fn run(arguments: &Arguments) -> Result<bool, SetupError> {
    let started = Instant::now();
    let elf_files: Vec<_> = ELF_VARIABLES.into_iter().zip(setup::build_all_firmware(STEPS)?).collect();
    let step = Step::new(FIRMWARE_STEPS + 1, STEPS, "tests");
    step.report("building");
    let rust = TestProgram::build_all(cargo_test(&elf_files))?;
    step.done("built");
    let (_server, programs) = prepare_page(arguments)?;

    let step = Step::new(STEPS, STEPS, "tests");
    step.report("running");
    let (tally, is_success) = run_tests(&rust, &programs, arguments, &elf_files)?;
    println!();
    step.done(if is_success { "finished" } else { "FAILED" });
    if !is_success && tally.failed == 0 {
        println!("Not every test ran: a test program ended early. See above.");
    }
    Ok(report(&tally, &programs, arguments, started) && is_success)
}

/// Builds and serves the page, and prepares its tests. Nothing is built if no test of the page is selected.
fn prepare_page(arguments: &Arguments) -> Result<(Option<Server>, Vec<Program>), SetupError> {
    let page_tests = if arguments.for_test_programs.is_empty() {
        PageTests::find(&arguments.filters).map_err(failed)?
    } else {
        // The arguments after `--` are for Rust's test programs.
        PageTests::default()
    };
    if page_tests.is_empty() {
        return Ok((None, Vec::new()));
    }
    let step = Step::new(FIRMWARE_STEPS + 2, STEPS, "page");
    step.report("building, and starting its server");
    let server = Server::start(|line| step.report(line))?;
    let programs = page_tests.programs(&server.address, &step)?;
    step.done("served");
    Ok((Some(server), programs))
}

/// Prints the counts. Returns whether the run is a success.
fn report(tally: &Tally, programs: &[Program], arguments: &Arguments, started: Instant) -> bool {
    for program in programs {
        if let Some(reason) = &program.missing {
            println!("SKIPPED {} tests: each {reason}", program.tests);
        }
    }
    // On a CI computer everything has to be installed.
    let are_skips_failures = env::var("CI").as_deref() == Ok("true") && tally.skipped > 0;
    if are_skips_failures {
        println!("CI is true, so no test may be skipped.");
    }
    let is_selection = arguments.is_selection();
    if tally.is_empty() {
        println!("{}", if is_selection { "No test matches the filters." } else { "No test was found." });
    }
    println!("{} skipped, {} ignored, {:.0} s in total", tally.skipped, tally.ignored, started.elapsed().as_secs_f32());
    println!("{} passed, {} failed", tally.passed, tally.failed);
    tally.failed == 0 && !are_skips_failures && (!tally.is_empty() || is_selection)
}

/// Runs all test programs. Returns the results, and whether all exit codes are 0: they are not if a program was killed.
fn run_tests(
    rust: &[TestProgram],
    programs: &[Program],
    arguments: &Arguments,
    elf_files: &[(&str, PathBuf)],
) -> Result<(Tally, bool), SetupError> {
    let with_arguments = |mut command: Command| {
        command.args(&arguments.filters).args(&arguments.for_test_programs);
        // The test programs write into a pipe and would switch colours off.
        if io::stdout().is_terminal() {
            command.arg("--color=always");
        }
        command
    };
    let start = |program: &TestProgram| {
        let mut command = with_arguments(program.command());
        command.envs(elf_files.iter().map(|(variable, elf)| (variable, elf)));
        command
    };
    // The large program runs at the same time as the small ones, which run one after the other.
    let (large, small): (Vec<_>, Vec<_>) = rust.iter().partition(|program| program.name == SUITE);
    let mut streams: Vec<(Vec<Command>, Show)> = vec![
        (large.into_iter().map(start).collect(), Show::Immediately),
        (small.into_iter().map(start).collect(), Show::AtTheEnd),
    ];
    // Examples in documentation take seconds to build, and filters rarely name one.
    if !arguments.is_selection() {
        let mut examples = cargo_test(elf_files);
        examples.args(["--doc", "--"]);
        streams[1].0.push(with_arguments(examples));
    }
    let nodes = programs.iter().filter(|program| program.missing.is_none());
    streams.extend(nodes.map(|program| (vec![program.node()], Show::AtTheEnd)));
    let (mut tally, is_success) = run_streams(streams)?;
    let skipped = programs.iter().filter(|program| program.missing.is_some());
    tally.skipped += skipped.map(|program| program.tests).sum::<u64>();
    Ok((tally, is_success))
}

/// Runs each list of test programs in its own thread.
fn run_streams(streams: Vec<(Vec<Command>, Show)>) -> Result<(Tally, bool), SetupError> {
    let (mut tally, mut is_success) = (Tally::default(), true);
    thread::scope(|scope| {
        let threads: Vec<_> =
            streams.into_iter().map(|(commands, show)| scope.spawn(move || run_all(commands, show))).collect();
        for thread in threads {
            // A panic would be a fault of this program.
            let (results, is_zero) = thread.join().expect("no panic")?;
            tally.add(&results);
            is_success &= is_zero;
        }
        Ok((tally, is_success))
    })
}

/// The test program with most of the tests.
const SUITE: &str = "suite";

/// `cargo test` for the whole workspace, on this computer.
fn cargo_test(elf_files: &[(&str, PathBuf)]) -> Command {
    let mut cargo = setup::cargo();
    cargo.args(["test", "--profile", "host", "--target", "host-tuple", "--workspace", "--no-fail-fast"]);
    cargo.envs(elf_files.iter().map(|(variable, elf)| (variable, elf))).stdin(Stdio::null());
    cargo
}

fn failed(error: io::Error) -> SetupError {
    SetupError::CannotRun { program: "a test program".into(), reason: error.to_string() }
}

/// When the output of a test program is printed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Show {
    Immediately,
    AtTheEnd,
}

/// Runs test programs, one after the other. Returns the results, and whether all exit codes are 0.
fn run_all(commands: Vec<Command>, show: Show) -> Result<(Tally, bool), SetupError> {
    let (mut tally, mut is_success) = (Tally::default(), true);
    for command in commands {
        let (results, is_zero) = run_program(command, show)?;
        tally.add(&results);
        is_success &= is_zero;
    }
    Ok((tally, is_success))
}

/// Runs a test program. Returns its results, and whether its exit code is 0.
fn run_program(mut program: Command, show: Show) -> Result<(Tally, bool), SetupError> {
    if show == Show::AtTheEnd {
        program.stderr(Stdio::null());
    }
    let mut child = program.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().map_err(failed)?;
    let (mut tally, mut output) = (Tally::default(), Vec::new());
    if let Some(mut pipe) = child.stdout.take() {
        // In chunks, not in lines: the name of a test that takes minutes is printed before its result.
        let mut chunk = [0; 4096];
        loop {
            let length = match pipe.read(&mut chunk) {
                Ok(0) => break,
                Ok(length) => length,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(failed(error)),
            };
            tally.read(&chunk[..length]);
            match show {
                Show::Immediately => print(&chunk[..length]),
                Show::AtTheEnd => output.extend_from_slice(&chunk[..length]),
            }
        }
    }
    let status = child.wait().map_err(failed)?;
    // A program without a matching test prints nothing.
    if !tally.is_empty() || !status.success() {
        print(&output);
    }
    Ok((tally, status.success()))
}

/// Prints to standard output. A closed pipe does not end the tests: the exit code has the result too.
fn print(bytes: &[u8]) {
    let mut out = io::stdout().lock();
    let _ = out.write_all(bytes).and_then(|()| out.flush());
}
