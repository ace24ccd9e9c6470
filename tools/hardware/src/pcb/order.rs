//! Makes and checks the files for ordering: KiCad fills the ground areas and checks its rules; gerbonara checks the
//! gerbers again, and draws both sides.
//!
//! KiCad comes from Debian's packages, gerbonara from PyPI into a folder below `target`. Their output goes to a working
//! folder first. It is copied to `hardware/pcb/order` only when all checks have passed.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use setup::progress::Step;
use setup::{Package, install_debian_packages};

use super::board::Board;
use super::footprints::Drill;
use super::geometry::Point;
use super::mechanics::BOARD;
use super::netlist::CELLS;
use super::placement::Placed;
use super::sexpr::{Expr, list, named, place};
use super::{FOLDER, LIBRARY, lists, project};

/// The Python that Debian's KiCad is made for.
const PYTHON: &str = "/usr/bin/python3";
const PACKAGES: [&str; 3] = ["kicad", "python3-venv", "librsvg2-bin"];
/// The second program, in the version that was tried.
const GERBONARA: &str = "gerbonara==1.5.0";
/// What both programs are told to do.
const KICAD_SCRIPT: &str = "tools/hardware/src/pcb/kicad.py";
const GERBERS_SCRIPT: &str = "tools/hardware/src/pcb/gerbers.py";
/// Width of the pictures, in pixels.
const PICTURE_WIDTH: &str = "900";

/// A step that went wrong, in a sentence.
pub type Problem = String;

/// Makes everything, or says what is wrong.
pub fn make(board: &Board) -> Result<(), Problem> {
    let root = setup::root();
    let work = setup::target_directory().map_err(|error| error.to_string())?.join("pcb");
    let fresh = work.join("order");
    let _ = fs::remove_dir_all(&fresh);
    fs::create_dir_all(&fresh).map_err(|error| cannot(&fresh, &error))?;

    let step = Step::new(1, 4, "KiCad and gerbonara");
    let second = programs(&work, &step)?;

    let step = Step::new(2, 4, "pours, rule check, gerbers");
    step.report("running KiCad");
    // KiCad writes beside what it reads, so it gets a copy of the project.
    let files = project::products(board);
    for product in &files {
        let name = Path::new(&product.path).strip_prefix(FOLDER).unwrap_or(Path::new("board.scad"));
        write(&work.join("project").join(name), &product.text)?;
    }
    let copy = work.join("project").join(format!("{LIBRARY}.kicad_pcb"));
    let pours = work.join("pours.json");
    run(Command::new(PYTHON).arg(root.join(KICAD_SCRIPT)).arg("fill").arg(&copy).arg(&pours))?;
    let filled = with_fills(&files[0].text, &read(&pours)?)?;
    write(&copy, &filled)?;
    run(Command::new(PYTHON).arg(root.join(KICAD_SCRIPT)).arg("make").arg(&copy).arg(&fresh))?;
    write(&fresh.join("parts.csv"), &lists::parts(board))?;
    write(&fresh.join("placement.csv"), &lists::placement(board))?;
    step.done("no finding");

    let step = Step::new(3, 4, "second opinion");
    let facts = work.join("facts.json");
    write(&facts, &facts_of(board).to_string())?;
    let pictures = ["front", "back"].map(|side| work.join(format!("pcb-{side}.svg")));
    let zip = work.join(format!("{LIBRARY}-gerbers.zip"));
    run(Command::new(&second).arg(root.join(GERBERS_SCRIPT)).arg(&fresh).arg(&facts).args(&pictures).arg(&zip))?;
    step.done("gerbonara found the expected gerbers");

    let step = Step::new(4, 4, "files");
    for svg in &pictures {
        let png = root.join("docs/pictures").join(svg.file_name().unwrap_or_default()).with_extension("png");
        run(Command::new("rsvg-convert").args(["--width", PICTURE_WIDTH, "--output"]).arg(png).arg(svg))?;
    }
    write(&root.join(project::board_path()), &filled)?;
    let order = root.join(FOLDER).join("order");
    let _ = fs::remove_dir_all(&order);
    for entry in fs::read_dir(&fresh).map_err(|error| cannot(&fresh, &error))? {
        let path = entry.map_err(|error| cannot(&fresh, &error))?.path();
        write(&order.join(path.file_name().unwrap_or_default()), &read(&path)?)?;
    }
    step.done(&format!("{FOLDER}/order, docs/pictures; to upload: {}", zip.display()));
    Ok(())
}

