//! The game of Lights Out, without a clock, a chip or an allocator.
#![no_std]
#![forbid(unsafe_code)]
