//! A key matrix without diodes: closed keys conduct in both directions, and ghosts appear.

use lights_out::board::SIDE;
use lights_out::matrix::{Columns, Contacts};

/// The columns that go low when these rows are driven, on a board without diodes: current takes every path through
/// closed keys.
pub(crate) fn low_columns_without_diodes(keys: Contacts, driven_rows: u32) -> Columns {
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

/// The result of a scan of these closed keys on a board without diodes.
pub(crate) fn scan_without_diodes(keys: Contacts) -> Contacts {
    (0..SIDE).fold(Contacts::EMPTY, |raw, r| raw | Contacts::of_row(r, low_columns_without_diodes(keys, 1 << r)))
}
