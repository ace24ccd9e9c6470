//! The cache between core and flash (XIP cache), for realistic cycle counts.
//!
//! Code in flash runs through 16 KB of cache: two ways of 1024 lines of 8 bytes. A miss fetches a line by quad SPI,
//! about 56 cycles at 125 MHz plus some overhead. The older of the two lines of a set is replaced (our assumption: the
//! replacement policy of the chip is not documented). The emulator crates do not model the cache, so the cycles of a
//! miss are added here, for instruction fetches and for data reads. The model is off by default, because it costs
//! speed.

use crate::chip_interface::Chip;

/// Number of lines of one way.
const SETS: usize = 1024;
/// Binary logarithm of the line size of 8 bytes.
const LINE: u32 = 3;
/// Marks an empty line: no line has this number.
const EMPTY: u32 = u32::MAX;

/// Parameters of the flash cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlashCache {
    /// Wait time of a miss in cycles of the system clock: 60 to 100 at 125 MHz.
    pub miss_cycles: u32,
}

impl Default for FlashCache {
    fn default() -> Self {
        Self { miss_cycles: 60 }
    }
}

/// Hit and miss counters of the flash cache.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CacheUse {
    /// Number of hits. Consecutive instructions in one line count once.
    pub hits: u64,
    /// Number of misses.
    pub misses: u64,
}

/// The content and the counters of the flash cache.
#[derive(Clone, Debug)]
pub(crate) struct Cache {
    chip: Chip,
    miss: u64,
    /// The two lines of each set, the most recently used one first.
    sets: Vec<[u32; 2]>,
    /// The line of the last instruction fetch.
    last: u32,
    used: CacheUse,
}

impl Cache {
    /// An empty cache.
    pub(crate) fn new(kind: FlashCache, chip: Chip) -> Self {
        Self {
            chip,
            miss: kind.miss_cycles.into(),
            sets: vec![[EMPTY; 2]; SETS],
            last: EMPTY,
            used: CacheUse::default(),
        }
    }

    /// Whether an address is in one of the address windows of the flash.
    #[inline]
    pub(crate) fn covers(&self, address: u32) -> bool {
        match self.chip {
            Chip::Rp2040 => address >> 26 == 0x10 >> 2,
            Chip::Rp2350 => address >> 27 == 0x10 >> 3,
        }
    }

    /// Empties the cache.
    pub(crate) fn flush(&mut self) {
        self.sets.fill([EMPTY; 2]);
        self.last = EMPTY;
    }

    /// Instruction fetch at `address`. Returns the cycles that the core waits.
    #[inline]
    pub(crate) fn fetch(&mut self, address: u32) -> u64 {
        let line = address >> LINE;
        if line == self.last {
            return 0;
        }
        let cycles = self.read(address);
        self.last = line;
        cycles
    }

    /// Data read at `address`. Returns the cycles that the core waits.
    pub(crate) fn read(&mut self, address: u32) -> u64 {
        // Address windows of the RP2040 by the upper byte: 0x10 cached, 0x11 cached without allocation, 0x12 and 0x13
        // uncached. The windows of the RP2350 are four times as wide: 0x10 cached, 0x14 uncached.
        let window = match self.chip {
            Chip::Rp2040 => address >> 24 & 3,
            Chip::Rp2350 => address >> 25 & 2,
        };
        let line = (address & 0x00FF_FFFF) >> LINE;
        let set = &mut self.sets[line as usize % SETS];
        let found = window < 2 && set.contains(&line);
        if found && set[1] == line || !found && window == 0 {
            *set = [line, set[0]];
            // The line that was replaced may be the one of the last instruction.
            self.last = EMPTY;
        }
        if found {
            self.used.hits += 1;
            return 0;
        }
        self.used.misses += 1;
        self.miss
    }

    /// The counters.
    pub(crate) fn used(&self) -> CacheUse {
        self.used
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FLASH: u32 = 0x1000_0000;
    /// Addresses this far apart share a set.
    const SAME_SET: u32 = 8 * 1024;

    #[test]
    fn line_has_8_bytes_and_set_has_two_lines() {
        let mut cache = Cache::new(FlashCache { miss_cycles: 100 }, Chip::Rp2040);
        let mut reads = |addresses: &[u32]| addresses.iter().map(|at| cache.read(FLASH + at)).collect::<Vec<_>>();
        assert_eq!(reads(&[0, 4, 7, 8, 0]), [100, 0, 0, 100, 0]);
        assert_eq!(reads(&[SAME_SET, 0, 2 * SAME_SET]), [100, 0, 100], "the third line replaces the older one");
        assert_eq!(reads(&[0, SAME_SET]), [0, 100]);
        cache.flush();
        assert_eq!(cache.read(FLASH), 100);
        assert_eq!(cache.used(), CacheUse { hits: 5, misses: 6 });
    }

    #[test]
    fn uncached_windows_always_miss() {
        let mut cache = Cache::new(FlashCache::default(), Chip::Rp2040);
        assert!((0x10..0x14).all(|top| cache.covers(top << 24)) && !cache.covers(0x1400_0000) && !cache.covers(0));
        assert_eq!([0x1300_0000, 0x1300_0000, 0x1100_0000, 0x1100_0000].map(|at| cache.read(at)), [60; 4]);
        assert_eq!([FLASH, 0x1100_0000, 0x1200_0000].map(|at| cache.read(at)), [60, 0, 60]);
    }

    #[test]
    fn rp2350_has_one_uncached_window() {
        let mut cache = Cache::new(FlashCache::default(), Chip::Rp2350);
        assert!((0x10..0x18).all(|top| cache.covers(top << 24)) && !cache.covers(0x1800_0000));
        assert_eq!([FLASH, FLASH, 0x1400_0000, 0x1400_0000].map(|at| cache.read(at)), [60, 0, 60, 60]);
    }

    #[test]
    fn fetches_in_one_line_count_once_until_it_is_replaced() {
        let mut cache = Cache::new(FlashCache::default(), Chip::Rp2040);
        assert_eq!([0, 2, 4, 6].map(|at| cache.fetch(FLASH + at)), [60, 0, 0, 0]);
        assert_eq!(cache.used(), CacheUse { hits: 0, misses: 1 });
        cache.read(FLASH + SAME_SET);
        cache.read(FLASH + 2 * SAME_SET);
        assert_eq!(cache.fetch(FLASH + 6), 60);
    }
}
