//! The words of the language. Spaces, comments and blocks for the C compiler fall away here.

use crate::mistake::Mistake;

/// What the grammar sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token<'a> {
    /// A word or a mark with a meaning of its own, in small letters.
    Fixed(&'static str),
    /// A label, or a name that is defined.
    Name(&'a str),
    Number(i32),
    /// A `.lang_opt` with all of its line: for other languages than ours.
    LanguageOption,
    EndOfLine,
}

/// A token, and where in the text it begins and ends.
pub type Placed<'a> = (usize, Token<'a>, usize);

/// The longer before those that they begin with.
const DIRECTIVES: [&str; 5] = [".wrap_target", ".wrap", ".define", ".origin", ".side_set"];
const MARKS: [&str; 15] = ["::", "!=", "--", ":", "!", ",", "~", "+", "-", "*", "/", "(", ")", "[", "]"];

/// These may be written in capitals too.
const WORDS: [&str; 31] = [
    "nop", "jmp", "wait", "in", "out", "push", "pull", "mov", "irq", "set", "x", "y", "pins", "pin", "gpio", "null",
    "isr", "osr", "pc", "exec", "pindirs", "block", "noblock", "status", "nowait", "clear", "public", "iffull",
    "ifempty", "side", "osre",
];
/// These may not, so that `NEXT` can be a label.
const SMALL_WORDS: [&str; 4] = ["opt", "prev", "rel", "next"];
/// The RP2350's: one word each, bracket and all.
const QUEUES: [&str; 5] = ["rxfifo[y]", "rxfifo[0]", "rxfifo[1]", "rxfifo[2]", "rxfifo[3]"];

/// All tokens of a text.
pub fn tokens(source: &str) -> Result<Vec<Placed<'_>>, Mistake> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < source.len() {
        let rest = &source[at..];
        match skipped(rest) {
            0 => {
                let (token, length) =
                    token(rest).ok_or_else(|| Mistake { at, expected: vec!["a word, number or mark".to_owned()] })?;
                found.push((at, token, at + length));
                at += length;
            }
            length => at += length,
        }
    }
    Ok(found)
}

/// How much of the text's beginning says nothing.
fn skipped(text: &str) -> usize {
    if text.starts_with([' ', '\t', '\x0B', '\x0C']) {
        1
    } else if text.starts_with(';') || text.starts_with("//") {
        rest_of_line(text)
    } else if let Some(block) = text.strip_prefix("% c-sdk {") {
        // Up to the next `%`, which must be the one of `%}`.
        block.split_once('%').filter(|(_, behind)| behind.starts_with('}')).map_or(0, |(inside, _)| inside.len() + 11)
    } else {
        0
    }
}

fn rest_of_line(text: &str) -> usize {
    text.find(['\n', '\r']).unwrap_or(text.len())
}

/// The token at the text's beginning, the longest that it can be, and its length.
fn token(text: &str) -> Option<(Token<'_>, usize)> {
    let first = text.chars().next()?;
    if text.starts_with("\r\n") || first == '\n' {
        Some((Token::EndOfLine, if first == '\n' { 1 } else { 2 }))
    } else if text.starts_with(".lang_opt ") {
        Some((Token::LanguageOption, rest_of_line(text)))
    } else if first.is_ascii_digit() {
        number(text)
    } else if first.is_alphabetic() || first == '_' {
        Some(word(text))
    } else {
        let same = |fixed: &&&str| text.get(..fixed.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(fixed));
        let fixed = DIRECTIVES.iter().chain(&MARKS).find(same)?;
        Some((Token::Fixed(fixed), fixed.len()))
    }
}

fn word(text: &str) -> (Token<'_>, usize) {
    if let Some(queue) = QUEUES.into_iter().find(|queue| text.starts_with(queue)) {
        return (Token::Fixed(queue), queue.len());
    }
    let word = leading(text, |letter| letter.is_alphanumeric() || letter == '_');
    let in_capitals_too = WORDS.into_iter().find(|fixed| fixed.eq_ignore_ascii_case(word));
    let fixed = in_capitals_too.or_else(|| SMALL_WORDS.into_iter().find(|&fixed| fixed == word));
    (fixed.map_or(Token::Name(word), Token::Fixed), word.len())
}

/// Decimal, or binary behind `0b`, or hexadecimal behind `0x`.
fn number(text: &str) -> Option<(Token<'_>, usize)> {
    for (prefix, radix) in [("0b", 2), ("0x", 16), ("", 10)] {
        let digits = text.strip_prefix(prefix).map_or("", |behind| leading(behind, |digit| digit.is_digit(radix)));
        if !digits.is_empty() {
            let number = i32::from_str_radix(digits, radix).ok()?;
            return Some((Token::Number(number), prefix.len() + digits.len()));
        }
    }
    None
}

/// The part of the text before the first letter that is none of these.
fn leading(text: &str, these: impl Fn(char) -> bool) -> &str {
    &text[..text.find(|letter| !these(letter)).unwrap_or(text.len())]
}
