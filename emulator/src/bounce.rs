//! Contact bounce: the edges of one press or release, drawn at random.
//!
//! A real contact chatters for up to some milliseconds before it settles. The waveform has its first edge at `start`.
//! It then alternates between closed and open phases of random lengths, and settles in its final state at a random
//! moment, at most `settle` after the start. The same random numbers give the same waveform. All lengths are whole
//! microseconds, because no firmware samples a key faster.

use core::ops::Range;
use core::time::Duration;
use rand_core::Rng;

/// How a contact bounces, in microseconds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bounce {
    /// Longest time from the first edge to the last one.
    pub settle: u32,
    /// Length of each closed phase.
    pub touch: Range<u32>,
    /// Length of each open phase.
    pub gap: Range<u32>,
}

impl Default for Bounce {
    /// A worn switch: up to 10 ms of closed phases of 20 to 500 us and open phases of 10 to 250 us.
    fn default() -> Self {
        Self { settle: 10_000, touch: 20..500, gap: 10..250 }
    }
}

impl Bounce {
    /// The edges of one change to the state `closed` that begins at `start`, in order: time and new state of each.
    pub fn edges(&self, random: &mut impl Rng, start: Duration, closed: bool) -> Vec<(Duration, bool)> {
        // An empty range gives its start. The `max(1)` below prevents an endless loop of phases of 0 us.
        let mut draw = |range: &Range<u32>| {
            let width = range.end.saturating_sub(range.start).max(1);
            range.start.saturating_add(random.next_u32() % width)
        };
        let end = draw(&(0..self.settle.saturating_add(1)));
        let (mut at, mut state) = (0, closed);
        let mut edges = vec![(start, closed)];
        loop {
            at = draw(if state { &self.touch } else { &self.gap }).max(1).saturating_add(at);
            if at >= end {
                break;
            }
            state = !state;
            edges.push((start + Duration::from_micros(at.into()), state));
        }
        if state != closed {
            edges.push((start + Duration::from_micros(end.into()), closed));
        }
        edges
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_pcg::Pcg32;

    #[test]
    fn waveform_alternates_and_settles_in_its_final_state() {
        let bounce = Bounce::default();
        let start = Duration::from_millis(7);
        let mut counts = std::collections::BTreeSet::new();
        for seed in 0..500 {
            let closed = seed % 2 == 0;
            let edges = bounce.edges(&mut Pcg32::new(seed, 1), start, closed);
            assert_eq!(edges[0], (start, closed));
            assert_eq!(edges.last().map(|edge| edge.1), Some(closed));
            assert!(edges.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 != pair[1].1));
            assert!(edges.iter().all(|edge| edge.0 <= start + Duration::from_millis(10)));
            assert_eq!(edges, bounce.edges(&mut Pcg32::new(seed, 1), start, closed));
            counts.insert(edges.len());
        }
        // From a single edge to one every 0.2 ms.
        assert!(counts.first() == Some(&1) && counts.last().is_some_and(|&most| most > 40), "{counts:?}");
    }

    #[test]
    fn phases_use_the_whole_range_of_lengths() {
        let bounce = Bounce::default();
        let (mut touches, mut gaps) = (Vec::new(), Vec::new());
        for seed in 0..500 {
            let edges = bounce.edges(&mut Pcg32::new(seed, 2), Duration::ZERO, true);
            // The end of the bounce cuts the last phase short.
            for pair in edges[..edges.len() - 1].windows(2) {
                let parts = if pair[0].1 { &mut touches } else { &mut gaps };
                parts.push((pair[1].0 - pair[0].0).as_micros());
            }
        }
        for (parts, least, most) in [(touches, 20, 499), (gaps, 10, 249)] {
            assert_eq!((parts.iter().min(), parts.iter().max()), (Some(&least), Some(&most)));
        }
    }

    #[test]
    fn switch_without_bounce_has_one_edge() {
        let clean = Bounce { settle: 0, touch: 0..0, gap: 0..0 };
        assert_eq!(clean.edges(&mut Pcg32::new(1, 1), Duration::ZERO, true), [(Duration::ZERO, true)]);
    }
}
