//! A key matrix without diodes: closed keys conduct both ways, and ghosts appear.

use lights_out::board::SIDE;

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
