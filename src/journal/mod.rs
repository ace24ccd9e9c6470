//! The journal: keeps saves in flash, safe against power cuts.
//!
//! The region is a ring of sectors, and each sector is divided into slots. A save is one record, written into the next
//! blank slot. At start-up, the newest save is the valid record with the highest number. Flash can only be erased in
//! whole sectors. So sectors are erased ahead of the writing, one after the other, which spreads the wear evenly (wear
//! levelling). No record can be written during an erase, which takes up to 400 ms. So the ring is large: it holds the
//! saves of an hour of play, and most sectors are erased before sleep.
//!
//! **No save is lost**, because no operation changes the newest valid record or the one before it:
//! - A power cut while a record is programmed leaves a slot with a wrong checksum (a torn write). It is skipped, and
//!   the record before it is the newest.
//! - A power cut while a sector is erased leaves undefined bytes in that sector, but it contained neither of the two
//!   records. The sector is erased again before it is used.
//!
//! **The newest record is found fast.** A sector is filled from its first slot, and further slots are used only if the
//! first record was written completely. So the newest record is in the sector whose first record has the highest
//! number. Only the first records of the sectors are read, not thousands of slots.
//!
//! **The content of flash is not trusted**, because it may be damaged or forged:
//! - Numbers may wrap around. If the highest number is near the end of the range, the numbers up to `WRAP_RANGE` are
//!   newer.
//! - A sector is foreign if its first record is valid, but its number is not within `MAX_DISTANCE` below the first
//!   number of the current sector. Later it could be mistaken for the newest sector, so it is erased before the next
//!   save.
//! - The record before the newest is given up if it would block the ring: if it is in the next sector, where the
//!   journal never puts it, or if no other sector is left.
//!
//! So there is always room for a save: at least one sector besides the current one contains neither the newest record
//! nor a record that is kept, and may be erased.
//!
//! **Records of a newer firmware are kept**, because this firmware cannot read them. The ring skips their sectors.
//! Each record links to the first record that is kept with it, and that one links to the next. A record is kept as
//! long as the newest record or the one before it links to it, so that a power cut between the last link and the next
//! save loses nothing. Nothing is copied, and a firmware without links reads the same records. But such a firmware
//! does not keep the linked records.
//!
//! The journal is written by hand, because `sequential-storage`, which is well maintained and does more, can lose an
//! item that it has acknowledged if the power fails at a certain moment (its issue 136; here, a torn erase lost its
//! records in 3 of 400 runs). Two regions of it that are kept consistent would need more code than this ring.

mod kept;
mod open;
mod record;

use embedded_storage::nor_flash::NorFlash;
use heapless::Vec;

use record::{BLANK, LINK_AT, Record, encode, number_of, payload_of};
pub use record::{MAX_LINKED_PAYLOAD, MAX_PAYLOAD, SLOT};

/// The most records that can be kept. Each has a newer version than the one that links to it.
const MAX_KEPT: usize = 3;

/// Why a record was not written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Error<E> {
    /// No blank slot is left, or the journal is damaged: call [`Journal::tidy`] first.
    Full,
    /// The payload is longer than [`MAX_PAYLOAD`], or than [`MAX_LINKED_PAYLOAD`] while records are kept.
    TooLong,
    /// The flash reports an error.
    Flash(E),
}

impl<E> From<E> for Error<E> {
    fn from(error: E) -> Self {
        Self::Flash(error)
    }
}

/// Valid records in flash that are ignored.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct IgnoredRecords {
    /// The number of foreign sectors.
    pub foreign_sectors: u32,
    /// The record before the newest is not where this journal puts it.
    pub before: bool,
    /// The number of broken links of the newest record: 0 or 1, because nothing is known of the links after a broken
    /// one.
    pub links: u32,
}

/// Records that are kept. Each is linked to by the one before it.
type Kept = Vec<Record, MAX_KEPT>;

