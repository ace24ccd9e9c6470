//! Turns scans into presses and releases, one of each for what a finger did, whatever the contacts do.
//!
//! A press acts early: it counts once the key was closed in two scans at least [`AGREE`] apart, so that a spike shorter
//! than that cannot be one, whenever the scans come. Between the two the contact may bounce, but not for longer than
//! [`DOUBT`]. A release acts late: only when the key was open for [`RELEASE`] without a break, so that neither edge of a
//! press, however it bounces, can look like a second press.
//!
//! A reading that leaves a key in doubt (see [`matrix`](crate::matrix)) says neither open nor closed: the key keeps its
//! state, and a change that was half seen starts over.

use crate::board::{ALL_CELLS, CELLS, Cell};
use crate::matrix::Reading;
use crate::time::{Micros, ms};

/// The two scans that make a press are at least this far apart: no shorter spike is a press.
pub const AGREE: Micros = 300;
/// And at most this far.
pub const DOUBT: Micros = ms(2);
/// While a press is half seen, scans come this often.
const CLOSER_LOOK: Micros = 60;
/// A key is up after being open this long: longer than the gaps in any bounce worth the name, shorter than the gap
/// between two taps of the fastest finger.
pub const RELEASE: Micros = ms(20);

/// The keys that changed with one scan.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Edges {
    /// Keys that went down.
    pub pressed: u32,
    /// Keys that went up.
    pub released: u32,
}

/// The state of all keys.
#[derive(Clone, Debug)]
pub struct Debouncer {
    down: u32,
    /// Keys that are up but were seen closed, or down but seen open: `since` tells since when.
    wavering: u32,
    since: [Micros; CELLS],
}

impl Debouncer {
    /// These keys are down from the start.
    pub const fn new(down: u32) -> Self {
        Self { down, wavering: 0, since: [0; CELLS] }
    }

    /// The keys that are down.
    pub const fn down(&self) -> u32 {
        self.down
    }

    /// When the next scan should come, if a press is half seen: the contacts may be bouncing, so once the two scans are far
    /// enough apart, each further one is another chance to find them closed.
    pub fn next_look(&self, now: Micros) -> Option<Micros> {
        let half_seen = Cell::of_mask(self.wavering & !self.down);
        half_seen.map(|key| (self.since[key.index()] + AGREE).max(now + CLOSER_LOOK)).min()
    }

    /// Takes one scan, made at `now`.
    pub fn update(&mut self, now: Micros, reading: Reading) -> Edges {
        let mut edges = Edges::default();
        let believed = ALL_CELLS & !reading.doubtful;

        // Half seen changes that are forgotten: those now in doubt, and releases that were a bounce.
        self.wavering &= !(reading.doubtful | reading.closed & self.down);

        // What this scan says against the state of the keys, and what still wavers from earlier ones.
        let against = (reading.closed ^ self.down) & believed;
        for key in Cell::of_mask(against | self.wavering) {
            let (bit, since) = (key.bit(), &mut self.since[key.index()]);
            let is_down = self.down & bit != 0;
            // A press half seen may be open again, but not for ever.
            if self.wavering & bit == 0 || (!is_down && now - *since > DOUBT) {
                if against & bit == 0 {
                    self.wavering &= !bit;
                } else {
                    self.wavering |= bit;
                    *since = now;
                }
            } else if against & bit != 0 && now - *since >= if is_down { RELEASE } else { AGREE } {
                self.wavering &= !bit;
                self.down ^= bit;
                *(if is_down { &mut edges.released } else { &mut edges.pressed }) |= bit;
            }
        }
        edges
    }
}
