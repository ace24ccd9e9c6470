//! The differences between the chips. Both modules define the same names, and the build target selects one of them. The
//! rest of the firmware is the same for both chips.

// The RP2040's core has no floating-point unit, so the ABI of its target is `eabi`; the RP2350's is `eabihf`.
#[cfg_attr(target_abi = "eabi", path = "rp2040.rs")]
#[cfg_attr(target_abi = "eabihf", path = "rp2350.rs")]
mod this;

pub(crate) use this::*;
