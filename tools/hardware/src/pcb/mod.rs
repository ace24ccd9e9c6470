//! The circuit board: a KiCad 6 project, generated from the pins in the code.
//!
//! ```text
//! Wiring -> netlist (every part, every pad) -> schematic
//!                                           -> placement -> matrix, supply: copper drawn by rule   -> board file
//!                                                        -> router: tracks to the Pico's pins
//! board file -> KiCad: pours, rule check, gerbers, drill file -> gerbonara: second check, pictures        (order)
//!            -> readback: nets and copper in the file = netlist; drop: voltage drop in that copper        (tests)
//! ```
//!
//! The copper of the matrix is regular and is drawn by a few lines of code. The router finds paths only for the few
//! signals between the matrix and the Pico. So a changed pin in the code gives a changed board.

pub mod board;
pub mod board_file;
pub mod copper;
pub mod drop;
pub mod footprint_file;
pub mod footprints;
pub mod geometry;
pub mod lists;
pub mod matrix;
pub mod mechanics;
pub mod netlist;
pub mod obstacles;
pub mod order;
pub mod parts;
pub mod placement;
pub mod print;
pub mod project;
pub mod readback;
pub mod router;
pub mod schematic;
pub mod sexpr;
pub mod supply;
pub mod symbols;

/// The name on the board.
pub const TITLE: &str = "Lights Out";
/// The revision of the board. It changes with the copper or the parts.
pub const REVISION: &str = "A";
/// The name of the footprint library and of the project.
pub const LIBRARY: &str = "lights-out";
/// The folder of the project, from the root.
pub const FOLDER: &str = "hardware/pcb";
