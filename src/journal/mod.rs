//! Keeps the newest save in flash, whatever the battery does.
//!
//! The region is a ring of sectors, each cut into slots. A save is one record, written into the next blank slot; it is
//! found again as the whole one with the highest number. Flash can only be cleared a sector at a time, so sectors are
//! erased ahead of the writing, one after the other, which spreads the wear evenly. While a sector is erased nothing else
//! runs, so the ring is large: an hour of play fits into it, and erasing waits for sleep.
//!
//! Why nothing is lost: no operation touches the newest whole record or the one before it.
//! - A cut while a record is programmed leaves a slot whose checksum is wrong. It is passed over; the record before it
//!   counts.
//! - A cut while a sector is erased leaves anything in that sector, but it held neither of the two. It is erased again
//!   before it is used.
//!
//! Why it is found fast: a sector is filled from its first slot on, and only if that was written whole. So the newest record
//! lies in the sector whose first record has the highest number, and only the first records are looked at, not thousands.
//!
//! Nothing that is in flash is trusted, because it may be damaged or made up:
//! - Numbers may wrap around: behind the highest there is, the low ones are the newer, up to `WRAPPED`.
//! - A sector is none of this journal's if its first record is whole and its number is not within `NEAR` behind the
//!   first number of the sector that is being filled. It could be taken for the newest one day, so it is erased before
//!   anything is saved.
//! - The record before the newest is given up where it would be in the way for ever: if it is found in the next sector, where
//!   the journal never puts it, or if there is no room but there.
//!
//! So a save always finds room: behind the sector that is being filled there is another one that holds neither the newest
//! record nor one that is kept, and that one may be erased.
//!
//! Records can be kept: those of a newer firmware, which this one cannot read. The ring leaves out their sectors. Each
//! record links to the first that is kept with it, and that one to the next. A record is kept as long as the newest or the one
//! before links to it, so that no power cut can come between the last link and the save that takes its place. Nothing is
//! copied, and a firmware without links reads the same records. But it does not keep what they link to.
//!
//! By hand, because `sequential-storage`, which does more than this and is well kept, can lose an item that it has
//! acknowledged when the power fails at the wrong moment (its issue 136; a torn erase cost it its records in 3 of 400 tries here), and
//! keeping two of its regions in step is more code than the ring.

mod kept;
mod open;
mod record;

use embedded_storage::nor_flash::NorFlash;
use heapless::Vec;

use record::{BLANK, LINK_AT, Record, encode, number_of, payload_of};
pub use record::{MAX_LINKED_PAYLOAD, MAX_PAYLOAD, SLOT};

/// How many records can be kept. Each is of a newer version than the one that links to it.
pub const MAX_KEPT: usize = 3;

/// Why a record was not written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Error<E> {
    /// Every blank slot is used up, or the journal is damaged: [`Journal::tidy`] has to be called first.
    Full,
    /// It is longer than [`MAX_PAYLOAD`], or than [`MAX_LINKED_PAYLOAD`] while something is kept.
    TooLong,
    /// The flash says no.
    Flash(E),
}

impl<E> From<E> for Error<E> {
    fn from(error: E) -> Self {
        Self::Flash(error)
    }
}

/// What is in flash, whole, and does not count.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct GivenUp {
    /// How many sectors begin with a record that is none of this journal's.
    pub foreign_sectors: u32,
    /// The save before the newest is not where this journal puts it.
    pub before: bool,
    /// How many links of the newest save lead to nothing that can be kept: those behind the first of them are not known.
    pub links: u32,
}

/// Records that are kept, each linked to by the one before it.
type Kept = Vec<Record, MAX_KEPT>;

/// What a step of tidying did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tidied {
    /// A sector was erased.
    Erased,
    /// A sector was looked at, and is blank.
    Looked,
    /// Every sector is blank but those of the newest two records.
    Nothing,
}

/// How many sectors are looked at for a blank one before the journal is called full. One that is not blank though it should be
/// is what a power cut leaves behind.
const LOOK_AHEAD: u32 = 4;

/// The journal in a region of flash. It does not own the flash, because others use it too.
#[derive(Clone, Debug)]
pub struct Journal {
    start: u32,
    sectors: u32,
    sector_size: u32,
    newest: Option<Record>,
    before: Option<Record>,
    /// Whether records can be kept; what the newest one keeps, what the one before it keeps, and what the next one will.
    can_keep: bool,
    kept: Kept,
    kept_before: Kept,
    kept_next: Kept,
    /// How many sectors behind the one that is being filled are known to be blank.
    ready: u32,
    /// There may be a record that is none of this journal's.
    has_stranger: bool,
    given_up: GivenUp,
}

impl Journal {
    /// Reads a record, if it is whole: its payload goes to the beginning of `payload`.
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

