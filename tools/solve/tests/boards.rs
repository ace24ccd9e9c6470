//! Tests of the solver against a simple model of the rule: a press toggles a light and its neighbours.

use std::collections::HashSet;

use proptest::prelude::*;
use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;
use solve::solver::{MAX_NULLITY_COMPARED, MAX_NULLITY_LISTED};
use solve::{MAX_SIZE, Matrix, Solver, solve};

/// Lights or keys, row by row, in the simplest form: speed does not matter here.
type Grid = Vec<Vec<bool>>;

fn grid(matrix: &Matrix) -> Grid {
    (0..matrix.size()).map(|row| (0..matrix.size()).map(|column| matrix.get(row, column)).collect()).collect()
}

fn matrix(grid: &Grid) -> Matrix {
    let bits = |row: &Vec<bool>| row.iter().rev().fold(0, |bits, &bit| bits << 1 | u128::from(bit));
    Matrix::from_rows(grid.iter().map(bits).collect())
}

fn press(lights: &mut Grid, row: usize, column: usize) {
    let size = lights.len() as isize;
    for (down, right) in [(0, 0), (-1, 0), (1, 0), (0, -1), (0, 1)] {
        let (row, column) = (row as isize + down, column as isize + right);
        if (0..size).contains(&row) && (0..size).contains(&column) {
            let light = &mut lights[row as usize][column as usize];
            *light = !*light;
        }
    }
}

/// The board after pressing every key of `presses`.
fn press_all(board: &Matrix, presses: &Matrix) -> Matrix {
    let mut lights = grid(board);
    for (row, keys) in grid(presses).iter().enumerate() {
        for (column, _) in keys.iter().enumerate().filter(|(_, pressed)| **pressed) {
            press(&mut lights, row, column);
        }
    }
    matrix(&lights)
}

fn is_dark(board: &Matrix) -> bool {
    board.ones() == 0
}

fn random_matrix(size: usize, random: &mut impl Rng) -> Matrix {
    let row = |_| u128::from(random.next_u64()) << 64 | u128::from(random.next_u64());
    Matrix::from_rows((0..size).map(row).collect())
}

/// A small matrix from the bits of a number, row by row.
fn small_matrix(size: usize, bits: u32) -> Matrix {
    Matrix::from_rows((0..size).map(|row| u128::from(bits >> (row * size))).collect())
}

fn small_bits(matrix: &Matrix) -> u32 {
    matrix.rows().iter().rev().fold(0, |bits, &row| bits << matrix.size() | row as u32)
}

fn nullity(size: usize) -> usize {
    Solver::new(size).quiet_patterns().len()
}

#[test]
fn nullities_are_the_known_ones() {
    let known = [0, 0, 0, 4, 2, 0, 0, 0, 8, 0, 6, 0, 0, 4, 0, 8, 2, 0, 16, 0];
    assert_eq!((1..=20).map(nullity).collect::<Vec<_>>(), known);
}

#[test]
fn quiet_patterns_are_quiet_and_independent() {
    for size in 1..=MAX_SIZE {
        let solver = Solver::new(size);
        let quiet = solver.quiet_patterns();
        for pattern in quiet {
            assert!(is_dark(&press_all(&Matrix::zero(size), pattern)), "{size}: {pattern}");
        }
        // The top row determines a quiet pattern, so it is enough that the top rows are independent.
        let top_rows: Vec<u128> = quiet.iter().map(|pattern| pattern.rows()[0]).collect();
        assert!(solve::gf2::Elimination::of(&top_rows).null_basis().is_empty(), "{size}");
    }
}

#[test]
fn random_boards_of_every_size_are_solved() {
    let mut random = Pcg64Mcg::seed_from_u64(1);
    for size in 1..=MAX_SIZE {
        let solver = Solver::new(size);
        for _ in 0..3 {
            let made_by = random_matrix(size, &mut random);
            let board = press_all(&Matrix::zero(size), &made_by);
            let solution = solver.solutions(&board).expect("it was made by presses").shortest();
            assert!(is_dark(&press_all(&board, &solution.presses)), "{size}\n{board}");
            assert_eq!(solution.count, solution.presses.ones());
            assert_eq!(solution.proven_shortest, nullity(size) <= MAX_NULLITY_COMPARED);
            if solution.proven_shortest {
                assert!(solution.count <= made_by.ones(), "{size}\n{board}");
            }
        }
    }
}

