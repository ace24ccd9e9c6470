//! The number of presses of all 2^d solutions of a board, at once.
//!
//! A quiet pattern is a set of presses that changes no light. If p is one solution of a board, all solutions are p plus
//! any sum of d quiet patterns q_0 .. q_(d-1). The *choice* c has one bit for each quiet pattern: whether it is in the
//! sum. The *signature* g_i of key i has one bit for each quiet pattern too: whether the pattern presses key i. g·c is
//! the number of bits that g and c have in common. Key i is pressed if p_i + g_i·c is odd. With N keys in total, the
//! number of presses is
//!
//! ```text
//! count(c) = (N - sum over keys i of (-1)^(p_i + g_i·c)) / 2
//!          = (N - sum over signatures g of f(g) (-1)^(g·c)) / 2
//! f(g)     = sum of (-1)^(p_i) over keys i with g_i = g
//! ```
//!
//! The last sum is the Walsh-Hadamard transform of f. It takes d 2^d additions in place, for a board of any size: 20
//! million additions and 2 MiB for d = 20. The additions have 16 bits, and one instruction does eight of them. To add
//! up each solution of a 100x100 board instead would take 100 million additions of rows.

use crate::matrix::{MAX_SIZE, Matrix};

/// The number of presses of `start` plus each choice of `quiet`, where bit k of the index chooses `quiet[k]`.
///
/// Takes 2 bytes for each of the 2^d choices.
///
/// # Panics
///
/// If there are more than 31 quiet patterns, or the sizes differ.
pub fn press_counts(start: &Matrix, quiet: &[Matrix]) -> Vec<i16> {
    assert!(quiet.len() < 32, "signatures have 32 bits");
    assert!(quiet.iter().all(|pattern| pattern.size() == start.size()), "matrices of one size");
    let size = start.size();
    let mut sums = vec![0_i16; 1 << quiet.len()];
    for (r, &pressed) in start.rows().iter().enumerate() {
        let mut signatures = [0_u32; MAX_SIZE];
        for (k, pattern) in quiet.iter().enumerate() {
            let mut bits = pattern.rows()[r];
            while bits != 0 {
                signatures[bits.trailing_zeros() as usize] |= 1 << k;
                bits &= bits - 1;
            }
        }
        for (c, &signature) in signatures[..size].iter().enumerate() {
            sums[signature as usize] += if pressed >> c & 1 == 1 { -1 } else { 1 };
        }
    }
    walsh_hadamard(&mut sums);
    let keys = (size * size) as i16;
    sums.iter_mut().for_each(|sum| *sum = (keys - *sum) / 2);
    sums
}

/// Replaces f by its transform: entry c becomes the sum over g of f(g) (-1)^(g·c).
///
/// No sum is larger than the sum of all |f(g)|, which is at most 10,000: one for each key. It fits into 16 bits, so the
/// wrapping operations never wrap. They are used because the compiler can do eight of them in one instruction.
fn walsh_hadamard(values: &mut [i16]) {
    let mut half = 1;
    while half < values.len() {
        for block in values.chunks_exact_mut(2 * half) {
            let (without, with) = block.split_at_mut(half);
            for (a, b) in without.iter_mut().zip(with) {
                (*a, *b) = (a.wrapping_add(*b), a.wrapping_sub(*b));
            }
        }
        half *= 2;
    }
}

/// Adds the quiet patterns of `choice` to `presses`.
pub fn add_choice(presses: &mut Matrix, quiet: &[Matrix], choice: usize) {
    for (k, pattern) in quiet.iter().enumerate() {
        if choice >> k & 1 == 1 {
            presses.add(pattern);
        }
    }
}

/// The sum of `start` and a choice of `quiet` that has the fewest presses. Among equals, the smallest choice counts.
pub fn shortest_of_all(start: &Matrix, quiet: &[Matrix]) -> Matrix {
    let counts = press_counts(start, quiet);
    let fewest = counts.iter().copied().min().unwrap_or(0);
    let choice = counts.iter().position(|&count| count == fewest).unwrap_or(0);
    let mut presses = start.clone();
    add_choice(&mut presses, quiet, choice);
    presses
}

/// Reduces the presses of `start` step by step. Each step takes the best choice among `window` neighbouring quiet
/// patterns. The descent ends when no step helps; the result need not be the shortest of all.
pub fn shorter_by_steps(start: &Matrix, quiet: &[Matrix], window: usize) -> Matrix {
    let mut best = start.clone();
    loop {
        let before = best.ones();
        for window in quiet.windows(window.clamp(1, quiet.len().max(1))) {
            best = shortest_of_all(&best, window);
        }
        if best.ones() == before {
            return best;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn matrices(size: usize, number: usize) -> impl Strategy<Value = Vec<Matrix>> {
        let matrix = prop::collection::vec(any::<u128>(), size).prop_map(Matrix::from_rows);
        prop::collection::vec(matrix, number)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// The counts are correct for any patterns, so the test uses random ones.
        #[test]
        fn counts_equal_those_of_the_sums(
            (start, quiet) in (1..=MAX_SIZE, 0..=8_usize)
                .prop_flat_map(|(size, number)| matrices(size, number + 1))
                .prop_map(|mut all| (all.pop().expect("there is one more"), all))
        ) {
            let counts = press_counts(&start, &quiet);
            prop_assert_eq!(counts.len(), 1 << quiet.len());
            let mut fewest = start.ones();
            for (choice, &count) in counts.iter().enumerate() {
                let mut sum = start.clone();
                add_choice(&mut sum, &quiet, choice);
                prop_assert_eq!(sum.ones(), count as u32);
                fewest = fewest.min(sum.ones());
            }
            prop_assert_eq!(shortest_of_all(&start, &quiet).ones(), fewest);
            prop_assert_eq!(shorter_by_steps(&start, &quiet, 8).ones(), fewest);
            prop_assert!(shorter_by_steps(&start, &quiet, 2).ones() >= fewest);
        }
    }

    #[test]
    fn extreme_counts_fit_16_bits() {
        let all = Matrix::from_rows(vec![u128::MAX; MAX_SIZE]);
        let none = Matrix::zero(MAX_SIZE);
        assert_eq!(press_counts(&all, std::slice::from_ref(&all)), [10_000, 0]);
        assert_eq!(press_counts(&none, &[none.clone(), all]), [0, 0, 10_000, 10_000]);
    }
}
