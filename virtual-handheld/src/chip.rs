//! The chip around its core: what it knows beside the emulator's own state, and the interrupts and levels that follow.
//!
//! rp2040-emu supplies the core, memory, DMA, PIO and register storage. Its own step loop is not used, because it
//! freezes PIO and DMA while the core sleeps and because nothing could be overlaid on a register. Instead the core runs
//! against a [`View`], a bus of our own. Four files share it:
//! - this one: the state ([`ChipState`]), interrupt lines, pins and the piezo;
//! - `elapse`: how time reaches timer, PIO, DMA and the LED wire;
//! - `core_bus`: where an address that the core reads or writes goes;
//! - `registers`: what it finds there if that is a peripheral.
//!
//! Interrupt lines are levels. A line that is high makes its interrupt pending unless its handler is at work; it is looked
//! at whenever the core gives control back. The emulator's core does not let a more urgent interrupt break into the
//! handler of a less urgent one; [`View::is_preempted`] tells the machine when it has to.

use crate::clock::Clock;
use crate::elapse::Activity;
use crate::flash_cache::Cache;
use crate::gpio::Pins;
use crate::matrix::Matrix;
use crate::memory_power::MemoryPower;
use crate::options::Options;
use crate::pwm::Pwm;
use crate::timer::Timer;
use crate::watchdog::{ResetCause, Watchdog};
use crate::ws2812::{Chain, ChainKind};
use lights_out::wiring::Wiring;
use rand_pcg::Pcg32;
use rp2040_emu::Bus;
use rp2040_emu::bus::{ADC_BASE, DMA_BASE};
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
pub(crate) struct ChipState {
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
    /// When their levels were last worked out, ns since power-on.
    pins_at: u64,
    pub probe: Option<Probe>,
    pub row_conflicts: u64,
    /// The LEDs' supply hangs on its pin.
    supply_switch: bool,
    pub chain: Chain,
    pub timer: Timer,
    pub watchdog: Watchdog,
    /// The cache before the flash, if it is modelled.
    pub flash_cache: Option<Cache>,
    pub memory: MemoryPower,
    pub pwm: Pwm,
    /// The cycle at which the PWM next does something that anybody looks at.
    pub pwm_due: Option<u64>,
    /// Interrupts that a test raises: lines by the cycle at which they become pending.
    pub raised: BTreeMap<u64, u32>,
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
    /// UART, SPI, I2C or ADC may be at work.
    pub others: bool,
    /// The registers of the PWM or its pins may have changed.
    pub sound_changed: bool,
    pub tone: Option<u32>,
}

impl ChipState {
    pub fn new(options: &Options) -> Self {
        let rise = u64::try_from(options.rise.as_nanos()).unwrap_or(u64::MAX / 2);
        Self {
            clock: Clock::new(rp2040_emu::ROSC_FREQ_HZ),
            ahead: 0,
            entered: false,
            stop: false,
            matrix: Matrix::new(options.diodes, options.open),
            edges: BTreeMap::new(),
            pins: Pins::new(options.wiring, rise, options.seed),
            pins_at: 0,
            supply_switch: options.supply_switch,
            probe: None,
            row_conflicts: 0,
            chain: Chain::new(ChainKind {
                latch: options.latch,
                colour_order: options.colour_order,
                supply_rise: options.supply_rise,
            }),
            timer: Timer::default(),
            watchdog: Watchdog::default(),
            flash_cache: options.flash_cache.map(Cache::new),
            memory: MemoryPower::default(),
            pwm: Pwm::default(),
            pwm_due: None,
            raised: BTreeMap::new(),
            reset: None,
            dormant: false,
            crystal: None,
            random: Pcg32::new(options.seed, 0x05c),
            pio: Default::default(),
            dma: false,
            dma_stopped: false,
            others: false,
            sound_changed: true,
            tone: None,
        }
    }

    /// Which pin does what.
    pub fn wiring(&self) -> &Wiring {
        self.pins.wiring()
    }

    /// When a pin next changes by itself: a switch that moves, or a line that has risen. In ns since power-on.
    pub fn next_pin_event(&self) -> Option<u64> {
        let edge = self.edges.first_key_value().map(|((at, _), _)| *at);
        edge.into_iter().chain(self.pins.next_rise()).min()
    }

    /// When a test raises the next interrupt, ns since power-on.
    pub fn next_raised(&self) -> Option<u64> {
        let cycle = *self.raised.first_key_value()?.0;
        Some(self.clock.ns_after(cycle.saturating_sub(self.clock.cycles())))
    }

    /// When the PWM next does something that anybody looks at, ns since power-on.
    pub fn next_pwm(&self) -> Option<u64> {
        Some(self.clock.ns_after(self.pwm_due?.saturating_sub(self.clock.cycles())))
    }

    /// Levels of all pins as they are at this moment, bit = pin.
    pub fn levels(&self) -> u32 {
        let pwm = self.pins.pwm();
        self.pins.levels() & !pwm | self.pwm.levels(pwm, self.clock.cycles())
    }

