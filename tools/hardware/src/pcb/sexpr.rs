//! Writes and parses S-expressions, the format of KiCad's files: nested lists of words and quoted texts.

use std::fmt::{self, Display};

use super::geometry::{Point, mm};

/// As wide as a line gets before its lists go to lines of their own.
const WIDTH: usize = 160;

/// A word, a quoted text, or a list.
#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    /// `smd`, `0.25`
    Word(String),
    /// `"GND"`
    Text(String),
    /// `(at 1 2)`
    List(Vec<Expr>),
}

/// A word.
pub fn word(word: impl Display) -> Expr {
    Expr::Word(word.to_string())
}

/// A quoted text.
pub fn text(text: impl Display) -> Expr {
    Expr::Text(text.to_string())
}

/// A length, in millimetres.
pub fn length(um: i64) -> Expr {
    Expr::Word(mm(um))
}

/// A list that begins with its name.
pub fn list(name: &str, rest: impl IntoIterator<Item = Expr>) -> Expr {
    Expr::List([word(name)].into_iter().chain(rest).collect())
}

/// A list of a name and a place.
pub fn place(name: &str, place: Point) -> Expr {
    list(name, [length(place.x), length(place.y)])
}

/// A list of a name and a text.
pub fn named(name: &str, value: impl Display) -> Expr {
    list(name, [text(value)])
}

impl Expr {
    /// The file's text.
    pub fn file(&self) -> String {
        let mut out = String::new();
        self.write(0, &mut out);
        out.push('\n');
        out
    }

    fn write(&self, depth: usize, out: &mut String) {
        let flat = self.to_string();
        let Self::List(items) = self else { return out.push_str(&flat) };
        if 2 * depth + flat.len() <= WIDTH {
            return out.push_str(&flat);
        }
        out.push('(');
        let mut column = 0;
        for item in items {
            let width = 1 + item.to_string().len();
            // Points stand side by side as far as there is room, all other lists below each other.
            let full = 2 * depth + column + width > WIDTH;
            if matches!(item, Self::List(_)) && (full || item.name() != "xy") {
                out.push('\n');
                out.push_str(&"  ".repeat(depth + 1));
                column = 0;
            } else if column > 0 {
                out.push(' ');
            }
            item.write(depth + 1, out);
            column += width;
        }
        out.push('\n');
        out.push_str(&"  ".repeat(depth));
        out.push(')');
    }

    /// The first thing in a file. `None` where brackets or quotes do not match.
    pub fn read(file: &str) -> Option<Self> {
        let mut stack: Vec<Vec<Self>> = vec![Vec::new()];
        let mut letters = file.chars().peekable();
        while let Some(letter) = letters.next() {
            match letter {
                '(' => stack.push(Vec::new()),
                ')' => {
                    let list = Self::List(stack.pop()?);
                    stack.last_mut()?.push(list);
                }
                '"' => {
                    let mut text = String::new();
                    loop {
                        match letters.next()? {
                            '"' => break,
                            '\\' => text.push(letters.next()?),
                            other => text.push(other),
                        }
                    }
                    stack.last_mut()?.push(Self::Text(text));
                }
                blank if blank.is_whitespace() => {}
                first => {
                    let mut word = String::from(first);
                    while let Some(next) = letters.next_if(|&c| !c.is_whitespace() && !matches!(c, '(' | ')')) {
                        word.push(next);
                    }
                    stack.last_mut()?.push(Self::Word(word));
                }
            }
        }
        match stack.as_mut_slice() {
            [top] => top.drain(..).next(),
            _ => None,
        }
    }

    /// The name of a list.
    pub fn name(&self) -> &str {
        match self {
            Self::List(items) => items.first().map_or("", Self::value),
            _ => "",
        }
    }

    /// What a word or text says.
    pub fn value(&self) -> &str {
        match self {
            Self::Word(value) | Self::Text(value) => value,
            Self::List(_) => "",
        }
    }

    /// What is in a list, its name included.
    pub fn items(&self) -> &[Self] {
        match self {
            Self::List(items) => items,
            _ => &[],
        }
    }

    /// The lists of this name within this one.
    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Self> {
        self.items().iter().filter(move |item| item.name() == name)
    }

    /// The first list of this name within this one.
    pub fn get(&self, name: &str) -> Option<&Self> {
        self.items().iter().find(|item| item.name() == name)
    }

    /// The word or text at a position in a list, its name being 0. Empty where there is none.
    pub fn word(&self, index: usize) -> &str {
        self.items().get(index).map_or("", Self::value)
    }

    /// The number at a position in a list.
    pub fn number(&self, index: usize) -> f64 {
        self.word(index).parse().unwrap_or(f64::NAN)
    }

    /// This list without the lists of some names, all the way down.
    pub fn without(&self, names: &[&str]) -> Self {
        match self {
            Self::List(items) => {
                let kept = items.iter().filter(|item| !names.contains(&item.name()));
                Self::List(kept.map(|item| item.without(names)).collect())
            }
            other => other.clone(),
        }
    }
}

impl Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Word(word) => f.write_str(word),
            Self::Text(text) => write!(f, "\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"")),
            Self::List(items) => {
                f.write_str("(")?;
                for (index, item) in items.iter().enumerate() {
                    f.write_str(if index > 0 { " " } else { "" })?;
                    item.fmt(f)?;
                }
                f.write_str(")")
            }
        }
    }
}

/// A name for a thing that is the same in every run, in the form that KiCad wants: FNV-1a, twice.
pub fn stamp(name: &str) -> Expr {
    let hash =
        |seed: u64| name.bytes().fold(seed, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    let (high, low) = (hash(0xcbf2_9ce4_8422_2325), hash(0x8422_2325_cbf2_9ce4));
    let (a, b, c) = (high >> 32, high >> 16 & 0xffff, high & 0xfff);
    word(format_args!("{a:08x}-{b:04x}-4{c:03x}-8{:03x}-{:012x}", low >> 48 & 0xfff, low & 0xffff_ffff_ffff))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_text_is_parsed_to_the_same_value() {
        let long = list("pts", (0..40).map(|n| list("xy", [word(n), word(0.5)])));
        let file = list("board", [text("a \"b\" (c)\\"), long, list("empty", [])]);
        assert_eq!(Expr::read(&file.file()), Some(file.clone()));
        assert_eq!(file.get("pts").and_then(|pts| pts.all("xy").nth(3)).map(|xy| xy.number(1)), Some(3.0));
        assert_eq!(file.without(&["xy", "empty"]).to_string(), r#"(board "a \"b\" (c)\\" (pts))"#);
        assert_eq!([Expr::read("(a (b)"), Expr::read("(a \"b)")], [None, None]);
    }

    #[test]
    fn stamps_are_stable_and_different() {
        assert_eq!(stamp("K0"), stamp("K0"));
        assert_ne!(stamp("K0"), stamp("K1"));
        assert_eq!(stamp("K0").value().len(), 36);
    }
}
