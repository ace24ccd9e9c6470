//! The tables of the variants in use. The tables of the classic game are computed at compile time. Those of one other
//! variant are derived when they are needed, and stored until another variant is prepared.

use crate::rules::Variant;
use crate::solver::{CLASSIC, Solver};

/// The tables that are available.
#[derive(Clone, Debug, Default)]
pub struct Solvers {
    derived: Option<Solver>,
}

impl Solvers {
    /// Only the tables of the classic game.
    pub const fn new() -> Self {
        Self { derived: None }
    }

    /// The tables of a variant. Derives them if they are not available.
    pub fn prepare(&mut self, variant: Variant) -> &Solver {
        if variant == Variant::CLASSIC {
            return &CLASSIC;
        }
        if self.derived.as_ref().is_none_or(|solver| solver.variant() != variant) {
            self.derived = None;
        }
        self.derived.get_or_insert_with(|| Solver::new(variant))
    }

    /// The tables of a variant that is the classic one, or was the last to be [prepared](Self::prepare).
    pub(super) fn prepared(&self, variant: Variant) -> &Solver {
        let derived = self.derived.as_ref().filter(|solver| solver.variant() == variant);
        debug_assert!(derived.is_some() || variant == Variant::CLASSIC, "{variant:?} was not prepared");
        derived.unwrap_or(&CLASSIC)
    }
}
