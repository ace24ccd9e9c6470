//! Power cuts: scheduled ones, and brown-outs of the battery. A flash operation in progress is torn.

use crate::machine::{Machine, StopReason};
use core::time::Duration;

/// A scheduled power cut.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PowerCut {
    /// During a flash operation (the erase of one sector or the programming of one page).
    Operation {
        /// Number of operations that finish before the power cut. 0: the power is cut during the next operation.
        after: u64,
        /// Elapsed part of the operation's time, 0 to 1.
        fraction: f64,
        /// Seed that selects the torn bits.
        seed: u64,
    },
    /// At a time. A flash operation in progress is torn.
    At {
        /// Time since power-on.
        time: Duration,
        /// Seed that selects the torn bits.
        seed: u64,
    },
}

impl Machine {
    /// Time of the scheduled power cut, ns since power-on; `None` if the time is not known yet.
    pub(crate) fn cut_time(&self) -> Option<u64> {
        match (self.cut?, &self.work) {
            (PowerCut::At { time, .. }, _) => Some(time.as_nanos() as u64),
            (PowerCut::Operation { after: 0, fraction, .. }, Some(work)) => {
                Some(work.began + ((work.ends - work.began) as f64 * fraction.clamp(0.0, 1.0)) as u64)
            }
            _ => None,
        }
    }

    /// Cuts the power, by a scheduled cut or a brown-out.
    pub(crate) fn cut_power(&mut self, stop_reason: StopReason) {
        let now = self.now();
        if let Some(work) = self.work.take()
            && let Some(unit) = &work.unit
        {
            let length = (work.ends - work.began).max(1) as f64;
            let passed = (now - work.began) as f64 / length;
            let (fraction, seed) = match self.cut.filter(|_| stop_reason == StopReason::PowerCut) {
                Some(PowerCut::Operation { fraction, seed, .. }) => (fraction, seed),
                Some(PowerCut::At { seed, .. }) => (passed, seed),
                None => (passed, now),
            };
            self.flash.tear(unit, fraction, seed);
        }
        self.read_log();
        self.stop_reason = Some(stop_reason);
    }
}
