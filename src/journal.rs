//! Keeps the newest save in flash, whatever the battery does.
//!
//! The region is a ring of sectors, each cut into slots. A save is one record, written into the next blank slot; it is
//! found again as the whole one with the highest number. Flash can only be cleared a sector at a time, so sectors are
//! erased ahead of the writing, one after the other, which spreads the wear evenly.
//!
//! Why nothing is lost: no operation touches the newest whole record or the one before it.
//! - A cut while a record is programmed leaves a slot whose checksum is wrong. It is passed over; the record before it
//!   counts.
//! - A cut while a sector is erased leaves anything in that sector, but it held neither of the two. It is erased again
//!   before it is used.
//!
//! `sequential-storage` does more than this and is well kept, but a torn erase can cost it its records (3 of 400 tries), and
//! keeping two of its regions in step is more code than the ring.

use crc::{CRC_32_ISO_HDLC, Crc};
use embedded_storage::nor_flash::NorFlash;

/// One record, with its header, fits into this.
pub const SLOT: usize = 512;
/// The longest thing that can be saved.
pub const MAX_PAYLOAD: usize = SLOT - HEADER;

/// Number, length, checksum over both and the payload.
const HEADER: usize = 4 + 4 + 4;
/// Flash that was erased and not written since.
const BLANK: u8 = 0xFF;

const CHECKSUM: Crc<u32> = Crc::<u32>::new(&CRC_32_ISO_HDLC);

/// Why a record was not written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Error<E> {
    /// Every blank slot is used up: [`Journal::tidy`] has to be called first.
    Full,
    /// It is longer than [`MAX_PAYLOAD`].
    TooLong,
    /// The flash says no.
    Flash(E),
}

impl<E> From<E> for Error<E> {
    fn from(error: E) -> Self {
        Self::Flash(error)
    }
}

/// A record that is in flash.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Record {
    /// Counts up with every save.
    number: u32,
    slot: u32,
}

/// The journal in a region of flash. It does not own the flash, because others use it too.
#[derive(Clone, Debug)]
pub struct Journal {
    start: u32,
    sectors: u32,
    sector_size: u32,
    newest: Option<Record>,
    before: Option<Record>,
    /// There may be a sector to erase.
    untidy: bool,
}

impl Journal {
    /// Finds the newest save in the region from `start` to `end`, both at the border of a sector, at least three sectors
    /// apart. Its payload goes to the beginning of `payload`, and its length comes back, if there is one.
    pub fn open<F: NorFlash>(
        flash: &mut F,
        start: u32,
        end: u32,
        payload: &mut [u8; MAX_PAYLOAD],
    ) -> Result<(Self, Option<usize>), F::Error> {
        let sector_size = F::ERASE_SIZE as u32;
        let mut journal =
            Self { start, sectors: (end - start) / sector_size, sector_size, newest: None, before: None, untidy: true };
        let mut slot_bytes = [0; SLOT];
        for slot in 0..journal.slots() {
            flash.read(journal.address(slot), &mut slot_bytes[..HEADER])?;
            let number = number_of(&slot_bytes);
            // Only what could be among the newest two is read and checked whole.
            if slot_bytes[..HEADER].iter().all(|&byte| byte == BLANK)
                || journal.before.is_some_and(|before| number <= before.number)
            {
                continue;
            }
            flash.read(journal.address(slot), &mut slot_bytes)?;
            if payload_of(&slot_bytes).is_none() {
                continue;
            }
            let record = Some(Record { number, slot });
            if journal.newest.is_none_or(|newest| newest.number < number) {
                journal.before = journal.newest;
                journal.newest = record;
            } else {
                journal.before = record;
            }
        }
        let Some(newest) = journal.newest else { return Ok((journal, None)) };
        flash.read(journal.address(newest.slot), &mut slot_bytes)?;
        let found = payload_of(&slot_bytes).unwrap_or(&[]);
        payload[..found.len()].copy_from_slice(found);
        Ok((journal, Some(found.len())))
    }

