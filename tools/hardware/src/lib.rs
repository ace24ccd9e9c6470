//! Files for makers: the wiring plan, the perfboard layout, the simulation and the UF2 file; and checks of the circuit
//! board.
//!
//! Plans and simulation are generated. Their source is the library's wiring, which the firmware uses too. The circuit
//! board is a source of its own, edited in KiCad. Tests compare it with the wiring, pin by pin.
//!
//! ```text
//! lights_out::wiring -> Wiring -> wiring plan   hardware/wiring.svg
//!                              -> perfboard     hardware/perfboard.svg
//!                              -> simulation    hardware/wokwi/diagram.json, wokwi.toml
//! hardware/pcb/lights-out.kicad_pcb -> Board -> positions for the case: hardware/case/board.scad
//! the firmware's ELF -> crate `flash-image` -> lights-out.uf2
//! ```
//!
//! `cargo wiring` writes all of them but the UF2 file, which `cargo uf2` writes. Tests generate them again and compare;
//! they also compare the tables in the Markdown files ([`tables`]). So a test fails after a change in only one place.
//! `hardware/make` makes the production files of board and case with KiCad and OpenSCAD.
#![forbid(unsafe_code)]

pub mod board;
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

/// The positions for the models of the case, made from the board.
///
/// # Errors
/// If the board's file cannot be read, or lacks a part.
pub fn case_positions() -> Result<Product, String> {
    let text = board::scad(&board::load()?).map_err(|error| format!("{}: {error}", board::FILE))?;
    Ok(Product { path: "hardware/case/board.scad".into(), text })
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
