//! Boards as text, for the `solve` tool.

use solve::read::Position;
use solve::{HandheldBoard, MAX_SIZE, Matrix, ReadError, solve};

use crate::expect_one_line;

/// Larger boards are read, but not solved: time is better spent on small ones.
const SOLVED_UP_TO: usize = 12;
/// The number of all boards of 3 x 3 is small enough to try all press sets on one.
const TRIED_UP_TO: usize = 3;

/// The input is the text of a board. What is accepted is read back from its own text, and its solution puts the lights out; what
/// is refused is refused at a place within the text.
pub fn matrix(input: &[u8]) {
    match Matrix::read(input) {
        Ok(board) => {
            assert!((1..=MAX_SIZE).contains(&board.size()));
            assert_eq!(Matrix::read(board.to_string().as_bytes()).expect("its own text"), board);
            if board.size() <= SOLVED_UP_TO {
                check_solution(&board);
            }
        }
        Err(ReadError::Bad { at, problem }) => {
            assert!(is_within(at, input), "{at:?} is not in the text: {problem:?}");
            expect_one_line(&problem.to_string());
        }
        Err(ReadError::Io(error)) => panic!("memory can always be read: {error}"),
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
    if board.size() <= TRIED_UP_TO {
        let all = (0..1_u32 << (board.size() * board.size())).map(|presses| from_bits(board.size(), presses));
        assert_eq!(fewest, all.filter(|presses| is_dark_after(board, presses)).map(|presses| presses.ones()).min());
    }
    // The handheld has a solver of its own.
    if let Some(handheld) = HandheldBoard::of_matrix(board) {
        assert_eq!(fewest, handheld.solutions().map(|all| all[0].count), "{board}");
    }
}

fn from_bits(size: usize, bits: u32) -> Matrix {
    Matrix::from_rows((0..size).map(|row| (bits >> (size * row)).into()).collect())
}

/// Presses key by key, light by light.
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

/// Whether the place is in the text, the end of a line and the end of the text included.
fn is_within(at: Position, text: &[u8]) -> bool {
    let line = text.split(|&byte| byte == b'\n').nth(at.line.wrapping_sub(1));
    line.is_some_and(|line| (1..=line.len() + 1).contains(&at.column))
}
