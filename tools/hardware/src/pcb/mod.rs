//! The circuit board to order: a KiCad 6 project, drawn by a program from the pins in the code.
//!
//! ```text
//! Wiring -> netlist (every part, every pad) -> schematic
//!                                           -> placement -> matrix, supply: copper drawn by rule   -> board file
//!                                                        -> router: the ways to the Pico's pins
//! board file -> KiCad: pours, rule check, gerbers, drill file -> gerbonara: a second opinion, pictures   (order)
//!            -> readback: nets and copper in the file = netlist; drop: volts lost in that copper         (tests)
//! ```
//!
//! The matrix is regular and therefore a few lines of code; only the handful of signals between it and the Pico is searched
//! for, so that another pin in the code gives another board. Whoever wants to leave that path opens the project in KiCad.

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
/// Changes with the copper or the parts.
pub const REVISION: &str = "A";
/// The library of our footprints, and the name of the project.
pub const LIBRARY: &str = "lights-out";
/// Where the project stands, from the root.
pub const FOLDER: &str = "hardware/pcb";
