//! The only access to the flash chip after start-up, for one task in thread mode.
//!
//! Erasing and programming is done by the boot ROM's functions **with interrupts on**. embassy-rp's driver would mask them, for
//! 0.6 ms a page and up to 400 ms a sector. Masking is for programs in flash: an interrupt would fetch instructions from a chip
//! that is busy. Here all code, constants and vectors are in RAM, so keys, game and lights go on.
//!
//! No operation begins while the battery is too low for it: a brown-out in the middle would leave it half done.

use embassy_rp::flash::{self, ERASE_SIZE, PAGE_SIZE};
use embassy_rp::rom_data;
use embedded_storage::nor_flash::{
    ErrorType, NorFlash, NorFlashError, NorFlashErrorKind, ReadNorFlash, check_erase, check_write,
};

use super::battery::Meter;
use super::board::FlashReader;
use super::chip;

/// Why an operation was not done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, defmt::Format)]
pub enum Error {
    /// The place is not in the flash, or not at the beginning of a sector.
    Place(flash::Error),
    /// The battery is too low. Nothing was begun.
    BatteryTooLow,
}

impl NorFlashError for Error {
    fn kind(&self) -> NorFlashErrorKind {
        match self {
            Self::Place(error) => error.kind(),
            Self::BatteryTooLow => NorFlashErrorKind::Other,
        }
    }
}

impl From<NorFlashErrorKind> for Error {
    fn from(kind: NorFlashErrorKind) -> Self {
        Self::Place(kind.into())
    }
}

/// The flash.
pub struct Flash {
    reader: FlashReader,
    meter: &'static Meter,
    /// Code that makes the flash readable again after an operation.
    enter_xip: [u32; chip::XIP_SETUP_WORDS],
}

impl Flash {
    pub fn new(reader: FlashReader, meter: &'static Meter) -> Self {
        Self { reader, meter, enter_xip: chip::xip_setup() }
    }

    /// Reads the battery now, with the present load: it may differ from a minute ago.
    fn expect_power(&self) -> Result<(), Error> {
        if self.meter.read().is_writable() { Ok(()) } else { Err(Error::BatteryTooLow) }
    }

    /// Lets the boot ROM do one operation.
    fn operate(&mut self, operation: Operation<'_>) {
        // SAFETY: nothing but this task reads flash, and it waits here; what runs in interrupts is in RAM. The range was checked. The
        // functions are looked up in ROM. The last one was copied to RAM; bit 0 of its address means Thumb code.
        unsafe {
            let enter_xip: extern "C" fn() = core::mem::transmute(self.enter_xip.as_ptr().byte_add(1));
            rom_data::connect_internal_flash::ptr()();
            rom_data::flash_exit_xip::ptr()();
            match operation {
                Operation::EraseSector(offset) => {
                    rom_data::flash_range_erase::ptr()(offset, ERASE_SIZE, NO_BLOCKS, 0);
                }
                Operation::ProgramPage(offset, page) => {
                    rom_data::flash_range_program::ptr()(offset, page.as_ptr(), PAGE_SIZE);
                }
            }
            rom_data::flash_flush_cache::ptr()();
            enter_xip();
        }
    }
}

/// Larger than any range: the boot ROM erases by sectors, never by blocks.
const NO_BLOCKS: u32 = 1 << 31;

/// What the flash chip does at a time.
enum Operation<'a> {
    EraseSector(u32),
    ProgramPage(u32, &'a [u8; PAGE_SIZE]),
}

impl ErrorType for Flash {
    type Error = Error;
}

impl ReadNorFlash for Flash {
    const READ_SIZE: usize = FlashReader::READ_SIZE;

    fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), Error> {
        self.reader.read(offset, bytes).map_err(Error::Place)
    }

    fn capacity(&self) -> usize {
        self.reader.capacity()
    }
}

impl NorFlash for Flash {
    const WRITE_SIZE: usize = 1;
    const ERASE_SIZE: usize = ERASE_SIZE;

    fn erase(&mut self, from: u32, to: u32) -> Result<(), Error> {
        check_erase(self, from, to)?;
        for sector in (from..to).step_by(ERASE_SIZE) {
            self.expect_power()?;
            self.operate(Operation::EraseSector(sector));
        }
        Ok(())
    }

    fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), Error> {
        check_write(self, offset, bytes.len())?;
        let (mut offset, mut rest) = (offset as usize, bytes);
        while !rest.is_empty() {
            self.expect_power()?;
            let start = offset % PAGE_SIZE;
            let (now, later) = rest.split_at(rest.len().min(PAGE_SIZE - start));
            // Programming a one leaves a bit as it is.
            let mut page = [0xFF; PAGE_SIZE];
            page[start..start + now.len()].copy_from_slice(now);
            self.operate(Operation::ProgramPage((offset - start) as u32, &page));
            offset += now.len();
            rest = later;
        }
        Ok(())
    }
}
