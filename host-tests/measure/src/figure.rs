//! A figure: one measured number, its limit, its recorded value, and the verdict.
//!
//! Two comparisons decide the verdict. The **limit** is promised to users; it is written in the code and does not
//! follow the measurement. The **recorded value** was measured at the last `cargo measure --record`: a figure that has
//! grown by more than [`TOLERANCE`] since then has become worse, even if it is within its limit. For every recorded
//! figure less is better, and no recorded figure depends on the computer that measures.

/// A figure may grow by this share of its recorded value before it counts as worse.
pub(crate) const TOLERANCE: f64 = 0.05;

/// The unit of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Unit {
    /// Seconds of real time.
    Seconds,
    /// Milliseconds of emulated time.
    Milliseconds,
    /// Microseconds of emulated time.
    Microseconds,
    /// Emulated cycles of the chip's clock.
    Cycles,
    /// Per cent.
    Percent,
    /// Current.
    Milliamperes,
    /// Memory.
    Bytes,
    /// A ratio.
    Times,
}

impl Unit {
    /// The symbol after a value.
    pub(crate) fn symbol(self) -> &'static str {
        match self {
            Self::Seconds => "s",
            Self::Milliseconds => "ms",
            Self::Microseconds => "us",
            Self::Cycles => "cycles",
            Self::Percent => "%",
            Self::Milliamperes => "mA",
            Self::Bytes => "B",
            Self::Times => "x",
        }
    }

    /// A value with its unit, with as many digits as are significant.
    pub(crate) fn format(self, value: f64) -> String {
        let number = match self {
            Self::Milliseconds | Self::Percent => format!("{value:.3}"),
            Self::Seconds | Self::Microseconds | Self::Milliamperes | Self::Times => format!("{value:.1}"),
            Self::Cycles | Self::Bytes => with_thousands(value),
        };
        format!("{number} {}", self.symbol())
    }
}

/// A whole number with a comma before each group of three digits.
fn with_thousands(value: f64) -> String {
    let digits = format!("{value:.0}");
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Whether a figure is recorded and compared with its recorded value.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Comparison {
    /// It is not recorded: it depends on the computer, or on chance.
    None,
    /// It may grow by [`TOLERANCE`], and by `slack` more. The slack is for figures so small that a few cycles are a
    /// large share of them.
    Recorded {
        /// In the unit of the figure.
        slack: f64,
    },
}

/// One measured number.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Figure {
    /// Its key in recorded.toml and JSON. It never changes, so that figures stay comparable.
    pub(crate) id: String,
    /// Its name in the table.
    pub(crate) name: String,
    /// The measured value; `None` if it could not be measured.
    pub(crate) value: Option<f64>,
    /// The unit of the value.
    pub(crate) unit: Unit,
    /// The largest value that is promised, if any.
    pub(crate) limit: Option<f64>,
    /// Whether it is compared with a recorded value.
    pub(crate) comparison: Comparison,
    /// A remark: the physical lower bound, a value to compare with, or how it was measured.
    pub(crate) note: String,
}

impl Figure {
    /// A figure without a limit that is compared with its recorded value.
    pub(crate) fn new(id: &str, name: &str, unit: Unit, value: impl Into<Option<f64>>) -> Self {
        Self {
            id: id.to_owned(),
            name: name.to_owned(),
            value: value.into(),
            unit,
            limit: None,
            comparison: Comparison::Recorded { slack: 0.0 },
            note: String::new(),
        }
    }

    /// Sets the limit.
    #[must_use]
    pub(crate) fn at_most(self, limit: f64) -> Self {
        Self { limit: Some(limit), ..self }
    }

    /// Leaves it out of the recorded figures.
    #[must_use]
    pub(crate) fn not_recorded(self) -> Self {
        Self { comparison: Comparison::None, ..self }
    }

    /// Sets how much it may grow beyond the tolerance.
    #[must_use]
    pub(crate) fn slack(self, slack: f64) -> Self {
        Self { comparison: Comparison::Recorded { slack }, ..self }
    }

    /// Sets the remark.
    #[must_use]
    pub(crate) fn note(self, text: impl Into<String>) -> Self {
        Self { note: text.into(), ..self }
    }

    /// The limit for the table; empty if there is none.
    pub(crate) fn limit_text(&self) -> String {
        self.limit.map_or_else(String::new, |limit| format!("<= {}", self.unit.format(limit)))
    }

