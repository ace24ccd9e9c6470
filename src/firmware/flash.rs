//! The flash driver. After start-up this is the only access to the flash chip, from one task in thread mode.
//!
//! The boot ROM's functions erase and program **with interrupts enabled**. embassy-rp's driver disables them, for 0.6
//! ms per page and up to 400 ms per sector. That is necessary for programs in flash: an interrupt handler would fetch
//! its instructions from a busy chip. Here all code, constants and vectors are in RAM, so keys, game and LEDs keep
//! running.
//!
//! No operation starts while the battery is too low: a brown-out would interrupt the operation.

use embassy_rp::flash::{self, ERASE_SIZE, PAGE_SIZE};
use embassy_rp::rom_data;
use embedded_storage::nor_flash::{
    ErrorType, NorFlash, NorFlashError, NorFlashErrorKind, ReadNorFlash, check_erase, check_write,
};

use super::battery::Meter;
use super::board::FlashReader;
use super::chip;

/// The reason why an operation was refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug, defmt::Format)]
pub(crate) enum FlashError {
    /// The range is outside the flash, or does not start at a sector.
    Range(flash::Error),
    /// The battery is too low. The operation was not started.
    BatteryTooLow,
}

impl NorFlashError for FlashError {
    fn kind(&self) -> NorFlashErrorKind {
        match self {
            Self::Range(error) => error.kind(),
            Self::BatteryTooLow => NorFlashErrorKind::Other,
        }
    }
}

impl From<NorFlashErrorKind> for FlashError {
    fn from(kind: NorFlashErrorKind) -> Self {
        Self::Range(kind.into())
    }
}

/// The flash chip.
pub(crate) struct Flash {
    reader: FlashReader,
    meter: &'static Meter,
    /// Code that makes the flash readable (execute in place) after an operation.
    enter_xip: [u32; chip::XIP_SETUP_WORDS],
}

impl Flash {
    pub(crate) fn new(reader: FlashReader, meter: &'static Meter) -> Self {
        Self { reader, meter, enter_xip: chip::xip_setup() }
    }

    /// Measures the battery under the present load: the voltage may have dropped since the last measurement.
    fn check_battery(&self) -> Result<(), FlashError> {
        if self.meter.read().is_writable() { Ok(()) } else { Err(FlashError::BatteryTooLow) }
    }

    /// Runs one operation of the boot ROM.
    fn run(&mut self, operation: Operation<'_>) {
        // SAFETY: only this task reads flash, and it waits here. Interrupt handlers run from RAM. The range was
        // checked. The functions are looked up in the boot ROM. `enter_xip` is a copy in RAM; bit 0 of its address
        // selects Thumb code.
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

/// A block size larger than any range, so that the boot ROM erases sectors and never blocks.
const NO_BLOCKS: u32 = 1 << 31;

/// An operation of the flash chip.
enum Operation<'a> {
    EraseSector(u32),
    ProgramPage(u32, &'a [u8; PAGE_SIZE]),
}

impl ErrorType for Flash {
    type Error = FlashError;
}

impl ReadNorFlash for Flash {
    const READ_SIZE: usize = FlashReader::READ_SIZE;

    fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), FlashError> {
        self.reader.read(offset, bytes).map_err(FlashError::Range)
    }

    fn capacity(&self) -> usize {
        self.reader.capacity()
    }
}

impl NorFlash for Flash {
    const WRITE_SIZE: usize = 1;
    const ERASE_SIZE: usize = ERASE_SIZE;

    fn erase(&mut self, from: u32, to: u32) -> Result<(), FlashError> {
        check_erase(self, from, to)?;
        for sector in (from..to).step_by(ERASE_SIZE) {
            self.check_battery()?;
            self.run(Operation::EraseSector(sector));
        }
        Ok(())
    }

    fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), FlashError> {
        check_write(self, offset, bytes.len())?;
        let (mut offset, mut rest) = (offset as usize, bytes);
        while !rest.is_empty() {
            self.check_battery()?;
            let start = offset % PAGE_SIZE;
            let (part, remaining) = rest.split_at(rest.len().min(PAGE_SIZE - start));
            // A bit that is programmed with 1 does not change.
            let mut page = [0xFF; PAGE_SIZE];
            page[start..start + part.len()].copy_from_slice(part);
            self.run(Operation::ProgramPage((offset - start) as u32, &page));
            offset += part.len();
            rest = remaining;
        }
        Ok(())
    }
}
