//! What differs by chip, chosen once, and by the target that is built for: each module here has the same names. All else in the firmware is
//! the same for both.

// The RP2040's core has no unit for floating point, so its target's calling convention has no registers of it.
#[cfg_attr(target_abi = "eabi", path = "rp2040.rs")]
#[cfg_attr(target_abi = "eabihf", path = "rp2350.rs")]
mod this;

pub use this::*;
