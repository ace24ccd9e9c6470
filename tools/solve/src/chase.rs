//! Light chasing: the presses of the top row determine all other presses.
//!
//! Let x_r be the presses in row r and b_r its lights, bits modulo 2. A press toggles its own light and its
//! neighbours, so the lights of row r go out exactly when
//!
//! ```text
//! b_r = x_(r-1) + A x_r + x_(r+1)        (A x)_c = x_(c-1) + x_c + x_(c+1)
//! ```
//!
//! Solved for the next row, from the top down: x_(r+1) = b_r + A x_r + x_(r-1). A player does the same by pressing the
//! key below each light of the row above. Below the last row there is no further row, so its formula must give 0. Its
//! result is the set of lights that are [left over](Chase::left_over) in the bottom row.
//!
//! Every step is linear, so the left-over lights are M t + k, where t is the top row, and k are the left-over lights
//! for t = 0. Only t is unknown: the system is n x n instead of n² x n². M does not depend on the lights. Its column j
//! is the set of lights that are left over on a dark board after a press of key j of the top row. [`top_row_images`]
//! returns these columns.

use std::iter;

use crate::matrix::{Matrix, row_mask};

/// The result of a chase from the top row to the bottom row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chase {
    /// The pressed keys, including the top row.
    pub presses: Matrix,
    /// The lights that are still on. They are all in the bottom row.
    pub left_over: u128,
}

/// A x: the lights of a row that the presses in the same row toggle.
fn spread(row: u128, mask: u128) -> u128 {
    (row ^ row << 1 ^ row >> 1) & mask
}

/// The presses of each row, starting with `top`; the last item is the left-over lights.
fn chased_rows(lights: &Matrix, top: u128) -> impl Iterator<Item = u128> {
    let mask = row_mask(lights.size());
    let top = top & mask;
    let below = lights.rows().iter().scan((0, top), move |(above, here), lights| {
        (*above, *here) = (*here, lights ^ spread(*here, mask) ^ *above);
        Some(*here)
    });
    iter::once(top).chain(below)
}

/// Presses `top` in the top row, then in each row the keys that put out the row above.
pub fn chase(lights: &Matrix, top: u128) -> Chase {
    let mut rows: Vec<_> = chased_rows(lights, top).collect();
    let left_over = rows.pop().unwrap_or(0);
    Chase { presses: Matrix::from_rows(rows), left_over }
}

/// The left-over lights after a chase without presses in the top row.
pub fn left_over(lights: &Matrix) -> u128 {
    chased_rows(lights, 0).last().unwrap_or(0)
}

/// For each key of the top row, the lights left over on a dark board after a chase that starts with that press.
pub fn top_row_images(size: usize) -> Vec<u128> {
    let dark = Matrix::zero(size);
    (0..size).map(|column| chase(&dark, 1 << column).left_over).collect()
}

/// The lights that a set of presses toggles. For a solution, they are the board.
pub fn lights_toggled(presses: &Matrix) -> Matrix {
    let rows = presses.rows();
    let mask = row_mask(presses.size());
    let row = |r: usize| rows.get(r).copied().unwrap_or(0);
    let toggled = |r: usize| spread(row(r), mask) ^ row(r + 1) ^ row(r.wrapping_sub(1));
    Matrix::from_rows((0..rows.len()).map(toggled).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gf2::Elimination;

    /// A row of five, from column numbers that are counted from 1.
    fn columns(digits: &str) -> u128 {
        digits.bytes().map(|digit| 1 << (digit - b'1')).sum()
    }

    #[test]
    fn only_bottom_row_is_left_over() {
        let lights = Matrix::from_rows(vec![0b10110, 0b00101, 0b11111, 0b01000, 0b10001]);
        for top in 0..32 {
            let Chase { presses, left_over } = chase(&lights, top);
            let mut after = lights.clone();
            after.add(&lights_toggled(&presses));
            assert_eq!(after, Matrix::from_rows(vec![0, 0, 0, 0, left_over]));
            assert_eq!(presses.rows()[0], top);
        }
    }

    /// The look-up table that players of the 5x5 game memorise.
    #[test]
    fn players_table_of_5x5_game_is_reproduced() {
        let elimination = Elimination::of(&top_row_images(5));
        let quiet = ["", "234", "135", "1245"].map(columns);
        let table = [("123", "2"), ("1245", "3"), ("134", "5"), ("15", "12"), ("235", "1"), ("24", "14"), ("345", "4")];
        for (left_over, top) in table {
            let found = elimination.preimage(columns(left_over)).expect(left_over);
            assert!(quiet.contains(&(found ^ columns(top))), "{left_over} -> {top}");
        }
        let solvable = (0..32).filter(|&left_over| elimination.preimage(left_over).is_some());
        assert_eq!(solvable.count(), table.len() + 1);
    }

    #[test]
    fn board_of_one_key_is_solved_by_that_key() {
        assert_eq!(top_row_images(1), [1]);
        assert_eq!(lights_toggled(&Matrix::from_rows(vec![1])), Matrix::from_rows(vec![1]));
    }
}
