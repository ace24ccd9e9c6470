//! The chip around its core: what it knows beside the emulator's own state, and the interrupts and levels that follow.
//!
//! rp2040-emu supplies the core, memory, DMA, PIO and register storage. Its own step loop is not used, because it
//! freezes PIO and DMA while the core sleeps and because nothing could be overlaid on a register. Instead the core runs
//! against a [`View`], a bus of our own. Three files share it:
//! - this one: the state ([`Around`]), pins, interrupt lines and the piezo;
//! - `passing`: how time reaches timer, PIO, DMA and the LED wire;
//! - `registers`: what the core finds when it reads or writes an address.
//!
//! Interrupt lines are levels. A line that is high makes its interrupt pending unless its handler is at work; it is looked
//! at whenever the core gives control back. The emulator's core does not let a more urgent interrupt break into the
//! handler of a less urgent one; [`View::is_preempted`] tells the machine when it has to.

use crate::clock::Clock;
use crate::gpio::{LED_PIN, PIEZO_PIN, Pins};
use crate::matrix::Matrix;
use crate::passing::Activity;
use crate::timer::Timer;
use crate::watchdog::{ResetCause, Watchdog};
use crate::ws2812::Chain;
use rand_pcg::Pcg32;
use rp2040_emu::Bus;
use rp2040_emu::bus::{ADC_BASE, DMA_BASE, PWM_BASE};
use std::collections::BTreeMap;

/// The RP2040's register aliases: 0 write, 1 xor, 2 set, 3 clear.
pub(crate) fn alias(old: u32, value: u32, alias: u32) -> u32 {
    match alias {
        1 => old ^ value,
        2 => old | value,
        3 => old & !value,
        _ => value,
    }
}

/// A logic analyser on some pins.
#[derive(Debug)]
pub(crate) struct Probe {
    /// The pins, bit = pin.
    pub mask: u32,
    /// Their levels, whenever one has changed: ns since power-on, and levels.
    pub changes: Vec<(u64, u32)>,
}

/// Everything beside core, memory and the emulator's own peripherals.
#[derive(Debug)]
pub(crate) struct Around {
    pub clock: Clock,
    /// Cycles that the core has run ahead of the peripherals.
    pub ahead: u64,
    /// The core has entered an exception.
    pub entered: bool,
    /// The core must give control back after this instruction.
    pub stop: bool,
    pub matrix: Matrix,
    /// Switch edges to come, by time and then by order of scheduling: cell and state.
    pub edges: BTreeMap<(u64, u64), (usize, bool)>,
    pub pins: Pins,
    pub probe: Option<Probe>,
    pub row_conflicts: u64,
    pub chain: Chain,
    pub timer: Timer,
    pub watchdog: Watchdog,
    /// A reset that the firmware asked for.
    pub reset: Option<ResetCause>,
    /// The oscillator was told to stop.
    pub dormant: bool,
    /// When the crystal is stable, ns since power-on; `None` while it is off.
    pub crystal: Option<u64>,
    pub random: Pcg32,
    pub pio: [Activity; 2],
    /// A DMA channel may be at work.
    pub dma: bool,
    /// A mishap: the DMA does nothing any more.
    pub dma_stopped: bool,
    /// UART, SPI, I2C, ADC or PWM may be at work.
    pub others: bool,
    /// The piezo's registers may have changed.
    pub sound_changed: bool,
    pub tone: Option<u32>,
}

impl Around {
    pub fn new(matrix: Matrix, chain: Chain, seed: u64) -> Self {
        Self {
            clock: Clock::new(rp2040_emu::ROSC_FREQ_HZ),
            ahead: 0,
            entered: false,
            stop: false,
            matrix,
            edges: BTreeMap::new(),
            pins: Pins::default(),
            probe: None,
            row_conflicts: 0,
            chain,
            timer: Timer::default(),
            watchdog: Watchdog::default(),
            reset: None,
            dormant: false,
            crystal: None,
            random: Pcg32::new(seed, 0x05c),
            pio: Default::default(),
            dma: false,
            dma_stopped: false,
            others: false,
            sound_changed: true,
            tone: None,
        }
    }

    /// Something beyond the core is at work, so time must pass in small steps.
    pub fn is_busy(&self) -> bool {
        self.dma || self.pio[0].moving || self.pio[1].moving
    }
}

/// The bus as the core sees it.
pub(crate) struct View<'a> {
    pub bus: &'a mut Bus,
    pub around: &'a mut Around,
}

