//! Loads the save at start-up, whether this firmware, an older one or a newer one has written it.
//!
//! An older firmware cannot read the saves of a newer one, so after a downgrade the player starts with a fresh game.
//! But no result is lost:
//! 1. The older firmware finds that the newest save has a newer version. The [`journal`](crate::journal) keeps that
//!    record, and each save of the older firmware links to it.
//! 2. The next firmware that can read the kept record merges its results into the newest save: the better result of
//!    each level. The running game and the settings are those of the newest save.
//! 3. The next save contains the merged results, and does not link to the kept record any more.
//!
//! A firmware between these two versions that cannot read the kept record keeps it too. If its own saves are too new
//! for an older firmware, that firmware keeps them as well.
//!
//! Release 0.1.0 does not do this: it overwrites and erases newer saves. Later releases cannot change that.

use embedded_storage::nor_flash::NorFlash;

use crate::journal::{IgnoredRecords, Journal, MAX_PAYLOAD};
use crate::save::{Snapshot, decode, is_newer};

/// The result of [`load`].
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The journal for new saves.
    pub journal: Journal,
    /// The snapshot to continue with, if one can be read.
    pub snapshot: Option<Snapshot>,
    /// The state of the newest save.
    pub newest: Newest,
    /// The number of saves of a newer firmware that are kept.
    pub kept: usize,
    /// The number of saves that an older firmware had kept, and whose results were merged into the snapshot.
    pub merged: usize,
    /// The number of saves of a newer firmware that were lost: they can neither be read nor kept.
    pub lost: usize,
    /// The records that the journal ignores.
    pub ignored: IgnoredRecords,
}

/// The state of the newest save.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Newest {
    /// There is no save.
    Nothing,
    /// It was read.
    Read,
    /// It was written by a newer firmware.
    Newer,
    /// It is not a valid save.
    Unreadable,
}

/// Opens the journal in the region from `start` to `end` (see [`Journal::open`]), and reads the newest save.
pub fn load<F: NorFlash>(flash: &mut F, start: u32, end: u32) -> Result<Loaded, F::Error> {
    let mut payload = [0; MAX_PAYLOAD];
    let (journal, length) = Journal::open(flash, start, end, &mut payload)?;
    let bytes = &payload[..length.unwrap_or(0)];
    let snapshot = decode(bytes);
    let newest = match (length, &snapshot) {
        (None, _) => Newest::Nothing,
        (_, Some(_)) => Newest::Read,
        (_, None) if is_newer(bytes) => Newest::Newer,
        _ => Newest::Unreadable,
    };
    let ignored = journal.ignored();
    let mut loaded = Loaded { journal, snapshot, newest, kept: 0, merged: 0, lost: ignored.links as usize, ignored };
    if newest == Newest::Newer {
        // The records that it keeps have still newer versions.
        let is_kept = loaded.journal.keep_newest();
        loaded.kept = loaded.journal.kept_count() + usize::from(is_kept);
        loaded.lost += usize::from(!is_kept);
    } else {
        loaded.merge_kept(flash, &mut payload)?;
    }
    Ok(loaded)
}

impl Loaded {
    /// Merges the saves that an older firmware has kept, as far as they can be read. The first that cannot be read
    /// stays kept, with all after it.
    fn merge_kept<F: NorFlash>(&mut self, flash: &mut F, payload: &mut [u8; MAX_PAYLOAD]) -> Result<(), F::Error> {
        let mut done = 0;
        while done < self.journal.kept_count() {
            let length = self.journal.kept(flash, done, payload)?.unwrap_or(0);
            let bytes = &payload[..length];
            if is_newer(bytes) {
                break;
            }
            match decode(bytes).filter(has_valid_results) {
                Some(kept) => {
                    self.merge(kept);
                    self.merged += 1;
                }
                None => self.lost += 1,
            }
            done += 1;
        }
        self.journal.release_kept(done);
        self.kept = self.journal.kept_count() - done;
        Ok(())
    }

    fn merge(&mut self, kept: Snapshot) {
        match self.snapshot.as_mut().filter(|snapshot| has_valid_results(snapshot)) {
            Some(snapshot) => {
                snapshot.records.merge(&kept.records);
                // An older firmware that started with a fresh game did not know the layout.
                snapshot.layout = snapshot.layout.or(kept.layout);
            }
            None => self.snapshot = Some(kept),
        }
    }
}

/// Whether [`Game::restore`](crate::game::Game::restore) accepts the results of this snapshot.
fn has_valid_results(snapshot: &Snapshot) -> bool {
    snapshot.settings.is_valid() && snapshot.records.is_valid()
}
