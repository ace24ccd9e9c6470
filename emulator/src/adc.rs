//! The analogue converter, in place of the emulator's, which makes its samples up.
//!
//! A conversion takes 96 cycles of the 48 MHz clock and holds what was at the pin when it began. Samples are as good as the data
//! sheet's 8.7 effective bits: some counts off, each by itself. The reference is what a Pico gives it, 30 mV less than 3.3 V. A pin whose
//! digital side is not switched off in its pad (output disabled, no input) gives rubbish.
//!
//! **The first samples are low**: three of them after it was enabled or another input was selected. Raspberry Pi's
//! example for VSYS discards its first three samples for this reason (`adc/read_vsys/power_status.c`, pull request 393
//! of pico-examples). It gives no figure. That an eighth is missing in the first, and half as much in each that follows,
//! is our assumption.
//!
//! Not modelled: the temperature sensor (0), and DMA.
//!
//! Time comes in as ns since power-on; registers are addressed by their offset in the block.

use crate::chip::alias;
use rand_core::Rng;
use rand_pcg::Pcg32;
use std::collections::VecDeque;

/// Inputs: four pins and the temperature sensor.
pub const CHANNELS: usize = 5;
/// What is at each input, in millivolts; `None` where the pin is not set up for it.
pub type Levels = [Option<u32>; CHANNELS];

const CS: u32 = 0x00;
const RESULT: u32 = 0x04;
const FCS: u32 = 0x08;
const FIFO: u32 = 0x0C;
const DIV: u32 = 0x10;
const INTR: u32 = 0x14;
const INTE: u32 = 0x18;
const INTF: u32 = 0x1C;
const INTS: u32 = 0x20;

const ENABLE: u32 = 1;
const START_ONCE: u32 = 1 << 2;
const START_MANY: u32 = 1 << 3;
const READY: u32 = 1 << 8;
const ERROR: u32 = 1 << 9;
const ERROR_STICKY: u32 = 1 << 10;
/// EN, TS_EN, START_MANY, AINSEL and RROBIN: what stays as written.
const CS_KEPT: u32 = 0x001F_700B;

const FIFO_ENABLE: u32 = 1;
const FIFO_SHIFT: u32 = 1 << 1;
const FIFO_ERROR: u32 = 1 << 2;
const EMPTY: u32 = 1 << 8;
const FULL: u32 = 1 << 9;
const UNDER: u32 = 1 << 10;
const OVER: u32 = 1 << 11;
/// EN, SHIFT, ERR, DREQ_EN and THRESH.
const FCS_KEPT: u32 = 0x0F00_000F;

/// Of a conversion, and of becoming ready after being enabled, in cycles of its clock.
const CONVERSION: u64 = 96;
const WARM_UP: u64 = 24;
/// Its reference in millivolts: the 150 uA that it draws through 200 ohm are missing.
const REFERENCE: u32 = 3_270;
/// So many samples are low after it was enabled, or another input was selected.
const LOW_SAMPLES: u32 = 3;
/// How far off a sample may be.
const NOISE: u32 = 4;

fn nanoseconds(cycles: u64) -> u64 {
    cycles * 1_000 / 48
}

/// The converter.
#[derive(Clone, Debug)]
pub(crate) struct Adc {
    /// Samples that the FIFO holds.
    depth: usize,
    control: u32,
    fifo_control: u32,
    /// UNDER and OVER.
    fifo_faults: u32,
    divider: u32,
    enabled: u32,
    forced: u32,
    fifo: VecDeque<u16>,
    result: u16,
    /// ERR and ERR_STICKY.
    errors: u32,
    ready: u64,
    /// Samples to come that are low.
    low: u32,
    /// When the conversion at work began, and what it will give.
    work: Option<(u64, Result<u16, u16>)>,
    /// So many conversions to come fail.
    pub failing: u32,
    random: Pcg32,
}

