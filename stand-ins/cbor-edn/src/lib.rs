//! Stands in for the crate `cbor-edn`, by a `[patch]` in the workspace's Cargo.toml.
//!
//! The crate `defmt-decoder` prints log values that are marked as CBOR with it. Our firmware logs none. The real crate brings
//! 30 others along, `chrono` and for the browser `js-sys` and `wasm-bindgen` among them, which would be a third of what
//! building the web page takes. So whatever is marked as CBOR is printed as bytes, with a word about why.
#![forbid(unsafe_code)]

use std::fmt;

/// Values in CBOR. There are none: reading always fails.
#[derive(Debug)]
pub enum Sequence {}

/// Why bytes were not decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotDecoded;

impl fmt::Display for NotDecoded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not decoded here")
    }
}

impl std::error::Error for NotDecoded {}

impl Sequence {
    /// Refuses.
    pub fn from_cbor(_: &[u8]) -> Result<Self, NotDecoded> {
        Err(NotDecoded)
    }

    /// The values in words.
    pub fn serialize(&self) -> String {
        match *self {}
    }
}
