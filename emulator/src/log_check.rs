//! Which log messages may be given to defmt-decoder.
//!
//! The decoder trusts a firmware. A count in a message makes it reserve that much memory, a format that shows itself
//! ten times makes it write a text without end, a date beyond the year 9999 is a panic, and so are some pairs of type
//! and hint. In WebAssembly a panic is the end of the page's emulator. So a message is walked through here first, in
//! the same steps but without keeping anything, with a bound on its depth, its items and its text. The formats are
//! those of the decoder's own table; should the two lists ever differ, the table is refused.

use defmt_decoder::Table;
use defmt_parser::{DisplayHint, Fragment, Parameter, ParserMode, TimePrecision, Type};
use object::read::elf::ElfFile32;
use object::{Endianness, Object, ObjectSection, ObjectSymbol};
use serde::Deserialize;
use std::collections::{BTreeMap, HashMap, HashSet};

/// Bytes of all names in the `.defmt` section, and of all names in a file. Ours has 11 KB and 51 KB.
const MOST_FORMATS: usize = 512 * 1024;
const MOST_NAMES: usize = 8 * 1024 * 1024;
/// Sections whose name begins with `.defmt`: a linker leaves one.
const MOST_SECTIONS: usize = 64;
/// Bytes of a format.
const LONGEST_FORMAT: usize = 16 * 1024;
/// Digits of a number in a format: of an argument, a width or an array.
const MOST_DIGITS: usize = 4;
/// Formats within formats, and values in all of them.
const MOST_LEVELS: u32 = 16;
const MOST_ITEMS: u32 = 4096;
/// Bytes of a message as text, and of all messages of one look about as many.
pub const MOST_TEXT: usize = 64 * 1024;
/// Text that a number takes at most besides its width: 128 binary digits and a prefix.
const NUMBER: usize = 140;
/// Text of a byte in a list besides its width: `0b11111111, `.
const BYTE: usize = 16;
/// Text of a character at most, escaped: `\u{10ffff}`.
const ESCAPED: usize = 10;
/// The last second that a date is printed for: the end of the year 9999.
const LAST_SECOND: u64 = 253_402_300_799;

/// Why a message is not decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// It is not yet whole.
    Incomplete,
    /// The decoder could not be trusted with it.
    Unsafe,
}

/// The formats of a firmware's log.
#[derive(Debug, Default)]
pub struct LogFormats {
    formats: HashMap<u64, String>,
    timestamp: Option<String>,
    /// Bytes of the names of all bit flags.
    flags: usize,
}

/// A name in the `.defmt` section, as far as it is needed here.
#[derive(Deserialize)]
struct Symbol {
    tag: String,
    data: String,
}

/// Whether the names of a file are few enough to be read one by one. Any number of them may share the same long text. A
/// name costs its length and what is kept with it.
pub fn has_bounded_names(file: &ElfFile32<'_, Endianness>) -> bool {
    let mut left = MOST_NAMES;
    let mut fits = |length: usize| {
        let rest = left.checked_sub(length + 32);
        left = rest.unwrap_or(0);
        rest.is_some()
    };
    file.sections().all(|section| fits(section.name_bytes().map_or(0, <[u8]>::len)))
        && file.symbols().all(|symbol| fits(symbol.name_bytes().map_or(0, <[u8]>::len)))
}

/// The names in the `.defmt` section and where they are; `None` if there are too many.
fn defmt_names<'a>(file: &ElfFile32<'a, Endianness>) -> Option<Vec<(u64, &'a str)>> {
    let is_defmt = |name: &str| name == ".defmt" || name.starts_with(".defmt.");
    let sections: HashSet<usize> =
        file.sections().filter(|section| section.name().is_ok_and(is_defmt)).map(|section| section.index().0).collect();
    let mut names = Vec::new();
    let mut length = 0;
    for symbol in file.symbols() {
        let Ok(name) = symbol.name() else { continue };
        let skipped = name.is_empty()
            || name == "$d"
            || ["$d.", "_defmt", "__DEFMT_MARKER"].iter().any(|start| name.starts_with(start));
        if !skipped && symbol.section_index().is_some_and(|index| sections.contains(&index.0)) {
            length += name.len();
            names.push((symbol.address(), name));
        }
    }
    (sections.len() <= MOST_SECTIONS && length <= MOST_FORMATS).then_some(names)
}