    fn is_whole<F: NorFlash>(&self, flash: &mut F, slot: u32) -> Result<bool, F::Error> {
        Ok(payload_of(&self.read_slot(flash, slot)?).is_some())
    }

    // Never inlined: it is called from many places.
    #[inline(never)]
    fn read_slot<F: NorFlash>(&self, flash: &mut F, slot: u32) -> Result<[u8; SLOT], F::Error> {
        let mut bytes = [0; SLOT];
        flash.read(self.address(slot), &mut bytes)?;
        Ok(bytes)
    }

    /// Writes a record behind the newest one.
    pub fn append<F: NorFlash>(&mut self, flash: &mut F, payload: &[u8]) -> Result<(), Error<F::Error>> {
        let first_kept = self.kept_next.first().copied();
        if payload.len() > if first_kept.is_some() { MAX_LINKED_PAYLOAD } else { MAX_PAYLOAD } {
            return Err(Error::TooLong);
        }
        if self.has_stranger {
            return Err(Error::Full);
        }
        let Some(slot) = self.next_slot(flash)? else { return Err(Error::Full) };
        let number = self.newest.map_or(1, |newest| newest.number.wrapping_add(1));
        // If the flash refuses the record, what is ahead has to be looked at again.
        let ready = core::mem::take(&mut self.ready);
        if let Some(kept) = first_kept {
            // Before the record: once that is whole, the link is too.
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
            // Its sector is one of the ring again, and was left out when those ahead were made ready.
            self.ready = 0;
            self.has_stranger = true;
        }
        Ok(())
    }

    /// Whether the next sector is known to be blank, so that many saves can follow without an erase in between.
    pub fn is_ready(&self) -> bool {
        self.ready > 0
    }

    /// What was found in flash that no journal leaves there. It is erased sooner or later.
    pub fn given_up(&self) -> GivenUp {
        self.given_up
    }

    /// Makes one more sector ready, the first that is not known to be: a step that takes at most as long as an erase.
    /// What is none of this journal's goes first.
    pub fn tidy<F: NorFlash>(&mut self, flash: &mut F) -> Result<Tidied, F::Error> {
        if self.has_stranger {
            if let (_, Some(sector)) = self.strangers(flash, 1)? {
                self.erase(flash, sector)?;
                return Ok(Tidied::Erased);
            }
            self.has_stranger = false;
        }
        let Some(sector) = self.sector_ahead(self.ready + 1) else { return Ok(Tidied::Nothing) };
        if self.holds_a_save(sector) {
            if self.next_slot(flash)?.is_some() {
                return Ok(Tidied::Nothing);
            }
            // It cannot be the newest, which is in the sector that is being filled, nor one that is kept.
            self.give_up_before();
        }
        let first = sector * self.slots_per_sector();
        let blank = self.is_blank(flash, first, self.slots_per_sector())?;
        if !blank {
            self.erase(flash, sector)?;
        }
        self.ready += 1;
        Ok(if blank { Tidied::Looked } else { Tidied::Erased })
    }

    /// The save before the newest does not count any more.
    fn give_up_before(&mut self) {
        self.before = None;
        self.kept_before.clear();
        self.given_up.before = true;
    }

    fn erase<F: NorFlash>(&self, flash: &mut F, sector: u32) -> Result<(), F::Error> {
        let from = self.start + sector * self.sector_size;
        flash.erase(from, from + self.sector_size)
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
        for ahead in 1..=LOOK_AHEAD {
            let Some(sector) = self.sector_ahead(ahead) else { break };
            let blank = ahead <= self.ready
                || !self.holds_a_save(sector) && self.is_blank(flash, sector * per_sector, per_sector)?;
            if blank {
                return Ok(Some(sector * per_sector));
            }
        }
        Ok(None)
    }

    /// The sector that is being filled; the last one when nothing was saved yet, so that the first comes next.
    fn current_sector(&self) -> u32 {
        self.newest.map_or(self.sectors - 1, |newest| self.sector_of(newest.slot))
    }

    /// The sector that is filled as the `count`-th from now, in the order of the ring. None when the ring has no more.
    fn sector_ahead(&self, count: u32) -> Option<u32> {
        let current = self.current_sector();
        let others = (1..self.sectors).map(|ahead| (current + ahead) % self.sectors);
        others.filter(|&sector| !self.is_kept(sector)).nth(count as usize - 1)
    }

    fn holds_a_save(&self, sector: u32) -> bool {
        let mut saves = [self.newest, self.before].into_iter().flatten();
        saves.any(|record| self.sector_of(record.slot) == sector) || self.is_kept(sector)
    }

    /// Whether there is a record in this sector that the ring leaves out.
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
