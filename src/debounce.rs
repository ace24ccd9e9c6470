//! Turns scans into presses and releases, one of each for what a finger did, whatever the contacts do.
//!
//! A press acts early: it counts once the key was closed in two scans at least [`AGREE`] apart, so that a spike shorter
//! than that cannot be one, whenever the scans come. Between the two the contact may bounce, but not for longer than
//! [`DOUBT`]. Instead of the second scan a touch of its column will do that the hardware noticed: a bounce proves as much as a
//! closed contact. A release acts late: only when the key was open for [`RELEASE`] without a break, so that neither edge of a
//! press, however it bounces, can look like a second press.
//!
//! A reading that leaves a key in doubt (see [`matrix`](crate::matrix)) says neither open nor closed: the key keeps its
//! state, and a change that was half seen starts over.

use crate::board::CELLS;
use crate::mask::{Kind, Mask};
use crate::matrix::{Columns, Contact, Contacts, Reading};
use crate::time::{Micros, ms};

/// The two scans that make a press are at least this far apart: no shorter spike is a press.
pub const AGREE: Micros = 300;
/// And at most this far.
pub const DOUBT: Micros = ms(2);
/// While a press is half seen, scans come this often.
pub const CLOSER_LOOK: Micros = 60;
/// A key is up after being open this long: longer than the gaps in any bounce worth the name, shorter than the gap
/// between two taps of the fastest finger.
pub const RELEASE: Micros = ms(20);

/// The keys that changed with one scan, as contacts or as cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edges<K> {
    /// Keys that went down.
    pub pressed: Mask<K>,
    /// Keys that went up.
    pub released: Mask<K>,
}

impl<K: Kind> Edges<K> {
    /// No key changed.
    pub const NONE: Self = Self { pressed: Mask::EMPTY, released: Mask::EMPTY };

    /// Whether no key changed.
    pub const fn is_empty(self) -> bool {
        self.pressed.is_empty() && self.released.is_empty()
    }
}

/// The state of all keys.
#[derive(Clone, Debug)]
pub struct Debouncer {
    down: Contacts,
    /// Keys that are up but were seen closed, or down but seen open: `since` tells since when.
    wavering: Contacts,
    since: [Micros; CELLS],
}

impl Debouncer {
    /// These keys are down from the start.
    pub const fn new(down: Contacts) -> Self {
        Self { down, wavering: Contacts::EMPTY, since: [0; CELLS] }
    }

    /// The keys that are down.
    pub const fn down(&self) -> Contacts {
        self.down
    }

    /// Whether a press is half seen.
    pub fn is_doubtful(&self) -> bool {
        !self.half_seen().is_empty()
    }

    /// When the next scan should come, if a press is half seen: the contacts may be bouncing, so once the two scans are far
    /// enough apart, each further one is another chance to find them closed.
    pub fn next_look(&self, now: Micros) -> Option<Micros> {
        self.half_seen().iter().map(|key| (self.since[key.index()] + AGREE).max(now + CLOSER_LOOK)).min()
    }

    /// When nothing more is to be expected of presses that are half seen.
    pub fn doubt_ends(&self) -> Option<Micros> {
        self.half_seen().iter().map(|key| self.since[key.index()] + DOUBT).max()
    }

    /// The contacts of presses that are half seen.
    fn half_seen(&self) -> Contacts {
        self.wavering & !self.down
    }

    /// Takes one scan, made at `now`, and the columns that were pulled down since the last one, however shortly.
    pub fn update(&mut self, now: Micros, reading: Reading, touched: Columns) -> Edges<Contact> {
        self.forget(now, reading);
        // The keys that this scan finds other than they are.
        let closed = reading.closed | self.touched_again(reading, touched);
        let against = (closed ^ self.down) & !reading.doubtful;
        let long_enough = self.wavering_long_enough(now, against);
        self.begin_to_waver(now, against);
        self.wavering &= !long_enough;
        let edges = Edges { pressed: long_enough & !self.down, released: long_enough & self.down };
        self.down ^= long_enough;
        edges
    }

    /// Forgets changes that were half seen: of keys now in doubt, releases that were a bounce, and presses of which nothing
    /// more was seen in time.
    fn forget(&mut self, now: Micros, reading: Reading) {
        self.wavering &= !(reading.doubtful | reading.closed & self.down);
        for key in self.half_seen() {
            if now - self.since[key.index()] > DOUBT {
                self.wavering &= !key.bit();
            }
        }
    }

    /// Keys that are half seen, open now, and alone in a column that was touched: it was they.
    fn touched_again(&self, reading: Reading, touched: Columns) -> Contacts {
        let half_seen = self.half_seen();
        let others = (reading.closed | reading.doubtful | self.down) & !half_seen;
        touched.iter().map(Contacts::in_column).fold(Contacts::EMPTY, |found, column| {
            let suspects = half_seen & column;
            let is_alone = !suspects.has_several() && (others & column).is_empty();
            if is_alone { found | suspects } else { found }
        })
    }

    /// Of these keys, those that were first seen changed so long ago that now it counts.
    fn wavering_long_enough(&self, now: Micros, against: Contacts) -> Contacts {
        let counts = |key: &Contact| {
            let needed = if self.down.contains(*key) { RELEASE } else { AGREE };
            now - self.since[key.index()] >= needed
        };
        (against & self.wavering).iter().filter(counts).collect()
    }

    /// These keys are seen changed; for those that were not before, the clock starts.
    fn begin_to_waver(&mut self, now: Micros, against: Contacts) {
        for key in against & !self.wavering {
            self.since[key.index()] = now;
        }
        self.wavering |= against;
    }
}
