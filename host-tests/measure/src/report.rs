//! The report: every figure with its verdict, as a table for readers or as JSON for programs.

use flash_image::Chip;
use serde_json::{Value, json};

use crate::figure::{Figure, Unit, Verdict};
use crate::recorded::Record;

/// A figure with its recorded value and its verdict.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Judged {
    /// The chip, or `None` for a figure of the web page or of a build.
    chip: Option<Chip>,
    figure: Figure,
    recorded: Option<f64>,
    verdict: Verdict,
}

/// Judges all figures of a chip. A recorded figure that is not among them is missing.
pub(crate) fn judge(chip: Chip, mut figures: Vec<Figure>, record: &Record) -> Vec<Judged> {
    let missing: Vec<&str> = record.ids(chip).filter(|id| figures.iter().all(|figure| figure.id != *id)).collect();
    figures.extend(missing.into_iter().map(|id| Figure::new(id, id, Unit::Cycles, None).note("It is recorded.")));
    let judged = |figure: Figure| {
        let recorded = record.value(chip, &figure.id);
        Judged::new(Some(chip), figure, recorded)
    };
    figures.into_iter().map(judged).collect()
}

/// Whether no verdict is a failure.
pub(crate) fn is_all_good(judged: &[Judged]) -> bool {
    !judged.iter().any(|judged| judged.verdict.is_failure())
}

impl Judged {
    /// Judges one figure.
    pub(crate) fn new(chip: Option<Chip>, figure: Figure, recorded: Option<f64>) -> Self {
        Self { chip, verdict: figure.judge(recorded), recorded, figure }
    }

    fn value_text(&self) -> String {
        self.figure.value.map_or_else(|| "-".to_owned(), |value| self.figure.unit.format(value))
    }

    /// The change since it was recorded, in per cent.
    fn growth_text(&self) -> String {
        match (self.figure.value, self.recorded) {
            (Some(value), Some(recorded)) if value == recorded => "=".to_owned(),
            (Some(value), Some(recorded)) if recorded != 0.0 => {
                let growth = 100.0 * (value / recorded - 1.0);
                if growth.abs() < 0.05 { "=".to_owned() } else { format!("{growth:+.1} %") }
            }
            (Some(_), Some(_)) => "from 0".to_owned(),
            _ => String::new(),
        }
    }

    /// For a figure that fails: a sentence with the reason.
    fn failure_text(&self) -> String {
        let (figure, value) = (&self.figure, self.value_text());
        let chip = self.chip.map_or_else(String::new, |chip| format!("{chip}, "));
        let name = format!("{chip}{}", figure.name.trim_start());
        match (self.verdict, self.recorded) {
            (Verdict::OverLimit, _) => format!("{name}: {value} is above the limit, {}.", figure.limit_text()),
            (Verdict::Worse, Some(recorded)) => {
                let recorded = figure.unit.format(recorded);
                format!("{name}: {value}, but {recorded} was recorded. If that is intended: cargo measure --record")
            }
            _ => format!("{name}: it can no longer be measured. {}", figure.note),
        }
    }
}

/// The table of the chips' figures: one line for each figure, with two columns for each chip, then a sentence for each
/// failure.
pub(crate) fn table(judged: &[Judged], record: &Record) -> String {
    let chips: Vec<Chip> =
        Chip::ALL.into_iter().filter(|&chip| judged.iter().any(|one| one.chip == Some(chip))).collect();
    let since = if record.revision.is_empty() { "record".to_owned() } else { format!("since {}", record.revision) };
    let mut header = vec!["figure".to_owned()];
    header.extend(chips.iter().flat_map(|chip| [chip.to_string(), since.clone()]));
    header.extend(["limit", "verdict", "floor or peer"].map(str::to_owned));
    let mut rows = vec![header];
    for (index, first) in judged.iter().enumerate() {
        let is_same = |one: &&Judged| one.figure.id == first.figure.id;
        if !judged[..index].iter().any(|one| is_same(&one)) {
            let by_chip: Vec<Option<&Judged>> =
                chips.iter().map(|&chip| judged.iter().filter(is_same).find(|one| one.chip == Some(chip))).collect();
            rows.push(row(&first.figure, &by_chip));
        }
    }
    format!("{}\n{}", aligned(&rows), failures(judged))
}

