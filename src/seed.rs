//! The seed of the random numbers, from several sources none of which is good enough alone: the bits of the ring oscillator
//! (on some chips, and in the emulator, stuck) and the number of power-ups so far. They are hashed together, so that the seed
//! is as good as the best of them.

/// Gathers words into a seed.
#[derive(Clone, Debug)]
pub struct Seed(u64);

impl Seed {
    /// Nothing gathered yet.
    pub const fn new() -> Self {
        Self(0)
    }

    /// Stirs one word in.
    #[must_use]
    pub const fn stir(self, word: u64) -> Self {
        // The output function of SplitMix64, which spreads each bit of its input over all of its output; the increment
        // makes a word of zeros count as well.
        let mut z = (self.0 ^ word).wrapping_add(0x9E37_79B9_7F4A_7C15);
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        Self(z ^ z >> 31)
    }

    /// The seed.
    pub const fn value(self) -> u64 {
        self.0
    }
}

impl Default for Seed {
    fn default() -> Self {
        Self::new()
    }
}
