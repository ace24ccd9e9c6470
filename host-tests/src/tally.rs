//! The sum of the results of all test programs.
//!
//! A Rust test program ends with a line such as `test result: ok. 19 passed; 0 failed; 1 ignored; 0 measured; 0
//! filtered out`, in which the word after the colon may be coloured. Node's test runner ends with a line for each
//! count, such as `ℹ pass 19`. The output is read in chunks, which may end anywhere in a line. An incomplete line is
//! kept until the rest of it arrives.

/// The start of the line with the result of a Rust test program.
const RESULT: &str = "test result:";
/// The start of the lines with the results of Node's test runner, with the reporter `spec`.
const NODE_RESULT: &str = "ℹ ";

/// The counts so far.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    /// Tests that passed.
    pub(crate) passed: u64,
    /// Tests that failed.
    pub(crate) failed: u64,
    /// Tests that are marked as ignored.
    pub(crate) ignored: u64,
    /// Tests that need a missing program.
    pub(crate) skipped: u64,
    /// The start of a line whose end has not arrived.
    unfinished: Vec<u8>,
}

impl Tally {
    /// Adds the counts of another tally.
    pub(crate) fn add(&mut self, other: &Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.ignored += other.ignored;
        self.skipped += other.skipped;
    }

    /// Whether no test ran or was skipped.
    pub(crate) fn is_empty(&self) -> bool {
        self.passed + self.failed + self.skipped == 0
    }

    /// Reads the next chunk of output.
    pub(crate) fn read(&mut self, chunk: &[u8]) {
        for &byte in chunk {
            if byte == b'\n' {
                let line = std::mem::take(&mut self.unfinished);
                self.read_line(&String::from_utf8_lossy(&line));
            } else {
                self.unfinished.push(byte);
            }
        }
    }

    fn read_line(&mut self, line: &str) {
        if let Some(counts) = line.strip_prefix(RESULT) {
            self.passed += number_before(counts, " passed;");
            self.failed += number_before(counts, " failed;");
            self.ignored += number_before(counts, " ignored;");
        } else if let Some((name, count)) = line.strip_prefix(NODE_RESULT).and_then(|count| count.split_once(' ')) {
            let count = count.parse().unwrap_or(0);
            match name {
                "pass" => self.passed += count,
                "fail" | "cancelled" => self.failed += count,
                "skipped" => self.skipped += count,
                _ => {}
            }
        }
    }
}

fn number_before(text: &str, word: &str) -> u64 {
    text.split_once(word).and_then(|(before, _)| before.rsplit(' ').next()?.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTPUT: &str = "\
running 3 tests
test a ... ok
test result: ok. 2 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.30s

   Doc-tests setup
test result: \u{1b}[31mFAILED\u{1b}[m. 40 passed; 3 failed; 0 ignored; 0 measured; 7 filtered out; finished in 1s
a test prints: test result: ok. 100 passed; 100 failed; 100 ignored;
✔ a test of the page (14.2ms)
ℹ tests 12
ℹ pass 6
ℹ fail 1
ℹ cancelled 1
ℹ skipped 4
ℹ duration_ms 12.5
";
    const SUMS: (u64, u64, u64, u64) = (48, 5, 1, 4);

    fn sums(tally: &Tally) -> (u64, u64, u64, u64) {
        (tally.passed, tally.failed, tally.ignored, tally.skipped)
    }

    #[test]
    fn results_of_all_programs_are_added() {
        let mut tally = Tally::default();
        tally.read(OUTPUT.as_bytes());
        assert_eq!(sums(&tally), SUMS);
    }

    #[test]
    fn chunks_may_end_anywhere() {
        for length in 1..OUTPUT.len() {
            let mut tally = Tally::default();
            OUTPUT.as_bytes().chunks(length).for_each(|chunk| tally.read(chunk));
            assert_eq!(sums(&tally), SUMS, "chunks of {length} bytes");
        }
    }

    #[test]
    fn other_lines_are_not_counted() {
        let mut tally = Tally::default();
        tally.read(b"test result: odd\n\xff\xfe\ntest result: ok. many passed;\n");
        tally.read("ℹ pass many\nℹ\nℹ pass\n".as_bytes());
        assert_eq!(sums(&tally), (0, 0, 0, 0));
    }
}