/// One line of the table: a figure on all chips.
fn row(figure: &Figure, by_chip: &[Option<&Judged>]) -> Vec<String> {
    let values = by_chip
        .iter()
        .flat_map(|judged| judged.map_or_else(Default::default, |one| [one.value_text(), one.growth_text()]));
    let mut row = vec![figure.name.clone()];
    row.extend(values);
    row.extend([figure.limit_text(), verdict_text(by_chip), figure.note.clone()]);
    row
}

/// The verdict on a figure on all chips: one word if it is the same on each.
fn verdict_text(by_chip: &[Option<&Judged>]) -> String {
    let judged: Vec<&Judged> = by_chip.iter().copied().flatten().collect();
    match &judged[..] {
        [first, others @ ..] if others.iter().any(|other| other.verdict != first.verdict) => {
            let texts = judged.iter().filter_map(|one| Some((one.chip?, one.verdict.text())));
            let texts = texts.filter(|(_, text)| !text.is_empty());
            texts.map(|(chip, text)| format!("{chip}: {text}")).collect::<Vec<_>>().join(", ")
        }
        _ => judged.first().map_or_else(String::new, |first| first.verdict.text().to_owned()),
    }
}

/// The table of figures that belong to no chip, then a sentence for each failure.
pub(crate) fn plain_table(judged: &[Judged]) -> String {
    let mut rows = vec![["figure", "value", "limit", "verdict", ""].map(str::to_owned).to_vec()];
    for one in judged {
        let (figure, verdict) = (&one.figure, one.verdict.text().to_owned());
        rows.push(vec![figure.name.clone(), one.value_text(), figure.limit_text(), verdict, figure.note.clone()]);
    }
    format!("{}\n{}", aligned(&rows), failures(judged))
}

/// Rows as lines of text. The first row is the header. Names and remarks are aligned to the left, numbers to the right.
fn aligned(rows: &[Vec<String>]) -> String {
    let columns = rows.first().map_or(0, Vec::len);
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, &width))| {
            let is_text = column == 0 || column + 2 >= columns;
            if is_text { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
        });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    let mut lines: Vec<String> = rows.iter().map(line).collect();
    lines.insert(1, "-".repeat(widths.iter().sum::<usize>() + 2 * (columns - 1)));
    lines.join("\n") + "\n"
}

fn failures(judged: &[Judged]) -> String {
    let failing = judged.iter().filter(|judged| judged.verdict.is_failure());
    failing.map(|judged| judged.failure_text() + "\n").collect()
}

/// The report as one JSON object.
pub(crate) fn json(judged: &[Judged], record: &Record, revision: &str) -> String {
    let figures: Vec<Value> = judged
        .iter()
        .map(|judged| {
            let figure = &judged.figure;
            json!({
                "chip": judged.chip.map(|chip| chip.to_string()),
                "id": figure.id,
                "name": figure.name,
                "value": number(figure.value),
                "unit": figure.unit.symbol(),
                "limit": number(figure.limit),
                "recorded": number(judged.recorded),
                "verdict": judged.verdict.text(),
                "fails": judged.verdict.is_failure(),
                "note": figure.note,
            })
        })
        .collect();
    let report = json!({
        "revision": revision,
        "recorded": record.revision,
        "passed": is_all_good(judged),
        "figures": figures,
    });
    format!("{report:#}\n")
}