    /// Compares it with its limit and with its recorded value.
    pub(crate) fn judge(&self, recorded: Option<f64>) -> Verdict {
        let Some(value) = self.value else {
            let is_expected = self.limit.is_some() || recorded.is_some();
            return if is_expected { Verdict::Missing } else { Verdict::Unmeasured };
        };
        match (self.comparison, recorded) {
            _ if self.limit.is_some_and(|limit| value > limit) => Verdict::OverLimit,
            (Comparison::None, _) if self.limit.is_none() => Verdict::NotCompared,
            (Comparison::None, _) => Verdict::Good,
            (Comparison::Recorded { .. }, None) => Verdict::New,
            (Comparison::Recorded { slack }, Some(recorded)) if value > recorded * (1.0 + TOLERANCE) + slack => {
                Verdict::Worse
            }
            (Comparison::Recorded { .. }, Some(_)) => Verdict::Good,
        }
    }
}

/// The result of the comparisons.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    /// Within its limit and near its recorded value.
    Good,
    /// It has neither a limit nor a recorded value.
    NotCompared,
    /// It has no recorded value yet.
    New,
    /// It cannot be measured with this firmware, and has neither a limit nor a recorded value.
    Unmeasured,
    /// Above its limit.
    OverLimit,
    /// Within its limit, but worse than its recorded value.
    Worse,
    /// It has a limit or a recorded value, but could not be measured.
    Missing,
}

impl Verdict {
    /// Whether `cargo measure` fails because of it.
    pub(crate) fn is_failure(self) -> bool {
        matches!(self, Self::OverLimit | Self::Worse | Self::Missing)
    }

    /// The verdict for the table.
    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::NotCompared => "",
            Self::New => "new",
            Self::Unmeasured => "not measured",
            Self::OverLimit => "OVER LIMIT",
            Self::Worse => "WORSE",
            Self::Missing => "MISSING",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(value: impl Into<Option<f64>>) -> Figure {
        Figure::new("x", "x", Unit::Cycles, value)
    }

    #[test]
    fn growth_beyond_five_per_cent_is_worse() {
        assert_eq!(figure(105.0).judge(Some(100.0)), Verdict::Good);
        assert_eq!(figure(105.1).judge(Some(100.0)), Verdict::Worse);
        assert_eq!(figure(12.0).judge(Some(100.0)), Verdict::Good);
        assert_eq!(figure(107.0).slack(2.0).judge(Some(100.0)), Verdict::Good);
        assert_eq!(figure(107.1).slack(2.0).judge(Some(100.0)), Verdict::Worse);
        assert_eq!(figure(1.0).judge(Some(0.0)), Verdict::Worse);
        assert_eq!(figure(900.0).judge(None), Verdict::New);
        assert_eq!(figure(900.0).not_recorded().judge(Some(1.0)), Verdict::NotCompared);
    }

    #[test]
    fn limit_does_not_follow_the_recorded_value() {
        assert_eq!(figure(300.0).at_most(300.0).judge(Some(300.0)), Verdict::Good);
        assert_eq!(figure(301.0).at_most(300.0).judge(Some(301.0)), Verdict::OverLimit);
        assert_eq!(figure(301.0).at_most(300.0).not_recorded().judge(None), Verdict::OverLimit);
    }

    #[test]
    fn missing_value_fails_if_limited_or_recorded() {
        assert_eq!(figure(None).judge(None), Verdict::Unmeasured);
        assert_eq!(figure(None).judge(Some(5.0)), Verdict::Missing);
        assert_eq!(figure(None).at_most(5.0).judge(None), Verdict::Missing);
        let failing = [Verdict::OverLimit, Verdict::Worse, Verdict::Missing];
        assert!(failing.into_iter().all(Verdict::is_failure));
        let passing = [Verdict::Good, Verdict::NotCompared, Verdict::New, Verdict::Unmeasured];
        assert!(!passing.into_iter().any(Verdict::is_failure));
    }

    #[test]
    fn values_are_formatted_with_units() {
        assert_eq!(Unit::Cycles.format(1_234_567.0), "1,234,567 cycles");
        assert_eq!(Unit::Bytes.format(999.0), "999 B");
        assert_eq!(Unit::Milliseconds.format(1.6254), "1.625 ms");
        assert_eq!(figure(1.0).at_most(1000.0).limit_text(), "<= 1,000 cycles");
        assert_eq!(figure(1.0).limit_text(), "");
    }
}
