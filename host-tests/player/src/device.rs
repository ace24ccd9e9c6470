//! What a player plays on, and short ways to say when and where.

use std::time::Duration;

use lights_out::board::{Cell, Cells};

/// Something with 25 keys and 25 lights.
pub trait Device {
    /// Closes or opens the contact of a key.
    fn set_key(&mut self, key: Cell, closed: bool);
    /// Lets time pass.
    fn wait(&mut self, time: Duration);
    /// What is on the lights to the last bit: red, green and blue of each. Nothing before the first picture.
    fn picture(&self) -> Vec<[u8; 3]>;

    /// The lights that are not dark.
    fn lit(&self) -> Cells {
        Cell::all().zip(self.picture()).filter(|(_, light)| *light != [0; 3]).map(|(cell, _)| cell).collect()
    }
}

/// That many milliseconds.
pub const fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

/// That many microseconds.
pub const fn us(microseconds: u64) -> Duration {
    Duration::from_micros(microseconds)
}

/// A key or light, by its row and column.
#[track_caller]
pub fn cell(row: usize, column: usize) -> Cell {
    Cell::at(row, column).expect("rows and columns are 0 to 4")
}
