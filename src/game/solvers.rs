//! The tables of the rules in use. Those of the classic game lie in flash; those of one other rule are derived when it is
//! chosen, and kept until another is.

use crate::rules::Variant;
use crate::solver::{CLASSIC, Solver};

/// The tables at hand.
#[derive(Clone, Debug, Default)]
pub struct Solvers {
    derived: Option<Solver>,
}

impl Solvers {
    /// None but the classic one.
    pub const fn new() -> Self {
        Self { derived: None }
    }

    /// The tables of a rule, derived now if they are not at hand.
    pub fn prepare(&mut self, variant: Variant) -> &Solver {
        if variant == Variant::CLASSIC {
            return &CLASSIC;
        }
        if self.derived.as_ref().is_none_or(|solver| solver.variant() != variant) {
            self.derived = None;
        }
        self.derived.get_or_insert_with(|| Solver::new(variant))
    }

    /// The tables of the rule that was prepared last, or of the classic one.
    pub fn of(&self, variant: Variant) -> &Solver {
        self.derived.as_ref().filter(|solver| solver.variant() == variant).unwrap_or(&CLASSIC)
    }
}
