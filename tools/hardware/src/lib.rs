//! Files for makers: the wiring plan, the perfboard layout, the circuit board, the case, the simulation and the UF2
//! file.
//!
//! All of them are generated. Their source is the library's wiring, which the firmware uses too:
//!
//! ```text
//! lights_out::wiring -> Wiring -> wiring plan   hardware/wiring.svg
//!                              -> perfboard     hardware/perfboard.svg
//!                              -> simulation    hardware/wokwi/diagram.json, wokwi.toml
//!                              -> circuit board hardware/pcb/, and its sizes -> case hardware/case/
//! the firmware's ELF -> crate `flash-image` -> lights-out.uf2
//! ```
//!
//! `cargo wiring` writes the first three, `cargo pcb` the board ([`pcb`]), `cargo case` the STL files for a 3D printer
//! ([`mod@case`]), `cargo uf2` the UF2 file. Tests generate them again and compare; they also compare the tables in the
//! Markdown files ([`tables`]). So a test fails after a change in only one place.
#![forbid(unsafe_code)]

pub mod case;
pub mod pcb;
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
    /// Its path, from the root of the project.
    pub path: String,
    /// Its content.
    pub text: String,
}

/// All files that are made from the wiring.
pub fn products(wiring: &Wiring) -> Vec<Product> {
    let product = |path: &str, text| Product { path: path.into(), text };
    vec![
        product("hardware/wiring.svg", wiring::draw(wiring)),
        product("hardware/perfboard.svg", perfboard::draw(wiring)),
        product("hardware/wokwi/diagram.json", wokwi::diagram(wiring)),
        product("hardware/wokwi/wokwi.toml", wokwi::configuration()),
    ]
}
