//! A logic analyser that is connected to some pins.

/// Largest number of samples that are kept.
const MOST_SAMPLES: usize = 1 << 20;

/// The logic analyser and its recording.
#[derive(Debug)]
pub(crate) struct LogicAnalyser {
    /// The pins, bit = pin.
    pub mask: u32,
    /// The levels at the start and after each change: ns since power-on, and levels (bit = pin).
    pub samples: Vec<(u64, u32)>,
}

impl LogicAnalyser {
    /// An analyser without a recording, for these pins (bit = pin).
    pub(crate) fn new(mask: u32) -> Self {
        Self { mask, samples: Vec::new() }
    }

    /// Records the levels of all pins at `ns`, if one of its own pins has changed.
    pub(crate) fn record(&mut self, ns: u64, levels: u32) {
        let levels = levels & self.mask;
        if self.samples.len() < MOST_SAMPLES && self.samples.last().is_none_or(|(_, last)| *last != levels) {
            self.samples.push((ns, levels));
        }
    }
}
