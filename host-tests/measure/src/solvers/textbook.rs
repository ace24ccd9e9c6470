//! Textbook solvers: Gaussian elimination over all n² keys, with integers.
//!
//! Textbooks print this solver in Python and in Java. Both versions build the n² x n² matrix whose row i contains the
//! lights of key i, bring it to triangular form, and substitute back from the last key to the first. Both return any
//! one of the solutions, not the shortest. They differ in the inner loop:
//! - The Python version adds a row only to rows that need it, with 64-bit numbers. It substitutes the result into the
//!   equations to find out whether it is a solution.
//! - The Java version processes every row below and every column: it multiplies and subtracts modulo 2 even if that
//!   changes nothing. It builds its matrix again for each board. In Java each number is an object; here it is a plain
//!   value.
//!
//! If the triangular matrix has a zero on its diagonal (a size with quiet patterns), both continue as if it were a one.
//! With the keys in row order this is correct: the free keys come last.

/// The Python version. Its matrix is kept for all boards of a size.
#[derive(Debug)]
pub(crate) struct PythonTextbook {
    transition: Vec<Vec<i64>>,
}

impl PythonTextbook {
    /// Builds the matrix.
    pub(crate) fn new(size: usize) -> Self {
        let keys = size * size;
        let mut transition = vec![vec![0; keys]; keys];
        for (key, row) in transition.iter_mut().enumerate() {
            neighbours(key, size).for_each(|light| row[light] = 1);
        }
        Self { transition }
    }

    /// The presses. `None` if there is no solution, or if the board is dark.
    pub(crate) fn solve(&self, board: &[bool]) -> Option<Vec<bool>> {
        let state: Vec<i64> = board.iter().map(|&lit| i64::from(lit)).collect();
        let presses = Self::eliminate(self.transition.clone(), state.clone());
        let is_satisfied = |(row, state): (&Vec<i64>, &i64)| {
            let sum: i64 = row.iter().zip(&presses).map(|(a, x)| a * x).sum();
            (sum + state) % 2 == 0
        };
        let is_solved = self.transition.iter().zip(&state).all(is_satisfied);
        let is_lit = state.contains(&1);
        (is_solved && is_lit).then(|| presses.iter().map(|&press| press == 1).collect())
    }

    fn eliminate(mut a: Vec<Vec<i64>>, mut b: Vec<i64>) -> Vec<i64> {
        let n = b.len();
        for i in 0..n {
            if a[i][i] == 0
                && let Some(j) = (i + 1..n).find(|&j| a[j][i] == 1)
            {
                a.swap(i, j);
                b.swap(i, j);
            }
            let (above, below) = a.split_at_mut(i + 1);
            let pivot = &above[i];
            for (offset, row) in below.iter_mut().enumerate() {
                if row[i] == 1 {
                    row.iter_mut().zip(pivot).for_each(|(cell, pivot)| *cell ^= pivot);
                    b[i + 1 + offset] ^= b[i];
                }
            }
        }
        let mut x = vec![0; n];
        for i in (0..n).rev() {
            let known: i64 = (i + 1..n).map(|j| a[i][j] & x[j]).sum();
            x[i] = (b[i] ^ known) % 2;
        }
        x
    }
}

/// A number modulo 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Z2(i32);

impl Z2 {
    fn minus(self, other: Self) -> Self {
        Self((self.0 - other.0).rem_euclid(2))
    }

    fn times(self, other: Self) -> Self {
        Self((self.0 * other.0).rem_euclid(2))
    }
}

/// The Java version.
#[derive(Debug)]
pub(crate) struct JavaTextbook;

impl JavaTextbook {
    /// The presses. They are a solution if there is one.
    pub(crate) fn solve(board: &[bool]) -> Vec<bool> {
        let size = board.len().isqrt();
        let mut a = vec![vec![Z2(0); board.len()]; board.len()];
        for (key, row) in a.iter_mut().enumerate() {
            neighbours(key, size).for_each(|light| row[light] = Z2(1));
        }
        let mut b: Vec<Z2> = board.iter().map(|&lit| Z2(i32::from(lit))).collect();
        Self::triangulate(&mut a, &mut b);
        let mut x = vec![Z2(0); b.len()];
        for i in (0..b.len()).rev() {
            for j in i + 1..b.len() {
                b[i] = b[i].minus(a[i][j].times(x[j]));
            }
            x[i] = b[i];
        }
        x.into_iter().map(|press| press == Z2(1)).collect()
    }

    fn triangulate(a: &mut [Vec<Z2>], b: &mut [Z2]) {
        for i in 0..b.len() {
            let Some(found) = (i..b.len()).find(|&k| a[k][i].0 > 0) else { continue };
            a.swap(i, found);
            b.swap(i, found);
            let (above, below) = a.split_at_mut(i + 1);
            let pivot = &above[i];
            for (offset, row) in below.iter_mut().enumerate() {
                let factor = row[i];
                for (cell, &pivot) in row.iter_mut().zip(pivot) {
                    *cell = cell.minus(factor.times(pivot));
                }
                b[i + 1 + offset] = b[i + 1 + offset].minus(factor.times(b[i]));
            }
        }
    }
}

/// The lights of a key: its own and its neighbours on the board.
fn neighbours(key: usize, size: usize) -> impl Iterator<Item = usize> {
    let (row, column) = (key / size, key % size);
    let lights = [
        Some(key),
        (row > 0).then(|| key - size),
        (row + 1 < size).then(|| key + size),
        (column > 0).then(|| key - 1),
        (column + 1 < size).then(|| key + 1),
    ];
    lights.into_iter().flatten()
}