impl LogFormats {
    /// The log of a file, as defmt-decoder reads it, and its formats for the check. An error if it cannot be read, or
    /// is too large to be read.
    pub fn read(elf: &[u8], file: &ElfFile32<'_, Endianness>) -> Result<Option<(Table, Self)>, ()> {
        let names = defmt_names(file).ok_or(())?;
        let Some(table) = Table::parse(elf).map_err(|_| ())? else { return Ok(None) };
        let mut checked = Self::default();
        let mut raw = BTreeMap::new();
        for (address, name) in names {
            let Symbol { tag, data } = serde_json::from_str(name).map_err(|_| ())?;
            match tag.as_str() {
                "defmt_timestamp" => checked.timestamp = Some(data),
                "defmt_bitflags_value" => checked.flags += data.len() + " | ".len(),
                "defmt_prim" | "defmt_derived" | "defmt_bitflags" | "defmt_write" | "defmt_str" | "defmt_println"
                | "defmt_trace" | "defmt_debug" | "defmt_info" | "defmt_warn" | "defmt_error" => {
                    raw.insert(address, name);
                    checked.formats.insert(address, data);
                }
                _ => {}
            }
        }
        // What is checked is what will be decoded.
        if !table.raw_symbols().eq(raw.into_values()) || table.has_timestamp() != checked.timestamp.is_some() {
            return Err(());
        }
        Ok(Some((table, checked)))
    }

    /// Whether the message at the beginning of `bytes` can be decoded and put into words. Gives the bytes of its
    /// formats, each as often as it is read.
    pub fn check(&self, bytes: &[u8]) -> Result<usize, Refused> {
        let mut walk = Walk { formats: self, bytes, items: MOST_ITEMS, parsed: 0 };
        let index = walk.number(2)?;
        if let Some(timestamp) = &self.timestamp {
            walk.format(timestamp, 0, Hints::default())?;
        }
        let format = self.formats.get(&index).ok_or(Refused::Unsafe)?;
        let text = walk.format(format, 0, Hints::default())?;
        if text <= MOST_TEXT { Ok(walk.parsed) } else { Err(Refused::Unsafe) }
    }
}

/// What hints may do to a value, its own and those of the formats around it.
#[derive(Clone, Copy, Default)]
struct Hints {
    width: usize,
    /// The greatest number that is printed as a date.
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

/// A value of a format: its type, how often it is shown, and with which hints.
struct Argument {
    kind: Type,
    shown: usize,
    hints: Hints,
}

/// The values of a format in the order in which they come, and the bytes of what stands between them.
fn arguments(format: &str, around: Hints) -> Result<(Vec<Argument>, usize), Refused> {
    if format.len() > LONGEST_FORMAT || !has_short_numbers(format) {
        return Err(Refused::Unsafe);
    }
    let fragments = defmt_parser::parse(format, ParserMode::ForwardsCompatible).map_err(|_| Refused::Unsafe)?;
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

/// Whether no number between braces is so great that the parser would make a list of as many. (The name of bit flags
/// has digits that are no number.)
fn has_short_numbers(format: &str) -> bool {
    format.split('{').skip(1).all(|part| {
        let inside = part.split('}').next().unwrap_or(part);
        let inside = inside.split("__internal_bitflags_").next().unwrap_or(inside);
        inside.split(|digit: char| !digit.is_ascii_digit()).all(|number| number.len() <= MOST_DIGITS)
    })
}

/// The way through a message.
struct Walk<'a> {
    formats: &'a LogFormats,
    bytes: &'a [u8],
    items: u32,
    parsed: usize,
}

impl Walk<'_> {
    fn skip(&mut self, count: usize) -> Result<usize, Refused> {
        // A message is never as long as the buffer that it is waited for in.
        if count > MOST_TEXT {
            return Err(Refused::Unsafe);
        }
        self.bytes = self.bytes.get(count..).ok_or(Refused::Incomplete)?;
        Ok(count)
    }

