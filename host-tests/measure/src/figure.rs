//! A figure: one number that is measured, what it is compared with, and what comes of that.
//!
//! Two things judge it. Its **bound** is what we promise to users; it stands here in the code and does not follow what
//! is measured. Its **record** is what was measured when somebody last wrote `cargo measure --record`: a figure that
//! has grown beyond it by more than [`TOLERANCE`] has become worse, even if it is within its bound. All figures with a
//! record are such that less is better, and none of them depends on the machine that measures.

/// A figure may grow by this share before it counts as worse.
pub const TOLERANCE: f64 = 0.05;

/// What a value counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    /// Milliseconds of emulated time.
    Milliseconds,
    /// Microseconds of emulated time.
    Microseconds,
    /// Emulated cycles of the chip's clock.
    Cycles,
    /// Parts of a hundred.
    Percent,
    /// Current.
    Milliamperes,
    /// Memory.
    Bytes,
    /// So many times as much.
    Times,
}

impl Unit {
    /// How it is written behind a value.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Milliseconds => "ms",
            Self::Microseconds => "us",
            Self::Cycles => "cycles",
            Self::Percent => "%",
            Self::Milliamperes => "mA",
            Self::Bytes => "B",
            Self::Times => "x",
        }
    }

    /// A value with its unit, in as many digits as are of interest.
    pub fn show(self, value: f64) -> String {
        let number = match self {
            Self::Milliseconds | Self::Percent => format!("{value:.3}"),
            Self::Microseconds | Self::Milliamperes | Self::Times => format!("{value:.1}"),
            Self::Cycles | Self::Bytes => grouped(value),
        };
        format!("{number} {}", self.symbol())
    }
}

/// A whole number with its thousands set apart.
fn grouped(value: f64) -> String {
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

/// What is promised.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Bound {
    /// Nothing.
    None,
    /// It stays at or below.
    AtMost(f64),
}

/// Whether it is compared with its record.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Gate {
    /// It is only told: it depends on the machine, or on chance.
    Open,
    /// It may grow by [`TOLERANCE`], and by `slack` more. The slack is for figures so small that a few cycles are a
    /// large share of them.
    Recorded {
        /// In the unit of the figure.
        slack: f64,
    },
}

/// One number that is measured.
#[derive(Clone, PartialEq, Debug)]
pub struct Figure {
    /// Its name in files; it never changes.
    pub id: String,
    /// Its name for readers.
    pub name: String,
    /// What was measured; nothing where it could not be.
    pub value: Option<f64>,
    /// What the value counts.
    pub unit: Unit,
    /// What is promised.
    pub bound: Bound,
    /// How it is compared with the record.
    pub gate: Gate,
    /// The floor below which it cannot go, a peer, or how it was measured.
    pub beside: String,
}

impl Figure {
    /// A figure without a bound that is compared with its record.
    pub fn new(id: &str, name: &str, unit: Unit, value: impl Into<Option<f64>>) -> Self {
        Self {
            id: id.to_owned(),
            name: name.to_owned(),
            value: value.into(),
            unit,
            bound: Bound::None,
            gate: Gate::Recorded { slack: 0.0 },
            beside: String::new(),
        }
    }

    /// It is promised to stay at or below this.
    #[must_use]
    pub fn at_most(self, most: f64) -> Self {
        Self { bound: Bound::AtMost(most), ..self }
    }

    /// It is not compared with a record.
    #[must_use]
    pub fn open(self) -> Self {
        Self { gate: Gate::Open, ..self }
    }

    /// It may grow by so much beyond the tolerance.
    #[must_use]
    pub fn slack(self, slack: f64) -> Self {
        Self { gate: Gate::Recorded { slack }, ..self }
    }

    /// What it is to be compared with.
    #[must_use]
    pub fn beside(self, text: impl Into<String>) -> Self {
        Self { beside: text.into(), ..self }
    }

    /// What is promised, in words.
    pub fn bound_text(&self) -> String {
        match self.bound {
            Bound::None => String::new(),
            Bound::AtMost(most) => format!("<= {}", self.unit.show(most)),
        }
    }

