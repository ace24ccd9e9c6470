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
//! - A whole record whose number is not within `NEAR` behind the newest is none of this journal's. It could be taken
//!   for the newest one day, so its sector is erased before anything is saved.
//! - The record before the newest is given up if it is in the next sector, where the journal never puts it: it would be
//!   in the way for ever.
//!
//! By hand, because `sequential-storage`, which does more than this and is well kept, can lose an item that it has
//! acknowledged when the power fails at the wrong moment (its issue 136; a torn erase cost it its records in 3 of 400 tries here), and
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

/// Records of one journal have numbers that are less than this apart: the ring is erased many times in so many saves.
const NEAR: u32 = 1 << 15;
/// Numbers below this may have wrapped around: twice as many, so that the last record from before that is long erased.
const WRAPPED: u32 = 2 * NEAR;

const CHECKSUM: Crc<u32> = Crc::<u32>::new(&CRC_32_ISO_HDLC);

/// Why a record was not written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Error<E> {
    /// Every blank slot is used up, or the journal is damaged: [`Journal::tidy`] has to be called first.
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

/// A record that is in flash. Ordered by number, then by place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Record {
    /// Counts up with every save.
    number: u32,
    slot: u32,
}

impl Record {
    /// Whether this record is of the same journal as a newer one.
    fn is_behind(self, newer: Self) -> bool {
        newer.number.wrapping_sub(self.number) < NEAR
    }

