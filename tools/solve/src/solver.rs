//! The solver: finds the solutions of a board.
//!
//! [`Solver::new`] computes once what depends on the size only: the elimination of the top row, and the quiet patterns.
//! For a board, [`Solver::solutions`] chases the lights without presses in the top row, looks up the top row that
//! corrects the left-over lights, and chases again with it. If there is no such top row, the board has no solution.
//!
//! All solutions are this one plus sums of quiet patterns. With d quiet patterns there are 2^d solutions: 16 on the 4x4
//! board, 4 on the 5x5, one on the 100x100, and 2^64 on the 79x79. If d is at most [`MAX_NULLITY_COMPARED`], all are
//! compared and the shortest is found. Otherwise a descent finds a short one.

use crate::chase::{chase, left_over, lights_toggled, top_row_images};
use crate::gf2::Elimination;
use crate::matrix::Matrix;
use crate::shortest::{add_choice, press_counts, shorter_by_steps, shortest_of_all};

/// Up to 2^20 solutions are compared, so that the result is proven to be the shortest.
pub const MAX_NULLITY_COMPARED: usize = 20;

/// Up to 2^10 solutions are listed.
pub const MAX_NULLITY_LISTED: usize = 10;

/// The number of neighbouring quiet patterns in one step of the descent. Their 2^12 sums take microseconds.
const DESCENT_WINDOW: usize = 12;

/// A solver for boards of one size.
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
    /// The number of presses.
    pub count: u32,
    /// Whether all solutions were compared and none has fewer presses.
    pub proven_shortest: bool,
    /// The board has 2^nullity solutions.
    pub nullity: usize,
}

/// All solutions of one board. There is at least one.
#[derive(Clone, Debug)]
pub struct Solutions<'a> {
    solver: &'a Solver,
    one: Matrix,
}

impl Solver {
    /// Prepares a solver for boards of `size` rows.
    ///
    /// # Panics
    ///
    /// If `size` is not in 1..=[`MAX_SIZE`](crate::MAX_SIZE).
    pub fn new(size: usize) -> Self {
        let top_row = Elimination::of(&top_row_images(size));
        let dark = Matrix::zero(size);
        let quiet = top_row.null_basis().iter().map(|&top| chase(&dark, top).presses).collect();
        Self { size, top_row, quiet }
    }

    /// A basis of the quiet patterns: presses that change no light.
    pub fn quiet_patterns(&self) -> &[Matrix] {
        &self.quiet
    }

    /// The solutions of `board`; `None` if it has no solution.
    ///
    /// # Panics
    ///
    /// If `board` does not have the solver's size.
    pub fn solutions(&self, board: &Matrix) -> Option<Solutions<'_>> {
        assert_eq!(board.size(), self.size, "a board of the solver's size");
        let top = self.top_row.preimage(left_over(board))?;
        let one = chase(board, top).presses;
        debug_assert_eq!(&lights_toggled(&one), board);
        Some(Solutions { solver: self, one })
    }
}

impl<'a> Solutions<'a> {
    /// The number of quiet patterns d. There are 2^d solutions.
    pub fn nullity(&self) -> usize {
        self.solver.quiet.len()
    }

    /// The shortest solution; if the nullity is larger than [`MAX_NULLITY_COMPARED`], a short one.
    pub fn shortest(&self) -> Solution {
        let nullity = self.nullity();
        let proven_shortest = nullity <= MAX_NULLITY_COMPARED;
        let presses = if proven_shortest {
            shortest_of_all(&self.one, &self.solver.quiet)
        } else {
            shorter_by_steps(&self.one, &self.solver.quiet, DESCENT_WINDOW)
        };
        Solution { count: presses.ones(), presses, proven_shortest, nullity }
    }

    /// All solutions, the shortest first; `None` if there are more than 2^[`MAX_NULLITY_LISTED`].
    pub fn all(&self) -> Option<impl ExactSizeIterator<Item = Solution> + use<'a>> {
        let nullity = self.nullity();
        if nullity > MAX_NULLITY_LISTED {
            return None;
        }
        let quiet = &self.solver.quiet;
        let counts = press_counts(&self.one, quiet);
        let mut choices: Vec<usize> = (0..counts.len()).collect();
        choices.sort_by_key(|&choice| counts[choice]);
        let fewest = u32::from(counts[choices[0]].unsigned_abs());
        let one = self.one.clone();
        Some(choices.into_iter().map(move |choice| {
            let mut presses = one.clone();
            add_choice(&mut presses, quiet, choice);
            let count = presses.ones();
            Solution { presses, count, proven_shortest: count == fewest, nullity }
        }))
    }
}

/// The shortest solution of `board`; `None` if it has no solution. To solve many boards of one size, use one
/// [`Solver`].
pub fn solve(board: &Matrix) -> Option<Solution> {
    Some(Solver::new(board.size()).solutions(board)?.shortest())
}
