//! `cargo case`: makes the STL files for the 3D printer from the OpenSCAD models, and checks them.
#![forbid(unsafe_code)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread;
use std::time::Instant;

use hardware::case::mesh::Mesh;
use hardware::case::picture::{PICTURES, draw};
use hardware::case::{FOLDER, MADE_FROM, PARTS, PRINT, check, collisions, made_from, openscad, stl_name};
use lexopt::Parser;
use lexopt::prelude::*;
use setup::progress::Step;
use setup::{Package, install_debian_package};

const HELP: &str = "\
Makes hardware/case/print/*.stl from the models in hardware/case, and checks them: watertight, not larger than the
printer's bed, thick walls, no long bridges, no collisions when assembled. Takes about two minutes. Run it after every
change of a model or of the board.

Usage: cargo case [--check | --picture]

  --check     make and check everything, but write nothing; exit with 1 if a file is out of date
  --picture   draw only docs/pictures/handheld*.png, from the STL files; needs no OpenSCAD
";
/// One step each for OpenSCAD, every part, the collisions and the files.
const STEPS: usize = 3 + PARTS.len();

/// What the command line requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Task {
    Help,
    Make,
    Check,
    Picture,
}

fn main() -> ExitCode {
    let task = match parse(Parser::from_env()) {
        Ok(task) => task,
        Err(error) => return setup::report_usage_error("cargo case", error),
    };
    let started = Instant::now();
    let result = match task {
        Task::Help => {
            print!("{HELP}");
            return ExitCode::SUCCESS;
        }
        Task::Make => make(true),
        Task::Check => make(false),
        Task::Picture => pictures(),
    };
    match result {
        Ok(()) => {
            println!("Finished in {} s.", started.elapsed().as_secs());
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("\n{message}");
            ExitCode::FAILURE
        }
    }
}

fn parse(mut parser: Parser) -> Result<Task, lexopt::Error> {
    let mut task = Task::Make;
    while let Some(argument) = parser.next()? {
        task = match argument {
            Short('h') | Long("help") => return Ok(Task::Help),
            Long("check") if task == Task::Make => Task::Check,
            Long("picture") if task == Task::Make => Task::Picture,
            other => return Err(other.unexpected()),
        };
    }
    Ok(task)
}

fn make(write: bool) -> Result<(), String> {
    let step = Step::new(1, STEPS, "OpenSCAD");
    match install_debian_package("openscad", &step).map_err(|error| error.to_string())? {
        Package::Ready => step.done("present"),
        Package::Missing { command } => return Err(format!("OpenSCAD is missing. Install it: {command}")),
    }
    let work = openscad::work_folder()?;
    // OpenSCAD uses one core. The parts take as long as the collisions, so both run in parallel.
    let meshes = thread::scope(|scope| {
        let collisions = scope.spawn(|| find_collisions(&work));
        let meshes = PARTS.iter().enumerate().map(|(index, part)| make_part(part.name, 2 + index, &work));
        let meshes = meshes.collect::<Result<Vec<_>, _>>();
        collisions.join().map_err(|_| "The search for collisions has panicked.".to_owned())??;
        meshes
    })?;
    update_files(&setup::root(), &meshes, write)
}

fn make_part(name: &str, number: usize, work: &Path) -> Result<Mesh, String> {
    let step = Step::new(number, STEPS, name);
    step.report("rendering");
    let mesh = openscad::part(name, work, &step)?;
    let figures = check(&mesh).map_err(|error| format!("{name}: {error}."))?;
    let [width, depth, height] = figures.size;
    step.done(&format!(
        "watertight, {width:.1} x {depth:.1} x {height:.1} mm, {:.1} cm3, thinnest wall {:.2} mm, \
         longest bridge {:.1} mm",
        figures.volume, figures.thinnest, figures.bridge
    ));
    Ok(mesh)
}

fn find_collisions(work: &Path) -> Result<(), String> {
    let step = Step::new(STEPS - 1, STEPS, "collisions");
    step.report("searching");
    collisions::check(&openscad::overlaps(work, &step)?)
        .map_err(|error| format!("Collision when assembled: {error}."))?;
    step.done(&format!("none in {} pairs; the misplaced board was detected", collisions::PAIRS.len() - 1));
    Ok(())
}

/// Writes the files that have changed. Without `write`, a file that has changed is an error.
fn update_files(root: &Path, meshes: &[Mesh], write: bool) -> Result<(), String> {
    let step = Step::new(STEPS, STEPS, "files");
    let mut stale = Vec::new();
    let folder = root.join(FOLDER);
    let mut put = |path: PathBuf, data: &[u8]| {
        if fs::read(&path).is_ok_and(|old| old == data) {
            return Ok(());
        }
        stale.push(path.file_name().unwrap_or_default().to_string_lossy().into_owned());
        if write { store(&path, data) } else { Ok(()) }
    };
    for (part, mesh) in PARTS.iter().zip(meshes) {
        put(folder.join(stl_name(part.name)), &mesh.write())?;
    }
    let checksums = made_from(root).map_err(|error| format!("{FOLDER}: {error}"))?;
    put(folder.join(PRINT).join(MADE_FROM), checksums.as_bytes())?;
    match stale.as_slice() {
        [] => step.done("up to date"),
        changed if write => step.done(&format!("{} written", changed.join(", "))),
        changed => return Err(format!("Out of date: {}. Run `cargo case`.", changed.join(", "))),
    }
    Ok(())
}

fn pictures() -> Result<(), String> {
    let root = setup::root();
    for (index, picture) in PICTURES.iter().enumerate() {
        let step = Step::new(index + 1, PICTURES.len(), picture.path);
        step.report("tracing rays");
        let file = draw(&root, picture)?;
        store(&root.join(picture.path), &file)?;
        step.done(&format!("{} KB", file.len() / 1024));
    }
    Ok(())
}

fn store(path: &Path, data: &[u8]) -> Result<(), String> {
    let report = |error: std::io::Error| format!("{}: {error}", path.display());
    path.parent().map_or(Ok(()), fs::create_dir_all).map_err(report)?;
    fs::write(path, data).map_err(report)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Option<Task> {
        parse(Parser::from_args(line.split_whitespace())).ok()
    }

    #[test]
    fn only_one_task_is_accepted() {
        assert_eq!(parsed(""), Some(Task::Make));
        assert_eq!(parsed("--check"), Some(Task::Check));
        assert_eq!(parsed("--picture"), Some(Task::Picture));
        assert_eq!(parsed("--check --help"), Some(Task::Help));
        assert_eq!(parsed("--check --picture"), None);
        assert_eq!(parsed("top"), None);
    }
}
