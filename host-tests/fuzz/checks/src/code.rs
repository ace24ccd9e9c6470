//! Codes of boards that a user types.

use lights_out::board::Board;
use lights_out::code::{Code, parse};
use lights_out::rules::Variant;
use lights_out::solver::Solver;
use solve::HandheldBoard;
use web::puzzles;

use crate::expect_one_line;

/// The input is the typed text. An accepted text is the canonical code of its board, apart from case, spaces and
/// similar letters. With one wrong character, a code is refused.
pub fn code(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let parsed = parse(&text);
    assert_eq!(HandheldBoard::of_code(&text).map(|board| board.code()), parsed.map(|(v, b)| Code::of(v, b)));
    match parsed {
        Ok((variant, board)) => check_accepted(&text, variant, board),
        Err(error) => expect_one_line(&error.to_string()),
    }
}

fn check_accepted(text: &str, variant: Variant, board: Board) {
    assert!(board.lit().is_subset(variant.cells()), "no light outside the board");
    let code = Code::of(variant, board);
    assert_eq!(code.as_str(), canonical(text));
    assert_eq!(parse(code.as_str()), Ok((variant, board)));
    let puzzle = puzzles::read(text).expect("the page accepts the same codes");
    assert_eq!((&puzzle.code, puzzle.lights), (&code, board.bits()));
    assert_eq!(puzzle.par, Solver::new(variant).par(board));
    for index in 0..code.as_str().len() {
        let mut mistyped: Vec<u8> = code.as_str().into();
        mistyped[index] = if mistyped[index] == b'Z' { b'0' } else { b'Z' };
        let mistyped = String::from_utf8(mistyped).expect("ASCII");
        assert!(parse(&mistyped).is_err(), "{code} and {mistyped} are both accepted");
    }
}

/// The canonical form of a text: without spaces and hyphens, in capitals, with digits instead of similar letters.
fn canonical(text: &str) -> String {
    let kept = text.chars().filter(|c| !c.is_whitespace() && !"-\u{2010}\u{2011}".contains(*c));
    kept.map(|c| match c.to_ascii_uppercase() {
        'O' => '0',
        'I' | 'L' => '1',
        other => other,
    })
    .collect()
}
