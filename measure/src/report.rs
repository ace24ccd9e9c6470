//! The report: every figure with its verdict, as a table for readers or as JSON for programs.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::figure::{Bound, Figure, Unit, Verdict};
use crate::recorded::Record;

/// A figure with what was recorded and what comes of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    figure: Figure,
    recorded: Option<f64>,
    verdict: Verdict,
}

/// Judges all figures by the record. What was recorded and is not among them any more is missing.
pub fn judge(mut figures: Vec<Figure>, record: &Record) -> Vec<Judged> {
    let gone: Vec<&str> = record.ids().filter(|id| figures.iter().all(|figure| figure.id != *id)).collect();
    figures.extend(gone.into_iter().map(|id| Figure::new(id, id, Unit::Cycles, None).beside("It is recorded.")));
    let judged = |figure: Figure| {
        let recorded = record.value(&figure.id);
        Judged { verdict: figure.judge(recorded), recorded, figure }
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

/// A table: one line for each figure, then one for each that fails.
pub fn table(judged: &[Judged], record: &Record) -> String {
    let since = if record.revision.is_empty() { "record".to_owned() } else { format!("since {}", record.revision) };
    let mut rows = vec![["figure", "value", "limit", &since, "verdict", "floor or peer"].map(str::to_owned)];
    rows.extend(judged.iter().map(|judged| {
        let figure = &judged.figure;
        let verdict = judged.verdict.word().to_owned();
        let texts = [judged.value_text(), figure.bound_text(), judged.growth_text(), verdict];
        let [value, limit, growth, verdict] = texts;
        [figure.name.clone(), value, limit, growth, verdict, figure.beside.clone()]
    }));
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: [usize; 6] = std::array::from_fn(width);
    let mut text = String::new();
    for (index, row) in rows.iter().enumerate() {
        // Names and words to the left, numbers to the right.
        let mut line = String::new();
        for (column, (cell, &width)) in row.iter().zip(&widths).enumerate() {
            let _ = match column {
                0 | 4 | 5 => write!(line, "{cell:<width$}  "),
                _ => write!(line, "{cell:>width$}  "),
            };
        }
        text.push_str(line.trim_end());
        text.push('\n');
        if index == 0 {
            text.push_str(&"-".repeat(widths.iter().sum::<usize>() + 10));
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

/// A sentence about a figure that fails, and what to do about it.
fn complaint(judged: &Judged) -> String {
    let (figure, value) = (&judged.figure, judged.value_text());
    match (judged.verdict, judged.recorded) {
        (Verdict::OverLimit, _) => {
            format!("{}: {value} is not within the limit, {}.", figure.name, figure.bound_text())
        }
        (Verdict::Worse, Some(recorded)) => {
            let recorded = figure.unit.show(recorded);
            format!("{}: {value}, but {recorded} was recorded. If that is meant: cargo measure --record", figure.name)
        }
        _ => format!("{}: it cannot be measured any more. {}", figure.name, figure.beside),
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
        let record = Record::read("revision = \"abc\"\n\"a\" = 1000\n\"b\" = 1000\n").unwrap();
        (judge(figures, &record), record)
    }

    #[test]
    fn the_table_has_a_line_for_each_and_a_sentence_for_each_that_fails() {
        let (judged, record) = judged();
        assert!(!all_good(&judged));
        assert!(all_good(&judged[..1]));
        let expected = "\
figure               value            limit  since abc  verdict       floor or peer
-----------------------------------------------------------------------------------
first         1,050 cycles  <= 2,000 cycles     +5.0 %  good          floor 900
the \"second\"       1,200 B                     +20.0 %  WORSE
third             3.500 ms      <= 2.500 ms             OVER LIMIT
fourth                   -                              not measured

the \"second\": 1,200 B, but 1,000 B was recorded. If that is meant: cargo measure --record
third: 3.500 ms is not within the limit, <= 2.500 ms.
";
        assert_eq!(table(&judged, &record), expected);
    }

    #[test]
    fn what_was_recorded_and_is_no_longer_measured_fails() {
        let record = Record::read("\"old\" = 7\n").unwrap();
        let judged = judge(Vec::new(), &record);
        assert!(!all_good(&judged));
        assert!(table(&judged, &record).contains("old: it cannot be measured any more."));
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
            "id": "b", "name": "the \"second\"", "value": 1200, "unit": "B", "limit": null,
            "recorded": 1000, "verdict": "WORSE", "fails": true, "beside": "",
        });
        assert_eq!(told["figures"][1], second);
        assert_eq!((&told["figures"][2]["limit"], &told["figures"][2]["recorded"]), (&json!(2.5), &Value::Null));
        assert_eq!((number(Some(f64::NAN)), number(Some(0.5))), (Value::Null, json!(0.5)));
    }
}
