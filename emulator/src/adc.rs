//! The ADC. It replaces the one of the emulator crates, which returns invented samples.
//!
//! A conversion takes 96 cycles of the 48 MHz clock and samples the pin at its start. Samples have the 8.7 effective
//! bits of the data sheet: each sample has a random error of a few counts. The reference voltage is the one on a Pico,
//! 30 mV below 3.3 V. A pin gives random samples unless its pad has the output disabled and the digital input off.
//!
//! **The first three samples are too low** after the ADC is enabled or another input is selected. Raspberry Pi's
//! example for VSYS discards its first three samples for this reason (`adc/read_vsys/power_status.c`, pull request 393
//! of pico-examples). The example gives no figure. Our assumption: the first sample is an eighth too low, and the error
//! halves with each further sample.
//!
//! Not modelled: the temperature sensor (it reads 0), and DMA.
//!
//! Times are nanoseconds since power-on. Registers are addressed by their offset in the block.

use crate::chip::alias;
use rand_core::Rng;
use rand_pcg::Pcg32;
use std::collections::VecDeque;

/// Number of inputs: four pins and the temperature sensor.
pub(crate) const CHANNELS: usize = 5;
/// Voltage at each input in millivolts; `None` where the pad is not set up for analogue input.
pub(crate) type InputVoltages = [Option<u32>; CHANNELS];

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
/// The bits of CS that store the written value: EN, TS_EN, START_MANY, AINSEL and RROBIN.
const CS_KEPT: u32 = 0x001F_700B;

const FIFO_ENABLE: u32 = 1;
const FIFO_SHIFT: u32 = 1 << 1;
const FIFO_ERROR: u32 = 1 << 2;
const EMPTY: u32 = 1 << 8;
const FULL: u32 = 1 << 9;
const UNDER: u32 = 1 << 10;
const OVER: u32 = 1 << 11;
/// The bits of FCS that store the written value: EN, SHIFT, ERR, DREQ_EN and THRESH.
const FCS_KEPT: u32 = 0x0F00_000F;

/// Length of a conversion in cycles of the 48 MHz clock.
const CONVERSION: u64 = 96;
/// Time from enabling the ADC to its first READY, in cycles of the 48 MHz clock.
const WARM_UP: u64 = 24;
/// Reference voltage in millivolts: the ADC draws 150 uA through 200 ohm, which costs 30 mV.
const REFERENCE: u32 = 3_270;
/// Number of samples that are too low after the ADC is enabled or another input is selected.
const LOW_SAMPLES: u32 = 3;
/// Largest random error of a sample, in counts.
const NOISE: u32 = 4;

/// The length of `cycles` of the 48 MHz clock.
fn nanoseconds(cycles: u64) -> u64 {
    cycles * 1_000 / 48
}

/// Registers, FIFO and the conversion in progress.
#[derive(Clone, Debug)]
pub(crate) struct Adc {
    /// Capacity of the FIFO in samples.
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
    /// When the ADC is ready after it was enabled.
    ready: u64,
    /// Number of further samples that are too low.
    low: u32,
    /// Start of the conversion in progress, and its sample: `Err` if the conversion fails.
    conversion: Option<(u64, Result<u16, u16>)>,
    /// Number of further conversions that fail (injected fault).
    pub failing: u32,
    random: Pcg32,
}