    /// The cache before the flash forgets all it has.
    pub fn flush_cache(&mut self) {
        if let Some(cache) = &mut self.flash_cache {
            cache.flush();
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
    pub chip: &'a mut ChipState,
}

impl View<'_> {
    /// The moment the core is at.
    pub fn now(&self) -> u64 {
        self.chip.clock.ns_after(self.chip.ahead)
    }

    /// The same in cycles of the system clock.
    pub fn cycle(&self) -> u64 {
        self.chip.clock.cycles() + self.chip.ahead
    }

    /// The chip was reset: whatever was known of it is looked at again.
    pub fn restarted(&mut self) {
        self.chip.ahead = 0;
        self.chip.pio = Default::default();
        (self.chip.dma, self.chip.dma_stopped) = (false, false);
        (self.chip.others, self.chip.dormant) = (false, false);
        self.chip.sound_changed = true;
        self.chip.memory.write(0);
        self.chip.flush_cache();
        let cycle = self.cycle();
        self.chip.pwm.reset(cycle);
        self.clocks_changed();
        let now = self.now();
        self.chip.timer.reset(now);
        self.chip.pins.configure(self.bus);
        self.pins_changed();
    }

    /// The firmware may have chosen other clocks. (A clock that does not run leaves the last frequency.)
    pub fn clocks_changed(&mut self) {
        if self.bus.sys_clk_hz() != 0 {
            self.chip.clock.set_frequency(self.bus.sys_clk_hz());
        }
        let now = self.now();
        let cycles = self.chip.watchdog.tick_cycles();
        self.chip.timer.set_rate(self.bus.ref_clk_hz(), cycles, now);
    }

    /// The interrupt lines that are high: each raises its interrupt unless its handler is at work.
    pub fn raise_interrupts(&mut self) {
        const DMA_STATUS: [u32; 2] = [DMA_BASE + 0x40C, DMA_BASE + 0x41C];
        let now = self.now();
        let mut lines = self.chip.timer.poll(now);
        for (block, pio) in self.bus.pio.iter().enumerate() {
            if pio.any_sm_enabled() {
                lines |= u32::from(pio.int0_ints_rp2040() != 0) << (7 + 2 * block);
                lines |= u32::from(pio.int1_ints_rp2040() != 0) << (8 + 2 * block);
            }
        }
        lines |= u32::from(self.bus.read32(DMA_STATUS[0]) != 0) << 11;
        lines |= u32::from(self.bus.read32(DMA_STATUS[1]) != 0) << 12;
        lines |= u32::from(self.chip.pins.interrupt(self.bus)) << 13;
        let cycle = self.cycle();
        lines |= u32::from(self.chip.pwm.interrupt(cycle)) << 4;
        if self.chip.others {
            let adc = self.bus.read32(ADC_BASE + 0x20) != 0;
            lines |= u32::from(adc) << 22;
            self.chip.others = adc || !self.bus.all_peripherals_idle();
        }
        let active = (self.bus.ppb[0].active >> 16) as u32;
        self.bus.nvics[0].pending |= lines & !active;
    }

    /// Interrupts that a test wants at this cycle become pending.
    pub fn raise_planned(&mut self) {
        let cycles = self.chip.clock.cycles();
        while let Some(entry) = self.chip.raised.first_entry().filter(|entry| *entry.key() <= cycles) {
            self.bus.nvics[0].pending |= entry.remove();
        }
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

    /// What the pins do by themselves up to now, each at its moment: switches that are due change, lines have risen. Whoever
    /// changes what drives a pin calls this before.
    pub fn settle_pins(&mut self) {
        let now = self.now();
        while let Some(at) = self.chip.next_pin_event().filter(|at| *at <= now) {
            while let Some(entry) = self.chip.edges.first_entry().filter(|entry| entry.key().0 <= at) {
                let (cell, closed) = entry.remove();
                self.chip.matrix.set(cell, closed);
            }
            self.pins_changed_at(at);
        }
    }

    /// Something that drives a pin has changed just now.
    pub fn pins_changed(&mut self) {
        self.settle_pins();
        self.pins_changed_at(self.now());
    }

    /// Works out the levels on the board again; the supply of the LEDs and their wire may be among them.
    fn pins_changed_at(&mut self, ns: u64) {
        // A switch that was scheduled for the past changes now.
        let ns = ns.max(self.chip.pins_at);
        self.chip.pins_at = ns;
        let cycle = self.cycle();
        let chip = &mut *self.chip;
        let conflict = chip.pins.conflict;
        let pwm = if chip.pins.pwm() != 0 { chip.pwm.levels(chip.pins.pwm(), cycle) } else { 0 };
        chip.pins.refresh(self.bus, &chip.matrix, pwm, ns);
        chip.row_conflicts += u64::from(chip.pins.conflict && !conflict);
        let levels = chip.pins.levels();
        let wiring = chip.pins.wiring();
        chip.chain.supply(ns, !chip.supply_switch || levels >> wiring.supply & 1 != 0);
        chip.chain.edge(ns, levels >> wiring.leds & 1 != 0);
        if let Some(Probe { mask, changes }) = &mut chip.probe {
            let levels = levels & *mask;
            if changes.last().is_none_or(|(_, last)| *last != levels) {
                changes.push((ns, levels));
            }
        }
        self.bus.gpio_in = levels;
    }

    /// The piezo's tone in Hz: what its pin really does.
    pub fn tone(&mut self) -> Option<u32> {
        let pin = u32::from(self.chip.wiring().piezo);
        let connected = self.chip.pins.pwm() >> pin & 1 != 0;
        let hz = self.bus.sys_clk_hz();
        self.chip.pwm.tone(pin, self.cycle(), hz).filter(|_| connected)
    }

    /// When the PWM next does something that anybody looks at: the piezo's tone changes, a wrap interrupts, or a pin that the
    /// logic analyser is on may change.
    pub fn next_pwm_event(&self) -> Option<u64> {
        let (chip, cycle) = (&*self.chip, self.cycle());
        let probed = chip.probe.as_ref().map_or(0, |probe| probe.mask) & chip.pins.pwm();
        let tone = chip.pwm.next_tone(chip.wiring().piezo.into(), cycle);
        [tone, chip.pwm.next_interrupt(cycle), chip.pwm.next_toggle(probed, cycle)].into_iter().flatten().min()
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