impl Adc {
    /// As after a reset.
    pub fn new(seed: u64, depth: usize) -> Self {
        Self {
            depth,
            control: 0,
            fifo_control: 0,
            fifo_faults: 0,
            divider: 0,
            enabled: 0,
            forced: 0,
            fifo: VecDeque::new(),
            result: 0,
            errors: 0,
            ready: 0,
            low: LOW_SAMPLES,
            work: None,
            failing: 0,
            random: Pcg32::new(seed, 0xadc),
        }
    }

    /// The block is reset.
    pub fn reset(&mut self) {
        let random = self.random.clone();
        *self = Self { random, failing: self.failing, ..Self::new(0, self.depth) };
    }

    fn channel(&self) -> u32 {
        self.control >> 12 & 7
    }

    /// What a conversion that begins now will give.
    fn begin(&mut self, now: u64, levels: &Levels) {
        let level = levels.get(self.channel() as usize).copied().unwrap_or(Some(0));
        let noise = self.random.next_u32();
        let sample = match level {
            Some(millivolts) => {
                let missing = if self.low > 0 { millivolts >> (3 + LOW_SAMPLES - self.low) } else { 0 };
                ((millivolts - missing) * 4096 / REFERENCE + noise % (2 * NOISE + 1)).saturating_sub(NOISE).min(4095)
            }
            None => noise >> 20,
        } as u16;
        self.low = self.low.saturating_sub(1);
        let fails = self.failing > 0;
        self.failing -= u32::from(fails);
        self.work = Some((now, if fails { Err(sample) } else { Ok(sample) }));
    }

    /// Does what is to be done up to now.
    fn advance(&mut self, now: u64, levels: &Levels) {
        while let Some((began, outcome)) = self.work.filter(|(began, _)| began + nanoseconds(CONVERSION) <= now) {
            self.work = None;
            let (sample, failed) = outcome.map_or_else(|sample| (sample, true), |sample| (sample, false));
            self.result = sample;
            self.errors = self.errors & ERROR_STICKY | if failed { ERROR | ERROR_STICKY } else { 0 };
            if self.fifo_control & FIFO_ENABLE != 0 {
                let shift = if self.fifo_control & FIFO_SHIFT != 0 { 4 } else { 0 };
                let mark = u16::from(failed && self.fifo_control & FIFO_ERROR != 0) << 15;
                if self.fifo.len() < self.depth {
                    self.fifo.push_back(sample >> shift | mark);
                } else {
                    self.fifo_faults |= OVER;
                }
            }
            let robin = self.control >> 16 & 0x1F;
            if let Some(next) = (1..=CHANNELS as u32).map(|n| (self.channel() + n) % 5).find(|n| robin >> n & 1 != 0) {
                self.control = self.control & !(7 << 12) | next << 12;
            }
            if self.control & START_MANY != 0 {
                let period = (1 + u64::from(self.divider >> 8)).max(CONVERSION);
                self.begin(began + nanoseconds(period), levels);
            }
        }
    }

    /// Reads the register at `offset`.
    pub fn read(&mut self, offset: u32, now: u64, levels: &Levels) -> u32 {
        self.advance(now, levels);
        match offset {
            CS => {
                let ready = self.control & ENABLE != 0 && self.work.is_none() && now >= self.ready;
                self.control | self.errors | if ready { READY } else { 0 }
            }
            RESULT => self.result.into(),
            FCS => {
                let level = self.fifo.len();
                let full = if level == self.depth { FULL } else { 0 };
                let empty = if level == 0 { EMPTY } else { 0 };
                self.fifo_control | self.fifo_faults | (level as u32) << 16 | full | empty
            }
            FIFO => self.fifo.pop_front().map_or_else(
                || {
                    self.fifo_faults |= UNDER;
                    0
                },
                u32::from,
            ),
            DIV => self.divider,
            INTR => self.raw(),
            INTE => self.enabled,
            INTF => self.forced,
            INTS => (self.raw() | self.forced) & self.enabled,
            _ => 0,
        }
    }

