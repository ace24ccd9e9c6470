//! Days as people write them, and as the puzzle of the day counts them.

use std::time::{SystemTime, UNIX_EPOCH};

const DAYS_OF_MONTHS: [u32; 12] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/// Today, in days since 1 January 1970, by universal time. A clock that is set before that says the first day.
pub fn today() -> u32 {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    u32::try_from(seconds / (24 * 60 * 60)).unwrap_or(u32::MAX)
}

/// A day as YYYY-MM-DD, in days since 1 January 1970; none if it is no day, or before that.
pub fn parse(text: &str) -> Option<u32> {
    let is_shaped = text.len() == 10
        && text.bytes().enumerate().all(|(at, byte)| match at {
            4 | 7 => byte == b'-',
            _ => byte.is_ascii_digit(),
        });
    if !is_shaped {
        return None;
    }
    let number = |from: usize, to: usize| text[from..to].parse::<u32>().ok();
    let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
    let leap = |year: u32| u32::from(year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)));
    let days_of = |month: u32| DAYS_OF_MONTHS[month as usize - 1] + if month == 2 { leap(year) } else { 0 };
    if year < 1970 || !(1..=12).contains(&month) || !(1..=days_of(month)).contains(&day) {
        return None;
    }
    let before_year: u32 = (1970..year).map(|year| 365 + leap(year)).sum();
    let before_month: u32 = (1..month).map(days_of).sum();
    Some(before_year + before_month + day - 1)
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
    fn what_is_no_day() {
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
            "2026-01-01 ",
            "2026-01-é",
        ] {
            assert_eq!(parse(text), None, "{text:?}");
        }
    }
}
