//! Stands in for the crate `tracing-attributes`, by a `[patch]` in the workspace's Cargo.toml.
//!
//! It is the attribute `instrument` of the crate `tracing`, in which the emulator's crates tell what they do. None of them
//! uses the attribute. The real crate is all that needs the crate `syn` in its version 2 for the web page, which was a tenth
//! of what building the page takes. So a function that has the attribute stays as it is, and is not traced.
#![forbid(unsafe_code)]

use proc_macro::TokenStream;

/// Leaves the function as it is.
#[proc_macro_attribute]
pub fn instrument(_: TokenStream, function: TokenStream) -> TokenStream {
    function
}
