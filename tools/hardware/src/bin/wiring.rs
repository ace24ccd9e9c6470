//! `cargo wiring`: draws the wiring plan and the perfboard layout, and writes the simulation, from the firmware's pins;
//! writes the positions for the case, from the circuit board.
#![forbid(unsafe_code)]

use std::fs;
use std::process::ExitCode;

use hardware::{WIRING_FILE, Wiring, case_positions, products};
use lexopt::Parser;
use lexopt::prelude::*;

const HELP: &str = "\
Draws hardware/wiring.svg and hardware/perfboard.svg, and writes the simulation in hardware/wokwi/, from the pins in
src/wiring.rs. Writes hardware/case/board.scad, the positions for the case, from the circuit board. Run it after every
change of the pins or of the board.

Usage: cargo wiring [--check]

  --check   write nothing; exit with 1 if a file is out of date
";

fn main() -> ExitCode {
    let check = match parse(Parser::from_env()) {
        Ok(Some(check)) => check,
        Ok(None) => {
            print!("{HELP}");
            return ExitCode::SUCCESS;
        }
        Err(error) => return setup::report_usage_error("cargo wiring", error),
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

/// Whether to check only; `None` for help.
fn parse(mut parser: Parser) -> Result<Option<bool>, lexopt::Error> {
    let mut check = false;
    while let Some(argument) = parser.next()? {
        match argument {
            Short('h') | Long("help") => return Ok(None),
            Long("check") => check = true,
            other => return Err(other.unexpected()),
        }
    }
    Ok(Some(check))
}

/// Returns whether all files are up to date now.
fn run(check: bool) -> Result<bool, String> {
    let root = setup::root();
    let wiring = Wiring::of_firmware().map_err(|error| format!("{WIRING_FILE}: {error}."))?;
    let mut up_to_date = true;
    for product in products(&wiring).into_iter().chain([case_positions()?]) {
        let path = root.join(&product.path);
        let fresh = fs::read_to_string(&path).is_ok_and(|text| text == product.text);
        if fresh {
            println!("{}: up to date", product.path);
        } else if check {
            println!("{}: out of date; run `cargo wiring`", product.path);
            up_to_date = false;
        } else {
            let report = |error: std::io::Error| format!("{}: {error}", path.display());
            path.parent().map_or(Ok(()), fs::create_dir_all).map_err(report)?;
            fs::write(&path, product.text).map_err(report)?;
            println!("{}: written", product.path);
        }
    }
    Ok(up_to_date)
}
