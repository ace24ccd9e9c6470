//! Time, as the game sees it: microseconds since power-on, handed in from outside. Nothing in the library asks a clock.

/// A moment, or a span, in microseconds. 64 bits last longer than any battery.
pub type Micros = u64;

/// Milliseconds as [`Micros`].
pub const fn ms(milliseconds: u64) -> Micros {
    milliseconds * 1000
}

/// Seconds as [`Micros`].
pub const fn seconds(seconds: u64) -> Micros {
    seconds * 1_000_000
}
