//! Adds up what the test programs report.
//!
//! Each ends with a line such as `test result: ok. 19 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out`, in
//! which the word after the colon may be coloured. The output is read in pieces, so the last line may be cut anywhere:
//! what is not yet a line is kept until the rest of it comes.

/// The line that counts begins with this.
const RESULT: &str = "test result:";

/// The sums so far.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Tests that passed.
    pub passed: u64,
    /// Tests that failed.
    pub failed: u64,
    /// Tests that were not asked to run.
    pub ignored: u64,
    /// Tests that lacked something to run with.
    pub skipped: u64,
    unfinished: Vec<u8>,
}

impl Tally {
    /// Adds the sums of another.
    pub fn add(&mut self, other: &Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.ignored += other.ignored;
    }

    /// Takes in the next piece of output.
    pub fn read(&mut self, piece: &[u8]) {
        for &byte in piece {
            if byte == b'\n' {
                let line = std::mem::take(&mut self.unfinished);
                self.read_line(&String::from_utf8_lossy(&line));
            } else {
                self.unfinished.push(byte);
            }
        }
    }

    /// Takes the tests that told that they were skipped out of those that passed, where their programs count them.
    pub fn set_skipped(&mut self, skipped: u64) {
        self.skipped = skipped;
        self.passed = self.passed.saturating_sub(skipped);
    }

    fn read_line(&mut self, line: &str) {
        if let Some(counts) = line.strip_prefix(RESULT) {
            self.passed += number_before(counts, " passed;");
            self.failed += number_before(counts, " failed;");
            self.ignored += number_before(counts, " ignored;");
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
";

    fn sums(tally: &Tally) -> (u64, u64, u64) {
        (tally.passed, tally.failed, tally.ignored)
    }

    #[test]
    fn the_results_of_all_programs_are_added() {
        let mut tally = Tally::default();
        tally.read(OUTPUT.as_bytes());
        assert_eq!(sums(&tally), (42, 3, 1));
    }

    #[test]
    fn skipped_tests_did_not_pass() {
        let mut tally = Tally::default();
        tally.read(OUTPUT.as_bytes());
        tally.set_skipped(2);
        assert_eq!((sums(&tally), tally.skipped), ((40, 3, 1), 2));
    }

    #[test]
    fn pieces_may_be_cut_anywhere() {
        for length in 1..OUTPUT.len() {
            let mut tally = Tally::default();
            OUTPUT.as_bytes().chunks(length).for_each(|piece| tally.read(piece));
            assert_eq!(sums(&tally), (42, 3, 1), "pieces of {length}");
        }
    }

    #[test]
    fn what_is_no_result_counts_nothing() {
        let mut tally = Tally::default();
        tally.read(b"test result: odd\n\xff\xfe\ntest result: ok. many passed;\n");
        assert_eq!(sums(&tally), (0, 0, 0));
    }
}
