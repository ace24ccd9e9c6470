//! The flash chip, 2 or 4 MB. Erasing a 4 KB sector sets bits to one, programming a 256 B page clears bits to zero.
//!
//! A call of a boot ROM function is split into units of one sector or one page, because the chip executes one of these
//! at a time and a power cut tears one of these. Each unit takes its modelled time and takes effect at its end. A power
//! cut after a fraction of that time has these results:
//! - Program: the bytes before that fraction are programmed, in one byte only some bits are cleared, and the rest is
//!   unchanged.
//! - Erase: each zero bit becomes one with the probability of that fraction.

use crate::firmware::Firmware;
use core::time::Duration;
use rand_core::Rng;
use rand_pcg::Pcg32;

/// Size of a sector, the unit of erasing, in bytes.
pub const SECTOR: usize = 4096;
/// Size of a page, the largest unit of programming, in bytes.
pub const PAGE: usize = 256;

/// How long flash operations take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlashTimes {
    /// Time to erase a 4 KB sector: 45 ms typical, 400 ms at worst.
    pub erase: Duration,
    /// Time to program a 256 B page, from the call of the boot ROM to its return: 0.4 ms typical and 3 ms at worst in
    /// the chip, plus 0.2 ms for the slow transfer by the ROM.
    pub program: Duration,
    /// Largest deviation of one operation from these times: 0.05 means 5 % more or less. The operations of a real chip
    /// take different times, and no firmware may depend on equal times.
    pub variation: f64,
    /// Seed of the deviations. The same seed gives the same times.
    pub seed: u64,
}

impl Default for FlashTimes {
    /// Typical times without variation. Together with 9 us in embassy-rp, a page disables interrupts for 626 us, as
    /// measured with the real ROM code.
    fn default() -> Self {
        Self { erase: Duration::from_millis(45), program: Duration::from_micros(617), variation: 0.0, seed: 0 }
    }
}

impl FlashTimes {
    /// The time of a unit. `operation` is its number since power-on. Deviations are uniformly distributed.
    pub(crate) fn of(&self, unit: &Unit, operation: u64) -> Duration {
        let typical = match unit {
            Unit::Erase { .. } => self.erase,
            Unit::Program { .. } => self.program,
        };
        let random = f64::from(Pcg32::new(self.seed ^ operation << 32, 0xf2).next_u32()) / f64::from(u32::MAX);
        typical.mul_f64(1.0 + self.variation.clamp(0.0, 1.0) * (2.0 * random - 1.0))
    }
}

/// One operation of the chip: a sector or a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    Erase { offset: usize },
    Program { offset: usize, data: Vec<u8> },
}

/// The rest of a call of a flash function in the boot ROM.
///
/// The arguments come from the firmware and can have any value. Addresses beyond the chip wrap around. A length beyond
/// the size of the chip ends after one pass, so that each byte of the chip is reached once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FlashCall {
    kind: CallKind,
    offset: usize,
    left: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CallKind {
    Erase,
    Program { source: u32 },
}

impl FlashCall {
    /// Erases whole sectors of a chip of `size` bytes.
    pub(crate) fn erase(size: usize, offset: u32, length: u32) -> Self {
        let offset = offset as usize % size;
        let first = offset / SECTOR;
        let sectors = (offset + (length as usize).min(size)).div_ceil(SECTOR) - first;
        let left = if length == 0 { 0 } else { sectors.min(size / SECTOR) * SECTOR };
        Self { kind: CallKind::Erase, offset: first * SECTOR, left }
    }

    /// Programs a chip of `size` bytes with the bytes at the address `source`.
    pub(crate) fn program(size: usize, offset: u32, source: u32, length: u32) -> Self {
        let left = (length as usize).min(size);
        Self { kind: CallKind::Program { source }, offset: offset as usize % size, left }
    }

    /// Whether nothing is left to do.
    pub(crate) fn is_done(&self) -> bool {
        self.left == 0
    }

    /// Whether this is an erase, not a program.
    pub(crate) fn is_erase(&self) -> bool {
        self.kind == CallKind::Erase
    }

