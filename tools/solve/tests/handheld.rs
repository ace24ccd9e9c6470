//! Tests of boards of the handheld: solutions for every rule, and agreement of the two solvers for the plus rule.

use std::collections::HashSet;

use lights_out::board::{Board, Cells, Presses};
use lights_out::code::Code;
use lights_out::rules::{Rule, Size, Variant};
use rand_core::Rng;
use rand_pcg::Pcg32;
use solve::{HandheldBoard, Matrix, Solver};

/// Boards of a variant. Every second one is made by presses, so it has a solution; the others are random.
fn boards(variant: Variant, count: usize) -> impl Iterator<Item = Board> {
    let solver = lights_out::solver::Solver::new(variant);
    let mut rng = Pcg32::new(count as u64, 2);
    (0..count).map(move |n| {
        let random = Cells::from_bits(rng.next_u32()) & variant.cells();
        if n % 2 == 0 { solver.press_all(Board::DARK, Presses::on(random)) } else { Board::of(random) }
    })
}

fn of_code(variant: Variant, board: Board) -> HandheldBoard {
    HandheldBoard::of_code(Code::of(variant, board).as_str()).expect("its own code")
}

/// The mask of a matrix on the 5x5 grid, at the position where the handheld shows the board.
fn mask_of(matrix: &Matrix, size: Size) -> u32 {
    let side = size.side();
    let cells = (0..side).flat_map(|row| (0..side).map(move |column| (row, column)));
    let ones = cells.filter(|&(row, column)| matrix.get(row, column));
    ones.fold(0, |mask, (row, column)| mask | 1 << (5 * (row + size.origin()) + column + size.origin()))
}

#[test]
fn solutions_of_every_rule_put_the_lights_out() {
    for variant in Variant::all() {
        let solver = lights_out::solver::Solver::new(variant);
        for board in boards(variant, 40) {
            let coded = of_code(variant, board);
            assert_eq!(mask_of(&coded.lights(), variant.size), board.bits());
            let Some(solutions) = coded.solutions() else {
                assert!(!solver.is_solvable(board), "{variant:?} {board}");
                continue;
            };
            assert_eq!(solutions.len(), 1 << solver.quiet_patterns().len());
            let mut different = HashSet::new();
            for solution in &solutions {
                let presses = Presses::from_bits(mask_of(&solution.presses, variant.size));
                assert!(solver.press_all(board, presses).is_dark(), "{variant:?} {board}");
                assert_eq!(solution.count, presses.len());
                assert_eq!(solution.proven_shortest, Some(solution.count) == solver.par(board));
                assert!(different.insert(presses));
            }
            assert!(solutions.is_sorted_by_key(|solution| solution.count));
            assert!(solutions[0].proven_shortest);
        }
    }
}

#[test]
fn both_solvers_agree_on_the_plus_rule() {
    for size in Size::ALL {
        let variant = Variant { rule: Rule::Plus, size };
        let solver = Solver::new(size.side());
        for board in boards(variant, 200) {
            let coded = of_code(variant, board);
            assert_eq!(HandheldBoard::of_matrix(&coded.lights()), Some(coded));
            let any = solver.solutions(&coded.lights());
            let sorted = |mut all: Vec<String>| {
                all.sort();
                all
            };
            let here = any.map(|any| sorted(any.all().expect("few").map(|one| one.presses.to_string()).collect()));
            let there = coded.solutions().map(|all| sorted(all.iter().map(|one| one.presses.to_string()).collect()));
            assert_eq!(here, there, "{board}");
        }
    }
}
