//! `cargo uf2`: builds the firmware for both chips, and writes the file to drag onto a Pico or Pico 2.
#![forbid(unsafe_code)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use flash_image::{Image, PAGE, uf2};
use lexopt::Parser;
use lexopt::prelude::*;
use setup::FIRMWARE_STEPS;
use setup::progress::Step;

const NAME: &str = "lights-out.uf2";
const STEPS: usize = FIRMWARE_STEPS + 1;
const HELP: &str = "\
Builds the firmware and writes lights-out.uf2 to the project's folder. Missing Rust targets are installed with rustup.
Hold the BOOTSEL button of a Pico, Pico W, Pico 2 or Pico 2 W while plugging it in, and drag the file onto the drive
RPI-RP2 or RP2350 that appears. The file holds the firmware for both chips; each chip takes its own. A UF2 file for one
chip alone is written beside its ELF file.

Usage: cargo uf2 [--output FILE]

  -o, --output FILE   write to this file instead
";

fn main() -> ExitCode {
    let output = match parse(Parser::from_env()) {
        Ok(Some(output)) => output,
        Ok(None) => {
            print!("{HELP}");
            return ExitCode::SUCCESS;
        }
        Err(error) => return setup::report_usage_error("cargo uf2", error),
    };
    match run(output) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("\n{error}");
            ExitCode::FAILURE
        }
    }
}

/// The path of the output file; `None` for help.
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
    let mut images = Vec::new();
    for elf in setup::build_all_firmware(STEPS)? {
        let image = Image::from_elf(&fs::read(&elf)?).and_then(|image| image.check_start().map(|()| image));
        let image = image.map_err(|error| format!("{}: {error}.", elf.display()))?;
        write(&elf.with_extension("uf2"), &uf2::write(&image))?;
        images.push(image);
    }
    let step = Step::new(STEPS, STEPS, "UF2");
    let file = uf2::write_all(&images);
    // Checked again, in addition to the tests, because this file is given to users.
    for image in &images {
        if uf2::read_for(&file, image.chip())? != *image {
            return Err(format!("The UF2 file does not hold the firmware for the {}.", image.chip()).into());
        }
    }
    write(&output, &file)?;
    let parts: Vec<String> = images.iter().map(described).collect();
    step.done(&format!("{}, {}", parts.join(", "), output.display()));
    Ok(())
}

fn write(path: &Path, file: &[u8]) -> Result<(), String> {
    fs::write(path, file).map_err(|error| format!("{}: {error}.", path.display()))
}

fn described(image: &Image) -> String {
    let pages = image.pages().count();
    format!("{}: {pages} blocks, {} KB of flash", image.chip(), pages * PAGE / 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Option<PathBuf>, String> {
        parse(Parser::from_args(line.split_whitespace())).map_err(|error| error.to_string())
    }

    #[test]
    fn output_option_sets_the_path() {
        assert_eq!(parsed(""), Ok(Some(setup::root().join("lights-out.uf2"))));
        assert_eq!(parsed("--output a.uf2"), Ok(Some("a.uf2".into())));
        assert_eq!(parsed("-o a.uf2"), Ok(Some("a.uf2".into())));
        assert_eq!(parsed("--output=a.uf2"), Ok(Some("a.uf2".into())));
        assert_eq!(parsed("-o a.uf2 --help"), Ok(None));
        assert!(parsed("--output").is_err());
        assert!(parsed("a.uf2").is_err());
    }
}
