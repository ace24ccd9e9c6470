//! Firmware files that a visitor brings: an ELF or a UF2 of this firmware runs, anything else is refused with a reason.
//!
//! Whether a program is one for this handheld is found out the way a maker would: switch on and see whether the lights
//! come on. A firmware of ours sends its first picture within 50 ms; two seconds of silence are another program's.

use core::fmt;
use core::time::Duration;

use virtual_handheld::{Firmware, FirmwareError, Handheld, Options};

use crate::uf2::{self, Uf2Error};

/// How long a firmware may take to its first picture.
const TRIAL: Duration = Duration::from_secs(2);

/// Why a file is not run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileError {
    /// Neither ELF nor UF2.
    OtherFile,
    /// A UF2 that cannot be used.
    Uf2(Uf2Fault),
    /// An ELF, or the content of a UF2, that is no program for the Pico.
    Program(FirmwareError),
    /// A program for the Pico that sends no picture to the lights.
    NoPicture,
}

/// What is wrong with a UF2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Uf2Fault {
    /// It has been cut off or changed.
    Damaged,
    /// It is for another chip.
    OtherChip,
    /// It writes outside the 2 MB of flash.
    OutsideFlash,
}

impl From<Uf2Error> for FileError {
    fn from(error: Uf2Error) -> Self {
        Self::Uf2(match error {
            Uf2Error::Damaged => Uf2Fault::Damaged,
            Uf2Error::OtherChip => Uf2Fault::OtherChip,
            Uf2Error::OutsideFlash => Uf2Fault::OutsideFlash,
        })
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OtherFile => f.write_str("It is neither an ELF file nor a UF2 file."),
            Self::Uf2(Uf2Fault::Damaged) => f.write_str("This UF2 file is damaged: it has been cut off or changed."),
            Self::Uf2(Uf2Fault::OtherChip) => {
                f.write_str("This UF2 file is for another chip, not for the RP2040 of a Pico.")
            }
            Self::Uf2(Uf2Fault::OutsideFlash) => {
                f.write_str("This UF2 file does not fit into the Pico's 2 MB of flash.")
            }
            Self::Program(error) => write!(f, "This is no program for a Pico: {error}."),
            Self::NoPicture => {
                f.write_str("This program runs on a Pico, but it does not light this handheld's lights.")
            }
        }
    }
}

impl std::error::Error for FileError {}

/// Reads a file without running it.
pub fn read(file: &[u8]) -> Result<Firmware, FileError> {
    let firmware = if uf2::is_uf2(file) {
        Firmware::from_elf(&uf2::to_elf(file)?)
    } else if file.starts_with(b"\x7fELF") {
        Firmware::from_elf(file)
    } else {
        return Err(FileError::OtherFile);
    };
    firmware.map_err(FileError::Program)
}

/// Reads a file and sees that it lights the lights.
pub fn read_and_try(file: &[u8]) -> Result<Firmware, FileError> {
    let firmware = read(file)?;
    let mut handheld = Handheld::power_on(&firmware, Options::default());
    handheld.run_to_next_frame(TRIAL).ok_or(FileError::NoPicture)?;
    Ok(firmware)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::uf2::tests::{program, uf2};

    const RP2040: u32 = 0xE48B_FF56;

    #[test]
    fn other_files_are_refused_each_for_its_reason() {
        let reason = |file: &[u8]| read_and_try(file).unwrap_err().to_string();
        assert_eq!(reason(b""), "It is neither an ELF file nor a UF2 file.");
        assert_eq!(reason(b"\x89PNG and so on"), "It is neither an ELF file nor a UF2 file.");
        assert_eq!(
            reason(b"\x7fELF\x02 a program for a computer"),
            "This is no program for a Pico: not a 32-bit ELF file."
        );
        assert!(reason(&uf2(&program(), 0x1000_0000, 1)).contains("another chip"));
        assert!(reason(&uf2(&[0; 512], 0x1000_0000, RP2040)).contains("no vector table"));
    }

    #[test]
    fn a_program_that_lights_nothing_is_refused() {
        // Its reset handler is at 0x120: `b .`.
        let mut program = program();
        program[0x120..0x122].copy_from_slice(&[0xFE, 0xE7]);
        let file = uf2(&program, 0x1000_0000, RP2040);
        assert!(read(&file).is_ok());
        assert_eq!(read_and_try(&file).unwrap_err(), FileError::NoPicture);
    }
}
