//! All boards, and the fewest presses for each, found by exhaustive search.

use std::iter;

use lights_out::board::{Board, CELLS, Cells};
use lights_out::solver::Solver;

/// The entry of a board that no press set reaches.
pub(crate) const UNREACHED: u8 = u8::MAX;

/// For each of the 2^25 boards the fewest presses that make it from a dark board, found by trying all press sets of the
/// puzzle. It uses only the toggle masks, so it is independent of the solver's algorithm.
pub(crate) fn fewest_presses(solver: &Solver) -> Vec<u8> {
    let keys: Vec<u32> = solver.variant().cells().iter().map(|key| solver.toggles(key).bits()).collect();
    let mut fewest = vec![UNREACHED; 1 << CELLS];
    let (mut lights, mut presses) = (0, 0_u32);
    fewest[0] = 0;
    for step in 1..1_u32 << keys.len() {
        // In Gray code order each press set differs from the one before by one key.
        let key = step.trailing_zeros();
        lights ^= keys[key as usize];
        presses ^= 1 << key;
        let entry = &mut fewest[lights as usize];
        *entry = (*entry).min(presses.count_ones() as u8);
    }
    fewest
}

/// All boards with lights only in these cells: 2^25 boards if these are all cells.
pub(crate) fn boards_within(cells: Cells) -> impl Iterator<Item = Board> {
    let cells = cells.bits();
    // Count with the bits of the other cells set, so that the carry passes over them.
    let counted = iter::successors(Some(0_u32), move |&bits| Some((bits | !cells).wrapping_add(1) & cells));
    counted.take(1 << cells.count_ones()).map(Board::from_bits)
}
