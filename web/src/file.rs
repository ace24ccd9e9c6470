//! Firmware files that the user opens: an ELF or UF2 file of this firmware is run, any other file is refused with a
//! reason.
//!
//! The file determines the chip. Only a UF2 file for both chips leaves a choice: then the chip of the current handheld
//! is used.
//!
//! A program is tested as a maker would test it: switch on, and see whether the LEDs light up. This firmware sends its
//! first frame within 50 ms. A program that sends none within two seconds is not a firmware for this handheld.

use core::fmt;
use core::time::Duration;

use emulator::{Firmware, FirmwareError, Handheld, Options};
use flash_image::Chip;
use flash_image::uf2::{self, Uf2Error};

/// The time limit for the first frame.
const TRIAL_TIME: Duration = Duration::from_secs(2);
/// The limit of core cycles until the first frame: 2 s at 150 MHz. A program with more would take minutes to emulate.
const MAX_CYCLES: u64 = 300_000_000;
/// The limit of emulation steps of everything else: about a hundred times those of this firmware.
const MAX_STEPS: u64 = 15_000_000;

/// The reason why a file is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileError {
    /// Neither ELF nor UF2.
    OtherFile,
    /// A damaged file, or a program for another board than a Pico or a Pico 2.
    Program(FirmwareError),
    /// A program for this chip that sends no frame to the LEDs.
    NoFrame(Chip),
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OtherFile => f.write_str("This is neither an ELF file nor a UF2 file."),
            Self::Program(FirmwareError::Uf2(Uf2Error::Family(..))) => {
                f.write_str("This UF2 file is for another chip. Open one for the RP2040 (Pico) or the RP2350 (Pico 2).")
            }
            Self::Program(FirmwareError::Uf2(Uf2Error::OutsideFlash(..))) => {
                f.write_str("This UF2 file does not fit into the flash of the board.")
            }
            Self::Program(FirmwareError::Uf2(error)) => {
                write!(f, "This UF2 file is damaged: it is incomplete or was changed ({error}).")
            }
            Self::Program(error) => write!(f, "This is not a program for a Pico or a Pico 2: {error}."),
            Self::NoFrame(chip) => {
                write!(f, "This program runs on a {}, but it does not drive the LEDs of this handheld.", chip.board())
            }
        }
    }
}

impl std::error::Error for FileError {}

/// Reads a file without running it. From a file for both chips, the program for the `chosen` chip is read.
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

/// The trial of a program: it runs until it sends a frame to the LEDs. Time passes in slices, so that the caller can
/// report progress.
#[derive(Debug)]
pub struct Trial {
    firmware: Firmware,
    handheld: Handheld,
}

impl Trial {
    /// Reads a file and switches its handheld on.
    pub fn begin(file: &[u8], chosen: Chip) -> Result<Self, FileError> {
        let firmware = read(file, chosen)?;
        // A firmware for a board without a switch in the LED supply is accepted too.
        let handheld = Handheld::power_on(&firmware, Options { supply_switch: false, ..Options::default() });
        Ok(Self { firmware, handheld })
    }

    /// Runs the program for this time. Returns the firmware once it has sent a frame, an error once a limit is reached,
    /// and `None` before.
    pub fn run(&mut self, time: Duration) -> Option<Result<Firmware, FileError>> {
        let is_over_limit = |handheld: &Handheld| {
            let cycle_counts = handheld.cycle_counts();
            cycle_counts.awake > MAX_CYCLES || cycle_counts.steps > MAX_STEPS
        };
        self.handheld.run_until(time, |handheld| handheld.frames() > 0 || is_over_limit(handheld));
        if self.handheld.frames() > 0 {
            Some(Ok(self.firmware.clone()))
        } else if self.handheld.now() >= TRIAL_TIME
            || self.handheld.stop_reason().is_some()
            || is_over_limit(&self.handheld)
        {
            Some(Err(FileError::NoFrame(self.firmware.chip())))
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flash_image::{Image, ImageError, elf};

    fn read_and_try(file: &[u8], chosen: Chip) -> Result<Firmware, FileError> {
        let mut trial = Trial::begin(file, chosen)?;
        let slices = core::iter::repeat_with(|| trial.run(Duration::from_millis(100)));
        { slices }.take(21).flatten().next().expect("the trial ends")
    }

    /// A UF2 file of a program with a vector table and these bytes as its reset handler.
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
    fn other_files_are_refused_with_a_reason() {
        let reason = |file: &[u8]| read_and_try(file, Chip::Rp2040).unwrap_err().to_string();
        assert_eq!(reason(b""), "This is neither an ELF file nor a UF2 file.");
        assert_eq!(reason(b"\x89PNG and so on"), "This is neither an ELF file nor a UF2 file.");
        assert_eq!(
            reason(b"\x7fELF\x02 a program for a computer"),
            format!("This is not a program for a Pico or a Pico 2: {}.", ImageError::NotArmElf)
        );
        let good = program([0; 2]);
        let with = |at: usize, value: u8| {
            let mut file = good.clone();
            file[at] = value;
            reason(&file)
        };
        assert!(with(28, 0x58).contains("another chip"));
        assert!(with(28, 0x59).contains("damaged"), "one block is for the other chip");
        assert!(with(15, 0x20).contains("does not fit"));
        assert!(with(20, 1).contains("damaged"));
        assert!(with(512 + 32 + 3, 0).contains(&ImageError::NoVectors(Chip::Rp2040).to_string()));
        assert!(reason(&good[..512]).contains("damaged"));
    }

    #[test]
    fn program_that_sends_no_frame_is_refused() {
        // `b .`
        let file = program([0xFE, 0xE7]);
        assert!(read(&file, Chip::Rp2040).is_ok());
        assert_eq!(read_and_try(&file, Chip::Rp2040).unwrap_err(), FileError::NoFrame(Chip::Rp2040));
        assert_eq!(read(&file, Chip::Rp2350).expect("a program").chip(), Chip::Rp2040, "the file determines the chip");
    }
}