impl View<'_> {
    /// The moment the core is at.
    pub fn now(&self) -> u64 {
        self.around.clock.ns_after(self.around.ahead)
    }

    /// The chip was reset: whatever was known of it is looked at again.
    pub fn restarted(&mut self) {
        self.around.ahead = 0;
        self.around.pio = Default::default();
        (self.around.dma, self.around.dma_stopped) = (false, false);
        (self.around.others, self.around.dormant) = (false, false);
        self.around.sound_changed = true;
        self.clocks_changed();
        let now = self.now();
        self.around.timer.reset(now);
        self.around.pins.configure(self.bus);
        self.pins_changed();
    }

    /// The firmware may have chosen other clocks. (A clock that does not run leaves the last frequency.)
    pub fn clocks_changed(&mut self) {
        if self.bus.sys_clk_hz() != 0 {
            self.around.clock.set_frequency(self.bus.sys_clk_hz());
        }
        let now = self.now();
        let cycles = self.around.watchdog.tick_cycles();
        self.around.timer.set_rate(self.bus.ref_clk_hz(), cycles, now);
    }

    /// The interrupt lines that are high: each raises its interrupt unless its handler is at work.
    pub fn raise_interrupts(&mut self) {
        const DMA_STATUS: [u32; 2] = [DMA_BASE + 0x40C, DMA_BASE + 0x41C];
        let now = self.now();
        let mut lines = self.around.timer.poll(now);
        for (block, pio) in self.bus.pio.iter().enumerate() {
            if pio.any_sm_enabled() {
                lines |= u32::from(pio.int0_ints_rp2040() != 0) << (7 + 2 * block);
                lines |= u32::from(pio.int1_ints_rp2040() != 0) << (8 + 2 * block);
            }
        }
        lines |= u32::from(self.bus.read32(DMA_STATUS[0]) != 0) << 11;
        lines |= u32::from(self.bus.read32(DMA_STATUS[1]) != 0) << 12;
        lines |= u32::from(self.around.pins.interrupt(self.bus)) << 13;
        if self.around.others {
            let pwm = self.bus.read32(PWM_BASE + 0xB0) != 0;
            let adc = self.bus.read32(ADC_BASE + 0x20) != 0;
            lines |= u32::from(pwm) << 4 | u32::from(adc) << 22;
            self.around.others = pwm || adc || !self.bus.all_peripherals_idle();
        }
        let active = (self.bus.ppb[0].active >> 16) as u32;
        self.bus.nvics[0].pending |= lines & !active;
    }

    /// An interrupt is waiting that is more urgent than every exception at work (a lower number is more urgent).
    pub fn is_preempted(&self) -> bool {
        let (nvic, ppb) = (&self.bus.nvics[0], &self.bus.ppb[0]);
        let running = bits(ppb.active).map(|exception| match exception {
            0..16 => ppb.exception_priority(exception as u16),
            _ => i16::from(nvic.priority[(exception as usize - 16) & 31]),
        });
        let waiting = bits(nvic.pending_and_enabled().into()).map(|line| i16::from(nvic.priority[line as usize]));
        running.min().unwrap_or(i16::MAX) > waiting.min().unwrap_or(i16::MAX)
    }

    /// Switches that are due now change.
    pub fn apply_edges(&mut self) {
        let now = self.now();
        let mut changed = false;
        while let Some(entry) = self.around.edges.first_entry().filter(|entry| entry.key().0 <= now) {
            let (cell, closed) = entry.remove();
            self.around.matrix.set(cell, closed);
            changed = true;
        }
        if changed {
            self.pins_changed();
        }
    }

    /// Works out the levels on the board again; the LED wire may be one of them.
    pub fn pins_changed(&mut self) {
        let conflict = self.around.pins.conflict;
        self.around.pins.refresh(self.bus, &self.around.matrix);
        self.around.row_conflicts += u64::from(self.around.pins.conflict && !conflict);
        let led = self.around.pins.levels() >> LED_PIN & 1 != 0;
        let now = self.now();
        self.around.chain.edge(now, led);
        if let Some(Probe { mask, changes }) = &mut self.around.probe {
            let levels = self.around.pins.levels() & *mask;
            if changes.last().is_none_or(|(_, last)| *last != levels) {
                changes.push((now, levels));
            }
        }
        self.bus.gpio_in = self.around.pins.levels();
    }

    /// The piezo's tone in Hz, from the registers of its PWM slice.
    pub fn tone(&mut self) -> Option<u32> {
        const FUNCTION_PWM: u32 = 4;
        let slice = PWM_BASE + (PIEZO_PIN / 2 % 8) * 0x14;
        let [control, divider, _, compare, top] = [0, 4, 8, 12, 16].map(|offset| self.bus.read32(slice + offset));
        let level = if PIEZO_PIN % 2 == 1 { compare >> 16 } else { compare & 0xFFFF };
        let connected = self.bus.io_bank0.funcsel(PIEZO_PIN as usize) == FUNCTION_PWM;
        if !connected || control & 1 == 0 || level == 0 || level > top {
            return None;
        }
        // The divider has four fractional bits; a phase-correct counter goes up and down.
        let period = u64::from(divider.max(16)) * u64::from(top + 1) * if control & 2 != 0 { 2 } else { 1 };
        u32::try_from((u64::from(self.bus.sys_clk_hz()) * 16 + period / 2) / period).ok()
    }
}

/// The numbers of the bits that are set.
fn bits(mut mask: u64) -> impl Iterator<Item = u32> {
    core::iter::from_fn(move || {
        let bit = mask.trailing_zeros();
        mask &= mask.wrapping_sub(1);
        (bit < 64).then_some(bit)
    })
}
