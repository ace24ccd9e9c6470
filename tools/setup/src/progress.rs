//! Progress reports, one line for each event: `[1/3] Pico target: present`.
//!
//! Each line is flushed to standard output at once, even if that is a file, so that the log of a program that hangs
//! shows where.

use std::io::{self, Write};
use std::time::{Duration, Instant};

/// The duration of a step is reported from this time on.
const SHORTEST_REPORTED: Duration = Duration::from_secs(2);

/// One step of a program that has several.
#[derive(Debug)]
pub struct Step {
    prefix: String,
    started: Instant,
}

impl Step {
    /// Starts the clock of step `number` of `total`. Prints nothing.
    pub fn new(number: usize, total: usize, name: &str) -> Self {
        Self { prefix: format!("[{number}/{total}] {name}"), started: Instant::now() }
    }

    /// Reports what is happening now.
    pub fn report(&self, text: &str) {
        print_now(&format!("{}: {text}", self.prefix));
    }

    /// Reports the result of the step, and its duration unless it was short.
    pub fn done(&self, text: &str) {
        self.report(&with_time(text, self.started.elapsed()));
    }
}

fn with_time(text: &str, elapsed: Duration) -> String {
    if elapsed < SHORTEST_REPORTED { text.to_owned() } else { format!("{text} ({:.1} s)", elapsed.as_secs_f32()) }
}

/// Prints a line. An error is ignored: the work continues if the reader of a pipe (`| head`) has ended.
fn print_now(line: &str) {
    let mut out = io::stdout().lock();
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_long_steps_report_their_duration() {
        assert_eq!(with_time("present", Duration::from_millis(30)), "present");
        assert_eq!(with_time("built", Duration::from_millis(62_340)), "built (62.3 s)");
    }
}
