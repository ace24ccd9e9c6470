//! A mock flash chip with the restrictions of a real one, and with power cuts in the middle of operations.

use embedded_storage::nor_flash::{ErrorType, NorFlash, NorFlashError, NorFlashErrorKind, ReadNorFlash};
use rand_core::Rng;
use rand_pcg::Pcg32;

/// Bytes of a sector, the unit of an erase.
pub const SECTOR: usize = 4096;

/// Why an operation failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MockFlashError {
    /// The operation reaches beyond the flash, or is not aligned.
    OutOfBounds,
    /// The operation would change a bit from 0 to 1, which only an erase can do.
    NotBlank,
    /// The power is off.
    PoweredOff,
}

impl NorFlashError for MockFlashError {
    fn kind(&self) -> NorFlashErrorKind {
        match self {
            Self::OutOfBounds => NorFlashErrorKind::OutOfBounds,
            Self::NotBlank | Self::PoweredOff => NorFlashErrorKind::Other,
        }
    }
}

/// The moment of a power cut.
#[derive(Clone, Copy, Debug)]
pub struct Cut {
    /// The number of operations that finish before the one that is cut.
    pub after: u32,
    /// The progress of the operation that is cut: bytes of a program operation, tenths of an erase.
    pub progress: usize,
    /// The seed of the random content of the torn part.
    pub seed: u64,
}

/// A mock flash chip.
#[derive(Clone, Debug)]
pub struct MockFlash {
    /// The content.
    pub bytes: Vec<u8>,
    /// The number of erases of each sector.
    pub erases: Vec<u32>,
    /// The number of operations begun since power-on.
    pub operations: u32,
    /// The number of values of [`Cut::progress`] that differ for the last operation.
    pub last_cuts: usize,
    /// The next power cut, if any.
    pub cut: Option<Cut>,
    /// Whether the power is off.
    pub is_off: bool,
}

impl MockFlash {
    /// A blank chip with this number of sectors.
    pub fn new(sectors: usize) -> Self {
        Self {
            bytes: vec![0xFF; sectors * SECTOR],
            erases: vec![0; sectors],
            operations: 0,
            last_cuts: 0,
            cut: None,
            is_off: false,
        }
    }

    /// A copy of the chip after power-on.
    pub fn with_power_restored(&self) -> Self {
        Self { cut: None, is_off: false, operations: 0, ..self.clone() }
    }

    /// The size in bytes.
    pub fn size(&self) -> u32 {
        self.bytes.len() as u32
    }

    /// Begins an operation. Returns the power cut during this operation, if any.
    fn begin(&mut self, cuts: usize) -> Result<Option<Cut>, MockFlashError> {
        if self.is_off {
            return Err(MockFlashError::PoweredOff);
        }
        let cut = self.cut.filter(|cut| cut.after == self.operations);
        self.operations += 1;
        self.last_cuts = cuts;
        self.is_off = cut.is_some();
        Ok(cut)
    }
}

impl ErrorType for MockFlash {
    type Error = MockFlashError;
}

impl ReadNorFlash for MockFlash {
    const READ_SIZE: usize = 1;

    fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), MockFlashError> {
        let offset = offset as usize;
        let from = self.bytes.get(offset..offset + bytes.len()).ok_or(MockFlashError::OutOfBounds)?;
        bytes.copy_from_slice(from);
        Ok(())
    }

    fn capacity(&self) -> usize {
        self.bytes.len()
    }
}

impl NorFlash for MockFlash {
    const WRITE_SIZE: usize = 1;
    const ERASE_SIZE: usize = SECTOR;

    fn erase(&mut self, from: u32, to: u32) -> Result<(), MockFlashError> {
        let (from, to) = (from as usize, to as usize);
        if !from.is_multiple_of(SECTOR) || to != from + SECTOR || to > self.bytes.len() {
            return Err(MockFlashError::OutOfBounds);
        }
        let cut = self.begin(11)?;
        self.erases[from / SECTOR] += 1;
        let Some(Cut { progress, seed, .. }) = cut else {
            self.bytes[from..to].fill(0xFF);
            return Ok(());
        };
        // The number of set bits grows with the progress of the erase. The choice of the bits is random.
        let mut rng = Pcg32::new(seed, 1);
        for byte in &mut self.bytes[from..to] {
            for bit in 0..8 {
                if rng.next_u32() % 10 < progress as u32 {
                    *byte |= 1 << bit;
                }
            }
        }
        Err(MockFlashError::PoweredOff)
    }

    fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), MockFlashError> {
        let offset = offset as usize;
        let old = self.bytes.get(offset..offset + bytes.len()).ok_or(MockFlashError::OutOfBounds)?;
        if old.iter().zip(bytes).any(|(old, new)| old & new != *new) {
            return Err(MockFlashError::NotBlank);
        }
        let cut = self.begin(bytes.len() + 1)?;
        let whole = cut.map_or(bytes.len(), |cut| cut.progress.min(bytes.len()));
        self.bytes[offset..offset + whole].copy_from_slice(&bytes[..whole]);
        let Some(cut) = cut else { return Ok(()) };
        // One byte is torn: a random part of its bits has been cleared.
        if let Some(&torn) = bytes.get(whole) {
            self.bytes[offset + whole] &= torn | Pcg32::new(cut.seed, 2).next_u32() as u8;
        }
        Err(MockFlashError::PoweredOff)
    }
}
