//! The tables of the rules in use. Those of the classic game lie in flash; those of one other rule are derived when it is
//! chosen, and kept until another is.

use crate::rules::Rule;
use crate::solver::{CLASSIC, Puzzle};

/// The tables at hand.
#[derive(Clone, Debug, Default)]
pub struct Puzzles {
    derived: Option<Puzzle>,
}

impl Puzzles {
    /// None but the classic one.
    pub const fn new() -> Self {
        Self { derived: None }
    }

    /// The tables of a rule, derived now if they are not at hand.
    pub fn prepare(&mut self, rule: Rule) -> &Puzzle {
        if rule == Rule::CLASSIC {
            return &CLASSIC;
        }
        if self.derived.as_ref().is_none_or(|puzzle| puzzle.rule() != rule) {
            self.derived = None;
        }
        self.derived.get_or_insert_with(|| Puzzle::new(rule))
    }

    /// The tables of the rule that was prepared last, or of the classic one.
    pub fn of(&self, rule: Rule) -> &Puzzle {
        self.derived.as_ref().filter(|puzzle| puzzle.rule() == rule).unwrap_or(&CLASSIC)
    }
}