    /// The record as it is ordered if the numbers begin at `origin`.
    fn counted_from(self, origin: u32) -> Self {
        Self { number: self.number.wrapping_sub(origin), ..self }
    }
}

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
    /// How many sectors behind the one that is being filled are known to be blank.
    ready: u32,
    /// There is a record that is none of this journal's.
    has_stranger: bool,
    is_damaged: bool,
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
        let mut journal = Self {
            start,
            sectors: (end - start) / sector_size,
            sector_size,
            newest: None,
            before: None,
            ready: 0,
            has_stranger: false,
            is_damaged: false,
        };
        let Some(highest) = journal.newest_head(flash, 0, None)? else { return Ok((journal, None)) };
        let (origin, has_wrapped) = highest.number.overflowing_add(WRAPPED);
        let origin = if has_wrapped { origin } else { 0 };
        let head = journal.newest_head(flash, origin, None)?.unwrap_or(highest);
        journal.take_sector(flash, head)?;
        if journal.before.is_none()
            && let Some(head_before) = journal.newest_head(flash, origin, Some(head))?
        {
            let newest = journal.newest.take();
            journal.take_sector(flash, head_before)?;
            (journal.before, journal.newest) = (journal.newest, newest);
        }
        let Some(newest) = journal.newest else { return Ok((journal, None)) };
        let next_sector = (journal.current_sector() + 1) % journal.sectors;
        let is_good = |before: &Record| before.is_behind(newest) && journal.sector_of(before.slot) != next_sector;
        let good_before = journal.before.filter(is_good);
        journal.is_damaged = journal.before != good_before;
        journal.before = good_before;
        journal.has_stranger = journal.stranger(flash)?.is_some();
        journal.is_damaged |= journal.has_stranger;
        let mut slot_bytes = [0; SLOT];
        flash.read(journal.address(newest.slot), &mut slot_bytes)?;
        let found = payload_of(&slot_bytes).unwrap_or(&[]);
        payload[..found.len()].copy_from_slice(found);
        Ok((journal, Some(found.len())))
    }

    /// The first record of a sector with the highest number of all, or of all below a record, counted from `origin`.
    fn newest_head<F: NorFlash>(
        &self,
        flash: &mut F,
        origin: u32,
        below: Option<Record>,
    ) -> Result<Option<Record>, F::Error> {
        // From the highest on down, until one is whole. One that was torn and the one that was written in its place have the
        // same number, so the place decides between them.
        let mut last_tried = below.map(|record| Record { slot: 0, ..record }.counted_from(origin));
        loop {
            let mut highest: Option<Record> = None;
            for sector in 0..self.sectors {
                let head = self.head(flash, sector)?.map(|head| head.counted_from(origin));
                let is_candidate = |head: &Record| last_tried.is_none_or(|tried| *head < tried);
                highest = highest.max(head.filter(is_candidate));
            }
            let Some(head) = highest else { return Ok(None) };
            if self.is_whole(flash, head.slot)? {
                return Ok(Some(head.counted_from(0u32.wrapping_sub(origin))));
            }
            last_tried = Some(head);
        }
    }

    /// What may be the first record of a sector: its header is one, the rest was not looked at.
    fn head<F: NorFlash>(&self, flash: &mut F, sector: u32) -> Result<Option<Record>, F::Error> {
        let slot = sector * self.slots_per_sector();
        let mut header = [0; HEADER];
        flash.read(self.address(slot), &mut header)?;
        Ok((length_of(&header) <= MAX_PAYLOAD).then_some(Record { number: number_of(&header), slot }))
    }

    /// A sector with a whole record that is none of this journal's.
    fn stranger<F: NorFlash>(&self, flash: &mut F) -> Result<Option<u32>, F::Error> {
        let Some(newest) = self.newest else { return Ok(None) };
        for sector in 0..self.sectors {
            if let Some(head) = self.head(flash, sector)?
                && !head.is_behind(newest)
                && !self.holds_a_save(sector)
                && self.is_whole(flash, head.slot)?
            {
                return Ok(Some(sector));
            }
        }
        Ok(None)
    }

    /// Takes over the last two whole records of a sector.
    fn take_sector<F: NorFlash>(&mut self, flash: &mut F, head: Record) -> Result<(), F::Error> {
        self.newest = Some(head);
        for slot in head.slot + 1..head.slot + self.slots_per_sector() {
            let mut header = [0; HEADER];
            flash.read(self.address(slot), &mut header)?;
            let record = Record { number: number_of(&header), slot };
            let steps = |newest: Record| record.number.wrapping_sub(newest.number);
            // A slot that is used adds one at the most: a number farther ahead is none of this journal's, and stays so.
            let is_newer = |newest: Record| (1..=slot - newest.slot).contains(&steps(newest));
            if self.newest.is_some_and(is_newer) && self.is_whole(flash, slot)? {
                self.before = self.newest;
                self.newest = Some(record);
            }
        }
        Ok(())
    }

    fn is_whole<F: NorFlash>(&self, flash: &mut F, slot: u32) -> Result<bool, F::Error> {
        let mut slot_bytes = [0; SLOT];
        flash.read(self.address(slot), &mut slot_bytes)?;
        Ok(payload_of(&slot_bytes).is_some())
    }

    /// Writes a record behind the newest one.
    pub fn append<F: NorFlash>(&mut self, flash: &mut F, payload: &[u8]) -> Result<(), Error<F::Error>> {
        if payload.len() > MAX_PAYLOAD {
            return Err(Error::TooLong);
        }
        if self.has_stranger {
            return Err(Error::Full);
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
        if slot / self.slots_per_sector() != self.current_sector() {
            self.ready = self.ready.saturating_sub(1);
        }
        self.before = self.newest;
        self.newest = Some(Record { number, slot });
        Ok(())
    }

    /// Whether the next sector is known to be blank, so that many saves can follow without an erase in between.
    pub fn is_ready(&self) -> bool {
        self.ready > 0
    }

    /// Whether something was found in flash that no journal leaves there.
    pub fn is_damaged(&self) -> bool {
        self.is_damaged
    }

    /// Makes one more sector ready, the first that is not known to be: a step that takes at most as long as an erase.
    /// What is none of this journal's goes first.
    pub fn tidy<F: NorFlash>(&mut self, flash: &mut F) -> Result<Tidied, F::Error> {
        if self.has_stranger {
            if let Some(sector) = self.stranger(flash)? {
                self.erase(flash, sector)?;
                return Ok(Tidied::Erased);
            }
            self.has_stranger = false;
        }
        if self.ready + 1 >= self.sectors {
            return Ok(Tidied::Nothing);
        }
        let sector = (self.current_sector() + self.ready + 1) % self.sectors;
        if self.holds_a_save(sector) {
            return Ok(Tidied::Nothing);
        }
        let blank = self.is_blank(flash, sector * self.slots_per_sector(), self.slots_per_sector())?;
        if !blank {
            self.erase(flash, sector)?;
        }
        self.ready += 1;
        Ok(if blank { Tidied::Looked } else { Tidied::Erased })
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
        for ahead in 1..=LOOK_AHEAD.min(self.sectors) {
            let sector = (self.current_sector() + ahead) % self.sectors;
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

    fn holds_a_save(&self, sector: u32) -> bool {
        [self.newest, self.before].into_iter().flatten().any(|record| self.sector_of(record.slot) == sector)
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

fn number_of(header: &[u8]) -> u32 {
    u32::from_le_bytes([header[0], header[1], header[2], header[3]])
}

fn length_of(header: &[u8]) -> usize {
    u32::from_le_bytes([header[4], header[5], header[6], header[7]]) as usize
}

/// The payload of a slot, if what is in it is whole.
fn payload_of(slot: &[u8; SLOT]) -> Option<&[u8]> {
    let length = length_of(slot);
    let payload = slot.get(HEADER..HEADER.checked_add(length)?)?;
    (checksum(slot, length).to_le_bytes() == slot[8..HEADER]).then_some(payload)
}

fn checksum(slot: &[u8; SLOT], length: usize) -> u32 {
    let mut digest = CHECKSUM.digest();
    digest.update(&slot[..8]);
    digest.update(&slot[HEADER..][..length]);
    digest.finalize()
}