/// The result of one call of [`Journal::tidy`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tidied {
    /// A sector was erased.
    Erased,
    /// A sector was checked, and is blank.
    AlreadyBlank,
    /// No sector is left to prepare: all sectors that can be blank are blank.
    Nothing,
}

/// The number of sectors that are searched for a blank one before the journal is full. A sector ahead that is not
/// blank was left by a power cut.
const LOOK_AHEAD: u32 = 4;

/// The journal in a region of flash. It does not own the flash, because other code uses it as well.
#[derive(Clone, Debug)]
pub struct Journal {
    start: u32,
    sectors: u32,
    sector_size: u32,
    newest: Option<Record>,
    before: Option<Record>,
    /// Whether records can be kept.
    can_keep: bool,
    /// The records that the newest record keeps.
    kept: Kept,
    /// The records that the record before the newest keeps.
    kept_before: Kept,
    /// The records that the next record will keep.
    kept_next: Kept,
    /// The number of sectors after the current one that are known to be blank.
    ready: u32,
    /// There may be a foreign sector.
    has_foreign_sector: bool,
    ignored: IgnoredRecords,
}

impl Journal {
    /// Reads a record into the beginning of `payload`, and returns its length. None if the record is not valid.
    fn read_payload<F: NorFlash>(
        &self,
        flash: &mut F,
        record: Record,
        payload: &mut [u8; MAX_PAYLOAD],
    ) -> Result<Option<usize>, F::Error> {
        let slot = self.read_slot(flash, record.slot)?;
        let Some(found) = payload_of(&slot).filter(|_| number_of(&slot) == record.number) else { return Ok(None) };
        payload[..found.len()].copy_from_slice(found);
        Ok(Some(found.len()))
    }

    fn is_valid<F: NorFlash>(&self, flash: &mut F, slot: u32) -> Result<bool, F::Error> {
        Ok(payload_of(&self.read_slot(flash, slot)?).is_some())
    }

    // Not inlined: it has many callers.
    #[inline(never)]
    fn read_slot<F: NorFlash>(&self, flash: &mut F, slot: u32) -> Result<[u8; SLOT], F::Error> {
        let mut bytes = [0; SLOT];
        flash.read(self.address(slot), &mut bytes)?;
        Ok(bytes)
    }

    /// Writes a record after the newest one.
    pub fn append<F: NorFlash>(&mut self, flash: &mut F, payload: &[u8]) -> Result<(), Error<F::Error>> {
        let first_kept = self.kept_next.first().copied();
        if payload.len() > if first_kept.is_some() { MAX_LINKED_PAYLOAD } else { MAX_PAYLOAD } {
            return Err(Error::TooLong);
        }
        if self.has_foreign_sector {
            return Err(Error::Full);
        }
        let Some(slot) = self.next_slot(flash)? else { return Err(Error::Full) };
        let number = self.newest.map_or(1, |newest| newest.number.wrapping_add(1));
        // If the write fails, the sectors ahead must be checked again.
        let ready = core::mem::take(&mut self.ready);
        if let Some(kept) = first_kept {
            // The link is written first: when the record is valid, so is its link.
            flash.write(self.address(slot) + LINK_AT as u32, &kept.link_from(number))?;
        }
        let (bytes, length) = encode(number, payload);
        flash.write(self.address(slot), &bytes[..length.next_multiple_of(F::WRITE_SIZE)])?;
        let is_in_next_sector = self.sector_of(slot) != self.current_sector();
        self.ready = if is_in_next_sector { ready.saturating_sub(1) } else { ready };
        self.before = self.newest;
        self.newest = Some(Record { number, slot });
        let was_kept = core::mem::replace(&mut self.kept_before, self.kept.clone());
        self.kept = self.kept_next.clone();
        if was_kept.iter().any(|record| !self.kept.contains(record) && !self.kept_before.contains(record)) {
            // The sector of a record that is no longer kept is in the ring again. It was skipped when the sectors
            // ahead were checked.
            self.ready = 0;
            self.has_foreign_sector = true;
        }
        Ok(())
    }

