//! Stands in for the crate `frunk`, by a `[patch]` in the workspace's Cargo.toml.
//!
//! `rp2040-hal` groups pins in lists whose type tells what is in them, so that the compiler can find a pin by its type. We use
//! no such group. The real crate is a library of such types, with macros that need it built twice. So here are the lists, and
//! nothing that can be done with them but to take a member out.
#![no_std]
#![forbid(unsafe_code)]

pub mod hlist;

pub use hlist::{HCons, HNil};
