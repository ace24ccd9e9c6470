//! Runs other programs, with a time limit for those that may hang.

use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::SetupError;
use crate::progress::Step;

/// How often a running program is checked.
const POLL_INTERVAL: Duration = Duration::from_millis(100);
/// How often a line reports that the program is still running.
const REPORT_INTERVAL: Duration = Duration::from_secs(15);

/// How a program that [`run_with_limit`] started has ended.
#[derive(Debug, PartialEq, Eq)]
pub enum Ending {
    /// Its exit code is 0.
    Success,
    /// Its exit code is not 0.
    Failure,
    /// It reached the time limit, and was stopped after this time.
    Stopped(Duration),
}

/// The standard output of a program, or `None` if it does not start or does not succeed.
pub(crate) fn output_of(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Runs a program to its end. Its output goes to the screen.
pub(crate) fn status(command: &mut Command) -> Result<ExitStatus, SetupError> {
    command.stdin(Stdio::null()).status().map_err(|error| cannot_run(command, &error))
}

/// Runs a program, reports at intervals that it is still running, and stops it at the time limit if there is one.
pub fn run_with_limit(command: &mut Command, limit: Option<Duration>, step: &Step) -> Result<Ending, SetupError> {
    let mut child = command.stdin(Stdio::null()).spawn().map_err(|error| cannot_run(command, &error))?;
    let started = Instant::now();
    let mut next_report = REPORT_INTERVAL;
    loop {
        if let Some(status) = child.try_wait().map_err(|error| cannot_run(command, &error))? {
            return Ok(if status.success() { Ending::Success } else { Ending::Failure });
        }
        let elapsed = started.elapsed();
        if limit.is_some_and(|limit| elapsed >= limit) {
            stop(&mut child);
            return Ok(Ending::Stopped(elapsed));
        }
        if elapsed >= next_report {
            step.report(&format!("still running after {} s", next_report.as_secs()));
            next_report += REPORT_INTERVAL;
        }
        thread::sleep(POLL_INTERVAL);
    }
}

/// Stops a program. Both calls fail only if it has just ended by itself.
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
    fn hanging_program_is_stopped_at_limit() {
        let limit = Duration::from_millis(300);
        // Far longer than the limit: the test ends only if the program is stopped.
        let ending = run_with_limit(Command::new("sleep").arg("1000000"), Some(limit), &step()).unwrap();
        assert!(matches!(ending, Ending::Stopped(after) if after >= limit));
    }

    #[test]
    fn exit_code_decides_success_or_failure() {
        assert_eq!(run_with_limit(&mut Command::new("true"), None, &step()).unwrap(), Ending::Success);
        assert_eq!(run_with_limit(&mut Command::new("false"), None, &step()).unwrap(), Ending::Failure);
    }

    #[test]
    fn missing_program_is_named_in_the_error() {
        let error = run_with_limit(&mut Command::new("no-such-program"), None, &step()).unwrap_err();
        assert!(error.to_string().contains("`no-such-program`"));
        assert_eq!(output_of(&mut Command::new("no-such-program")), None);
    }
}
