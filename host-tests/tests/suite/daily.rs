//! The puzzle of the day never changes, and each day has a different one.

use std::collections::HashSet;

use lights_out::code::Code;
use lights_out::daily::{self, EASIEST, HARDEST};
use lights_out::rules::Variant;
use lights_out::solver::CLASSIC;

fn code(day: u32) -> String {
    let (variant, board) = daily::puzzle(day);
    Code::of(variant, board).to_string()
}

/// If this test fails, all players get a different puzzle of the day than before the change.
#[test]
fn puzzles_of_known_days_stay_the_same() {
    // 1 January 1970, 5 June 1995, 1 January 2026, 29 February 2028, and the last day.
    let days = [0, 9286, 20_454, 21_243, u32::MAX];
    assert_eq!(days.map(code), ["1P8XWY1", "0RBYYDY", "17RPA18", "3ZT2KX9", "104JXB7"]);
}

#[test]
fn daily_puzzles_differ_and_have_medium_par() {
    let mut codes = HashSet::new();
    let mut days_of_par = [0_u32; (HARDEST - EASIEST + 1) as usize];
    for day in 20_000..28_000 {
        let (variant, board) = daily::puzzle(day);
        assert_eq!(variant, Variant::CLASSIC);
        let par = CLASSIC.par(board).unwrap_or_else(|| panic!("day {day} cannot be solved: {board}"));
        assert!((EASIEST..=HARDEST).contains(&par), "day {day} has par {par}");
        days_of_par[(par - EASIEST) as usize] += 1;
        assert!(codes.insert(code(day)), "day {day} has the puzzle of another day");
    }
    // Each par is expected on 1143 days; the standard deviation is 31.
    assert!(days_of_par.iter().all(|days| (1020..1270).contains(days)), "{days_of_par:?}");
}

/// The numbers of two consecutive days differ in few bits. Their puzzles must still be unrelated.
#[test]
fn consecutive_days_are_unrelated() {
    let days = 10_000;
    let differing: u32 =
        (0..days).map(|day| (daily::puzzle(day).1.bits() ^ daily::puzzle(day + 1).1.bits()).count_ones()).sum();
    let mean = f64::from(differing) / f64::from(days);
    assert!((mean - 12.5).abs() < 0.2, "of 25 lights {mean} differ");
    let same_par =
        (0..days).filter(|&day| CLASSIC.par(daily::puzzle(day).1) == CLASSIC.par(daily::puzzle(day + 1).1)).count();
    // One in seven is expected; the standard deviation is 35.
    assert!((1290..1570).contains(&same_par), "{same_par} days have the par of the day after");
}