    /// The lower 64 bits of a number of so many bytes.
    fn number(&mut self, size: usize) -> Result<u64, Refused> {
        let bytes = self.bytes;
        self.skip(size)?;
        Ok(bytes.iter().take(size.min(8)).rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }

    fn length(&mut self) -> Result<usize, Refused> {
        Ok(self.number(4)? as usize)
    }

    /// The format whose number comes next.
    fn named(&mut self) -> Result<&str, Refused> {
        let index = self.number(2)?;
        self.formats.formats.get(&index).map(String::as_str).ok_or(Refused::Unsafe)
    }

    /// Walks through the values of a format. Gives a bound for its text, in which whatever is shown counts at least
    /// one.
    fn format(&mut self, format: &str, level: u32, around: Hints) -> Result<usize, Refused> {
        self.parsed += format.len();
        if level >= MOST_LEVELS || self.parsed > MOST_TEXT {
            return Err(Refused::Unsafe);
        }
        let (arguments, mut text) = arguments(format, around)?;
        for argument in arguments {
            self.items = self.items.checked_sub(1).ok_or(Refused::Unsafe)?;
            let value = self.value(&argument.kind, level, argument.hints)?;
            text = text.saturating_add(argument.shown.saturating_mul(value.saturating_add(1)));
        }
        Ok(text)
    }

    fn value(&mut self, kind: &Type, level: u32, hints: Hints) -> Result<usize, Refused> {
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
                let end = self.bytes.iter().position(|byte| *byte == 0xFF).ok_or(Refused::Incomplete)?;
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
            return Err(Refused::Unsafe);
        }
        // The decoder has no words for these in hexadecimal.
        if *kind == Type::Isize && hints.hexadecimal {
            return Err(Refused::Unsafe);
        }
        Ok(number)
    }

    /// Of the variants of a format, the one whose number comes next; all of a format that has none.
    fn variant<'f>(&mut self, format: &'f str) -> Result<&'f str, Refused> {
        let bars = format.bytes().filter(|byte| *byte == b'|').count();
        let size = match bars {
            0 => return Ok(format),
            1..=0xFF => 1,
            0x100..=0xFFFF => 2,
            _ => 4,
        };
        let variant = self.number(size)? as usize;
        format.split('|').nth(variant).ok_or(Refused::Unsafe)
    }

    fn one(&mut self, level: u32, hints: Hints) -> Result<usize, Refused> {
        let formats = self.formats;
        let index = self.number(2)?;
        let format = formats.formats.get(&index).ok_or(Refused::Unsafe)?;
        let variant = self.variant(format)?;
        self.format(variant, level + 1, hints)
    }

    fn several(&mut self, count: usize, level: u32, hints: Hints) -> Result<usize, Refused> {
        let formats = self.formats;
        let index = self.number(2)?;
        let format = formats.formats.get(&index).ok_or(Refused::Unsafe)?;
        let is_enum = format.contains('|');
        // An enum in ASCII is taken for bytes if one of its variants is.
        if is_enum && hints.ascii {
            return Err(Refused::Unsafe);
        }
        self.items =
            u32::try_from(count).ok().and_then(|count| self.items.checked_sub(count)).ok_or(Refused::Unsafe)?;
        let mut text: usize = 0;
        for _ in 0..count {
            let variant = self.variant(format)?;
            text = text.saturating_add(self.format(variant, level + 1, hints)?).saturating_add(2);
        }
        Ok(text)
    }

    fn sequence(&mut self, level: u32, hints: Hints) -> Result<usize, Refused> {
        let formats = self.formats;
        let mut text: usize = 0;
        loop {
            let index = self.number(2)?;
            if index == 0 {
                return Ok(text);
            }
            self.items = self.items.checked_sub(1).ok_or(Refused::Unsafe)?;
            let format = formats.formats.get(&index).ok_or(Refused::Unsafe)?;
            text = text.saturating_add(self.format(format, level + 1, hints)?).saturating_add(1);
        }
    }
}
