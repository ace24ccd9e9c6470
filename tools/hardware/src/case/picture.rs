//! The pictures of the handheld: its printed parts, from the STL files, with a board in them.

use std::fs::{self, File};
use std::io::BufReader;
use std::path::Path;

use super::light::{Camera, Material, Stage};
use super::mesh::{Mesh, Vector, plus};
use super::{FOLDER, png, stl_name};

/// A picture and where it goes.
#[derive(Clone, Copy, Debug)]
pub struct Picture {
    /// From the root of the project.
    pub path: &'static str,
    width: usize,
    height: usize,
    camera: Camera,
    /// How far the parts are taken apart: 0 is not at all.
    explode: f32,
}

/// Everything that is drawn.
pub const PICTURES: [Picture; 2] = [
    Picture {
        path: "docs/pictures/handheld.png",
        width: 1000,
        height: 860,
        camera: Camera { eye: [165.0, -190.0, 330.0], target: [50.0, 72.0, 2.0], zoom: 0.235 },
        explode: 0.0,
    },
    Picture {
        path: "docs/pictures/handheld-parts.png",
        width: 800,
        height: 780,
        camera: Camera { eye: [260.0, -330.0, 300.0], target: [49.0, 76.0, 27.0], zoom: 0.235 },
        explode: 1.0,
    },
];

/// Rays for each pixel: this squared.
const FINENESS: usize = 4;

/// As in parameters.scad: how far a cap stands out, and how far the body reaches into the top, in mm.
const CAP_RISE: f32 = 4.2;
const LAP: f32 = 1.5;

/// The keys that are lit: what two presses leave.
const LIT: [&str; 5] = [".#...", "###..", ".#.#.", "..###", "...#."];

const TABLE: Material = Material::plain([0.29, 0.305, 0.34], 0.0);
const TOP: Material = Material::plain([0.030, 0.033, 0.040], 0.05);
const DOOR: Material = Material::plain([0.040, 0.044, 0.052], 0.05);
const BODY: Material = Material::plain([0.055, 0.060, 0.070], 0.05);
const CAP: Material = Material::plain([0.47, 0.465, 0.45], 0.04);
const METAL: Material = Material::plain([0.45, 0.45, 0.46], 0.4);
const BOARD: Material = Material::plain([0.02, 0.13, 0.07], 0.05);
const HOUSING: Material = Material::plain([0.50, 0.52, 0.55], 0.05);
const PART: Material = Material::plain([0.05, 0.05, 0.055], 0.04);
/// A cap with a light below it, warm like the game's.
const LIT_CAP: Material = Material { glow: [1.7, 0.52, 0.04], ..Material::plain([0.34, 0.24, 0.13], 0.04) };

/// The file of a picture.
pub fn draw(root: &Path, picture: &Picture) -> Result<Vec<u8>, String> {
    let stage = Stage::new(things(&root.join(FOLDER), picture.explode)?);
    let Picture { camera, width, height, .. } = *picture;
    png::write(width, &stage.draw(camera, width, height, FINENESS)).map_err(|error| error.to_string())
}

type Things = Vec<([Vector; 3], Material)>;

fn things(folder: &Path, explode: f32) -> Result<Things, String> {
    let part = |name: &str| {
        let path = folder.join(stl_name(name));
        let report = |error: std::io::Error| format!("{}: {error}", path.display());
        Mesh::read(BufReader::new(File::open(&path).map_err(report)?)).map_err(report)
    };
    let (top, body, door, cap) = (part("top")?, part("body")?, part("door")?, part("cap")?);
    let board = BoardSizes::read(&folder.join("board.scad"))?;
    let front = top.bounds().1[2];
    let bottom = LAP - body.bounds().1[2];
    // What is printed on its face is turned round again.
    let turned = |height: f32| move |[x, y, z]: Vector| [x, -y, height - z];

    let mut things = Things::new();
    add(&mut things, &top, TOP, turned(front + 40.0 * explode));
    add(&mut things, &door, DOOR, turned(front + 70.0 * explode));
    add(&mut things, &body, BODY, |point| plus(point, [0.0, 0.0, bottom - 26.0 * explode]));
    for (index, key) in board.keys.iter().enumerate() {
        let lit = LIT[index / 5].as_bytes()[index % 5] == b'#';
        let place = |point| plus(turned(front + CAP_RISE + 78.0 * explode)(point), [key[0], key[1], 0.0]);
        add(&mut things, &cap, if lit { Material { brightest: Some(*key), ..LIT_CAP } } else { CAP }, place);
    }
    board.add(&mut things);
    let ground = bottom - 26.0 * explode - 0.05;
    let far = 4000.0;
    let [a, b, c, d] = [[-far, -far], [far, -far], [far, far], [-far, far]].map(|[x, y]| [x, y, ground]);
    things.extend([([a, b, c], TABLE), ([a, c, d], TABLE)]);
    Ok(things)
}

