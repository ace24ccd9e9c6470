//! Light chasing, on every board.

use lights_out::board::{Board, Cell, Cells, Presses};
use lights_out::chase::{Chase, ChaseStep};
use lights_out::rules::{Rule, Size, Variant};
use lights_out::solver::{CLASSIC, Solver};

use crate::support::boards::boards_within;

/// Plays the lesson to its end. Returns false if it ends stuck. Panics if a chase does not put out its light, if there
/// is a second top row, or if the lesson does not end.
fn play_lesson(solver: &Solver, chase: Chase<'_>, start: Board) -> bool {
    let mut board = start;
    let mut top_rows = 0;
    for _ in 0..64 {
        match chase.next(board) {
            ChaseStep::Chase { light, key } => {
                assert_eq!((key.row(), key.column()), (light.row() + 1, light.column()));
                board = solver.press(board, key);
                assert!(!board.is_lit(light), "{start}");
            }
            ChaseStep::TopRow(keys) => {
                top_rows += 1;
                assert_eq!(top_rows, 1, "a second top row: {start}");
                assert!(keys.iter().all(|key| key.row() == solver.variant().size.origin()));
                board = solver.press_all(board, keys);
            }
            ChaseStep::Done => {
                assert!(board.is_dark());
                return true;
            }
            ChaseStep::Stuck => return false,
        }
    }
    panic!("the lesson does not end: {start}");
}

/// Proof by induction over the lights from the top left. A chase puts one light out and leaves the lights before it
/// dark. So every lesson reaches a board with lights in the bottom row only. From each of those boards the lesson is
/// played to its end.
#[test]
fn lesson_solves_exactly_the_solvable_boards() {
    for rule in [Rule::Plus, Rule::Ring] {
        for size in Size::ALL {
            let variant = Variant { rule, size };
            let solver = Solver::new(variant);
            let chase = Chase::new(&solver).expect("the rule can be chased");
            // All boards of this size: 2^25 boards of 5 x 5 cells.
            for board in boards_within(variant.cells()) {
                let is_solvable = solver.is_solvable(board);
                if let ChaseStep::Chase { light, key } = chase.next(board) {
                    assert_eq!((key.row(), key.column()), (light.row() + 1, light.column()));
                    let next = solver.press(board, key);
                    assert!(next.lit().iter().all(|lit| lit > light), "{variant:?} {board}");
                    assert_eq!(solver.is_solvable(next), is_solvable, "{variant:?} {board}");
                } else {
                    let bottom = Cells::in_row(size.origin() + size.side() - 1);
                    assert!(board.lit().is_subset(bottom), "{variant:?} {board}");
                    assert_eq!(play_lesson(&solver, chase, board), is_solvable, "{variant:?} {board}");
                }
            }
        }
    }
}

#[test]
fn other_rules_cannot_be_chased() {
    for variant in Variant::all().filter(|variant| !matches!(variant.rule, Rule::Plus | Rule::Ring)) {
        let solver = Solver::new(variant);
        // On 2 x 2 the plus on a torus is the plus: each key reaches the same two neighbours.
        let same_as_plus = variant.toggles() == Variant { rule: Rule::Plus, ..variant }.toggles();
        assert_eq!(Chase::new(&solver).is_some(), same_as_plus, "{variant:?}");
    }
}

#[test]
fn each_bottom_row_has_its_top_row() {
    let chase = Chase::new(&CLASSIC).unwrap();
    let columns = |columns: &str, row: usize| {
        columns.bytes().map(|digit| Cell::at(row, usize::from(digit - b'1')).unwrap()).collect::<Cells>()
    };
    let table = [("123", "2"), ("1245", "3"), ("134", "5"), ("15", "12"), ("235", "1"), ("24", "14"), ("345", "4")];
    for (bottom, top) in table {
        let board = Board::of(columns(bottom, 4));
        assert_eq!(chase.next(board), ChaseStep::TopRow(Presses::on(columns(top, 0))), "bottom row {bottom}");
    }
    // No solvable board leads to any other bottom row.
    for bits in 1..32_u32 {
        let board = Board::from_bits(bits << 20);
        let known = table.iter().any(|(bottom, _)| columns(bottom, 4) == board.lit());
        assert_eq!(chase.next(board) == ChaseStep::Stuck, !known, "{board}");
    }
}

#[test]
fn light_outside_the_board_is_stuck() {
    let solver = Solver::new(Variant { rule: Rule::Plus, size: Size::Three });
    let chase = Chase::new(&solver).unwrap();
    assert_eq!(chase.next(Board::from_bits(1)), ChaseStep::Stuck);
}
