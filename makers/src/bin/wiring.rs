//! `cargo wiring`: draws the plans and writes the simulation, from what the firmware's board file claims.
#![forbid(unsafe_code)]

use std::fs;
use std::process::ExitCode;

use makers::{BOARD_FILE, Wiring, products};

const HELP: &str = "\
Draws hardware/wiring.svg and hardware/perfboard.svg, and writes the simulation in hardware/wokwi/, from the pins in
src/firmware/board.rs. Run it after every change of that file.

Usage: cargo wiring [--check]

  --check   write nothing; exit with 1 if a file is not as it should be
";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let check = match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => false,
        ["--check"] => true,
        ["-h" | "--help"] => {
            print!("{HELP}");
            return ExitCode::SUCCESS;
        }
        _ => {
            eprint!("{HELP}");
            return ExitCode::from(2);
        }
    };
    match run(check) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

/// Whether all files are now as they should be.
fn run(check: bool) -> Result<bool, String> {
    let root = setup::root();
    let board = fs::read_to_string(root.join(BOARD_FILE)).map_err(|error| format!("{BOARD_FILE}: {error}"))?;
    let wiring = Wiring::read(&board).map_err(|error| format!("{BOARD_FILE}: {error}."))?;
    let mut content = true;
    for product in products(&wiring) {
        let path = root.join(product.path);
        let fresh = fs::read_to_string(&path).is_ok_and(|text| text == product.text);
        if fresh {
            println!("{}: up to date", product.path);
        } else if check {
            println!("{}: not what {BOARD_FILE} says; run `cargo wiring`", product.path);
            content = false;
        } else {
            let report = |error: std::io::Error| format!("{}: {error}", path.display());
            path.parent().map_or(Ok(()), fs::create_dir_all).map_err(report)?;
            fs::write(&path, product.text).map_err(report)?;
            println!("{}: written", product.path);
        }
    }
    Ok(content)
}
