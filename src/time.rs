//! Time: microseconds since power-on. The library has no clock: every function that needs the time gets it as an
//! argument.

/// A point in time, or a duration, in microseconds. It has 64 bits, so it never overflows.
pub type Micros = u64;

/// Milliseconds as [`Micros`].
pub const fn ms(milliseconds: u64) -> Micros {
    milliseconds * 1000
}

/// Seconds as [`Micros`].
pub const fn seconds(seconds: u64) -> Micros {
    seconds * 1_000_000
}
