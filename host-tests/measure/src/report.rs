//! The report: every figure with its verdict, as a table for readers or as JSON for programs.

use std::fmt::Write as _;

use flash_image::Chip;
use serde_json::{Value, json};

use crate::figure::{Bound, Figure, Unit, Verdict};
use crate::recorded::Record;

/// A chip's figure with what was recorded and what comes of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    chip: Chip,
    figure: Figure,
    recorded: Option<f64>,
    verdict: Verdict,
}

/// Judges all figures of a chip by the record. What was recorded and is not among them any more is missing.
pub fn judge(chip: Chip, mut figures: Vec<Figure>, record: &Record) -> Vec<Judged> {
    let gone: Vec<&str> = record.ids(chip).filter(|id| figures.iter().all(|figure| figure.id != *id)).collect();
    figures.extend(gone.into_iter().map(|id| Figure::new(id, id, Unit::Cycles, None).beside("It is recorded.")));
    let judged = |figure: Figure| {
        let recorded = record.value(chip, &figure.id);
        Judged { chip, verdict: figure.judge(recorded), recorded, figure }
    };
    figures.into_iter().map(judged).collect()
}

/// Whether nothing stops a change.
pub fn all_good(judged: &[Judged]) -> bool {
    !judged.iter().any(|judged| judged.verdict.fails())
}

impl Judged {
    fn value_text(&self) -> String {
        self.figure.value.map_or_else(|| "-".to_owned(), |value| self.figure.unit.show(value))
    }

    /// How much more or less than recorded, in per cent.
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
}

/// A table: one line for each figure, with two columns for each chip, then a line for each that fails.
pub fn table(judged: &[Judged], record: &Record) -> String {
    let chips: Vec<Chip> = Chip::ALL.into_iter().filter(|&chip| judged.iter().any(|one| one.chip == chip)).collect();
    let since = if record.revision.is_empty() { "record".to_owned() } else { format!("since {}", record.revision) };
    let values = chips.iter().flat_map(|chip| [chip.to_string(), since.clone()]);
    let row = |name: &str, values: Vec<String>, limit: &str, verdict: &str, beside: &str| {
        let mut row = vec![name.to_owned()];
        row.extend(values);
        row.extend([limit, verdict, beside].map(str::to_owned));
        row
    };
    let mut rows = vec![row("figure", values.collect(), "limit", "verdict", "floor or peer")];
    for (place, first) in judged.iter().enumerate() {
        let same = |one: &&Judged| one.figure.id == first.figure.id;
        if judged[..place].iter().any(|one| same(&one)) {
            continue;
        }
        let of_chip = |chip: &Chip| judged.iter().filter(same).find(|one| one.chip == *chip);
        let values = chips
            .iter()
            .map(of_chip)
            .flat_map(|one| one.map_or_else(Default::default, |one| [one.value_text(), one.growth_text()]));
        let verdict = verdict_text(&chips.iter().filter_map(of_chip).collect::<Vec<_>>());
        let figure = &first.figure;
        rows.push(row(&figure.name, values.collect(), &figure.bound_text(), &verdict, &figure.beside));
    }
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..rows[0].len()).map(width).collect();
    let mut text = String::new();
    for (index, row) in rows.iter().enumerate() {
        // Names and words to the left, numbers to the right.
        let mut line = String::new();
        for (column, (cell, &width)) in row.iter().zip(&widths).enumerate() {
            let _ = if column == 0 || column + 2 >= row.len() {
                write!(line, "{cell:<width$}  ")
            } else {
                write!(line, "{cell:>width$}  ")
            };
        }
        text.push_str(line.trim_end());
        text.push('\n');
        if index == 0 {
            text.push_str(&"-".repeat(widths.iter().sum::<usize>() + 2 * (widths.len() - 1)));
            text.push('\n');
        }
    }
    text.push('\n');
    for judged in judged.iter().filter(|judged| judged.verdict.fails()) {
        text.push_str(&complaint(judged));
        text.push('\n');
    }
    text
}

/// What is said of one figure on all chips: once if it is the same.
fn verdict_text(judged: &[&Judged]) -> String {
    match judged {
        [first, others @ ..] if others.iter().any(|other| other.verdict != first.verdict) => {
            let words = judged.iter().map(|one| (one.chip, one.verdict.word())).filter(|(_, word)| !word.is_empty());
            words.map(|(chip, word)| format!("{chip}: {word}")).collect::<Vec<_>>().join(", ")
        }
        _ => judged.first().map_or_else(String::new, |first| first.verdict.word().to_owned()),
    }
}

