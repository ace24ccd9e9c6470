//! The case: makes STL files for a 3D printer from the OpenSCAD models, and checks them.
//!
//! ```text
//! hardware/case/board.scad (from the board) -> the other .scad files -> OpenSCAD -> hardware/case/print/*.stl
//!                                                                                -> docs/pictures/handheld.png
//! ```
//!
//! A [`mesh`] is the surface of a part. [`check`] tests that it is closed, that it fits the bed, and that no wall
//! ([`walls`]) is too thin and no bridge ([`overhangs`]) too long. OpenSCAD computes the overlaps of assembled parts
//! ([`collisions`]). [`picture`] draws the handheld with a ray tracer, which needs no window and no graphics card.
//!
//! The STL files are in the repository, so that makers need no OpenSCAD. [`MADE_FROM`] holds a checksum of each source
//! and each STL file, so that a fast test finds a change that was made without `cargo case`.

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

/// The folder of the models, from the root of the project.
pub const FOLDER: &str = "hardware/case";
/// The folder of the STL files, within [`FOLDER`].
pub const PRINT: &str = "print";
/// The file with the checksums of the models and of the STL files, within [`PRINT`].
pub const MADE_FROM: &str = "made-from.txt";

/// The size of a small printer's bed, in mm.
pub const BED: [f32; 2] = [180.0, 180.0];
/// The smallest allowed thickness of a wall, in mm.
pub const THINNEST_WALL: f32 = 1.2;
/// The longest allowed bridge, in mm: a gap that a printer can cross without support.
pub const LONGEST_BRIDGE: f32 = 12.0;
/// Tolerance in mm. Coordinates in the files have six digits, so a wall of 1.2 mm may measure 1.1999 mm.
const ROUNDING: f32 = 0.002;

/// A part to print.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its name in print.scad, and the name of its file.
    pub name: &'static str,
    /// The number of such parts in a handheld.
    pub number: usize,
}

/// All parts to print.
pub const PARTS: [Part; 4] = [
    Part { name: "body", number: 1 },
    Part { name: "top", number: 1 },
    Part { name: "door", number: 1 },
    Part { name: "cap", number: 25 },
];

/// The measurements of a part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figures {
    /// Width, depth and height on the bed, in mm.
    pub size: [f32; 3],
    /// Volume, in cubic centimetres.
    pub volume: f32,
    /// The thinnest wall, in mm.
    pub thinnest: f32,
    /// The longest bridge, in mm.
    pub bridge: f32,
}

/// Checks a part in its position on the bed. The error is a text that names the fault.
pub fn check(mesh: &Mesh) -> Result<Figures, String> {
    mesh.check_closed()?;
    let (low, high) = mesh.bounds();
    let size = [0, 1, 2].map(|axis| high[axis] - low[axis]);
    if size[0] > BED[0] || size[1] > BED[1] {
        return Err(format!("{:.1} x {:.1} mm is larger than the bed", size[0], size[1]));
    }
    if low[2].abs() > ROUNDING {
        return Err(format!("it does not lie on the bed: its lowest point is at {} mm", low[2]));
    }
    let volume = mesh.volume() / 1000.0;
    let box_volume = size.iter().product::<f32>() / 1000.0;
    // Such a solid is inside out or nearly empty.
    if volume < 0.02 * box_volume {
        return Err(format!("a volume of only {volume:.2} cm3 in a box of {box_volume:.2} cm3"));
    }
    let (thinnest, place) = walls::thinnest(mesh);
    if thinnest < THINNEST_WALL - ROUNDING {
        return Err(format!("a wall of only {thinnest:.2} mm at {place:.1?}"));
    }
    let (bridge, place) = overhangs::longest_bridge(mesh);
    if bridge > LONGEST_BRIDGE {
        return Err(format!("an unsupported bridge of {bridge:.1} mm at {place:.1?}"));
    }
    Ok(Figures { size, volume, thinnest, bridge })
}

/// The expected text of [`MADE_FROM`]: a line with the checksum of each model and of each STL file.
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
    let mut text =
        String::from("Written by `cargo case`: the checksum (CRC-32) of each model, and of each STL file.\n");
    for name in names {
        text += &format!("{:08x} {name}\n", crc.checksum(&fs::read(folder.join(&name))?));
    }
    Ok(text)
}

/// The path of a part's STL file, within [`FOLDER`].
pub fn stl_name(part: &str) -> String {
    format!("{PRINT}/{part}.stl")
}