fn add(things: &mut Things, mesh: &Mesh, material: Material, place: impl Fn(Vector) -> Vector) {
    things.extend(mesh.triangles.iter().map(|corners| (corners.map(&place), material)));
}

/// What the picture shows of the board, from board.scad; y upwards.
struct BoardSizes {
    size: [f32; 2],
    thickness: f32,
    keys: Vec<[f32; 2]>,
    usb: [f32; 2],
    lever: [f32; 3],
    standoff: f32,
    parts: Vec<[f32; 5]>,
}

impl BoardSizes {
    fn read(path: &Path) -> Result<Self, String> {
        let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let all = |name: &str| numbers(&text, name).ok_or_else(|| format!("{}: no `{name}`", path.display()));
        let some = |name: &str, count: usize| {
            all(name).and_then(|list| if list.len() >= count { Ok(list) } else { Err(format!("{name}: too short")) })
        };
        let size = some("board_size", 2)?;
        let up = |y: f32| size[1] - y;
        let usb = some("pico_usb", 2)?;
        let lever = some("switch_lever", 3)?;
        Ok(Self {
            size: [size[0], size[1]],
            thickness: some("board_thickness", 1)?[0],
            keys: some("keys", 50)?.chunks_exact(2).map(|key| [key[0], up(key[1])]).collect(),
            usb: [usb[0], up(usb[1])],
            lever: [lever[0], up(lever[1]), lever[2]],
            standoff: some("pico_standoff", 1)?[0],
            parts: all("front_parts")?.chunks_exact(5).map(|p| [p[0], up(p[1] + p[3]), p[2], p[3], p[4]]).collect(),
        })
    }

    fn add(&self, things: &mut Things) {
        let mut add =
            |low: Vector, high: Vector, material| things.extend(block(low, high).map(|corners| (corners, material)));
        add([0.0, 0.0, -self.thickness], [self.size[0], self.size[1], 0.0], BOARD);
        for [x, y] in &self.keys {
            add([x - 7.0, y - 7.0, 0.0], [x + 7.0, y + 7.0, 5.0], PART);
            add([x - 7.8, y - 7.8, 5.0], [x + 7.8, y + 7.8, 6.2], PART);
            add([x - 6.4, y - 6.4, 6.2], [x + 6.4, y + 6.4, 11.6], HOUSING);
            add([x - 2.0, y - 2.0, 11.6], [x + 2.0, y + 2.0, 15.0], PART);
        }
        for [x, y, width, depth, height] in &self.parts {
            add([*x, *y, 0.3], [x + width, y + depth, *height], PART);
        }
        let z = self.standoff + 1.0;
        add([self.usb[0] - 4.0, self.usb[1] - 6.0, z], [self.usb[0] + 4.0, self.usb[1], z + 2.6], METAL);
        let [x, y, z] = self.lever;
        add([x - 5.0, y - 1.0, z - 0.8], [x, y + 1.0, z + 0.8], METAL);
    }
}

/// The numbers of `name = ...;`, whatever brackets are around them.
fn numbers(text: &str, name: &str) -> Option<Vec<f32>> {
    let code: String = text.lines().map(|line| line.split("//").next().unwrap_or("")).collect::<Vec<_>>().join("\n");
    let (_, rest) = format!("\n{code}").split_once(&format!("\n{name} = ")).map(|(a, b)| (a.len(), b.to_owned()))?;
    let value = rest.split(';').next()?;
    let words = value.split(|letter: char| !letter.is_ascii_digit() && letter != '.' && letter != '-');
    words.filter(|word| !word.is_empty()).map(|word| word.parse().ok()).collect()
}

/// A box; which way its triangles face does not matter to light.
fn block(low: Vector, high: Vector) -> [[Vector; 3]; 12] {
    let corner = |bits: usize| [0, 1, 2].map(|axis| if bits >> axis & 1 == 1 { high[axis] } else { low[axis] });
    let sides = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    std::array::from_fn(|i| {
        let [a, b, c, d] = sides[i / 2];
        if i % 2 == 0 { [a, b, c] } else { [a, c, d] }.map(corner)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_from_board_scad() {
        let text = "a = 1.5; // 7\nlist = [ // 3\n    [1, -2.5], // 9\n    [0.25, 4],\n];\n";
        assert_eq!(numbers(text, "a"), Some(vec![1.5]));
        assert_eq!(numbers(text, "list"), Some(vec![1.0, -2.5, 0.25, 4.0]));
        assert_eq!(numbers(text, "b"), None);
    }
}
