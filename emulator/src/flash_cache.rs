//! The cache between core and flash, for honest figures of speed.
//!
//! Code runs from flash through 16 KB of cache: two ways of 1024 lines of 8 bytes. A miss fetches a line over four wires, about
//! 56 cycles at 125 MHz and some more around it. The older of the two lines of a set makes room. (Which of them the chip
//! replaces is not printed anywhere.) The emulator's core knows nothing of it, so the cycles of a miss are added from
//! outside, for instructions by the program counter, and for data. Off unless asked for, because it costs speed.

use crate::silicon::Chip;

/// Lines of one way, bytes of a line as a shift.
const SETS: usize = 1024;
const LINE: u32 = 3;
/// No line has this address.
const EMPTY: u32 = u32::MAX;

/// A cache that is modelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlashCache {
    /// What a miss costs, in cycles of the system clock: 60 to 100 at 125 MHz.
    pub miss_cycles: u32,
}

impl Default for FlashCache {
    fn default() -> Self {
        Self { miss_cycles: 60 }
    }
}

/// How often the core has looked into the cache.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CacheUse {
    /// Lines found. A run of instructions in one line counts once.
    pub hits: u64,
    /// Lines fetched from flash.
    pub misses: u64,
}

/// Which lines are in it.
#[derive(Clone, Debug)]
pub(crate) struct Cache {
    chip: Chip,
    miss: u64,
    /// By set: the line that was used last, then the other.
    sets: Vec<[u32; 2]>,
    /// The line of the last instruction.
    last: u32,
    used: CacheUse,
}

impl Cache {
    /// An empty cache.
    pub fn new(kind: FlashCache, chip: Chip) -> Self {
        Self {
            chip,
            miss: kind.miss_cycles.into(),
            sets: vec![[EMPTY; 2]; SETS],
            last: EMPTY,
            used: CacheUse::default(),
        }
    }

    /// Whether an address is that of flash, through one of its windows.
    #[inline]
    pub fn covers(&self, address: u32) -> bool {
        match self.chip {
            Chip::Rp2040 => address >> 26 == 0x10 >> 2,
            Chip::Rp2350 => address >> 27 == 0x10 >> 3,
        }
    }

    /// Forgets all lines.
    pub fn flush(&mut self) {
        self.sets.fill([EMPTY; 2]);
        self.last = EMPTY;
    }

    /// The core executes what is at `address`: the cycles it waits.
    #[inline]
    pub fn fetch(&mut self, address: u32) -> u64 {
        let line = address >> LINE;
        if line == self.last {
            return 0;
        }
        let cycles = self.read(address);
        self.last = line;
        cycles
    }

    /// The core reads data: the cycles it waits.
    pub fn read(&mut self, address: u32) -> u64 {
        // The windows of the RP2040: 0x10 the cache as usual, 0x11 without taking in new lines, 0x12 and 0x13 past the cache. Those of
        // the RP2350 are four times as wide: 0x10 the cache, 0x14 past it.
        let window = match self.chip {
            Chip::Rp2040 => address >> 24 & 3,
            Chip::Rp2350 => address >> 25 & 2,
        };
        let line = (address & 0x00FF_FFFF) >> LINE;
        let set = &mut self.sets[line as usize % SETS];
        let found = window < 2 && set.contains(&line);
        if found && set[1] == line || !found && window == 0 {
            *set = [line, set[0]];
            // The line that makes room may be that of the instruction.
            self.last = EMPTY;
        }
        if found {
            self.used.hits += 1;
            return 0;
        }
        self.used.misses += 1;
        self.miss
    }

    /// What was found and what not.
    pub fn used(&self) -> CacheUse {
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
    fn a_line_is_eight_bytes_and_a_set_holds_two() {
        let mut cache = Cache::new(FlashCache { miss_cycles: 100 }, Chip::Rp2040);
        let mut reads = |addresses: &[u32]| addresses.iter().map(|at| cache.read(FLASH + at)).collect::<Vec<_>>();
        assert_eq!(reads(&[0, 4, 7, 8, 0]), [100, 0, 0, 100, 0]);
        assert_eq!(reads(&[SAME_SET, 0, 2 * SAME_SET]), [100, 0, 100], "the third takes the place of the older");
        assert_eq!(reads(&[0, SAME_SET]), [0, 100]);
        cache.flush();
        assert_eq!(cache.read(FLASH), 100);
        assert_eq!(cache.used(), CacheUse { hits: 5, misses: 6 });
    }

    #[test]
    fn windows_past_the_cache_always_miss() {
        let mut cache = Cache::new(FlashCache::default(), Chip::Rp2040);
        assert!((0x10..0x14).all(|top| cache.covers(top << 24)) && !cache.covers(0x1400_0000) && !cache.covers(0));
        assert_eq!([0x1300_0000, 0x1300_0000, 0x1100_0000, 0x1100_0000].map(|at| cache.read(at)), [60; 4]);
        assert_eq!([FLASH, 0x1100_0000, 0x1200_0000].map(|at| cache.read(at)), [60, 0, 60]);
    }

    #[test]
    fn the_rp2350_has_one_window_past_its_cache() {
        let mut cache = Cache::new(FlashCache::default(), Chip::Rp2350);
        assert!((0x10..0x18).all(|top| cache.covers(top << 24)) && !cache.covers(0x1800_0000));
        assert_eq!([FLASH, FLASH, 0x1400_0000, 0x1400_0000].map(|at| cache.read(at)), [60, 0, 60, 60]);
    }

    #[test]
    fn instructions_of_one_line_look_once_and_notice_when_it_is_gone() {
        let mut cache = Cache::new(FlashCache::default(), Chip::Rp2040);
        assert_eq!([0, 2, 4, 6].map(|at| cache.fetch(FLASH + at)), [60, 0, 0, 0]);
        assert_eq!(cache.used(), CacheUse { hits: 0, misses: 1 });
        cache.read(FLASH + SAME_SET);
        cache.read(FLASH + 2 * SAME_SET);
        assert_eq!(cache.fetch(FLASH + 6), 60);
    }
}
