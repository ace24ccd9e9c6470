//! The recorded figures: the values that were measured at a revision, in a TOML file under version control. A figure
//! that gets worse changes that file, so a reviewer sees it.

use std::collections::BTreeMap;

use flash_image::Chip;
use serde::{Deserialize, Serialize};

use crate::figure::{Comparison, Figure};

/// The comment at the top of the file.
const HEADER: &str = "\
# The figures that were measured at this revision. `cargo measure` fails when a figure grows by more than 5 %. If the
# growth is intended, write this file again: `cargo measure --record`.
";

/// Recorded values, by chip and by the id of the figure.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Record {
    /// The revision that was measured.
    pub(crate) revision: String,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    rp2040: BTreeMap<String, f64>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    rp2350: BTreeMap<String, f64>,
}

impl Record {
    /// Replaces the values of a chip by these figures. Figures that are not compared or could not be measured are left
    /// out.
    pub(crate) fn replace(&mut self, chip: Chip, figures: &[Figure]) {
        let compared = figures.iter().filter(|figure| figure.comparison != Comparison::None);
        let values = compared.filter_map(|figure| Some((figure.id.clone(), rounded(figure.value?)))).collect();
        match chip {
            Chip::Rp2040 => self.rp2040 = values,
            Chip::Rp2350 => self.rp2350 = values,
        }
    }

    fn values(&self, chip: Chip) -> &BTreeMap<String, f64> {
        match chip {
            Chip::Rp2040 => &self.rp2040,
            Chip::Rp2350 => &self.rp2350,
        }
    }

    /// The recorded value of a figure.
    pub(crate) fn value(&self, chip: Chip, id: &str) -> Option<f64> {
        self.values(chip).get(id).copied()
    }

    /// The ids of all recorded figures of a chip.
    pub(crate) fn ids(&self, chip: Chip) -> impl Iterator<Item = &str> {
        self.values(chip).keys().map(String::as_str)
    }

    /// Parses the file.
    pub(crate) fn read(text: &str) -> Result<Self, toml::de::Error> {
        toml::from_str(text)
    }

    /// The text of the file.
    pub(crate) fn write(&self) -> Result<String, toml::ser::Error> {
        Ok(format!("{HEADER}{}", toml::to_string(self)?))
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
    fn written_record_reads_back() {
        let figures = [
            Figure::new("press.still.p99", "p99", Unit::Milliseconds, 1.625_000_000_4),
            Figure::new("flash.text", "text", Unit::Bytes, 56_376.0),
            Figure::new("speed", "speed", Unit::Times, 20.0).not_recorded(),
            Figure::new("gone", "gone", Unit::Cycles, None),
        ];
        let mut record = Record { revision: "abc1234".to_owned(), ..Record::default() };
        record.replace(Chip::Rp2040, &figures);
        record.replace(Chip::Rp2350, &figures[1..]);
        assert_eq!(record.ids(Chip::Rp2040).collect::<Vec<_>>(), ["flash.text", "press.still.p99"]);
        assert_eq!(record.value(Chip::Rp2040, "press.still.p99"), Some(1.625));
        assert_eq!(record.value(Chip::Rp2350, "press.still.p99"), None);
        assert_eq!(record.value(Chip::Rp2040, "speed"), None);
        let text = record.write().unwrap();
        assert!(text.ends_with(
            "revision = \"abc1234\"\n\n[rp2040]\n\"flash.text\" = 56376.0\n\"press.still.p99\" = 1.625\n\n\
             [rp2350]\n\"flash.text\" = 56376.0\n"
        ));
        assert_eq!(Record::read(&text), Ok(record));
    }

    #[test]
    fn committed_file_is_written_the_same() {
        let text = std::fs::read_to_string(setup::root().join("host-tests/measure/recorded.toml")).unwrap();
        assert_eq!(Record::read(&text).unwrap().write().unwrap(), text);
    }

    #[test]
    fn invalid_files_are_refused() {
        let error = Record::read("# remark\n\n[rp2040]\nb\n").unwrap_err();
        assert!(error.to_string().contains("line 4"), "{error}");
        for text in ["a = x", "a = \"x\"", "[rp2040]\na = \"x\"", "[a]\nb = 1", "a = 1"] {
            assert!(Record::read(text).is_err(), "{text}");
        }
        assert_eq!(Record::read(""), Ok(Record::default()));
        assert_eq!(Record::read("[rp2040]\na = 1").unwrap().value(Chip::Rp2040, "a"), Some(1.0), "a whole number");
    }
}