    /// Judges it, with what was recorded for it.
    pub fn judge(&self, recorded: Option<f64>) -> Verdict {
        let Some(value) = self.value else {
            let needed = self.bound != Bound::None || recorded.is_some();
            return if needed { Verdict::Missing } else { Verdict::Unmeasured };
        };
        let kept = match self.bound {
            Bound::None => true,
            Bound::AtMost(most) => value <= most,
        };
        match (self.gate, recorded) {
            _ if !kept => Verdict::OverLimit,
            (Gate::Open, _) if self.bound == Bound::None => Verdict::Told,
            (Gate::Open, _) => Verdict::Good,
            (Gate::Recorded { .. }, None) => Verdict::New,
            (Gate::Recorded { slack }, Some(recorded)) if value > recorded * (1.0 + TOLERANCE) + slack => {
                Verdict::Worse
            }
            (Gate::Recorded { .. }, Some(_)) => Verdict::Good,
        }
    }
}

/// What comes of the comparison.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Within what is promised and what was recorded.
    Good,
    /// It has neither limit nor record.
    Told,
    /// It has no record yet.
    New,
    /// It cannot be measured with this firmware, and nobody expects it.
    Unmeasured,
    /// Not within what is promised.
    OverLimit,
    /// Within what is promised, but worse than what was recorded.
    Worse,
    /// It is promised, or was recorded, and cannot be measured any more.
    Missing,
}

impl Verdict {
    /// Whether this stops a change.
    pub fn fails(self) -> bool {
        matches!(self, Self::OverLimit | Self::Worse | Self::Missing)
    }

    /// In a word or two.
    pub fn word(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Told => "",
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
    fn five_per_cent_more_than_recorded_is_still_good_and_more_is_worse() {
        assert_eq!(figure(105.0).judge(Some(100.0)), Verdict::Good);
        assert_eq!(figure(105.1).judge(Some(100.0)), Verdict::Worse);
        assert_eq!(figure(12.0).judge(Some(100.0)), Verdict::Good);
        assert_eq!(figure(107.0).slack(2.0).judge(Some(100.0)), Verdict::Good);
        assert_eq!(figure(107.1).slack(2.0).judge(Some(100.0)), Verdict::Worse);
        assert_eq!(figure(1.0).judge(Some(0.0)), Verdict::Worse);
        assert_eq!(figure(900.0).judge(None), Verdict::New);
        assert_eq!(figure(900.0).open().judge(Some(1.0)), Verdict::Told);
    }

    #[test]
    fn a_promise_stands_whatever_was_recorded() {
        assert_eq!(figure(300.0).at_most(300.0).judge(Some(300.0)), Verdict::Good);
        assert_eq!(figure(301.0).at_most(300.0).judge(Some(301.0)), Verdict::OverLimit);
    }

    #[test]
    fn what_vanishes_is_noticed_only_if_somebody_counts_on_it() {
        assert_eq!(figure(None).judge(None), Verdict::Unmeasured);
        assert_eq!(figure(None).judge(Some(5.0)), Verdict::Missing);
        assert_eq!(figure(None).at_most(5.0).judge(None), Verdict::Missing);
        let failing = [Verdict::OverLimit, Verdict::Worse, Verdict::Missing];
        assert!(failing.into_iter().all(Verdict::fails));
        let passing = [Verdict::Good, Verdict::Told, Verdict::New, Verdict::Unmeasured];
        assert!(!passing.into_iter().any(Verdict::fails));
    }

    #[test]
    fn values_are_written_with_their_units() {
        assert_eq!(Unit::Cycles.show(1_234_567.0), "1,234,567 cycles");
        assert_eq!(Unit::Bytes.show(999.0), "999 B");
        assert_eq!(Unit::Milliseconds.show(1.6254), "1.625 ms");
        assert_eq!(figure(1.0).at_most(1000.0).bound_text(), "<= 1,000 cycles");
        assert_eq!(figure(1.0).bound_text(), "");
    }
}
