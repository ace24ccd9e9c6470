//! The interface of a device for the player, and short functions for times and cells.

use std::time::Duration;

use lights_out::board::{Cell, Cells};

/// A device with 25 keys and 25 lights.
pub trait Device {
    /// Closes or opens the contact of a key.
    fn set_key(&mut self, key: Cell, closed: bool);
    /// Lets time pass.
    fn wait(&mut self, time: Duration);
    /// Red, green and blue of each light, as they were sent. Empty before the first frame.
    fn led_colours(&self) -> Vec<[u8; 3]>;

    /// The cells whose lights are on.
    fn lit(&self) -> Cells {
        Cell::all().zip(self.led_colours()).filter(|(_, light)| *light != [0; 3]).map(|(cell, _)| cell).collect()
    }
}

/// A duration in milliseconds.
pub const fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

/// A duration in microseconds.
pub const fn us(microseconds: u64) -> Duration {
    Duration::from_micros(microseconds)
}

/// The cell in this row and column.
#[track_caller]
pub fn cell(row: usize, column: usize) -> Cell {
    Cell::at(row, column).expect("rows and columns are 0 to 4")
}
