//! Stands in for the crate `rp2040-hal-macros`, by a `[patch]` in the workspace's Cargo.toml.
//!
//! It is the attribute `entry` of `rp2040-hal`, for a `main` that this HAL starts. Ours is started by `embassy-rp`. The real
//! crate needs the crate `syn` in its version 1, a fifteenth of what building the firmware takes, for that alone. So whoever
//! uses the attribute is told.
#![forbid(unsafe_code)]

use proc_macro::TokenStream;

/// Refuses.
#[proc_macro_attribute]
pub fn entry(_: TokenStream, _: TokenStream) -> TokenStream {
    r#"compile_error!("`rp2040_hal::entry` is not in stand-ins/rp2040-hal-macros: use `cortex_m_rt::entry`");"#
        .parse()
        .unwrap_or_default()
}
