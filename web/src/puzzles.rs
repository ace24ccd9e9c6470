//! Codes of boards, for the page: reading a code, the code of a level, and the code of the puzzle of the day.
//!
//! The page opens a board by pressing the keys that a player would press in Create. So it needs the rule and the size
//! as columns of the menu, and the lights as cells.

use lights_out::code::{self, Code, CodeError};
use lights_out::rules::Variant;
use lights_out::solver::Solver;
use lights_out::{daily, level_boards};

/// The board of a code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Puzzle {
    /// The code in its standard form.
    pub code: Code,
    /// The column of the rule in the menu, from 0.
    pub rule: usize,
    /// The column of the size in the menu, from 0.
    pub size: usize,
    /// The lights that are on; bit n is cell n.
    pub lights: u32,
    /// The fewest presses that solve it; `None` if it cannot be solved.
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

/// The code of a level. Levels count from 1.
pub fn level(number: usize) -> Option<Code> {
    let board = level_boards::board(number.checked_sub(1)?)?;
    Some(Code::of(Variant::CLASSIC, board))
}

/// The code of the puzzle of a day. Days count from 1 January 1970.
pub fn of_day(day: u32) -> Code {
    let (variant, board) = daily::puzzle(day);
    Code::of(variant, board)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rule_and_size_are_columns_of_the_menu() {
        let code = level(1).expect("a level");
        let puzzle = read(&code.as_str().to_lowercase()).expect("a code");
        assert_eq!((puzzle.rule, puzzle.size, puzzle.par), (0, 3, Some(1)));
        assert_eq!(puzzle.code, code);
        assert_eq!(puzzle.lights, level_boards::board(0).expect("a level").bits());
    }

    #[test]
    fn unsolvable_board_has_no_par() {
        let one_light = Code::of(Variant::CLASSIC, lights_out::board::Board::from_bits(1));
        assert_eq!(read(one_light.as_str()).expect("a code").par, None);
    }

    #[test]
    fn invalid_code_is_refused_with_a_reason() {
        assert!(read("").is_err());
        let reason = read("000000?").expect_err("an invalid code").to_string();
        assert!(reason.contains('?'), "{reason}");
    }

    #[test]
    fn levels_are_1_to_75_and_days_differ() {
        assert_eq!((level(0), level(76)), (None, None));
        assert!(level(75).is_some());
        assert_ne!(of_day(20_000), of_day(20_001));
    }
}
