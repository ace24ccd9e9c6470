//! The record: what was measured at a revision, in a file that is part of the tree, so that a change for the worse is a
//! change of that file and can be seen and judged.
//!
//! A line is empty, a remark after `#`, or `name = value`; the first of them names the revision. That is a small part
//! of TOML, and needs no library.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::figure::{Figure, Gate};

/// Recorded values, by the id of their figure.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Record {
    /// The revision that was measured.
    pub revision: String,
    values: BTreeMap<String, f64>,
}

/// A line of the file that is none of ours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadLine {
    /// Counted from 1.
    pub number: usize,
    /// What it says.
    pub text: String,
}

impl std::fmt::Display for BadLine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {} is neither `\"figure\" = number` nor a remark: {}", self.number, self.text)
    }
}

impl Record {
    /// What is to be recorded of these figures: those that are compared, and could be measured.
    pub fn of(figures: &[Figure], revision: &str) -> Self {
        let compared = figures.iter().filter(|figure| figure.gate != Gate::Open);
        let values = compared.filter_map(|figure| Some((figure.id.clone(), rounded(figure.value?)))).collect();
        Self { revision: revision.to_owned(), values }
    }

    /// The recorded value of a figure.
    pub fn value(&self, id: &str) -> Option<f64> {
        self.values.get(id).copied()
    }

    /// The ids of all recorded figures.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.values.keys().map(String::as_str)
    }

    /// Reads the file.
    pub fn read(text: &str) -> Result<Self, BadLine> {
        let mut record = Self::default();
        for (index, line) in text.lines().enumerate() {
            let bad = || BadLine { number: index + 1, text: line.to_owned() };
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let (name, value) = line.split_once('=').ok_or_else(bad)?;
            let (name, value) = (name.trim().trim_matches('"'), value.trim());
            if name == "revision" {
                value.trim_matches('"').clone_into(&mut record.revision);
            } else {
                record.values.insert(name.to_owned(), value.parse().map_err(|_| bad())?);
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
        let _ = writeln!(text, "revision = \"{}\"\n", self.revision);
        for (id, value) in &self.values {
            let _ = writeln!(text, "\"{id}\" = {value}");
        }
        text
    }
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
        let record = Record::of(&figures, "abc1234");
        assert_eq!(record.ids().collect::<Vec<_>>(), ["flash.text", "press.still.p99"]);
        assert_eq!(record.value("press.still.p99"), Some(1.625));
        assert_eq!(record.value("speed"), None);
        assert!(
            record.write().ends_with("revision = \"abc1234\"\n\n\"flash.text\" = 56376\n\"press.still.p99\" = 1.625\n")
        );
        assert_eq!(Record::read(&record.write()), Ok(record));
    }

    #[test]
    fn a_bad_line_is_named() {
        let error = Record::read("# remark\n\n\"a\" = 1\nb\n").unwrap_err();
        assert_eq!(error, BadLine { number: 4, text: "b".to_owned() });
        assert!(error.to_string().starts_with("line 4 is neither"));
        assert_eq!(Record::read("a = x").map_err(|error| error.number), Err(1));
        assert_eq!(Record::read(""), Ok(Record::default()));
    }
}
