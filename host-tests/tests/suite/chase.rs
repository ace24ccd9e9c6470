//! Light chasing, on every board.

use lights_out::board::{Board, Cell, Cells, Presses};
use lights_out::chase::{Chase, Step};
use lights_out::rules::{Rule, Size, Variant};
use lights_out::solver::{CLASSIC, Solver};

use crate::support::boards::boards_within;

/// Plays the lesson to its end; false when it ends stuck. Panics when it is not a lesson: a chase that does not put out
/// its light, a second top row, or one that never ends.
fn follow(solver: &Solver, chase: Chase<'_>, start: Board) -> bool {
    let mut board = start;
    let mut top_rows = 0;
    for _ in 0..64 {
        match chase.next(board) {
            Step::Chase { light, key } => {
                assert_eq!((key.row(), key.column()), (light.row() + 1, light.column()));
                board = solver.press(board, key);
                assert!(!board.is_lit(light), "{start}");
            }
            Step::TopRow(keys) => {
                top_rows += 1;
                assert_eq!(top_rows, 1, "a second top row: {start}");
                assert!(keys.iter().all(|key| key.row() == solver.variant().size.origin()));
                board = solver.press_all(board, keys);
            }
            Step::Done => {
                assert!(board.is_dark());
                return true;
            }
            Step::Stuck => return false,
        }
    }
    panic!("the lesson does not end: {start}");
}

/// By induction over the lights from the top left: a chase puts one out and leaves those before it dark, so a lesson comes to a
/// board with lights in its bottom row alone; from each of those it is followed to its end.
#[test]
fn the_lesson_ends_dark_exactly_when_the_board_can_be_solved() {
    for rule in [Rule::Plus, Rule::Ring] {
        for size in Size::ALL {
            let variant = Variant { rule, size };
            let solver = Solver::new(variant);
            let chase = Chase::new(&solver).expect("the key below a light is the only one so far down that flips it");
            // All boards of this size; for the five by five ones these are all 2^25.
            for board in boards_within(variant.cells()) {
                let is_solvable = solver.is_solvable(board);
                if let Step::Chase { light, key } = chase.next(board) {
                    assert_eq!((key.row(), key.column()), (light.row() + 1, light.column()));
                    let next = solver.press(board, key);
                    assert!(next.lit().iter().all(|lit| lit > light), "{variant:?} {board}");
                    assert_eq!(solver.is_solvable(next), is_solvable, "{variant:?} {board}");
                } else {
                    let bottom = Cells::in_row(size.origin() + size.side() - 1);
                    assert!(board.lit().is_subset(bottom), "{variant:?} {board}");
                    assert_eq!(follow(&solver, chase, board), is_solvable, "{variant:?} {board}");
                }
            }
        }
    }
}

#[test]
fn the_other_shapes_cannot_be_chased() {
    for variant in Variant::all().filter(|variant| !matches!(variant.rule, Rule::Plus | Rule::Ring)) {
        let solver = Solver::new(variant);
        // On two by two the torus of the plus is the plus: each key reaches both its neighbours either way.
        let same_as_plus = variant.toggles() == Variant { rule: Rule::Plus, ..variant }.toggles();
        assert_eq!(Chase::new(&solver).is_some(), same_as_plus, "{variant:?}");
    }
}

#[test]
fn the_top_row_that_each_bottom_row_calls_for() {
    let chase = Chase::new(&CLASSIC).unwrap();
    let columns = |columns: &str, row: usize| {
        columns.bytes().map(|digit| Cell::at(row, usize::from(digit - b'1')).unwrap()).collect::<Cells>()
    };
    let table = [("123", "2"), ("1245", "3"), ("134", "5"), ("15", "12"), ("235", "1"), ("24", "14"), ("345", "4")];
    for (bottom, top) in table {
        let board = Board::of(columns(bottom, 4));
        assert_eq!(chase.next(board), Step::TopRow(Presses::on(columns(top, 0))), "bottom row {bottom}");
    }
    // Every other bottom row is left by no solvable board.
    for bits in 1..32_u32 {
        let board = Board::from_bits(bits << 20);
        let known = table.iter().any(|(bottom, _)| columns(bottom, 4) == board.lit());
        assert_eq!(chase.next(board) == Step::Stuck, !known, "{board}");
    }
}

#[test]
fn a_light_outside_a_small_board_is_stuck_not_endless() {
    let solver = Solver::new(Variant { rule: Rule::Plus, size: Size::Three });
    let chase = Chase::new(&solver).unwrap();
    assert_eq!(chase.next(Board::from_bits(1)), Step::Stuck);
}
