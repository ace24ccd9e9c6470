//! Days as text, and as the number of days since 1 January 1970, which selects the puzzle of the day.

use std::time::{SystemTime, UNIX_EPOCH};

use time::format_description::StaticFormatDescription;
use time::macros::format_description;
use time::{Date, UtcDateTime};

const FORM: StaticFormatDescription = format_description!("[year]-[month]-[day]");

/// Today (UTC) in days since 1 January 1970. A clock that is set to an earlier time gives day 0.
pub(crate) fn today() -> u32 {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    u32::try_from(seconds / (24 * 60 * 60)).unwrap_or(u32::MAX)
}

/// Parses a day YYYY-MM-DD into days since 1 January 1970; `None` if it is not a day, or an earlier one.
pub(crate) fn parse(text: &str) -> Option<u32> {
    // The library would accept a sign before the year.
    let date = Date::parse(text, FORM).ok().filter(|_| text.starts_with(|first: char| first.is_ascii_digit()))?;
    u32::try_from(date.to_julian_day() - UtcDateTime::UNIX_EPOCH.date().to_julian_day()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_counted_from_1970() {
        for (text, day) in [
            ("1970-01-01", 0),
            ("1970-12-31", 364),
            ("1995-06-05", 9286),
            ("2000-02-29", 11_016),
            ("2026-01-01", 20_454),
            ("2028-02-29", 21_243),
            ("2028-03-01", 21_244),
            ("9999-12-31", 2_932_896),
        ] {
            assert_eq!(parse(text), Some(day), "{text}");
        }
        assert!(today() > 20_000);
    }

    #[test]
    fn other_texts_are_not_days() {
        for text in [
            "",
            "2026",
            "2026-1-1",
            "2026-00-01",
            "2026-13-01",
            "2026-01-00",
            "2026-04-31",
            "2026-02-29",
            "2100-02-29",
            "1969-12-31",
            "2026/01/01",
            "+026-01-01",
            "+2026-01-01",
            "-2026-01-01",
            "2026-01-01 ",
            "2026-01-é",
        ] {
            assert_eq!(parse(text), None, "{text:?}");
        }
    }
}