    /// Writes a record behind the newest one.
    pub fn append<F: NorFlash>(&mut self, flash: &mut F, payload: &[u8]) -> Result<(), Error<F::Error>> {
        if payload.len() > MAX_PAYLOAD {
            return Err(Error::TooLong);
        }
        let Some(slot) = self.next_slot(flash)? else { return Err(Error::Full) };
        let number = self.newest.map_or(1, |newest| newest.number.wrapping_add(1));
        let mut bytes = [BLANK; SLOT];
        bytes[..4].copy_from_slice(&number.to_le_bytes());
        bytes[4..8].copy_from_slice(&(payload.len() as u32).to_le_bytes());
        bytes[HEADER..][..payload.len()].copy_from_slice(payload);
        let checksum = checksum(&bytes, payload.len());
        bytes[8..HEADER].copy_from_slice(&checksum.to_le_bytes());
        let length = (HEADER + payload.len()).next_multiple_of(F::WRITE_SIZE);
        flash.write(self.address(slot), &bytes[..length])?;
        // The second record of a sector sets the sector before it free.
        self.untidy |= self.newest.is_some_and(|newest| newest.slot % self.slots_per_sector() == 0);
        self.before = self.newest;
        self.newest = Some(Record { number, slot });
        Ok(())
    }

    /// Whether [`tidy`](Self::tidy) may find something to do.
    pub fn is_untidy(&self) -> bool {
        self.untidy
    }

    /// Erases one sector that is needed next and is not blank; tells whether there was one. All but those of the newest two
    /// records are made ready, so that many saves can follow without an erase in between.
    pub fn tidy<F: NorFlash>(&mut self, flash: &mut F) -> Result<bool, F::Error> {
        for ahead in 1..=self.sectors {
            let sector = (self.current_sector() + ahead) % self.sectors;
            if self.holds_a_save(sector)
                || self.is_blank(flash, sector * self.slots_per_sector(), self.slots_per_sector())?
            {
                continue;
            }
            let from = self.start + sector * self.sector_size;
            flash.erase(from, from + self.sector_size)?;
            return Ok(true);
        }
        self.untidy = false;
        Ok(false)
    }

    /// The blank slot to write next: in the sector of the newest record, else at the beginning of the next sector that is
    /// blank all over. Where an operation was cut short, cells that look blank may not be; such a sector is passed over
    /// until it has been erased.
    fn next_slot<F: NorFlash>(&self, flash: &mut F) -> Result<Option<u32>, F::Error> {
        let per_sector = self.slots_per_sector();
        if let Some(newest) = self.newest {
            let end = (newest.slot / per_sector + 1) * per_sector;
            for slot in newest.slot + 1..end {
                if self.is_blank(flash, slot, 1)? {
                    return Ok(Some(slot));
                }
            }
        }
        for ahead in 1..=self.sectors {
            let sector = (self.current_sector() + ahead) % self.sectors;
            if !self.holds_a_save(sector) && self.is_blank(flash, sector * per_sector, per_sector)? {
                return Ok(Some(sector * per_sector));
            }
        }
        Ok(None)
    }

    /// The sector that is being filled; the last one when nothing was saved yet, so that the first comes next.
    fn current_sector(&self) -> u32 {
        self.newest.map_or(self.sectors - 1, |newest| newest.slot / self.slots_per_sector())
    }

    fn holds_a_save(&self, sector: u32) -> bool {
        [self.newest, self.before].into_iter().flatten().any(|record| record.slot / self.slots_per_sector() == sector)
    }

    fn is_blank<F: NorFlash>(&self, flash: &mut F, first: u32, count: u32) -> Result<bool, F::Error> {
        let mut bytes = [0; SLOT];
        for slot in first..first + count {
            flash.read(self.address(slot), &mut bytes)?;
            if bytes.iter().any(|&byte| byte != BLANK) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn slots_per_sector(&self) -> u32 {
        self.sector_size / SLOT as u32
    }

    fn slots(&self) -> u32 {
        self.sectors * self.slots_per_sector()
    }

    fn address(&self, slot: u32) -> u32 {
        self.start + slot * SLOT as u32
    }
}

fn number_of(slot: &[u8; SLOT]) -> u32 {
    u32::from_le_bytes([slot[0], slot[1], slot[2], slot[3]])
}

/// The payload of a slot, if what is in it is whole.
fn payload_of(slot: &[u8; SLOT]) -> Option<&[u8]> {
    let length = u32::from_le_bytes([slot[4], slot[5], slot[6], slot[7]]) as usize;
    let payload = slot.get(HEADER..HEADER.checked_add(length)?)?;
    (checksum(slot, length).to_le_bytes() == slot[8..HEADER]).then_some(payload)
}

fn checksum(slot: &[u8; SLOT], length: usize) -> u32 {
    let mut digest = CHECKSUM.digest();
    digest.update(&slot[..8]);
    digest.update(&slot[HEADER..][..length]);
    digest.finalize()
}
