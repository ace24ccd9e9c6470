//! A key matrix without diodes: closed keys conduct both ways, and ghosts appear.

use lights_out::board::SIDE;
use lights_out::matrix::{Columns, Contacts};

/// The columns that go low when this row is driven, on a board without diodes: current finds every way through closed keys.
pub fn low_columns_without_diodes(keys: Contacts, driven_rows: u32) -> Columns {
    let (mut rows, mut columns) = (driven_rows, Columns::EMPTY);
    loop {
        let reached = (0..SIDE).filter(|r| rows >> r & 1 == 1).fold(columns, |columns, r| columns | keys.row(r));
        let more_rows = (0..SIDE).filter(|&r| !(keys.row(r) & reached).is_empty()).fold(rows, |rows, r| rows | 1 << r);
        if reached == columns && more_rows == rows {
            return columns;
        }
        (columns, rows) = (reached, more_rows);
    }
}

/// What a scan of these keys looks like on a board without diodes.
pub fn raw_without_diodes(keys: Contacts) -> Contacts {
    (0..SIDE).fold(Contacts::EMPTY, |raw, r| raw | Contacts::of_row(r, low_columns_without_diodes(keys, 1 << r)))
}
