//! Firmware files that a visitor brings: an ELF or a UF2 of this firmware runs, anything else is refused with a reason.
//!
//! The chip is the file's: a handheld with that chip runs it. Only a UF2 file for both chips leaves a choice, and then the chip counts
//! that the visitor plays with.
//!
//! Whether a program is one for this handheld is found out the way a maker would: switch on and see whether the lights
//! come on. A firmware of ours sends its first picture within 50 ms; two seconds of silence are another program's.

use core::fmt;
use core::time::Duration;

use emulator::{Firmware, FirmwareError, Handheld, Options};
use flash_image::Chip;
use flash_image::uf2::{self, Uf2Error};

/// How long a firmware may take to its first picture.
const TRIAL: Duration = Duration::from_secs(2);
/// How much it may do meanwhile: cycles of the core, 2 s of them at 150 MHz, and steps of everything else, some hundred
/// times those of our firmware. A program that does more takes minutes to emulate, and nobody would wait for it.
const MOST_CYCLES: u64 = 300_000_000;
const MOST_STEPS: u64 = 15_000_000;

/// Why a file is not run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileError {
    /// Neither ELF nor UF2.
    OtherFile,
    /// A damaged file, or a program for something else than a Pico or a Pico 2.
    Program(FirmwareError),
    /// A program for this chip that sends no picture to the lights.
    NoPicture(Chip),
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OtherFile => f.write_str("It is neither an ELF file nor a UF2 file."),
            Self::Program(FirmwareError::Uf2(Uf2Error::Family(..))) => f.write_str(
                "This UF2 file is for another chip: neither for the RP2040 of a Pico nor for the RP2350 of a Pico 2.",
            ),
            Self::Program(FirmwareError::Uf2(Uf2Error::OutsideFlash(..))) => {
                f.write_str("This UF2 file does not fit into the board's flash.")
            }
            Self::Program(FirmwareError::Uf2(error)) => {
                write!(f, "This UF2 file is damaged: it has been cut off or changed ({error}).")
            }
            Self::Program(error) => write!(f, "This is no program for a Pico or a Pico 2: {error}."),
            Self::NoPicture(chip) => {
                write!(f, "This program runs on a {}, but it does not light this handheld's lights.", chip.board())
            }
        }
    }
}

impl std::error::Error for FileError {}

/// Reads a file without running it. Of a file for both chips, what is for the `chosen` one counts.
pub fn read(file: &[u8], chosen: Chip) -> Result<Firmware, FileError> {
    let firmware = if uf2::is_uf2(file) {
        match Firmware::from_uf2_for(file, chosen) {
            Err(FirmwareError::Uf2(Uf2Error::Nothing(_))) => Firmware::from_uf2(file),
            firmware => firmware,
        }
    } else if file.starts_with(b"\x7fELF") {
        Firmware::from_foreign_elf(file)
    } else {
        return Err(FileError::OtherFile);
    };
    firmware.map_err(FileError::Program)
}

/// A program that is switched on to see whether it lights the lights. Time passes in slices, so that whoever waits hears of it.
#[derive(Debug)]
pub struct Trial {
    firmware: Firmware,
    handheld: Handheld,
}

impl Trial {
    /// Reads a file and switches on.
    pub fn begin(file: &[u8], chosen: Chip) -> Result<Self, FileError> {
        let firmware = read(file, chosen)?;
        // A firmware for a board without a switch in the LEDs' supply is welcome too.
        let handheld = Handheld::power_on(&firmware, Options { supply_switch: false, ..Options::default() });
        Ok(Self { firmware, handheld })
    }

    /// Lets time pass. Gives the firmware once it lights the lights, the reason once it is clear that it does not, and nothing before.
    pub fn run(&mut self, time: Duration) -> Option<Result<Firmware, FileError>> {
        let is_too_dear = |handheld: &Handheld| {
            let effort = handheld.effort();
            effort.awake > MOST_CYCLES || effort.steps > MOST_STEPS
        };
        self.handheld.run_until(time, |handheld| handheld.frames() > 0 || is_too_dear(handheld));
        if self.handheld.frames() > 0 {
            Some(Ok(self.firmware.clone()))
        } else if self.handheld.now() >= TRIAL || self.handheld.death().is_some() || is_too_dear(&self.handheld) {
            Some(Err(FileError::NoPicture(self.firmware.chip())))
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flash_image::{Image, elf};

    fn read_and_try(file: &[u8], chosen: Chip) -> Result<Firmware, FileError> {
        let mut trial = Trial::begin(file, chosen)?;
        let slices = core::iter::repeat_with(|| trial.run(Duration::from_millis(100)));
        { slices }.take(21).flatten().next().expect("an end of the trial")
    }

    /// A UF2 file of a program with its vectors, and this at its reset handler.
    fn program(reset_handler: [u8; 2]) -> Vec<u8> {
        let mut bytes = vec![7; 0x100];
        bytes.extend(0x2004_0000u32.to_le_bytes());
        bytes.extend(0x1000_0121u32.to_le_bytes());
        bytes.resize(0x120, 9);
        bytes.extend(reset_handler);
        let elf = elf::of_segments(&[(Chip::Rp2040.flash().start, &bytes)]).expect("an ELF file");
        uf2::write(&Image::from_elf(&elf).expect("an image"))
    }

    #[test]
    fn other_files_are_refused_each_for_its_reason() {
        let reason = |file: &[u8]| read_and_try(file, Chip::Rp2040).unwrap_err().to_string();
        assert_eq!(reason(b""), "It is neither an ELF file nor a UF2 file.");
        assert_eq!(reason(b"\x89PNG and so on"), "It is neither an ELF file nor a UF2 file.");
        assert_eq!(
            reason(b"\x7fELF\x02 a program for a computer"),
            "This is no program for a Pico or a Pico 2: not a 32-bit ELF file for ARM."
        );
        let good = program([0; 2]);
        let with = |at: usize, value: u8| {
            let mut file = good.clone();
            file[at] = value;
            reason(&file)
        };
        assert!(with(28, 0x58).contains("another chip"));
        assert!(with(28, 0x59).contains("damaged"), "half of it for the other chip");
        assert!(with(15, 0x20).contains("does not fit"));
        assert!(with(20, 1).contains("damaged"));
        assert!(with(512 + 32 + 3, 0).contains("no vector table"));
        assert!(reason(&good[..512]).contains("damaged"));
    }

    #[test]
    fn a_program_that_lights_nothing_is_refused() {
        // `b .`
        let file = program([0xFE, 0xE7]);
        assert!(read(&file, Chip::Rp2040).is_ok());
        assert_eq!(read_and_try(&file, Chip::Rp2040).unwrap_err(), FileError::NoPicture(Chip::Rp2040));
        assert_eq!(read(&file, Chip::Rp2350).expect("a program").chip(), Chip::Rp2040, "it leaves no choice");
    }
}
