//! What several tests need.

pub mod boards;
pub mod diodes;

use proptest::test_runner::{Config, RngSeed};

/// Whether the campaigns are to run in their long form.
pub fn long_form() -> bool {
    std::env::var_os("LIGHTS_OUT_LONG").is_some_and(|value| value == "1")
}

/// The settings of a property test with so many cases. The seed is fixed, so that each run tries the same cases;
/// `PROPTEST_RNG_SEED` sets another.
pub fn cases(count: u32) -> Config {
    let config = Config::with_cases(count);
    let rng_seed = if config.rng_seed == RngSeed::Random { RngSeed::Fixed(0) } else { config.rng_seed };
    Config { rng_seed, failure_persistence: None, ..config }
}
