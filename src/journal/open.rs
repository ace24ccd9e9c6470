//! Finds the newest records of a journal, and foreign sectors.

use embedded_storage::nor_flash::NorFlash;

use super::kept::MIN_SECTORS_TO_KEEP;
use super::record::{HEADER, MAX_PAYLOAD, Record, WRAP_RANGE, length_of, number_of};
use super::{IgnoredRecords, Journal, Kept};

impl Journal {
    /// Finds the newest record in the region from `start` to `end`. Both are multiples of the sector size, at least
    /// three sectors apart. Reads its payload into the beginning of `payload`, and returns the length, if there is a
    /// record.
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
            can_keep: (end - start) / sector_size >= MIN_SECTORS_TO_KEEP,
            kept: Kept::new(),
            kept_before: Kept::new(),
            kept_next: Kept::new(),
            ready: 0,
            has_foreign_sector: false,
            ignored: IgnoredRecords::default(),
        };
        let Some(highest) = journal.newest_head(flash, 0, None)? else { return Ok((journal, None)) };
        let (origin, has_wrapped) = highest.number.overflowing_add(WRAP_RANGE);
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
        journal.follow_links(flash, highest)?;
        let next_sector = journal.sector_ahead(1);
        let is_good = |before: &Record| {
            before.is_behind(newest) && next_sector.is_some_and(|next| journal.sector_of(before.slot) != next)
        };
        if !journal.before.is_none_or(|before| is_good(&before)) {
            journal.give_up_before();
        }
        journal.ignored.foreign_sectors = journal.foreign_sectors(flash, u32::MAX)?.0;
        journal.has_foreign_sector = journal.ignored.foreign_sectors > 0;
        let length = journal.read_payload(flash, newest, payload)?;
        Ok((journal, length.or(Some(0))))
    }

    /// The valid first record of a sector with the highest number, or with the highest number below that of `below`.
    /// Numbers are ordered from `origin`.
    fn newest_head<F: NorFlash>(
        &self,
        flash: &mut F,
        origin: u32,
        below: Option<Record>,
    ) -> Result<Option<Record>, F::Error> {
        // Candidates are tried in falling order until one is valid. A torn record and the one that was written in its
        // place have the same number, so they are ordered by their slots.
        let mut last_tried = below.map(|record| Record { slot: 0, ..record }.counted_from(origin));
        loop {
            let mut highest: Option<Record> = None;
            for sector in 0..self.sectors {
                let head = self.head(flash, sector)?.map(|head| head.counted_from(origin));
                let is_candidate = |head: &Record| last_tried.is_none_or(|tried| *head < tried);
                highest = highest.max(head.filter(is_candidate));
            }
            let Some(head) = highest else { return Ok(None) };
            if self.is_valid(flash, head.slot)? {
                return Ok(Some(head.counted_from(0u32.wrapping_sub(origin))));
            }
            last_tried = Some(head);
        }
    }

    /// The first record of a sector, if its header is plausible. The checksum is not checked.
    fn head<F: NorFlash>(&self, flash: &mut F, sector: u32) -> Result<Option<Record>, F::Error> {
        let slot = sector * self.slots_per_sector();
        let mut header = [0; HEADER];
        flash.read(self.address(slot), &mut header)?;
        Ok((length_of(&header) <= MAX_PAYLOAD).then_some(Record { number: number_of(&header), slot }))
    }

    /// The number of foreign sectors, up to `limit`, and the last of them.
    pub(super) fn foreign_sectors<F: NorFlash>(
        &self,
        flash: &mut F,
        limit: u32,
    ) -> Result<(u32, Option<u32>), F::Error> {
        let (mut count, mut last) = (0, None);
        // The newest record is found through the first record of its sector. If another sector started with a number
        // between the numbers of these two, it would be mistaken for the newest sector when numbers are ordered from
        // another origin.
        let Some(newest_head) = self.head(flash, self.current_sector())? else { return Ok((count, last)) };
        for sector in 0..self.sectors {
            if count < limit
                && let Some(head) = self.head(flash, sector)?
                && !head.is_behind(newest_head)
                && !self.holds_record(sector)
                && self.is_valid(flash, head.slot)?
            {
                (count, last) = (count + 1, Some(sector));
            }
        }
        Ok((count, last))
    }

    /// Makes the last two valid records of a sector the newest record and the one before it.
    fn take_sector<F: NorFlash>(&mut self, flash: &mut F, head: Record) -> Result<(), F::Error> {
        self.newest = Some(head);
        for slot in head.slot + 1..head.slot + self.slots_per_sector() {
            let mut header = [0; HEADER];
            flash.read(self.address(slot), &mut header)?;
            let record = Record { number: number_of(&header), slot };
            let steps = |newest: Record| record.number.wrapping_sub(newest.number);
            // Each slot increases the number by at most one. A higher number is not from this journal.
            let is_newer = |newest: Record| (1..=slot - newest.slot).contains(&steps(newest));
            if self.newest.is_some_and(is_newer) && self.is_valid(flash, slot)? {
                self.before = self.newest;
                self.newest = Some(record);
            }
        }
        Ok(())
    }
}
