//! The seed of the random numbers. It is a hash of several sources, because none of them is good enough alone: the
//! bits of the ring oscillator do not change on some chips and in the emulator, and the number of power-ups can be
//! guessed. The hash is as unpredictable as the best source.

/// A hash of words from all sources.
#[derive(Clone, Debug)]
pub struct Seed(u64);

impl Seed {
    /// The hash of no words.
    pub const fn new() -> Self {
        Self(0)
    }

    /// Adds one word to the hash.
    #[must_use]
    pub const fn stir(self, word: u64) -> Self {
        // The output function of SplitMix64: each bit of its input affects all bits of its output. With the increment,
        // a word of zeros changes the hash as well.
        let mut z = (self.0 ^ word).wrapping_add(0x9E37_79B9_7F4A_7C15);
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        Self(z ^ z >> 31)
    }

    /// The hash of all words: the seed.
    pub const fn value(self) -> u64 {
        self.0
    }
}

impl Default for Seed {
    fn default() -> Self {
        Self::new()
    }
}
