//! Validation of log messages before defmt-decoder decodes them.
//!
//! The decoder trusts the firmware. It reserves as much memory as a count in a message requests. It writes an endless
//! text for a format that contains itself ten times. It panics on a date beyond the year 9999, and on some pairs of
//! type and display hint. In WebAssembly a panic ends the emulator of the web page. So this module parses each message
//! first, in the same steps as the decoder but without storing values, and limits nesting depth, number of values and
//! length of the text. The formats are those of `defmt_formats`, which are compared with the decoder's own table.

use crate::defmt_formats::LogFormats;
use defmt_parser::{DisplayHint, Fragment, Parameter, ParserMode, TimePrecision, Type};
use std::collections::BTreeMap;

/// Limit of a format, in bytes.
const LONGEST_FORMAT: usize = 16 * 1024;
/// Limit of the digits of a number in a format: an argument index, a width or an array length.
const MOST_DIGITS: usize = 4;
/// Limit of the nesting depth of formats.
const MOST_LEVELS: u32 = 16;
/// Limit of the number of values in a message.
const MOST_ITEMS: u32 = 4096;
/// Limit of the text of a message, in bytes. The text of all messages in one drain of the log has about the same limit.
pub(crate) const MOST_TEXT: usize = 64 * 1024;
/// Longest text of a number without padding: 128 binary digits and a prefix.
const NUMBER: usize = 140;
/// Longest text of a byte in a list without padding: `0b11111111, `.
const BYTE: usize = 16;
/// Longest text of an escaped character: `\u{10ffff}`.
const ESCAPED: usize = 10;
/// The last second that can be printed as a date: the end of the year 9999.
const LAST_SECOND: u64 = 253_402_300_799;

/// Why a message is not decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// The end of the message has not arrived yet.
    Incomplete,
    /// The decoder could panic, or exceed a limit.
    Unsafe,
}

impl LogFormats {
    /// Validates the message at the beginning of `bytes`. Returns the length of its formats in bytes, where a format
    /// counts each time that it is parsed.
    pub(crate) fn validate(&self, bytes: &[u8]) -> Result<usize, Refusal> {
        let mut parser = MessageParser { formats: self, bytes, items: MOST_ITEMS, parsed: 0 };
        let index = parser.number(2)?;
        if let Some(timestamp) = &self.timestamp {
            parser.format(timestamp, 0, Hints::default())?;
        }
        let format = self.formats.get(&index).ok_or(Refusal::Unsafe)?;
        let text = parser.format(format, 0, Hints::default())?;
        if text <= MOST_TEXT { Ok(parser.parsed) } else { Err(Refusal::Unsafe) }
    }
}

/// The combined effect of a value's own display hint and those of the formats around it.
#[derive(Clone, Copy, Default)]
struct Hints {
    width: usize,
    /// The largest number that can be printed as a date, if there is a date hint.
    last_date: Option<u64>,
    hexadecimal: bool,
    ascii: bool,
    flags: bool,
}

impl Hints {
    fn with(mut self, hint: Option<&DisplayHint>) -> Self {
        let mut widen = |width: usize| self.width = self.width.max(width);
        match hint {
            Some(DisplayHint::NoHint { zero_pad } | DisplayHint::Octal { zero_pad, .. }) => widen(*zero_pad),
            Some(DisplayHint::Binary { zero_pad, .. }) => widen(*zero_pad),
            Some(DisplayHint::Hexadecimal { zero_pad, .. }) => {
                widen(*zero_pad);
                self.hexadecimal = true;
            }
            Some(DisplayHint::Ascii) => self.ascii = true,
            Some(DisplayHint::Bitflags { .. }) => self.flags = true,
            Some(DisplayHint::ISO8601(precision)) => {
                let last = match precision {
                    TimePrecision::Seconds => LAST_SECOND,
                    TimePrecision::Millis => LAST_SECOND * 1_000,
                    TimePrecision::Micros => LAST_SECOND * 1_000_000,
                };
                self.last_date = Some(self.last_date.map_or(last, |other| other.min(last)));
            }
            _ => {}
        }
        self
    }
}

/// An argument of a format: its type, how often it is printed, and its hints.
struct Argument {
    kind: Type,
    /// How often it is printed.
    shown: usize,
    hints: Hints,
}

