//! Test support for several modules.

pub(crate) mod boards;
pub(crate) mod diodes;

use proptest::test_runner::{Config, RngSeed};

/// Whether the campaigns run in their long form: `LIGHTS_OUT_LONG=1`.
pub(crate) fn is_long_campaign() -> bool {
    std::env::var_os("LIGHTS_OUT_LONG").is_some_and(|value| value == "1")
}

/// The configuration of a property test with this number of cases. The seed is fixed, so that each run tries the same
/// cases; `PROPTEST_RNG_SEED` sets another seed.
pub(crate) fn cases(count: u32) -> Config {
    let config = Config::with_cases(count);
    let rng_seed = if config.rng_seed == RngSeed::Random { RngSeed::Fixed(0) } else { config.rng_seed };
    Config { rng_seed, failure_persistence: None, ..config }
}