    /// Takes the next unit for a chip of `size` bytes. `read` returns the byte at an address.
    pub(crate) fn next_unit(&mut self, size: usize, read: impl Fn(u32) -> u8) -> Option<Unit> {
        if self.is_done() {
            return None;
        }
        let offset = self.offset;
        let (unit, length) = match &mut self.kind {
            CallKind::Erase => (Unit::Erase { offset }, SECTOR),
            CallKind::Program { source } => {
                let length = self.left.min(PAGE - offset % PAGE);
                let data = (0..length as u32).map(|at| read(source.wrapping_add(at))).collect();
                *source = source.wrapping_add(length as u32);
                (Unit::Program { offset, data }, length)
            }
        };
        self.left -= length;
        self.offset = (offset + length) % size;
        Some(unit)
    }
}

/// The content of the flash chip, and counters of its operations.
#[derive(Clone)]
pub struct Flash {
    image: Vec<u8>,
    erases: Vec<u32>,
    programs: u64,
}

impl core::fmt::Debug for Flash {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Flash").field("operations", &self.operations()).finish_non_exhaustive()
    }
}

impl Flash {
    /// A chip with this content. A shorter image is padded with 0xFF.
    pub(crate) fn new(mut image: Vec<u8>, size: usize) -> Self {
        image.resize(size, 0xFF);
        Self { image, erases: vec![0; size / SECTOR], programs: 0 }
    }

    /// Programs a firmware. The bytes after the end of the firmware stay unchanged.
    pub(crate) fn install(&mut self, firmware: &Firmware) {
        let bytes = firmware.image();
        let end = bytes.iter().rposition(|&byte| byte != 0xFF).map_or(0, |last| last + 1);
        self.image[..end].copy_from_slice(&bytes[..end]);
    }

    /// The content of the chip.
    pub fn image(&self) -> &[u8] {
        &self.image
    }

    /// Consumes the chip and returns its content.
    pub(crate) fn into_image(self) -> Vec<u8> {
        self.image
    }

    /// Number of erases of each sector since power-on.
    pub fn erases(&self) -> &[u32] {
        &self.erases
    }

    /// Number of pages programmed since power-on.
    pub fn programs(&self) -> u64 {
        self.programs
    }

    /// Number of sectors erased and pages programmed since power-on.
    pub fn operations(&self) -> u64 {
        self.programs + self.erases.iter().map(|&count| u64::from(count)).sum::<u64>()
    }

    /// Completes a unit.
    pub(crate) fn apply(&mut self, unit: &Unit) {
        match unit {
            Unit::Erase { offset } => {
                self.image[*offset..offset + SECTOR].fill(0xFF);
                self.erases[offset / SECTOR] += 1;
            }
            Unit::Program { offset, data } => {
                for (cell, byte) in self.image[*offset..].iter_mut().zip(data) {
                    *cell &= byte;
                }
                self.programs += 1;
            }
        }
    }