/// A board is unsolvable exactly if it has an odd number of lights in common with some quiet pattern.
#[test]
fn boards_have_a_solution_or_fail_a_parity_check() {
    let mut random = Pcg64Mcg::seed_from_u64(2);
    for size in 1..=MAX_SIZE {
        let solver = Solver::new(size);
        for _ in 0..10 {
            let board = random_matrix(size, &mut random);
            let is_even = |quiet: &Matrix| {
                quiet.rows().iter().zip(board.rows()).map(|(a, b)| (a & b).count_ones()).sum::<u32>() % 2 == 0
            };
            let passes = solver.quiet_patterns().iter().all(is_even);
            assert_eq!(solver.solutions(&board).is_some(), passes, "{size}\n{board}");
        }
    }
}

#[test]
fn small_boards_agree_with_brute_force() {
    for size in 1..=4 {
        let boards = 1_u32 << (size * size);
        let mut fewest = vec![None; boards as usize];
        for bits in 0..boards {
            let board = small_bits(&press_all(&Matrix::zero(size), &small_matrix(size, bits)));
            let known = &mut fewest[board as usize];
            *known = Some(known.unwrap_or(u32::MAX).min(bits.count_ones()));
        }
        let solver = Solver::new(size);
        for bits in 0..boards {
            let board = small_matrix(size, bits);
            let solution = solver.solutions(&board).map(|solutions| solutions.shortest());
            assert_eq!(solution.as_ref().map(|solution| solution.count), fewest[bits as usize], "\n{board}");
            assert!(solution.is_none_or(|solution| is_dark(&press_all(&board, &solution.presses))), "\n{board}");
        }
    }
}

/// All 2^25 boards of the handheld, counted by the fewest presses that solve them.
#[test]
fn all_5x5_boards_have_the_known_number_of_presses() {
    let known = [
        1, 25, 300, 2300, 12650, 53130, 176176, 467104, 982335, 1596279, 1935294, 1684446, 1004934, 383670, 82614, 7350,
    ];
    let solver = Solver::new(5);
    let mut counted = [0; 16];
    for bits in 0..1 << 25 {
        if let Some(solutions) = solver.solutions(&small_matrix(5, bits)) {
            counted[solutions.shortest().count as usize] += 1;
        }
    }
    assert_eq!(counted, known);
    let all_on = solve(&small_matrix(5, u32::MAX)).expect("the board with all lights on has a solution at any size");
    assert_eq!(all_on.count, 15);
}

#[test]
fn board_with_all_lights_on_has_a_solution_at_any_size() {
    for size in 1..=MAX_SIZE {
        let board = Matrix::from_rows(vec![u128::MAX; size]);
        let solution = solve(&board).expect("a theorem of Sutner");
        assert!(is_dark(&press_all(&board, &solution.presses)), "{size}");
    }
}

#[test]
fn all_solutions_are_distinct_valid_and_in_order() {
    let mut random = Pcg64Mcg::seed_from_u64(3);
    for size in 1..=MAX_SIZE {
        let solver = Solver::new(size);
        let board = press_all(&Matrix::zero(size), &random_matrix(size, &mut random));
        let solutions = solver.solutions(&board).expect("it was made by presses");
        let Some(all) = solutions.all() else {
            assert!(solutions.nullity() > MAX_NULLITY_LISTED);
            continue;
        };
        let all: Vec<_> = all.collect();
        assert_eq!(all.len(), 1 << solutions.nullity());
        assert_eq!(all.iter().map(|solution| &solution.presses).collect::<HashSet<_>>().len(), all.len());
        assert_eq!(all[0], solutions.shortest());
        assert!(all.is_sorted_by_key(|solution| solution.count));
        for solution in &all {
            assert!(is_dark(&press_all(&board, &solution.presses)), "{size}\n{board}");
            assert_eq!(solution.proven_shortest, solution.count == all[0].count);
        }
    }
}

proptest! {
    /// Boards made by few presses have a short solution, unlike random boards.
    #[test]
    fn solution_has_no_more_presses_than_made_the_board(
        size in (1..=MAX_SIZE).prop_filter("provable", |&size| nullity(size) <= 12),
        keys in prop::collection::vec((0..MAX_SIZE, 0..MAX_SIZE), 0..40),
    ) {
        let mut lights = grid(&Matrix::zero(size));
        for (row, column) in &keys {
            press(&mut lights, row % size, column % size);
        }
        let board = matrix(&lights);
        let solution = solve(&board).expect("it was made by presses");
        prop_assert!(solution.count as usize <= keys.len());
        prop_assert!(is_dark(&press_all(&board, &solution.presses)));
    }
}