impl Adc {
    /// The state after a reset. `depth` is the capacity of the FIFO.
    pub(crate) fn new(seed: u64, depth: usize) -> Self {
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
            conversion: None,
            failing: 0,
            random: Pcg32::new(seed, 0xadc),
        }
    }

    /// Resets the block.
    pub(crate) fn reset(&mut self) {
        let random = self.random.clone();
        *self = Self { random, failing: self.failing, ..Self::new(0, self.depth) };
    }

    /// The selected input.
    fn channel(&self) -> u32 {
        self.control >> 12 & 7
    }

    /// Starts a conversion and samples the pin.
    fn begin(&mut self, now: u64, levels: &InputVoltages) {
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
        self.conversion = Some((now, if fails { Err(sample) } else { Ok(sample) }));
    }

    /// Finishes all conversions that end up to `now`.
    fn advance(&mut self, now: u64, levels: &InputVoltages) {
        while let Some((began, outcome)) = self.conversion.filter(|(began, _)| began + nanoseconds(CONVERSION) <= now) {
            self.conversion = None;
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
    pub(crate) fn read(&mut self, offset: u32, now: u64, levels: &InputVoltages) -> u32 {
        self.advance(now, levels);
        match offset {
            CS => {
                let ready = self.control & ENABLE != 0 && self.conversion.is_none() && now >= self.ready;
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

    /// Writes the register at `offset`. `kind` is the alias of the bus: 0 write, 1 xor, 2 set, 3 clear.
    pub(crate) fn write(&mut self, offset: u32, value: u32, kind: u32, now: u64, levels: &InputVoltages) {
        self.advance(now, levels);
        match offset {
            CS => self.write_control(alias(self.control, value, kind), now, levels),
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

    fn write_control(&mut self, written: u32, now: u64, levels: &InputVoltages) {
        let (was_on, channel) = (self.control & ENABLE != 0, self.channel());
        self.control = written & CS_KEPT;
        if !was_on || channel != self.channel() {
            self.low = LOW_SAMPLES;
        }
        self.errors &= !(written & ERROR_STICKY);
        if self.control & ENABLE == 0 {
            self.conversion = None;
            return;
        }
        if !was_on {
            self.ready = now + nanoseconds(WARM_UP);
        }
        if self.conversion.is_none() && written & (START_ONCE | START_MANY) != 0 {
            self.begin(now.max(self.ready), levels);
        }
    }

    /// INTR: the FIFO holds at least THRESH samples.
    fn raw(&self) -> u32 {
        let threshold = (self.fifo_control >> 24) as usize;
        u32::from(self.fifo.len() >= threshold.max(1))
    }

    /// The interrupt line.
    pub(crate) fn interrupt(&mut self, now: u64, levels: &InputVoltages) -> bool {
        self.enabled != 0 && self.read(INTS, now, levels) != 0
    }

    /// Whether the interrupt is enabled.
    pub(crate) fn is_interrupt_enabled(&self) -> bool {
        self.enabled != 0
    }

    /// When the conversion in progress ends, if the interrupt is enabled.
    pub(crate) fn next(&self) -> Option<u64> {
        self.conversion.filter(|_| self.is_interrupt_enabled()).map(|(began, _)| began + nanoseconds(CONVERSION))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A third of 4.5 V at the last pin.
    const LEVELS: InputVoltages = [Some(0), Some(0), Some(0), Some(1500), Some(0)];
    const VSYS: u32 = 3 << 12;

    fn converted(adc: &mut Adc, now: u64, levels: &InputVoltages) -> u32 {
        adc.write(CS, ENABLE | START_ONCE | VSYS, 0, now, levels);
        assert_eq!(adc.read(CS, now + 1_900, levels) & READY, 0, "a conversion takes 2 us");
        assert_eq!(adc.read(CS, now + 2_600, levels) & READY, READY);
        adc.read(RESULT, now + 2_600, levels)
    }

    #[test]
    fn samples_differ_from_the_voltage_by_noise_only() {
        let mut adc = Adc::new(1, 4);
        let all: Vec<u32> = (0..200).map(|n| converted(&mut adc, 10_000 * n, &LEVELS)).collect();
        let samples = &all[LOW_SAMPLES as usize..];
        let exact = 1500 * 4096 / REFERENCE;
        assert!(samples.iter().all(|sample| sample.abs_diff(exact) <= NOISE));
        assert!(samples.iter().any(|sample| *sample != exact), "samples have noise");
        adc.write(CS, ENABLE | START_ONCE | VSYS, 0, 3_000_000, &LEVELS);
        let later = adc.read(RESULT, 3_010_000, &[Some(0); CHANNELS]);
        assert!(later.abs_diff(exact) <= NOISE, "the pin is sampled at the start");
    }

    #[test]
    fn first_samples_are_low_after_enable_or_input_change() {
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
        assert!(lost(converted(&mut adc, 170_000, &LEVELS)) <= 5, "only the first samples are low");
    }

    #[test]
    fn digital_pin_reads_random_and_disabled_adc_reads_zero() {
        let mut adc = Adc::new(2, 4);
        let samples: Vec<u32> = (0..20).map(|n| converted(&mut adc, 10_000 * n, &[None; CHANNELS])).collect();
        assert!(samples.iter().max().zip(samples.iter().min()).is_some_and(|(most, least)| most - least > 1000));
        adc.reset();
        adc.write(CS, START_ONCE | VSYS, 0, 0, &LEVELS);
        assert_eq!((adc.read(CS, 5_000, &LEVELS) & READY, adc.read(RESULT, 5_000, &LEVELS)), (0, 0));
    }

    #[test]
    fn adc_is_ready_500_ns_after_it_is_enabled() {
        let mut adc = Adc::new(3, 4);
        adc.write(CS, ENABLE, 2, 1_000, &LEVELS);
        assert_eq!([1_400, 1_500].map(|now| adc.read(CS, now, &LEVELS) & READY), [0, READY]);
    }

    #[test]
    fn sticky_error_stays_until_it_is_cleared() {
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
    fn free_running_conversions_fill_the_fifo_and_interrupt() {
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
    fn round_robin_cycles_through_the_selected_inputs() {
        let mut adc = Adc::new(6, 4);
        adc.write(CS, ENABLE | START_MANY | (1 << 16 | 1 << 19), 0, 0, &LEVELS);
        let seen = [2_600, 4_600, 6_600].map(|now| adc.read(RESULT, now, &LEVELS) > 1_000);
        assert_eq!(seen, [false, true, false]);
    }
}
