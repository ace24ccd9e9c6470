//! Percentiles, extremes and mean of a sample.

/// The values of a sample, sorted. There is at least one.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Sample(Vec<f64>);

impl Sample {
    /// Sorts the values. `None` if there is no value, or if one is NaN.
    pub(crate) fn new(mut values: Vec<f64>) -> Option<Self> {
        if values.is_empty() || values.iter().any(|value| value.is_nan()) {
            return None;
        }
        values.sort_by(f64::total_cmp);
        Some(Self(values))
    }

    /// The smallest value that at least this share of the sample (0 to 1) does not exceed. It is the nearest rank,
    /// never an average of two values.
    pub(crate) fn percentile(&self, share: f64) -> f64 {
        let rank = (share.clamp(0.0, 1.0) * self.0.len() as f64).ceil() as usize;
        self.0[rank.max(1) - 1]
    }

    /// The smallest value.
    pub(crate) fn min(&self) -> f64 {
        self.0[0]
    }

    /// The largest value.
    pub(crate) fn max(&self) -> f64 {
        self.0[self.0.len() - 1]
    }

    /// The mean.
    pub(crate) fn mean(&self) -> f64 {
        self.0.iter().sum::<f64>() / self.0.len() as f64
    }

    /// The number of values.
    pub(crate) fn count(&self) -> usize {
        self.0.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_nearest_ranks() {
        let sample = Sample::new((1..=100).rev().map(f64::from).collect()).unwrap();
        assert_eq!(sample.percentile(0.5), 50.0);
        assert_eq!(sample.percentile(0.99), 99.0);
        assert_eq!(sample.percentile(0.991), 100.0);
        assert_eq!((sample.percentile(0.0), sample.percentile(1.0)), (1.0, 100.0));
        assert_eq!((sample.min(), sample.max(), sample.mean(), sample.count()), (1.0, 100.0, 50.5, 100));
    }

    #[test]
    fn every_percentile_of_one_value_is_that_value() {
        let sample = Sample::new(vec![7.0]).unwrap();
        assert_eq!([0.0, 0.5, 0.99, 1.0].map(|share| sample.percentile(share)), [7.0; 4]);
    }

    #[test]
    fn empty_or_undefined_sample_is_refused() {
        assert_eq!(Sample::new(Vec::new()), None);
        assert_eq!(Sample::new(vec![1.0, f64::NAN]), None);
    }
}