/// A sentence about a figure that fails, and what to do about it.
fn complaint(judged: &Judged) -> String {
    let (figure, value) = (&judged.figure, judged.value_text());
    let name = format!("{}, {}", judged.chip, figure.name.trim_start());
    match (judged.verdict, judged.recorded) {
        (Verdict::OverLimit, _) => format!("{name}: {value} is not within the limit, {}.", figure.bound_text()),
        (Verdict::Worse, Some(recorded)) => {
            let recorded = figure.unit.show(recorded);
            format!("{name}: {value}, but {recorded} was recorded. If that is meant: cargo measure --record")
        }
        _ => format!("{name}: it cannot be measured any more. {}", figure.beside),
    }
}

/// One JSON object.
pub fn json(judged: &[Judged], record: &Record, revision: &str) -> String {
    let figures: Vec<Value> = judged
        .iter()
        .map(|judged| {
            let figure = &judged.figure;
            let limit = match figure.bound {
                Bound::None => None,
                Bound::AtMost(most) => Some(most),
            };
            json!({
                "chip": judged.chip.to_string(),
                "id": figure.id,
                "name": figure.name,
                "value": number(figure.value),
                "unit": figure.unit.symbol(),
                "limit": number(limit),
                "recorded": number(judged.recorded),
                "verdict": judged.verdict.word(),
                "fails": judged.verdict.fails(),
                "beside": figure.beside,
            })
        })
        .collect();
    let all = json!({
        "revision": revision,
        "recorded": record.revision,
        "passed": all_good(judged),
        "figures": figures,
    });
    format!("{all:#}\n")
}

/// A whole number is told without decimals; what is no number at all is null.
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
            Figure::new("a", "first", Unit::Cycles, 1050.0).at_most(2000.0).beside("floor 900"),
            Figure::new("b", "the \"second\"", Unit::Bytes, 1200.0),
            Figure::new("c", "third", Unit::Milliseconds, 3.5).at_most(2.5),
            Figure::new("d", "fourth", Unit::Times, None).open(),
        ];
        let others = vec![
            Figure::new("a", "first", Unit::Cycles, 900.0).at_most(2000.0).beside("floor 800"),
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
    fn the_table_has_a_line_for_each_and_a_sentence_for_each_that_fails() {
        let (judged, record) = judged();
        assert!(!all_good(&judged));
        assert!(all_good(&judged[..1]));
        let expected = "\
figure              RP2040  since abc      RP2350  since abc            limit  verdict                          floor or peer
-----------------------------------------------------------------------------------------------------------------------------
first         1,050 cycles     +5.0 %  900 cycles    -10.0 %  <= 2,000 cycles  good                             floor 900
the \"second\"       1,200 B    +20.0 %                                          WORSE
third             3.500 ms               2.000 ms                 <= 2.500 ms  RP2040: OVER LIMIT, RP2350: new
fourth                   -                                                     not measured
fifth                                    5 cycles                              new

RP2040, the \"second\": 1,200 B, but 1,000 B was recorded. If that is meant: cargo measure --record
RP2040, third: 3.500 ms is not within the limit, <= 2.500 ms.
";
        assert_eq!(table(&judged, &record), expected);
    }

    #[test]
    fn what_was_recorded_and_is_no_longer_measured_fails() {
        let record = Record::read("[rp2350]\n\"old\" = 7\n").unwrap();
        assert!(all_good(&judge(Chip::Rp2040, Vec::new(), &record)), "it was another chip's");
        let judged = judge(Chip::Rp2350, Vec::new(), &record);
        assert!(!all_good(&judged));
        assert!(table(&judged, &record).contains("RP2350, old: it cannot be measured any more."));
    }

    #[test]
    fn json_tells_the_same_and_says_null_where_there_is_nothing() {
        let (judged, record) = judged();
        let told: Value = serde_json::from_str(&json(&judged, &record, "def")).unwrap();
        assert_eq!(
            (&told["revision"], &told["recorded"], &told["passed"]),
            (&json!("def"), &json!("abc"), &json!(false))
        );
        let second = json!({
            "chip": "RP2040", "id": "b", "name": "the \"second\"", "value": 1200, "unit": "B", "limit": null,
            "recorded": 1000, "verdict": "WORSE", "fails": true, "beside": "",
        });
        assert_eq!(told["figures"][1], second);
        assert_eq!((&told["figures"][2]["limit"], &told["figures"][2]["recorded"]), (&json!(2.5), &Value::Null));
        assert_eq!((number(Some(f64::NAN)), number(Some(0.5))), (Value::Null, json!(0.5)));
    }
}
