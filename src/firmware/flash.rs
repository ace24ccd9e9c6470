//! The only door to the flash. No write and no erase begins while the battery is too low for it: one that broke down in the middle
//! would leave it half done. While a sector is erased the keys are scanned.

use embassy_rp::flash;
use embedded_storage::nor_flash::{ErrorType, NorFlash, NorFlashError, NorFlashErrorKind, ReadNorFlash};

use super::battery::Meter;
use super::board::{Chip, FlashResources};
use super::recorder::Recording;

/// Why the flash does not do what it was asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, defmt::Format)]
pub enum Error {
    /// The chip, or its driver, does not want to.
    Chip(flash::Error),
    /// The battery is too low. Nothing was begun.
    BatteryTooLow,
}

impl NorFlashError for Error {
    fn kind(&self) -> NorFlashErrorKind {
        match self {
            Self::Chip(error) => error.kind(),
            Self::BatteryTooLow => NorFlashErrorKind::Other,
        }
    }
}

/// The flash.
pub struct Flash {
    r: FlashResources,
    recording: &'static Recording,
    meter: &'static Meter,
}

impl Flash {
    pub fn new(r: FlashResources, recording: &'static Recording, meter: &'static Meter) -> Self {
        Self { r, recording, meter }
    }

    /// Erases before anybody scans the keys.
    pub fn erase_at_start(&mut self, from: u32, to: u32) -> Result<(), Error> {
        self.expect_power()?;
        self.r.chip.erase(from, to).map_err(Error::Chip)
    }

    /// Looks at the battery right now, with the load of this moment: it may be another than a minute ago.
    fn expect_power(&self) -> Result<(), Error> {
        if self.meter.read().is_writable() { Ok(()) } else { Err(Error::BatteryTooLow) }
    }
}

impl ErrorType for Flash {
    type Error = Error;
}

impl ReadNorFlash for Flash {
    const READ_SIZE: usize = Chip::READ_SIZE;

    fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), Error> {
        self.r.chip.read(offset, bytes).map_err(Error::Chip)
    }

    fn capacity(&self) -> usize {
        self.r.chip.capacity()
    }
}

impl NorFlash for Flash {
    const WRITE_SIZE: usize = Chip::WRITE_SIZE;
    const ERASE_SIZE: usize = <Chip as NorFlash>::ERASE_SIZE;

    fn erase(&mut self, from: u32, to: u32) -> Result<(), Error> {
        self.expect_power()?;
        let FlashResources { chip, recorder } = &mut self.r;
        recorder.during(self.recording, || chip.erase(from, to)).map_err(Error::Chip)
    }

    // In flash: whoever writes it has to wait for it anyway.
    #[unsafe(link_section = ".text.from_flash")]
    #[inline(never)]
    fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), Error> {
        self.expect_power()?;
        self.r.chip.write(offset, bytes).map_err(Error::Chip)
    }
}
