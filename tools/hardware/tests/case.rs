//! Tests that the STL files can be printed, and that they match the models. They need no OpenSCAD, because `cargo case`
//! has written checksums.

use std::fs::{self, File};
use std::io::BufReader;

use hardware::case::mesh::Mesh;
use hardware::case::{FOLDER, MADE_FROM, PARTS, PRINT, check, made_from, picture, stl_name};

#[test]
fn every_part_passes_the_checks() {
    for part in PARTS {
        let path = setup::root().join(FOLDER).join(stl_name(part.name));
        let file = File::open(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let mesh = Mesh::read(BufReader::new(file)).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        if let Err(error) = check(&mesh) {
            panic!("{}: {error}", part.name);
        }
    }
}

#[test]
fn stl_files_match_the_models() {
    let root = setup::root();
    let recorded = fs::read_to_string(root.join(FOLDER).join(PRINT).join(MADE_FROM)).expect("the checksums");
    let now = made_from(&root).expect("the models and the files");
    assert!(recorded == now, "a model or an STL file has changed: run `cargo case`\n{recorded}\n{now}");
}

#[test]
fn pictures_exist_and_are_small() {
    for picture in picture::PICTURES {
        let size = fs::metadata(setup::root().join(picture.path)).expect(picture.path).len();
        assert!(size < 400 * 1024, "{}: {size} bytes", picture.path);
    }
}
