//! Board codes: a short text for any board of any rule and size, to write on paper and to type in again. The code of a
//! board is the same in the log, in links and for `cargo solve --code`.
//!
//! The characters are those of Crockford's base 32: digits and capital letters without I, L, O and U. The reader
//! accepts small letters as capital letters, O as 0, and I and L as 1. It ignores white space and hyphens.
//!
//! A code is the number `rule + 5 * lights`, the highest digit first. The rule is counted from 0 in the order of the
//! menu. The lights are one bit for each cell of the board's own square, in reading order, the first cell in the lowest
//! bit. Each size has a fixed number of digits, enough for all of its boards, so the length of a code gives the size.
//!
//! The last character is a checksum. All characters are elements of the field GF(32), each weighted by a different
//! power of a primitive element. The side of the board is added to the weighted sum, and the last character makes it
//! zero. One wrong character changes the sum by its error times its weight. Two swapped characters change it by the
//! product of their difference and the difference of their weights. Neither is ever zero, so each such mistake is
//! detected; of all other mistakes, 31 of 32 are.
//!
//! ```
//! use lights_out::code::{self, Code};
//! use lights_out::level_boards;
//! use lights_out::rules::Variant;
//!
//! let level_one = level_boards::board(0).expect("there are 75 levels");
//! let code = Code::of(Variant::CLASSIC, level_one);
//! assert_eq!(code::parse(code.as_str()), Ok((Variant::CLASSIC, level_one)));
//! ```

use core::fmt;

use heapless::String;

use crate::board::{Board, Cell};
use crate::rules::{Rule, Size, Variant};

/// Characters by the value of their digit.
const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const BITS_PER_DIGIT: usize = 5;
/// Characters of a code for each size, with the checksum.
const LENGTHS: [usize; Size::COUNT] = [3, 4, 5, 7];
/// Characters of the longest code.
const MAX_LENGTH: usize = LENGTHS[Size::COUNT - 1];

const _: () = {
    let mut i = 0;
    while i < Size::COUNT {
        let cells = Size::ALL[i].side() * Size::ALL[i].side();
        let digits_hold = 1_u64 << (BITS_PER_DIGIT * (LENGTHS[i] - 1));
        assert!(
            (Rule::COUNT as u64) << cells <= digits_hold,
            "the digits of a code are too few for a board of this size"
        );
        i += 1;
    }
};

/// The code of a board.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Code(String<MAX_LENGTH>);

impl Code {
    /// The code of this board. Lights outside its square are left out.
    pub fn of(variant: Variant, board: Board) -> Self {
        let lights = cells_of(variant).fold(0, |lights, (bit, cell)| lights | u32::from(board.is_lit(cell)) << bit);
        let value = variant.rule as u32 + Rule::COUNT as u32 * lights;
        let digits = LENGTHS[variant.size as usize] - 1;
        let mut text = String::new();
        let mut sum = Checksum::new(variant.size);
        let highest_first = (0..digits).rev().map(|place| (value >> (BITS_PER_DIGIT * place)) as u8 % 32);
        for digit in highest_first {
            sum.add(digit);
            // The string has room for the longest code.
            let _ = text.push(ALPHABET[usize::from(digit)].into());
        }
        let _ = text.push(ALPHABET[usize::from(sum.missing())].into());
        Self(text)
    }

    /// Its characters, all of them ASCII.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Why a text is not the code of a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CodeError {
    /// The text has no characters of a code.
    Empty,
    /// This character is not used in codes.
    UnknownCharacter(char),
    /// No code has this number of characters.
    Length(usize),
    /// The checksum is wrong.
    Check,
    /// The checksum is right, but the number is too large for a board of this size.
    TooLarge,
}

impl fmt::Display for CodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("there is no code"),
            Self::UnknownCharacter(character) => write!(f, "{character:?} is in no code"),
            Self::Length(length) => {
                let [two, three, four, five] = LENGTHS;
                let plural = if *length == 1 { "" } else { "s" };
                write!(
                    f,
                    "a code has {two}, {three}, {four} or {five} characters, and this has {length} character{plural}"
                )
            }
            Self::Check => f.write_str("the check character does not fit: there is a typing mistake in the code"),
            Self::TooLarge => f.write_str("no board has this code"),
        }
    }
}

impl core::error::Error for CodeError {}

/// Reads a code: the variant, and the board at its cells of the grid.
pub fn parse(text: &str) -> Result<(Variant, Board), CodeError> {
    let mut digits = [0; MAX_LENGTH];
    let mut length = 0;
    for character in text.chars().filter(|character| !is_ignored(*character)) {
        let digit = digit_of(character).ok_or(CodeError::UnknownCharacter(character))?;
        if let Some(place) = digits.get_mut(length) {
            *place = digit;
        }
        length += 1;
    }
    if length == 0 {
        return Err(CodeError::Empty);
    }
    let index = LENGTHS.iter().position(|&known| known == length).ok_or(CodeError::Length(length))?;
    let size = Size::ALL[index];
    let (&check, digits) = digits[..length].split_last().ok_or(CodeError::Empty)?;
    let mut sum = Checksum::new(size);
    digits.iter().for_each(|&digit| sum.add(digit));
    if sum.missing() != check {
        return Err(CodeError::Check);
    }
    let value = digits.iter().fold(0, |value, &digit| value << BITS_PER_DIGIT | u32::from(digit));
    let (rule, lights) = (value % Rule::COUNT as u32, value / Rule::COUNT as u32);
    if lights >> (size.side() * size.side()) != 0 {
        return Err(CodeError::TooLarge);
    }
    let variant = Variant { rule: Rule::ALL[rule as usize], size };
    let lit = cells_of(variant).filter(|(bit, _)| lights >> bit & 1 == 1);
    Ok((variant, Board::of(lit.map(|(_, cell)| cell).collect())))
}

/// The cells of a board in reading order, each with its bit in the code.
fn cells_of(variant: Variant) -> impl Iterator<Item = (u32, Cell)> {
    (0..).zip(variant.cells())
}

/// Whether the reader ignores this character: white space, and hyphens of keyboards and of word processors.
fn is_ignored(character: char) -> bool {
    character.is_whitespace() || matches!(character, '-' | '\u{2010}' | '\u{2011}')
}

/// The value of a character. O has the value of 0; I and L have the value of 1.
fn digit_of(character: char) -> Option<u8> {
    let meant = match character.to_ascii_uppercase() {
        'O' => '0',
        'I' | 'L' => '1',
        other => other,
    };
    (0..).zip(ALPHABET).find(|&(_, &known)| char::from(known) == meant).map(|(digit, _)| digit)
}

/// The weighted sum of the digits so far, by Horner's scheme: each new digit raises the weights of all digits before
/// it by one power.
struct Checksum(u8);

impl Checksum {
    fn new(size: Size) -> Self {
        // Without the side, a code from which a leading zero was removed could be a valid code of a smaller board. A
        // test proves that the side prevents this for all lengths.
        Self(size.side() as u8)
    }

    fn add(&mut self, digit: u8) {
        self.0 = times_x(self.0) ^ digit;
    }

    /// The digit that makes the sum zero when it is added as the last one.
    fn missing(&self) -> u8 {
        times_x(self.0)
    }
}

/// The product with the primitive element x, in the field of polynomials over GF(2) modulo x^5 + x^2 + 1.
fn times_x(element: u8) -> u8 {
    let doubled = element << 1;
    if doubled & 0b10_0000 == 0 { doubled } else { doubled ^ 0b10_0101 }
}
