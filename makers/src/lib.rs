//! For who builds the handheld: the wiring plan, the perfboard layout, the simulation and the UF2 file.
//!
//! None of them is drawn or typed by hand. The library's wiring, which the firmware is built for, is the one source:
//!
//! ```text
//! lights_out::wiring -> Wiring -> wiring plan   hardware/wiring.svg
//!                              -> perfboard     hardware/perfboard.svg
//!                              -> simulation    hardware/wokwi/diagram.json, wokwi.toml
//! the firmware's ELF -> crate `flash-image` -> lights-out.uf2
//! ```
//!
//! `cargo wiring` writes the first four, `cargo uf2` the last. The tests draw them again and compare, and compare the
//! tables in the Markdown files too ([`tables`]): whatever is changed alone is noticed.
#![forbid(unsafe_code)]

mod json;
pub mod perfboard;
mod pico;
mod pins;
mod svg;
pub mod tables;
pub mod wiring;
pub mod wokwi;

pub use pico::{HEADER, Side, is_on_header, pin_name};
pub use pins::{ColourOrder, LedOrder, Role, Wiring, WiringError};

pub use lights_out::board::SIDE;

/// The file that names the pins, from the root of the project.
pub const WIRING_FILE: &str = "src/wiring.rs";

/// A file that is made from the wiring.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Product {
    /// Where it stands, from the root of the project.
    pub path: &'static str,
    /// What is in it.
    pub text: String,
}

/// Every file that is made from the wiring.
pub fn products(wiring: &Wiring) -> Vec<Product> {
    vec![
        Product { path: "hardware/wiring.svg", text: wiring::draw(wiring) },
        Product { path: "hardware/perfboard.svg", text: perfboard::draw(wiring) },
        Product { path: "hardware/wokwi/diagram.json", text: wokwi::diagram(wiring) },
        Product { path: "hardware/wokwi/wokwi.toml", text: wokwi::configuration() },
    ]
}
