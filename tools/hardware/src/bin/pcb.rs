//! `cargo pcb`: draws the circuit board from the pins that the firmware is built for, and makes what is sent to a board house.
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

  --check   write nothing; exit with 1 if a file is not as it should be
  --order   afterwards let KiCad pour the ground, check its rules and write all that a board house wants to
            hardware/pcb/order/, have that checked by a second program, and make the pictures. Any finding is an error.
            Needs KiCad 6 (Debian's, installed for root) and, the first time, the network
";

#[derive(Clone, Copy, PartialEq, Eq)]
enum Wish {
    Draw,
    Check,
    Order,
}

fn main() -> ExitCode {
    let wish = match parse(Parser::from_env()) {
        Ok(Some(wish)) => wish,
        Ok(None) => {
            print!("{HELP}");
            return ExitCode::SUCCESS;
        }
        Err(error) => return setup::misused("cargo pcb", error),
    };
    match run(wish) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

/// What to do; `None` is a wish for help.
fn parse(mut parser: Parser) -> Result<Option<Wish>, lexopt::Error> {
    let mut wish = Wish::Draw;
    while let Some(argument) = parser.next()? {
        wish = match argument {
            Short('h') | Long("help") => return Ok(None),
            Long("check") if wish == Wish::Draw => Wish::Check,
            Long("order") if wish == Wish::Draw => Wish::Order,
            other => return Err(other.unexpected()),
        };
    }
    Ok(Some(wish))
}

/// Whether all files are now as they should be.
fn run(wish: Wish) -> Result<bool, String> {
    let wiring = Wiring::of_firmware().map_err(|error| format!("{WIRING_FILE}: {error}."))?;
    let board = Board::draw(&wiring).map_err(|error| format!("{WIRING_FILE}: {error}."))?;
    let mut content = true;
    for product in project::products(&board) {
        let place = setup::root().join(&product.path);
        let fresh = fs::read_to_string(&place).is_ok_and(|found| project::is_fresh(&product, &found));
        let Product { path, text } = product;
        if fresh {
            println!("{path}: up to date");
        } else if wish == Wish::Check {
            println!("{path}: not what the code says; run `cargo pcb`");
            content = false;
        } else {
            order::write(&place, &text)?;
            println!("{path}: written");
            if path == project::board_path() && wish == Wish::Draw {
                println!(
                    "    without its pours of ground, which are KiCad's: press B there, or run `cargo pcb --order`"
                );
            }
        }
    }
    if wish == Wish::Order {
        order::make(&board)?;
    }
    Ok(content)
}
