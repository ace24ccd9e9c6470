//! Bouncing contacts: the edges of one press or release, drawn from a seed.
//!
//! A real contact touches, chatters for up to a few milliseconds and then rests. The waveform starts with the first touch
//! (or the first parting) at its `start`, alternates at random moments, and ends in the wanted state no later than `settle`
//! after the start. The same seed gives the same waveform.

use core::time::Duration;
use rand_core::Rng;
use rand_pcg::Pcg32;

/// How a contact bounces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounce {
    /// The contact rests at the latest this long after the first edge.
    pub settle: Duration,
    /// At most so many extra open-and-close pairs.
    pub chatter: u8,
}

impl Default for Bounce {
    /// A usual tactile switch: up to 5 ms, up to 8 bounces.
    fn default() -> Self {
        Self { settle: Duration::from_millis(5), chatter: 8 }
    }
}

impl Bounce {
    /// The edges of one change to `closed` that begins at `start`: moments and states, in order, the last one resting.
    pub fn edges(&self, seed: u64, start: Duration, closed: bool) -> Vec<(Duration, bool)> {
        let mut random = Pcg32::new(seed, 0xb0);
        let settle = u64::try_from(self.settle.as_nanos()).unwrap_or(u64::MAX);
        let pairs = random.next_u32() % (u32::from(self.chatter) + 1);
        let mut moments: Vec<u64> = (0..2 * pairs).map(|_| random.next_u64() % settle.max(1)).collect();
        moments.sort_unstable();
        let mut state = closed;
        let mut edges = vec![(start, state)];
        for moment in moments {
            state = !state;
            edges.push((start + Duration::from_nanos(moment), state));
        }
        edges
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_waveform_alternates_and_ends_in_time_in_the_wanted_state() {
        let bounce = Bounce::default();
        let start = Duration::from_millis(7);
        let mut lengths = std::collections::BTreeSet::new();
        for seed in 0..200 {
            let closed = seed % 2 == 0;
            let edges = bounce.edges(seed, start, closed);
            assert_eq!(edges[0], (start, closed));
            assert_eq!(edges.last().map(|edge| edge.1), Some(closed));
            assert!(edges.windows(2).all(|pair| pair[0].0 <= pair[1].0 && pair[0].1 != pair[1].1));
            assert!(edges.iter().all(|edge| edge.0 <= start + bounce.settle));
            assert_eq!(edges, bounce.edges(seed, start, closed));
            lengths.insert(edges.len());
        }
        assert_eq!(lengths, (0..=8).map(|pairs| 2 * pairs + 1).collect());
    }

    #[test]
    fn a_clean_switch_has_one_edge() {
        let clean = Bounce { settle: Duration::ZERO, chatter: 0 };
        assert_eq!(clean.edges(1, Duration::ZERO, true), [(Duration::ZERO, true)]);
    }
}
