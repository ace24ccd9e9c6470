//! Boards as text, for the `solve` tool.

use solve::read::Position;
use solve::{HandheldBoard, MAX_SIZE, Matrix, ReadError, solve};

use crate::expect_one_line;

/// The largest size that is solved. Larger boards are only parsed, to save time.
const MAX_SOLVED_SIZE: usize = 12;
/// The largest size for which all press sets are tried.
const MAX_SEARCHED_SIZE: usize = 3;

/// The input is the text of a board. An accepted board parses back from its own text, and its solution puts all lights
/// out. An error has a position within the text.
pub fn matrix(input: &[u8]) {
    match Matrix::read(input) {
        Ok(board) => {
            assert!((1..=MAX_SIZE).contains(&board.size()));
            assert_eq!(Matrix::read(board.to_string().as_bytes()).expect("the text of a board"), board);
            if board.size() <= MAX_SOLVED_SIZE {
                check_solution(&board);
            }
        }
        Err(ReadError::Bad { at, problem }) => {
            assert!(is_within(at, input), "{at:?} is not in the text: {problem:?}");
            expect_one_line(&problem.to_string());
        }
        Err(ReadError::Io(error)) => panic!("reading from memory never fails: {error}"),
    }
}

fn check_solution(board: &Matrix) {
    let solution = solve(board);
    if let Some(solution) = &solution {
        assert!(is_dark_after(board, &solution.presses), "{board} is not solved by {}", solution.presses);
        assert_eq!(solution.count, solution.presses.ones());
        assert!(solution.proven_shortest, "up to 12 rows all solutions are compared");
    }
    let fewest = solution.map(|solution| solution.count);
    if board.size() <= MAX_SEARCHED_SIZE {
        let all = (0..1_u32 << (board.size() * board.size())).map(|presses| from_bits(board.size(), presses));
        assert_eq!(fewest, all.filter(|presses| is_dark_after(board, presses)).map(|presses| presses.ones()).min());
    }
    // The handheld has another solver: both agree.
    if let Some(handheld) = HandheldBoard::of_matrix(board) {
        assert_eq!(fewest, handheld.solutions().map(|all| all[0].count), "{board}");
    }
}

fn from_bits(size: usize, bits: u32) -> Matrix {
    Matrix::from_rows((0..size).map(|row| (bits >> (size * row)).into()).collect())
}

/// Whether the presses put all lights out, computed cell by cell.
fn is_dark_after(board: &Matrix, presses: &Matrix) -> bool {
    let cells = (0..board.size()).flat_map(|row| (0..board.size()).map(move |column| (row, column)));
    cells.into_iter().all(|(row, column)| {
        let beside = [
            (row, column),
            (row.wrapping_sub(1), column),
            (row + 1, column),
            (row, column.wrapping_sub(1)),
            (row, column + 1),
        ];
        let flips = beside.into_iter().filter(|&(row, column)| presses.get(row, column)).count();
        board.get(row, column) == (flips % 2 == 1)
    })
}

/// Whether the position is in the text. The end of a line and the end of the text are included.
fn is_within(at: Position, text: &[u8]) -> bool {
    let line = text.split(|&byte| byte == b'\n').nth(at.line.wrapping_sub(1));
    line.is_some_and(|line| (1..=line.len() + 1).contains(&at.column))
}
