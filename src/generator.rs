//! Generates random boards. Each function draws uniformly from its set of boards, and explains why.

use rand_core::Rng;

use crate::board::{Board, Presses};
use crate::solver::Solver;

/// A board drawn uniformly from all boards that can be solved, except for the dark board.
///
/// Each solvable board is produced by the same number of press sets (one for each sum of quiet patterns), so a uniform
/// press set gives a uniform board.
pub fn solvable(solver: &Solver, rng: &mut impl Rng) -> Board {
    loop {
        let board = solver.press_all(Board::DARK, any_presses(solver, rng));
        if !board.is_dark() {
            return board;
        }
    }
}

/// A board drawn uniformly from all boards of exactly this par; none if the rule has no such board.
///
/// This is rejection sampling, with two ways to propose a press set. After the test, every board of the par is equally
/// likely:
/// - A set of exactly `par` keys. A board is proposed once for each of its shortest solutions, so a board with `t` of
///   them is accepted with probability `1 / t`.
/// - Any press set. Its board is accepted if it has the par.
///
/// The first way has `cells choose par` proposals, the second way has one for each solvable board. The way with fewer
/// proposals succeeds more often: in the worst case, one proposal in about 800 is accepted.
pub fn of_par(solver: &Solver, par: u32, rng: &mut impl Rng) -> Option<Board> {
    if par > solver.variant().hardest_par() {
        return None;
    }
    let cells = solver.cells().len();
    let solvable_boards = 1_u32 << (cells - solver.quiet_patterns().len() as u32);
    let by_keys = choose(cells, par) <= solvable_boards;
    loop {
        let presses = if by_keys { presses_of(solver, par, rng) } else { any_presses(solver, rng) };
        if solver.shorten(presses).par == par && (!by_keys || below(solver.ties(presses), rng) == 0) {
            return Some(solver.press_all(Board::DARK, presses));
        }
    }
}

/// Any set of keys of the board.
fn any_presses(solver: &Solver, rng: &mut impl Rng) -> Presses {
    Presses::from_bits(rng.next_u32()) & Presses::on(solver.cells())
}

/// A set of exactly `count` keys of the board, by Floyd's algorithm. Each draw chooses a key from the first one to
/// `last`, and `last` moves by one key with each draw. If the drawn key is in the set already, `last` is added instead.
fn presses_of(solver: &Solver, count: u32, rng: &mut impl Rng) -> Presses {
    let cells = solver.cells();
    let total = cells.len();
    let mut taken = 0_u32;
    for last in total - count..total {
        let drawn = below(last + 1, rng);
        taken |= 1 << if taken >> drawn & 1 == 0 { drawn } else { last };
    }
    // Map the n-th key of the board to its cell.
    cells.iter().enumerate().filter(|(n, _)| taken >> n & 1 == 1).map(|(_, key)| key).collect()
}

/// A uniform number below `bound`: as many random bits as `bound` needs, drawn again while the number is too large.
pub fn below(bound: u32, rng: &mut impl Rng) -> u32 {
    if bound <= 1 {
        return 0;
    }
    let unused = (bound - 1).leading_zeros();
    loop {
        // The high bits of PCG are of better quality than the low ones.
        let drawn = rng.next_u32() >> unused;
        if drawn < bound {
            return drawn;
        }
    }
}

/// `n choose k`. For up to 25 cells no product overflows.
fn choose(n: u32, k: u32) -> u32 {
    (0..k.min(n - k)).fold(1, |product, i| product * (n - i) / (i + 1))
}
