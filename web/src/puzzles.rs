//! Puzzles by their codes, for the page: what a code says, the code of a level, and that of a day.
//!
//! The page opens a board by pressing the keys that a player would press in Create, so it wants the rule and the size as the
//! menu counts them, and the lights by their keys.

use lights_out::code::{self, Code, CodeError};
use lights_out::rules::Variant;
use lights_out::solver::Solver;
use lights_out::{daily, level_boards};

/// What a code says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Puzzle {
    /// The code, as it is written everywhere.
    pub code: Code,
    /// The column of the rule in the menu, from 0.
    pub rule: usize,
    /// The column of the size in the menu, from 0.
    pub size: usize,
    /// The lights that are on, bit = key.
    pub lights: u32,
    /// The fewest presses that solve it; none if nothing does.
    pub par: Option<u32>,
}

/// Reads a code.
pub fn read(text: &str) -> Result<Puzzle, CodeError> {
    let (variant, board) = code::parse(text)?;
    Ok(Puzzle {
        code: Code::of(variant, board),
        rule: variant.rule as usize,
        size: variant.size as usize,
        lights: board.bits(),
        par: Solver::new(variant).par(board),
    })
}

/// The code of a level, counted from 1.
pub fn level(number: usize) -> Option<Code> {
    let board = level_boards::board(number.checked_sub(1)?)?;
    Some(Code::of(Variant::CLASSIC, board))
}

/// The code of the puzzle of a day, counted from the first of January 1970.
pub fn of_day(day: u32) -> Code {
    let (variant, board) = daily::puzzle(day);
    Code::of(variant, board)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_read_as_the_menu_counts() {
        let code = level(1).expect("a level");
        let puzzle = read(&code.as_str().to_lowercase()).expect("a code");
        assert_eq!((puzzle.rule, puzzle.size, puzzle.par), (0, 3, Some(1)));
        assert_eq!(puzzle.code, code);
        assert_eq!(puzzle.lights, level_boards::board(0).expect("a level").bits());
    }

    #[test]
    fn a_board_that_nothing_solves_has_no_par() {
        let one_light = Code::of(Variant::CLASSIC, lights_out::board::Board::from_bits(1));
        assert_eq!(read(one_light.as_str()).expect("a code").par, None);
    }

    #[test]
    fn what_is_no_code_says_why() {
        assert!(read("").is_err());
        let reason = read("000000?").expect_err("no code").to_string();
        assert!(reason.contains('?'), "{reason}");
    }

    #[test]
    fn there_are_75_levels_and_a_puzzle_for_every_day() {
        assert_eq!((level(0), level(76)), (None, None));
        assert!(level(75).is_some());
        assert_ne!(of_day(20_000), of_day(20_001));
    }
}
