//! `cargo host-tests`: everything from a bare host toolchain to a line that counts all tests.
//!
//! For each chip its target is made sure of, and the firmware is built, by the crate `setup`. Then cargo runs every test of the
//! workspace on this computer, with the paths of the firmware in `LIGHTS_OUT_ELF` and `LIGHTS_OUT_PICO2_ELF` for those that boot
//! it; beside it Node.js runs the tests of the web [`page`], which a [`Server`] hands out. All output passes through; on its way the
//! results of the test programs are added up ([`tally`]). Tests that lack something on this computer are counted as skipped.
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

/// Where tests find the firmware of each chip.
const ELF_VARIABLES: [&str; 2] = ["LIGHTS_OUT_ELF", "LIGHTS_OUT_PICO2_ELF"];
const STEPS: usize = FIRMWARE_STEPS + 3;

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
    let step = Step::new(FIRMWARE_STEPS + 1, STEPS, "tests");
    step.say("building");
    let rust = TestProgram::build_all(cargo_test(&elves))?;
    step.done("built");

    let page_tests = if arguments.for_test_programs.is_empty() {
        PageTests::find(&arguments.filters).map_err(failed)?
    } else {
        // What stands behind the dashes is for Rust's test programs.
        PageTests::default()
    };
    let step = Step::new(FIRMWARE_STEPS + 2, STEPS, "page");
    let (_server, programs) = if page_tests.is_empty() {
        (None, Vec::new())
    } else {
        step.say("building, and starting its server");
        let server = Server::start(|line| step.say(line))?;
        let programs = page_tests.programs(&server.address, &step)?;
        step.done("served");
        (Some(server), programs)
    };

    let step = Step::new(STEPS, STEPS, "tests");
    step.say("running");
    let (tally, content) = run_tests(&rust, &programs, arguments, &elves)?;
    println!();
    step.done(if content { "finished" } else { "FAILED" });
    if !content && tally.failed == 0 {
        println!("Not every test ran: a test program stopped early. See above.");
    }
    for program in &programs {
        if let Some(reason) = &program.missing {
            println!("SKIPPED, {} of the tests: {reason}", program.tests);
        }
    }
    // A computer that is there to test lacks nothing.
    let skips_are_failures = env::var("CI").as_deref() == Ok("true") && tally.skipped > 0;
    if skips_are_failures {
        println!("CI is true, so no test may be skipped.");
    }
    let nothing_ran = tally.is_empty();
    if nothing_ran {
        println!("{}", if arguments.select() { "No test has such a name." } else { "No test was found." });
    }
    println!("{} skipped, {} ignored, {:.0} s in all", tally.skipped, tally.ignored, started.elapsed().as_secs_f32());
    println!("{} passed, {} failed", tally.passed, tally.failed);
    Ok(content && tally.failed == 0 && !skips_are_failures && (!nothing_ran || arguments.select()))
}

/// The results, and whether the programs themselves are content: one is not if it was killed.
fn run_tests(
    rust: &[TestProgram],
    programs: &[Program],
    arguments: &Arguments,
    elves: &[(&str, PathBuf)],
) -> Result<(Tally, bool), SetupError> {
    let with_words = |mut command: Command| {
        command.args(&arguments.filters).args(&arguments.for_test_programs);
        // The test programs write into our pipe and would think that nobody sees colours.
        if io::stdout().is_terminal() {
            command.arg("--color=always");
        }
        command
    };
    let start = |program: &TestProgram| {
        let mut command = with_words(program.command());
        command.envs(elves.iter().map(|(variable, elf)| (variable, elf)));
        command
    };
    // The large one on its own, the small ones one after the other.
    let (large, small): (Vec<_>, Vec<_>) = rust.iter().partition(|program| program.name == SUITE);
    let mut streams: Vec<(Vec<Command>, Show)> = vec![
        (large.into_iter().map(start).collect(), Show::AsItComes),
        (small.into_iter().map(start).collect(), Show::AtTheEnd),
    ];
    // Examples in documentation take seconds to build, and nobody looks for one by its name.
    if !arguments.select() {
        let mut examples = cargo_test(elves);
        examples.args(["--doc", "--"]);
        streams[1].0.push(with_words(examples));
    }
    let nodes = programs.iter().filter(|program| program.missing.is_none());
    streams.extend(nodes.map(|program| (vec![program.node()], Show::AtTheEnd)));

    let (mut tally, mut content) = (Tally::default(), true);
    thread::scope(|scope| {
        let streams: Vec<_> =
            streams.into_iter().map(|(commands, show)| scope.spawn(move || run_all(commands, show))).collect();
        for stream in streams {
            // It panics only if we did something wrong.
            let (its, is_content) = stream.join().expect("no panic")?;
            tally.add(&its);
            content &= is_content;
        }
        Ok(())
    })?;
    tally.skipped +=
        programs.iter().filter(|program| program.missing.is_some()).map(|program| program.tests).sum::<u64>();
    Ok((tally, content))
}

/// The program with most of the tests.
const SUITE: &str = "suite";

/// `cargo test` for the whole workspace on this computer.
fn cargo_test(elves: &[(&str, PathBuf)]) -> Command {
    let mut cargo = setup::cargo();
    cargo.args(["test", "--profile", "host", "--target", "host-tuple", "--workspace", "--no-fail-fast"]);
    cargo.envs(elves.iter().map(|(variable, elf)| (variable, elf))).stdin(Stdio::null());
    cargo
}

fn failed(error: io::Error) -> SetupError {
    SetupError::CannotRun { program: "a test program".into(), reason: error.to_string() }
}

/// When the output of tests is shown.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Show {
    AsItComes,
    AtTheEnd,
}

/// Runs test programs, one after the other; gives what they counted, and whether all are content.
fn run_all(commands: Vec<Command>, show: Show) -> Result<(Tally, bool), SetupError> {
    let (mut tally, mut content) = (Tally::default(), true);
    for command in commands {
        let (its, is_content) = run_program(command, show)?;
        tally.add(&its);
        content &= is_content;
    }
    Ok((tally, content))
}

/// Runs a test program; gives what it counted, and whether it is content.
fn run_program(mut program: Command, show: Show) -> Result<(Tally, bool), SetupError> {
    if show == Show::AtTheEnd {
        program.stderr(Stdio::null());
    }
    let mut child = program.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().map_err(failed)?;
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
    // Of a program that has no such test, nothing is shown.
    if !tally.is_empty() || !status.success() {
        print(&kept);
    }
    Ok((tally, status.success()))
}

/// A reader that has gone away does not end the tests: their result is also the exit code.
fn print(bytes: &[u8]) {
    let mut out = io::stdout().lock();
    let _ = out.write_all(bytes).and_then(|()| out.flush());
}
