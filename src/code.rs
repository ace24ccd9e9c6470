//! A short code for any board of any rule and size, to be written on paper and typed in again. It is the same everywhere: in
//! the log, in links and for `cargo solve --code`.
//!
//! The characters are those of Crockford's base 32: digits and capital letters without I, L, O and U. Reading is kind: small
//! letters count as capital ones, O as 0, I and L as 1, and white space and hyphens as nothing.
//!
//! A code says `rule + 5 * lights`, the highest digit first. The rule counts from 0 in the order of the menu; the lights are
//! a bit for each cell of the board's own square, in reading order, the first the lowest. There are as many digits as the
//! largest board of a size needs, so the length tells the size.
//!
//! The last character is a check. All characters are taken as elements of the field of 32, and each is weighted by another
//! power of a primitive element; the side of the board is added, and the check is what makes the sum zero. One wrong
//! character changes the sum by its error times its weight, two that are swapped change it by the product of their difference
//! and that of their weights. Neither is ever zero, so every such slip is found, and of all others 31 in 32.
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

/// Characters by the value that they stand for.
const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const BITS_PER_DIGIT: usize = 5;
/// Characters of a code for each size, the check included.
const LENGTHS: [usize; Size::COUNT] = [3, 4, 5, 7];
/// Characters of the longest code.
pub const MAX_LENGTH: usize = LENGTHS[Size::COUNT - 1];

const _: () = {
    let mut i = 0;
    while i < Size::COUNT {
        let cells = Size::ALL[i].side() * Size::ALL[i].side();
        let digits_hold = 1_u64 << (BITS_PER_DIGIT * (LENGTHS[i] - 1));
        assert!((Rule::COUNT as u64) << cells <= digits_hold, "every board of this size has a code");
        i += 1;
    }
};

/// The code of a board.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Code(String<MAX_LENGTH>);

impl Code {
    /// The code of this board; lights outside its square are left out.
    pub fn of(variant: Variant, board: Board) -> Self {
        let lights = cells_of(variant).fold(0, |lights, (bit, cell)| lights | u32::from(board.is_lit(cell)) << bit);
        let value = variant.rule as u32 + Rule::COUNT as u32 * lights;
        let digits = LENGTHS[variant.size as usize] - 1;
        let mut text = String::new();
        let mut sum = Checksum::new(variant.size);
        let highest_first = (0..digits).rev().map(|place| (value >> (BITS_PER_DIGIT * place)) as u8 % 32);
        for digit in highest_first {
            sum.add(digit);
            // There is room for the longest.
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
    /// There is nothing in it.
    Empty,
    /// No code has this character.
    Foreign(char),
    /// No code has so many characters.
    Length(usize),
    /// The check character does not fit the others.
    Check,
    /// The check character fits, but the number is too large for a board of this size.
    Beyond,
}

impl fmt::Display for CodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("there is no code"),
            Self::Foreign(character) => write!(f, "{character:?} is in no code"),
            Self::Length(length) => {
                let [two, three, four, five] = LENGTHS;
                let plural = if *length == 1 { "" } else { "s" };
                write!(
                    f,
                    "a code has {two}, {three}, {four} or {five} characters, and this has {length} character{plural}"
                )
            }
            Self::Check => f.write_str("the check character does not fit: there is a typing mistake in the code"),
            Self::Beyond => f.write_str("no board has this code"),
        }
    }
}

impl core::error::Error for CodeError {}

/// Reads a code: the variant, and the board in its place on the grid.
pub fn parse(text: &str) -> Result<(Variant, Board), CodeError> {
    let mut digits = [0; MAX_LENGTH];
    let mut length = 0;
    for character in text.chars().filter(|character| !is_ignored(*character)) {
        let digit = digit_of(character).ok_or(CodeError::Foreign(character))?;
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
        return Err(CodeError::Beyond);
    }
    let variant = Variant { rule: Rule::ALL[rule as usize], size };
    let lit = cells_of(variant).filter(|(bit, _)| lights >> bit & 1 == 1);
    Ok((variant, Board::of(lit.map(|(_, cell)| cell).collect())))
}

/// The cells of a board in reading order, each with its bit in the code.
fn cells_of(variant: Variant) -> impl Iterator<Item = (u32, Cell)> {
    (0..).zip(variant.cells())
}

/// Hyphens as keyboards and as word processors write them.
fn is_ignored(character: char) -> bool {
    character.is_whitespace() || matches!(character, '-' | '\u{2010}' | '\u{2011}')
}

/// The value of a character, as it was probably meant.
fn digit_of(character: char) -> Option<u8> {
    let meant = match character.to_ascii_uppercase() {
        'O' => '0',
        'I' | 'L' => '1',
        other => other,
    };
    (0..).zip(ALPHABET).find(|&(_, &known)| char::from(known) == meant).map(|(digit, _)| digit)
}

/// The weighted sum of the digits so far, by Horner's scheme: with each digit all before it move up one power.
struct Checksum(u8);

impl Checksum {
    fn new(size: Size) -> Self {
        // Where a leading zero was left out, only this differs. The powers that it is moved up by do not make it fit either:
        // a test tries.
        Self(size.side() as u8)
    }

    fn add(&mut self, digit: u8) {
        self.0 = times_x(self.0) ^ digit;
    }

    /// The digit that makes the sum zero when it comes last.
    fn missing(&self) -> u8 {
        times_x(self.0)
    }
}

/// Times the primitive element x, in the field of polynomials over GF(2) modulo x^5 + x^2 + 1.
fn times_x(element: u8) -> u8 {
    let doubled = element << 1;
    if doubled & 0b10_0000 == 0 { doubled } else { doubled ^ 0b10_0101 }
}
