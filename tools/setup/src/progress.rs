//! One line for each thing that happens: `[1/3] thumb target: present`.
//!
//! The lines go to standard output at once, also where that is a file, so that a log of a machine that hangs says where.

use std::io::{self, Write};
use std::time::{Duration, Instant};

/// Below this a step's time is of no interest.
const WORTH_TELLING: Duration = Duration::from_secs(2);

/// One step of a program that has several.
#[derive(Debug)]
pub struct Step {
    prefix: String,
    started: Instant,
}

impl Step {
    /// Step `number` of `total`, and its clock starts. Nothing is printed yet.
    pub fn new(number: usize, total: usize, name: &str) -> Self {
        Self { prefix: format!("[{number}/{total}] {name}"), started: Instant::now() }
    }

    /// Says what is happening now.
    pub fn say(&self, text: &str) {
        print_now(&format!("{}: {text}", self.prefix));
    }

    /// Says how it ended, and how long the step took if that was long.
    pub fn done(&self, text: &str) {
        self.say(&with_time(text, self.started.elapsed()));
    }
}

fn with_time(text: &str, elapsed: Duration) -> String {
    if elapsed < WORTH_TELLING { text.to_owned() } else { format!("{text} ({:.1} s)", elapsed.as_secs_f32()) }
}

/// A reader that has gone away (`| head`) is no reason to stop the work.
fn print_now(line: &str) {
    let mut out = io::stdout().lock();
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_long_steps_tell_their_time() {
        assert_eq!(with_time("present", Duration::from_millis(30)), "present");
        assert_eq!(with_time("built", Duration::from_millis(62_340)), "built (62.3 s)");
    }
}