/// The arguments of a format in their order, and the length of the literal text in bytes.
fn arguments(format: &str, around: Hints) -> Result<(Vec<Argument>, usize), Refusal> {
    if format.len() > LONGEST_FORMAT || !has_short_numbers(format) {
        return Err(Refusal::Unsafe);
    }
    let fragments = defmt_parser::parse(format, ParserMode::ForwardsCompatible).map_err(|_| Refusal::Unsafe)?;
    let mut arguments: BTreeMap<usize, Argument> = BTreeMap::new();
    let mut text = 0;
    for fragment in fragments {
        match fragment {
            Fragment::Literal(literal) => text += literal.len(),
            Fragment::Parameter(Parameter { index, ty, hint }) => {
                let argument =
                    arguments.entry(index).or_insert_with(|| Argument { kind: ty.clone(), shown: 0, hints: around });
                argument.shown += 1;
                argument.hints = argument.hints.with(hint.as_ref());
                if let (Type::BitField(all), Type::BitField(some)) = (&mut argument.kind, ty) {
                    *all = all.start.min(some.start)..all.end.max(some.end);
                }
            }
        }
    }
    Ok((arguments.into_values().collect(), text))
}

/// Whether all numbers between braces are short, because the parser reserves memory for a list of that many elements.
/// (The digits in the name of bit flags are not a number.)
fn has_short_numbers(format: &str) -> bool {
    format.split('{').skip(1).all(|part| {
        let inside = part.split('}').next().unwrap_or(part);
        let inside = inside.split("__internal_bitflags_").next().unwrap_or(inside);
        inside.split(|digit: char| !digit.is_ascii_digit()).all(|number| number.len() <= MOST_DIGITS)
    })
}

/// A parser that checks a message without storing its values.
struct MessageParser<'a> {
    formats: &'a LogFormats,
    /// The rest of the message.
    bytes: &'a [u8],
    /// Number of further values that are allowed.
    items: u32,
    /// Length of all formats so far, in bytes.
    parsed: usize,
}

