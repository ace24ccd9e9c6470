//! A flash chip that refuses what real ones refuse, and whose battery can be pulled in the middle of anything.

use embedded_storage::nor_flash::{ErrorType, NorFlash, NorFlashError, NorFlashErrorKind, ReadNorFlash};
use rand_core::Rng;
use rand_pcg::Pcg32;

/// Bytes that are erased together.
pub const SECTOR: usize = 4096;

/// Why an operation did not happen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// The operation reaches beyond the flash, or is not aligned.
    OutOfBounds,
    /// A bit that is 0 was to become 1: only an erase can do that.
    NotBlank,
    /// The power is off.
    Dead,
}

impl NorFlashError for Refusal {
    fn kind(&self) -> NorFlashErrorKind {
        match self {
            Self::OutOfBounds => NorFlashErrorKind::OutOfBounds,
            Self::NotBlank | Self::Dead => NorFlashErrorKind::Other,
        }
    }
}

/// Where the power goes.
#[derive(Clone, Copy, Debug)]
pub struct Cut {
    /// How many operations finish before the one that is cut.
    pub after: u32,
    /// How far that one gets: bytes of a program, tenths of an erase.
    pub progress: usize,
    /// What the torn part looks like.
    pub seed: u64,
}

/// The flash chip.
#[derive(Clone, Debug)]
pub struct MockFlash {
    /// Its contents.
    pub bytes: Vec<u8>,
    /// How often each sector was erased.
    pub erases: Vec<u32>,
    /// How many operations were begun since the power came on.
    pub operations: u32,
    /// What the last operation could have been cut into.
    pub last_cuts: usize,
    /// Where the power goes, if it does.
    pub cut: Option<Cut>,
    /// The power is off.
    pub dead: bool,
}

impl MockFlash {
    /// A blank chip of so many sectors.
    pub fn new(sectors: usize) -> Self {
        Self {
            bytes: vec![0xFF; sectors * SECTOR],
            erases: vec![0; sectors],
            operations: 0,
            last_cuts: 0,
            cut: None,
            dead: false,
        }
    }

    /// The same chip with the power back.
    pub fn revived(&self) -> Self {
        Self { cut: None, dead: false, operations: 0, ..self.clone() }
    }

    /// Its size in bytes.
    pub fn size(&self) -> u32 {
        self.bytes.len() as u32
    }

    /// The cut that falls into the operation that begins now, if one does.
    fn begin(&mut self, cuts: usize) -> Result<Option<Cut>, Refusal> {
        if self.dead {
            return Err(Refusal::Dead);
        }
        let cut = self.cut.filter(|cut| cut.after == self.operations);
        self.operations += 1;
        self.last_cuts = cuts;
        self.dead = cut.is_some();
        Ok(cut)
    }
}

impl ErrorType for MockFlash {
    type Error = Refusal;
}

impl ReadNorFlash for MockFlash {
    const READ_SIZE: usize = 1;

    fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), Refusal> {
        let offset = offset as usize;
        let from = self.bytes.get(offset..offset + bytes.len()).ok_or(Refusal::OutOfBounds)?;
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

    fn erase(&mut self, from: u32, to: u32) -> Result<(), Refusal> {
        let (from, to) = (from as usize, to as usize);
        if !from.is_multiple_of(SECTOR) || to != from + SECTOR || to > self.bytes.len() {
            return Err(Refusal::OutOfBounds);
        }
        let cut = self.begin(11)?;
        self.erases[from / SECTOR] += 1;
        let Some(Cut { progress, seed, .. }) = cut else {
            self.bytes[from..to].fill(0xFF);
            return Ok(());
        };
        // The farther it got, the more bits are set; which ones, nobody knows.
        let mut rng = Pcg32::new(seed, 1);
        for byte in &mut self.bytes[from..to] {
            for bit in 0..8 {
                if rng.next_u32() % 10 < progress as u32 {
                    *byte |= 1 << bit;
                }
            }
        }
        Err(Refusal::Dead)
    }

    fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), Refusal> {
        let offset = offset as usize;
        let old = self.bytes.get(offset..offset + bytes.len()).ok_or(Refusal::OutOfBounds)?;
        if old.iter().zip(bytes).any(|(old, new)| old & new != *new) {
            return Err(Refusal::NotBlank);
        }
        let cut = self.begin(bytes.len() + 1)?;
        let whole = cut.map_or(bytes.len(), |cut| cut.progress.min(bytes.len()));
        self.bytes[offset..offset + whole].copy_from_slice(&bytes[..whole]);
        let Some(cut) = cut else { return Ok(()) };
        // One byte is torn: some of its bits have been cleared.
        if let Some(&torn) = bytes.get(whole) {
            self.bytes[offset + whole] &= torn | Pcg32::new(cut.seed, 2).next_u32() as u8;
        }
        Err(Refusal::Dead)
    }
}
