//! The tables of the variants in use. Those of the classic game lie in flash; those of one other are derived when they are
//! asked for, and kept until others are.

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

    /// The tables of a variant, derived now if they are not at hand.
    pub fn prepare(&mut self, variant: Variant) -> &Solver {
        if variant == Variant::CLASSIC {
            return &CLASSIC;
        }
        if self.derived.as_ref().is_none_or(|solver| solver.variant() != variant) {
            self.derived = None;
        }
        self.derived.get_or_insert_with(|| Solver::new(variant))
    }
}
