//! The puzzle of the day: the same for everybody, everywhere and for ever, from the day's number alone.
//!
//! The handheld has no calendar and does not deal it: whatever shows it does, by this function. **What it deals may never
//! change**: people compare their results, and links to a day stay around. So neither may the generator nor the random
//! numbers that it is dealt with.

use rand_pcg::Pcg32;

use crate::board::Board;
use crate::generator;
use crate::rules::Variant;
use crate::solver::CLASSIC;

/// The fewest presses that the puzzle of any day needs: more than a glance,
pub const EASIEST: u32 = 6;
/// and the most: fewer than an evening.
pub const HARDEST: u32 = 12;

/// PCG has many independent streams. In most of them some puzzle comes twice within a few years, as birthdays do in a class;
/// in this one the first that does is in 2046.
const DAILY_STREAM: u64 = 2256;

/// The puzzle of a day, which is counted from 1 January 1970: a board of the classic game. All pars from [`EASIEST`] to
/// [`HARDEST`] are equally likely, and so are all boards of a par.
pub fn puzzle(day: u32) -> (Variant, Board) {
    let mut rng = Pcg32::new(day.into(), DAILY_STREAM);
    let par = EASIEST + generator::below(HARDEST - EASIEST + 1, &mut rng);
    // There are boards of each of these pars.
    let board = generator::of_par(&CLASSIC, par, &mut rng).unwrap_or(Board::DARK);
    (Variant::CLASSIC, board)
}
