//! The code of a board: each code decodes to its board, and typing mistakes are detected.

use std::collections::HashSet;

use lights_out::board::Board;
use lights_out::code::{self, Code, CodeError};
use lights_out::rules::{Rule, Size, Variant};
use proptest::prelude::*;
use rand_core::Rng;
use rand_pcg::Pcg32;

use crate::support::cases;

const ALPHABET: &str = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// The board of a variant whose n-th cell is lit if the n-th bit is 1.
fn board_of(variant: Variant, lights: u32) -> Board {
    let lit = variant.cells().iter().enumerate().filter(|(n, _)| lights >> n & 1 == 1);
    Board::of(lit.map(|(_, cell)| cell).collect())
}

fn text_of(variant: Variant, board: Board) -> String {
    Code::of(variant, board).to_string()
}

/// Codes of every rule and size: of the first, the last and 40 random boards.
fn sample() -> Vec<String> {
    let mut rng = Pcg32::new(32, 5);
    let mut codes = Vec::new();
    for variant in Variant::all() {
        let boards = [0, u32::MAX].into_iter().chain(std::iter::repeat_with(|| rng.next_u32()).take(40));
        codes.extend(boards.map(|lights| text_of(variant, board_of(variant, lights))));
    }
    codes
}

/// Published codes must keep their meaning: they are printed and in links.
#[test]
fn published_codes_keep_their_meaning() {
    let variant = |rule, size| Variant { rule, size };
    let centre = Board::parse("..... ..... ..#.. ..... .....").unwrap();
    let first = Board::parse("#.... ..... ..... ..... .....").unwrap();
    let all = Board::from_bits(u32::MAX);
    for (variant, board, code) in [
        (Variant::CLASSIC, Board::DARK, "000000E"),
        (Variant::CLASSIC, first, "0000054"),
        (Variant::CLASSIC, all, "4ZZZZVA"),
        (variant(Rule::Ring, Size::Five), centre, "000M04Q"),
        (variant(Rule::Cross, Size::Two), all, "2C0"),
        (variant(Rule::PlusTorus, Size::Three), centre, "02JW"),
        (variant(Rule::CrossTorus, Size::Four), centre, "0503Z"),
    ] {
        assert_eq!(text_of(variant, board), code);
        assert_eq!(code::parse(code), Ok((variant, Board::of(board.lit() & variant.cells()))));
    }
}

#[test]
fn every_board_up_to_size_four_decodes() {
    let mut seen = HashSet::new();
    for variant in Variant::all().filter(|variant| variant.size != Size::Five) {
        for lights in 0..1 << (variant.size.side() * variant.size.side()) {
            let board = board_of(variant, lights);
            let code = Code::of(variant, board);
            assert_eq!(code::parse(code.as_str()), Ok((variant, board)), "{code}");
            assert!(seen.insert(code.to_string()), "{code} is the code of two boards");
        }
    }
    assert_eq!(seen.len(), 5 * ((1 << 4) + (1 << 9) + (1 << 16)));
}

proptest! {
    #![proptest_config(cases(20_000))]

    #[test]
    fn boards_of_size_five_decode(rule in 0..Rule::COUNT, lights in 0..1_u32 << 25) {
        let variant = Variant { rule: Rule::ALL[rule], size: Size::Five };
        let code = text_of(variant, Board::from_bits(lights));
        prop_assert_eq!(code.len(), 7);
        prop_assert_eq!(code::parse(&code), Ok((variant, Board::from_bits(lights))));
    }

    #[test]
    fn any_text_is_parsed_without_panic(text in "\\PC{0,12}") {
        if let Ok((variant, board)) = code::parse(&text) {
            prop_assert!(board.lit().is_subset(variant.cells()));
        }
    }

    #[test]
    fn accepted_code_is_the_canonical_code(text in "[0-9A-HJKMNP-TV-Z]{3,7}") {
        if let Ok((variant, board)) = code::parse(&text) {
            prop_assert_eq!(text_of(variant, board), text);
        }
    }
}

#[test]
fn every_wrong_character_is_detected() {
    let mut tried = 0;
    for code in sample() {
        for (at, right) in code.char_indices() {
            for wrong in ALPHABET.chars().filter(|&wrong| wrong != right) {
                let mut typed = code.clone();
                typed.replace_range(at..=at, wrong.encode_utf8(&mut [0; 4]));
                assert_eq!(code::parse(&typed), Err(CodeError::Check), "{typed} for {code}");
                tried += 1;
            }
        }
    }
    println!("{tried} wrong characters, all of them detected");
}

#[test]
fn every_swap_of_two_characters_is_detected() {
    let mut tried = 0;
    for code in sample() {
        for (first, second) in (0..code.len()).flat_map(|second| (0..second).map(move |first| (first, second))) {
            let mut typed: Vec<char> = code.chars().collect();
            typed.swap(first, second);
            let typed = String::from_iter(typed);
            if typed != code {
                assert_eq!(code::parse(&typed), Err(CodeError::Check), "{typed} for {code}");
                tried += 1;
            }
        }
    }
    println!("{tried} swaps, all of them detected");
}

/// A leading zero that is left out or added gives a code of another size.
#[test]
fn missing_or_added_zero_is_detected() {
    for code in sample() {
        for other in [code.trim_start_matches('0').to_string(), format!("0{code}"), format!("00{code}")] {
            assert!(other == code || code::parse(&other).is_err(), "{other} for {code}");
        }
    }
}

#[test]
fn case_spaces_and_similar_letters_are_accepted() {
    let meant = code::parse("01BDCY1").unwrap();
    for typed in ["01bdcy1", " 01B\tDCY1\n", "OIBDCYL", "oiBDCYi", "01B-DCY-1", "0l\u{2010}BD\u{2011}CYL-"] {
        assert_eq!(code::parse(typed), Ok(meant), "{typed:?}");
    }
}

#[test]
fn refused_texts_have_reasons() {
    let foreign = |character| CodeError::UnknownCharacter(character);
    for (text, error, sentence) in [
        ("", CodeError::Empty, "there is no code"),
        (" -\n", CodeError::Empty, "there is no code"),
        ("000U000", foreign('U'), "'U' is in no code"),
        ("00\u{1b}", foreign('\u{1b}'), "'\\u{1b}' is in no code"),
        ("é", foreign('é'), "'é' is in no code"),
        ("7", CodeError::Length(1), "a code has 3, 4, 5 or 7 characters, and this has 1 character"),
        ("000000", CodeError::Length(6), "a code has 3, 4, 5 or 7 characters, and this has 6 characters"),
        ("00000000", CodeError::Length(8), "a code has 3, 4, 5 or 7 characters, and this has 8 characters"),
        ("0000000", CodeError::Check, "the check character does not fit: there is a typing mistake in the code"),
    ] {
        assert_eq!(code::parse(text), Err(error), "{text:?}");
        assert_eq!(error.to_string(), sentence);
    }
}

/// A number beyond the last board can have a correct check character. It is reported differently from a typing mistake.
#[test]
fn number_beyond_last_board_has_its_own_error() {
    for digits in ["ZZ", "ZZZ", "ZZZZ", "ZZZZZZ"] {
        let read: Vec<_> = ALPHABET.chars().map(|check| code::parse(&format!("{digits}{check}"))).collect();
        assert_eq!(read.iter().filter(|result| **result == Err(CodeError::TooLarge)).count(), 1, "{digits}");
        assert_eq!(read.iter().filter(|result| **result == Err(CodeError::Check)).count(), 31, "{digits}");
    }
    assert_eq!(CodeError::TooLarge.to_string(), "no board has this code");
}
