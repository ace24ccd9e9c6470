//! The case: from OpenSCAD's models to the files for a printer, with every check that a computer can make.
//!
//! ```text
//! hardware/case/board.scad (from the board) -> the other .scad files -> OpenSCAD -> hardware/case/print/*.stl
//!                                                                                -> docs/pictures/handheld.png
//! ```
//!
//! A [`mesh`] is a part as a printer sees it: is it closed, does it fit the bed, how thin is it ([`walls`]), does any of it hang
//! in the air ([`overhangs`])? OpenSCAD itself is asked what parts share that should share nothing ([`collisions`]).
//! [`picture`] draws the whole by following light rays, so that no window and no graphics card is needed.
//!
//! The STL files are kept with the project: who has a printer needs no OpenSCAD. [`MADE_FROM`] holds a checksum of each source and
//! each file, so that a test notices, within a second, what was changed without `cargo case`.

pub mod collisions;
mod light;
pub mod mesh;
pub mod openscad;
pub mod overhangs;
pub mod picture;
mod png;
pub mod rays;
pub mod walls;

use std::fs;
use std::io;
use std::path::Path;

use crc::{CRC_32_ISO_HDLC, Crc};

use mesh::Mesh;

/// The models, from the root of the project.
pub const FOLDER: &str = "hardware/case";
/// The files for the printer, within [`FOLDER`].
pub const PRINT: &str = "print";
/// Checksums of what the files were made from and of themselves, within [`PRINT`].
pub const MADE_FROM: &str = "made-from.txt";

/// The bed of a small printer, in mm.
pub const BED: [f32; 2] = [180.0, 180.0];
/// No wall may be thinner, in mm.
pub const THINNEST_WALL: f32 = 1.2;
/// A printer lays lines across a gap as long as this without support, in mm.
pub const LONGEST_BRIDGE: f32 = 12.0;
/// The files hold coordinates with six digits, so a wall of 1.2 may come out as 1.1999.
const ROUNDING: f32 = 0.002;

/// A part to print.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its name in print.scad, and its file's.
    pub name: &'static str,
    /// How many a handheld has.
    pub number: usize,
}

/// Everything to print.
pub const PARTS: [Part; 4] = [
    Part { name: "body", number: 1 },
    Part { name: "top", number: 1 },
    Part { name: "door", number: 1 },
    Part { name: "cap", number: 25 },
];

/// What was found out about a part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figures {
    /// Width, depth and height on the bed, in mm.
    pub size: [f32; 3],
    /// In cubic centimetres.
    pub volume: f32,
    /// The thinnest wall, in mm.
    pub thinnest: f32,
    /// The longest bridge, in mm.
    pub bridge: f32,
}

/// Checks a part as it lies on the bed. The error says what is wrong.
pub fn check(mesh: &Mesh) -> Result<Figures, String> {
    mesh.check_closed()?;
    let (low, high) = mesh.bounds();
    let size = [0, 1, 2].map(|axis| high[axis] - low[axis]);
    if size[0] > BED[0] || size[1] > BED[1] {
        return Err(format!("{:.1} x {:.1} mm do not fit the bed", size[0], size[1]));
    }
    if low[2].abs() > ROUNDING {
        return Err(format!("it does not lie on the bed, but begins at {} mm", low[2]));
    }
    let volume = mesh.volume() / 1000.0;
    let box_volume = size.iter().product::<f32>() / 1000.0;
    // Inside out, or nearly nothing: not a part.
    if volume < 0.02 * box_volume {
        return Err(format!("a volume of {volume:.2} cm3 in a box of {box_volume:.2} cm3"));
    }
    let (thinnest, place) = walls::thinnest(mesh);
    if thinnest < THINNEST_WALL - ROUNDING {
        return Err(format!("a wall of only {thinnest:.2} mm at {place:.1?}"));
    }
    let (bridge, place) = overhangs::longest_bridge(mesh);
    if bridge > LONGEST_BRIDGE {
        return Err(format!("{bridge:.1} mm hang in the air at {place:.1?}"));
    }
    Ok(Figures { size, volume, thinnest, bridge })
}

/// What [`MADE_FROM`] should say: a line for each source and for each file for the printer, with its checksum.
pub fn made_from(root: &Path) -> io::Result<String> {
    let folder = root.join(FOLDER);
    let mut names = Vec::new();
    for entry in fs::read_dir(&folder)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if name.ends_with(".scad") {
            names.push(name);
        }
    }
    names.sort();
    names.extend(PARTS.map(|part| stl_name(part.name)));
    let crc = Crc::<u32>::new(&CRC_32_ISO_HDLC);
    let mut text = String::from(
        "Written by `cargo case`: the checksum (CRC-32) of each source, and of each file made from them.\n",
    );
    for name in names {
        text += &format!("{:08x} {name}\n", crc.checksum(&fs::read(folder.join(&name))?));
    }
    Ok(text)
}

/// Where a part's file stands, within [`FOLDER`].
pub fn stl_name(part: &str) -> String {
    format!("{PRINT}/{part}.stl")
}
