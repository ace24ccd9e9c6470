//! Where reading stopped, and why. What can be read but makes no sense is a panic with a word about it: the compiler shows
//! either.

/// What is wrong with a text.
#[derive(Debug)]
pub struct Mistake {
    /// Where, in bytes.
    pub at: usize,
    /// What should stand there; several, where one of them should.
    pub expected: Vec<String>,
}

impl Mistake {
    /// The mistake, with the line it is in.
    pub fn tell(&self, text: &str) -> String {
        let line = text[..self.at].matches('\n').count() + 1;
        let words = text[self.at..].lines().next().unwrap_or_default();
        format!("line {line} of the PIO program: expected {}, found `{words}`", self.expected.join(" or "))
    }
}