/// A whole number without decimals. `NaN` and a missing value are null.
fn number(value: Option<f64>) -> Value {
    match value {
        Some(whole) if whole.fract() == 0.0 && whole.abs() < 1e15 => Value::from(whole as i64),
        other => Value::from(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged() -> (Vec<Judged>, Record) {
        let figures = vec![
            Figure::new("a", "first", Unit::Cycles, 1050.0).at_most(2000.0).note("floor 900"),
            Figure::new("b", "the \"second\"", Unit::Bytes, 1200.0),
            Figure::new("c", "third", Unit::Milliseconds, 3.5).at_most(2.5),
            Figure::new("d", "fourth", Unit::Times, None).not_recorded(),
        ];
        let others = vec![
            Figure::new("a", "first", Unit::Cycles, 900.0).at_most(2000.0).note("floor 800"),
            Figure::new("c", "third", Unit::Milliseconds, 2.0).at_most(2.5),
            Figure::new("e", "fifth", Unit::Cycles, 5.0),
        ];
        let text = "revision = \"abc\"\n[rp2040]\n\"a\" = 1000\n\"b\" = 1000\n[rp2350]\n\"a\" = 1000\n";
        let record = Record::read(text).unwrap();
        let mut all = judge(Chip::Rp2040, figures, &record);
        all.extend(judge(Chip::Rp2350, others, &record));
        (all, record)
    }

    #[test]
    fn table_lists_figures_and_explains_failures() {
        let (judged, record) = judged();
        assert!(!is_all_good(&judged));
        assert!(is_all_good(&judged[..1]));
        let expected = "\
figure              RP2040  since abc      RP2350  since abc            limit  \
verdict                          floor or peer
-------------------------------------------------------------------------------\
----------------------------------------------
first         1,050 cycles     +5.0 %  900 cycles    -10.0 %  <= 2,000 cycles  \
good                             floor 900
the \"second\"       1,200 B    +20.0 %                                          WORSE
third             3.500 ms               2.000 ms                 <= 2.500 ms  RP2040: OVER LIMIT, RP2350: new
fourth                   -                                                     not measured
fifth                                    5 cycles                              new

RP2040, the \"second\": 1,200 B, but 1,000 B was recorded. If that is intended: cargo measure --record
RP2040, third: 3.500 ms is above the limit, <= 2.500 ms.
";
        assert_eq!(table(&judged, &record), expected);
    }

    #[test]
    fn plain_table_has_no_chips() {
        let size = |value| Figure::new("page.module", "module", Unit::Bytes, value).not_recorded().at_most(1000.0);
        let judged = [900.0, 1001.0].map(|value| Judged::new(None, size(value), None));
        let expected = "\
figure    value       limit  verdict
-----------------------------------------
module    900 B  <= 1,000 B  good
module  1,001 B  <= 1,000 B  OVER LIMIT

module: 1,001 B is above the limit, <= 1,000 B.
";
        assert_eq!(plain_table(&judged), expected);
    }

    #[test]
    fn recorded_figure_that_is_not_measured_fails() {
        let record = Record::read("[rp2350]\n\"old\" = 7\n").unwrap();
        assert!(is_all_good(&judge(Chip::Rp2040, Vec::new(), &record)), "it was recorded for another chip");
        let judged = judge(Chip::Rp2350, Vec::new(), &record);
        assert!(!is_all_good(&judged));
        assert!(table(&judged, &record).contains("RP2350, old: it can no longer be measured."));
    }

    #[test]
    fn json_has_null_for_missing_values() {
        let (judged, record) = judged();
        let parsed: Value = serde_json::from_str(&json(&judged, &record, "def")).unwrap();
        assert_eq!(
            (&parsed["revision"], &parsed["recorded"], &parsed["passed"]),
            (&json!("def"), &json!("abc"), &json!(false))
        );
        let second = json!({
            "chip": "RP2040", "id": "b", "name": "the \"second\"", "value": 1200, "unit": "B", "limit": null,
            "recorded": 1000, "verdict": "WORSE", "fails": true, "note": "",
        });
        assert_eq!(parsed["figures"][1], second);
        assert_eq!((&parsed["figures"][2]["limit"], &parsed["figures"][2]["recorded"]), (&json!(2.5), &Value::Null));
        assert_eq!((number(Some(f64::NAN)), number(Some(0.5))), (Value::Null, json!(0.5)));
    }
}