    /// Whether the next sector is known to be blank, so that many saves can be written without an erase.
    pub fn is_ready(&self) -> bool {
        self.ready > 0
    }

    /// The records that were ignored. A working journal leaves no such records in flash. They will be erased.
    pub fn ignored(&self) -> IgnoredRecords {
        self.ignored
    }

    /// Prepares one sector for saves: the first one that is not known to be blank. Foreign sectors come first. It
    /// takes at most as long as one erase.
    pub fn tidy<F: NorFlash>(&mut self, flash: &mut F) -> Result<Tidied, F::Error> {
        if self.has_foreign_sector {
            if let (_, Some(sector)) = self.foreign_sectors(flash, 1)? {
                self.erase(flash, sector)?;
                return Ok(Tidied::Erased);
            }
            self.has_foreign_sector = false;
        }
        let Some(sector) = self.sector_ahead(self.ready + 1) else { return Ok(Tidied::Nothing) };
        if self.holds_record(sector) {
            if self.next_slot(flash)?.is_some() {
                return Ok(Tidied::Nothing);
            }
            // This record is neither the newest, which is in the current sector, nor one that is kept.
            self.give_up_before();
        }
        let first = sector * self.slots_per_sector();
        let blank = self.is_blank(flash, first, self.slots_per_sector())?;
        if !blank {
            self.erase(flash, sector)?;
        }
        self.ready += 1;
        Ok(if blank { Tidied::AlreadyBlank } else { Tidied::Erased })
    }

    /// Ignores the record before the newest from now on.
    fn give_up_before(&mut self) {
        self.before = None;
        self.kept_before.clear();
        self.ignored.before = true;
    }

    fn erase<F: NorFlash>(&self, flash: &mut F, sector: u32) -> Result<(), F::Error> {
        let from = self.start + sector * self.sector_size;
        flash.erase(from, from + self.sector_size)
    }

    /// The blank slot to write next: in the current sector, else at the beginning of the next sector that is completely
    /// blank. After an interrupted operation, bits that read as blank may be unreliable. Such a sector is skipped until
    /// it is erased.
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
        for ahead in 1..=LOOK_AHEAD {
            let Some(sector) = self.sector_ahead(ahead) else { break };
            let blank = ahead <= self.ready
                || !self.holds_record(sector) && self.is_blank(flash, sector * per_sector, per_sector)?;
            if blank {
                return Ok(Some(sector * per_sector));
            }
        }
        Ok(None)
    }

    /// The current sector: the one that is being filled. Before the first save it is the last one, so that the first
    /// comes next.
    fn current_sector(&self) -> u32 {
        self.newest.map_or(self.sectors - 1, |newest| self.sector_of(newest.slot))
    }

    /// The `count`-th sector after the current one, in the order of the ring. None if the ring has fewer.
    fn sector_ahead(&self, count: u32) -> Option<u32> {
        let current = self.current_sector();
        let others = (1..self.sectors).map(|ahead| (current + ahead) % self.sectors);
        others.filter(|&sector| !self.is_kept(sector)).nth(count as usize - 1)
    }

    fn holds_record(&self, sector: u32) -> bool {
        let mut saves = [self.newest, self.before].into_iter().flatten();
        saves.any(|record| self.sector_of(record.slot) == sector) || self.is_kept(sector)
    }

    /// Whether there is a record in this sector that is kept.
    fn is_kept(&self, sector: u32) -> bool {
        let mut kept = self.kept.iter().chain(&self.kept_before).chain(&self.kept_next);
        kept.any(|record| self.sector_of(record.slot) == sector)
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

    fn sector_of(&self, slot: u32) -> u32 {
        slot / self.slots_per_sector()
    }

    fn slots_per_sector(&self) -> u32 {
        self.sector_size / SLOT as u32
    }

    fn address(&self, slot: u32) -> u32 {
        self.start + slot * SLOT as u32
    }
}