    /// Writes the register at `offset`; `kind` is the bus's 0 write, 1 xor, 2 set, 3 clear.
    pub fn write(&mut self, offset: u32, value: u32, kind: u32, now: u64, levels: &Levels) {
        self.advance(now, levels);
        match offset {
            CS => {
                let written = alias(self.control, value, kind);
                let (was_on, channel) = (self.control & ENABLE != 0, self.channel());
                self.control = written & CS_KEPT;
                if !was_on || channel != self.channel() {
                    self.low = LOW_SAMPLES;
                }
                self.errors &= !(written & ERROR_STICKY);
                if self.control & ENABLE == 0 {
                    self.work = None;
                } else {
                    if !was_on {
                        self.ready = now + nanoseconds(WARM_UP);
                    }
                    if self.work.is_none() && written & (START_ONCE | START_MANY) != 0 {
                        self.begin(now.max(self.ready), levels);
                    }
                }
            }
            FCS => {
                let written = alias(self.fifo_control, value, kind);
                self.fifo_control = written & FCS_KEPT;
                self.fifo_faults &= !written;
            }
            DIV => self.divider = alias(self.divider, value, kind) & 0x00FF_FFFF,
            INTE => self.enabled = alias(self.enabled, value, kind) & 1,
            INTF => self.forced = alias(self.forced, value, kind) & 1,
            _ => {}
        }
    }

    /// The FIFO has as many samples as THRESH asks for.
    fn raw(&self) -> u32 {
        let threshold = (self.fifo_control >> 24) as usize;
        u32::from(self.fifo.len() >= threshold.max(1))
    }

    /// The interrupt line.
    pub fn interrupt(&mut self, now: u64, levels: &Levels) -> bool {
        self.enabled != 0 && self.read(INTS, now, levels) != 0
    }

    /// Whether anybody waits for its interrupt.
    pub fn is_watched(&self) -> bool {
        self.enabled != 0
    }

