//! What several tests need.
#![allow(dead_code, unused_imports, unused_macros, reason = "each test file uses its own part")]

pub mod core_device;
pub mod elf_device;
pub mod flash;
pub mod mode_scenarios;
pub mod scenarios;
pub mod svg;
pub mod words;

use lights_out::board::{Board, CELLS, Cell, SIDE};
use lights_out::solver::Solver;

/// A board that no press set reaches.
pub const UNREACHED: u8 = u8::MAX;

/// For each of the 2^25 boards the fewest presses that flip it, found by trying all press sets of the puzzle. It knows
/// nothing but the toggle masks, so it can judge the solver.
pub fn fewest_presses(solver: &Solver) -> Vec<u8> {
    let keys: Vec<u32> = Cell::of_mask(solver.variant().cells()).map(|key| solver.toggles(key)).collect();
    let mut fewest = vec![UNREACHED; 1 << CELLS];
    let (mut lights, mut presses) = (0, 0_u32);
    fewest[0] = 0;
    for step in 1..1_u32 << keys.len() {
        // In Gray order each press set differs from the one before by one key.
        let key = step.trailing_zeros();
        lights ^= keys[key as usize];
        presses ^= 1 << key;
        let entry = &mut fewest[lights as usize];
        *entry = (*entry).min(presses.count_ones() as u8);
    }
    fewest
}

/// All 2^25 boards.
pub fn all_boards() -> impl Iterator<Item = Board> {
    (0..1 << CELLS).map(Board::from_bits)
}

/// The columns that go low when this row is driven, on a board without diodes: current finds every way through closed keys.
pub fn low_columns_without_diodes(keys: u32, driven_rows: u32) -> u32 {
    let row = |r: usize| keys >> (SIDE * r) & 31;
    let (mut rows, mut columns) = (driven_rows, 0);
    loop {
        let reached = (0..SIDE).filter(|r| rows >> r & 1 == 1).fold(columns, |columns, r| columns | row(r));
        let more_rows = (0..SIDE).filter(|&r| row(r) & reached != 0).fold(rows, |rows, r| rows | 1 << r);
        if reached == columns && more_rows == rows {
            return columns;
        }
        (columns, rows) = (reached, more_rows);
    }
}

/// What a scan of these keys looks like on a board without diodes.
pub fn raw_without_diodes(keys: u32) -> u32 {
    (0..SIDE).fold(0, |raw, r| raw | low_columns_without_diodes(keys, 1 << r) << (SIDE * r))
}

/// Whether the campaigns are to run in their long form.
pub fn long_form() -> bool {
    std::env::var_os("LIGHTS_OUT_LONG").is_some_and(|value| value == "1")
}
