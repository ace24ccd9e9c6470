//! A square matrix of bits: the lights of a board, or the keys to press on it.
//!
//! Each row is one `u128`; bit c is column c, counted from the left. So a row of any length is toggled, shifted and
//! compared in a few instructions. 100 columns fit into 128 bits. The bits beyond the last column are always 0, so that
//! equality and counting need no mask.

use std::fmt;

/// The largest board: 100 rows of 100 columns.
pub const MAX_SIZE: usize = 100;

/// A square matrix of 0 and 1 with 1 to [`MAX_SIZE`] rows.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Matrix {
    rows: Vec<u128>,
}

/// The bits that a row of `size` columns may use.
pub(crate) fn row_mask(size: usize) -> u128 {
    (1 << size) - 1
}

impl Matrix {
    /// All zeros: a dark board, or no key pressed.
    ///
    /// # Panics
    ///
    /// If `size` is not in 1..=[`MAX_SIZE`].
    pub fn zero(size: usize) -> Self {
        Self::from_rows(vec![0; size])
    }

    /// A matrix with these rows, and as many columns as rows; bit c of a row is column c. Bits beyond the last column
    /// are cleared.
    ///
    /// # Panics
    ///
    /// If the number of rows is not in 1..=[`MAX_SIZE`].
    pub fn from_rows(mut rows: Vec<u128>) -> Self {
        assert!((1..=MAX_SIZE).contains(&rows.len()), "a matrix has 1 to {MAX_SIZE} rows, not {}", rows.len());
        let mask = row_mask(rows.len());
        rows.iter_mut().for_each(|row| *row &= mask);
        Self { rows }
    }

    /// The number of rows, which is the number of columns.
    pub fn size(&self) -> usize {
        self.rows.len()
    }

    /// The rows from the top; bit c is column c.
    pub fn rows(&self) -> &[u128] {
        &self.rows
    }

    /// Whether the bit at `row` and `column` is 1. Outside the matrix every bit is 0.
    pub fn get(&self, row: usize, column: usize) -> bool {
        column < self.size() && self.rows.get(row).is_some_and(|bits| bits >> column & 1 == 1)
    }

    /// The number of ones: lights that are on, or keys to press.
    pub fn ones(&self) -> u32 {
        self.rows.iter().map(|row| row.count_ones()).sum()
    }

    /// Adds `other` bit by bit, modulo 2. For presses, the sum has the effect of both: two presses of a key cancel
    /// each other.
    ///
    /// # Panics
    ///
    /// If the sizes differ.
    pub fn add(&mut self, other: &Self) {
        assert_eq!(self.size(), other.size(), "matrices of one size");
        for (mine, theirs) in self.rows.iter_mut().zip(&other.rows) {
            *mine ^= theirs;
        }
    }
}

/// Rows as lines of 0 and 1 without spaces, the form that [`Matrix::read`] parses.
impl fmt::Display for Matrix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut line = String::with_capacity(self.size() + 1);
        for row in &self.rows {
            line.clear();
            line.extend((0..self.size()).map(|column| if row >> column & 1 == 1 { '1' } else { '0' }));
            line.push('\n');
            f.write_str(&line)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn column_0_is_printed_first() {
        let matrix = Matrix::from_rows(vec![0b001, 0b110, 0b100]);
        assert_eq!(matrix.to_string(), "100\n011\n001\n");
        assert!(matrix.get(0, 0) && matrix.get(1, 2) && !matrix.get(1, 0));
        assert_eq!(matrix.ones(), 4);
    }

    #[test]
    fn bits_outside_the_matrix_are_0() {
        let matrix = Matrix::from_rows(vec![u128::MAX; 3]);
        assert_eq!(matrix.ones(), 9);
        assert!(!matrix.get(0, 3) && !matrix.get(3, 0) && !matrix.get(usize::MAX, usize::MAX));
    }

    #[test]
    fn adding_twice_restores_the_matrix() {
        let ones = Matrix::from_rows(vec![u128::MAX; MAX_SIZE]);
        let mut sum = Matrix::zero(MAX_SIZE);
        sum.add(&ones);
        assert_eq!(sum, ones);
        sum.add(&ones);
        assert_eq!(sum, Matrix::zero(MAX_SIZE));
    }

    #[test]
    #[should_panic(expected = "1 to 100 rows, not 101")]
    fn matrix_of_101_rows_is_refused() {
        Matrix::zero(MAX_SIZE + 1);
    }
}
