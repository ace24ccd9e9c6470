//! From a board to its solutions.
//!
//! What depends on the size only is done once by [`Solver::new`]: the elimination of the top row, and the quiet
//! patterns. For a board, [`Solver::solutions`] chases the lights with an empty top row, looks up which top row makes
//! good what is left over, and chases again with that one. Where no top row does, no set of presses puts the lights
//! out.
//!
//! All solutions are that one plus the sums of quiet patterns. With d quiet patterns there are 2^d: 16 on the 4x4
//! board, 4 on the 5x5, one on the 100x100, and 2^64 on the 79x79. Up to [`MAX_NULLITY_COMPARED`] the shortest is
//! found by comparing all, and beyond, a short one by descent.

use crate::chase::{chase, left_over, lights_toggled, top_row_images};
use crate::gf2::Elimination;
use crate::matrix::Matrix;
use crate::shortest::{add_choice, press_counts, shorter_by_steps, shortest_of_all};

/// Up to 2^20 solutions are all compared, so that the shortest is known to be the shortest.
pub const MAX_NULLITY_COMPARED: usize = 20;

/// Up to 2^10 solutions are listed.
pub const MAX_NULLITY_LISTED: usize = 10;

/// Neighbouring quiet patterns that one step of the descent chooses among: 2^12 sums are done in microseconds.
const DESCENT_WINDOW: usize = 12;

/// All that can be known about boards of one size.
#[derive(Clone, Debug)]
pub struct Solver {
    size: usize,
    top_row: Elimination,
    quiet: Vec<Matrix>,
}

/// One way to put out the lights.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The keys to press, in any order.
    pub presses: Matrix,
    /// How many they are.
    pub count: u32,
    /// All solutions were compared and none has fewer presses.
    pub proven_shortest: bool,
    /// The board has 2^nullity solutions.
    pub nullity: usize,
}

/// Every way to put out the lights of one board. There is at least one.
#[derive(Clone, Debug)]
pub struct Solutions<'a> {
    solver: &'a Solver,
    some: Matrix,
}

impl Solver {
    /// Prepares for boards of `size` rows.
    ///
    /// # Panics
    ///
    /// Where `size` is not in 1..=[`MAX_SIZE`](crate::MAX_SIZE).
    pub fn new(size: usize) -> Self {
        let top_row = Elimination::of(&top_row_images(size));
        let dark = Matrix::zero(size);
        let quiet = top_row.null_basis().iter().map(|&top| chase(&dark, top).presses).collect();
        Self { size, top_row, quiet }
    }

    /// A basis of the presses that change nothing.
    pub fn quiet_patterns(&self) -> &[Matrix] {
        &self.quiet
    }

    /// The solutions of `board`, or none if it has no solution.
    ///
    /// # Panics
    ///
    /// Where `board` is not of the solver's size.
    pub fn solutions(&self, board: &Matrix) -> Option<Solutions<'_>> {
        assert_eq!(board.size(), self.size, "a board of the solver's size");
        let top = self.top_row.preimage(left_over(board))?;
        let some = chase(board, top).presses;
        debug_assert_eq!(&lights_toggled(&some), board);
        Some(Solutions { solver: self, some })
    }
}

impl<'a> Solutions<'a> {
    /// There are 2^nullity solutions.
    pub fn nullity(&self) -> usize {
        self.solver.quiet.len()
    }

    /// The shortest solution; beyond [`MAX_NULLITY_COMPARED`] a short one.
    pub fn shortest(&self) -> Solution {
        let nullity = self.nullity();
        let proven_shortest = nullity <= MAX_NULLITY_COMPARED;
        let presses = if proven_shortest {
            shortest_of_all(&self.some, &self.solver.quiet)
        } else {
            shorter_by_steps(&self.some, &self.solver.quiet, DESCENT_WINDOW)
        };
        Solution { count: presses.ones(), presses, proven_shortest, nullity }
    }

    /// Every solution, the shortest first, or none where they are more than 2^[`MAX_NULLITY_LISTED`].
    pub fn all(&self) -> Option<impl ExactSizeIterator<Item = Solution> + use<'a>> {
        let nullity = self.nullity();
        if nullity > MAX_NULLITY_LISTED {
            return None;
        }
        let quiet = &self.solver.quiet;
        let counts = press_counts(&self.some, quiet);
        let mut choices: Vec<usize> = (0..counts.len()).collect();
        choices.sort_by_key(|&choice| counts[choice]);
        let fewest = u32::from(counts[choices[0]].unsigned_abs());
        let some = self.some.clone();
        Some(choices.into_iter().map(move |choice| {
            let mut presses = some.clone();
            add_choice(&mut presses, quiet, choice);
            let count = presses.ones();
            Solution { presses, count, proven_shortest: count == fewest, nullity }
        }))
    }
}

/// The shortest solution of `board`, or none if it has no solution. For many boards of one size, keep a [`Solver`].
pub fn solve(board: &Matrix) -> Option<Solution> {
    Some(Solver::new(board.size()).solutions(board)?.shortest())
}
