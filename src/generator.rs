//! Deals boards. Every board that is asked for has the same chance: see each function for why.

use rand_core::Rng;

use crate::board::{Board, Presses};
use crate::solver::Solver;

/// A board drawn uniformly from all that can be solved, except the one that is solved already.
///
/// Each solvable board is flipped by the same number of press sets (one for each quiet pattern), so a uniform press set
/// gives a uniform board.
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
/// Two ways to propose a press set, both followed by a test that leaves every board of the par equally likely:
/// - a set of exactly `par` keys. A board is proposed once for each of its shortest solutions, so a board with `t` of
///   them is kept with chance `1 / t`;
/// - any press set at all, kept when its board has the par.
///
/// The proposals of the one are `cells choose par`, of the other one for each solvable board. Whichever is fewer hits
/// more often: at the worst, one in about 800.
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

/// A set of exactly `count` keys of the board, by Floyd's method: the i-th draw is among all keys up to the i-th last,
/// and takes that last one itself when it hits a key already taken.
fn presses_of(solver: &Solver, count: u32, rng: &mut impl Rng) -> Presses {
    let cells = solver.cells();
    let total = cells.len();
    let mut taken = 0_u32;
    for last in total - count..total {
        let drawn = below(last + 1, rng);
        taken |= 1 << if taken >> drawn & 1 == 0 { drawn } else { last };
    }
    // From the n-th key of the board to its place on the grid.
    cells.iter().enumerate().filter(|(n, _)| taken >> n & 1 == 1).map(|(_, key)| key).collect()
}

/// A number below `bound`, without bias: as many random bits as it needs, drawn again while they are too large.
pub fn below(bound: u32, rng: &mut impl Rng) -> u32 {
    if bound <= 1 {
        return 0;
    }
    let unused = (bound - 1).leading_zeros();
    loop {
        // PCG's high bits are its best.
        let drawn = rng.next_u32() >> unused;
        if drawn < bound {
            return drawn;
        }
    }
}

/// `n choose k`. For up to 25 cells every product on the way fits.
fn choose(n: u32, k: u32) -> u32 {
    (0..k.min(n - k)).fold(1, |product, i| product * (n - i) / (i + 1))
}