    /// When the conversion at work ends, if anybody waits for it.
    pub fn next(&self) -> Option<u64> {
        self.work.filter(|_| self.is_watched()).map(|(began, _)| began + nanoseconds(CONVERSION))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A third of 4.5 V at the last pin.
    const LEVELS: Levels = [Some(0), Some(0), Some(0), Some(1500), Some(0)];
    const VSYS: u32 = 3 << 12;

    fn converted(adc: &mut Adc, now: u64, levels: &Levels) -> u32 {
        adc.write(CS, ENABLE | START_ONCE | VSYS, 0, now, levels);
        assert_eq!(adc.read(CS, now + 1_900, levels) & READY, 0, "a conversion takes its time");
        assert_eq!(adc.read(CS, now + 2_600, levels) & READY, READY);
        adc.read(RESULT, now + 2_600, levels)
    }

    #[test]
    fn a_sample_is_what_was_at_the_pin_within_some_counts() {
        let mut adc = Adc::new(1, 4);
        let all: Vec<u32> = (0..200).map(|n| converted(&mut adc, 10_000 * n, &LEVELS)).collect();
        let samples = &all[LOW_SAMPLES as usize..];
        let exact = 1500 * 4096 / REFERENCE;
        assert!(samples.iter().all(|sample| sample.abs_diff(exact) <= NOISE));
        assert!(samples.iter().any(|sample| *sample != exact), "and not always the same");
        adc.write(CS, ENABLE | START_ONCE | VSYS, 0, 3_000_000, &LEVELS);
        let later = adc.read(RESULT, 3_010_000, &[Some(0); CHANNELS]);
        assert!(later.abs_diff(exact) <= NOISE, "it holds what was there at the beginning");
    }

    #[test]
    fn first_samples_are_low_after_enable_and_change_of_input() {
        let mut adc = Adc::new(7, 4);
        let lost = |sample: u32| (1500 * 4096 / REFERENCE).saturating_sub(sample);
        let expect_low = |adc: &mut Adc, now: u64| {
            let lost = [0, 1, 2, 3].map(|n| lost(converted(adc, now + 10_000 * n, &LEVELS)));
            let expected = [234, 117, 58, 0];
            assert!(lost.iter().zip(expected).all(|(lost, expected)| lost.abs_diff(expected) <= 5), "{lost:?}");
        };
        expect_low(&mut adc, 0);
        adc.write(CS, ENABLE, 0, 50_000, &LEVELS);
        expect_low(&mut adc, 60_000);
        adc.write(CS, 0, 0, 110_000, &LEVELS);
        expect_low(&mut adc, 120_000);
        assert!(lost(converted(&mut adc, 170_000, &LEVELS)) <= 5, "and not again");
    }

    #[test]
    fn a_pin_that_is_not_set_up_gives_rubbish_and_a_converter_that_is_off_nothing() {
        let mut adc = Adc::new(2, 4);
        let samples: Vec<u32> = (0..20).map(|n| converted(&mut adc, 10_000 * n, &[None; CHANNELS])).collect();
        assert!(samples.iter().max().zip(samples.iter().min()).is_some_and(|(most, least)| most - least > 1000));
        adc.reset();
        adc.write(CS, START_ONCE | VSYS, 0, 0, &LEVELS);
        assert_eq!((adc.read(CS, 5_000, &LEVELS) & READY, adc.read(RESULT, 5_000, &LEVELS)), (0, 0));
    }

    #[test]
    fn it_is_ready_a_little_after_it_was_enabled() {
        let mut adc = Adc::new(3, 4);
        adc.write(CS, ENABLE, 2, 1_000, &LEVELS);
        assert_eq!([1_400, 1_500].map(|now| adc.read(CS, now, &LEVELS) & READY), [0, READY]);
    }

    #[test]
    fn errors_are_told_and_the_sticky_one_until_it_is_cleared() {
        let mut adc = Adc::new(4, 4);
        adc.failing = 1;
        converted(&mut adc, 0, &LEVELS);
        assert_eq!(adc.read(CS, 5_000, &LEVELS) & (ERROR | ERROR_STICKY), ERROR | ERROR_STICKY);
        converted(&mut adc, 10_000, &LEVELS);
        assert_eq!(adc.read(CS, 15_000, &LEVELS) & (ERROR | ERROR_STICKY), ERROR_STICKY);
        adc.write(CS, ERROR_STICKY, 2, 16_000, &LEVELS);
        assert_eq!(adc.read(CS, 16_000, &LEVELS) & ERROR_STICKY, 0);
    }

    #[test]
    fn many_conversions_fill_the_fifo_at_the_pace_of_the_divider_and_interrupt() {
        let mut adc = Adc::new(5, 4);
        adc.write(FCS, FIFO_ENABLE | 2 << 24, 0, 0, &LEVELS);
        adc.write(INTE, 1, 0, 0, &LEVELS);
        adc.write(DIV, 479 << 8, 0, 0, &LEVELS);
        adc.write(CS, ENABLE | START_MANY | VSYS, 0, 0, &LEVELS);
        assert_eq!(adc.next(), Some(2_500), "after the warm-up");
        assert_eq!([2_600, 12_400, 12_600].map(|now| adc.interrupt(now, &LEVELS)), [false, false, true]);
        assert_eq!(adc.read(FCS, 100_000, &LEVELS) & (FULL | OVER), FULL | OVER);
        assert_eq!(adc.read(FCS, 100_000, &LEVELS) >> 16 & 0xF, 4);
        adc.write(CS, START_MANY, 3, 100_000, &LEVELS);
        (0..4).for_each(|_| assert!(adc.read(FIFO, 200_000, &LEVELS) > 1_000));
        assert_eq!(adc.read(FIFO, 200_000, &LEVELS), 0);
        assert_eq!(adc.read(FCS, 200_000, &LEVELS) & (EMPTY | UNDER), EMPTY | UNDER);
        adc.write(FCS, UNDER | OVER, 2, 200_000, &LEVELS);
        assert_eq!(adc.read(FCS, 200_000, &LEVELS) & (UNDER | OVER), 0);
        assert!(!adc.interrupt(200_000, &LEVELS));
    }

    #[test]
    fn the_channels_take_turns() {
        let mut adc = Adc::new(6, 4);
        adc.write(CS, ENABLE | START_MANY | (1 << 16 | 1 << 19), 0, 0, &LEVELS);
        let seen = [2_600, 4_600, 6_600].map(|now| adc.read(RESULT, now, &LEVELS) > 1_000);
        assert_eq!(seen, [false, true, false]);
    }
}
