//! The debouncer: turns scans of bouncing contacts into one press and one release for each time a key goes down and up.
//!
//! **A press is reported early**: when the contact was closed in two scans at least [`MIN_CONFIRM_TIME`] apart. A
//! shorter spike is never a press, independent of the times of the scans. The contact may bounce between the two scans,
//! but the second scan must be within [`MAX_CONFIRM_TIME`]. A falling edge of the contact's column that the hardware
//! latched can replace the second scan: the edge shows that the contact has closed again. Until the press is confirmed,
//! it is pending.
//!
//! **A release is reported late**: when the contact was open for [`RELEASE_TIME`] without a break. So a bounce at the
//! beginning or at the end of a press is never a second press.
//!
//! While a contact is doubtful (see [`matrix`](crate::matrix)), it counts neither as open nor as closed. The key keeps
//! its state, and a pending change is dropped.

use crate::board::CELLS;
use crate::mask::{Kind, Mask};
use crate::matrix::{Columns, Contact, Contacts, Reading};
use crate::time::{Micros, ms};

/// The least time between the two scans that confirm a press: no shorter spike is a press.
pub const MIN_CONFIRM_TIME: Micros = 300;
/// The longest time between the two scans that confirm a press.
pub const MAX_CONFIRM_TIME: Micros = ms(2);
/// The time between scans while a press is pending.
pub(crate) const PENDING_PERIOD: Micros = 60;
/// A key is up when its contact was open for this long: longer than the gaps in a bounce, shorter than the gap between
/// two fast taps.
pub const RELEASE_TIME: Micros = ms(20);

/// The keys that changed in one scan, as contacts or as cells.
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
    /// Contacts with a pending change: the key is up but its contact was closed in a scan, or down but it was open.
    pending: Contacts,
    /// When the pending change of each contact was first seen.
    since: [Micros; CELLS],
}

impl Debouncer {
    /// The state in which only these keys are down.
    pub const fn new(down: Contacts) -> Self {
        Self { down, pending: Contacts::EMPTY, since: [0; CELLS] }
    }

    /// The keys that are down.
    pub const fn down(&self) -> Contacts {
        self.down
    }

    /// Whether a press is pending.
    pub(crate) fn is_press_pending(&self) -> bool {
        !self.pending_presses().is_empty()
    }

    /// When to scan next, if a press is pending: after [`MIN_CONFIRM_TIME`]. If the contact is open then, because it
    /// bounces, each later scan is another chance to find it closed.
    pub fn next_scan(&self, now: Micros) -> Option<Micros> {
        self.pending_presses()
            .iter()
            .map(|contact| (self.since[contact.index()] + MIN_CONFIRM_TIME).max(now + PENDING_PERIOD))
            .min()
    }

    /// When the last of the pending presses is dropped.
    pub(crate) fn pending_until(&self) -> Option<Micros> {
        self.pending_presses().iter().map(|contact| self.since[contact.index()] + MAX_CONFIRM_TIME).max()
    }

    /// The contacts of pending presses.
    fn pending_presses(&self) -> Contacts {
        self.pending & !self.down
    }

    /// Takes one scan, made at `now`, and the columns that had a falling edge since the scan before it.
    pub fn update(&mut self, now: Micros, reading: Reading, fallen: Columns) -> Edges<Contact> {
        self.drop_pending(now, reading);
        let closed = reading.closed | self.confirmed_by_edge(reading, fallen);
        let changed = (closed ^ self.down) & !reading.doubtful;
        let confirmed = self.confirmed(now, changed);
        self.add_pending(now, changed);
        self.pending &= !confirmed;
        let edges = Edges { pressed: confirmed & !self.down, released: confirmed & self.down };
        self.down ^= confirmed;
        edges
    }

    /// Drops pending changes: of doubtful contacts, releases that were a bounce, and presses that were not confirmed in
    /// time.
    fn drop_pending(&mut self, now: Micros, reading: Reading) {
        self.pending &= !(reading.doubtful | reading.closed & self.down);
        for contact in self.pending_presses() {
            if now - self.since[contact.index()] > MAX_CONFIRM_TIME {
                self.pending &= !contact.bit();
            }
        }
    }

    /// Contacts that a falling edge confirms: they have a pending press, are open in this scan, and no other contact of
    /// their column can have caused the edge.
    fn confirmed_by_edge(&self, reading: Reading, fallen: Columns) -> Contacts {
        let pending = self.pending_presses();
        let others = (reading.closed | reading.doubtful | self.down) & !pending;
        fallen.iter().map(Contacts::in_column).fold(Contacts::EMPTY, |confirmed, column| {
            let candidates = pending & column;
            let is_unique = !candidates.has_several() && (others & column).is_empty();
            if is_unique { confirmed | candidates } else { confirmed }
        })
    }

    /// The changed contacts whose change has been pending for long enough.
    fn confirmed(&self, now: Micros, changed: Contacts) -> Contacts {
        let is_confirmed = |contact: &Contact| {
            let needed = if self.down.contains(*contact) { RELEASE_TIME } else { MIN_CONFIRM_TIME };
            now - self.since[contact.index()] >= needed
        };
        (changed & self.pending).iter().filter(is_confirmed).collect()
    }

    /// Makes the changes of these contacts pending. A change that is not pending yet starts now.
    fn add_pending(&mut self, now: Micros, changed: Contacts) {
        for contact in changed & !self.pending {
            self.since[contact.index()] = now;
        }
        self.pending |= changed;
    }
}
