//! `cargo uf2`: builds the firmware and makes of it the file that is dragged onto a Pico.
#![forbid(unsafe_code)]

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use flash_image::{Image, PAGE, uf2};
use lexopt::Parser;
use lexopt::prelude::*;
use setup::progress::Step;
use setup::{Target, Toolchain, build_firmware};

const NAME: &str = "lights-out.uf2";
const STEPS: usize = 3;
const HELP: &str = "\
Builds the firmware and makes lights-out.uf2 of it, in the project's folder, from nothing but rustup's host toolchain.
Hold the Pico's BOOTSEL button while plugging it in, and drag the file onto the drive RPI-RP2 that appears.

Usage: cargo uf2 [--output FILE]

  -o, --output FILE   write the file there instead
";

fn main() -> ExitCode {
    let output = match parse(Parser::from_env()) {
        Ok(Some(output)) => output,
        Ok(None) => {
            print!("{HELP}");
            return ExitCode::SUCCESS;
        }
        Err(error) => return setup::misused("cargo uf2", error),
    };
    match run(output) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("\n{error}");
            ExitCode::FAILURE
        }
    }
}

/// Where to write; `None` is a wish for help.
fn parse(mut parser: Parser) -> Result<Option<PathBuf>, lexopt::Error> {
    let mut output = setup::root().join(NAME);
    while let Some(argument) = parser.next()? {
        match argument {
            Short('h') | Long("help") => return Ok(None),
            Short('o') | Long("output") => output = parser.value()?.into(),
            other => return Err(other.unexpected()),
        }
    }
    Ok(Some(output))
}

fn run(output: PathBuf) -> Result<(), Box<dyn std::error::Error>> {
    let toolchain = Toolchain::for_target(Target::Thumb, &Step::new(1, STEPS, "thumb target"))?;
    let elf = build_firmware(&toolchain, &Step::new(2, STEPS, "firmware"))?;
    let step = Step::new(3, STEPS, "UF2");
    let image = Image::from_elf(&fs::read(&elf)?).and_then(|image| image.check_vectors().map(|()| image));
    let image = image.map_err(|error| format!("{}: {error}.", elf.display()))?;
    let file = uf2::write(&image);
    // What leaves the house is checked, though the tests say that it is right.
    if uf2::read(&file)? != image {
        return Err("The UF2 file does not hold what the firmware does.".into());
    }
    fs::write(&output, &file).map_err(|error| format!("{}: {error}.", output.display()))?;
    let pages = image.pages().count();
    step.done(&format!("{pages} blocks, {} KB of flash, {}", pages * PAGE / 1024, output.display()));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Option<PathBuf>, String> {
        parse(Parser::from_args(line.split_whitespace())).map_err(|error| error.to_string())
    }

    #[test]
    fn the_file_goes_where_it_is_wanted() {
        assert_eq!(parsed(""), Ok(Some(setup::root().join("lights-out.uf2"))));
        assert_eq!(parsed("--output a.uf2"), Ok(Some("a.uf2".into())));
        assert_eq!(parsed("-o a.uf2"), Ok(Some("a.uf2".into())));
        assert_eq!(parsed("--output=a.uf2"), Ok(Some("a.uf2".into())));
        assert_eq!(parsed("-o a.uf2 --help"), Ok(None));
        assert!(parsed("--output").is_err());
        assert!(parsed("a.uf2").is_err());
    }
}
