//! Records of a newer firmware that are kept: how they are found, read and released.

use embedded_storage::nor_flash::NorFlash;

use super::record::{MAX_PAYLOAD, Record, link_of, number_of, payload_of};
use super::{Journal, Kept, MAX_KEPT};

/// The smallest ring that keeps records. In a smaller ring, fewer than three sectors would be usable if the newest
/// record and the one before it kept different records.
pub(super) const MIN_SECTORS_TO_KEEP: u32 = 3 + 2 * MAX_KEPT as u32;
/// Records with a higher number keep nothing. No journal reaches it before its flash is worn out. When numbers wrap
/// around, old records must be erased, so they cannot be kept.
const MAX_NUMBER_TO_KEEP: u32 = u32::MAX / 2;

impl Journal {
    /// The number of records that the newest one keeps.
    pub fn kept_count(&self) -> usize {
        self.kept.len()
    }

    /// Reads a record that the newest one keeps, counted from 0, as [`open`](Self::open) reads the newest.
    pub fn kept<F: NorFlash>(
        &self,
        flash: &mut F,
        index: usize,
        payload: &mut [u8; MAX_PAYLOAD],
    ) -> Result<Option<usize>, F::Error> {
        self.kept.get(index).map_or(Ok(None), |&record| self.read_payload(flash, record, payload))
    }

    /// Releases the first `count` of the records that the newest one keeps. The next record does not keep them.
    pub(crate) fn release_kept(&mut self, count: usize) {
        self.kept_next = self.kept.iter().skip(count).copied().collect();
    }

    /// Keeps the newest record, with all that it keeps, from the next record on. Returns whether that is possible.
    pub fn keep_newest(&mut self) -> bool {
        let Some(newest) = self.newest else { return false };
        if !self.can_keep || self.kept.is_full() {
            return false;
        }
        self.kept_next = core::iter::once(newest).chain(self.kept.iter().copied()).collect();
        true
    }

    /// Follows the links of the newest two records. `highest` is the first record of a sector with the highest number.
    pub(super) fn follow_links<F: NorFlash>(&mut self, flash: &mut F, highest: Record) -> Result<(), F::Error> {
        let Some(newest) = self.newest else { return Ok(()) };
        self.can_keep &= highest.max(newest).number <= MAX_NUMBER_TO_KEEP;
        for from in [self.before, self.newest].into_iter().flatten() {
            (self.kept_before, self.kept) = (self.kept.clone(), Kept::new());
            self.ignored.links = 0;
            let mut last = from;
            while let Some(next) = link_of(&self.read_slot(flash, last.slot)?) {
                // Numbers must decrease from link to link, so that links cannot form a cycle.
                let is_kept = self.can_keep
                    && next.number < last.number
                    && self.is_in_flash(flash, next)?
                    && self.kept.push(next).is_ok();
                if !is_kept {
                    self.ignored.links = 1;
                    break;
                }
                last = next;
            }
        }
        self.kept_next = self.kept.clone();
        Ok(())
    }

    /// Whether there is a valid record with this number in this slot. The slot number may be invalid.
    fn is_in_flash<F: NorFlash>(&self, flash: &mut F, record: Record) -> Result<bool, F::Error> {
        if record.slot >= self.sectors * self.slots_per_sector() {
            return Ok(false);
        }
        let slot = self.read_slot(flash, record.slot)?;
        Ok(payload_of(&slot).is_some() && number_of(&slot) == record.number)
    }
}
