//! Runs OpenSCAD.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use setup::progress::Step;
use setup::{Ending, run_with_limit};

use super::mesh::Mesh;
use super::{FOLDER, PRINT};

/// Time limit for a model. The slowest takes about a minute.
const LIMIT: Duration = Duration::from_secs(15 * 60);

/// Renders a part in its position on the bed.
pub fn part(name: &str, work: &Path, step: &Step) -> Result<Mesh, String> {
    render("print.scad", &format!("part=\"{name}\""), &work.join(format!("{name}.stl")), step)
}

/// Renders the overlaps of the assembled parts, pair by pair.
pub fn overlaps(work: &Path, step: &Step) -> Result<Mesh, String> {
    render("assembly.scad", "overlaps=true", &work.join("overlaps.stl"), step)
}

fn render(model: &str, setting: &str, output: &Path, step: &Step) -> Result<Mesh, String> {
    let mut openscad = Command::new("openscad");
    let folder = setup::root().join(FOLDER);
    openscad.current_dir(folder).args(["--quiet", "-D", setting, "-o"]).arg(output).arg(model);
    match run_with_limit(&mut openscad, Some(LIMIT), step).map_err(|error| error.to_string())? {
        Ending::Success => {}
        Ending::Failure => return Err(format!("OpenSCAD could not render {FOLDER}/{model} with {setting}.")),
        Ending::Stopped(after) => {
            return Err(format!(
                "OpenSCAD was stopped after {} s, while rendering {FOLDER}/{model} with {setting}.",
                after.as_secs()
            ));
        }
    }
    let report = |error: std::io::Error| format!("{}: {error}", output.display());
    Mesh::read(BufReader::new(File::open(output).map_err(report)?)).map_err(report)
}

/// A folder for temporary files, in the folder of build products.
pub fn work_folder() -> Result<std::path::PathBuf, String> {
    let folder = setup::target_directory().map_err(|error| error.to_string())?.join("case").join(PRINT);
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    Ok(folder)
}
