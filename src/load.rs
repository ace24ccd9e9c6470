//! Reads what was saved, by this firmware, by an older one or by a newer one.
//!
//! Whoever puts an older firmware on a handheld begins anew with it, because it cannot read newer saves. But nothing is lost:
//! 1. The older firmware finds that the newest save is of a version after its own. It has the [`journal`](crate::journal) keep that
//!    record, and each save of its own links to it.
//! 2. The next firmware that can read the kept record takes over its results, the better one of each. The running game and the choices
//!    are those of the newest save.
//! 3. The first save after that has it all, and links to the kept record no longer.
//!
//! A firmware in between, which cannot read the kept record either, goes on to keep it. If it writes saves that are too new for the
//! older one, these are kept as well.
//!
//! Release 0.1.0 does not do this: it writes over newer saves, and erases them. That cannot be repaired from here.

use embedded_storage::nor_flash::NorFlash;

use crate::journal::{GivenUp, Journal, MAX_PAYLOAD};
use crate::save::{Snapshot, decode, is_newer};

/// What was found in flash.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// Where to save from now on.
    pub journal: Journal,
    /// What to go on with, if anything can be read.
    pub snapshot: Option<Snapshot>,
    /// What the newest save is.
    pub newest: Newest,
    /// How many saves of a newer firmware are kept.
    pub kept: usize,
    /// How many saves that were kept by an older firmware have given their results to the snapshot.
    pub merged: usize,
    /// How many saves were kept, or should have been, and could neither be read nor kept.
    pub lost: usize,
    /// What does not belong into the journal.
    pub given_up: GivenUp,
}

/// What the newest save is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Newest {
    /// There is none.
    Nothing,
    /// It could be read.
    Read,
    /// It was written by a newer firmware.
    Newer,
    /// It is no save.
    Unreadable,
}

/// Opens the journal in the region from `start` to `end` (see [`Journal::open`]), and reads what is in it.
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
    let given_up = journal.given_up();
    let mut loaded = Loaded { journal, snapshot, newest, kept: 0, merged: 0, lost: given_up.links as usize, given_up };
    if newest == Newest::Newer {
        // What it keeps itself is of still newer versions.
        let is_kept = loaded.journal.keep_newest();
        loaded.kept = loaded.journal.kept_count() + usize::from(is_kept);
        loaded.lost += usize::from(!is_kept);
    } else {
        loaded.take_over_kept(flash, &mut payload)?;
    }
    Ok(loaded)
}

impl Loaded {
    /// Takes over what an older firmware has kept, as far as it can be read. The first that cannot is kept on, with all behind it.
    fn take_over_kept<F: NorFlash>(&mut self, flash: &mut F, payload: &mut [u8; MAX_PAYLOAD]) -> Result<(), F::Error> {
        let mut taken_over = 0;
        while taken_over < self.journal.kept_count() {
            let length = self.journal.kept(flash, taken_over, payload)?.unwrap_or(0);
            let bytes = &payload[..length];
            if is_newer(bytes) {
                break;
            }
            match decode(bytes).filter(has_sound_results) {
                Some(kept) => {
                    self.merge(kept);
                    self.merged += 1;
                }
                None => self.lost += 1,
            }
            taken_over += 1;
        }
        self.journal.let_go(taken_over);
        self.kept = self.journal.kept_count() - taken_over;
        Ok(())
    }

    fn merge(&mut self, kept: Snapshot) {
        match self.snapshot.as_mut().filter(|snapshot| has_sound_results(snapshot)) {
            Some(snapshot) => {
                snapshot.records.merge(&kept.records);
                // An older firmware that began anew did not know how the board is built.
                snapshot.layout = snapshot.layout.or(kept.layout);
            }
            None => self.snapshot = Some(kept),
        }
    }
}

/// Whether the game will take over the results of this snapshot.
fn has_sound_results(snapshot: &Snapshot) -> bool {
    snapshot.settings.are_sound() && snapshot.records.are_sound()
}