    /// Tears a unit: the power is cut at `fraction` (0 to 1) of its time.
    pub(crate) fn tear(&mut self, unit: &Unit, fraction: f64, seed: u64) {
        let mut random = Pcg32::new(seed, 0xf1);
        let fraction = fraction.clamp(0.0, 1.0);
        match unit {
            Unit::Erase { offset } => {
                let threshold = (fraction * f64::from(u32::MAX)) as u32;
                for cell in &mut self.image[*offset..offset + SECTOR] {
                    for bit in 0..8 {
                        if random.next_u32() < threshold {
                            *cell |= 1 << bit;
                        }
                    }
                }
            }
            Unit::Program { offset, data } => {
                let whole = (fraction * data.len() as f64) as usize;
                for (index, byte) in data.iter().enumerate().take(whole + 1) {
                    let kept = if index < whole { 0 } else { random.next_u32() as u8 };
                    self.image[offset + index] &= byte | kept;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: usize = 2 * 1024 * 1024;
    const RAM: u32 = 0x2000_0000;

    /// All units of a call, where every byte of RAM is 7.
    fn units(mut call: FlashCall) -> Vec<Unit> {
        core::iter::from_fn(|| call.next_unit(SIZE, |_| 7)).collect()
    }

    #[test]
    fn call_of_any_length_ends_after_one_pass() {
        for (offset, length) in [(0, u32::MAX), (u32::MAX, u32::MAX), (0x1F_FFFF, 0xFFFF_0000)] {
            assert_eq!(units(FlashCall::erase(SIZE, offset, length)).len(), SIZE / SECTOR);
            let pages = units(FlashCall::program(SIZE, offset, RAM, length));
            let bytes = pages.iter().map(|unit| matches!(unit, Unit::Program { data, .. } if data.len() <= PAGE));
            assert!((SIZE / PAGE..=SIZE / PAGE + 1).contains(&bytes.filter(|fits| *fits).count()));
        }
        assert!([FlashCall::erase(SIZE, 7, 0), FlashCall::program(SIZE, 7, RAM, 0)].iter().all(FlashCall::is_done));
    }

    #[test]
    fn programming_clears_bits_and_erasing_sets_bits() {
        let mut flash = Flash::new(Vec::new(), SIZE);
        flash.apply(&Unit::Program { offset: 0x1000, data: vec![0xF0; 4] });
        flash.apply(&Unit::Program { offset: 0x1000, data: vec![0x3C; 2] });
        assert_eq!(flash.image()[0x0FFF..0x1005], [0xFF, 0x30, 0x30, 0xF0, 0xF0, 0xFF]);
        flash.apply(&Unit::Erase { offset: 0x1000 });
        assert_eq!(flash.image()[0x1000..0x2000], [0xFF; SECTOR]);
        assert_eq!((flash.erases()[1], flash.programs(), flash.operations()), (1, 2, 3));
    }

    #[test]
    fn operation_times_vary_within_the_limits() {
        let times = FlashTimes { variation: 0.05, ..FlashTimes::default() };
        let erase = |times: &FlashTimes, n| times.of(&Unit::Erase { offset: 0 }, n).as_secs_f64() / 0.045;
        let shares: Vec<f64> = (0..200).map(|n| erase(&times, n)).collect();
        assert!(shares.iter().all(|share| (0.95..=1.05).contains(share)));
        assert!(shares.iter().any(|share| *share < 0.955) && shares.iter().any(|share| *share > 1.045));
        assert!(shares.windows(2).all(|pair| pair[0] != pair[1]));
        assert_eq!(shares, (0..200).map(|n| erase(&times, n)).collect::<Vec<_>>());
        assert_ne!(shares, (0..200).map(|n| erase(&FlashTimes { seed: 1, ..times }, n)).collect::<Vec<_>>());
        assert_eq!(erase(&FlashTimes::default(), 7), 1.0);
        let page = FlashTimes::default().of(&Unit::Program { offset: 0, data: vec![0; PAGE] }, 7);
        assert_eq!(page, Duration::from_micros(617));
    }

    #[test]
    fn calls_split_into_sectors_and_pages() {
        let sectors = units(FlashCall::erase(SIZE, 0x1F_F000, 0x2000));
        assert_eq!(sectors, [Unit::Erase { offset: 0x1F_F000 }, Unit::Erase { offset: 0 }]);
        let pages = units(FlashCall::program(SIZE, 0x1080, RAM, 256));
        assert_eq!(
            pages,
            [
                Unit::Program { offset: 0x1080, data: vec![7; 128] },
                Unit::Program { offset: 0x1100, data: vec![7; 128] }
            ]
        );
    }

    #[test]
    fn torn_program_has_prefix_torn_byte_and_old_rest() {
        let old = Flash::new(Vec::new(), SIZE);
        let unit = Unit::Program { offset: 0, data: vec![0; PAGE] };
        let mut torn = 0;
        for seed in 0..50 {
            let mut flash = old.clone();
            flash.tear(&unit, 0.5, seed);
            assert_eq!(flash.image()[..128], [0; 128]);
            assert_eq!(flash.image()[129..PAGE], [0xFF; 127]);
            torn += u32::from(!matches!(flash.image()[128], 0 | 0xFF));
            assert_eq!(flash.programs(), 0);
        }
        assert!(torn > 40);
        let mut whole = old.clone();
        whole.tear(&unit, 1.0, 1);
        assert_eq!(whole.image()[..PAGE], [0; PAGE]);
    }

    #[test]
    fn torn_erase_sets_its_fraction_of_the_bits() {
        let mut flash = Flash::new(vec![0; SIZE], SIZE);
        flash.tear(&Unit::Erase { offset: SECTOR }, 0.25, 9);
        let ones: u32 = flash.image()[SECTOR..2 * SECTOR].iter().map(|byte| byte.count_ones()).sum();
        assert!((7_500..8_900).contains(&ones), "{ones} of 32768");
        assert_eq!(flash.image()[2 * SECTOR], 0);
    }
}
