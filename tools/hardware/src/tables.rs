//! Compares the wiring tables in the Markdown files, and in the comment of the wiring file, with the code.
//!
//! A row counts if its first cell names a known part and another cell names pins. The pins must be those of the code,
//! in the same order. A table may leave out an optional part, but not the keys or the lights.

pub mod parts;

use std::fmt;

use crate::{Wiring, pin_name};

/// A difference between a table and the code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Disagreement {
    /// The table names other pins than the code.
    Pins {
        /// The part.
        part: &'static str,
        /// The pins in the table.
        table: Vec<String>,
        /// The pins in the code.
        code: Vec<String>,
    },
    /// No row names this part.
    Missing(&'static str),
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pins { part, table, code } => {
                write!(f, "{part}: the table has {}, the code {}", table.join(" "), code.join(" "))
            }
            Self::Missing(part) => write!(f, "the table has no row for the {part}"),
        }
    }
}

/// The parts: a word that identifies their row, their name in messages, and whether a table must have them.
const PARTS: [(&str, &str, bool); 5] = [
    ("rows", "rows", true),
    ("columns", "columns", true),
    ("data", "lights", true),
    ("supply", "supply switch", false),
    ("piezo", "piezo", false),
];

/// Compares every wiring table in a text with the code, and returns all differences.
pub fn check(text: &str, wiring: &Wiring) -> Vec<Disagreement> {
    let code: [Vec<u8>; 5] = [
        wiring.rows.to_vec(),
        wiring.columns.to_vec(),
        vec![wiring.led_data],
        vec![wiring.led_supply],
        vec![wiring.piezo],
    ];
    let rows: Vec<(usize, Vec<String>)> = text.lines().filter_map(row).collect();
    let mut wrong = Vec::new();
    for (index, (_, part, needed)) in PARTS.into_iter().enumerate() {
        let code: Vec<String> = code[index].iter().copied().map(pin_name).collect();
        let mut found = rows.iter().filter(|(of, _)| *of == index).peekable();
        if found.peek().is_none() && needed {
            wrong.push(Disagreement::Missing(part));
        }
        for (_, table) in found.filter(|(_, table)| *table != code) {
            wrong.push(Disagreement::Pins { part, table: table.clone(), code: code.clone() });
        }
    }
    wrong
}

/// The part that a row of a table names (an index into [`PARTS`]), and its pins.
fn row(line: &str) -> Option<(usize, Vec<String>)> {
    let line = line.trim().trim_start_matches("//!").trim();
    let mut cells = line.strip_prefix('|')?.split('|');
    let first = cells.next()?.to_lowercase();
    let part = PARTS.iter().position(|(word, _, _)| first.contains(word))?;
    let pins: Vec<String> = cells.flat_map(gpios).collect();
    (!pins.is_empty()).then_some((part, pins))
}

/// The words of the form `GP16` in a text.
fn gpios(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| word.strip_prefix("GP").is_some_and(|digits| digits.parse::<u8>().is_ok()))
        .map(str::to_owned)
}
