//! `cargo pcb`: draws the circuit board from the firmware's pins, and makes the files for ordering it.
#![forbid(unsafe_code)]

use std::fs;
use std::process::ExitCode;

use hardware::pcb::board::Board;
use hardware::pcb::{order, project};
use hardware::{Product, WIRING_FILE, Wiring};
use lexopt::Parser;
use lexopt::prelude::*;

const HELP: &str = "\
Draws the circuit board in hardware/pcb/, a KiCad 6 project, and its sizes for the case, from the pins in src/wiring.rs.

Usage: cargo pcb [--check | --order]

  --check   write nothing; exit with 1 if a file is out of date
  --order   then let KiCad fill the ground areas, check its rules and write the files for ordering to
            hardware/pcb/order/; check these with a second program; draw the pictures. Any finding is an error.
            Needs KiCad 6 from Debian's packages (installed for root) and, the first time, a network
";

#[derive(Clone, Copy, PartialEq, Eq)]
enum Task {
    Draw,
    Check,
    Order,
}

fn main() -> ExitCode {
    let task = match parse(Parser::from_env()) {
        Ok(Some(task)) => task,
        Ok(None) => {
            print!("{HELP}");
            return ExitCode::SUCCESS;
        }
        Err(error) => return setup::report_usage_error("cargo pcb", error),
    };
    match run(task) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

/// The requested task; `None` for help.
fn parse(mut parser: Parser) -> Result<Option<Task>, lexopt::Error> {
    let mut task = Task::Draw;
    while let Some(argument) = parser.next()? {
        task = match argument {
            Short('h') | Long("help") => return Ok(None),
            Long("check") if task == Task::Draw => Task::Check,
            Long("order") if task == Task::Draw => Task::Order,
            other => return Err(other.unexpected()),
        };
    }
    Ok(Some(task))
}

/// Returns whether all files are up to date now.
fn run(task: Task) -> Result<bool, String> {
    let wiring = Wiring::of_firmware().map_err(|error| format!("{WIRING_FILE}: {error}."))?;
    let board = Board::draw(&wiring).map_err(|error| format!("{WIRING_FILE}: {error}."))?;
    let mut up_to_date = true;
    for product in project::products(&board) {
        let place = setup::root().join(&product.path);
        let fresh = fs::read_to_string(&place).is_ok_and(|found| project::is_fresh(&product, &found));
        let Product { path, text } = product;
        if fresh {
            println!("{path}: up to date");
        } else if task == Task::Check {
            println!("{path}: out of date; run `cargo pcb`");
            up_to_date = false;
        } else {
            order::write(&place, &text)?;
            println!("{path}: written");
            if path == project::board_path() && task == Task::Draw {
                println!("    without filled ground areas: press B in KiCad, or run `cargo pcb --order`");
            }
        }
    }
    if task == Task::Order {
        order::make(&board)?;
    }
    Ok(up_to_date)
}
