//! Records that are kept: how they are found, read, and let go.

use embedded_storage::nor_flash::NorFlash;

use super::record::{MAX_PAYLOAD, Record, link_of, number_of, payload_of};
use super::{Journal, Kept, MAX_KEPT};

/// In a ring with fewer sectors nothing is kept: so there are always three that can be used, even if the newest record and
/// the one before it keep different ones.
pub(super) const LEAST_TO_KEEP: u32 = 3 + 2 * MAX_KEPT as u32;
/// Nothing is kept behind a number that is higher. No journal gets there before its flash is worn out; and before numbers wrap
/// around, what is behind them has to be erased.
const LAST_TO_KEEP: u32 = u32::MAX / 2;

impl Journal {
    /// How many records the newest one keeps.
    pub fn kept_count(&self) -> usize {
        self.kept.len()
    }

    /// Reads a record that the newest one keeps, the first one from 0: as [`open`](Self::open) reads the newest.
    pub fn kept<F: NorFlash>(
        &self,
        flash: &mut F,
        index: usize,
        payload: &mut [u8; MAX_PAYLOAD],
    ) -> Result<Option<usize>, F::Error> {
        self.kept.get(index).map_or(Ok(None), |&record| self.read_payload(flash, record, payload))
    }

    /// From the next record on, the first `count` of those that the newest one keeps are kept no longer.
    pub fn let_go(&mut self, count: usize) {
        self.kept_next = self.kept.iter().skip(count).copied().collect();
    }

    /// From the next record on, the newest one of now is kept, with all that it keeps itself. Whether that is possible.
    pub fn keep_newest(&mut self) -> bool {
        let Some(newest) = self.newest else { return false };
        if !self.can_keep || self.kept.is_full() {
            return false;
        }
        self.kept_next = core::iter::once(newest).chain(self.kept.iter().copied()).collect();
        true
    }

    /// Follows the links of the newest two records. `highest` is the highest number that a sector begins with.
    pub(super) fn take_kept<F: NorFlash>(&mut self, flash: &mut F, highest: Record) -> Result<(), F::Error> {
        let Some(newest) = self.newest else { return Ok(()) };
        self.can_keep &= highest.max(newest).number <= LAST_TO_KEEP;
        for from in [self.before, self.newest].into_iter().flatten() {
            (self.kept_before, self.kept) = (self.kept.clone(), Kept::new());
            self.given_up.links = 0;
            let mut last = from;
            while let Some(next) = link_of(&self.read_slot(flash, last.slot)?) {
                // Numbers fall from link to link, so that no links go round in a circle.
                let is_kept = self.can_keep
                    && next.number < last.number
                    && self.is_there(flash, next)?
                    && self.kept.push(next).is_ok();
                if !is_kept {
                    self.given_up.links = 1;
                    break;
                }
                last = next;
            }
        }
        self.kept_next = self.kept.clone();
        Ok(())
    }

    /// Whether there is a whole record with this number in this slot, which may be any.
    fn is_there<F: NorFlash>(&self, flash: &mut F, record: Record) -> Result<bool, F::Error> {
        if record.slot >= self.sectors * self.slots_per_sector() {
            return Ok(false);
        }
        let slot = self.read_slot(flash, record.slot)?;
        Ok(payload_of(&slot).is_some() && number_of(&slot) == record.number)
    }
}