impl MessageParser<'_> {
    /// Skips bytes of the message. Returns how many.
    fn skip(&mut self, count: usize) -> Result<usize, Refusal> {
        // No valid message is longer than the buffer for incomplete messages.
        if count > MOST_TEXT {
            return Err(Refusal::Unsafe);
        }
        self.bytes = self.bytes.get(count..).ok_or(Refusal::Incomplete)?;
        Ok(count)
    }

    /// The lower 64 bits of a number of `size` bytes.
    fn number(&mut self, size: usize) -> Result<u64, Refusal> {
        let bytes = self.bytes;
        self.skip(size)?;
        Ok(bytes.iter().take(size.min(8)).rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }

    fn length(&mut self) -> Result<usize, Refusal> {
        Ok(self.number(4)? as usize)
    }

    /// Reads the index of a format. Returns that format.
    fn named(&mut self) -> Result<&str, Refusal> {
        let index = self.number(2)?;
        self.formats.formats.get(&index).map(String::as_str).ok_or(Refusal::Unsafe)
    }

    /// Parses the values of a format. Returns an upper bound of its text in bytes. Each printed value counts at least
    /// 1.
    fn format(&mut self, format: &str, level: u32, around: Hints) -> Result<usize, Refusal> {
        self.parsed += format.len();
        if level >= MOST_LEVELS || self.parsed > MOST_TEXT {
            return Err(Refusal::Unsafe);
        }
        let (arguments, mut text) = arguments(format, around)?;
        for argument in arguments {
            self.items = self.items.checked_sub(1).ok_or(Refusal::Unsafe)?;
            let value = self.value(&argument.kind, level, argument.hints)?;
            text = text.saturating_add(argument.shown.saturating_mul(value.saturating_add(1)));
        }
        Ok(text)
    }

    /// Parses a value. Returns an upper bound of its text in bytes.
    fn value(&mut self, kind: &Type, level: u32, hints: Hints) -> Result<usize, Refusal> {
        let number = NUMBER + hints.width + if hints.flags { self.formats.flags } else { 0 };
        let byte = BYTE + hints.width;
        let size = match kind {
            Type::U8 | Type::I8 | Type::Bool => 1,
            Type::U16 | Type::I16 => 2,
            Type::U32 | Type::I32 | Type::Usize | Type::Isize | Type::F32 | Type::Char => 4,
            Type::U64 | Type::I64 | Type::F64 => 8,
            Type::U128 | Type::I128 => 16,
            Type::BitField(bits) => match (bits.end - 1) / 8 - bits.start / 8 + 1 {
                1 => 1,
                2 => 2,
                3..=4 => 4,
                5..=8 => 8,
                _ => 16,
            },
            Type::Str => return self.length().and_then(|length| self.skip(length)).map(|length| length * ESCAPED),
            Type::IStr => return self.named().map(|text| text.len() * ESCAPED),
            Type::U8Slice => return self.length().and_then(|length| self.skip(length)).map(|length| length * byte),
            Type::U8Array(length) => return self.skip(*length).map(|length| length * byte),
            Type::Debug | Type::Display => {
                let end = self.bytes.iter().position(|byte| *byte == 0xFF).ok_or(Refusal::Incomplete)?;
                return self.skip(end + 1).map(|length| length * ESCAPED);
            }
            Type::Format => return self.one(level, hints),
            Type::FormatSlice => {
                let count = self.length()?;
                return self.several(count, level, hints);
            }
            Type::FormatArray(count) => return self.several(*count, level, hints),
            Type::FormatSequence => return self.sequence(level, hints),
        };
        let value = self.number(size)?;
        let is_date = matches!(kind, Type::U8 | Type::U16 | Type::U32 | Type::U64 | Type::U128 | Type::Usize);
        if is_date && hints.last_date.is_some_and(|last| value > last) {
            return Err(Refusal::Unsafe);
        }
        // The decoder panics on a hexadecimal isize.
        if *kind == Type::Isize && hints.hexadecimal {
            return Err(Refusal::Unsafe);
        }
        Ok(number)
    }

    /// Reads the number of a variant of a format. Returns that variant, or the whole format if it has no variants.
    fn variant<'f>(&mut self, format: &'f str) -> Result<&'f str, Refusal> {
        let bars = format.bytes().filter(|byte| *byte == b'|').count();
        let size = match bars {
            0 => return Ok(format),
            1..=0xFF => 1,
            0x100..=0xFFFF => 2,
            _ => 4,
        };
        let variant = self.number(size)? as usize;
        format.split('|').nth(variant).ok_or(Refusal::Unsafe)
    }

    /// Parses one nested value.
    fn one(&mut self, level: u32, hints: Hints) -> Result<usize, Refusal> {
        let formats = self.formats;
        let index = self.number(2)?;
        let format = formats.formats.get(&index).ok_or(Refusal::Unsafe)?;
        let variant = self.variant(format)?;
        self.format(variant, level + 1, hints)
    }

    /// Parses a list of nested values of one format.
    fn several(&mut self, count: usize, level: u32, hints: Hints) -> Result<usize, Refusal> {
        let formats = self.formats;
        let index = self.number(2)?;
        let format = formats.formats.get(&index).ok_or(Refusal::Unsafe)?;
        let is_enum = format.contains('|');
        // With an ASCII hint the decoder mistakes an enum for bytes if one of its variants is a byte.
        if is_enum && hints.ascii {
            return Err(Refusal::Unsafe);
        }
        self.items =
            u32::try_from(count).ok().and_then(|count| self.items.checked_sub(count)).ok_or(Refusal::Unsafe)?;
        let mut text: usize = 0;
        for _ in 0..count {
            let variant = self.variant(format)?;
            text = text.saturating_add(self.format(variant, level + 1, hints)?).saturating_add(2);
        }
        Ok(text)
    }

    /// Parses a sequence of nested values that ends with a zero index.
    fn sequence(&mut self, level: u32, hints: Hints) -> Result<usize, Refusal> {
        let formats = self.formats;
        let mut text: usize = 0;
        loop {
            let index = self.number(2)?;
            if index == 0 {
                return Ok(text);
            }
            self.items = self.items.checked_sub(1).ok_or(Refusal::Unsafe)?;
            let format = formats.formats.get(&index).ok_or(Refusal::Unsafe)?;
            text = text.saturating_add(self.format(format, level + 1, hints)?).saturating_add(1);
        }
    }
}
