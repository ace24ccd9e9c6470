//! The puzzle of the day. It depends only on the number of the day, so it is the same for all players.
//!
//! The handheld has no calendar. The programs that show the puzzle of the day call this function. **Its results must
//! never change**, because players compare their results, and links to a day stay in use. So the generator and the
//! random numbers that it uses must not change either.

use rand_pcg::Pcg32;

use crate::board::Board;
use crate::generator;
use crate::rules::Variant;
use crate::solver::CLASSIC;

/// The lowest par of a puzzle of the day.
pub const EASIEST: u32 = 6;
/// The highest par of a puzzle of the day.
pub const HARDEST: u32 = 12;

/// The stream of the random numbers. PCG has many independent streams. In most of them a puzzle repeats within a few
/// years (the birthday problem). In this one the first repetition is in 2046.
const DAILY_STREAM: u64 = 2256;

/// The puzzle of a day, a board of the classic game. Days are counted from 1 January 1970. All pars from [`EASIEST`] to
/// [`HARDEST`] are equally likely, and so are all boards of a par.
pub fn puzzle(day: u32) -> (Variant, Board) {
    let mut rng = Pcg32::new(day.into(), DAILY_STREAM);
    let par = EASIEST + generator::below(HARDEST - EASIEST + 1, &mut rng);
    // There are boards of each of these pars.
    let board = generator::of_par(&CLASSIC, par, &mut rng).unwrap_or(Board::DARK);
    (Variant::CLASSIC, board)
}
