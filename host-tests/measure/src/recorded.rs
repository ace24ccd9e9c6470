//! The record: what was measured at a revision, in a file that is part of the tree, so that a change for the worse is a
//! change of that file and can be seen and judged.
//!
//! TOML: the revision, and below it a table for each chip, with a value for each figure.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use flash_image::Chip;
use toml::{Table, Value};

use crate::figure::{Figure, Gate};

/// The name that the revision stands under.
const REVISION: &str = "revision";

/// Recorded values, by chip and by the id of their figure.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Record {
    /// The revision that was measured.
    pub revision: String,
    values: [BTreeMap<String, f64>; Chip::ALL.len()],
}

/// Why a file is no record.
#[derive(Clone, Debug, PartialEq)]
pub enum BadRecord {
    /// It is not TOML.
    Syntax(toml::de::Error),
    /// What stands under this name is no number, no chip, or no revision.
    Value(String),
}

impl std::fmt::Display for BadRecord {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Syntax(error) => error.fmt(f),
            Self::Value(name) => write!(f, "`{name}` is neither a figure's number, nor a chip, nor the revision"),
        }
    }
}

impl Record {
    /// Takes what is to be recorded of a chip's figures in the place of what was: those that are compared, and could be measured.
    pub fn take(&mut self, chip: Chip, figures: &[Figure]) {
        let compared = figures.iter().filter(|figure| figure.gate != Gate::Open);
        let values = compared.filter_map(|figure| Some((figure.id.clone(), rounded(figure.value?))));
        self.values[chip as usize] = values.collect();
    }

    /// The recorded value of a figure.
    pub fn value(&self, chip: Chip, id: &str) -> Option<f64> {
        self.values[chip as usize].get(id).copied()
    }

    /// The ids of all recorded figures of a chip.
    pub fn ids(&self, chip: Chip) -> impl Iterator<Item = &str> {
        self.values[chip as usize].keys().map(String::as_str)
    }

    /// Reads the file.
    pub fn read(text: &str) -> Result<Self, BadRecord> {
        let mut record = Self::default();
        for (name, value) in text.parse::<Table>().map_err(BadRecord::Syntax)? {
            let chip = Chip::ALL.into_iter().find(|&chip| table_of(chip) == name);
            match (value, chip) {
                (Value::String(revision), None) if name == REVISION => record.revision = revision,
                (Value::Table(table), Some(chip)) => {
                    for (id, value) in table {
                        let value = match value {
                            Value::Float(value) => value,
                            Value::Integer(value) => value as f64,
                            _ => return Err(BadRecord::Value(id)),
                        };
                        record.values[chip as usize].insert(id, value);
                    }
                }
                _ => return Err(BadRecord::Value(name)),
            }
        }
        Ok(record)
    }

    /// Writes the file.
    pub fn write(&self) -> String {
        let mut text = String::from(
            "# What was measured at this revision. A figure that grows by more than 5 % fails `cargo measure`; when that is\n\
             # meant, `cargo measure --record` writes this file anew.\n",
        );
        let _ = writeln!(text, "{REVISION} = {}", Value::from(self.revision.as_str()));
        for (chip, values) in Chip::ALL.into_iter().zip(&self.values).filter(|(_, values)| !values.is_empty()) {
            let _ = writeln!(text, "\n[{}]", table_of(chip));
            // All names in quotes, because most have a dot; to TOML a name in quotes is a string.
            for (id, &value) in values {
                let _ = writeln!(text, "{} = {}", Value::from(id.as_str()), shortest(value));
            }
        }
        text
    }
}

/// The name of a chip's table.
fn table_of(chip: Chip) -> String {
    chip.to_string().to_lowercase()
}

/// Whole numbers are written as such: cycles and bytes have no decimals.
fn shortest(value: f64) -> Value {
    // Every whole number that an f64 tells apart fits.
    if value.fract() == 0.0 && value.abs() < 1e15 { Value::Integer(value as i64) } else { Value::Float(value) }
}

/// Six decimals are enough for every unit, and keep the file free of noise.
fn rounded(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::Unit;

    #[test]
    fn what_was_written_is_read() {
        let figures = [
            Figure::new("press.still.p99", "p99", Unit::Milliseconds, 1.625_000_000_4),
            Figure::new("flash.text", "text", Unit::Bytes, 56_376.0),
            Figure::new("speed", "speed", Unit::Times, 20.0).open(),
            Figure::new("gone", "gone", Unit::Cycles, None),
        ];
        let mut record = Record { revision: "abc1234".to_owned(), ..Record::default() };
        record.take(Chip::Rp2040, &figures);
        record.take(Chip::Rp2350, &figures[1..]);
        assert_eq!(record.ids(Chip::Rp2040).collect::<Vec<_>>(), ["flash.text", "press.still.p99"]);
        assert_eq!(record.value(Chip::Rp2040, "press.still.p99"), Some(1.625));
        assert_eq!(record.value(Chip::Rp2350, "press.still.p99"), None);
        assert_eq!(record.value(Chip::Rp2040, "speed"), None);
        assert!(record.write().ends_with(
            "revision = \"abc1234\"\n\n[rp2040]\n\"flash.text\" = 56376\n\"press.still.p99\" = 1.625\n\n\
             [rp2350]\n\"flash.text\" = 56376\n"
        ));
        assert_eq!(Record::read(&record.write()), Ok(record));
    }

    #[test]
    fn the_file_in_the_tree_stays_as_it_is_when_nothing_has_changed() {
        let text = std::fs::read_to_string(setup::root().join("host-tests/measure/recorded.toml")).unwrap();
        assert_eq!(Record::read(&text).unwrap().write(), text);
    }

    #[test]
    fn what_is_no_record_is_refused() {
        let error = Record::read("# remark\n\n[rp2040]\nb\n").unwrap_err();
        assert!(error.to_string().contains("line 4"), "{error}");
        assert!(matches!(Record::read("a = x"), Err(BadRecord::Syntax(_))));
        for text in ["a = \"x\"", "[rp2040]\na = \"x\"", "[a]\nb = 1", "a = 1"] {
            assert_eq!(Record::read(text), Err(BadRecord::Value("a".to_owned())), "{text}");
        }
        assert_eq!(Record::read(""), Ok(Record::default()));
    }
}