/// Makes sure of both programs. Gives the Python that has gerbonara.
fn programs(work: &Path, step: &Step) -> Result<PathBuf, Problem> {
    let succeeds = |command: &mut Command| command.output().is_ok_and(|output| output.status.success());
    let ready = || {
        succeeds(Command::new(PYTHON).args(["-c", "import pcbnew, ensurepip"]))
            && succeeds(Command::new("rsvg-convert").arg("--version"))
    };
    match install_debian_packages(&PACKAGES, ready, step).map_err(|error| error.to_string())? {
        Package::Ready => {}
        Package::Missing { command } => {
            return Err(format!("KiCad 6 with its Python is missing. Install it:\n  {command}"));
        }
    }
    let venv = work.join("venv");
    let python = venv.join("bin/python");
    if !succeeds(Command::new(&python).args(["-c", "import gerbonara"])) {
        step.report("downloading gerbonara from PyPI");
        run(Command::new(PYTHON).args(["-m", "venv"]).arg(&venv))?;
        run(Command::new(&python).args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", GERBONARA]))?;
    }
    step.done("ready");
    Ok(python)
}

/// The board's file with the copper of its pours, which KiCad wrote down in nanometres.
fn with_fills(file: &str, pours: &str) -> Result<String, Problem> {
    let pours: BTreeMap<String, Vec<Vec<[i64; 2]>>> = serde_json::from_str(pours)
        .map_err(|error| format!("the filled areas that KiCad wrote could not be parsed: {error}"))?;
    let Some(Expr::List(mut items)) = Expr::read(file) else {
        return Err("the board's file could not be parsed".into());
    };
    for zone in items.iter_mut().filter(|item| item.name() == "zone") {
        let layer = zone.get("layer").map_or(String::new(), |layer| layer.word(1).to_owned());
        let outlines = pours.get(&layer).ok_or_else(|| format!("KiCad poured nothing on {layer}"))?;
        if let Expr::List(items) = zone {
            items.extend(outlines.iter().map(|outline| {
                let micrometres = |nm: i64| (nm as f64 / 1000.0).round() as i64;
                let places = outline.iter().map(|&[x, y]| place("xy", Point { x: micrometres(x), y: micrometres(y) }));
                list("filled_polygon", [named("layer", &layer), list("pts", places)])
            }));
        }
    }
    Ok(Expr::List(items).file())
}

/// What the gerbers should show, for the second program.
fn facts_of(board: &Board) -> Value {
    let pads: Vec<_> = board.parts.iter().flat_map(Placed::pads).collect();
    let mut plated: BTreeMap<String, usize> = BTreeMap::new();
    let mut bare: BTreeMap<String, usize> = BTreeMap::new();
    let size = |um: i64| format!("{:.2}", um as f64 / 1000.0);
    for pad in &pads {
        match pad.hole {
            Drill::Plated(hole) => *plated.entry(size(hole)).or_default() += 1,
            Drill::Bare(hole) => *bare.entry(size(hole)).or_default() += 1,
            Drill::None => {}
        }
    }
    plated.insert(format!("{:.2}", super::copper::VIA.0), board.copper.vias.len());
    let layers = [
        "bottom copper",
        "bottom mask",
        "bottom paste",
        "bottom silk",
        "mechanical outline",
        "top copper",
        "top mask",
        "top silk",
    ];
    json!({
        "layers": layers,
        // Width, height, how many: the lights' holes, and the board.
        "outline": [[3.6, 3.0, CELLS], [BOARD.0, BOARD.1, 1]],
        "plated": plated,
        "bare": bare,
        "flat_pads": pads.iter().filter(|pad| pad.hole == Drill::None).count(),
        "finest": 0.15,
    })
}

/// Runs a program; what it prints is shown.
fn run(command: &mut Command) -> Result<(), Problem> {
    let name =
        Path::new(command.get_program()).file_name().map(OsStr::to_string_lossy).unwrap_or_default().into_owned();
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err(format!("`{name}` failed. See its messages above.")),
        Err(error) => Err(format!("`{name}` could not be started ({error}). Please install it.")),
    }
}

fn read(path: &Path) -> Result<String, Problem> {
    fs::read_to_string(path).map_err(|error| cannot(path, &error))
}

/// Writes a file and the folders above it.
pub fn write(path: &Path, text: &str) -> Result<(), Problem> {
    path.parent()
        .map_or(Ok(()), fs::create_dir_all)
        .and_then(|()| fs::write(path, text))
        .map_err(|error| cannot(path, &error))
}

fn cannot(path: &Path, error: &std::io::Error) -> Problem {
    format!("{}: {error}", path.display())
}
