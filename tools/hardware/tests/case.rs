//! The files for the printer hold up, and they are what the models say. No OpenSCAD is needed: `cargo case` has left checksums.

use std::fs::{self, File};
use std::io::BufReader;

use hardware::case::mesh::Mesh;
use hardware::case::{FOLDER, MADE_FROM, PARTS, PRINT, check, made_from, picture, stl_name};

#[test]
fn every_part_can_be_printed() {
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
fn the_files_were_made_from_these_models() {
    let root = setup::root();
    let recorded = fs::read_to_string(root.join(FOLDER).join(PRINT).join(MADE_FROM)).expect("the checksums");
    let now = made_from(&root).expect("the models and the files");
    assert!(recorded == now, "a model or a file for the printer was changed: run `cargo case`\n{recorded}\n{now}");
}

#[test]
fn the_pictures_are_there_and_small() {
    for picture in picture::PICTURES {
        let size = fs::metadata(setup::root().join(picture.path)).expect(picture.path).len();
        assert!(size < 400 * 1024, "{}: {size} bytes", picture.path);
    }
}
