//! Starts other programs, with a limit on their time where they might wait for ever.

use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::SetupError;
use crate::progress::Step;

/// How often a running program is looked at.
const GLANCE: Duration = Duration::from_millis(100);
/// How often the reader is told that it still runs.
const STILL_RUNNING: Duration = Duration::from_secs(15);

/// How a watched program ended.
#[derive(Debug, PartialEq, Eq)]
pub enum Ending {
    /// It says that it succeeded.
    Success,
    /// It says that it failed.
    Failure,
    /// It was stopped after this time.
    Stopped(Duration),
}

/// What a program prints, if it starts and succeeds.
pub fn answer(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Runs a program to its end; the reader sees what it prints.
pub fn status(command: &mut Command) -> Result<ExitStatus, SetupError> {
    command.stdin(Stdio::null()).status().map_err(|error| cannot_run(command, &error))
}

/// Runs a program with a line of progress now and then, and stops it at the limit if there is one.
pub fn watched(command: &mut Command, limit: Option<Duration>, step: &Step) -> Result<Ending, SetupError> {
    let mut child = command.stdin(Stdio::null()).spawn().map_err(|error| cannot_run(command, &error))?;
    let started = Instant::now();
    let mut next_word = STILL_RUNNING;
    loop {
        if let Some(status) = child.try_wait().map_err(|error| cannot_run(command, &error))? {
            return Ok(if status.success() { Ending::Success } else { Ending::Failure });
        }
        let elapsed = started.elapsed();
        if limit.is_some_and(|limit| elapsed >= limit) {
            stop(&mut child);
            return Ok(Ending::Stopped(elapsed));
        }
        if elapsed >= next_word {
            step.say(&format!("still at it after {} s", next_word.as_secs()));
            next_word += STILL_RUNNING;
        }
        thread::sleep(GLANCE);
    }
}

/// Both calls fail only for a child that has just ended by itself, which is as good.
fn stop(child: &mut Child) {
    let _ = child.kill();
    let _ = child.wait();
}

fn cannot_run(command: &Command, error: &std::io::Error) -> SetupError {
    SetupError::CannotRun { program: command.get_program().to_string_lossy().into_owned(), reason: error.to_string() }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn step() -> Step {
        Step::new(1, 1, "test")
    }

    #[test]
    fn a_program_that_hangs_is_stopped() {
        let limit = Duration::from_millis(300);
        // Longer than anybody waits: only a program that was stopped lets the test go on.
        let ending = watched(Command::new("sleep").arg("1000000"), Some(limit), &step()).unwrap();
        assert!(matches!(ending, Ending::Stopped(after) if after >= limit));
    }

    #[test]
    fn a_program_that_ends_says_how() {
        assert_eq!(watched(&mut Command::new("true"), None, &step()).unwrap(), Ending::Success);
        assert_eq!(watched(&mut Command::new("false"), None, &step()).unwrap(), Ending::Failure);
    }

    #[test]
    fn a_program_that_is_not_there_is_named() {
        let error = watched(&mut Command::new("no-such-program"), None, &step()).unwrap_err();
        assert!(error.to_string().contains("`no-such-program`"));
        assert_eq!(answer(&mut Command::new("no-such-program")), None);
    }
}
