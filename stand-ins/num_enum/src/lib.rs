//! Stands in for version 0.5 of the crate `num_enum`, by a `[patch]` in the workspace's Cargo.toml, and is version 0.7.
//!
//! `rp2040-hal` wants the old version by way of `pio` 0.2, which derives `TryFromPrimitive` with it; `embassy-rp` wants the
//! new one, which derives the same. Built twice, the old one would bring the crate `syn` in its version 1 along, beside the
//! two others that are there.
#![no_std]
#![forbid(unsafe_code)]

pub use new::*;
