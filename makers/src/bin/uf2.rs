//! `cargo uf2`: builds the firmware and makes of it the file that is dragged onto a Pico.
#![forbid(unsafe_code)]

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use makers::uf2;
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
    let output = match parse(std::env::args().skip(1)) {
        Ok(Some(output)) => output,
        Ok(None) => {
            print!("{HELP}");
            return ExitCode::SUCCESS;
        }
        Err(message) => {
            eprintln!("{message}\n\n{HELP}");
            return ExitCode::from(2);
        }
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
fn parse(words: impl IntoIterator<Item = String>) -> Result<Option<PathBuf>, String> {
    let mut output = setup::root().join(NAME);
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "-h" | "--help" => return Ok(None),
            "-o" | "--output" => output = words.next().ok_or("A file should follow --output.")?.into(),
            other => match other.strip_prefix("--output=") {
                Some(path) => output = path.into(),
                None => return Err(format!("`{other}` is not understood.")),
            },
        }
    }
    Ok(Some(output))
}

fn run(output: PathBuf) -> Result<(), Box<dyn std::error::Error>> {
    let toolchain = Toolchain::for_target(Target::Thumb, &Step::new(1, STEPS, "thumb target"))?;
    let elf = build_firmware(&toolchain, &Step::new(2, STEPS, "firmware"))?;
    let step = Step::new(3, STEPS, "UF2");
    let pages = uf2::pages(&fs::read(&elf)?).map_err(|error| format!("{}: {error}.", elf.display()))?;
    let file = uf2::encode(&pages);
    // What leaves the house is checked, though the tests say that it is right.
    uf2::decode(&file)?;
    fs::write(&output, &file).map_err(|error| format!("{}: {error}.", output.display()))?;
    step.done(&format!("{} blocks, {} KB of flash, {}", pages.len(), pages.len() * uf2::PAGE / 1024, output.display()));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Option<PathBuf>, String> {
        parse(line.split_whitespace().map(str::to_owned))
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
